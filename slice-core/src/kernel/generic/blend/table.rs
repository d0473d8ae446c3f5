//! The tables of a blend: for each vector of the destination where its bytes come from, and which of them are meant.

use core::mem::MaybeUninit;

use super::{Blend, LONG};
use crate::kernel::nest::Pair;
use crate::kernel::pairs::reach;
use crate::kernel::vector::{Kernel, Picks};

/// The most vectors a period may have.
const PERIOD: usize = 16;
/// The most bytes of a period.
const BYTES: usize = PERIOD * 64;
/// The most bytes from the first to the last of a unit's places.
const UNIT: usize = 128;

/// Tables of a whole period.
pub(crate) struct Table<V: Blend> {
    lines: [MaybeUninit<V::Line>; PERIOD],
    masks: [MaybeUninit<V::Mask>; PERIOD],
    /// Vectors in a period, loads for each of them.
    pub(super) count: usize,
    pub(super) loads: usize,
    /// Whether all of it moves in 4-byte words.
    pub(super) words: bool,
    /// Whether no byte is left as it was.
    pub(super) whole: bool,
    /// For rows whose lines are streamed: how far behind a multiple of its step each unit lies. Periods begin at such multiples.
    pub(super) lead: Option<usize>,
    /// Units in a period, and the bytes a unit reaches in the destination.
    pub(super) per: usize,
    pub(super) reach: usize,
    /// The span of all loads of a period around its first unit.
    pub(super) low: isize,
    pub(super) end: isize,
}

impl<V: Blend> Table<V> {
    pub(crate) const fn new() -> Table<V> {
        Table {
            lines: [const { MaybeUninit::uninit() }; PERIOD],
            masks: [const { MaybeUninit::uninit() }; PERIOD],
            count: 0,
            loads: 0,
            words: false,
            whole: false,
            lead: None,
            per: 0,
            reach: 0,
            low: 0,
            end: 0,
        }
    }

    /// Makes the tables for units of `inner` loops and `run` bytes along `walk`. False if there are none worth having.
    ///
    /// `lead`: if all units lie so far behind multiples of their step, which is a part of a line, and do not reach further than to the next; periods
    /// then begin at the multiples.
    ///
    /// # Safety
    /// The CPU has the set.
    pub(crate) unsafe fn build(&mut self, inner: &[Pair], run: usize, walk: Pair, lead: Option<usize>) -> bool {
        debug_assert!(lead.is_none_or(|lead| {
            let step = walk.dst as usize;
            64 % step == 0 && lead + reach(inner, run) <= step
        }));
        let Some(shape) = Shape::of::<V>(inner, run, walk) else { return false };
        // Sources must be small numbers; anything wider would need too many loads anyhow.
        let widest = (V::LOADS * V::BYTES) as isize;
        let near = |axis: &Pair| (-widest..=widest).contains(&axis.src);
        if !near(&walk) || !inner.iter().all(near) {
            return false;
        }
        let mut making = Making { table: self, inner, run, walk, lead, shape, made: false };
        // SAFETY: the caller's CPU has the set; the shape is that of these loops.
        unsafe { V::enter(&mut making) };
        making.made
    }

    pub(super) fn lines(&self) -> (&[V::Line], &[V::Mask]) {
        // SAFETY: `build` wrote the first `count` entries of both before it set `count`.
        unsafe {
            (
                core::slice::from_raw_parts(self.lines.as_ptr().cast::<V::Line>(), self.count),
                core::slice::from_raw_parts(self.masks.as_ptr().cast::<V::Mask>(), self.count),
            )
        }
    }
}

/// The part of [`Table::build`] that is compiled for the set.
struct Making<'a, V: Blend> {
    table: &'a mut Table<V>,
    inner: &'a [Pair],
    run: usize,
    walk: Pair,
    lead: Option<usize>,
    shape: Shape,
    made: bool,
}

impl<V: Blend> Kernel for Making<'_, V> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        let (inner, walk, lead, Shape { count, per, reach }) = (self.inner, self.walk, self.lead, self.shape);
        let all = inner
            .iter()
            .chain([&walk])
            .fold(self.run | lead.unwrap_or(0), |bits, axis| bits | axis.src.unsigned_abs() | axis.dst as usize);
        let words = V::WORDS && all.is_multiple_of(4);
        // Everything is counted in granules: words or bytes.
        let grain = if words { 4 } else { 1 };
        let (each, part, all) = (V::BYTES / grain, 16 / grain, count * V::BYTES / grain);
        let (run, step) = (self.run / grain, walk.dst as usize / grain);
        // For each granule of a period where it comes from, and whether it is hit at all.
        let (mut offsets, mut hits) =
            ([const { MaybeUninit::uninit() }; BYTES], [const { MaybeUninit::uninit() }; BYTES]);
        // One unit, and what lies behind it. What is not hit may come from anywhere: from where a neighbour does.
        hits[..step].fill(MaybeUninit::new(false));
        note(&mut offsets, &mut hits, inner, (run, grain), 0, lead.unwrap_or(0) / grain);
        let mut last = MaybeUninit::new(0);
        for (offset, hit) in offsets[..step].iter_mut().zip(&hits[..step]) {
            // SAFETY: `fill` and `note` have written all of them.
            if unsafe { hit.assume_init() } { last = *offset } else { *offset = last }
        }
        // Then all there is once more, moved on, until it is a period.
        let (mut have, mut units) = (step, 1);
        while have < all {
            let more = have.min(all - have);
            let (old, new) = offsets.split_at_mut(have);
            for (new, old) in new[..more].iter_mut().zip(old) {
                // SAFETY: all up to here have been written.
                *new = MaybeUninit::new(unsafe { old.assume_init() } + walk.src as i32 * units);
            }
            hits.copy_within(..more, have);
            (have, units) = (have + more, 2 * units);
        }
        // SAFETY: the first `all` of them have been written.
        let (offsets, hits) = unsafe {
            (
                core::slice::from_raw_parts_mut(offsets.as_mut_ptr().cast::<i32>(), all),
                core::slice::from_raw_parts(hits.as_ptr().cast::<bool>(), all),
            )
        };
        for (offsets, hits) in offsets.chunks_exact_mut(each).zip(hits.chunks_exact(each)) {
            let Some(any) = hits.iter().position(|&hit| hit) else { return };
            let any = offsets[any];
            // Shuffles of 16 bytes each should find their own in few loads.
            for (offsets, hits) in offsets.chunks_exact_mut(part).zip(hits.chunks_exact(part)) {
                if !hits[0] {
                    let first = hits.iter().position(|&hit| hit);
                    let from = first.map_or(any, |i| offsets[i]);
                    offsets[..first.unwrap_or(part)].fill(from);
                }
            }
        }
        let picks = |offsets| Picks { offsets, grain, phase: None };
        let mut loads = 1;
        // SAFETY: `each` granules make a vector; this runs inside `enter`.
        unsafe {
            for line in offsets.chunks_exact(each) {
                loads = loads.max(V::loads(&picks(line)));
            }
            if loads > V::LOADS {
                return;
            }
            let table = &mut *self.table;
            (table.low, table.end) = (isize::MAX, isize::MIN);
            for (q, (line, hits)) in offsets.chunks_exact(each).zip(hits.chunks_exact(each)).enumerate() {
                let (low, end) = V::line(&mut table.lines[q], &picks(line), loads, walk.src.signum());
                table.masks[q] = MaybeUninit::new(V::mask(hits, grain));
                (table.low, table.end) = (table.low.min(low), table.end.max(end));
            }
            table.whole = hits.iter().all(|&hit| hit);
            (table.count, table.loads, table.words, table.per, table.reach) = (count, loads, words, per, reach);
            table.lead = lead;
        }
        self.made = true;
    }
}

/// Notes for each granule of a unit that is hit where it comes from. Runs are so many granules of so many bytes.
fn note(
    offsets: &mut [MaybeUninit<i32>],
    hits: &mut [MaybeUninit<bool>],
    inner: &[Pair],
    (run, grain): (usize, usize),
    src: i32,
    dst: usize,
) {
    let Some((axis, rest)) = inner.split_last() else {
        for i in 0..run {
            offsets[dst + i] = MaybeUninit::new(src + (i * grain) as i32);
            hits[dst + i] = MaybeUninit::new(true);
        }
        return;
    };
    for i in 0..axis.n {
        let to = dst + axis.dst as usize / grain * i;
        note(offsets, hits, rest, (run, grain), src + axis.src as i32 * i as i32, to);
    }
}

/// The numbers of a table that are known before it is made.
#[derive(Clone, Copy)]
struct Shape {
    count: usize,
    per: usize,
    reach: usize,
}

impl Shape {
    fn of<V: Blend>(inner: &[Pair], run: usize, walk: Pair) -> Option<Shape> {
        let step = walk.dst as usize;
        let reach = reach(inner, run);
        if step > PERIOD * V::BYTES || reach > UNIT {
            return None;
        }
        let count = step / V::BYTES.min(1 << step.trailing_zeros());
        (count <= PERIOD).then(|| Shape { count, per: count * V::BYTES / step, reach })
    }
}

/// What one byte moved by a table costs, in thousandths of a move; `None` if it is out of reach.
///
/// An estimate, made before any table: the table decides in the end.
pub(crate) fn estimate<V: Blend>(inner: &[Pair], run: usize, walk: Pair, total: usize) -> Option<usize> {
    let Shape { count, per, .. } = Shape::of::<V>(inner, run, walk)?;
    if walk.n < per {
        return None;
    }
    let unit = inner.iter().fold(run, |bytes, axis| bytes * axis.n);
    // How far the sources of one vector are apart.
    let span = inner.iter().fold(run, |span, axis| span.saturating_add(axis.src.unsigned_abs() * (axis.n - 1)));
    let units = (V::BYTES / walk.dst as usize).max(1);
    let span = span.saturating_add(walk.src.unsigned_abs().saturating_mul(units - 1));
    let loads = span.div_ceil(V::BYTES.min(32));
    if loads > V::LOADS {
        return None;
    }
    let row = walk.n * unit;
    // A shuffle for each load; a load, a blend and a store of the destination. Tables that are not kept in registers cost three times as much.
    let vector = if matches!(count, 1 | 3) { loads + 2 } else { 3 * loads + 7 };
    let vectors = 1000 * count * vector / (per * unit);
    // Something for each row, and more for one that is led to the start of a line. (All measured on Zen 5.)
    let rows = if walk.n / per >= LONG { 105_000 / row } else { 45_000 / row };
    let tables = 1000 * (700 + 420 * count) / total;
    Some(vectors + rows + tables)
}
