//! Ten stencils of the heat, wave and transport equations and of the game of life, in the three
//! ways there are to write them, each compared with loops over indices. ARCHITECTURE.md's answer
//! about a macro for views is based on the lengths of these texts.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use ndarray::{Array1, Array2, Array3, azip};
use pyslice::{PySlice, s};

/// The view that a macro of three lines can give: `v!(u[2:])`.
macro_rules! v {
    ($array:ident[$($slice:tt)*]) => { $array.pyslice(s![$($slice)*]) };
}

/// How many characters the code has, blanks aside.
macro_rules! length {
    ($($code:tt)*) => { stringify!($($code)*).chars().filter(|c| !c.is_whitespace()).count() };
}

/// NumPy's text, and the same with methods and with the macro: the lengths of all three, once both
/// gave what is wanted.
macro_rules! same {
    ($numpy:literal, $methods:expr, $short:expr, $wanted:expr) => {{
        let wanted = $wanted;
        assert_eq!($methods, wanted, $numpy);
        assert_eq!($short, wanted, $numpy);
        [$numpy.chars().filter(|c| !c.is_whitespace()).count(), length!($methods), length!($short)]
    }};
}

fn lengths() -> [[usize; 3]; 10] {
    let u = Array1::from_shape_fn(9, |i| (i * i % 7) as f64);
    let w = Array2::from_shape_fn((6, 7), |(i, j)| (i * j * j % 11) as f64);
    let old = Array2::from_shape_fn((6, 7), |(i, j)| (i * 3 + j) as f64);
    let c = Array3::from_shape_fn((4, 5, 6), |(i, j, k)| (i * j + k * k) as f64);
    let life = Array2::from_shape_fn((6, 7), |(i, j)| ((i * 5 + j * 3) % 4 / 3) as f64);
    let line = |f: &dyn Fn(usize) -> f64| Array1::from_shape_fn(7, |i| f(i + 1));
    let plane =
        |f: &dyn Fn(usize, usize) -> f64| Array2::from_shape_fn((4, 5), |(i, j)| f(i + 1, j + 1));
    [
        // Heat, in one, two and three dimensions.
        same!(
            "u[2:] + u[:-2] - 2 * u[1:-1]",
            &u.pyslice(s![2:]) + &u.pyslice(s![:-2]) - &u.pyslice(s![1:-1]) * 2.,
            &v!(u[2:]) + &v!(u[:-2]) - &v!(u[1:-1]) * 2.,
            line(&|i| u[i + 1] + u[i - 1] - u[i] * 2.)
        ),
        same!(
            "w[2:, 1:-1] + w[:-2, 1:-1] + w[1:-1, 2:] + w[1:-1, :-2] - 4 * w[1:-1, 1:-1]",
            &w.pyslice(s![2:, 1:-1])
                + &w.pyslice(s![:-2, 1:-1])
                + w.pyslice(s![1:-1, 2:])
                + w.pyslice(s![1:-1, :-2])
                - &w.pyslice(s![1:-1, 1:-1]) * 4.,
            &v!(w[2:, 1:-1]) + &v!(w[:-2, 1:-1]) + v!(w[1:-1, 2:]) + v!(w[1:-1, :-2])
                - &v!(w[1:-1, 1:-1]) * 4.,
            plane(&|i, j| w[(i + 1, j)] + w[(i - 1, j)] + w[(i, j + 1)] + w[(i, j - 1)]
                - w[(i, j)] * 4.)
        ),
        same!(
            "c[2:, 1:-1, 1:-1] + c[:-2, 1:-1, 1:-1] + c[1:-1, 2:, 1:-1] + c[1:-1, :-2, 1:-1]",
            &c.pyslice(s![2:, 1:-1, 1:-1])
                + &c.pyslice(s![:-2, 1:-1, 1:-1])
                + c.pyslice(s![1:-1, 2:, 1:-1])
                + c.pyslice(s![1:-1, :-2, 1:-1]),
            &v!(c[2:, 1:-1, 1:-1])
                + &v!(c[:-2, 1:-1, 1:-1])
                + v!(c[1:-1, 2:, 1:-1])
                + v!(c[1:-1, :-2, 1:-1]),
            Array3::from_shape_fn((2, 3, 4), |(i, j, k)| {
                let (i, j, k) = (i + 1, j + 1, k + 1);
                c[(i + 1, j, k)] + c[(i - 1, j, k)] + c[(i, j + 1, k)] + c[(i, j - 1, k)]
            })
        ),
        // Jacobi's step, and the nine points.
        same!(
            "(w[2:, 1:-1] + w[:-2, 1:-1] + w[1:-1, 2:] + w[1:-1, :-2]) / 4",
            (&w.pyslice(s![2:, 1:-1])
                + &w.pyslice(s![:-2, 1:-1])
                + w.pyslice(s![1:-1, 2:])
                + w.pyslice(s![1:-1, :-2]))
                / 4.,
            (&v!(w[2:, 1:-1]) + &v!(w[:-2, 1:-1]) + v!(w[1:-1, 2:]) + v!(w[1:-1, :-2])) / 4.,
            plane(&|i, j| (w[(i + 1, j)] + w[(i - 1, j)] + w[(i, j + 1)] + w[(i, j - 1)]) / 4.)
        ),
        same!(
            "w[2:, 2:] + w[2:, :-2] + w[:-2, 2:] + w[:-2, :-2] - 4 * w[1:-1, 1:-1]",
            &w.pyslice(s![2:, 2:])
                + &w.pyslice(s![2:, :-2])
                + w.pyslice(s![:-2, 2:])
                + w.pyslice(s![:-2, :-2])
                - &w.pyslice(s![1:-1, 1:-1]) * 4.,
            &v!(w[2:, 2:]) + &v!(w[2:, :-2]) + v!(w[:-2, 2:]) + v!(w[:-2, :-2])
                - &v!(w[1:-1, 1:-1]) * 4.,
            plane(&|i, j| {
                w[(i + 1, j + 1)] + w[(i + 1, j - 1)] + w[(i - 1, j + 1)] + w[(i - 1, j - 1)]
                    - w[(i, j)] * 4.
            })
        ),
        // The neighbours of a cell.
        same!(
            "life[:-2, :-2] + life[:-2, 1:-1] + life[:-2, 2:] + life[1:-1, :-2] + life[1:-1, 2:] \
             + life[2:, :-2] + life[2:, 1:-1] + life[2:, 2:]",
            &life.pyslice(s![:-2, :-2])
                + &life.pyslice(s![:-2, 1:-1])
                + life.pyslice(s![:-2, 2:])
                + life.pyslice(s![1:-1, :-2])
                + life.pyslice(s![1:-1, 2:])
                + life.pyslice(s![2:, :-2])
                + life.pyslice(s![2:, 1:-1])
                + life.pyslice(s![2:, 2:]),
            &v!(life[:-2, :-2])
                + &v!(life[:-2, 1:-1])
                + v!(life[:-2, 2:])
                + v!(life[1:-1, :-2])
                + v!(life[1:-1, 2:])
                + v!(life[2:, :-2])
                + v!(life[2:, 1:-1])
                + v!(life[2:, 2:]),
            plane(&|i, j| {
                let around = (i - 1..=i + 1).flat_map(|a| (j - 1..=j + 1).map(move |b| (a, b)));
                around.filter(|&at| at != (i, j)).map(|at| life[at]).sum()
            })
        ),
        // Waves, and transport.
        same!(
            "2 * w[1:-1, 1:-1] - old[1:-1, 1:-1] + w[2:, 1:-1] + w[:-2, 1:-1] - 2 * w[1:-1, 1:-1]",
            &w.pyslice(s![1:-1, 1:-1]) * 2. - old.pyslice(s![1:-1, 1:-1])
                + w.pyslice(s![2:, 1:-1])
                + w.pyslice(s![:-2, 1:-1])
                - &w.pyslice(s![1:-1, 1:-1]) * 2.,
            &v!(w[1:-1, 1:-1]) * 2. - v!(old[1:-1, 1:-1]) + v!(w[2:, 1:-1]) + v!(w[:-2, 1:-1])
                - &v!(w[1:-1, 1:-1]) * 2.,
            plane(&|i, j| w[(i, j)] * 2. - old[(i, j)] + w[(i + 1, j)] + w[(i - 1, j)]
                - w[(i, j)] * 2.)
        ),
        same!(
            "w[1:-1, 2:] - 2 * w[1:-1, 1:-1] + w[1:-1, :-2]",
            &w.pyslice(s![1:-1, 2:]) - &w.pyslice(s![1:-1, 1:-1]) * 2. + w.pyslice(s![1:-1, :-2]),
            &v!(w[1:-1, 2:]) - &v!(w[1:-1, 1:-1]) * 2. + v!(w[1:-1, :-2]),
            plane(&|i, j| w[(i, j + 1)] - w[(i, j)] * 2. + w[(i, j - 1)])
        ),
        same!(
            "u[1:-1] - u[:-2]",
            &u.pyslice(s![1:-1]) - &u.pyslice(s![:-2]),
            &v!(u[1:-1]) - &v!(u[:-2]),
            line(&|i| u[i] - u[i - 1])
        ),
        same!(
            "(u[2:] - u[:-2]) / 2",
            (&u.pyslice(s![2:]) - &u.pyslice(s![:-2])) / 2.,
            (&v!(u[2:]) - &v!(u[:-2])) / 2.,
            line(&|i| (u[i + 1] - u[i - 1]) / 2.)
        ),
    ]
}

#[test]
fn ten_stencils_with_methods_and_with_a_macro() {
    let total =
        lengths().into_iter().fold([0; 3], |sum, row| std::array::from_fn(|k| sum[k] + row[k]));
    let page = include_str!("../ARCHITECTURE.md");
    let [numpy, methods, short] = total;
    let said = format!(
        "{numpy} characters in NumPy, {methods} with methods and {short} with such a macro"
    );
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains(&said), "ARCHITECTURE.md does not say: {said}");
}

#[test]
fn views_with_names_make_no_temporary_arrays() {
    let w = Array2::from_shape_fn((6, 7), |(i, j)| (i * j * j % 11) as f64);
    let mut next = w.clone();
    let (up, down) = (w.pyslice(s![:-2, 1:-1]), w.pyslice(s![2:, 1:-1]));
    let (left, right) = (w.pyslice(s![1:-1, :-2]), w.pyslice(s![1:-1, 2:]));
    azip!((n in next.pyslice_mut(s![1:-1, 1:-1]), &a in up, &b in down, &c in left, &d in right)
        *n = (a + b + c + d) / 4.);
    for ((i, j), &found) in next.indexed_iter() {
        let inside = (1..5).contains(&i) && (1..6).contains(&j);
        let mean = || (w[(i - 1, j)] + w[(i + 1, j)] + w[(i, j - 1)] + w[(i, j + 1)]) / 4.;
        assert_eq!(found, if inside { mean() } else { w[(i, j)] });
    }
}
