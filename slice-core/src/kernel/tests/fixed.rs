//! Slices whose shape the compiler knows: what is taken, and what is left to other code.

use crate::kernel::fixed::{copy, put};
use crate::kernel::small::{FILL, SCATTER};
use core::mem::MaybeUninit;

/// Whether the slice is taken: then all places have the values of the view, otherwise none is
/// written. The same slice is assigned and filled, too.
fn take<const OUT: usize>(
    shape: [usize; OUT],
    strides: [isize; OUT],
    offset: usize,
    (src, dst): (usize, usize),
) -> bool {
    let values: alloc::vec::Vec<u32> = (1..=src as u32).collect();
    let mut places = alloc::vec![MaybeUninit::new(0u32); dst];
    let view = super::View { shape: &shape, strides: &strides, offset };
    let taken = copy(view, &values, &mut places);
    let want = if taken { super::positions(view) } else { alloc::vec![usize::MAX; dst] };
    assert_eq!(want.len(), dst, "{shape:?}");
    for (place, at) in places.iter().zip(want) {
        // SAFETY: all places were written when they were made.
        let value = unsafe { place.assume_init() };
        assert_eq!(value, at.wrapping_add(1) as u32, "{shape:?} {strides:?}");
    }
    // The view is of the longer buffer; as many values as places.
    assert_eq!(taken, put_into::<SCATTER>(view, src, dst), "assigned: {shape:?} {strides:?}");
    assert_eq!(taken, put_into::<FILL>(view, src, dst), "filled: {shape:?} {strides:?}");
    taken
}

/// Whether `count` values, or one, are put to the view of a buffer of `len` zeros: then its places
/// have them, and all others are zeros.
fn put_into<const KIND: u8>(view: super::View<'_>, len: usize, count: usize) -> bool {
    let values: alloc::vec::Vec<u32> = (1..=count as u32).collect();
    let values = if KIND == FILL { &[7][..] } else { &values };
    let mut places = alloc::vec![0u32; len];
    let put = put::<u32, KIND>(view, values, count, &mut places);
    let mut want = alloc::vec![0u32; len];
    if put {
        for (i, at) in super::positions(view).into_iter().enumerate() {
            want[at] = if KIND == FILL { 7 } else { values[i] };
        }
    }
    assert_eq!(places, want, "{view:?}");
    put
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
    let view = super::View { shape: &[2], strides: &[1], offset: 0 };
    assert!(!put::<u32, FILL>(view, &[], 2, &mut [0; 2]), "no value");
    assert!(!put::<u32, SCATTER>(view, &[1], 2, &mut [0; 2]), "too few values");
}
