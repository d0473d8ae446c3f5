//! Slices whose shape the compiler knows: what is taken, and what is left to other code.

use crate::kernel::fixed::copy;
use core::mem::MaybeUninit;

/// Whether the slice is taken: then all places have the values of the view, otherwise none is
/// written.
fn take<const OUT: usize>(
    shape: [usize; OUT],
    strides: [isize; OUT],
    offset: usize,
    (src, dst): (usize, usize),
) -> bool {
    let values: alloc::vec::Vec<u32> = (1..=src as u32).collect();
    let mut places = alloc::vec![MaybeUninit::new(0u32); dst];
    let taken = copy(&shape, &strides, offset, &values, &mut places);
    let view = super::View { shape: &shape, strides: &strides, offset };
    let want = if taken { super::positions(view) } else { alloc::vec![usize::MAX; dst] };
    assert_eq!(want.len(), dst, "{shape:?}");
    for (place, at) in places.iter().zip(want) {
        // SAFETY: all places were written when they were made.
        let value = unsafe { place.assume_init() };
        assert_eq!(value, at.wrapping_add(1) as u32, "{shape:?} {strides:?}");
    }
    taken
}

#[test]
fn short_slices_are_taken() {
    assert!(take([5], [1], 0, (5, 5)));
    assert!(take([5], [-2], 8, (9, 5)));
    assert!(take([3, 4], [4, 1], 0, (12, 12)));
    assert!(take([2, 2, 2, 2, 2, 2], [64, -32, 16, 8, 4, -2], 34, (127, 64)));
    assert!(take([128], [1], 0, (128, 128)));
}

#[test]
fn other_slices_are_refused() {
    assert!(!take([129], [1], 0, (129, 129)), "too long");
    assert!(!take([2; 7], [64, 32, 16, 8, 4, 2, 1], 0, (128, 128)), "more loops than are written");
    assert!(!take([3], [1], 0, (3, 4)), "places without a value");
    assert!(!take([3], [1], 0, (3, 2)), "values without a place");
    assert!(!take([3], [1], 1, (3, 3)), "outside the source");
    assert!(!take([0], [1], 0, (3, 0)), "nothing");
}
