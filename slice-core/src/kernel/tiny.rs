//! Slices of a few elements, where reading the plan costs as much as moving the data.
//!
//! One pass over the axes does what takes three elsewhere: the check against the buffer, the merging and the count. It
//! gives up, having touched nothing, on whatever is not small, plain and right; the general way then decides.

use super::View;
use super::movers::Whole;
use super::nest::Axis;
use super::walk;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::marker::PhantomData;
use core::mem::size_of;
use core::ptr::NonNull;

/// Results up to this many bytes are tried here.
pub(crate) const MAX_BYTES: usize = 512;

/// Beyond this many elements in the source the arithmetic below might need checks.
const MAX_SOURCE: usize = if usize::BITS >= 64 { 1 << 40 } else { 1 << 20 };

/// An empty vector with room for `len` elements, if that is little and can be had.
///
/// `Vec`'s own fallible ways are made for growing, and take as long as the copy.
#[inline(always)]
pub(crate) fn room<T>(len: usize) -> Option<Vec<T>> {
    if size_of::<T>() == 0 || len == 0 || len > MAX_BYTES / size_of::<T>() {
        return None;
    }
    let layout = Layout::array::<T>(len).ok()?;
    // SAFETY: the layout is not empty: there is an element, and it has a size.
    let start = NonNull::new(unsafe { alloc::alloc::alloc(layout) }.cast::<T>())?;
    // SAFETY: just allocated by the global allocator, which is Vec's, with the layout of `len` elements.
    Some(unsafe { Vec::from_raw_parts(start.as_ptr(), 0, len) })
}

/// Copies a view out of `src` into `dst`, if it is small and simple enough and fits both; says whether it did.
///
/// # Safety
///
/// `src` can be read for `src_len` elements of `elem` bytes, `dst` can be written for `dst_len`, and the two do not overlap.
/// Nothing is asked of the view.
#[inline(always)]
pub(crate) unsafe fn copy(
    View { shape, strides, offset }: View<'_>,
    elem: usize,
    (src, src_len): (*const u8, usize),
    (dst, dst_len): (*mut u8, usize),
) -> bool {
    let rank = shape.len();
    if elem == 0 || dst_len > MAX_BYTES / elem || src_len > MAX_SOURCE || rank > 4 || strides.len() != rank {
        return false;
    }
    let one = Axis { n: 1, step: 0 };
    let mut fold = Fold { low: offset, high: offset, len: 1, run: elem, inner: one, outer: one };
    // Written out, so that each axis is a constant where the rank is: that leaves no array of the plan in memory.
    let simple = (rank <= 3 || fold.axis(shape[3], strides[3], elem))
        && (rank <= 2 || fold.axis(shape[2], strides[2], elem))
        && (rank <= 1 || fold.axis(shape[1], strides[1], elem))
        && (rank == 0 || fold.axis(shape[0], strides[0], elem));
    let Fold { low, high, len, run, inner, outer } = fold;
    // `low` wraps to something huge where it would be negative.
    if !simple || len != dst_len || high >= src_len || low > offset {
        return false;
    }
    let first = src.wrapping_add(offset * elem);
    // SAFETY: the runs are the positions of the view, `len` in all: none lies below `low` or above `high`, which are
    // inside the `src_len` elements at `src` (the offset lies between them), and `dst` has room for just `len`.
    unsafe { moves(inner, outer, first, dst, run, elem) };
    true
}

/// The axes so far, from the last on: the lowest and the highest position, the count, the contiguous bytes, and at most
/// two loops around them.
struct Fold {
    low: usize,
    high: usize,
    len: usize,
    run: usize,
    inner: Axis,
    outer: Axis,
}

impl Fold {
    /// Takes in the next axis; says whether it can.
    #[inline(always)]
    fn axis(&mut self, n: usize, stride: isize, elem: usize) -> bool {
        if n == 1 {
            return true;
        }
        // With lengths of at most MAX_BYTES, likewise their product so far, and strides below MAX_SOURCE nothing here
        // overflows: each of the four reaches is below 2^49 (2^29 where a usize has 32 bits).
        if n.wrapping_sub(2) > MAX_BYTES - 2 || self.len > MAX_BYTES || stride.unsigned_abs() >= MAX_SOURCE {
            return false;
        }
        self.len *= n;
        let reach = (n - 1) * stride.unsigned_abs();
        if stride < 0 {
            self.low = self.low.wrapping_sub(reach);
        } else {
            self.high = self.high.wrapping_add(reach);
        }
        let step = stride * elem as isize;
        if self.inner.n == 1 {
            if step == self.run as isize {
                self.run *= n;
            } else {
                self.inner = Axis { n, step };
            }
        } else if self.outer.n == 1 {
            if step == self.inner.step * self.inner.n as isize {
                self.inner.n *= n;
            } else {
                self.outer = Axis { n, step };
            }
        } else {
            return false;
        }
        true
    }
}

/// Moves two loops of runs; a loop of one turn is none.
///
/// # Safety
///
/// Each of the runs at `src` can be read, all of them together written at `dst`, without overlap; `run` is not 0.
#[inline(always)]
unsafe fn moves(inner: Axis, outer: Axis, src: *const u8, dst: *mut u8, run: usize, elem: usize) {
    macro_rules! single {
        ($word:ty) => {{
            let mover = Whole::<$word>(PhantomData);
            // SAFETY: the caller's promise; an outer loop of one turn is none.
            unsafe {
                if outer.n == 1 { walk::one(inner, src, dst, mover) } else { walk::two(inner, outer, src, dst, mover) }
            }
        }};
    }
    // Runs of one element, whose size the compiler knows, need no choice at run time.
    match elem {
        1 if run == elem => single!(u8),
        2 if run == elem => single!(u16),
        4 if run == elem => single!(u32),
        8 if run == elem => single!(u64),
        16 if run == elem => single!([u64; 2]),
        // SAFETY: the caller's promise.
        _ => unsafe { any(inner, outer, src, dst, run) },
    }
}

/// # Safety
///
/// As for [`moves`].
#[inline(never)]
unsafe fn any(inner: Axis, outer: Axis, src: *const u8, dst: *mut u8, run: usize) {
    // SAFETY: the caller's promise.
    unsafe { walk::any_two(inner, outer, src, dst, run) }
}
