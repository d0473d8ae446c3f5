//! The workloads and the common slices at four sizes: where is this library slower than something
//! simple?
//!
//! ```text
//! cargo bench --bench sizes                   all of them, about five minutes
//! cargo bench --bench sizes -- hwc,::2        those whose names contain one of these
//! cargo bench --bench sizes -- --csv FILE
//! ```
//!
//! A cell is a slice, an element type, an operation and a size. In each one, in turn: this library
//! with every instruction set that the machine has, a plain typed loop with run-time strides,
//! ndarray and mdarray, all on the same buffers. Each cell's number is our time, with the best set,
//! over the shortest other one, our narrower sets included; both are the shortest of many rounds.
//! A cell above [`LIMIT`] is measured again with those that took no longer than ours.
//! What is printed are the cells above [`LIMIT`] and, at the end, one line about all of them.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::reversed_empty_ranges,
    reason = "a benchmark stops at once; ndarray counts from the end like this"
)]

#[path = "../workloads/timing.rs"]
#[allow(dead_code, reason = "it is shared with benchmarks that compare medians")]
mod timing;

#[path = "../workloads/plain.rs"]
mod plain;

use std::cell::RefCell;
use std::hint::black_box;
use std::io::Write;
use std::rc::Rc;

use mdarray::{View, ViewMut, step};
use ndarray::{ArrayView, ArrayViewMut, s as nd};
use plain::{Buffers, Element, by_loop};
use pyslice::{Plan, kernel, s};
use timing::{Peer, shortest};

/// The bytes of an array: it lies in the first-level cache, the second-level one, the last-level
/// one (with its result), and in memory.
const SIZES: [usize; 4] = [16 << 10, 256 << 10, 4 << 20, 64 << 20];
/// What is printed: a cell in which ours takes more than this times the shortest other one.
const LIMIT: f64 = 1.10;
/// How often a cell above the limit is measured again: a disturbance passes, a bad kernel stays.
const AGAIN: usize = 2;

const OPERATIONS: [&str; 5] = ["into", "new", "assign", "fill", "grad"];

/// What a library does, in the order of [`OPERATIONS`], for arrays of the shape.
type Does<T> = [fn(&[usize], &mut Buffers<T>); 5];

/// One slice in the words of each library.
struct Case<T> {
    name: &'static str,
    /// Axes of length 0 are made as long as each other, so that the array has its size.
    shape: &'static [usize],
    plan: fn(&[usize]) -> Plan,
    ours: Does<T>,
    ndarray: Does<T>,
    mdarray: Does<T>,
}

/// The shape of an array of about so many elements.
fn fit(shape: &[usize], elements: usize) -> Vec<usize> {
    let free = shape.iter().filter(|&&n| n == 0).count();
    let fixed: usize = shape.iter().filter(|&&n| n != 0).product();
    let side = (elements as f64 / fixed as f64).powf(1.0 / free as f64) as usize;
    shape.iter().map(|&n| if n == 0 { side.max(8) } else { n }).collect()
}

/// One cell of the table.
struct Cell {
    slice: &'static str,
    element: &'static str,
    operation: &'static str,
    size: usize,
    /// The shortest time of each peer in nanoseconds; ours with the best set is the first.
    times: Vec<(&'static str, f64)>,
}

impl Cell {
    /// What our time is of the shortest other one.
    fn ratio(&self) -> f64 {
        self.times[0].1 / self.times[1..].iter().map(|it| it.1).fold(f64::MAX, f64::min)
    }
}

/// What one side does with its buffers.
type Run<T> = Box<dyn Fn(&mut Buffers<T>)>;

/// Measures one slice at all sizes.
fn measure<T: Element>(case: &Case<T>, rounds: usize, report: &mut dyn FnMut(Cell)) {
    for size in SIZES {
        let shape = fit(case.shape, size / size_of::<T>());
        let plan = (case.plan)(&shape);
        let x: Vec<T> = (0..shape.iter().product()).map(T::at).collect();
        let y: Vec<T> = (0..plan.len()).map(|i| T::at(i + 7)).collect();
        let buffers = Rc::new(RefCell::new(Buffers { x, y, new: Vec::new() }));
        for (at, operation) in OPERATIONS.into_iter().enumerate() {
            let mut peers = Vec::new();
            let mut add = |name: &'static str, run: Run<T>| {
                let buffers = buffers.clone();
                let run = move || {
                    run(&mut buffers.borrow_mut());
                    black_box(&buffers);
                };
                peers.push(Peer { name, run: Box::new(run) });
            };
            let sets: Vec<_> = kernel::available().collect();
            for &isa in sets.iter().rev() {
                let (does, shape) = (case.ours[at], shape.clone());
                let run = move |b: &mut Buffers<T>| {
                    kernel::force(Some(isa));
                    does(black_box(&shape), b);
                };
                add(format!("{isa:?}").to_lowercase().leak(), Box::new(run));
            }
            let plan = plan.clone();
            add("loop", Box::new(move |b| by_loop(at, black_box(&plan), b)));
            for (name, does) in [("ndarray", case.ndarray[at]), ("mdarray", case.mdarray[at])] {
                let shape = shape.clone();
                add(name, Box::new(move |b| does(black_box(&shape), b)));
            }
            check(case.name, at, &mut peers, &buffers);
            let times = shortest(&mut peers, rounds).collect();
            let mut cell = Cell { slice: case.name, element: T::NAME, operation, size, times };
            for _ in 0..AGAIN {
                if cell.ratio() > LIMIT {
                    // The others that took longer than ours decide nothing.
                    let ours = cell.times[0].1;
                    let close = peers.iter_mut().zip(&mut cell.times).filter(|it| it.1.1 <= ours);
                    let (mut peers, times): (Vec<&mut Peer>, Vec<_>) = close.unzip();
                    let more = shortest(&mut peers, 2 * rounds);
                    times.into_iter().zip(more).for_each(|(it, more)| it.1 = it.1.min(more.1));
                }
            }
            report(cell);
        }
    }
}

/// Whether all peers do the same.
fn check<T: Element>(
    name: &str,
    operation: usize,
    peers: &mut [Peer],
    buffers: &RefCell<Buffers<T>>,
) {
    /// What the operation writes.
    fn written<T>(operation: usize, b: &mut Buffers<T>) -> &mut Vec<T> {
        match operation {
            0 => &mut b.y,
            1 => &mut b.new,
            _ => &mut b.x,
        }
    }
    let before = written(operation, &mut buffers.borrow_mut()).clone();
    let mut want: Option<Vec<T>> = None;
    for peer in peers {
        // Something else than what an operation leaves.
        if operation == 0 {
            buffers.borrow_mut().y.fill(T::default());
        }
        (peer.run)();
        let b = &mut *buffers.borrow_mut();
        let found = written(operation, b);
        let want = want.get_or_insert_with(|| found.clone());
        assert!(want == found, "{} of {name} by {} differs", OPERATIONS[operation], peer.name);
        if operation == 1 {
            found.clear();
        } else {
            found.copy_from_slice(&before);
        }
    }
}

/// One slice in the words of all libraries. The axes have names in all of them.
macro_rules! case {
    ($t:ty, $name:literal, [$($n:ident = $len:literal),*], |$shape:ident| $plan:expr,
     |$v:ident| $nd:expr, |$w:ident| $md:expr) => {
        Case::<$t> {
            name: $name,
            shape: &[$($len),*],
            plan: |$shape| $plan.expect("a right slice"),
            // Each on one line, as users write it: plan and copy are then compiled as one.
            ours: [
                |$shape, b| $plan.and_then(|it| it.copy_into(&b.x, &mut b.y[..])).expect("fits"),
                |$shape, b| b.new = $plan.and_then(|it| it.copy(&b.x)).expect("fits"),
                |$shape, b| $plan.and_then(|it| it.assign(&mut b.x, &b.y[..])).expect("fits"),
                |$shape, b| $plan.and_then(|it| it.fill(&mut b.x, b.y[0])).expect("fits"),
                |$shape, b| $plan.and_then(|it| it.grad_into(&b.y, &mut b.x[..])).expect("fits"),
            ],
            ndarray: {
                fn view<'a>(shape: &[usize], $v: &'a [$t]) -> ArrayView<'a, $t, impl ndarray::Dimension> {
                    axes!(shape, $($n)*);
                    let $v = ArrayView::from_shape([$($n),*], $v).expect("elements of the shape");
                    $nd
                }
                fn view_mut<'a>(shape: &[usize], $v: &'a mut [$t]) -> ArrayViewMut<'a, $t, impl ndarray::Dimension> {
                    axes!(shape, $($n)*);
                    let $v = ArrayViewMut::from_shape([$($n),*], $v).expect("elements of the shape");
                    $nd
                }
                fn assign(shape: &[usize], x: &mut [$t], y: &[$t]) {
                    let mut to = view_mut(shape, x);
                    let from = ArrayView::from_shape(to.raw_dim(), y).expect("as many values");
                    to.assign(&from);
                }
                [
                    |shape, b| {
                        let from = view(shape, &b.x);
                        let to = ArrayViewMut::from_shape(from.raw_dim(), &mut b.y);
                        to.expect("as many places").assign(&from);
                    },
                    |shape, b| {
                        let new = view(shape, &b.x).as_standard_layout().into_owned();
                        b.new = new.into_raw_vec_and_offset().0;
                    },
                    |shape, b| assign(shape, &mut b.x, &b.y),
                    |shape, b| view_mut(shape, &mut b.x).fill(b.y[0]),
                    |shape, b| {
                        b.x.fill(<$t>::default());
                        assign(shape, &mut b.x, &b.y);
                    },
                ]
            },
            mdarray: {
                macro_rules! with {
                    ($view:ident, $given:ident, $x:expr) => {{
                        axes!($given, $($n)*);
                        let $w = $view::from($x).into_shape([$($n),*]);
                        $md
                    }};
                }
                fn assign(shape: &[usize], x: &mut [$t], y: &[$t]) {
                    let mut to = with!(ViewMut, shape, x);
                    let of = *to.shape();
                    to.assign(View::from(y).into_shape(of));
                }
                [
                    |shape, b| {
                        let from = with!(View, shape, &b.x[..]);
                        ViewMut::from(&mut b.y[..]).into_shape(*from.shape()).assign(from);
                    },
                    |shape, b| b.new = with!(View, shape, &b.x[..]).to_array().into_vec(),
                    |shape, b| assign(shape, &mut b.x, &b.y),
                    |shape, b| with!(ViewMut, shape, &mut b.x[..]).fill(b.y[0]),
                    |shape, b| {
                        b.x.fill(<$t>::default());
                        assign(shape, &mut b.x, &b.y);
                    },
                ]
            },
        }
    };
}

/// The lengths of a shape.
macro_rules! axes {
    ($shape:expr, $($n:ident)*) => {
        let &[$($n),*] = $shape else { panic!("another rank") };
        let _ = ($($n,)*);
    };
}

/// All slices whose names are wanted.
fn all(wanted: &dyn Fn(&str) -> bool, rounds: usize, report: &mut dyn FnMut(Cell)) {
    macro_rules! go {
        // A copy with the axes in another order.
        ($t:ty, $name:literal, [h = $h:literal, w = $w:literal], transposed) => {
            if wanted($name) {
                measure::<$t>(&case!($t, $name, [h = $h, w = $w],
                    |shape| s![...].plan(shape).and_then(|it| it.permute(&[1, 0])),
                    |v| v.reversed_axes(), |v| v.into_transposed()), rounds, report);
            }
        };
        ($t:ty, $name:literal, $axes:tt, [$($ours:tt)*], [$($nd:tt)*], $md:tt) => {
            if wanted($name) {
                measure::<$t>(&go!(case $t, $name, $axes, [$($ours)*], [$($nd)*], $md), rounds, report);
            }
        };
        (case $t:ty, $name:literal, $axes:tt, [$($ours:tt)*], [$($nd:tt)*], ($($md:expr),*)) => {
            case!($t, $name, $axes, |shape| s![$($ours)*].plan(shape),
                |v| v.slice_move(nd![$($nd)*]), |v| v.into_view($($md),*))
        };
    }
    macro_rules! line {
        ($t:ty, $name:literal, [$($ours:tt)*], $step:literal) => {
            go!($t, $name, [n = 0], [$($ours)*], [..;$step], (step(.., $step)));
        };
    }
    line!(f32, "f32 ::2", [::2], 2);
    line!(f32, "f32 ::3", [::3], 3);
    line!(f32, "f32 ::4", [::4], 4);
    line!(f32, "f32 ::7", [::7], 7);
    line!(f32, "f32 ::16", [::16], 16);
    line!(f32, "f32 ::-1", [::-1], -1);
    line!(f32, "f32 ::-2", [::-2], -2);
    line!(f32, "f32 ::-3", [::-3], -3);
    line!(u8, "u8 ::2", [::2], 2);
    line!(u8, "u8 ::-1", [::-1], -1);
    line!(u16, "u16 ::2", [::2], 2);
    line!(u16, "u16 ::-1", [::-1], -1);
    line!(f64, "f64 ::2", [::2], 2);
    line!(f64, "f64 ::-1", [::-1], -1);
    line!([f64; 2], "c128 ::2", [::2], 2);
    line!([f64; 2], "c128 ::-1", [::-1], -1);
    go!(f32, "f32 1:-1", [n = 0], [1:-1], [1..-1], (1..n - 1));
    go!(f32, "plane crop", [h = 0, w = 0], [1:-1, 1:-1], [1..-1, 1..-1], (1..h - 1, 1..w - 1));
    go!(f32, "plane ::2, ::2", [h = 0, w = 0], [::2, ::2], [..;2, ..;2], (step(.., 2), step(.., 2)));
    go!(f32, "plane :, ::2", [h = 0, w = 0], [:, ::2], [.., ..;2], (.., step(.., 2)));
    go!(f32, "plane :, ::-1", [h = 0, w = 0], [:, ::-1], [.., ..;-1], (.., step(.., -1)));
    go!(f32, "plane ::-1", [h = 0, w = 0], [::-1], [..;-1, ..], (step(.., -1), ..));
    go!(f32, "plane ::2", [h = 0, w = 0], [::2], [..;2, ..], (step(.., 2), ..));
    go!(f32, "column", [h = 0, w = 0], [:, 7], [.., 7], (.., 7));
    go!(f32, "column of 4096", [h = 0, w = 4096], [:, 7], [.., 7], (.., 7));
    go!(f32, "two columns", [h = 0, w = 0], [:, 5:7], [.., 5..7], (.., 5..7));
    go!(f32, "four columns", [h = 0, w = 0], [:, 2:6], [.., 2..6], (.., 2..6));
    go!(f32, "narrow crop", [h = 0, w = 0], [:, 16:32], [.., 16..32], (.., 16..32));
    go!(u8, "hwc channel", [h = 0, w = 0, c = 3], [..., 0], [.., .., 0], (.., .., 0));
    go!(u8, "hwc bgr", [h = 0, w = 0, c = 3], [..., ::-1], [.., .., ..;-1], (.., .., step(.., -1)));
    go!(u8, "hwc hflip", [h = 0, w = 0, c = 3], [:, ::-1], [.., ..;-1, ..], (.., step(.., -1), ..));
    go!(u8, "hwc vflip", [h = 0, w = 0, c = 3], [::-1], [..;-1, .., ..], (step(.., -1), .., ..));
    go!(u8, "hwc down2", [h = 0, w = 0, c = 3], [::2, ::2], [..;2, ..;2, ..], (step(.., 2), step(.., 2), ..));
    go!(u8, "hwc crop", [h = 0, w = 0, c = 3], [2:-2, 2:-2], [2..-2, 2..-2, ..], (2..h - 2, 2..w - 2, ..));
    go!(u8, "nhwc down2", [n = 8, h = 0, w = 0, c = 3], [:, ::2, ::2], [.., ..;2, ..;2, ..], (.., step(.., 2), step(.., 2), ..));
    go!(f32, "nchw down2", [n = 4, c = 3, h = 0, w = 0], [..., ::2, ::2], [.., .., ..;2, ..;2], (.., .., step(.., 2), step(.., 2)));
    go!(f32, "nchw rot180", [n = 4, c = 3, h = 0, w = 0], [..., ::-1, ::-1], [.., .., ..;-1, ..;-1], (.., .., step(.., -1), step(.., -1)));
    go!(f32, "nchw channels", [n = 4, c = 8, h = 0, w = 0], [:, ::2], [.., ..;2, .., ..], (.., step(.., 2), .., ..));
    go!(f32, "nchw channels reversed", [n = 4, c = 8, h = 0, w = 0], [:, ::-1], [.., ..;-1, .., ..], (.., step(.., -1), .., ..));
    go!(f32, "nchw crop", [n = 4, c = 3, h = 0, w = 0], [..., 1:-1, 1:-1], [.., .., 1..-1, 1..-1], (.., .., 1..h - 1, 1..w - 1));
    go!(f32, "4 axes ::2", [n = 0, c = 0, h = 0, w = 0], [::2, ::2, ::2, ::2], [..;2, ..;2, ..;2, ..;2], (step(.., 2), step(.., 2), step(.., 2), step(.., 2)));
    go!(f32, "last step", [n = 16, t = 8, d = 0], [:, -1], [.., -1, ..], (.., t - 1, ..));
    go!(f32, "rows of 3 :, :2", [n = 0, c = 3], [:, :2], [.., ..2], (.., ..2));
    go!(f32, "rows of 4 :, 1:3", [n = 0, c = 4], [:, 1:3], [.., 1..3], (.., 1..3));
    go!(f32, "rows of 58 :, 1:-1", [n = 0, w = 58], [:, 1:-1], [.., 1..-1], (.., 1..w - 1));
    go!(f32, "rows of 5 :, ::2", [n = 0, c = 5], [:, ::2], [.., ..;2], (.., step(.., 2)));
    go!(u8, "u8 transposed", [h = 0, w = 0], transposed);
    go!(f32, "f32 transposed", [h = 0, w = 0], transposed);
    go!(f64, "f64 transposed", [h = 100, w = 0], transposed);
    go!(f64, "10 channels transposed", [h = 0, w = 10], transposed);
    go!([f64; 2], "c128 transposed", [h = 100, w = 0], transposed);
    go!([f64; 3], "3 f64 transposed", [h = 100, w = 0], transposed);
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut names, mut rounds, mut csv) = (Vec::new(), 5, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // What cargo passes on.
            "--bench" => {}
            "--rounds" => rounds = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(rounds),
            "--csv" => csv = arguments.next(),
            list => names.extend(list.split(',').map(str::trim).map(str::to_owned)),
        }
    }
    let wanted =
        |name: &str| names.is_empty() || names.iter().any(|part| name.contains(part.as_str()));
    let mut csv = csv
        .map(|path| std::fs::File::create(&path).unwrap_or_else(|error| panic!("{path}: {error}")));
    let (mut ratios, mut first) = (Vec::new(), true);
    all(&wanted, rounds, &mut |cell| {
        let Cell { slice, element, operation, size, times } = &cell;
        let others = times[1..].iter().map(|(name, ns)| (name, times[0].1 / ns));
        if let Some(file) = &mut csv {
            if first {
                let names: Vec<String> =
                    others.clone().map(|(name, _)| format!("{}/{name}", times[0].0)).collect();
                writeln!(file, "slice;element;operation;bytes;ns;{}", names.join(";")).unwrap();
            }
            let ratios: Vec<String> = others.clone().map(|(_, it)| format!("{it:.3}")).collect();
            let ns = times[0].1;
            writeln!(file, "{slice};{element};{operation};{size};{ns:.1};{}", ratios.join(";"))
                .unwrap();
        }
        first = false;
        if cell.ratio() > LIMIT {
            print!(
                "{slice:22} {element:5} {operation:6} {:>6} KiB  {:.2}  of",
                size >> 10,
                cell.ratio()
            );
            others.for_each(|(name, ratio)| print!("  {name} {ratio:.2}"));
            println!();
        }
        ratios.push(cell.ratio());
    });
    ratios.sort_by(f64::total_cmp);
    if let Some(median) = ratios.get(ratios.len() / 2) {
        let above = ratios.iter().filter(|&&it| it > LIMIT).count();
        println!(
            "ours / the shortest other: {median:.2} at the median, {:.2} at most; {above} of {} \
             above {LIMIT}",
            ratios[ratios.len() - 1],
            ratios.len()
        );
    }
}
