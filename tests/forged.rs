//! Passes values that no macro makes to everything that only macros are meant to call. They are
//! refused, or taken for what they are. There is never a panic outside of a constant, and never an
//! access to an element that is not the array's.
#![forbid(unsafe_code)]
#![allow(unreachable_pub, reason = "a test crate has no public interface")]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/forged.rs"]
mod forged;
#[path = "support/layouts.rs"]
mod layouts;

use ndarray::{Array, ArrayView1, Axis, Ix2};
use pyslice::{__private, Entry, PySlice, SliceError, Spec};

#[test]
fn no_type_makes_a_slice_into_what_it_is_not() {
    let mut state = 1_u64;
    let mut below = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    for _ in 0..3 {
        (0..forged::TYPES).for_each(|which| {
            forged::one_type(which, &mut forged::Numbers { below: &mut below, catches: true })
        });
    }
}

/// An index under a type that counts a range would read three words past the end of this array.
#[test]
fn a_range_too_many_reads_nothing() {
    let x = Array::from(vec![1_u64, 2, 3, 4]);
    let mut back = x.view();
    back.invert_axis(Axis(0));
    let two = back.insert_axis(Axis(1));
    let empty = Entry::Range { start: None, stop: Some(0), step: 1 };
    let forged: Spec<2, 2, 1, 0> = __private::build([Entry::FULL, empty]);
    let view: Result<ArrayView1<'_, u64>, SliceError> = two.try_pyslice(forged);
    assert!(matches!(view, Err(SliceError::NotRepresentable { .. })), "{view:?}");
    assert!(
        two.to_owned()
            .into_dimensionality::<Ix2>()
            .unwrap()
            .try_pyslice_many_mut([forged, forged])
            .is_err()
    );
    assert!(forged.plan(&[4, 1]).is_err() && forged.plan_strided(&[4, 1], &[-1, 1]).is_err());
}

/// What else the expansions call.
#[test]
fn numbers_of_any_size() {
    for (rank, drops, adds) in [(0, usize::MAX, 0), (usize::MAX, 0, usize::MAX), (3, 1, 2)] {
        let out = __private::out_rank(rank, drops, adds);
        assert_eq!(
            out as u128,
            ((rank as u128).saturating_sub(drops as u128) + adds as u128).min(usize::MAX as u128)
        );
    }
    for wide in [i128::MIN, i128::MAX, i128::from(u64::MAX), -1] {
        let value = __private::const_value(&0_i128, wide);
        assert_eq!(i128::from(value), wide.clamp(i64::MIN.into(), i64::MAX.into()));
        assert_eq!(
            __private::const_value(&0_u128, wide) == i64::MAX,
            !(0..i64::MAX.into()).contains(&wide)
        );
    }
    assert_eq!(
        __private::range(None, Some(i64::MIN), None),
        Entry::Range { start: None, stop: Some(i64::MIN), step: 1 }
    );
}
