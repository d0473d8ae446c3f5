//! Arrays of ndarray as results and as values.
#![cfg(feature = "ndarray")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use ndarray::{Array2, arr0, arr1, arr2};
use pyslice::s;
use pyslice_zarrs::{Error, PyArray};
use slice_core::SliceError;
use support::{Layout, array};

#[test]
fn arrays_go_in_and_come_out() {
    let array = array(&[4, 6], &[3, 4], Layout::ShardedGzip, "int32");
    let data = Array2::from_shape_fn((4, 6), |(i, j)| (10 * i + j) as i32);
    array.py_assign(s![...], &data).unwrap();
    let part = array.py::<i32>(s![::-2, None, 1:4]).unwrap().into_ndarray().unwrap();
    let expected = arr2(&[[31, 32, 33], [11, 12, 13]]).into_shape_with_order((2, 1, 3)).unwrap();
    assert_eq!(part, expected.into_dyn());

    // Views in any order, broadcast as NumPy does; axes of length 1 in front do not count.
    let turned = Array2::from_shape_fn((6, 4), |(i, j)| (i * j) as i32);
    array.py_assign(s![:], &turned.t()).unwrap();
    assert_eq!(array.py::<i32>(s![3]).unwrap().values(), [0, 3, 6, 9, 12, 15]);
    array.py_assign(s![1], &arr0(5)).unwrap();
    array.py_assign(s![2, :3], &arr2(&[[7, 8, 9]])).unwrap();
    array.py_assign(s![..., 5], &arr1(&[1, 2, 3, 4])).unwrap();
    let expected =
        [[0, 0, 0, 0, 0, 1], [5, 5, 5, 5, 5, 2], [7, 8, 9, 6, 8, 3], [0, 3, 6, 9, 12, 4]];
    assert_eq!(array.py::<i32>(s![:]).unwrap().values(), expected.as_flattened());

    let unlike = array.py_assign(s![0], &arr1(&[1, 2])).unwrap_err();
    assert!(matches!(unlike, Error::Slice(SliceError::Broadcast { .. })), "{unlike}");
    // What was read can be assigned.
    let column = array.py::<i32>(s![:, 4:5]).unwrap();
    array.py_assign(s![:, :2], &column).unwrap();
    assert_eq!(array.py::<i32>(s![:, 1]).unwrap().values(), [0, 5, 8, 12]);
}

#[test]
fn an_array_that_ndarray_does_not_have_is_an_error() {
    let array = array(&[0, 1 << 40, 1 << 40], &[3, 1 << 20, 1 << 20], Layout::Plain, "int32");
    let none = array.py::<i32>(s![:]).unwrap();
    assert_eq!(none.shape(), [0, 1 << 40, 1 << 40]);
    assert!(none.into_ndarray().is_err());
    assert!(array.py::<i32>(s![:, 0]).unwrap().into_ndarray().is_ok());
}
