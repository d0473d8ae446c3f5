//! A slice sent as a datatype, beside the same slice packed by pyslice's kernels and sent as it
//! is: two ranks, the fastest of several rounds, and the ratio of both.
//!
//! `./test measure [ROUNDS]`
#![allow(clippy::expect_used, reason = "a measurement that fails is of no use")]

use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use pyslice::{Plan, SliceError, s};
use pyslice_mpi::SliceType;
use std::time::Instant;

/// About 4 MiB of `f32` each, but for the column, of an array of that and more.
fn cases() -> Result<Vec<(&'static str, Plan)>, SliceError> {
    Ok(vec![
        ("x[500:1500] of (2000, 1000): one run", s![500:1500].plan(&[2000, 1000])?),
        ("x[:, :500] of (2000, 1000): runs of 2000 bytes", s![:, :500].plan(&[2000, 1000])?),
        ("x[:, :16] of (62500, 32): runs of 64 bytes", s![:, :16].plan(&[62_500, 32])?),
        ("x[::2] of 2000000", s![::2].plan(&[2_000_000])?),
        ("x[::-1] of 1000000", s![::-1].plan(&[1_000_000])?),
        ("x[::-1, ::-1] of (1000, 1000)", s![::-1, ::-1].plan(&[1000, 1000])?),
        ("x[:, ::-2] of (1000, 2000)", s![:, ::-2].plan(&[1000, 2000])?),
        ("x[..., ::-1] of (500, 667, 3)", s![..., ::-1].plan(&[500, 667, 3])?),
        ("x[:, 7] of (250000, 16)", s![:, 7].plan(&[250_000, 16])?),
        ("x.T of (1000, 1000)", s![].plan(&[1000, 1000])?.permute(&[1, 0])?),
    ])
}

fn main() {
    let universe = mpi::initialize().expect("nobody else has");
    let world = universe.world();
    assert!(world.size() >= 2, "mpirun -n 2");
    let rounds = std::env::args().nth(1).map_or(50, |n| n.parse().expect("a number of rounds"));
    if world.rank() == 0 {
        println!("ms, fastest of {rounds} rounds; a ratio above 1 says that packing was faster");
        println!("  sent: datatype  packed  ratio | received: datatype  unpacked  ratio");
    }
    for (name, plan) in cases().expect("the slices fit") {
        if world.rank() < 2 {
            let row = measure(&world, &plan, rounds);
            if world.rank() == 0 {
                println!(
                    "{:14.2} {:8.2} {:6.2} | {:17.2} {:9.2} {:6.2}   {name}",
                    row[0],
                    row[1],
                    row[0] / row[1],
                    row[2],
                    row[3],
                    row[2] / row[3],
                );
            }
        }
    }
}

/// Milliseconds from the start until the other rank has everything and says so: sent as a
/// datatype and packed, received as a datatype and unpacked.
fn measure(world: &SimpleCommunicator, plan: &Plan, rounds: usize) -> [f64; 4] {
    let slice = SliceType::<f32>::new(plan).expect("MPI runs");
    let other = world.process_at_rank(1 - world.rank());
    let data: Vec<f32> = (0..plan.input_len()).map(|k| k as f32).collect();
    let wanted = plan.copy(&data).expect("the plan's own array");
    let (mut packed, mut array) = (vec![0_f32; plan.len()], vec![0_f32; plan.input_len()]);
    let mut fastest = [f64::INFINITY; 4];
    let mut done = [0_u8];
    for round in 0..=rounds {
        for (kind, fastest) in fastest.iter_mut().enumerate() {
            // Both start from here.
            if world.rank() == 0 {
                other.send(&done[..]);
                other.receive_into(&mut done[..]);
            } else {
                other.receive_into(&mut done[..]);
                other.send(&done[..]);
            }
            let start = Instant::now();
            match (world.rank(), kind) {
                (0, 0) => other.send(&slice.view(&data).expect("its array")),
                (0, 1) => {
                    plan.copy_into(&data, &mut packed).expect("its array");
                    other.send(&packed[..]);
                }
                (0, _) => other.send(&wanted[..]),
                (_, 0 | 1) => {
                    other.receive_into(&mut packed[..]);
                }
                (_, 2) => {
                    other.receive_into(&mut slice.view_mut(&mut array).expect("its array"));
                }
                _ => {
                    other.receive_into(&mut packed[..]);
                    plan.assign(&mut array, &packed).expect("its array");
                }
            }
            if world.rank() == 0 {
                other.receive_into(&mut done[..]);
                // The first round is for the caches and the pages.
                if round > 0 {
                    *fastest = fastest.min(start.elapsed().as_secs_f64() * 1e3);
                }
            } else {
                other.send(&done[..]);
                // The first round shows that the values are right.
                let right = match kind {
                    _ if round > 0 => true,
                    0 | 1 => packed == wanted,
                    _ => plan.copy(&array).as_ref() == Ok(&wanted),
                };
                assert!(right, "{plan:?}");
                if round == 0 {
                    packed.fill(0.0);
                    array.fill(0.0);
                }
            }
        }
    }
    fastest
}
