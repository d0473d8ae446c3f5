//! Slices of a few elements, where reading the plan costs as much as moving the data.
//!
//! One pass over the axes does what takes three elsewhere: the check against the buffer, merging
//! and counting, both for a copy out of a view and into it. If a slice is not small, simple and
//! valid, this code gives up before it touches anything, and the general path takes over.

use super::View;
use super::memory::reserve;
use super::moves::{moves, repeating};
use super::nest::Loop;
use super::tuning::{FEW, FEW_BYTES};
use alloc::vec::Vec;
use core::mem::size_of;

/// Elements in a buffer from which on the arithmetic below might need checks; a power of two.
const MAX_BUFFER: usize = if usize::BITS >= 64 { 1 << 40 } else { 1 << 17 };

/// The most elements of `elem` bytes that are few.
#[inline]
fn most(elem: usize) -> usize {
    FEW.min(FEW_BYTES / elem)
}

/// An empty vector with room for `len` elements, if that is little and can be allocated.
#[inline]
pub(crate) fn room<T>(len: usize) -> Option<Vec<T>> {
    if size_of::<T>() == 0 || len == 0 || len > most(size_of::<T>()) {
        return None;
    }
    let mut out = Vec::new();
    reserve(&mut out, len).ok()?;
    Some(out)
}

/// Copies a view out of `src` into `dst`, or, without `GATHER`, values in order from `src` to the
/// places of a view in `dst`, if the view is small and simple enough and fits both. Returns whether
/// it did.
///
/// # Safety
///
/// `src` can be read for `src_len` elements of `elem` bytes, `dst` can be written for `dst_len`,
/// and the two do not overlap. The view may be anything.
#[inline(never)]
pub(crate) unsafe fn copy<const GATHER: bool>(
    view: View<'_>,
    elem: usize,
    (src, src_len): (*const u8, usize),
    (dst, dst_len): (*mut u8, usize),
) -> bool {
    let (count, buffer) = if GATHER { (dst_len, src_len) } else { (src_len, dst_len) };
    let Some(nest) = SmallNest::of(view, elem, count, buffer) else { return false };
    let first = view.offset * elem;
    let (from, to) = if GATHER { (first, 0) } else { (0, first) };
    // SAFETY: the runs are the positions of the view, which lie inside the `buffer` elements of its
    // side, and as many as the other side has.
    unsafe { nest.moves::<GATHER>(src.wrapping_add(from), dst.wrapping_add(to)) }
    true
}

/// Copies one value to all places of a view in `dst`, if it is a word, and the view is what [`copy`]
/// takes. Returns whether it did.
///
/// # Safety
///
/// `value` can be read for `elem` bytes, `dst` can be written for `dst_len` elements of as many,
/// and the two do not overlap. The view may be anything.
#[inline(never)]
pub(crate) unsafe fn fill(
    view: View<'_>,
    elem: usize,
    (value, count): (*const u8, usize),
    (dst, dst_len): (*mut u8, usize),
) -> bool {
    let Some(go) = repeating(elem) else { return false };
    let Some(nest) = SmallNest::of(view, elem, count, dst_len) else { return false };
    let SmallNest { run, loops: [inner, middle, outer] } = nest;
    // A run is a loop of its own; one element is a row that the next loop continues.
    let one = Axis { n: 1, step: 0 };
    let [walk, rows, planes, blocks] = if run == elem {
        [inner, middle, outer, one]
    } else {
        [Axis { n: run >> elem.trailing_zeros(), step: elem as isize }, inner, middle, outer]
    };
    let of = |Axis { n, step }: Axis| Loop { n, src: 0, dst: step };
    let mut dst = dst.wrapping_add(view.offset * elem);
    for _ in 0..blocks.n {
        let mut at = dst;
        for _ in 0..planes.n {
            // SAFETY: the value, and places of the view, which lie inside the `dst_len` elements at
            // `dst`. The pointers move past the last one unused.
            unsafe { go(value, at, elem, &of(walk), &of(rows)) }
            at = at.wrapping_offset(planes.step);
        }
        dst = dst.wrapping_offset(blocks.step);
    }
    true
}

/// One axis that is left after merging: its length, and bytes from one position to the next.
#[derive(Clone, Copy)]
struct Axis {
    n: usize,
    step: isize,
}

/// At most three loops around contiguous runs of bytes, the innermost first.
struct SmallNest {
    run: usize,
    loops: [Axis; 3],
}

impl SmallNest {
    /// The loops of a view, if they are few and small, the view has `count` positions, and all of
    /// them lie in a buffer of `buffer` elements.
    #[inline(always)]
    fn of(
        View { shape, strides, offset }: View<'_>,
        elem: usize,
        count: usize,
        buffer: usize,
    ) -> Option<SmallNest> {
        let short = elem != 0 && count <= most(elem) && count != 0;
        if !short || (buffer | offset) >= MAX_BUFFER || strides.len() != shape.len() {
            return None;
        }
        let most = most(elem);
        let (mut low, mut high, mut len) = (offset, offset, 1);
        let mut nest = SmallNest { run: elem, loops: [Axis { n: 1, step: 0 }; 3] };
        let mut used = 0;
        for (&n, &stride) in shape.iter().zip(strides).rev() {
            if n == 1 {
                continue;
            }
            // With at most FEW_BYTES along an axis, likewise in all so far, and strides below
            // MAX_BUFFER nothing here overflows.
            if n.wrapping_sub(1) >= most || len > most || stride.unsigned_abs() >= MAX_BUFFER {
                return None;
            }
            len *= n;
            let reach = (n - 1) * stride.unsigned_abs();
            if stride < 0 {
                low = low.wrapping_sub(reach);
            } else {
                high = high.wrapping_add(reach);
            }
            let step = stride * elem as isize;
            if used == 0 && step == nest.run as isize {
                nest.run *= n;
                continue;
            }
            if used > 0 && step == nest.loops[used - 1].step * nest.loops[used - 1].n as isize {
                nest.loops[used - 1].n *= n;
                continue;
            }
            if used == 3 {
                return None;
            }
            nest.loops[used] = Axis { n, step };
            used += 1;
        }
        // `low` wraps to something huge where it would be negative, and `high` cannot wrap: the
        // offset, below MAX_BUFFER, lies between the two.
        ((len == count) & (high < buffer) & (low <= offset)).then_some(nest)
    }

    /// Moves the runs; with `GATHER`, the view is the source.
    ///
    /// # Safety
    ///
    /// Every run can be read from `src` and written to `dst`, and the two sides do not overlap.
    #[inline]
    unsafe fn moves<const GATHER: bool>(self, src: *const u8, dst: *mut u8) {
        let SmallNest { run, loops: [inner, middle, outer] } = self;
        let turn = |step: isize, dense: isize| if GATHER { (step, dense) } else { (dense, step) };
        let one = |Axis { n, step }: Axis, dense: usize| {
            let (src, dst) = turn(step, dense as isize);
            Loop { n, src, dst }
        };
        let (walk, rows) = (one(inner, run), one(middle, run * inner.n));
        let planes = one(outer, run * inner.n * middle.n);
        let go = moves(run, &walk);
        let (mut src, mut dst) = (src, dst);
        for _ in 0..planes.n {
            // SAFETY: some of the caller's runs. The pointers move past the last one unused.
            unsafe { go(src, dst, run, &walk, &rows) }
            (src, dst) = planes.after(1, src, dst);
        }
    }
}
