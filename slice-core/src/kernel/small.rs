//! Slices of a few elements, where reading the plan costs as much as moving the data.
//!
//! One pass over the axes does what takes three elsewhere: the check against the buffer, merging
//! and counting, both for a copy out of a view and into it. If a slice is not small, simple and
//! valid, this code gives up before it touches anything, and the general path takes over.

use super::View;
use super::isa;
use super::memory::reserve;
use super::nest::Loop;
use super::tables::short_division;
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
    let mut dense = nest.run;
    let loops = nest.loops.map(|Axis { n, step }| {
        let other = dense as isize;
        dense *= n;
        if GATHER { Loop { n, src: step, dst: other } } else { Loop { n, src: other, dst: step } }
    });
    let at = (src.wrapping_add(from), dst.wrapping_add(to));
    // SAFETY: the runs are the positions of the view, which lie inside the `buffer` elements of its
    // side, and as many as the other side has; the CPU has the set.
    unsafe { isa::current().in_order(&loops[..nest.used], nest.run, at) }
    true
}

/// Copies one value to all places of a view in `dst`, if the view is what [`copy`] takes. Returns
/// whether it did.
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
    let Some(nest) = SmallNest::of(view, elem, count, dst_len) else { return false };
    let SmallNest { run, used, loops: [inner, middle, outer] } = nest;
    // A run is a loop of its own; one element is a row that the next loop continues.
    let n = if run == elem { 1 } else { short_division(run, elem) };
    let own = Axis { n, step: elem as isize };
    let loops = [own, inner, middle, outer].map(|Axis { n, step }| Loop { n, src: 0, dst: step });
    let loops = &loops[usize::from(n == 1)..=used];
    let at = (value, dst.wrapping_add(view.offset * elem));
    // SAFETY: the value, and places of the view, which lie inside the `dst_len` elements at `dst`;
    // the CPU has the set.
    unsafe { isa::current().in_order(loops, elem, at) }
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
    used: usize,
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
        let mut nest = SmallNest { run: elem, used: 0, loops: [Axis { n: 1, step: 0 }; 3] };
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
            let used = nest.used;
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
            nest.used += 1;
        }
        // `low` wraps to something huge where it would be negative, and `high` cannot wrap: the
        // offset, below MAX_BUFFER, lies between the two.
        ((len == count) & (high < buffer) & (low <= offset)).then_some(nest)
    }
}
