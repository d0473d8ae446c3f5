//! Moves short periods: vectors put together from a few loads, by tables that are made once a call.
//!
//! A short block of the destination (a *unit*: one element of a stride, the three bytes of a
//! reversed pixel, two of four columns) repeats along a loop at a constant step on either side. As
//! many units as fit one vector always come from the same bytes, relative to the first. They are
//! picked from 1 to 8 loads around these, and stored; where bytes between the places must stay,
//! they are loaded, mixed, and stored.
//!
//! Where a unit's elements lie far apart, as the channels of planes do, each plane has a load.
//! Loads and stores may reach past the places as far as the job allows; plain moves do the rest.

use super::nest::{At, Loop};
use super::tables::{LOADS, PHASES, Shuffle, Unit};
use super::tuning::LONG_MIXED;
use super::vector::{self, Vector};
use core::ops::Range;

/// What makes a vector from loads, in registers.
///
/// The numbers of loads and phases are constants where a set stamps [`rows`] and [`lines`], and all
/// of this is compiled into what it stamps. Closures would not be compiled for the set.
#[derive(Clone, Copy)]
struct Maker<V: Vector> {
    /// The tables, in pairs.
    index: [V::Index; LOADS / 2],
    keep: V::Mask,
    base: [isize; 2],
    apart: isize,
    step: Loop,
}

impl<V: Vector> Maker<V> {
    /// # Safety
    ///
    /// The CPU has `V`'s set, for which `shuffle` was made.
    #[inline(always)]
    unsafe fn new(loads: usize, shuffle: &Shuffle<'_>) -> Maker<V> {
        let Shuffle { base, step, unit: &Unit { apart, .. }, .. } = *shuffle;
        // SAFETY: a table has as many bytes as the longest vector.
        unsafe {
            let table = |load: usize| shuffle.index[load].0.as_ptr();
            let mut index = [V::index(table(0), table(1)); LOADS / 2];
            let mut i = 1;
            while 2 * i < loads {
                index[i] = V::index(table(2 * i), table(2 * i + 1));
                i += 1;
            }
            Maker { index, keep: V::mask(shuffle.keep.0.as_ptr(), V::BYTES), base, apart, step }
        }
    }

    /// Load `number` of every lane.
    ///
    /// # Safety
    ///
    /// The CPU has the set; the load lies inside what can be read.
    #[inline(always)]
    unsafe fn load<const PLANES: bool>(&self, src: *const u8, number: usize) -> V {
        let plane = src.wrapping_offset(self.apart.wrapping_mul(number as isize));
        let (src, number) = if PLANES { (plane, 0) } else { (src, number) };
        // SAFETY: the caller's promise.
        unsafe { V::gather(src, &self.base, number) }
    }

    /// One output vector, made from the loads at `src`, two at a time, and a last one by itself.
    ///
    /// # Safety
    ///
    /// The CPU has the set; all loads lie inside what can be read.
    #[inline(always)]
    unsafe fn value<const PLANES: bool>(&self, loads: usize, src: *const u8) -> V {
        // SAFETY: the caller's promise.
        unsafe {
            // Only a beginning: the first two loads replace it.
            let (mut out, mut i) = (V::gather(src, &self.base, 0), 0);
            while i < loads {
                let index = self.index[i / 2];
                let first = self.load::<PLANES>(src, i);
                let bytes = if i + 1 < loads {
                    V::pick::<true>(first, self.load::<PLANES>(src, i + 1), index)
                } else {
                    V::pick::<false>(first, first, index)
                };
                out = if i == 0 { bytes } else { out.merge(bytes, index) };
                i += 2;
            }
            out
        }
    }

    /// Stores the vectors `inside` of a row.
    ///
    /// # Safety
    ///
    /// As for [`rows`]; `inside` is what the shuffle says of this row.
    #[inline(always)]
    unsafe fn row<const PLANES: bool>(&self, loads: usize, first: At, inside: &Range<usize>) {
        let (mut at, mut place) = self.step.after(inside.start, first);
        for _ in inside.clone() {
            // SAFETY: one of the vectors that can be loaded and stored.
            unsafe { self.value::<PLANES>(loads, at).store(place) };
            (at, place) = self.step.after(1, (at, place));
        }
    }

    /// The same between bytes that stay, for a row of `n` units.
    ///
    /// # Safety
    ///
    /// As for [`row`](Self::row).
    #[inline(always)]
    unsafe fn mixed_row(
        &self,
        loads: usize,
        Shuffle { units, unit, keep, .. }: &Shuffle<'_>,
        first: At,
        n: usize,
        inside: &Range<usize>,
    ) {
        if inside.is_empty() {
            return;
        }
        let mut i = inside.start;
        let (mut at, mut place) = self.step.after(i, first);
        // SAFETY: vectors that can be loaded and stored; a table is as long as the longest vector.
        unsafe {
            // What lies under the next vector is loaded before this one is stored: where they
            // overlap, the load would have to wait for the store.
            let mut under = V::load(place);
            while i + 1 < inside.end {
                let next = V::load(place.wrapping_offset(self.step.dst));
                self.value::<false>(loads, at).over(under, self.keep).store(place);
                (at, place) = self.step.after(1, (at, place));
                (under, i) = (next, i + 1);
            }
            // The last vector may have fewer units.
            let some = V::mask(keep.0.as_ptr(), (n - i * units) * unit.walk.dst as usize);
            self.value::<false>(loads, at).over(under, some).store(place);
        }
    }
}

/// Moves `n` units of each of some rows. With `MIX`, bytes between the places stay as they are;
/// with `PLANES`, each load of a lane comes from another plane.
///
/// # Safety
///
/// The CPU has `V`'s set, for which `shuffle` was made, with as many loads. All units of the rows
/// can be read and written, and the two sides do not overlap. All addresses between the readable
/// ones can be read, those between `dst` and the limit written, and what is written there before
/// its turn is written again later, or, with `MIX`, read and written as it was.
#[inline(always)]
pub(crate) unsafe fn rows<V: Vector, const MIX: bool, const PLANES: bool>(
    loads: usize,
    shuffle: &Shuffle<'_>,
    first: At,
    n: usize,
    rows: Loop,
) {
    let Shuffle { units, ahead, unit, .. } = *shuffle;
    // SAFETY: the caller's promise.
    let by = unsafe { Maker::<V>::new(loads, shuffle) };
    let count = n.div_ceil(units);
    let mut at = first;
    // Counting up takes one register more: short rows took 1.06 times as long.
    let mut left = rows.n;
    while left > 0 {
        ahead.prefetch(at.0);
        // Vectors that are loaded from their places, too, do not cross lines.
        let (skip, moved) = if MIX && count > LONG_MIXED { shuffle.crossing(at.1) } else { (0, 0) };
        let (src, dst) = unit.walk.after(skip, at);
        let first = if MIX { (src, dst.wrapping_add(shuffle.begin)) } else { at };
        let count = if moved > 0 { (n - moved).div_ceil(units) } else { count };
        let inside = shuffle.inside(first, count);
        // SAFETY: the vectors `inside` can be loaded and stored; plain moves move the other units.
        unsafe {
            if moved + inside.start > 0 {
                unit.by_moves(0..moved + inside.start * units, at, Loop::ONE);
            }
            if MIX {
                by.mixed_row(loads, shuffle, first, n - moved, &inside);
            } else {
                by.row::<PLANES>(loads, first, &inside);
            }
            if inside.end < count {
                unit.by_moves(moved + inside.end * units..n, at, Loop::ONE);
            }
        }
        at = rows.after(1, at);
        left -= 1;
    }
}

/// Writes `n` vectors of each of `count` phases, in each of `rows`, aligned and past the caches.
///
/// All tables are in registers: a load from memory would often have to wait for one of the many
/// stores under way, whenever the lowest 12 bits of their addresses are the same.
///
/// # Safety
///
/// The CPU has `V`'s set, for which the phases were made. The loads of all vectors can be read, all
/// of the vectors written, and the two sides do not overlap. [`vector::fence`] must follow.
#[inline(always)]
pub(crate) unsafe fn lines<V: Vector>(
    (count, loads): (usize, usize),
    phases: &[&Shuffle<'_>; PHASES],
    first: At,
    n: usize,
    rows: Loop,
    ahead: isize,
) {
    // How many lines of the source a vector prefetches, one load more where they begin anywhere.
    let wanted = match loads {
        1 => 1,
        _ if count == 1 => loads,
        _ => loads - 1,
    };
    // SAFETY: the CPU has the set, for which the phases were made.
    let mut by = [unsafe { Maker::<V>::new(loads, phases[0]) }; PHASES];
    for p in 1..count {
        // SAFETY: the same.
        by[p] = unsafe { Maker::new(loads, phases[p]) };
    }
    let mut row = first;
    // SAFETY: the vectors are the caller's.
    unsafe {
        for _ in 0..rows.n {
            let (mut at, mut place) = row;
            for _ in 0..n {
                for by in &by[..count] {
                    let from = at.wrapping_offset(by.base[0] + ahead);
                    for line in 0..wanted {
                        vector::prefetch(from.wrapping_add(64 * line), false);
                    }
                    by.value::<false>(loads, at).stream(place);
                    at = vector::opaque(at.wrapping_offset(by.step.src));
                    place = place.wrapping_add(V::BYTES);
                }
            }
            row = rows.after(1, row);
        }
    }
}

/// [`Set::copy_lines`](super::isa::Set::copy_lines) by the vectors of a set.
///
/// # Safety
///
/// The CPU has the set; `64 * n` bytes can be read and written, and do not overlap; `dst` is a
/// multiple of 64. [`vector::fence`] must follow.
#[inline(always)]
pub(crate) unsafe fn copy_lines<V: Vector>(src: *const u8, dst: *mut u8, n: usize, ahead: isize) {
    for i in 0..n {
        let from = src.wrapping_add(64 * i);
        vector::prefetch(from.wrapping_offset(ahead), false);
        // SAFETY: a line of the caller's on both sides.
        unsafe { V::copy_line(from, dst.add(64 * i)) };
    }
}
