//! What the crate slice-ndarray builds on: slices of arrays that have strides of their own. No safe
//! call here touches an element.

mod disjoint;
mod narrow;

pub use crate::kernel::Side;
pub use crate::kernel::memory::reserve;
pub use crate::ops::values::broadcast_from;
pub use crate::ops::within::move_bytes;
pub use disjoint::disjoint;
pub use narrow::{Cut, lay, mistake, narrow, out_rank, position, whole_axes};

use crate::algebra::bounded_sum;
use crate::encoding::SliceIndex;
use crate::error::SliceError;
use crate::kernel::{How, Transfer, transfer};
use crate::loops::{Steps, Walk, line};
use crate::ops::zip::visit;
use crate::window;
use core::ops::Range;

/// The greatest common divisor; of 0 and `a`, `a`.
#[must_use]
pub fn gcd(a: usize, b: usize) -> usize {
    bounded_sum::gcd(a, b)
}

/// How many elements a shape has; `None` where that does not fit `isize`.
#[inline]
pub fn count(shape: &[usize]) -> Option<usize> {
    crate::plan::walk::count(shape)
}

/// The ranges of a window on each axis: of the array, and of what is made.
///
/// # Errors
///
/// Those of [`window`](crate::window()), but for the number of elements.
#[inline]
pub fn window_ranges(
    shape: &[usize],
    begin: &[impl SliceIndex + Copy],
    size: &[usize],
) -> Result<impl Iterator<Item = [Range<usize>; 2]>, SliceError> {
    window::ranges(shape, begin, size)
}

/// Copies elements of `elem` bytes from the positions of one side to those of the other.
///
/// # Safety
///
/// By its strides, each side has for every position of `shape` an element of `elem` bytes that may
/// be read, or a place that may be written; so may all of its memory where it is `whole`. No
/// element of one side is a place of the other. Copying the bits of an element copies it.
#[inline]
pub unsafe fn copy_places(
    shape: &[usize],
    elem: usize,
    src: Side<'_, *const u8>,
    dst: Side<'_, *mut u8>,
) {
    // SAFETY: the caller's promise.
    unsafe { transfer(&Transfer { shape, elem, src, dst }, How::chosen()) }
}

/// Calls `f` with each place of `to` and the value for it in `from`, in any order. Either is a first
/// element, and strides in elements; those of `from` that are missing are 0.
///
/// # Safety
///
/// For every position of `shape`, the strides lead to elements. Those of `to` may be written, no
/// two of them are one, and nothing else refers to them; those of `from` may be read, and are none
/// of `to`'s.
#[inline]
pub unsafe fn zip_places<T, U>(
    shape: &[usize],
    to: (*mut T, &[isize]),
    from: (*const U, &[isize]),
    mut f: impl FnMut(&mut T, &U),
) {
    if shape.contains(&0) {
        return;
    }
    let mut walk = Walk::new();
    walk.lay((1, shape, to.1), Steps::Given(from.1), (line::<U>(), true));
    for (loops, (src, dst)) in walk.parts() {
        let (to, from) = (to.0.wrapping_offset(dst), from.0.wrapping_offset(src));
        // SAFETY: the caller's promise; in any order, they are the positions of the shape.
        unsafe { visit::<T, U, true>(loops, to, from, &mut f) }
    }
}
