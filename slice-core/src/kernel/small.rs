//! Slices of few elements or few long runs, where reading the plan costs as much as moving data.
//!
//! One pass over the axes does what takes three elsewhere: the check against the buffer, merging
//! and counting, both for a copy out of a view and into it. If a slice is not small, simple and
//! valid, this code gives up before it touches anything, and the general path takes over.

use super::View;
use super::isa;
use super::nest::{Loop, Nest};
use super::tables::short_division;
use super::tuning::{FEW_BYTES, FIRST_LEVEL, few};
use super::{How, as_they_come};

/// Elements in a buffer from which on the arithmetic below might need checks; a power of two.
const MAX_BUFFER: usize = if usize::BITS >= 64 { 1 << 40 } else { 1 << 17 };

/// The most bytes that are looked at here; a power of two.
const MOST_BYTES: usize = if usize::BITS >= 64 { FIRST_LEVEL } else { FEW_BYTES };

/// The most elements of `elem` bytes that are looked at here.
#[inline]
pub(crate) fn most(elem: usize) -> usize {
    MOST_BYTES.checked_div(elem).unwrap_or(0)
}

/// What [`copy`] does: a view is read, or values in order go to its places, or one value does.
pub(crate) const GATHER: u8 = 0;
pub(crate) const SCATTER: u8 = 1;
pub(crate) const FILL: u8 = 2;

/// Copies between a view in one buffer and as many elements in order in the other, as `KIND` says,
/// if the view is small and simple enough and fits both. Returns whether it did.
///
/// # Safety
///
/// `src` can be read for `src_len` elements of `elem` bytes, or one if `KIND` is [`FILL`]; `dst`
/// can be written for `dst_len`, and the two do not overlap. The view may be anything.
#[inline(never)]
pub(crate) unsafe fn copy<const KIND: u8>(
    view: View<'_>,
    elem: usize,
    (src, src_len): (*const u8, usize),
    (dst, dst_len): (*mut u8, usize),
) -> bool {
    let (count, buffer) = if KIND == GATHER { (dst_len, src_len) } else { (src_len, dst_len) };
    // Many are looked at only if there may be long runs.
    let dense = match KIND {
        FILL => view.strides.iter().any(|stride| stride.unsigned_abs() == 1),
        _ => view.strides.last() == Some(&1),
    };
    if count > few(elem) && !dense {
        return false;
    }
    let mut loops = [Loop::ONE; LOOPS];
    let sides = |step, dense| match KIND {
        GATHER => (step, dense),
        SCATTER => (dense, step),
        _ => (0, step),
    };
    let found = merge::<KIND>(view, elem, count, buffer, &mut loops, sides);
    let Some((mut run, used, begin)) = found else { return false };
    // A run of one value is a loop of its own.
    let first = usize::from(KIND != FILL || run == elem);
    if first == 0 {
        loops[0] = Loop { n: short_division(run, elem), src: 0, dst: elem as isize };
        run = elem;
    }
    let (mut loops, total) = (&loops[first..=used], count * elem);
    // In the order of its places, one value may make longer rows, or need one loop less.
    let mut nest = Nest::new();
    if KIND == FILL && !loops.is_sorted_by_key(|it| it.dst) && nest.fill(loops, run) {
        loops = nest.loops();
    }
    if (count > few(elem) || total > FEW_BYTES) && !as_they_come(loops, run, total, How::chosen()) {
        return false;
    }
    let (from, to) = if KIND == GATHER { (begin * elem, 0) } else { (0, begin * elem) };
    let at = (src.wrapping_add(from), dst.wrapping_add(to));
    // SAFETY: the runs are the positions of the view, which lie inside the `buffer` elements of its
    // side, and as many as the other side has, or the one value; the CPU has the set.
    unsafe { isa::current().in_order(loops, run, at) }
    true
}

/// Room for a run, and at most three loops around it, the innermost first.
const LOOPS: usize = 4;

/// Finds the loops around contiguous runs of a view, if they are few and small, the view has
/// `count` positions, and all of them lie in a buffer of `buffer` elements. Returns the bytes of a
/// run, how many loops there are, and where they begin: one value is written forwards.
///
/// They are written where they are read, from number 1 on: moved, they would wait until all that is
/// written word by word can be read by longer ones. `sides` gives the steps of both sides, from
/// that of the view and the one without gaps.
#[inline(always)]
fn merge<const KIND: u8>(
    View { shape, strides, offset }: View<'_>,
    elem: usize,
    count: usize,
    buffer: usize,
    loops: &mut [Loop; LOOPS],
    sides: impl Fn(isize, isize) -> (isize, isize),
) -> Option<(usize, usize, usize)> {
    let most = most(elem);
    if count > most || (buffer | offset) >= MAX_BUFFER || strides.len() != shape.len() {
        return None;
    }
    let (mut low, mut high, mut len) = (offset, offset, 1);
    // `next` is the step that continues the last loop.
    let (mut run, mut used, mut next) = (elem, 0, elem as isize);
    for (&n, &stride) in shape.iter().zip(strides).rev() {
        if n == 1 {
            continue;
        }
        // With at most MOST_BYTES along an axis, likewise in all so far, and strides below
        // MAX_BUFFER nothing here overflows. An axis of length 0 wraps to one that is too long.
        if n.wrapping_sub(1) >= most || len > most || stride.unsigned_abs() >= MAX_BUFFER {
            return None;
        }
        let reach = (n - 1) * stride.unsigned_abs();
        if stride < 0 {
            low = low.wrapping_sub(reach);
        } else {
            high = high.wrapping_add(reach);
        }
        let step = if KIND == FILL { stride.abs() } else { stride } * elem as isize;
        if step != next {
            used += 1;
            let (src, dst) = sides(step, (len * elem) as isize);
            *loops.get_mut(used)? = Loop { n, src, dst };
        } else if used == 0 {
            run *= n;
        } else {
            loops[used].n *= n;
        }
        len *= n;
        next = step * n as isize;
    }
    // `low` wraps to something huge where it would be negative, and `high` cannot wrap: the
    // offset, below MAX_BUFFER, lies between the two.
    let first = if KIND == FILL { low } else { offset };
    ((len == count) & (high < buffer) & (low <= offset)).then_some((run, used, first))
}
