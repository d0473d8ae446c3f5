//! Random slices of random arrays: where is this library slower than something simple?
//!
//! ```text
//! cargo bench --bench random                  2000 of them, about two minutes
//! cargo bench --bench random -- 5000 9000     those that these numbers make
//! cargo bench --bench random -- 5017          one of them, as a second look
//! ```
//!
//! A number makes an array of one to four axes and 1 KiB to 16 MiB, a slice of it, sometimes with
//! its axes in another order, and an operation. In turn, and on the same buffers: this library with
//! a plan that was made before, a plain typed loop with run-time strides, and ndarray with a view of
//! a known number of axes. Each cell's number is our time over the shorter of the other two.
//! What is printed are the cells above [`LIMIT`] that take more than [`SHORT`] nanoseconds, and one
//! line about all of them. `sizes` asks the same of slices that people write.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a benchmark stops at once"
)]

#[path = "../workloads/timing.rs"]
#[allow(dead_code, reason = "it is shared with benchmarks that compare medians")]
mod timing;

#[path = "../workloads/plain.rs"]
mod plain;

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

use ndarray::{ArrayView, ArrayViewMut, Axis, Dimension, Ix1, Ix2, Ix3, Ix4, ShapeBuilder};
use plain::{Buffers, Element, by_loop};
use pyslice::{Entry, Plan, SpecBuf};
use timing::{Peer, shortest};

/// What is printed: a cell in which ours takes more than this times the shorter other one.
const LIMIT: f64 = 1.2;
/// What takes no longer, in nanoseconds, is not: there, the beginning of a call counts.
const SHORT: f64 = 100.0;
/// How often a cell above the limit is measured again: a disturbance passes, a bad kernel stays.
const AGAIN: usize = 2;

/// Numbers that look random, the same for the same seed (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        b ^ (b >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1 << 20)
    }
}

/// What is done with a slice, in the order of their numbers.
const OPERATIONS: [&str; 4] = ["into", "new", "assign", "fill"];

/// A slice and what is done with it.
struct Case {
    plan: Plan,
    /// Elements of the array.
    len: usize,
    operation: usize,
    text: String,
}

/// The array of about `elements` elements, its slice and the operation that `random` makes; `None`
/// if nothing is left of the array.
fn case(random: &mut Random, elements: f64) -> Option<Case> {
    let axes = 1 + random.below(4);
    let mut weights: Vec<f64> = (0..axes).map(|_| random.share() + 0.05).collect();
    let (mut shape, mut rest) = (vec![1; axes], elements);
    if axes > 1 && random.below(3) == 0 {
        // A short axis, most often the last one, as channels are.
        let axis = if random.below(2) == 0 { axes - 1 } else { random.below(axes) };
        (shape[axis], weights[axis]) = (2 + random.below(9), 0.0);
        rest /= shape[axis] as f64;
    }
    let sum: f64 = weights.iter().sum();
    for (n, weight) in shape.iter_mut().zip(&weights).filter(|(_, weight)| **weight > 0.0) {
        *n = (rest.max(1.0).powf(weight / sum).round() as usize).max(1);
    }
    let mut entries = Vec::new();
    for &n in &shape {
        let (third, all) = (n.div_ceil(3), None::<i64>);
        entries.push(match random.below(10) {
            0 if axes > 1 => Entry::from(random.below(n)),
            0..=3 => Entry::from(..),
            4 | 5 => Entry::range(random.below(third), n - random.below(third), 1),
            6 => Entry::range(all, all, -1),
            7 => Entry::range(all, all, 2 + random.below(2)),
            8 => {
                let step = 2 + random.below(14);
                Entry::range(random.below(n.min(step)), all, step)
            }
            _ => Entry::range(all, all, -2 - random.below(4) as i64),
        });
    }
    let spec = SpecBuf::from_entries(&entries).expect("entries for each axis");
    let mut plan = spec.plan(&shape).expect("entries inside the axes");
    let mut order: Vec<usize> = (0..plan.shape().len()).collect();
    if random.below(3) == 0 {
        (1..order.len()).rev().for_each(|i| order.swap(i, random.below(i + 1)));
        plan = plan.permute(&order).expect("each axis once");
    }
    let text = format!("{spec} of {shape:?}, axes {order:?}");
    let is_one = plan.shape().is_empty();
    let (len, operation) = (shape.iter().product(), random.below(OPERATIONS.len()));
    (!plan.is_empty() && !is_one).then_some(Case { plan, len, operation, text })
}

fn ours<T: Element>(operation: usize, plan: &Plan, b: &mut Buffers<T>) {
    let done = match operation {
        0 => plan.copy_into(&b.x, &mut b.y[..]),
        1 => plan.copy(&b.x).map(|new| b.new = new),
        2 => plan.assign(&mut b.x, &b.y[..]),
        _ => plan.fill(&mut b.x, b.y[0]),
    };
    done.expect("both buffers fit the plan");
}

fn by_ndarray<T: Element, D: Dimension>(operation: usize, plan: &Plan, b: &mut Buffers<T>) {
    let axes = plan.shape().len();
    let (mut shape, mut steps) = (D::zeros(axes), D::zeros(axes));
    let mut lowest = plan.offset() as isize;
    for (i, (&n, &stride)) in plan.shape().iter().zip(plan.strides()).enumerate() {
        (shape[i], steps[i]) = (n, stride.unsigned_abs());
        lowest += stride.min(0) * (n as isize - 1);
    }
    let inverted = |i: &usize| plan.strides()[*i] < 0;
    let x = b.x.as_mut_ptr().wrapping_offset(lowest);
    // SAFETY: the plan was made for the shape of `x`: its positions, from the lowest one on.
    let mut view = unsafe { ArrayViewMut::from_shape_ptr(shape.clone().strides(steps), x) };
    (0..axes).filter(inverted).for_each(|i| view.invert_axis(Axis(i)));
    match operation {
        0 => ArrayViewMut::from_shape(shape, &mut b.y).expect("as many").assign(&view),
        1 => b.new = view.as_standard_layout().into_owned().into_raw_vec_and_offset().0,
        2 => view.assign(&ArrayView::from_shape(shape, &b.y).expect("as many")),
        _ => view.fill(b.y[0]),
    }
}

/// What a library does with a slice: the number of the operation, the plan, and the buffers.
type Does<T> = fn(usize, &Plan, &mut Buffers<T>);

/// Measures a slice: our time in nanoseconds, and over that of the shorter other one.
fn measure<T: Element>(case: &Case, rounds: usize) -> (f64, f64) {
    let &Case { ref plan, len, operation, ref text } = case;
    let by_ndarray: Does<T> = match plan.shape().len() {
        1 => by_ndarray::<T, Ix1>,
        2 => by_ndarray::<T, Ix2>,
        3 => by_ndarray::<T, Ix3>,
        _ => by_ndarray::<T, Ix4>,
    };
    let all: [(&str, Does<T>); 3] = [("ours", ours), ("loop", by_loop), ("ndarray", by_ndarray)];
    let new = || Buffers {
        x: (0..len).map(T::at).collect(),
        y: (0..plan.len()).map(|i| T::at(i + 7)).collect(),
        new: Vec::new(),
    };
    let found = all.map(|(_, does)| {
        let mut buffers = new();
        does(operation, plan, &mut buffers);
        [buffers.x, buffers.y, buffers.new]
    });
    let same = found.iter().all(|it| *it == found[0]);
    assert!(same, "{}: {text} differs", OPERATIONS[operation]);
    let buffers = Rc::new(RefCell::new(new()));
    let mut peers = all.map(|(name, does)| {
        let (plan, buffers) = (plan.clone(), buffers.clone());
        let run = move || does(operation, black_box(&plan), &mut buffers.borrow_mut());
        Peer { name, run: Box::new(run) }
    });
    let mut best = [f64::MAX; 3];
    for turn in 0..=AGAIN {
        let found = shortest(&mut peers, rounds << turn);
        best.iter_mut().zip(found).for_each(|(best, (_, ns))| *best = best.min(ns));
        if best[0] <= LIMIT * best[1].min(best[2]) {
            break;
        }
    }
    (best[0], best[0] / best[1].min(best[2]))
}

fn main() {
    let numbers = std::env::args().skip(1).filter(|it| it != "--bench");
    let numbers: Vec<u64> = numbers.map(|it| it.parse().expect("a number")).collect();
    let numbers = match *numbers {
        [] => 0..2000,
        [one] => one..one + 1,
        [from, to, ..] => from..to,
    };
    let (mut ratios, mut long) = (Vec::new(), 0);
    for number in numbers {
        let mut random = Random(number);
        macro_rules! measured {
            ($($kind:literal $t:ty)*) => {{
                let kind = random.below(8);
                let bytes = 2f64.powf(10.0 + 14.0 * random.share());
                match kind {
                    $($kind => case(&mut random, bytes / size_of::<$t>() as f64)
                        .map(|case| (measure::<$t>(&case, 3), <$t>::NAME, case)),)*
                    _ => None,
                }
            }};
        }
        let measured = measured!(0 u8 1 u16 2 [u8; 3] 3 f32 4 f64 5 [f32; 3] 6 [f64; 2] 7 [f64; 3]);
        let Some(((ns, ratio), element, case)) = measured else { continue };
        if ns > SHORT {
            long += 1;
            if ratio > LIMIT {
                let Case { operation, text, .. } = case;
                let operation = OPERATIONS[operation];
                println!("{ratio:5.2} {ns:10.0} ns  {operation:6} {element:5} {text}  ({number})");
            }
            ratios.push(ratio);
        }
    }
    ratios.sort_by(f64::total_cmp);
    if let Some(median) = ratios.get(ratios.len() / 2) {
        let above = ratios.iter().filter(|&&it| it > LIMIT).count();
        println!(
            "ours / the shorter other: {median:.2} at the median of {long} above {SHORT} ns, \
                  {above} of them above {LIMIT}"
        );
    }
}
