//! What the compiler says, in our words, when a slice does not fit a rank that it knows.
//!
//! The compiler's own words around them change from release to release, so only the first line of
//! each error, the place it points to and some of our notes are checked. Cargo checks the program
//! below, in a folder of its own under `target`.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

/// One mistake per line; after it, what the compiler has to say about that line.
const PROGRAM: &str = r#"
use ndarray::{Array1, Array2, Array3, Ix1, IxDyn};
use pyslice::{PySlice, Rank, SliceRank, SpecBuf, nd::SliceOf, s};

/// Could give another slice each time it is read, and views that overlap.
trait Local: SliceOf<Ix1, Out = IxDyn> {}
struct Liar(Vec<SpecBuf>);
impl Local for SpecBuf {}
impl std::borrow::Borrow<dyn Local> for Liar {
    fn borrow(&self) -> &(dyn Local + 'static) { &self.0[0] }
}
impl ToOwned for dyn Local { type Owned = Liar; fn to_owned(&self) -> Liar { Liar(Vec::new()) } }

fn changing(x: &Array1<u8>, slice: std::borrow::Cow<'static, dyn Local>) {
    let _ = x.pyslice(slice); // cannot slice an array of dimension `ndarray::Dim<[usize; 1]>`; a slice is the value of `s![...]`, a `SpecBuf` or a `SpecRef`: this is `Cow<'_, (dyn Local + 'static)>`
}

fn rank<const IN: usize, const OUT: usize>(_: [(); IN], _: impl SliceRank<IN, Out = Rank<OUT>>) -> usize { OUT }

fn any_rank<D: ndarray::Dimension>(x: &ndarray::Array<u8, D>) {
    let _ = x.pyslice(s![0]); // `Spec<1, 1, 1>` cannot slice an array of dimension `D`
    let _ = x.pyslice(s![0].as_ref());
}

fn some_rank<const IN: usize>(x: [(); IN]) {
    rank(x, s![..., ::-1]); // the compiler cannot tell the rank of a slice of an array of `Rank<IN>`: `Rank<IN>` is above 16, or generic
}

/// The compiler suggests a bound, by a path that exists.
fn any_slice<S>(x: &Array2<u8>, slice: S) {
    let _ = x.pyslice(slice); // `S` cannot slice an array of dimension `ndarray::Dim<[usize; 2]>`
}

fn main() {
    let (line, mut matrix, cube) = (Array1::<u8>::zeros(3), Array2::<u8>::zeros((3, 4)), Array3::<u8>::zeros((3, 4, 5)));
    let _ = line.pyslice(s![0, 0]); // the slice takes more axes (2) than an array of `Rank<1>` is known to have: too many indices and ranges for `Rank<1>`
    let _ = matrix.pyslice_copy(s![:, ..., 0, 1:2]); // the slice takes more axes (3) than an array of `Rank<2>` is known to have: too many indices and ranges for `Rank<2>`
    matrix.pyslice_fill(s![:, :, :, :], 1); // the slice takes more axes (4) than an array of `Rank<2>` is known to have: too many indices and ranges for `Rank<2>`
    let _ = cube.pyslice_move(s![0, 0, 0, 0, None]); // the slice takes more axes (4) than an array of `Rank<3>` is known to have: too many indices and ranges for `Rank<3>`
    let _ = line.pyslice(ndarray::s![1..]); // cannot slice an array of dimension `ndarray::Dim<[usize; 1]>`; a slice is the value of `s![...]`, a `SpecBuf` or a `SpecRef`
    let _ = line.pyslice(7); // `{integer}` cannot slice an array of dimension `ndarray::Dim<[usize; 1]>`; a slice is the value of `s![...]`, a `SpecBuf` or a `SpecRef`: this is `{integer}`
    let _ = line.pyslice("1:2"); // `&str` cannot slice an array of dimension `ndarray::Dim<[usize; 1]>`; a slice is the value of `s![...]`, a `SpecBuf` or a `SpecRef`: this is `&str`
    let mask = Array1::from(vec![true, false]); let _ = s![mask]; // cannot be an index of a slice; an index is an integer
    let mut floats = Array2::<f64>::zeros((3, 4));
    floats.pyslice_assign(s![0], 5); // `{integer}` cannot be written into a slice of an array whose elements are `f64`: expected an array, a view, a vector, a slice, or one element, of `f64`
    floats.pyslice_assign(s![0], &[1, 2, 3, 4]); // cannot be written into a slice of an array whose elements are `f64`
    floats.pyslice_assign(s![0], vec![1, 2, 3, 4]); // `Vec<{integer}>` cannot be written into a slice of an array whose elements are `f64`
    floats.pyslice_assign(s![:2], vec![vec![1.; 4]; 2]); // `Vec<Vec<{float}>>` cannot be written into a slice of an array whose elements are `f64`
    floats.pyslice_many_mut(s![0]); // `Spec<1, 1, 1>` is not a list of slices of an array of dimension `ndarray::Dim<[usize; 2]>`: expected an array, a vector or a tuple of slices
    let _ = floats.pyslice(floats.mapv(|x| x > 0.)); // cannot slice an array of dimension `ndarray::Dim<[usize; 2]>`
    let _ = floats.pyslice_window(&[1, 1], &[9, 2], 0.); // `&[{integer}; 2]` is not the size of a window of an array of dimension `ndarray::Dim<[usize; 2]>`; a size has a `usize` for each axis: this is `&[{integer}; 2]`
    let _ = floats.pyslice_window(&[1, 1], [9, 2, 3], 0.); // `[usize; 3]` is not the size of a window of an array of dimension `ndarray::Dim<[usize; 2]>`; a size has a `usize` for each axis: this is `[usize; 3]`
    floats.pyslice_add_assign(s![0], Array1::<f32>::zeros(4)); // cannot be written into a slice of an array whose elements are `f64`
    let _ = floats.pyslice_get(s![0]); // this slice gives a view with axes (`ndarray::Dim<[usize; 1]>`), not one element: expected an index for each axis
    let plan = s![1:].plan(&[3]).unwrap();
    let _ = plan.assign(&mut [0f64; 3], plan.on(&[1f64; 3])); // cannot be written into a slice whose elements are `f64`: expected one `f64`, a slice of them
    rank([(); 5], s![0, 0, 0, 0, 0, 0]); // the slice takes more axes (6) than an array of `Rank<5>` is known to have: too many indices
    rank([(); 15], s![None, None]); // the result of this slice has more than 16 axes: `Rank<15>` and 2 new ones: too many new axes
    rank([(); 17], s![0]); // the compiler cannot tell the rank of a slice of an array of `Rank<17>`: `Rank<17>` is above 16, or generic
    rank([(); 2], SpecBuf::default()); // `SpecBuf` is not a slice from which the compiler knows the rank of the result; `s![...]` is: this is `SpecBuf`
    rank([(); 2], 1..2); // is not a slice from which the compiler knows the rank of the result; `s![...]` is: this is `
}
"#;

/// What the compiler's long messages have to say as well.
const NOTES: [&str; 8] = [
    "`x[mask] = v` is `x.mapv_inplace(|a| ...)`",
    "`SpecBuf::from_entries(list)?` is `x[tuple(list)]`",
    "`.on_axis(-1)` for `s![..., 1:]`, which give `D` too",
    "where the slice is `impl AsSpec`, write `slice.as_spec()`",
    "write `x.pyslice_many_mut((s![:2], s![-1]))`",
    "several by reference (`&values`), and a view without its `Result` (`plan.on(&x)?`)",
    "write `[9, 2]` or `(9, 2)`, not a reference",
    "fn any_slice<S: pyslice::nd::SliceOf<",
];

fn cargo_check(folder: &Path, format: &str, offline: bool) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["check", "--quiet", "--message-format", format, "--manifest-path"])
        .arg(folder.join("Cargo.toml"));
    // The folder is a crate of its own, and is not to inherit what the tests were built with.
    cargo.env("CARGO_TARGET_DIR", folder.join("target")).env_remove("RUSTFLAGS");
    if offline {
        cargo.arg("--offline");
    }
    let output = cargo.output().expect("cargo, which runs this test, can be run");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn ranks_that_do_not_fit_are_refused_in_our_words() {
    let (root, folder) = (
        Path::new(env!("CARGO_MANIFEST_DIR")),
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("rank_messages"),
    );
    std::fs::create_dir_all(folder.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"words\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nndarray = \
         \"0.17\"\npyslice = {{ path = {root:?}, features = [\"ndarray\"] }}\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::write(folder.join("src/main.rs"), PROGRAM).unwrap();
    // The versions that this workspace has already fetched.
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let offline = cargo_check(&folder, "short", true).contains("E0277");
    let [said, at_length] = ["short", "human"].map(|format| cargo_check(&folder, format, offline));
    let mut wanted = 0;
    for (number, line) in PROGRAM.lines().enumerate() {
        let Some((_, words)) = line.split_once("; // ") else { continue };
        // In a method of arrays, the argument, not the method, is what is wrong. Some have two.
        let call = line
            .find(".pyslice")
            .filter(|_| !line.contains("assign(") && !line.contains("window("));
        let argument = call.and_then(|at| Some(at + line[at..].find('(')? + 2));
        let column = argument.map(|column| format!("{column}:")).unwrap_or_default();
        let place = format!("main.rs:{}:{column}", number + 1);
        let found = said.lines().any(|l| {
            l.contains(&place) && l.contains("error[E0277]") && said_plainly(l).contains(words)
        });
        assert!(found, "line {}: `{words}` is not in\n{said}", number + 1);
        wanted += 1;
    }
    assert_eq!(wanted, 28);
    let errors = said.lines().filter(|l| l.contains("error["));
    assert_eq!(errors.count(), wanted, "a line has two errors:\n{said}");
    let places = said.lines().filter(|l| l.contains("error[")).filter_map(|l| l.split(':').nth(1));
    assert_eq!(
        places.collect::<HashSet<_>>().len(),
        wanted,
        "more lines are refused than should be:\n{said}"
    );
    for note in NOTES {
        assert!(at_length.contains(note), "`{note}` is not in\n{at_length}");
    }
}

/// The message without the paths of the crates that types come from.
fn said_plainly(line: &str) -> String {
    line.replace("slice_core::rank::", "").replace("slice_core::", "").replace("pyslice::", "")
}
