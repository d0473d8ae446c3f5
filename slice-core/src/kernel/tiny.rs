//! Slices of a few elements, where reading the plan costs as much as moving the data.
//!
//! One pass over the axes does what takes three elsewhere: the check against the buffer, the merging and the count. It
//! gives up, having touched nothing, on whatever is not small, plain and right; the general way then decides.

use super::View;
use super::nest::Axis;
use super::walk;

/// Results up to this many bytes are tried here.
pub(crate) const MAX_BYTES: usize = 512;

/// Beyond this many elements in the source the arithmetic below might need checks.
const MAX_SOURCE: usize = 1 << 40;

/// Copies the view out of `src` into `dst`, if it is small and simple enough and fits both; says whether it did.
///
/// # Safety
///
/// `src` can be read for `src_len` elements of `elem` bytes, `dst` can be written for `dst_len`, and the two do not overlap.
/// Nothing is asked of the view.
#[inline(always)]
pub(crate) unsafe fn copy(
    view: &View<'_>,
    elem: usize,
    src: *const u8,
    src_len: usize,
    dst: *mut u8,
    dst_len: usize,
) -> bool {
    if elem == 0 || dst_len > MAX_BYTES / elem || src_len > MAX_SOURCE || view.shape.len() != view.strides.len() {
        return false;
    }
    // The lowest and the highest position, the count, the contiguous bytes, and at most two loops around them.
    let (mut low, mut high, mut len) = (view.offset, view.offset, 1usize);
    let mut run = elem;
    let (mut inner, mut outer) = (Axis { n: 1, step: 0 }, Axis { n: 1, step: 0 });
    for (&n, &stride) in view.shape.iter().zip(view.strides).rev() {
        if n == 1 {
            continue;
        }
        // With lengths of at most MAX_BYTES and strides below MAX_SOURCE nothing here overflows: each reach is below 2^49,
        // and there are at most nine axes longer than 1 before `len` exceeds `dst_len`.
        if n > dst_len || n == 0 || stride.unsigned_abs() >= src_len || len > dst_len {
            return false;
        }
        len *= n;
        let reach = (n - 1) * stride.unsigned_abs();
        if stride < 0 {
            low = low.wrapping_sub(reach);
        } else {
            high = high.wrapping_add(reach);
        }
        let step = stride * elem as isize;
        if inner.n == 1 {
            if step == run as isize {
                run *= n;
            } else {
                inner = Axis { n, step };
            }
        } else if outer.n == 1 {
            if step == inner.step * inner.n as isize {
                inner.n *= n;
            } else {
                outer = Axis { n, step };
            }
        } else if step == outer.step * outer.n as isize {
            outer.n *= n;
        } else {
            return false;
        }
    }
    // `low` wraps to something huge where it would be negative.
    if len != dst_len || high >= src_len || low > view.offset {
        return false;
    }
    let first = src.wrapping_add(view.offset * elem);
    // SAFETY: the runs are the positions of the view, `len` in all: none lies below `low` or above `high`, which are
    // inside the `src_len` elements at `src` (the offset lies between them), and `dst` has room for just `len`.
    unsafe { walk::any_two(run, inner, outer, first, dst) };
    true
}
