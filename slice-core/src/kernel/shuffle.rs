//! Short periods: an output vector is put together from a few loads by tables made once a call.
//!
//! A short block of the destination (a *unit*: one element of a stride, three bytes of a pixel
//! turned round, two of four columns) repeats along a loop at a constant step on either side. As
//! many units as fit one vector always come from the same bytes, only further on:
//!
//! ```text
//! for each vector of units:
//!     for each of 1 to 8 loads around its source bytes: pick the bytes that are wanted
//!     store; or, where bytes between the places must stay: load them, mix, store
//! ```
//!
//! Loads and stores may reach past the places, as far as the job allows. A vector that would leave
//! those bounds is moved byte by byte, by the same table.

use super::isa::Vector;
use super::loops::Loop;
use super::tables::Shuffle;

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

/// The tables for `LOADS` loads, two by two.
///
/// # Safety
///
/// The CPU has `V`'s set.
#[inline(always)]
pub(super) unsafe fn tables<V: Vector, const LOADS: usize>(shuffle: &Shuffle) -> [V::Index; LOADS] {
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
pub(super) unsafe fn value<V: Vector, const LOADS: usize>(
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
