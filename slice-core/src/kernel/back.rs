//! The way back and between: contiguous values into a view, one value into it, two views, sums.

use core::ops::AddAssign;

use super::View;
use super::nest::{Axis, Nest, PairNest, room};
use super::walk::{Visit, each_row};

/// Calls `f` for every run of a nest, with its byte offset in the strided buffer and the bytes of all runs before.
#[inline(always)]
fn each_run(axes: &[Axis], run: usize, f: impl FnMut(isize, usize)) {
    struct Call<F>(F);
    impl<F: FnMut(isize, usize)> Visit for Call<F> {
        #[inline(always)]
        unsafe fn row(&mut self, strided: isize, flat: usize) {
            (self.0)(strided, flat);
        }
    }
    // SAFETY: `Call` asks for nothing.
    unsafe { each_row(axes, run, &mut Call(f)) }
}

/// Copies contiguous values into the view's positions, in order.
///
/// # Safety
///
/// Every position of `view` lies in the `dst_len` elements at `dst`; `values` has as many elements as the view, and does not
/// overlap.
pub(crate) unsafe fn scatter(view: View<'_>, elem: usize, values: *const u8, dst: *mut u8, _dst_len: usize) {
    let mut room = room();
    let Some(nest) = Nest::merge(&mut room, &view, elem) else { return };
    let first = dst.wrapping_add(nest.start);
    each_run(nest.axes, nest.run, |at, before| {
        // SAFETY: a run of the view, which the caller vouches for, and the values that belong there.
        unsafe { core::ptr::copy_nonoverlapping(values.add(before), first.wrapping_offset(at), nest.run) }
    });
}

/// Writes one value to all positions.
///
/// # Safety
///
/// Every position of `view` lies in the `dst_len` elements at `dst`; `value` points at one element outside it.
pub(crate) unsafe fn fill(view: View<'_>, elem: usize, value: *const u8, dst: *mut u8, _dst_len: usize) {
    let mut room = room();
    let Some(nest) = Nest::merge(&mut room, &view, elem) else { return };
    let first = dst.wrapping_add(nest.start);
    each_run(nest.axes, nest.run, |at, _| {
        for i in (0..nest.run).step_by(elem) {
            // SAFETY: one element of a run of the view, which the caller vouches for.
            unsafe { core::ptr::copy_nonoverlapping(value, first.wrapping_offset(at).add(i), elem) }
        }
    });
}

/// Writes `zero` to all of `dx`, then `dy` to the view's positions.
///
/// # Safety
///
/// As [`scatter`], with `dx` of `dx_len` elements that need not be initialised, and `zero` one element outside it.
pub(crate) unsafe fn grad(view: View<'_>, elem: usize, zero: *const u8, dy: *const u8, dx: *mut u8, dx_len: usize) {
    for i in 0..dx_len {
        // SAFETY: i is below the length of dx.
        unsafe { core::ptr::copy_nonoverlapping(zero, dx.add(i * elem), elem) }
    }
    // SAFETY: the caller's promise is the one that scatter asks for.
    unsafe { scatter(view, elem, dy, dx, dx_len) }
}

/// Copies every position of one layout to the same position of another; pointers are at element `[0, 0, …]`.
///
/// # Safety
///
/// Every position of either view is readable (writable) memory of `elem` bytes, and the two do not overlap.
pub(crate) unsafe fn transfer(
    elem: usize,
    shape: &[usize],
    src: *const u8,
    src_strides: &[isize],
    dst: *mut u8,
    dst_strides: &[isize],
) {
    let mut room = room();
    let Some(nest) = PairNest::merge(&mut room, shape, src_strides, dst_strides, elem) else { return };
    fn walk(nest: &PairNest<'_>, depth: usize, src: *const u8, dst: *mut u8) {
        let Some(axis) = depth.checked_sub(1).map(|d| nest.axes()[d]) else {
            // SAFETY: one run on both sides, which the caller of `transfer` vouches for.
            return unsafe { core::ptr::copy_nonoverlapping(src, dst, nest.run) };
        };
        for i in 0..axis.n as isize {
            walk(nest, depth - 1, src.wrapping_offset(i * axis.src), dst.wrapping_offset(i * axis.dst));
        }
    }
    walk(&nest, nest.axes().len(), src, dst);
}

/// Adds contiguous values to the view's positions, in order.
///
/// # Safety
///
/// Every position of `view` lies in the array at `dst`; `values` has as many elements as the view, and does not overlap.
pub(crate) unsafe fn add<T: Copy + AddAssign>(view: View<'_>, values: *const T, dst: *mut T) {
    let mut room = room();
    let Some(nest) = Nest::merge(&mut room, &view, size_of::<T>()) else { return };
    let first = dst.wrapping_byte_add(nest.start);
    each_run(nest.axes, nest.run, |at, before| {
        let (to, from) = (first.wrapping_byte_offset(at), values.wrapping_byte_add(before));
        for i in 0..nest.run / size_of::<T>() {
            // SAFETY: one element of a run of the view and the value that belongs there; T is Copy, so reading does not move.
            unsafe { *to.add(i) += *from.add(i) }
        }
    });
}
