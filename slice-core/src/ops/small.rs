//! Slices of a few elements or long runs, tried before a view is made: one call, which checks for
//! itself.

use super::values::Source;
use super::view::Claim;
use crate::kernel::memory::reserve;
use crate::kernel::small::{self, FILL, GATHER, SCATTER};
use alloc::vec::Vec;
use core::mem::{MaybeUninit, size_of};

/// An empty vector with room for `len` elements, if that is little and can be allocated.
#[inline]
pub(super) fn room<T>(len: usize) -> Option<Vec<T>> {
    if size_of::<T>() == 0 || len == 0 || len > small::most(size_of::<T>()) {
        return None;
    }
    let mut out = Vec::new();
    reserve(&mut out, len).ok()?;
    Some(out)
}

/// Copies the slice to an empty vector, if it has room for it, the slice is small and simple, and
/// `src` is the array of the plan. Returns whether it did.
pub(super) fn to_vec<T: Copy>(claim: &Claim<'_>, src: &[T], out: &mut Vec<T>) -> bool {
    let room = out.spare_capacity_mut().get_mut(..claim.len);
    let done = room.is_some_and(|dst| copy(claim, src, dst));
    if done {
        // SAFETY: the capacity is at least `len` (the range above was inside it), and all is
        // written.
        unsafe { out.set_len(claim.len) };
    }
    done
}

/// Copies all of the slice, if it is small and simple and both buffers fit. Returns whether it did.
pub(super) fn copy<T: Copy>(claim: &Claim<'_>, src: &[T], dst: &mut [MaybeUninit<T>]) -> bool {
    let (from, to) = ((src.as_ptr().cast(), src.len()), (dst.as_mut_ptr().cast(), dst.len()));
    // SAFETY: both slices are what their lengths say, and `dst`, being `&mut`, does not overlap
    // `src`. Elements are `Copy`, so moving their bytes is moving them.
    let done = || unsafe { small::copy::<GATHER>(claim.layout, size_of::<T>(), from, to) };
    (claim.unit, src.len()) == (1, claim.input_len) && done()
}

/// Writes all of the slice, if it is small and simple and both buffers fit. Returns whether it did.
pub(super) fn put<T: Copy>(claim: &Claim<'_>, dst: &mut [T], values: &Source<'_, T>) -> bool {
    let (fill, values, count) = match values {
        Source::All(values) => (false, values.as_ptr(), values.len()),
        Source::One(value) => (true, core::ptr::from_ref(*value), claim.len),
        _ => return false,
    };
    let by = if fill { small::copy::<FILL> } else { small::copy::<SCATTER> };
    let to = (dst.as_mut_ptr().cast(), dst.len());
    // SAFETY: `values` is as many elements as `put` is told, and one for a fill; `dst` is what its
    // length says and, being `&mut`, does not overlap them. Elements are `Copy`, so moving their
    // bytes is moving them.
    let done = || unsafe { by(claim.layout, size_of::<T>(), (values.cast(), count), to) };
    (claim.unit, dst.len()) == (1, claim.input_len) && done()
}
