//! Moves short periods: an output vector is put together from a few loads, by tables that are made
//! once per call.
//!
//! A short block of the destination (a *unit*: one element of a stride, the three bytes of a
//! reversed pixel, two of four columns) repeats along a loop at a constant step on either side. As
//! many units as fit one vector always come from the same bytes, relative to the first:
//!
//! ```text
//! for each vector of units:
//!     for each of 1 to 8 loads around its source bytes: pick the bytes that are wanted
//!     store; or, where bytes between the places must stay: load them, mix, store
//! ```
//!
//! Loads and stores may reach past the places, as far as the job allows. A vector that would leave
//! those bounds is moved byte by byte, by the same table.

use super::loops::Loop;
use super::tables::Shuffle;
use super::tuning::WRITE_AHEAD;
use super::vector::{self, Vector};

/// Moves `n` units of each of some rows; `LOADS` is the number of loads; `MIX`: bytes
/// between the places stay as they are.
///
/// # Safety
///
/// The CPU has `V`'s set, for which `shuffle` was made, with as many loads. All units of the rows
/// can be read and written, and the two sides do not overlap. All addresses between the readable
/// ones can be read, those between `dst` and the limit written, and what is written there before
/// its turn is written again later, or, with `MIX`, read and written as it was.
#[inline(always)]
pub(crate) unsafe fn rows<V: Vector, const LOADS: usize, const MIX: bool>(
    shuffle: &Shuffle,
    src: *const u8,
    dst: *mut u8,
    n: usize,
    rows: Loop,
) {
    let Shuffle { units, step, unit, ahead, base, .. } = *shuffle;
    // No closures: they would not be compiled for the set.
    // SAFETY: the tables have the length of a vector, and the caller's CPU has the set.
    let (index, keep) =
        unsafe { (tables::<V, LOADS>(shuffle), V::mask(shuffle.keep.0.as_ptr(), V::BYTES)) };
    let (full, count) = (n / units, n.div_ceil(units));
    let (mut src, mut dst) = (src, dst);
    let mut left = rows.n;
    while left > 0 {
        ahead.ask(src);
        let inside = shuffle.inside(src, dst, count);
        // SAFETY: vector `i` of the row is loaded from `at` and stored to `place`, only where
        // `inside` names it; the others are moved by `edge`.
        unsafe {
            if inside.start > 0 {
                shuffle.edge(src, dst, 0..inside.start, n);
            }
            let mut i = inside.start;
            let (mut at, mut place) = (
                src.wrapping_offset(step.src * i as isize),
                dst.wrapping_offset(step.dst * i as isize),
            );
            if MIX {
                let full = inside.end.min(full);
                if i < full {
                    // What lies under the next vector is loaded before this one is stored: where
                    // they overlap, the load would have to wait for the store.
                    let mut under = V::load(place);
                    while i + 1 < full {
                        let next = V::load(place.wrapping_offset(step.dst));
                        value::<V, LOADS>(&index, &base, at).over(under, keep).store(place);
                        (at, place, under) =
                            (at.wrapping_offset(step.src), place.wrapping_offset(step.dst), next);
                        i += 1;
                    }
                    value::<V, LOADS>(&index, &base, at).over(under, keep).store(place);
                    (at, place) = (at.wrapping_offset(step.src), place.wrapping_offset(step.dst));
                    i += 1;
                }
                if i < inside.end {
                    let some =
                        V::mask(shuffle.keep.0.as_ptr(), (n - i * units) * unit.dst as usize);
                    value::<V, LOADS>(&index, &base, at).over(V::load(place), some).store(place);
                }
            } else {
                while i < inside.end {
                    value::<V, LOADS>(&index, &base, at).store(place);
                    (at, place) = (at.wrapping_offset(step.src), place.wrapping_offset(step.dst));
                    i += 1;
                }
            }
            if inside.end < count {
                shuffle.edge(src, dst, inside.end..count, n);
            }
        }
        (src, dst) = (src.wrapping_offset(rows.src), dst.wrapping_offset(rows.dst));
        left -= 1;
    }
}

/// Writes `n` vectors of each phase, in each of `rows`, to `dst`, which is aligned, beginning with
/// the phase number `first`: past the caches or, with `MIX`, between bytes that stay. It prefetches
/// on both sides. `PHASES` is the number of phases, `LOADS` that of loads.
///
/// All tables are in registers: a load from memory would often have to wait for one of the many
/// stores under way, whenever the lowest 12 bits of their addresses are the same.
///
/// # Safety
///
/// The CPU has `V`'s set, for which the phases were made. The loads of all vectors can be read, all
/// of the vectors written, and the two sides do not overlap. [`vector::fence`] must follow.
#[inline(always)]
pub(crate) unsafe fn lines<V: Vector, const PHASES: usize, const LOADS: usize, const MIX: bool>(
    phases: &[Shuffle],
    first: usize,
    src: *const u8,
    dst: *mut u8,
    n: usize,
    rows: Loop,
    ahead: isize,
) {
    let phase = |p: usize| &phases[(first + p) % PHASES];
    // Lines of the source for a vector, one load more where they begin anywhere.
    let wanted = if PHASES == 1 || LOADS == 1 { LOADS } else { LOADS - 1 };
    let (mut src, mut dst) = (src, dst);
    // SAFETY: the tables are the set's, and the vectors the caller's.
    unsafe {
        let mut index = [tables::<V, LOADS>(phase(0)); PHASES];
        let mut keep = [V::mask(phases[0].keep.0.as_ptr(), 0); PHASES];
        let (mut base, mut step) = ([[0; 2]; PHASES], [0; PHASES]);
        let mut p = 0;
        while p < PHASES {
            let phase = phase(p);
            index[p] = tables::<V, LOADS>(phase);
            keep[p] = V::mask(phase.keep.0.as_ptr(), V::BYTES);
            (base[p], step[p]) = (phase.base, phase.step.src);
            p += 1;
        }
        for _ in 0..rows.n {
            let (mut at, mut place) = (src, dst);
            for _ in 0..n {
                let mut p = 0;
                while p < PHASES {
                    let mut line = 0;
                    while line < wanted {
                        vector::prefetch(
                            at.wrapping_offset(base[p][0] + ahead).wrapping_add(64 * line),
                        );
                        line += 1;
                    }
                    let value = value::<V, LOADS>(&index[p], &base[p], at);
                    if MIX {
                        vector::prefetch(place.wrapping_add(WRITE_AHEAD));
                        value.over(V::load(place), keep[p]).store(place);
                    } else {
                        value.stream(place);
                    }
                    (at, place) =
                        (vector::anew(at.wrapping_offset(step[p])), place.wrapping_add(V::BYTES));
                    p += 1;
                }
            }
            (src, dst) = (src.wrapping_offset(rows.src), dst.wrapping_offset(rows.dst));
        }
    }
}

/// [`Set::stream`] by the vectors of a set.
///
/// # Safety
///
/// The CPU has the set; `64 * lines` bytes can be read and written, and do not overlap; `dst` is a
/// multiple of 64. [`vector::fence`] must follow.
#[inline(always)]
pub(crate) unsafe fn copy<V: Vector>(src: *const u8, dst: *mut u8, lines: usize, ahead: isize) {
    for i in 0..lines {
        let from = src.wrapping_add(64 * i);
        vector::prefetch(from.wrapping_offset(ahead));
        // SAFETY: a line of the caller's on both sides.
        unsafe { V::copy_line(from, dst.add(64 * i)) };
    }
}

/// [`Set::fill_lines`] by the vectors of a set.
///
/// # Safety
///
/// The CPU has the set; 64 bytes can be read at `line` and `64 * lines` written, and do not
/// overlap.
#[inline(always)]
pub(crate) unsafe fn fill_lines<V: Vector>(line: *const u8, dst: *mut u8, lines: usize) {
    for i in 0..64 / V::BYTES * lines {
        let at = V::BYTES * i;
        // SAFETY: a part of the caller's line, and a part of one of the lines.
        unsafe { V::load(line.add(at % 64)).store(dst.add(at)) };
    }
}

/// The tables for `LOADS` loads, in pairs.
///
/// # Safety
///
/// The CPU has `V`'s set.
#[inline(always)]
unsafe fn tables<V: Vector, const LOADS: usize>(shuffle: &Shuffle) -> [V::Index; LOADS] {
    let table = |i: usize| shuffle.index[i].0.as_ptr();
    // SAFETY: a table has as many bytes as the longest vector. There is one more than loads.
    unsafe {
        let mut index = [V::index(table(0), table(1)); LOADS];
        let mut i = 2;
        while i < LOADS {
            index[i] = V::index(table(i), table(i + 1));
            i += 2;
        }
        index
    }
}

/// One output vector, made from `LOADS` loads.
///
/// # Safety
///
/// As for [`rows`]; all loads of the vector at `src` lie inside what can be read.
#[inline(always)]
unsafe fn value<V: Vector, const LOADS: usize>(
    index: &[V::Index; LOADS],
    base: &[isize; 2],
    src: *const u8,
) -> V {
    // SAFETY: the caller's promise.
    unsafe {
        let first = V::gather(src, base, 0);
        if LOADS == 1 {
            return V::pick::<false>(first, first, index[0]);
        }
        let mut out = V::pick::<true>(first, V::gather(src, base, 1), index[0]);
        let mut i = 2;
        while i < LOADS {
            let first = V::gather(src, base, i);
            let more = if i + 1 < LOADS {
                V::pick::<true>(first, V::gather(src, base, i + 1), index[i])
            } else {
                V::pick::<false>(first, first, index[i])
            };
            out = out.and(more, index[i]);
            i += 2;
        }
        out
    }
}
