//! Slices of a few elements, where reading the plan costs as much as moving the data.
//!
//! One pass over the axes does what takes three elsewhere: the check against the buffer, the merging and the count, on the way
//! out of a view and on the way back into it. It gives up, having touched nothing, on whatever is not small, plain and right; the general way then decides.

mod moves;
#[cfg(test)]
mod tests;

use super::View;
use super::isa;
use super::movers::Whole;
use super::nest::Axis;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::marker::PhantomData;
use core::mem::{MaybeUninit, size_of};
use core::ptr::NonNull;
use moves::{Loops, fill_runs, moves, put_any, put_any_three, put_loops};

/// Results up to this many bytes are made here; an allocation in vain would cost larger ones more than it saves.
const MAX_RESULT: usize = 512;
/// So many bytes are always moved here if it can be done; how they lie does not matter.
const FEW_BYTES: usize = 512;
/// Up to so many are if they are few runs: choosing a kernel and beginning it takes as long as some hundred single moves.
const SOME_BYTES: usize = 8 << 10;
/// Up to so many if they are one row of elements too far apart for any kernel to be faster than single moves: it would begin later, and that is all.
/// (Less where the arithmetic below would overflow.)
const MAX_BYTES: usize = if usize::BITS >= 64 { 64 << 10 } else { SOME_BYTES };
/// Up to so many if they are runs of at least a line that are written: the widest vectors move them at once.
const LONG_BYTES: usize = 32 << 10;
/// Runs of so many bytes are not, beyond [`isa::NEAR`]: the processor's own instruction for them is faster there.
const LONG_RUN: usize = 3 << 10;
/// So many runs are few. (Zen 5: up to there, plain moves take 0.3 to 0.9 of the time that the kernels take on 512 bytes to 4 KiB.)
const FEW: usize = 1024;
/// So many are in long rows of elements near each other, which vectors read faster; twice as many where they have 8 bytes and more.
const FEW_NEAR: usize = 256;

/// Beyond this many elements in the source the arithmetic below might need checks.
const MAX_SOURCE: usize = if usize::BITS >= 64 { 1 << 40 } else { 1 << 16 };

/// An empty vector with room for `len` elements, if that is little and can be had.
///
/// `Vec`'s own fallible ways are made for growing, and take as long as the copy.
#[inline(always)]
pub(crate) fn room<T>(len: usize) -> Option<Vec<T>> {
    if size_of::<T>() == 0 || len == 0 || len > MAX_RESULT / size_of::<T>() {
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
    view: View<'_>,
    elem: usize,
    (src, src_len): (*const u8, usize),
    (dst, dst_len): (*mut u8, usize),
) -> bool {
    let Some(Fold { run, loops, .. }) = Fold::of::<true, false>(view, elem, dst_len, src_len) else { return false };
    let first = src.wrapping_add(view.offset * elem);
    // SAFETY: the runs are the positions of the view, as many as `dst` has room for and inside the `src_len` elements at `src`.
    unsafe { moves(loops, first, dst, run, elem) };
    true
}

/// Copies values, in order, to the places of a view in `dst`, if it is small and simple enough and fits both; says whether it did.
///
/// # Safety
///
/// `values` can be read for `count` elements of `elem` bytes, `dst` can be written for `dst_len`, and the two do not overlap.
/// Nothing is asked of the view.
#[inline(always)]
pub(crate) unsafe fn put(
    view: View<'_>,
    elem: usize,
    (values, count): (*const u8, usize),
    (dst, dst_len): (*mut u8, usize),
) -> bool {
    let Some(Fold { run, loops, .. }) = Fold::of::<false, false>(view, elem, count, dst_len) else { return false };
    let first = dst.wrapping_add(view.offset * elem);
    macro_rules! single {
        ($word:ty) => {
            // SAFETY: the runs are the positions of the view, as many as there are values and inside the `dst_len` elements at `dst`.
            unsafe { put_loops(loops, elem as isize, values, first, Whole::<$word>(PhantomData)) }
        };
    }
    match elem {
        1 if run == elem => single!(u8),
        2 if run == elem => single!(u16),
        4 if run == elem => single!(u32),
        8 if run == elem => single!(u64),
        16 if run == elem => single!([u64; 2]),
        // SAFETY: the same. (In registers, where there are no more than two loops.)
        _ if loops.far.n == 1 => unsafe { put_any(loops.inner, loops.outer, values, first, run) },
        // SAFETY: the same.
        _ => unsafe { put_any_three(loops, values, first, run) },
    }
    true
}

/// Writes one value to the places of a view of `count` positions in `dst`, if it is small and simple enough and fits; says whether it did.
///
/// # Safety
///
/// `value` can be read for `elem` bytes, `dst` written for `dst_len` elements of as many. Nothing is asked of the view.
#[inline(always)]
pub(crate) unsafe fn fill(
    view: View<'_>,
    elem: usize,
    value: *const u8,
    count: usize,
    (dst, dst_len): (*mut u8, usize),
) -> bool {
    // Where they all get the same, their order does not matter.
    let fold = Fold::of::<false, true>(view, elem, count, dst_len);
    let Some(Fold { low, run, loops, .. }) = fold else { return false };
    let first = dst.wrapping_add(low * elem);
    macro_rules! word {
        ($word:ty) => {
            // SAFETY: one element of the size of the word; the runs are the positions of the view, inside the `dst_len` elements at `dst`.
            unsafe {
                if run == elem {
                    put_loops(loops, 0, value, first, Whole::<$word>(PhantomData))
                } else if isa::crowd_filled(first, loops.inner.step, run, loops.inner.n) {
                    // The kernel paces them.
                    return false;
                } else {
                    fill_runs::<$word>(loops, value.cast::<MaybeUninit<$word>>().read_unaligned(), first, run)
                }
            }
        };
    }
    match elem {
        1 => word!(u8),
        2 => word!(u16),
        4 => word!(u32),
        8 => word!(u64),
        16 => word!([u64; 2]),
        _ => return false,
    }
    true
}

/// The axes so far, from the last on: the lowest and the highest position, the count, the contiguous bytes, and at most
/// three loops around them.
struct Fold {
    low: usize,
    high: usize,
    len: usize,
    run: usize,
    loops: Loops,
}

impl Fold {
    /// The loops of a view, if they are few and small, the view has `count` positions, and all of them lie in a buffer of `buffer` elements.
    /// `READ`: they are read, not written. `TURN`: all loops go upwards, from the lowest position on.
    #[inline(always)]
    fn of<const READ: bool, const TURN: bool>(
        View { shape, strides, offset }: View<'_>,
        elem: usize,
        count: usize,
        buffer: usize,
    ) -> Option<Fold> {
        let rank = shape.len();
        let short = elem != 0 && count <= MAX_BYTES / elem && count != 0;
        if !short || buffer > MAX_SOURCE || offset >= buffer || rank > 4 || strides.len() != rank {
            return None;
        }
        let one = Axis { n: 1, step: 0 };
        let loops = Loops { inner: one, outer: one, far: one };
        let mut fold = Fold { low: offset, high: offset, len: 1, run: elem, loops };
        // Written out, so that each axis is a constant where the rank is: that leaves no array of the plan in memory.
        let simple = (rank <= 3 || fold.axis::<TURN>(shape[3], strides[3], elem))
            && (rank <= 2 || fold.axis::<TURN>(shape[2], strides[2], elem))
            && (rank <= 1 || fold.axis::<TURN>(shape[1], strides[1], elem))
            && (rank == 0 || fold.axis::<TURN>(shape[0], strides[0], elem));
        // `low` wraps to something huge where it would be negative, and `high` cannot wrap: the offset, below MAX_SOURCE, lies between the two.
        (simple && fold.len == count && fold.high < buffer && fold.low <= offset && fold.plain::<READ>(elem))
            .then_some(fold)
    }

    /// Whether single moves are best: few bytes, or few runs, and not in each other's way in the caches (which `moves::put_rows` sees to where they
    /// are written).
    #[inline(always)]
    fn plain<const READ: bool>(&self, elem: usize) -> bool {
        const LONG: usize = 64;
        // First, as it is what most come to.
        if self.len <= FEW_BYTES / elem {
            return true;
        }
        let Loops { inner: Axis { n, step }, outer, far } = self.loops;
        if READ && isa::may_crowd(n, step) {
            return false;
        }
        if outer.n == 1 && self.run == elem && step.unsigned_abs() / elem >= far_apart::<READ>(elem, n) {
            return true;
        }
        if self.run >= 64 {
            let most = match self.run >= LONG_RUN {
                true => isa::NEAR,
                false if READ => MAX_BYTES,
                false => LONG_BYTES,
            };
            return self.len <= most / elem;
        }
        if self.len > if elem == 16 { FEW } else { SOME_BYTES / elem } {
            return false;
        }
        // Where the sets have loops for the step. (None for every fourth word that pays.)
        let short =
            step == -(self.run as isize) || (0..=4 * elem as isize).contains(&step) && (self.run, step) != (4, 16);
        let few = match READ && n >= LONG && short {
            true if elem < 8 => FEW_NEAR,
            true => 2 * FEW_NEAR,
            false => FEW,
        };
        n * outer.n * far.n <= few
    }

    /// Takes in the next axis; says whether it can.
    #[inline(always)]
    fn axis<const TURN: bool>(&mut self, n: usize, stride: isize, elem: usize) -> bool {
        if n == 1 {
            return true;
        }
        // With at most MAX_BYTES along an axis, likewise in all so far, and strides below MAX_SOURCE nothing here overflows: a
        // reach in bytes is below 2^56 (2^29 where a usize has 32 bits, as MAX_SOURCE is less there), and there are four of them.
        let most = MAX_BYTES / elem;
        if n.wrapping_sub(1) >= most || self.len > most || stride.unsigned_abs() >= MAX_SOURCE {
            return false;
        }
        self.len *= n;
        let reach = (n - 1) * stride.unsigned_abs();
        if stride < 0 {
            self.low = self.low.wrapping_sub(reach);
        } else {
            self.high = self.high.wrapping_add(reach);
        }
        let step = if TURN { stride.abs() } else { stride } * elem as isize;
        let Loops { inner, outer, far } = &mut self.loops;
        if inner.n == 1 {
            if step == self.run as isize {
                self.run *= n;
            } else {
                *inner = Axis { n, step };
            }
        } else if outer.n == 1 {
            if step == inner.step * inner.n as isize {
                inner.n *= n;
            } else {
                *outer = Axis { n, step };
            }
        } else if far.n == 1 {
            if step == outer.step * outer.n as isize {
                outer.n *= n;
            } else {
                *far = Axis { n, step };
            }
        } else {
            return false;
        }
        true
    }
}

/// From how many elements of `elem` bytes on from one to the next no kernel moves a row of `n` faster than one by one. (Zen 5: 2 to 64 KiB in
/// 0.75 to 1.0 of the time that the kernels take.)
#[inline(always)]
fn far_apart<const READ: bool>(elem: usize, n: usize) -> usize {
    match elem {
        16 => 2,
        8 if READ => 3,
        8 => 2,
        4 if !READ && n <= 2 * FEW => 3,
        4 => 5,
        2 if !READ => 5,
        // Bytes are always faster by vectors.
        _ => usize::MAX,
    }
}
