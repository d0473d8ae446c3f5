//! Short rows in a cache, with each instruction set of the machine, in turn with the portable one,
//! which moves elements one by one: whether shuffles are chosen where they pay.
//!
//! ```text
//! cargo bench --bench rows [-- NAMES] [--rounds N]
//! ```
//!
//! Plans are made before the clock starts. A ratio is the shortest time over that of the portable
//! set. The costs in `slice-core/src/kernel/tuning.rs` are right if few cells are above 1.15.
#![allow(clippy::expect_used, reason = "plans are made for the arrays that they are given")]

#[allow(dead_code, reason = "some of it is for other benchmarks")]
#[path = "../workloads/timing.rs"]
mod timing;

use pyslice::kernel::{self, Isa};
use pyslice::{Plan, SliceError, SpecBuf};
use std::cell::RefCell;
use std::hint::black_box as at;
use std::rc::Rc;
use timing::{Peer, names_and_rounds, shortest};

const SLICES: [&str; 8] = [
    "::2, ::2",
    "::2, ::3",
    "::2, ::-1",
    ":, 1:-1:2",
    ":, -2:0:-2",
    ":, ::7",
    "..., ::2",
    "::3, 1:-2",
];
const ROWS: [usize; 3] = [8, 32, 128];
const COLUMNS: [usize; 5] = [16, 32, 64, 128, 384];

/// The elements of an array, those of a slice of it, and the slice.
struct Case<T> {
    plan: Plan,
    array: Vec<T>,
    taken: Vec<T>,
}

impl<T: Copy + Default> Case<T> {
    fn fill(&mut self) -> Result<(), SliceError> {
        self.plan.fill(at(&mut self.array), T::default())
    }

    fn assign(&mut self) -> Result<(), SliceError> {
        self.plan.assign(at(&mut self.array), &self.taken[..])
    }

    fn copy(&mut self) -> Result<(), SliceError> {
        self.plan.copy_into(at(&self.array), &mut self.taken[..])
    }
}

/// Set, name, ratio and nanoseconds.
type Cell = (Isa, String, f64, f64);

fn elements<T: Copy + Default + 'static>(
    only: &[String],
    rounds: usize,
    cells: &mut Vec<Cell>,
) -> Result<(), SliceError> {
    type Run<T> = fn(&mut Case<T>) -> Result<(), SliceError>;
    let ways: [(&str, Run<T>); 3] =
        [("fill", Case::fill), ("assign", Case::assign), ("copy", Case::copy)];
    for (text, rows) in SLICES.iter().flat_map(|text| ROWS.map(|rows| (text, rows))) {
        for (columns, (way, run)) in COLUMNS.iter().flat_map(|&n| ways.map(|way| (n, way))) {
            let spec: SpecBuf = text.parse()?;
            let plan = spec.plan(&[rows, columns])?;
            let name = format!("{way} [{text}] {} ({rows}, {columns})", std::any::type_name::<T>());
            if plan.len() < 64 || !only.is_empty() && !only.iter().any(|part| name.contains(part)) {
                continue;
            }
            let (array, taken) =
                (vec![T::default(); rows * columns], vec![T::default(); plan.len()]);
            let case = Rc::new(RefCell::new(Case { plan, array, taken }));
            let sets: Vec<Isa> = kernel::available().collect();
            let mut peers: Vec<Peer> = Vec::new();
            for &isa in &sets {
                let case = case.clone();
                let run = move || {
                    kernel::force(Some(isa));
                    run(&mut case.borrow_mut()).expect("its own buffers");
                };
                peers.push(Peer { name: "", run: Box::new(run) });
            }
            let times: Vec<f64> = shortest(&mut peers, rounds).map(|(_, ns)| ns).collect();
            let plain =
                sets.iter().position(|isa| *isa == Isa::Portable).map_or(f64::NAN, |i| times[i]);
            cells.extend(
                sets.iter()
                    .zip(times)
                    .filter(|(isa, _)| **isa != Isa::Portable)
                    .map(|(&isa, ns)| (isa, name.clone(), ns / plain, ns)),
            );
        }
    }
    Ok(())
}

fn main() -> Result<(), SliceError> {
    let (only, rounds) = names_and_rounds();
    let mut cells = Vec::new();
    elements::<u8>(&only, rounds, &mut cells)?;
    elements::<u16>(&only, rounds, &mut cells)?;
    elements::<f32>(&only, rounds, &mut cells)?;
    elements::<f64>(&only, rounds, &mut cells)?;
    elements::<[u8; 3]>(&only, rounds, &mut cells)?;
    cells.sort_by(|a, b| b.2.total_cmp(&a.2));
    for (isa, name, ratio, ns) in cells.iter().filter(|cell| cell.2 > 1.15) {
        println!("{ratio:5.2} {ns:11.1} ns  {isa:?} {name}");
    }
    for isa in kernel::available().filter(|isa| *isa != Isa::Portable) {
        let of: Vec<f64> = cells.iter().filter(|cell| cell.0 == isa).map(|cell| cell.2).collect();
        let middle = of.get(of.len() / 2).copied().unwrap_or(f64::NAN);
        let above = of.iter().filter(|ratio| **ratio > 1.15).count();
        println!("{isa:?}: {} cells, median {middle:.2} of portable, {above} above 1.15", of.len());
    }
    Ok(())
}
