//! Checks the tables of the user documentation: a test knows each of them, and code in a cell is
//! compiled and, if NumPy has an answer, run and compared with it.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/page.rs"]
mod page;

use ndarray::linalg::kron;
use ndarray::{Array1, Array2, Array3, ArrayBase, Axis, Data, Dimension, Zip, concatenate};
use page::{squeeze, tables};
use pyslice::{Bytes, Plan, PySlice, Runs, Shaped, SliceError, SpecBuf, View, ViewMut, s};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// All rows of the tables of a page whose heading begins so.
fn rows(path: &str, heading: &str) -> Vec<Vec<String>> {
    let page = read(path);
    let found: Vec<_> =
        tables(&page).into_iter().filter(|(head, _)| head.starts_with(heading)).collect();
    assert!(!found.is_empty(), "no table of {path} begins with {heading}");
    found.into_iter().flat_map(|(_, rows)| rows).collect()
}

/// What checks a table's cells.
#[derive(Debug, PartialEq, Eq)]
enum Checked {
    /// A test of this file or of `docs.rs`, or the page is made by a test (`errors.md`,
    /// `systems.md`).
    ByTest,
    /// Words for people; what stands in back quotes is a name or another system's code.
    Words,
}

#[test]
fn every_table_is_known() {
    use Checked::{ByTest, Words};
    let known = [
        ("docs/numpy.md", "| NumPy | pyslice | begin |", ByTest),
        ("docs/numpy.md", "| NumPy | pyslice | shape |", ByTest),
        ("docs/numpy.md", "| NumPy | on plain slices | on ndarray's arrays |", ByTest),
        ("docs/numpy.md", "| NumPy | NumPy's error |", ByTest),
        ("docs/numpy.md", "| NumPy takes |", ByTest),
        ("docs/errors.md", "| you wrote | what is wrong | what to write |", ByTest),
        // By `compiler_errors.rs`.
        ("docs/errors.md", "| you wrote | the compiler says |", ByTest),
        ("docs/differences.md", "| on five elements |", ByTest),
        ("docs/differences.md", "| | pyslice | NumPy | TensorFlow |", Words),
        ("docs/library-authors.md", "| | a plan does |", ByTest),
        ("docs/other-crates.md", "| library | where |", Words),
        ("docs/systems.md", "| construct | slice, shape of the input | pyslice |", ByTest),
        ("docs/systems.md", "| page | it says | the system does |", ByTest),
        ("docs/systems.md", "| system | rules of its own | refused by name |", Words),
        ("docs/systems.md", "| system | written | refused |", Words),
        ("README.md", "| NumPy | pyslice | shape |", ByTest),
        ("README.md", "| | pyslice | ndarray | burn |", Words),
        ("README.md", "| workload | ratio |", Words),
        ("README.md", "| feature |", Words),
    ];
    let docs = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")).unwrap();
    let mut pages: Vec<String> =
        docs.map(|file| format!("docs/{}", file.unwrap().file_name().display())).collect();
    pages.retain(|page| page.ends_with(".md"));
    pages.push("README.md".into());
    let mut met = BTreeSet::new();
    for page in &pages {
        for (heading, rows) in tables(&read(page)) {
            let at =
                known.iter().position(|(of, begins, _)| of == page && heading.starts_with(begins));
            let at = at.unwrap_or_else(|| {
                panic!("say who checks the table of {page} that begins with {heading}")
            });
            assert!(!rows.is_empty());
            met.insert(at);
        }
    }
    assert_eq!(met.len(), known.len(), "a table of the list is gone");
}

/// What a statement left in `x` and `y`.
type Outcome = (Vec<f64>, Vec<f64>);

/// The elements of any container in C order.
trait Flat {
    fn flat(&self) -> Vec<f64>;
}

impl Flat for Vec<f64> {
    fn flat(&self) -> Vec<f64> {
        self.clone()
    }
}

impl Flat for f64 {
    fn flat(&self) -> Vec<f64> {
        vec![*self]
    }
}

impl<S: Data<Elem = f64>, D: Dimension> Flat for ArrayBase<S, D> {
    fn flat(&self) -> Vec<f64> {
        self.iter().copied().collect()
    }
}

/// `x`, `y`, `v` and `row` in C order, as `docs_statements.py` has them.
fn given() -> [Vec<f64>; 4] {
    let count = |n: i32| (0..n).map(f64::from).collect::<Vec<_>>();
    let v = (0..24).map(|k| f64::from(1 << (k % 4))).collect();
    [count(192), vec![0.; 24], v, (0..8).map(|k| f64::from(k) - 3.).collect()]
}

/// Each cell as a function that runs it.
macro_rules! cells {
    (|$x:ident, $y:ident, $v:ident, $row:ident, $plan:ident| $given:expr; $([$($cell:tt)*])*) => {
        BTreeMap::from([$((
            squeeze(stringify!($($cell)*)),
            (|| {
                #[allow(unused_mut, unused_variables, reason = "a cell uses what it needs")]
                let (mut $x, mut $y, $v, $row, $plan) = $given;
                $($cell)*;
                Ok(($x.flat(), $y.flat()))
            }) as fn() -> Result<Outcome, SliceError>
        )),*])
    };
}

/// The same as plain slices with a plan.
type Plain = (Vec<f64>, Vec<f64>, Vec<f64>, Vec<f64>, Plan);

fn given_plain() -> Result<Plain, SliceError> {
    let [x, y, v, row] = given();
    Ok((x, y, v, row, s![1, ::2].plan(&[4, 6, 8])?))
}

/// The same as arrays, which need no plan.
type Arrays = (Array3<f64>, Array2<f64>, Array2<f64>, Array1<f64>, ());

fn given_arrays() -> Arrays {
    let [x, y, v, row] = given();
    let matrix = |values| Array2::from_shape_vec((3, 8), values).unwrap();
    (Array3::from_shape_vec((4, 6, 8), x).unwrap(), matrix(y), matrix(v), Array1::from(row), ())
}

fn on_plain_slices() -> BTreeMap<String, fn() -> Result<Outcome, SliceError>> {
    cells! { |x, y, v, row, plan| given_plain()?;
        [let y = plan.copy(&x)?]
        [let y = plan.then(s![1:])?.copy(&x)?]
        [plan.copy_into(&x, &mut y)?]
        [plan.assign(&mut x, &v)?]
        [plan.assign(&mut x, Shaped(&row, &[8]))?]
        [plan.fill(&mut x, 0.)?]
        [plan.add_assign(&mut x, &v)?]
        [plan.on_mut(&mut x)?.zip(Shaped(&row, &[8]), |a, b| *a -= b)?]
        [plan.on_mut(&mut x)?.for_each(|a| *a *= 3.)]
        [plan.on_mut(&mut x)?.zip(&v, |a, b| *a /= b)?]
        [plan.on_mut(&mut x)?.for_each(|a| *a *= *a)]
        [plan.on_mut(&mut x)?.for_each(|a| *a = a.max(60.))]
        [plan.on_mut(&mut x)?.zip(&v, |a, &b: &f64| *a = a.max(b))?]
        [s![:-1].plan(&[4, 6, 8])?.move_within(&s![1:].plan(&[4, 6, 8])?, &mut x)?]
        [s![:-1].plan(&[4, 6, 8])?
            .zip_within(&s![1:].plan(&[4, 6, 8])?, &mut x, |a, b| *a += b)?]
        [s![:-1].plan(&[4, 6, 8])?
            .zip_within(&s![1:].plan(&[4, 6, 8])?, &mut x, |a, b| *a -= b)?]
        [let y = *s![-1, -2, 0].plan(&[4, 6, 8])?.get(&x)?]
        [*s![-1, -2, 0].plan(&[4, 6, 8])?.get_mut(&mut x)? = 7.]
        [*s![-1, -2, 0].plan(&[4, 6, 8])?.get_mut(&mut x)? += 1.]
        [let mut y = s![1:].plan(&[4, 6, 8])?.copy(&x)?;
            s![].plan(&[3, 6, 8])?
                .on_mut(&mut y)?
                .zip(s![:-1].plan(&[4, 6, 8])?.on(&x)?, |a, b| *a -= b)?]
        [let y = s![0].plan(&[4, 6, 8])?.copy(&x)?.iter().sum::<f64>()]
        [let mut y = vec![0.; 32];
            s![:, None].plan(&[4, 8])?.broadcast_to(&[4, 6, 8])?.add_assign(&mut y, &x)?]
        [let y = s![].plan(&[4, 3, 2, 2, 4])?.permute(&[0, 1, 3, 2, 4])?.copy(&x)?]
        [let y = s![::50].plan(&[192])?.copy(&x)?]
        [let y = s![1, 2, ::2].plan(&[4, 6, 8])?.copy(&x)?]
        [let y: Vec<f64> = x.iter().copied().filter(|&a| a > 100.).collect()]
        [[1, 3].iter().for_each(|&i| x[i] += 1.)]
        [x.iter_mut().filter(|a| **a > 100.).for_each(|a| *a = 0.)]
    }
}

fn on_arrays() -> BTreeMap<String, fn() -> Result<Outcome, SliceError>> {
    cells! { |x, y, v, row, plan| given_arrays();
        [let y = x.pyslice_copy(s![1, ::2])]
        [let y = x.pyslice(s![1, ::2])]
        [let y = x.view().pyslice_move(s![1, ::2]).pyslice_move(s![1:])]
        [x.pyslice_copy_into(s![1, ::2], &mut y)]
        [x.pyslice_assign(s![1, ::2], &v)]
        [x.pyslice_assign(s![1, ::2], &row)]
        [x.pyslice_assign(s![1, :2, :2], [[1., 2.], [3., 4.]])]
        [x.pyslice_fill(s![1, ::2], 0.)]
        [x.pyslice_add_assign(s![1, ::2], &v)]
        [x.pyslice_sub_assign(s![1, ::2], &row)]
        [x.pyslice_mul_assign(s![1, ::2], 3.)]
        [x.pyslice_div_assign(s![1, ::2], &v)]
        [x.pyslice_mut(s![1, ::2]).mapv_inplace(|a| a * a)]
        [x.pyslice_mut(s![1, ::2]).mapv_inplace(|a| a.max(60.))]
        [x.pyslice_zip_mut_with(s![1, ::2], &v, |a, b| *a = a.max(*b))]
        [x.pyslice_move_within(s![:-1], s![1:])]
        [x.pyslice_add_within(s![:-1], s![1:])]
        [x.pyslice_zip_within(s![:-1], s![1:], |a, b| *a -= b)]
        [for k in [0, 2] { x.pyslice_fill(s![:, k], 0.) }]
        [x.pyslice_assign(s![0], x.pyslice(s![1:]).sum_axis(Axis(0)))]
        [let y = *x.pyslice_get(s![-1, -2, 0])]
        [let y = x[(1, 2, 3)]]
        [let y = x.pyslice(s![1])[(2, 3)]]
        [*x.pyslice_get_mut(s![-1, -2, 0]) = 7.]
        [*x.pyslice_get_mut(s![-1, -2, 0]) += 1.]
        [let y = &x.pyslice(s![1:]) - &x.pyslice(s![:-1])]
        [let y = &x.pyslice(s![..., 1:]) * 2.]
        [let y = (&x.pyslice(s![1:-1, :-2]) + &x.pyslice(s![1:-1, 2:])) / 2.]
        [let y = x.pyslice(s![0]).sum()]
        [let y = x.sum_axis(Axis(1))]
        [let y = x.to_shape((4, 3, 2, 2, 4)).unwrap().permuted_axes([0, 1, 3, 2, 4])]
        [let y = x.pyslice(s![:, 0]).mapv(|a| a * a)]
        [let y = x.flatten().pyslice_copy(s![::50])]
        [let y = x.pyslice(s![0]).reversed_axes()]
        [let y = x.pyslice(s![0]).reversed_axes().pyslice_move(s![::-1])]
        [let y = &x.pyslice(s![0, :, None]) * &x.pyslice(s![1, None])]
        [let y = kron(&x.pyslice(s![0]), &x.pyslice(s![1, :2]))]
        [let at = |i, j| x.pyslice(s![:, i::2, j::2]);
            let y = (&at(0, 0) + &at(0, 1) + at(1, 0) + at(1, 1)) / 4.]
        [let y = x.pyslice(s![1:, 0]).outer_iter().map(|a| a.fold(0., |m: f64, &v| m.max(v)))
            .collect::<Array1<f64>>()]
        [let y = x.pyslice(s![1, 2, ::2]).to_vec()]
        [let y = x.pyslice(s![0, :, :6]).into_diag()]
        [let y = x.pyslice(s![0, 0]).windows(3).into_iter().map(|w| w.sum())
            .collect::<Array1<f64>>()]
        [let y = x.pyslice(s![0]).select(Axis(0), &[0, 2]).select(Axis(1), &[1, 3])]
        [[1, 3].iter().for_each(|&i| x[[0, 0, i]] += 1.)]
        [let y = x.select(Axis(0), &[0, 2])]
        [let y = x.pyslice(s![1:]).select(Axis(1), &[0, 2])]
        [let y = concatenate![Axis(0), x.pyslice(s![-1:]), x.pyslice(s![:-1])]]
        [let (n, k) = (x.len_of(Axis(1)) as i64, -3_i64);
            let at = n - k.rem_euclid(n);
            let y = concatenate![Axis(1), x.pyslice(s![at:].on_axis(1)), x.pyslice(s![:at].on_axis(1))]]
        [let y = concatenate![Axis(2), x.pyslice(s![..., 2:]), x.pyslice(s![..., :2])]]
        [let mut y = x.clone(); y.accumulate_axis_inplace(Axis(1), |&a, b| *b += a)]
        [let mut y = Array3::<f64>::zeros((6, 6, 8)); y.pyslice_assign(s![1:-1], &x)]
        [let y = x.iter().copied().filter(|&a| a > 100.).collect::<Array1<f64>>()]
        [x.mapv_inplace(|a| if a > 100. { 0. } else { a })]
        [Zip::from(x.pyslice_mut(s![0]).rows_mut())
            .for_each(|mut r| Zip::from(&mut r).and(&row).for_each(|a, &m| if m > 0. { *a = 1. }))]
    }
}

#[test]
fn statements_do_what_numpy_does() {
    let numbers =
        |v: &Value| v.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect::<Vec<_>>();
    let recorded: BTreeMap<String, Outcome> = read("tests/data/docs_statements.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|v| {
            (v["statement"].as_str().unwrap().to_owned(), (numbers(&v["x"]), numbers(&v["y"])))
        })
        .collect();
    let (plain, arrays) = (on_plain_slices(), on_arrays());
    let mut shown = BTreeSet::new();
    for row in rows("docs/numpy.md", "| NumPy | on plain slices | on ndarray's arrays |") {
        let [statement, cells @ ..] = &row[..] else { panic!("{row:?}") };
        let wanted = recorded
            .get(statement)
            .unwrap_or_else(|| panic!("{statement}: run docs_statements.py"));
        for (cell, compiled) in
            cells.iter().zip([&plain, &arrays]).filter(|(cell, _)| !cell.is_empty())
        {
            let run = compiled
                .get(&squeeze(cell))
                .unwrap_or_else(|| panic!("add [{cell}] to the cells of this test"));
            assert_eq!(run().as_ref(), Ok(wanted), "{cell} for {statement}");
            shown.insert(squeeze(cell));
        }
    }
    let listed: BTreeSet<String> = plain.into_keys().chain(arrays.into_keys()).collect();
    assert_eq!(listed, shown, "the test lists cells that no table shows");
}

#[test]
fn methods_of_the_authors_page_exist() {
    macro_rules! methods {
        ($($of:ty: $($name:ident $(::<$t:ty>)?)*;)*) => {{
            $($( let _ = <$of>::$name $(::<$t>)?; )*)*
            [$($(stringify!($name)),*),*]
        }};
    }
    let methods = methods! {
        Plan: on::<u8> on_mut::<u8> bytes copy::<u8> fill::<u8> grad::<u8> move_within::<u8> offsets runs;
        View<'_, u8>: iter to_vec;
        Bytes<'_>: on on_mut grad move_within;
        Runs: sorted;
    };
    // What takes any values, any result or a function has a type that cannot be named.
    let _ = |plan: &Plan, x: &mut [u8], out: &mut [u8]| -> Result<(), SliceError> {
        plan.copy_into(x, &mut *out)?;
        plan.grad_into(x, out)?;
        plan.assign(x, 1)?;
        plan.add_assign(x, 1)?;
        plan.zip_within(plan, x, |_, _| ())?;
        let mut place: ViewMut<'_, u8> = plan.on_mut(x)?;
        place.for_each(|_| ());
        place.zip(Shaped(&[1_u8], &[]), |_, _: &u8| ())
    };
    let others =
        ["copy_into", "grad_into", "assign", "add_assign", "zip_within", "for_each", "zip"];
    let types = ["View", "ViewMut", "Bytes", "Shaped"];
    let known: BTreeSet<&str> = methods.into_iter().chain(others).chain(types).collect();
    let rows = rows("docs/library-authors.md", "| | a plan does |");
    let named: BTreeSet<&str> =
        rows.iter().flat_map(|row| row[1].split('`').skip(1).step_by(2)).collect();
    assert_eq!(named, known);
}

#[test]
fn ndarrays_ranges_are_said_in_pythons_words() {
    let x = Array1::from_iter(0..5);
    macro_rules! theirs {
        ($([$($slice:tt)*])*) => {
            BTreeMap::from([$((squeeze(stringify!($($slice)*)), x.slice(ndarray::s![$($slice)*]).to_vec())),*])
        };
    }
    let mut theirs = theirs! { [..;-1] [0..5;-1] [1..4;-1] [1..4;-2] [2..;-1] [..3;-1] [1..4;2] };
    let python = |text: &str| {
        x.pyslice(&text.parse::<SpecBuf>().unwrap()).iter().copied().collect::<Vec<i32>>()
    };
    let numbers =
        |text: &str| text.split_whitespace().map(|n| n.parse().unwrap()).collect::<Vec<i32>>();
    for row in rows("docs/differences.md", "| on five elements |") {
        let found = theirs
            .remove(&squeeze(&row[0]))
            .unwrap_or_else(|| panic!("add [{}] to this test", row[0]));
        assert_eq!(numbers(&row[1]), found, "{row:?}");
        // "`4::-1`, whereas `0:5:-1` takes nothing"
        let mut parts = row[2].split('`').filter(|part| !part.is_empty());
        assert_eq!(python(parts.next().unwrap()), found, "{row:?}");
        if let Some(other) = parts.nth(1) {
            let takes = parts.next().unwrap().trim().strip_prefix("takes ").unwrap();
            let wanted = if takes == "nothing" { vec![] } else { numbers(takes) };
            assert_eq!(python(other), wanted, "{row:?}");
        }
    }
    assert!(theirs.is_empty(), "no table shows {theirs:?}");
}
