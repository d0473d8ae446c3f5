//! Measuring in turn.

use std::borrow::BorrowMut;
use std::time::{Duration, Instant};

/// One way to do a workload.
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    pub(crate) run: Box<dyn FnMut()>,
}

/// What came out.
pub(crate) struct Found {
    pub(crate) name: &'static str,
    /// The median time of a call.
    pub(crate) ns: f64,
    /// The median of (the first peer's time / this one's) within a round.
    pub(crate) ratio: f64,
}

/// The parts of names and the number of rounds that the command line gives.
#[allow(dead_code, reason = "not in all of the benchmarks")]
pub(crate) fn names_and_rounds() -> (Vec<String>, usize) {
    let (mut names, mut rounds) = (Vec::new(), 7);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--rounds" => rounds = args.next().and_then(|n| n.parse().ok()).unwrap_or(7),
            // Cargo's own.
            "--bench" => {}
            _ => names.push(arg),
        }
    }
    (names, rounds)
}

/// How long a peer is measured in a round.
const SLOT: Duration = Duration::from_millis(12);

/// All peers in turn, `rounds` times.
pub(crate) fn interleaved(peers: &mut [Peer], rounds: usize) -> Vec<Found> {
    let calls: Vec<u32> = peers.iter_mut().map(|peer| calls_in(SLOT / 4, &mut peer.run)).collect();
    let mut times = vec![Vec::new(); peers.len()];
    for _ in 0..rounds.max(1) {
        for ((peer, &calls), times) in peers.iter_mut().zip(&calls).zip(&mut times) {
            // The best of a few batches: disturbances only add time.
            let best = (0..4).map(|_| batch(calls, &mut peer.run)).fold(f64::MAX, f64::min);
            times.push(best);
        }
    }
    let ours = times[0].clone();
    let found = |(peer, times): (&Peer, &Vec<f64>)| Found {
        name: peer.name,
        ns: median(times.clone()),
        ratio: median(ours.iter().zip(times).map(|(ours, theirs)| ours / theirs).collect()),
    };
    peers.iter().zip(&times).map(found).collect()
}

/// The shortest time of each peer, in nanoseconds per call: `rounds` short turns of each. The first
/// half of a turn is not timed: until a peer has its lines back in the caches, and free pages of
/// the size that it asks for, it pays for what the one before it did. A call that takes several
/// turns leaves neither, so it is timed at once. Who takes more than twice the shortest time has no
/// more turns, except the first peer.
#[allow(dead_code, reason = "not in all of the benchmarks")]
pub(crate) fn shortest(
    peers: &mut [impl BorrowMut<Peer>],
    rounds: usize,
) -> impl Iterator<Item = (&'static str, f64)> {
    const TURN: Duration = Duration::from_millis(2);
    let mut peers: Vec<&mut Peer> = peers.iter_mut().map(BorrowMut::borrow_mut).collect();
    let calls: Vec<u32> = peers.iter_mut().map(|peer| calls_in(TURN, &mut peer.run)).collect();
    let mut best = vec![f64::MAX; peers.len()];
    for _ in 0..rounds.max(1) {
        let far = 2.0 * best.iter().copied().fold(f64::MAX, f64::min);
        for (at, (peer, &calls)) in peers.iter_mut().zip(&calls).enumerate() {
            if at > 0 && best[at] > far && best[at] < f64::MAX {
                continue;
            }
            let mut took = batch(calls, &mut peer.run);
            if took < 4.0 * TURN.as_nanos() as f64 {
                took = batch(calls, &mut peer.run);
            }
            best[at] = best[at].min(took);
        }
    }
    let names: Vec<&str> = peers.iter().map(|peer| peer.name).collect();
    names.into_iter().zip(best)
}

/// Nanoseconds per call, over `calls` of them.
fn batch(calls: u32, run: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        run();
    }
    start.elapsed().as_nanos() as f64 / f64::from(calls)
}

/// How many calls take about so long.
fn calls_in(time: Duration, run: &mut dyn FnMut()) -> u32 {
    let mut calls = 1u32;
    loop {
        let took = batch(calls, run) * f64::from(calls);
        if took >= time.as_nanos() as f64 / 2.0 || calls >= 1 << 22 {
            return calls;
        }
        calls *= 2;
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
