//! The slices that people write most, on arrays of 256 bytes to 4 MiB: this library beside ndarray.
//!
//! ```text
//! cargo bench --bench sizes                   all of them, some minutes
//! cargo bench --bench sizes -- hwc,::2        those whose names contain one of these
//! cargo bench --bench sizes -- --csv FILE
//! ```
//!
//! The workloads of the other benchmark are tiny or huge; what lies between them is where tables
//! have to pay for themselves. One line for each slice, element type and operation: the bytes that
//! are moved, and the ratio of times (below 1, this library is faster).
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::reversed_empty_ranges,
    reason = "a benchmark stops at once; ndarray counts from the end like this"
)]

#[path = "../workloads/timing.rs"]
mod timing;

use std::cell::RefCell;
use std::hint::black_box;
use std::io::Write;
use std::rc::Rc;

use ndarray::{Array, Dimension, Ix1, Ix2, Ix3, s as nd};
use pyslice::{Plan, s};
use timing::{Peer, interleaved};

/// The smallest array and the largest, in bytes, and how many times the one before each is.
const FROM: usize = 256;
const TO: usize = 4 << 20;
const TIMES: usize = 4;

/// An element.
trait Element: Copy + PartialEq + 'static {
    const NAME: &'static str;
    fn at(i: usize) -> Self;
}

macro_rules! elements {
    ($($t:ty = $name:literal)*) => { $(impl Element for $t {
        const NAME: &'static str = $name;
        fn at(i: usize) -> Self {
            (i % 65_521) as $t
        }
    })* };
}
elements!(u8 = "u8" u16 = "u16" f32 = "f32" f64 = "f64");

impl Element for [f64; 2] {
    const NAME: &'static str = "c128";
    fn at(i: usize) -> Self {
        [i as f64, -1.0]
    }
}

type Ours<T, D> = fn(&D, &mut [T], &mut [T]);
type Theirs<T, D, E> = fn(&mut Array<T, D>, &mut Array<T, E>);

/// What each library does for one slice, operation by operation: ours is given the shape, ndarray
/// an array of it.
struct Case<T, D: Dimension, E: Dimension> {
    name: &'static str,
    plan: fn(&D) -> Plan,
    ours: [Ours<T, D>; 3],
    theirs: [Theirs<T, D, E>; 3],
}

const OPERATIONS: [&str; 3] = ["slice", "assign", "fill"];

/// The shape of about so many elements whose axes of length 0 are all as long as each other, if
/// they are long enough for the slices here.
fn fit<D: Dimension>(shape: &D, elements: usize) -> Option<D> {
    let (fixed, free) = shape.slice().iter().fold((1, 0), |(fixed, free), &n| {
        if n == 0 { (fixed, free + 1) } else { (fixed * n, free) }
    });
    let side = ((elements / fixed) as f64).powf(1.0 / f64::from(free)) as usize;
    let mut fitted = shape.clone();
    for n in fitted.slice_mut().iter_mut().filter(|n| **n == 0) {
        *n = side;
    }
    (side >= 6).then_some(fitted)
}

/// Takes the slice, the operation, the bytes moved, our time in nanoseconds and its ratio to
/// ndarray's.
type Report<'a> = &'a mut dyn FnMut(&str, &str, usize, (f64, f64));

/// Measures one slice at all sizes.
fn measure<T: Element, D: Dimension + 'static, E: Dimension + 'static>(
    case: &Case<T, D, E>,
    shape: &D,
    report: Report<'_>,
) {
    let sizes = core::iter::successors(Some(FROM), |bytes| Some(bytes * TIMES))
        .take_while(|&bytes| bytes <= TO);
    let dims: Vec<D> = sizes.filter_map(|bytes| fit(shape, bytes / size_of::<T>())).collect();
    for (i, operation) in OPERATIONS.into_iter().enumerate() {
        for dim in &dims {
            let plan = (case.plan)(dim);
            let x: Vec<T> = (0..dim.size()).map(T::at).collect();
            let values: Vec<T> = (0..plan.len()).map(|i| T::at(i + 7)).collect();
            let mut result = E::zeros(plan.shape().len());
            result.slice_mut().copy_from_slice(plan.shape());
            let (ours, theirs) = (case.ours[i], case.theirs[i]);
            let (mut x1, mut y1) = (x.clone(), values.clone());
            let mut x2 =
                Array::from_shape_vec(dim.clone(), x.clone()).expect("elements of the shape");
            let mut y2 = Array::from_shape_vec(result.clone(), values.clone())
                .expect("elements of the result");
            ours(dim, &mut x1, &mut y1);
            theirs(&mut x2, &mut y2);
            assert!(
                x1.iter().eq(&x2) && y1.iter().eq(&y2),
                "{} {operation} {dim:?} differs",
                case.name
            );
            let (dim, kept) = (dim.clone(), Rc::new(RefCell::new((x2, y2))));
            let mut peers = [
                Peer {
                    name: "ours",
                    run: Box::new(move || {
                        ours(black_box(&dim), &mut x1, &mut y1);
                        black_box((&x1, &y1));
                    }),
                },
                Peer {
                    name: "ndarray",
                    run: Box::new(move || {
                        let (x, y) = &mut *kept.borrow_mut();
                        theirs(x, y);
                        black_box((x, y));
                    }),
                },
            ];
            let found = interleaved(&mut peers, 3);
            let Some(beside) = found.iter().find(|peer| peer.name == "ndarray") else { continue };
            report(case.name, operation, plan.len() * size_of::<T>(), (found[0].ns, beside.ratio));
        }
    }
}

/// One slice in the words of both libraries.
macro_rules! case {
    ($t:ty, $d:ty, $e:ty, $name:literal, [$($ours:tt)*], [$($theirs:tt)*]) => {
        Case::<$t, $d, $e> {
            name: $name,
            plan: |shape| s![$($ours)*].plan(shape.slice()).expect("a right slice"),
            ours: [
                |shape, x, y| {
                    let plan = s![$($ours)*].plan(shape.slice());
                    plan.and_then(|plan| plan.copy_into(x, y)).expect("right buffers")
                },
                |shape, x, y| {
                    let plan = s![$($ours)*].plan(shape.slice());
                    plan.and_then(|plan| plan.assign(x, y)).expect("right buffers")
                },
                |shape, x, y| {
                    let plan = s![$($ours)*].plan(shape.slice());
                    plan.and_then(|plan| plan.fill(x, y[0])).expect("right buffers")
                },
            ],
            theirs: [
                |x, y| y.assign(&x.slice(nd![$($theirs)*])),
                |x, y| x.slice_mut(nd![$($theirs)*]).assign(y),
                |x, y| {
                    let value = *y.first().expect("a value");
                    x.slice_mut(nd![$($theirs)*]).fill(value);
                },
            ],
        }
    };
}

/// All slices of arrays of one element type.
fn all<T: Element>(wanted: &dyn Fn(&str) -> bool, report: Report<'_>) {
    macro_rules! go {
        ($shape:expr, $d:ty, $e:ty, $name:literal, $ours:tt, $theirs:tt) => {
            if wanted(&format!("{} {}", $name, T::NAME)) {
                measure(&case!(T, $d, $e, $name, $ours, $theirs), &$shape, report);
            }
        };
    }
    let (line, plane, picture, planes) = (Ix1(0), Ix2(0, 0), Ix3(0, 0, 3), Ix3(3, 0, 0));
    go!(line, Ix1, Ix1, "1d ::2", [::2], [..;2]);
    go!(line, Ix1, Ix1, "1d ::3", [::3], [..;3]);
    go!(line, Ix1, Ix1, "1d ::4", [::4], [..;4]);
    go!(line, Ix1, Ix1, "1d ::7", [::7], [..;7]);
    go!(line, Ix1, Ix1, "1d ::16", [::16], [..;16]);
    go!(line, Ix1, Ix1, "1d ::-1", [::-1], [..;-1]);
    go!(line, Ix1, Ix1, "1d ::-2", [::-2], [..;-2]);
    go!(line, Ix1, Ix1, "1d 1:-1", [1:-1], [1..-1]);
    go!(plane, Ix2, Ix2, "2d 1:-1, 1:-1", [1:-1, 1:-1], [1..-1, 1..-1]);
    go!(plane, Ix2, Ix2, "2d ::2, ::2", [::2, ::2], [..;2, ..;2]);
    go!(plane, Ix2, Ix2, "2d :, ::-1", [:, ::-1], [.., ..;-1]);
    go!(plane, Ix2, Ix2, "2d ::-1", [::-1], [..;-1, ..]);
    go!(plane, Ix2, Ix2, "2d ::2", [::2], [..;2, ..]);
    go!(plane, Ix2, Ix1, "2d :, 3", [:, 3], [.., 3]);
    go!(plane, Ix2, Ix2, "2d :, 3:5", [:, 3:5], [.., 3..5]);
    go!(picture, Ix3, Ix2, "hwc ..., 0", [..., 0], [.., .., 0]);
    go!(picture, Ix3, Ix3, "hwc ..., ::-1", [..., ::-1], [.., .., ..;-1]);
    go!(picture, Ix3, Ix3, "hwc :, ::-1", [:, ::-1], [.., ..;-1, ..]);
    go!(picture, Ix3, Ix3, "hwc ::-1", [::-1], [..;-1, .., ..]);
    go!(picture, Ix3, Ix3, "hwc ::2, ::2", [::2, ::2], [..;2, ..;2, ..]);
    go!(picture, Ix3, Ix3, "hwc 2:-2, 2:-2", [2:-2, 2:-2], [2..-2, 2..-2, ..]);
    go!(planes, Ix3, Ix3, "chw :, 1:-1, 1:-1", [:, 1:-1, 1:-1], [.., 1..-1, 1..-1]);
    go!(planes, Ix3, Ix3, "chw :, ::2, ::2", [:, ::2, ::2], [.., ..;2, ..;2]);
    go!(Ix2(0, 3), Ix2, Ix2, "rows of 3 :, :2", [:, :2], [.., ..2]);
    go!(Ix2(0, 4), Ix2, Ix2, "rows of 4 :, 1:3", [:, 1:3], [.., 1..3]);
    go!(Ix2(0, 5), Ix2, Ix2, "rows of 5 :, ::2", [:, ::2], [.., ..;2]);
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut names, mut csv) = (Vec::new(), None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // What cargo passes on.
            "--bench" => {}
            "--csv" => csv = arguments.next(),
            list => names.extend(list.split(',').map(str::to_owned)),
        }
    }
    let wanted =
        |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part.as_str()));
    let mut csv = csv.map(|path| {
        let mut file =
            std::fs::File::create(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        writeln!(file, "slice;element;operation;bytes;ns;ours/ndarray").expect("the file is there");
        file
    });
    let mut ratios = Vec::new();
    macro_rules! each {
        ($($t:ty)*) => { $({
            let mut last = String::new();
            all::<$t>(&wanted, &mut |name, operation, bytes, (ns, ratio)| {
                let line = format!("{name:18} {:4} {operation:6}", <$t>::NAME);
                if line != last {
                    print!("\n{line}");
                    last = line;
                }
                print!("  {bytes}: {ratio:.2}");
                std::io::stdout().flush().expect("somebody reads");
                if let Some(file) = &mut csv {
                    let t = <$t>::NAME;
                    writeln!(file, "{name};{t};{operation};{bytes};{ns:.1};{ratio:.3}")
                        .expect("the file can be written");
                }
                ratios.push(ratio);
            });
        })* };
    }
    each!(u8 u16 f32 f64 [f64; 2]);
    ratios.sort_by(f64::total_cmp);
    println!();
    if let Some(median) = ratios.get(ratios.len() / 2) {
        let above = |limit: f64| ratios.iter().filter(|&&ratio| ratio > limit).count();
        let (n, slower, much) = (ratios.len(), above(1.0), above(1.25));
        println!(
            "median of ours / ndarray: {median:.2}; of {n}, slower: {slower}, by more than a \
             quarter: {much}"
        );
    }
}
