//! Windows that hang over the edges of an array, index by index.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use ndarray::{Array, Array2, ArrayD, Dimension, IxDyn, array};
use proptest::collection::vec;
use proptest::prelude::*;
use pyslice::{PySlice, SliceError, window};
use support::generate;

fn cases() -> impl Strategy<Value = (Vec<usize>, Vec<i64>, Vec<usize>)> {
    generate::shape(4, 200).prop_flat_map(|shape| {
        let rank = shape.len();
        (Just(shape), vec(-9..9_i64, rank), vec(0..7_usize, rank))
    })
}

proptest! {
    #![proptest_config(generate::config(400))]

    #[test]
    fn each_position_is_the_arrays_or_filled((shape, begin, size) in cases()) {
        let len: usize = shape.iter().product();
        let x = ArrayD::from_shape_vec(shape.clone(), (1..=len).collect()).unwrap();
        let expected = Array::from_shape_fn(size.clone(), |at: IxDyn| {
            let place: Option<Vec<usize>> = begin
                .iter()
                .zip(at.as_array_view())
                .map(|(&begin, &at)| usize::try_from(begin + at as i64).ok())
                .collect();
            place.and_then(|place| x.get(&place[..])).copied().unwrap_or(0)
        });
        // Also of an array that is not contiguous.
        let reversed = x.t();
        let crop = reversed.t().pyslice_window(&begin, IxDyn(&size), 0);
        prop_assert_eq!(&crop, &expected);

        let (take, place) = window(&shape, &begin, &size).unwrap();
        prop_assert_eq!(take.shape(), place.shape());
        let mut crop = vec![0; size.iter().product()];
        place.assign(&mut crop, take.on(x.as_slice().unwrap()).unwrap()).unwrap();
        prop_assert_eq!(crop, expected.into_raw_vec_and_offset().0);
    }
}

#[test]
fn extreme_numbers_take_nothing() {
    let x = array![[1, 2], [3, 4]];
    for far in [i64::MIN, i64::MIN + 1, -3, 2, i64::MAX] {
        assert_eq!(x.pyslice_window(&[far, 0], [3, 2], 9), Array2::from_elem((3, 2), 9));
    }
    assert_eq!(x.pyslice_window(&[u128::MAX, 0], [1, 1], 9), array![[9]]);
    let zero = window(&[2], &[-1], &[usize::MAX]).unwrap_err();
    assert_eq!(zero, SliceError::ShapeTooLarge);
    let huge = isize::MAX as usize / 8;
    let error = x.mapv(i64::from).try_pyslice_window(&[-1, -1], [huge, 1], 0).unwrap_err();
    assert!(matches!(error, SliceError::OutOfMemory { .. }), "{error}");
    let ranks = SliceError::RankMismatch { expected: 2, found: 1 };
    assert_eq!(x.try_pyslice_window(&[0], [1, 1], 0).unwrap_err(), ranks);
}
