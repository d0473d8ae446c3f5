//! The loops that move elements, and the choice among them.

pub(crate) mod memory;

use core::ops::AddAssign;

/// Where a view lies in a buffer: shape, strides and offset in elements; strides may be negative or 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) shape: &'a [usize],
    pub(crate) strides: &'a [isize],
    pub(crate) offset: usize,
}

impl View<'_> {
    /// How many positions the view has, if all of them lie in a buffer of `buffer` elements.
    ///
    /// It trusts nothing: this is the check that the safety of every entry point rests on.
    #[inline]
    pub(crate) fn fits(&self, buffer: usize) -> Option<usize> {
        if self.shape.len() != self.strides.len() {
            return None;
        }
        let (mut len, mut over) = (1usize, false);
        let (mut low, mut high) = (self.offset, self.offset);
        for (&n, &s) in self.shape.iter().zip(self.strides) {
            if n == 0 {
                return Some(0);
            }
            let (product, o) = len.overflowing_mul(n);
            let (reach, p) = (n - 1).overflowing_mul(s.unsigned_abs());
            len = product;
            let q;
            if s < 0 {
                (low, q) = low.overflowing_sub(reach);
            } else {
                (high, q) = high.overflowing_add(reach);
            }
            over |= o | p | q;
        }
        (!over && high < buffer && low <= high).then_some(len)
    }
}

/// Calls `f` with the element offsets (from the views' first elements) of every position, in C order.
fn walk(shape: &[usize], a: &[isize], b: &[isize], x: isize, y: isize, f: &mut impl FnMut(isize, isize)) {
    let (Some((&n, shape)), Some((&s, a)), Some((&t, b))) = (shape.split_first(), a.split_first(), b.split_first())
    else {
        return f(x, y);
    };
    for i in 0..n as isize {
        walk(shape, a, b, x.wrapping_add(i.wrapping_mul(s)), y.wrapping_add(i.wrapping_mul(t)), f);
    }
}

/// Copies every position of one view to the same position of another; pointers are at element `[0, 0, …]`.
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
    let e = elem as isize;
    walk(shape, src_strides, dst_strides, 0, 0, &mut |x, y| {
        // SAFETY: x and y are the offsets of one position each, which the caller vouches for.
        unsafe { core::ptr::copy_nonoverlapping(src.offset(x * e), dst.offset(y * e), elem) }
    });
}

/// Calls `f` with the element offset of every position of `view` and its number in C order.
fn number(view: View<'_>, f: &mut impl FnMut(usize, usize)) {
    let (mut i, ones) = (0usize, view.strides);
    walk(view.shape, ones, ones, view.offset as isize, 0, &mut |x, _| {
        f(x as usize, i);
        i += 1;
    });
}

/// # Safety
///
/// Every position of `view` lies in the `src_len` elements at `src`; `dst` has room for the view, and does not overlap.
pub(crate) unsafe fn gather(view: View<'_>, elem: usize, src: *const u8, _src_len: usize, dst: *mut u8) {
    number(view, &mut |x, i| {
        // SAFETY: x is a position of the view, i counts its positions.
        unsafe { core::ptr::copy_nonoverlapping(src.add(x * elem), dst.add(i * elem), elem) }
    });
}

/// # Safety
///
/// Every position of `view` lies in the `dst_len` elements at `dst`; `values` has as many elements as the view, and does not
/// overlap.
pub(crate) unsafe fn scatter(view: View<'_>, elem: usize, values: *const u8, dst: *mut u8, _dst_len: usize) {
    number(view, &mut |x, i| {
        // SAFETY: x is a position of the view, i counts its positions.
        unsafe { core::ptr::copy_nonoverlapping(values.add(i * elem), dst.add(x * elem), elem) }
    });
}

/// # Safety
///
/// Every position of `view` lies in the `dst_len` elements at `dst`; `value` points at one element outside it.
pub(crate) unsafe fn fill(view: View<'_>, elem: usize, value: *const u8, dst: *mut u8, _dst_len: usize) {
    number(view, &mut |x, _| {
        // SAFETY: x is a position of the view.
        unsafe { core::ptr::copy_nonoverlapping(value, dst.add(x * elem), elem) }
    });
}

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

/// # Safety
///
/// Every position of `view` lies in the array at `dst`; `values` has as many elements as the view, and does not overlap.
pub(crate) unsafe fn add<T: Copy + AddAssign>(view: View<'_>, values: *const T, dst: *mut T) {
    number(view, &mut |x, i| {
        // SAFETY: x is a position of the view, i counts its positions; T is Copy, so reading does not move.
        unsafe { *dst.add(x) += *values.add(i) }
    });
}
