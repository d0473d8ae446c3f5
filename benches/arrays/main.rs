//! Operations of the ndarray adapter beside ndarray's own, from 4 elements to 4 MiB: one, two and
//! three axes, the number of axes known at run time, and elements of 1 to 16 bytes.
//!
//! ```text
//! cargo bench --bench arrays [-- NAMES] [--rounds N]
//! ```
//!
//! A cell is one operation on one array. Both sides work on arrays of their own, in turn; a ratio
//! is our shortest time over ndarray's. Copies are in C order on both sides: `to_owned` of a
//! reversed slice keeps the order that it has in memory.

#[allow(dead_code, reason = "some of it is for other benchmarks")]
#[path = "../workloads/timing.rs"]
mod timing;

use ndarray::{Array1, Array2, Array3, ArrayD, s as nd};
use pyslice::{PySlice, s};
use std::hint::black_box as at;
use std::ops::AddAssign;
use timing::{Peer, names_and_rounds, shortest};

/// What a cell asks of its elements.
trait Element: Copy + Default + AddAssign + 'static {
    const NAME: &'static str;
    const ONE: Self;
}
macro_rules! elements {
    ($($t:ty: $one:expr),*) => { $(
        impl Element for $t {
            const NAME: &'static str = stringify!($t);
            const ONE: Self = $one;
        }
    )* };
}
elements!(u8: 1, f32: 1., f64: 1., u128: 1);

struct Cell {
    name: String,
    /// Whether the number of axes is known only at run time.
    dynamic: bool,
    ratio: f64,
    ns: f64,
}

struct Bench {
    only: Vec<String>,
    rounds: usize,
    cells: Vec<Cell>,
}

impl Bench {
    fn cell(&mut self, name: String, dynamic: bool, ours: Box<dyn FnMut()>, nd: Box<dyn FnMut()>) {
        if !self.only.is_empty() && !self.only.iter().any(|part| name.contains(part)) {
            return;
        }
        let mut peers = [("ours", ours), ("ndarray", nd)].map(|(name, run)| Peer { name, run });
        let times: Vec<f64> = shortest(&mut peers, self.rounds).map(|(_, ns)| ns).collect();
        let (ratio, ns) = (times[0] / times[1], times[0]);
        self.cells.push(Cell { name, dynamic, ratio, ns });
    }
}

/// Cells of arrays `x`, to be read, and `y`, to be written, of which either side gets its own.
macro_rules! cells {
    ($bench:expr, $dynamic:expr, $size:expr, $x:ident, $y:ident:
     $($name:literal: $ours:expr, $theirs:expr;)*) => { $( {
        let name = format!("{} {} {}", $name, T::NAME, $size);
        let (ours, theirs) = (($x.clone(), $y.clone()), ($x.clone(), $y.clone()));
        #[allow(unused_mut, unused_variables, reason = "one side may only read")]
        $bench.cell(
            name,
            $dynamic,
            { let ($x, mut $y) = ours; Box::new(move || { at($ours); }) },
            { let ($x, mut $y) = theirs; Box::new(move || { at($theirs); }) },
        );
    } )* };
}

/// The place and the value of an assignment of one slice to another, by ndarray.
macro_rules! put {
    ($y:ident[$($to:tt)*] = $x:ident[$($from:tt)*]) => {
        at(&mut $y).slice_mut(nd![$($to)*]).assign(&at(&$x).slice(nd![$($from)*]))
    };
}

fn one_axis<T: Element>(bench: &mut Bench, n: usize) {
    let (x, y) = (Array1::from_elem(n, T::ONE), Array1::from_elem(n, T::ONE));
    let half = x.slice(nd![..;2]).to_owned();
    cells! { bench, false, format_args!("({n},)"), x, y:
        "x[1:].copy()": at(&x).pyslice_copy(s![1:]), at(&x).slice(nd![1..]).to_owned();
        "x[::2].copy()": at(&x).pyslice_copy(s![::2]), at(&x).slice(nd![..;2]).to_owned();
        "x[::-1].copy()": at(&x).pyslice_copy(s![::-1]),
            at(&x).slice(nd![..;-1]).as_standard_layout().into_owned();
        "y[1:] = x[:-1]": at(&mut y).pyslice_assign(s![1:], x.pyslice(s![:-1])),
            put!(y[1..] = x[..-1]);
        "y[::-1] = x": at(&mut y).pyslice_assign(s![::-1], &x), put!(y[..;-1] = x[..]);
        "y[1:] = 1": at(&mut y).pyslice_fill(s![1:], T::ONE),
            at(&mut y).slice_mut(nd![1..]).fill(T::ONE);
        "y[::2] = 1": at(&mut y).pyslice_fill(s![::2], T::ONE),
            at(&mut y).slice_mut(nd![..;2]).fill(T::ONE);
        "y[1:] += x[1:]": at(&mut y).pyslice_add_assign(s![1:], x.pyslice(s![1:])),
            at(&mut y).slice_mut(nd![1..]).zip_mut_with(&x.slice(nd![1..]), |y, x| *y += *x);
    }
    let x = half;
    cells! { bench, false, format_args!("({n},)"), x, y:
        "y[::2] = x": at(&mut y).pyslice_assign(s![::2], &x), put!(y[..;2] = x[..]);
    }
}

fn two_axes<T: Element>(bench: &mut Bench, n: usize) {
    let (x, y) = (Array2::from_elem((n, n), T::ONE), Array2::from_elem((n, n), T::ONE));
    cells! { bench, false, format_args!("({n}, {n})"), x, y:
        "view x[1:, ::2]": &at(&x).pyslice(s![1:, ::2]), &at(&x).slice(nd![1.., ..;2]);
        "x[1:, 1:].copy()": at(&x).pyslice_copy(s![1:, 1:]),
            at(&x).slice(nd![1.., 1..]).to_owned();
        "x[:, ::2].copy()": at(&x).pyslice_copy(s![:, ::2]),
            at(&x).slice(nd![.., ..;2]).to_owned();
        "x[:, 0].copy()": at(&x).pyslice_copy(s![:, 0]), at(&x).slice(nd![.., 0]).to_owned();
        "x[1].copy()": at(&x).pyslice_copy(s![1]), at(&x).slice(nd![1, ..]).to_owned();
        "x[::-1].copy()": at(&x).pyslice_copy(s![::-1]),
            at(&x).slice(nd![..;-1, ..]).as_standard_layout().into_owned();
        "y[1] = x[1]": at(&mut y).pyslice_assign(s![1], x.pyslice(s![1])),
            put!(y[1, ..] = x[1, ..]);
        "y[1:, 1:] = x[1:, 1:]": at(&mut y).pyslice_assign(s![1:, 1:], x.pyslice(s![1:, 1:])),
            put!(y[1.., 1..] = x[1.., 1..]);
        "y[:, ::2] = x[:, ::2]": at(&mut y).pyslice_assign(s![:, ::2], x.pyslice(s![:, ::2])),
            put!(y[.., ..;2] = x[.., ..;2]);
        "y[:, 0] = 1": at(&mut y).pyslice_fill(s![:, 0], T::ONE),
            at(&mut y).slice_mut(nd![.., 0]).fill(T::ONE);
        "y[1:, 1:] = 1": at(&mut y).pyslice_fill(s![1:, 1:], T::ONE),
            at(&mut y).slice_mut(nd![1.., 1..]).fill(T::ONE);
        "y[::2, ::2] = 1": at(&mut y).pyslice_fill(s![::2, ::2], T::ONE),
            at(&mut y).slice_mut(nd![..;2, ..;2]).fill(T::ONE);
        "y[1:, 1:] += 1": at(&mut y).pyslice_add_assign(s![1:, 1:], T::ONE),
            at(&mut y).slice_mut(nd![1.., 1..]).map_inplace(|y| *y += T::ONE);
        "y[1:] += x[:-1]": at(&mut y).pyslice_add_assign(s![1:], x.pyslice(s![:-1])),
            at(&mut y)
                .slice_mut(nd![1.., ..])
                .zip_mut_with(&x.slice(nd![..-1, ..]), |y, x| *y += *x);
        "y[1] = y[0]": at(&mut y).pyslice_move_within(s![0], s![1]),
            {
                let row = at(&y).slice(nd![0, ..]).to_owned();
                at(&mut y).slice_mut(nd![1, ..]).assign(&row)
            };
    }
    let (x, y) = (x.reversed_axes(), y);
    cells! { bench, false, format_args!("({n}, {n})"), x, y:
        "x.T[1:, 1:].copy()": at(&x).pyslice_copy(s![1:, 1:]),
            at(&x).slice(nd![1.., 1..]).as_standard_layout().into_owned();
        "y[...] = x.T": at(&mut y).pyslice_assign(s![...], &x), at(&mut y).assign(&x);
    }
}

fn three_axes<T: Element>(bench: &mut Bench, n: usize) {
    let shape = (n, n, 3);
    let (x, y) = (Array3::from_elem(shape, T::ONE), Array3::from_elem(shape, T::ONE));
    cells! { bench, false, format_args!("({n}, {n}, 3)"), x, y:
        "x[..., 0].copy()": at(&x).pyslice_copy(s![..., 0]),
            at(&x).slice(nd![.., .., 0]).to_owned();
        "x[1:, 1:].copy()": at(&x).pyslice_copy(s![1:, 1:]),
            at(&x).slice(nd![1.., 1.., ..]).to_owned();
        "x[..., ::-1].copy()": at(&x).pyslice_copy(s![..., ::-1]),
            at(&x).slice(nd![.., .., ..;-1]).as_standard_layout().into_owned();
        "y[..., 1] = x[..., 1]": at(&mut y).pyslice_assign(s![..., 1], x.pyslice(s![..., 1])),
            put!(y[.., .., 1] = x[.., .., 1]);
        "y[..., 1] = 1": at(&mut y).pyslice_fill(s![..., 1], T::ONE),
            at(&mut y).slice_mut(nd![.., .., 1]).fill(T::ONE);
        "y[1] = x[1]": at(&mut y).pyslice_assign(s![1], x.pyslice(s![1])),
            put!(y[1, .., ..] = x[1, .., ..]);
    }
}

fn axes_at_run_time<T: Element>(bench: &mut Bench, n: usize) {
    let shape = [n, n];
    let (x, y) = (ArrayD::from_elem(&shape[..], T::ONE), ArrayD::from_elem(&shape[..], T::ONE));
    cells! { bench, true, format_args!("IxDyn({n}, {n})"), x, y:
        "view x[1:, ::2]": &at(&x).pyslice(s![1:, ::2]),
            &at(&x).slice(nd![1.., ..;2]).into_dyn();
        "x[1:, 1:].copy()": at(&x).pyslice_copy(s![1:, 1:]),
            at(&x).slice(nd![1.., 1..]).to_owned().into_dyn();
        "y[1] = x[1]": at(&mut y).pyslice_assign(s![1], x.pyslice(s![1])),
            put!(y[1, ..] = x[1, ..]);
        "y[1:, 1:] = x[1:, 1:]": at(&mut y).pyslice_assign(s![1:, 1:], x.pyslice(s![1:, 1:])),
            put!(y[1.., 1..] = x[1.., 1..]);
        "y[:, 0] = 1": at(&mut y).pyslice_fill(s![:, 0], T::ONE),
            at(&mut y).slice_mut(nd![.., 0]).fill(T::ONE);
        "y[1:] += x[:-1]": at(&mut y).pyslice_add_assign(s![1:], x.pyslice(s![:-1])),
            at(&mut y)
                .slice_mut(nd![1.., ..])
                .zip_mut_with(&x.slice(nd![..-1, ..]), |y, x| *y += *x);
    }
}

fn all<T: Element>(bench: &mut Bench) {
    // 4 elements to 4 MiB of f32.
    for n in [4, 64, 1024, 16_384, 1 << 20] {
        one_axis::<T>(bench, n);
    }
    for n in [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024] {
        two_axes::<T>(bench, n);
        axes_at_run_time::<T>(bench, n);
    }
    for n in [2, 8, 32, 128, 512] {
        three_axes::<T>(bench, n);
    }
}

fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
}

fn main() {
    let (only, rounds) = names_and_rounds();
    let mut bench = Bench { only, rounds, cells: Vec::new() };
    all::<u8>(&mut bench);
    all::<f32>(&mut bench);
    all::<f64>(&mut bench);
    all::<u128>(&mut bench);
    let limit = |cell: &Cell| if cell.dynamic { 1.3 } else { 1.15 };
    bench.cells.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    for cell in bench.cells.iter().filter(|cell| cell.ratio > limit(cell)) {
        println!("{:5.2}  {:8.1} ns  {}", cell.ratio, cell.ns, cell.name);
    }
    let (dynamic, fixed): (Vec<&Cell>, Vec<&Cell>) = bench.cells.iter().partition(|c| c.dynamic);
    for (what, cells, limit) in [("known", fixed, 1.15), ("IxDyn", dynamic, 1.3)] {
        let above = cells.iter().filter(|cell| cell.ratio > limit).count();
        let ratio = median(cells.iter().map(|cell| cell.ratio).collect());
        println!(
            "{what}: {} cells, median {ratio:.2} of ndarray, {above} above {limit}",
            cells.len()
        );
    }
}
