//! Every workload of the project's table: this library beside ndarray, mdarray and `memcpy`, in
//! turn, in one run.
//!
//! ```text
//! cargo bench --bench workloads                        all of them
//! cargo bench --bench workloads -- hwc,stride2         those whose names contain one of these
//! cargo bench --bench workloads -- --rounds 9 --csv results.csv
//! cargo bench --bench workloads -- --ours              this library only
//! ```
//!
//! Each result is compared with ndarray's elements, one by one, before anything is measured. A peer
//! is measured for some milliseconds, then the next, several rounds of it; what is printed is the
//! median, and the median of the ratios within a round, which hold where single times do not.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::reversed_empty_ranges,
    reason = "a benchmark stops at once; ndarray counts from the end like this"
)]

mod list;
mod peers;
mod timing;

use std::io::Write;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut names, mut rounds, mut csv, mut ours) = (Vec::new(), 5, None, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // What cargo passes on.
            "--bench" => {}
            "--rounds" => rounds = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(rounds),
            "--ours" => ours = true,
            "--csv" => csv = arguments.next(),
            list => names.extend(list.split(',').map(str::to_owned)),
        }
    }
    let wanted =
        |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part.as_str()));
    let mut csv = csv.map(|path| {
        let mut file =
            std::fs::File::create(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        writeln!(file, "workload,mode,peer,ns,ours/peer").expect("the file is there");
        file
    });
    println!("{:20} {:5} {:>12}   ours / peer", "workload", "mode", "ours, ns");
    let mut best = Vec::new();
    list::each(&wanted, &mut |mut work| {
        if ours {
            work.peers.truncate(1);
        }
        let found = timing::interleaved(&mut work.peers, rounds);
        print!("{:20} {:5} {:12.1}  ", work.name, work.mode, found[0].ns);
        for peer in &found {
            if peer.name != "ours" {
                print!(" {} {:.2}", peer.name, peer.ratio);
            }
            if let Some(file) = &mut csv {
                writeln!(
                    file,
                    "{},{},{},{:.1},{:.3}",
                    work.name, work.mode, peer.name, peer.ns, peer.ratio
                )
                .expect("the file can be written");
            }
        }
        println!();
        let rust = found
            .iter()
            .filter(|peer| ["ndarray", "mdarray"].contains(&peer.name))
            .map(|peer| peer.ratio);
        best.push(rust.fold(0.0, f64::max));
    });
    best.sort_by(f64::total_cmp);
    if let Some(median) = best.get(best.len() / 2) {
        println!(
            "median of ours / best Rust peer: {median:.2}; slower than it: {}",
            best.iter().filter(|&&r| r > 1.0).count()
        );
    }
}
