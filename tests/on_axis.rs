//! Slices of an axis that is known only at run time, beside ndarray's `slice_axis` and `index_axis`.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use ndarray::{Array, Array2, Array3, ArrayD, Axis, Dimension, Ix2, Slice, array};
use pyslice::{AsSpec, OnAxis, PySlice, Rank, SliceError, SliceRank, Spec, SpecBuf, s};

fn numbers() -> Array3<f64> {
    Array::from_shape_fn((3, 4, 5), |(i, j, k)| (i * 20 + j * j * 5 + k * 3) as f64)
}

/// `np.diff(x, axis=axis)`, for an array of any dimension type.
fn diff<D: Dimension>(x: &Array<f64, D>, axis: usize) -> Array<f64, D> {
    &x.pyslice(s![1:].on_axis(axis)) - &x.pyslice(s![:-1].on_axis(axis))
}

#[test]
fn a_generic_dimension_is_kept() {
    let x = numbers();
    for axis in 0..3 {
        let after = x.slice_axis(Axis(axis), Slice::from(1..));
        let before = x.slice_axis(Axis(axis), Slice::from(..-1));
        assert_eq!(diff(&x, axis), &after - &before);
        assert_eq!(diff(&x.clone().into_dyn(), axis), (&after - &before).into_dyn());
    }
    assert_eq!(diff(&array![1., 4., 9.], 0), array![3., 5.]);
}

#[test]
fn ranks_change_as_on_any_other_axis() {
    let mut x = numbers();
    let column: Array2<f64> = x.pyslice_copy(s![-1].on_axis(1_u8));
    assert_eq!(column, x.index_axis(Axis(1), 3));
    // Static enough for operations that need a type.
    assert_eq!(x.pyslice(s![0].on_axis(0)).dot(&Array2::eye(5)), x.index_axis(Axis(0), 0));
    assert_eq!(x.pyslice(s![None].on_axis(1)).shape(), [3, 1, 4, 5]);
    assert_eq!(x.pyslice(s![None, None].on_axis(3)).shape(), [3, 4, 5, 1, 1]);
    assert_eq!(x.pyslice(s![0, None].on_axis(-1)).shape(), [3, 4, 1]);
    assert_eq!(x.pyslice(s![0, ..., 1].on_axis(1)).shape(), [3]);
    x.pyslice_fill(s![::2].on_axis(-1), 0.);
    x.pyslice_assign(s![1].on_axis(i128::from(2)), &column.pyslice(s![:, :4]));
    assert_eq!(x.index_axis(Axis(2), 1), column.slice(ndarray::s![.., ..4]));
    assert_eq!((x[[0, 0, 0]], x[[1, 2, 3]]), (0., 49.));
}

#[test]
fn an_axis_that_is_not_there_is_an_error_of_the_call() {
    let x = array![[1, 2, 3], [4, 5, 6]];
    for axis in [2, 5, -3, i64::MAX, i64::MIN] {
        let wrong = SliceError::AxisOutOfRange { axis, rank: 2 };
        assert_eq!(x.try_pyslice(s![1:].on_axis(axis)).unwrap_err(), wrong);
        assert_eq!(x.try_pyslice_copy(s![0].on_axis(axis)).unwrap_err(), wrong);
        assert_eq!(s![1:].on_axis(axis).plan(&[2, 3]).unwrap_err(), wrong);
        assert_eq!(s![1:].on_axis(axis).plan_strided(&[2, 3], &[3, 1]).unwrap_err(), wrong);
        assert_eq!(s![1:].on_axis(axis).infer_shape(&[pyslice::Dim::Unknown; 2]), Err(wrong));
        // A new axis may stand behind the last one.
        assert_eq!(x.try_pyslice(s![None].on_axis(axis)).is_ok(), axis == 2);
    }
    let text = "axis 5 is outside an array of rank 2; use 0 to 1, or -2 to -1 from the last one";
    assert_eq!(s![1:].on_axis(5).plan(&[2, 3]).unwrap_err().to_string(), text);
    // From axis 1 on there are too few axes for both entries.
    let two = SliceError::TooManyEntries { takes: 3, rank: 2 };
    assert_eq!(x.try_pyslice(s![1:, 1:].on_axis(1)).unwrap_err(), two);
    assert_eq!(x.try_pyslice(s![1:, 1:].on_axis(-1)).unwrap_err(), two);
    assert_eq!(ndarray::arr0(1).try_pyslice(s![0].on_axis(0)).unwrap_err().to_string(), {
        "the slice needs 1 axis, but the array has 0; remove 1 entry, or insert axes with `None` in \
         a slice before this one"
    });
    // Indices and bounds are those of the axis.
    let index = SliceError::IndexOutOfRange { index: 3, axis: 1, len: 3 };
    assert_eq!(x.try_pyslice(s![3].on_axis(1)).unwrap_err(), index);
    let bound = SliceError::BoundOutOfRange { bound: 4, axis: 1, len: 3 };
    assert_eq!(x.try_pyslice(s![:4].strict().on_axis(-1)).unwrap_err(), bound);
    assert_eq!(x.try_pyslice(s![:4].on_axis(-1).strict()).unwrap_err(), bound);
}

#[test]
fn it_is_a_slice_like_others() {
    /// What library authors write.
    fn shape(spec: impl AsSpec) -> Result<Vec<usize>, SliceError> {
        Ok(spec.as_spec().plan(&[4, 5, 6])?.shape().to_vec())
    }
    fn rank<const N: usize>(spec: impl SliceRank<3, Out = Rank<N>>) -> usize {
        assert_eq!(shape(&spec).unwrap().len(), N);
        N
    }
    assert_eq!(shape(s![1:].on_axis(1)), Ok(vec![4, 4, 6]));
    assert_eq!(rank(s![0].on_axis(2)), 2);
    assert_eq!(rank(s![None, 1:].on_axis(-1)), 4);

    const ALL: Spec<1> = s![::-1];
    let flipped: OnAxis<Spec<1>> = ALL.on_axis(1);
    assert_eq!(flipped.to_buf(), SpecBuf::from(flipped));
    assert_ne!(flipped.to_buf(), s![:, ::-1].to_buf());
    assert_eq!(flipped.expand().unwrap(), s![:, ::-1].to_buf());
    assert!(flipped.same_on(s![:, ::-1], &[3, 4]).unwrap());
    assert_eq!((flipped.as_ref().axis(), ALL.axis()), (1, 0));
    // A number of axes in its type would be wrong for it.
    assert!(Spec::<1>::try_from(flipped.as_ref()).is_err());
    assert_eq!(flipped.to_buf().on_axis(0).to_string(), "::-1");
    // What cannot be written as entries has words of its own.
    assert_eq!(s![1:].on_axis(99).to_buf().to_string(), "1: on axis 99");

    // A slice of a slice, a plan of a plan, and back from `IxDyn`.
    let plan = s![1:].plan(&[4, 5]).unwrap();
    assert_eq!(plan.then(flipped).unwrap(), s![1:, ::-1].plan(&[4, 5]).unwrap());
    let x: ArrayD<i32> = array![[1, 2], [3, 4]].into_dyn();
    let row = x.pyslice(s![::-1].on_axis(1)).into_dimensionality::<Ix2>().unwrap();
    assert_eq!(row, array![[2, 1], [4, 3]]);
}
