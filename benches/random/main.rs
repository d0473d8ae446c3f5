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
//! a known number of axes. Each cell's number is our time over the shorter of the other two. A slice
//! is also assigned to another one of its array; instead of a loop, it is copied aside then.
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
use plain::{Buffers, Element, by_loop, plain_with};
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
const OPERATIONS: [&str; 8] = ["into", "new", "assign", "fill", "update", "zip", "sum", "move"];

/// A slice and what is done with it.
struct Case {
    plan: Plan,
    /// What is assigned to the slice if it is moved: another slice of the array.
    from: Plan,
    /// Elements of the array.
    len: usize,
    operation: usize,
    text: String,
}

/// The array of about `elements` elements, its slice and the operation that `random` makes; `None`
/// if nothing is left of the array.
fn case(random: &mut Random, elements: f64) -> Option<Case> {
    let (axes, operation) = (1 + random.below(4), random.below(OPERATIONS.len()));
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
    let mut others = entries.clone();
    if OPERATIONS[operation] == "move" {
        for (axis, &n) in shape.iter().enumerate() {
            let (by, half, all) = (1 + random.below(3), n / 2, None::<i64>);
            let pair = match random.below(8) {
                0 if n > 2 * by => [Entry::from(by..), Entry::from(..n - by)],
                1 if n > 2 * by => [Entry::from(..n - by), Entry::from(by..)],
                2 if n > 1 => [Entry::from(half..2 * half), Entry::from(..half)],
                3 if n > 1 => [Entry::range(0, 2 * half, 2), Entry::range(1, 2 * half, 2)],
                4 => [Entry::from(..), Entry::range(all, all, -1)],
                _ => continue,
            };
            [entries[axis], others[axis]] = pair;
        }
    }
    let planned = |entries: &[Entry]| {
        let spec = SpecBuf::from_entries(entries).expect("entries for each axis");
        (spec.plan(&shape).expect("entries inside the axes"), spec)
    };
    let ((mut plan, spec), (mut from, other)) = (planned(&entries), planned(&others));
    let mut order: Vec<usize> = (0..plan.shape().len()).collect();
    if random.below(3) == 0 {
        (1..order.len()).rev().for_each(|i| order.swap(i, random.below(i + 1)));
        plan = plan.permute(&order).expect("each axis once");
        from = from.permute(&order).expect("each axis once");
    }
    let of = format!("of {shape:?}, axes {order:?}");
    let text =
        if other == spec { format!("{spec} {of}") } else { format!("{spec} <- {other} {of}") };
    let (is_one, len) = (plan.shape().is_empty(), shape.iter().product());
    (!plan.is_empty() && !is_one).then_some(Case { plan, from, len, operation, text })
}

fn ours<T: Element>(&Case { ref plan, ref from, operation, .. }: &Case, b: &mut Buffers<T>) {
    let done = match operation {
        0 => plan.copy_into(&b.x, &mut b.y[..]),
        1 => plan.copy(&b.x).map(|new| b.new = new),
        2 => plan.assign(&mut b.x, &b.y[..]),
        3 => plan.fill(&mut b.x, b.y[0]),
        4 => plan.on_mut(&mut b.x).map(|mut place| place.for_each(|a| *a = a.plus(T::at(3)))),
        5 => {
            let place = plan.on_mut(&mut b.x);
            place.and_then(|mut place| place.zip(&b.y[..], |a, value: &T| *a = a.plus(*value)))
        }
        6 => plan.on(&b.x).map(|view| {
            b.new = vec![view.iter().fold(T::default(), |sum, a| sum.plus(*a))];
        }),
        _ => from.move_within(plan, &mut b.x),
    };
    done.expect("both buffers fit the plan");
}

fn looped<T: Element>(&Case { ref plan, ref from, operation, .. }: &Case, b: &mut Buffers<T>) {
    let shape = plan.shape();
    let mut dense = vec![1; shape.len()];
    (1..shape.len()).rev().for_each(|i| dense[i - 1] = dense[i] * shape[i] as isize);
    let (none, y) = (vec![0; shape.len()], b.y.as_ptr());
    let x = (b.x.as_mut_ptr().wrapping_add(plan.offset()), plan.strides());
    // SAFETY: the plan was made for the shape of `x`, and `y` has as many elements as it has.
    unsafe {
        match operation {
            4 => plain_with(shape, (y, &none), x, &mut |_, a| *a = a.plus(T::at(3))),
            5 => plain_with(shape, (y, &dense), x, &mut |value, a| *a = a.plus(*value)),
            6 => {
                let mut sum = T::default();
                plain_with(shape, (y, &none), x, &mut |_, a| sum = sum.plus(*a));
                b.new = vec![sum];
            }
            7 => {
                let aside = from.copy(&b.x).expect("this array");
                plan.assign(&mut b.x, &aside).expect("as many");
            }
            _ => by_loop(operation, plan, b),
        }
    }
}

/// The view of a buffer that a plan takes.
fn view<'a, T, D: Dimension>(plan: &Plan, x: &'a mut [T]) -> ArrayViewMut<'a, T, D> {
    let axes = plan.shape().len();
    let (mut shape, mut steps) = (D::zeros(axes), D::zeros(axes));
    let mut lowest = plan.offset() as isize;
    for (i, (&n, &stride)) in plan.shape().iter().zip(plan.strides()).enumerate() {
        (shape[i], steps[i]) = (n, stride.unsigned_abs());
        lowest += stride.min(0) * (n as isize - 1);
    }
    let inverted = |i: &usize| plan.strides()[*i] < 0;
    let x = x.as_mut_ptr().wrapping_offset(lowest);
    // SAFETY: the plan was made for the shape of `x`: its positions, from the lowest one on.
    let mut view = unsafe { ArrayViewMut::from_shape_ptr(shape.strides(steps), x) };
    (0..axes).filter(inverted).for_each(|i| view.invert_axis(Axis(i)));
    view
}

fn by_ndarray<T: Element, D: Dimension>(case: &Case, b: &mut Buffers<T>) {
    let mut place = view::<T, D>(&case.plan, &mut b.x);
    let shape = place.raw_dim();
    match case.operation {
        0 => ArrayViewMut::from_shape(shape, &mut b.y).expect("as many").assign(&place),
        1 => b.new = place.as_standard_layout().into_owned().into_raw_vec_and_offset().0,
        2 => place.assign(&ArrayView::from_shape(shape, &b.y).expect("as many")),
        3 => place.fill(b.y[0]),
        4 => place.map_inplace(|a| *a = a.plus(T::at(3))),
        5 => {
            let values = ArrayView::from_shape(shape, &b.y).expect("as many");
            place.zip_mut_with(&values, |a, value| *a = a.plus(*value));
        }
        6 => b.new = vec![place.iter().fold(T::default(), |sum, a| sum.plus(*a))],
        _ => {
            let aside = view::<T, D>(&case.from, &mut b.x).to_owned();
            view::<T, D>(&case.plan, &mut b.x).assign(&aside);
        }
    }
}

/// What a library does with a slice, and the buffers.
type Does<T> = fn(&Case, &mut Buffers<T>);

/// Measures a slice: our time in nanoseconds, and over that of the shorter other one.
fn measure<T: Element>(case: &Rc<Case>, rounds: usize) -> (f64, f64) {
    let Case { plan, len, operation, text, .. } = &**case;
    let by_ndarray: Does<T> = match plan.shape().len() {
        1 => by_ndarray::<T, Ix1>,
        2 => by_ndarray::<T, Ix2>,
        3 => by_ndarray::<T, Ix3>,
        _ => by_ndarray::<T, Ix4>,
    };
    let all: [(&str, Does<T>); 3] = [("ours", ours), ("loop", looped), ("ndarray", by_ndarray)];
    let new = || Buffers {
        x: (0..*len).map(T::at).collect(),
        y: (0..plan.len()).map(|i| T::at(i + 7)).collect(),
        new: Vec::new(),
    };
    let found = all.map(|(_, does)| {
        let mut buffers = new();
        does(case, &mut buffers);
        [buffers.x, buffers.y, buffers.new]
    });
    let same = found.iter().all(|it| *it == found[0]);
    assert!(same, "{}: {text} differs", OPERATIONS[*operation]);
    let buffers = Rc::new(RefCell::new(new()));
    let mut peers = all.map(|(name, does)| {
        let (case, buffers) = (case.clone(), buffers.clone());
        let run = move || does(black_box(&case), &mut buffers.borrow_mut());
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
                        .map(Rc::new)
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
                let (operation, text) = (OPERATIONS[case.operation], &case.text);
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
