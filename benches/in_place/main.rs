//! Moves within one array, updates and sums beside the simple way to do the same: `copy_within` for
//! moves of one run, a copy that is assigned for other moves, ndarray's slices for the rest. Then
//! the same within arrays of ndarray, beside its own views of two slices.
//!
//! ```text
//! cargo bench --bench in_place [-- NAMES] [--rounds N]
//! ```
//!
//! Plans are made before the clock starts. A ratio is our shortest time over that of the simple
//! way.
#![allow(clippy::expect_used, reason = "plans are made for the arrays that they are given")]

#[allow(dead_code, reason = "some of it is for other benchmarks")]
#[path = "../workloads/timing.rs"]
mod timing;

use ndarray::{Array2, Axis, ShapeBuilder, s as nd};
use pyslice::{Plan, PySlice, SliceError, s};
use std::hint::black_box as at;
use std::ops::{AddAssign, MulAssign};
use timing::{Peer, names_and_rounds, shortest};

struct Bench {
    only: Vec<String>,
    rounds: usize,
    /// Name, ratio and nanoseconds.
    cells: Vec<(String, f64, f64)>,
}

impl Bench {
    fn cell(&mut self, name: String, ours: impl FnMut() + 'static, simple: impl FnMut() + 'static) {
        if !self.only.is_empty() && !self.only.iter().any(|part| name.contains(part)) {
            return;
        }
        let ours = Peer { name: "ours", run: Box::new(ours) };
        let simple = Peer { name: "simple", run: Box::new(simple) };
        let times: Vec<f64> =
            shortest(&mut [ours, simple], self.rounds).map(|(_, ns)| ns).collect();
        self.cells.push((name, times[0] / times[1], times[0]));
    }
}

/// The elements of a plan, if they lie one after the other.
fn one_run(plan: &Plan) -> Option<std::ops::Range<usize>> {
    let mut runs = plan.runs();
    let (first, len) = runs.next()?;
    runs.next().is_none().then_some(first..first + len)
}

/// `x[to] = x[from]`, and the same by a copy.
fn moves<T: Copy + Default + 'static>(bench: &mut Bench) -> Result<(), SliceError> {
    let name =
        |what: &str, shape: &[usize]| format!("{what} {} {shape:?}", std::any::type_name::<T>());
    let mut one = |what: &str, shape: &[usize], from: Plan, to: Plan| {
        // Both are clones: the pages of zeros that nobody has written are others.
        let data = vec![T::default(); from.input_len()];
        let (mut x, mut y, by, target) = (data.clone(), data.clone(), from.clone(), to.clone());
        let runs = one_run(&from).zip(one_run(&to));
        bench.cell(
            name(what, shape),
            move || from.move_within(&to, at(&mut x)).expect("one array"),
            move || {
                if let Some((from, to)) = &runs {
                    return at(&mut y).copy_within(from.clone(), to.start);
                }
                let aside = by.copy(at(&y)).expect("this array");
                target.assign(at(&mut y), &aside).expect("as many");
            },
        );
    };
    macro_rules! cells {
        ($shape:expr; $($name:literal: $from:expr, $to:expr;)*) => { {
            let shape = &$shape[..];
            $( one($name, shape, $from.plan(shape)?, $to.plan(shape)?); )*
        } };
    }
    for n in [8, 100, 1000, 1 << 14, 1 << 20] {
        cells! { [n];
            "x[:] = x[::-1]": s![::-1], s![:];
            "x[1::2] = x[::2]": s![::2], s![1::2];
            "x[:-1] = x[1:]": s![1:], s![:-1];
            "x[1:] = x[:-1]": s![:-1], s![1:];
            "x[:n/2] = x[n/2:]": s![n / 2:], s![:n / 2];
            "x[:n/2] = x[::2]": s![::2], s![:n / 2];
        }
    }
    for n in [16, 64, 256, 1024] {
        cells! { [n, n];
            "x[:] = x[::-1]": s![::-1], s![...];
            "x[:] = x[:, ::-1]": s![:, ::-1], s![...];
            "x[:, 1:] = x[:, :-1]": s![:, :-1], s![:, 1:];
            "x[1:] = x[:-1]": s![:-1], s![1:];
            "x[1::2] = x[::2]": s![::2], s![1::2];
            "x[:, 1::2] = x[:, ::2]": s![:, ::2], s![:, 1::2];
            "x[1] = x[0]": s![0], s![1];
            "x[:, 1] = x[:, 0]": s![:, 0], s![:, 1];
            "x[:, :2] = x[:, -4:-2]": s![:, -4:-2], s![:, :2];
            "x[:, :n/2] = x[:, n/2:][:, ::-1]": s![:, :n / 2 - 1:-1], s![:, :n / 2];
        }
    }
    cells! { [200_000, 3];
        "x[:, 0] = x[:, 2]": s![:, 2], s![:, 0];
        "x[:, :2] = x[:, 1:]": s![:, 1:], s![:, :2];
        "x[:] = x[:, ::-1]": s![:, ::-1], s![...];
    }
    Ok(())
}

/// `x[spec] *= 2` and `x[spec] *= values`, and the sum of the elements.
fn updates<T>(bench: &mut Bench, two: T) -> Result<(), SliceError>
where
    T: Copy + MulAssign + std::iter::Sum + for<'a> std::iter::Sum<&'a T> + 'static,
{
    for shape in [[8, 8], [64, 64], [500, 500], [50_000, 3], [5_000, 10], [3, 50_000]] {
        macro_rules! cells {
            ($($name:literal: $spec:expr, $nd:expr;)*) => { $( {
                let element = std::any::type_name::<T>();
                let name = |what| format!("{what} x{} {element} {shape:?}", $name);
                let x = Array2::from_elem(shape, two);
                let values = x.slice($nd).as_standard_layout().into_owned();
                let (data, plan) = (x.as_slice().unwrap_or_default().to_vec(), $spec.plan(&shape)?);
                let (mut ours, mut theirs, by) = (data.clone(), x.clone(), plan.clone());
                bench.cell(
                    name("*= 2"),
                    move || by.on_mut(at(&mut ours)).expect("this array").for_each(|a| *a *= two),
                    move || at(&mut theirs).slice_mut($nd).map_inplace(|a| *a *= two),
                );
                let (mut ours, mut theirs, by) = (data.clone(), x.clone(), plan.clone());
                let list = values.as_slice().unwrap_or_default().to_vec();
                bench.cell(
                    name("*= values"),
                    move || {
                        let mut place = by.on_mut(at(&mut ours)).expect("this array");
                        place.zip(&list, |a, &b: &T| *a *= b).expect("as many");
                    },
                    move || at(&mut theirs).slice_mut($nd).zip_mut_with(&values, |a, &b| *a *= b),
                );
                bench.cell(
                    name("sum of"),
                    move || { at(plan.on(at(&data)).expect("this array").iter().sum::<T>()); },
                    move || { at(at(&x).slice($nd).iter().sum::<T>()); },
                );
            } )* };
        }
        let element = std::any::type_name::<T>();
        let plan = s![...].plan(&shape)?.permute(&[1, 0])?;
        let (mut ours, list) = (vec![two; plan.len()], vec![two; plan.len()]);
        let (mut theirs, values) =
            (Array2::from_elem(shape, two), Array2::from_elem((shape[1], shape[0]), two));
        bench.cell(
            format!("*= values x.T {element} {shape:?}"),
            move || {
                let mut place = plan.on_mut(at(&mut ours)).expect("this array");
                place.zip(&list, |a, &b: &T| *a *= b).expect("as many");
            },
            move || {
                at(&mut theirs).view_mut().reversed_axes().zip_mut_with(&values, |a, &b| *a *= b)
            },
        );
        cells! {
            "[1:]": s![1:], nd![1.., ..];
            "[::-1]": s![::-1], nd![..;-1, ..];
            "[:, ::-1]": s![:, ::-1], nd![.., ..;-1];
            "[:, :2]": s![:, :2], nd![.., ..2];
            "[:, ::2]": s![:, ::2], nd![.., ..;2];
            "[:, 0]": s![:, 0], nd![.., 0];
            "[::2, 1:]": s![::2, 1:], nd![..;2, 1..];
        }
    }
    Ok(())
}

/// `x[to] = x[from]` and `x[to] += x[from]` on arrays in C order, in Fortran's, and reversed, by
/// the methods of arrays, and by ndarray's views of both, or its copy of the source.
fn arrays<T: Copy + AddAssign + 'static>(bench: &mut Bench, one: T) {
    for (layout, n) in
        ["C", "F", "reversed"].iter().flat_map(|layout| [8, 32, 100, 700].map(|n| (layout, n)))
    {
        let mut x = Array2::from_elem((n, n).set_f(*layout == "F"), one);
        if *layout == "reversed" {
            x.invert_axis(Axis(0));
            x.invert_axis(Axis(1));
        }
        let (h, element) = (n / 2, std::any::type_name::<T>());
        // What takes both slices of ndarray, and calls the function with their views.
        macro_rules! cells {
            ($($kind:ident $name:literal: $from:expr, $to:expr; $nd_from:expr, $nd_to:expr;)*) => {
                $( {
                    let name = |what| format!("{what} {} {element} {layout} {n}", $name);
                    let (mut ours, mut theirs) = (x.clone(), x.clone());
                    bench.cell(
                        name("move"),
                        move || at(&mut ours).pyslice_move_within($from, $to),
                        move || $kind!(theirs, $nd_from, $nd_to, |to, from| to.assign(&from)),
                    );
                    let (mut ours, mut theirs) = (x.clone(), x.clone());
                    let add = |a: &mut T, b: &T| *a += *b;
                    bench.cell(
                        name("add"),
                        move || at(&mut ours).pyslice_add_within($from, $to),
                        move || {
                            $kind!(theirs, $nd_from, $nd_to, |to, from| to.zip_mut_with(&from, add))
                        },
                    );
                } )*
            };
        }
        macro_rules! apart {
            ($x:ident, $from:expr, $to:expr, |$place:ident, $values:ident| $run:expr) => {{
                let (mut $place, $values) = at(&mut $x).multi_slice_mut(($to, $from));
                $run
            }};
        }
        macro_rules! copied {
            ($x:ident, $from:expr, $to:expr, |$place:ident, $values:ident| $run:expr) => {{
                let $values = at(&$x).slice($from).to_owned();
                let mut $place = at(&mut $x).slice_mut($to);
                $run
            }};
        }
        cells! {
            apart "x[2] x[1]": s![1], s![2]; nd![1, ..], nd![2, ..];
            apart "x[:, 2] x[:, 1]": s![:, 1], s![:, 2]; nd![.., 1], nd![.., 2];
            apart "x[:, :h] x[:, h:]": s![:, h:], s![:, :h]; nd![.., h..], nd![.., ..h];
            apart "x[:h] x[h:]": s![h:], s![:h]; nd![h.., ..], nd![..h, ..];
            apart "x[::2] x[1::2]": s![1::2], s![::2]; nd![1..;2, ..], nd![..;2, ..];
            copied "x[:, 1:] x[:, :-1]": s![:, :-1], s![:, 1:]; nd![.., ..-1], nd![.., 1..];
            copied "x[1:] x[:-1]": s![:-1], s![1:]; nd![..-1, ..], nd![1.., ..];
            copied "x x[:, ::-1]": s![:, ::-1], s![...]; nd![.., ..;-1], nd![.., ..];
        }
    }
}

fn main() -> Result<(), SliceError> {
    let (only, rounds) = names_and_rounds();
    let mut bench = Bench { only, rounds, cells: Vec::new() };
    moves::<u8>(&mut bench)?;
    moves::<u16>(&mut bench)?;
    moves::<f32>(&mut bench)?;
    moves::<f64>(&mut bench)?;
    moves::<u128>(&mut bench)?;
    updates::<f32>(&mut bench, 2.)?;
    updates::<i64>(&mut bench, 1)?;
    arrays::<f64>(&mut bench, 0.);
    arrays::<u8>(&mut bench, 0);
    bench.cells.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (name, ratio, ns) in bench.cells.iter().filter(|cell| cell.1 > 1.1) {
        println!("{ratio:5.2}  {ns:10.1} ns  {name}");
    }
    let above = bench.cells.iter().filter(|cell| cell.1 > 1.1).count();
    let middle = bench.cells.get(bench.cells.len() / 2).map_or(f64::NAN, |cell| cell.1);
    println!(
        "{} cells, median {middle:.2} of the simple way, {above} above 1.1",
        bench.cells.len()
    );
    Ok(())
}
