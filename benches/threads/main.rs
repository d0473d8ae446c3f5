//! One thread beside all of rayon's pool, in turn, in one run.
//!
//! ```text
//! cargo bench --bench threads --features rayon                  as many threads as there are cores
//! cargo bench --bench threads --features rayon -- ::-1,fill     operations whose names contain one of these
//! cargo bench --bench threads --features rayon -- --threads 2 --rounds 31 --csv results.csv
//! ```
//!
//! What is printed is how many times as fast the pool is, by the median of the ratios within a
//! round: with its threads awake, each call after another one, and asleep, after some milliseconds
//! in which nobody asked for them. Each result is compared with the elements, one by one, before
//! anything is measured.
#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark stops at once")]

use pyslice::{Plan, SliceError, SpecBuf, kernel};
use std::hint::spin_loop;
use std::io::Write;
use std::time::{Duration, Instant};

/// The sizes of the results, in MiB.
const SIZES: [usize; 8] = [1, 2, 4, 6, 8, 16, 32, 64];
/// Long enough for rayon's threads to go to sleep.
const IDLE: Duration = Duration::from_millis(3);

/// Does it to an array, with as many values as the slice has elements.
type Operation = fn(&Plan, &mut [u32], &mut [u32]) -> Result<(), SliceError>;

/// Name, slice, and how many elements the array has for each of the slice.
const OPERATIONS: [(&str, &str, usize, Operation); 8] = [
    ("x[...]", "...", 1, |plan, x, y| plan.copy_into(x, y)),
    ("x[::2]", "::2", 2, |plan, x, y| plan.copy_into(x, y)),
    ("x[::-1]", "::-1", 1, |plan, x, y| plan.copy_into(x, y)),
    ("x[::7]", "::7", 7, |plan, x, y| plan.copy_into(x, y)),
    ("x[::2] = y", "::2", 2, |plan, x, y| plan.assign(x, y)),
    ("fill x[::2]", "::2", 2, |plan, x, _| plan.fill(x, 7)),
    ("fill x[...]", "...", 1, |plan, x, _| plan.fill(x, 7)),
    ("grad x[::2]", "::2", 2, |plan, x, y| plan.grad_into(y, x)),
];

/// Only by the calling thread, or by all.
fn share(all: bool) {
    kernel::set_parallel_threshold(if all { 0 } else { usize::MAX });
}

/// One after the other, `step` apart.
fn check(name: &str, step: usize, operation: Operation, plan: &Plan) {
    let before: Vec<u32> = (0..plan.input_len() as u32).collect();
    let values: Vec<u32> = (0..plan.len() as u32).map(|i| i ^ 0x8000_0000).collect();
    let (mut x, mut y) = (before.clone(), values.clone());
    operation(plan, &mut x, &mut y).expect("the lengths fit");
    let back = name.contains("-1");
    for (i, value) in values.iter().enumerate() {
        let at = if back { before.len() - 1 - i } else { i * step };
        let (x_at, y_at) = match name.split_once(' ') {
            None => (before[at], before[at]),
            Some(("fill", _)) => (7, *value),
            Some(_) => (*value, *value),
        };
        assert!(x[at] == x_at && y[i] == y_at, "{name} is wrong at {i}");
    }
    for at in (0..x.len()).filter(|at| at % step != 0) {
        let expected = if name.starts_with("grad") { 0 } else { before[at] };
        assert!(x[at] == expected, "{name} is wrong between, at {at}");
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Microseconds of one thread, and how many times as fast all are.
fn compare(mut run: impl FnMut(), awake: bool, rounds: usize) -> (f64, f64) {
    let mut time = |all: bool| {
        share(all);
        run();
        if !awake {
            let start = Instant::now();
            while start.elapsed() < IDLE {
                spin_loop();
            }
        }
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e6
    };
    let pairs: Vec<(f64, f64)> = (0..rounds.max(1)).map(|_| (time(false), time(true))).collect();
    let one = median(pairs.iter().map(|pair| pair.0).collect());
    (one, median(pairs.iter().map(|(one, all)| one / all).collect()))
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut names, mut rounds, mut csv) = (Vec::new(), 15, None);
    let mut threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    while let Some(argument) = arguments.next() {
        let mut number = |or: usize| arguments.next().and_then(|n| n.parse().ok()).unwrap_or(or);
        match argument.as_str() {
            // What cargo passes on.
            "--bench" => {}
            "--rounds" => rounds = number(rounds),
            "--threads" => threads = number(threads),
            "--csv" => csv = arguments.next(),
            list => names.extend(list.split(',').map(str::to_owned)),
        }
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .expect("nobody else has made the pool");
    let mut csv = csv.map(|path| {
        let mut file =
            std::fs::File::create(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        writeln!(file, "operation,MiB,threads,one us,awake,asleep").expect("the file is there");
        file
    });
    println!("{:12} {:>4} {:>10}   one / {threads} threads", "operation", "MiB", "one, us");
    let mut all = Vec::new();
    for (name, slice, step, operation) in OPERATIONS {
        if !names.is_empty() && !names.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        let spec: SpecBuf = slice.parse().expect("the slices above are right");
        for mib in SIZES {
            let n = mib << 18;
            let plan = spec.plan(&[n * step]).expect("an array of one axis");
            share(true);
            check(name, step, operation, &plan);
            let (mut x, mut y) = (vec![1; n * step], vec![2; n]);
            let mut run = || operation(&plan, &mut x, &mut y).expect("the lengths fit");
            let (one, awake) = compare(&mut run, true, rounds);
            let (_, asleep) = compare(&mut run, false, rounds);
            println!("{name:12} {mib:4} {one:10.0}   awake {awake:.2} asleep {asleep:.2}");
            if let Some(file) = &mut csv {
                writeln!(file, "{name},{mib},{threads},{one:.1},{awake:.3},{asleep:.3}")
                    .expect("the file can be written");
            }
            if mib >= 4 {
                all.push(awake);
            }
        }
    }
    if !all.is_empty() {
        println!("median from 4 MiB on, awake: {:.2}", median(all));
    }
}
