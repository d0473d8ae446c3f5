//! Python's slices of ndarray's arrays, compared with recorded NumPy answers and with ndarray's own
//! indexing, for every layout and storage.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/layouts.rs"]
mod layouts;
mod support;

use layouts::{layouts, numbered};
use ndarray::{
    Array, Array0, Array1, Array2, Array3, ArrayD, ArrayRef, ArrayView, ArrayView1, ArrayView2,
    ArrayView3, ArrayViewD, Axis, CowArray, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn,
    array,
};
use pyslice::{PySlice, SliceError, SpecBuf, SpecRef, s};
use std::cell::Cell;
use std::rc::Rc;
use support::recorded::{self, Answer, Record};

fn values<T: Copy, D: Dimension>(view: &ArrayView<'_, T, D>) -> Vec<T> {
    view.iter().copied().collect()
}

/// Runs `check` on the array as each static dimension type that fits it.
macro_rules! as_static {
    ($array:expr, $x:ident => $check:expr) => {
        match $array.ndim() {
            0 => as_static!(@ $array, Ix0, $x => $check),
            1 => as_static!(@ $array, Ix1, $x => $check),
            2 => as_static!(@ $array, Ix2, $x => $check),
            3 => as_static!(@ $array, Ix3, $x => $check),
            4 => as_static!(@ $array, Ix4, $x => $check),
            5 => as_static!(@ $array, Ix5, $x => $check),
            6 => as_static!(@ $array, Ix6, $x => $check),
            _ => {}
        }
    };
    (@ $array:expr, $dim:ty, $x:ident => $check:expr) => {{
        let $x = $array.clone().into_dimensionality::<$dim>().expect("its rank was looked at");
        $check
    }};
}

/// The slice of a record, if it is one of ours: a list between the brackets is advanced indexing.
fn spec(record: &Record) -> Option<SpecBuf> {
    let text = record.py.as_ref()?;
    if text.starts_with('[') {
        return None;
    }
    text.parse().ok()
}

#[test]
fn numpy_answers_in_every_layout() {
    let mut count = 0;
    for record in recorded::read("numpy_getitem.jsonl") {
        let Some(spec) = spec(&record) else { continue };
        let base = numbered(&record.dims(), |k| k as i64);
        for (layout, x) in layouts(&base, -1) {
            let what = || format!("{} ({layout})", record.id);
            let view = x.try_pyslice(&spec);
            let Answer::Tensor { shape, values: recorded } = &record.answer else {
                assert!(view.is_err(), "{}: NumPy refuses this", what());
                continue;
            };
            let view = view.unwrap_or_else(|e| panic!("{}: {e}", what()));
            assert_eq!(view.shape(), shape, "{}", what());
            assert!(recorded::same_values(&values(&view), recorded), "{}", what());
            let copy = x.pyslice_copy(&spec);
            assert!(copy.is_standard_layout(), "{}", what());
            assert_eq!(copy, view, "{}", what());
            as_static!(x, fixed => {
                assert_eq!(fixed.pyslice(spec.as_ref()), view, "{}", what());
                assert_eq!(fixed.pyslice_copy(&spec), view, "{}", what());
                assert_eq!(fixed.pyslice_move(&spec), view, "{}", what());
            });
            count += 1;
        }
    }
    assert!(count > 1000, "only {count} cases");
}

#[test]
fn numpy_assignments_in_every_layout() {
    let mut count = 0;
    for record in recorded::read("numpy_setitem.jsonl") {
        let Some(spec) = spec(&record) else { continue };
        let base = numbered(&record.dims(), |k| k as i64);
        let value =
            numbered(&record.value.clone().expect("an assigned value"), |k| 1000 + k as i64);
        for (layout, x) in layouts(&base, -1) {
            for (value_layout, value) in layouts(&value, -2) {
                let what = || format!("{} ({layout} = {value_layout})", record.id);
                let mut x = x.clone();
                let done = x.try_pyslice_assign(&spec, &value);
                match &record.answer {
                    Answer::Tensor { values: recorded, .. } => {
                        assert_eq!(done, Ok(()), "{}", what());
                        assert!(recorded::same_values(&values(&x.view()), recorded), "{}", what());
                        count += 1;
                    }
                    // An element is a number to NumPy, which does not broadcast; here it is an
                    // array of rank 0.
                    _ if value.len() == 1
                        && x.try_pyslice(&spec).is_ok_and(|one| one.ndim() == 0) => {}
                    _ => {
                        assert!(done.is_err(), "{}: NumPy refuses this", what());
                        assert_eq!(x, base, "{}: nothing is written then", what());
                    }
                }
            }
        }
    }
    assert!(count > 1000, "only {count} cases");
}

#[test]
fn the_rank_is_in_the_type() {
    let x = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| 100 * i + 10 * j + k);
    // Each function fixes the type; what `pyslice` gives has to be just that.
    fn one(_: ArrayView1<'_, usize>) {}
    fn two(_: ArrayView2<'_, usize>) {}
    fn three(_: ArrayView3<'_, usize>) {}
    fn dynamic(_: ArrayViewD<'_, usize>) {}
    three(x.pyslice(s![1, None, ..., ::-1]));
    assert_eq!(
        x.pyslice(s![1, None, ..., ::-1]),
        array![[[103, 102, 101, 100], [113, 112, 111, 110], [123, 122, 121, 120]]]
    );
    three(x.pyslice(s![]));
    two(x.pyslice(s![0]));
    two(x.pyslice(s![..., 0]));
    one(x.pyslice(s![0, 1]));
    assert_eq!(x.pyslice(s![1, 2, 3])[()], 123);
    let deep: ArrayView<'_, usize, Ix6> = x.pyslice(s![None, :, None, :, None]);
    assert_eq!(deep.shape(), [1, 2, 1, 3, 1, 4]);
    // Beyond six axes, ndarray has only the dynamic type.
    dynamic(x.pyslice(s![None, None, None, None]));
    let eight: ArrayD<u8> = Array::zeros(IxDyn(&[1; 8]));
    assert_eq!(eight.pyslice(s![0, ..., 0]).ndim(), 6);
    dynamic(x.view().into_dyn().pyslice(s![0]));
    let runtime: SpecBuf = "0, 1".parse().unwrap();
    dynamic(x.pyslice(&runtime));
    dynamic(x.pyslice(runtime.as_ref()));
    const PICK: SpecRef<'static> = s![0, ...].as_ref();
    dynamic(x.pyslice(PICK));
    let fixed = s![:, 1];
    two(x.pyslice(fixed));
    two(x.pyslice(&fixed));
    let i = 1;
    two(x.pyslice(s![i, i - 1:]));
}

#[test]
fn rank_zero_and_empty_axes() {
    let mut scalar: Array0<i32> = Array::from_elem((), 7);
    assert_eq!(scalar.pyslice(s![]), scalar);
    let lifted: ArrayView1<'_, i32> = scalar.pyslice(s![None]);
    assert_eq!(lifted, array![7]);
    assert_eq!(
        scalar.try_pyslice(&"0".parse::<SpecBuf>().unwrap()),
        Err(SliceError::TooManyEntries { takes: 1, rank: 0 })
    );
    scalar.pyslice_fill(s![...], 9);
    assert_eq!(scalar[()], 9);

    let mut empty = Array3::<i32>::zeros((2, 0, 3));
    assert_eq!(empty.pyslice(s![0]).shape(), [0, 3]);
    assert_eq!(empty.pyslice(s![..., ::-1, 1]).shape(), [2, 0]);
    assert_eq!(empty.pyslice_copy(s![::-1, ::-1, ::-1]).shape(), [2, 0, 3]);
    assert_eq!(
        empty.try_pyslice(s![:, 0]),
        Err(SliceError::IndexOutOfRange { index: 0, axis: 1, len: 0 })
    );
    empty.pyslice_fill(s![1], 5);
    empty.pyslice_assign(s![1, ...], &array![1, 2, 3]);
    assert_eq!(
        empty.try_pyslice_assign(s![1], &array![1, 2]),
        Err(SliceError::broadcast(1, &[2], &[0, 3]))
    );
    // An empty slice of an array that is not empty, with steps of any size.
    let x = Array2::<i32>::ones((3, 4));
    assert_eq!(x.pyslice(s![2:1, ::-1]).shape(), [0, 4]);
    assert_eq!(x.pyslice(s![3:, 2:2:-9223372036854775808]).shape(), [0, 0]);
    assert_eq!(x.pyslice(s![::9223372036854775807, ::-9223372036854775808]).shape(), [1, 1]);
    assert_eq!(x.pyslice_move(s![5:, 1]).shape(), [0]);
}

#[test]
fn broadcast_views_are_read_in_place() {
    let row = array![1, 2, 3];
    let x = row.broadcast((4, 3)).unwrap();
    assert_eq!(x.strides(), [0, 1]);
    let view = x.pyslice(s![::2, ::-1]);
    assert_eq!(view, array![[3, 2, 1], [3, 2, 1]]);
    assert_eq!(view.strides(), [0, -1]);
    assert_eq!(x.pyslice_copy(s![1:3, 1:]), array![[2, 3], [2, 3]]);
    assert_eq!(x.pyslice_copy(s![-1]), row);
    assert!(std::ptr::eq(&raw const view[(0, 2)], &raw const row[0]));
}

#[test]
fn every_storage() {
    let owned = Array2::from_shape_fn((3, 4), |(i, j)| (10 * i + j) as i32);
    let want = array![[21, 23], [1, 3]];
    let spec = s![::-2, 1::2];

    let shared = owned.to_shared();
    let mut written = shared.clone();
    assert_eq!(shared.pyslice(spec), want);
    written.pyslice_fill(spec, 0);
    assert_eq!(
        (shared.pyslice(spec), written.sum()),
        (want.view(), owned.sum() - want.sum()),
        "copied on write"
    );

    let mut cow = CowArray::from(owned.view());
    assert_eq!(cow.pyslice_copy(spec), want);
    cow.pyslice_mut(spec).fill(-1);
    assert!(cow.is_owned() && owned[(0, 1)] == 1);

    // A view keeps its lifetime when it is moved.
    let moved: ArrayView2<'_, i32> = {
        let view = owned.view();
        view.pyslice_move(spec)
    };
    assert_eq!(moved, want);

    let mut copy = owned.clone();
    let mut half = copy.view_mut().pyslice_move(s![1:]);
    half.pyslice_assign(s![:, 0], &array![7, 8]);
    half.pyslice_mut(s![-1, -1]).fill(9);
    assert_eq!(copy, array![[0, 1, 2, 3], [7, 11, 12, 13], [8, 21, 22, 9]]);

    let raw = owned.raw_view().pyslice_move(spec);
    assert_eq!((raw.shape(), raw.strides()), (&[2, 2][..], &[-8, 2][..]));

    fn through_a_reference(x: &ArrayRef<i32, Ix2>) -> Array1<i32> {
        x.pyslice_copy(s![:, -1])
    }
    assert_eq!(through_a_reference(&owned), array![3, 13, 23]);
    fn write_through_a_reference(x: &mut ArrayRef<i32, Ix2>) {
        x.pyslice_fill(s![0], 1);
    }
    let mut x = owned.clone();
    write_through_a_reference(&mut x);
    assert_eq!(x.pyslice(s![0]), array![1, 1, 1, 1]);
}

#[test]
fn elements_that_are_not_plain_are_cloned_once_each() {
    #[derive(Debug)]
    struct Counted(usize, Rc<Cell<usize>>);
    impl Clone for Counted {
        fn clone(&self) -> Counted {
            self.1.set(self.1.get() + 1);
            Counted(self.0, Rc::clone(&self.1))
        }
    }
    let clones = Rc::new(Cell::new(0));
    let x = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| {
        Counted(100 * i + 10 * j + k, Rc::clone(&clones))
    });
    let part = x.pyslice_copy(s![::-1, 1, 1:3]);
    assert_eq!(part.map(|c| c.0), array![[111, 112], [11, 12]]);
    assert_eq!(clones.get(), 4);
    let backwards = x.pyslice_copy(s![0, ::2, ::-3]);
    assert_eq!(backwards.map(|c| c.0), array![[3, 0], [23, 20]]);
    assert_eq!(clones.get(), 8);

    let mut words = Array2::from_shape_fn((2, 3), |(i, j)| format!("{i}{j}"));
    words.pyslice_assign(s![:, ::-2], &array![["a".to_owned()], ["b".to_owned()]]);
    words.pyslice_fill(s![0, 1:2], "c".to_owned());
    assert_eq!(words.map(String::as_str), array![["a", "c", "a"], ["b", "11", "b"]]);
    let borrowed = words.map(String::as_str);
    assert_eq!(borrowed.pyslice_copy(s![1, ::-1]), array!["b", "11", "b"]);
    let nothing = Array1::from_elem(5, ());
    assert_eq!(nothing.pyslice_copy(s![::2]).len(), 3);
}

#[test]
fn values_may_be_given_in_many_forms() {
    let mut x = Array2::<i32>::zeros((2, 3));
    let row = array![1, 2, 3];
    x.pyslice_assign(s![0], &row);
    x.pyslice_assign(s![1], row.view());
    x.pyslice_assign(s![1], row.pyslice(s![::-1]));
    assert_eq!(x, array![[1, 2, 3], [3, 2, 1]]);
    x.pyslice_assign(s![0, 1:], [8, 9]);
    x.pyslice_assign(s![1], vec![4, 5, 6]);
    assert_eq!(x, array![[1, 8, 9], [4, 5, 6]]);
    x.pyslice_assign(s![:, 0], &array![[[7, 8]]]);
    x.pyslice_assign(s![:, 1:], Array::from_elem((), 0));
    assert_eq!(x, array![[7, 0, 0], [8, 0, 0]]);
    let other = x.clone();
    x.pyslice_mut(s![::-1]).pyslice_assign(s![...], &other);
    assert_eq!(x, array![[8, 0, 0], [7, 0, 0]]);
}

#[test]
fn plain_forms_panic_with_the_errors_text_at_the_callers_line() {
    use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
    use std::sync::Mutex;
    static SEEN: Mutex<Vec<(String, u32, String)>> = Mutex::new(Vec::new());
    let here = std::thread::current().id();
    let usual = take_hook();
    set_hook(Box::new(move |info| {
        if std::thread::current().id() != here {
            return usual(info);
        }
        let place = info.location().expect("panics have a place");
        let text = info.payload().downcast_ref::<String>().cloned().unwrap_or_default();
        SEEN.lock().unwrap().push((place.file().to_owned(), place.line(), text));
    }));
    let mut x = Array2::<i32>::zeros((3, 4));
    let spec = s![:, 7];
    let text = x.try_pyslice(spec).unwrap_err().to_string();
    assert_eq!(
        text,
        "index 7 is outside axis 1 of length 4; use -4 to 3, or a range, which is clamped"
    );
    let mut lines = Vec::new();
    macro_rules! panics {
        ($($call:expr),* $(,)?) => { $(
            lines.push(line!());
            assert!(catch_unwind(AssertUnwindSafe(|| { let _ = $call; })).is_err());
        )* };
    }
    panics!(x.pyslice(spec), x.pyslice_mut(spec), x.pyslice_copy(spec), x.pyslice_fill(spec, 1));
    panics!(x.clone().pyslice_move(spec), x.pyslice_assign(spec, &array![1]));
    panics!(x.pyslice_many_mut([spec]));
    let seen = std::mem::take(&mut *SEEN.lock().unwrap());
    assert_eq!(seen.len(), 7);
    for ((file, line, said), wanted) in seen.into_iter().zip(lines) {
        assert_eq!((file.as_str(), line, said.as_str()), (file!(), wanted, text.as_str()));
    }
}

#[test]
fn copy_types_of_other_crates_are_copied_from_every_layout() {
    use ndarray::Slice;
    use num_complex::Complex;
    use std::fmt::Debug;
    use std::num::Wrapping;

    /// What crates for half floats, for pixels and for plain data have.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(transparent)]
    struct Half(u16);
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(C)]
    struct Pixel {
        colour: [u8; 3],
        depth: u32,
    }

    fn check<T: Clone + Debug + PartialEq>(make: impl Fn(usize) -> T) {
        let whole = Array3::from_shape_fn((5, 6, 40), |(i, j, k)| make(240 * i + 40 * j + k));
        // Gaps in the last axis, in the middle, rows long and short, and backwards.
        for (axis, slice) in [
            (0, Slice::new(0, None, 1)),
            (2, Slice::new(1, None, 3)),
            (2, Slice::new(3, Some(33), 1)),
        ] {
            for (other, cut) in [
                (1, Slice::new(1, Some(-1), 1)),
                (1, Slice::new(0, None, -2)),
                (2, Slice::new(0, Some(3), 1)),
            ] {
                let mut view = whole.slice_axis(Axis(axis), slice);
                view.slice_axis_inplace(Axis(other), cut);
                assert_eq!(view.pyslice_copy(s![...]), view);
                assert_eq!(
                    view.pyslice_copy(s![::-2, ..., ::2]),
                    view.slice(ndarray::s![..;-1, .., ..;2]).slice(ndarray::s![..;2, .., ..])
                );
                let reversed = view.reversed_axes();
                assert_eq!(reversed.pyslice_copy(s![1:]), reversed.slice(ndarray::s![1.., .., ..]));
            }
        }
    }
    check(|k| Half(k as u16));
    check(|k| Pixel { colour: [k as u8, 1, 2], depth: k as u32 });
    check(|k| Wrapping(k as u64));
    check(|k| (k % 3 != 0).then_some(k as u8));
    check(|k| Complex::new(k as f32, -1.));
    check(|k| Complex::new(k as f64, -1.));
    check(|k| k as f32);
    check(|k| [k as u8, 1, 2]);
    check(|k| k.to_string());
    check(|_| ());
}

/// A plan keeps 8 axes in place; a literal may make more.
#[test]
fn a_literal_makes_more_axes_than_a_plan_keeps_in_place() {
    let x = Array::from_shape_fn((2, 3, 1, 2, 3, 2), |t| t.4 as u64 + 7);
    let wide = x.pyslice(s![None, None, None]);
    assert_eq!(wide.shape(), [1, 1, 1, 2, 3, 1, 2, 3, 2]);
    assert!(wide.iter().eq(x.iter()));
    let copy = x.pyslice_copy(s![None, None, None]);
    assert_eq!(copy.shape(), wide.shape());
    assert!(copy.iter().eq(x.iter()));
}
