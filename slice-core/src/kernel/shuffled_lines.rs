//! Moves long rows of short periods by vectors that begin where lines of the destination do, past
//! the caches. There is a table for each byte of a unit at which a vector can begin.

use super::isa::{self, Vectors};
use super::nest::{At, Loop, Stack, alike};
use super::prefetch::{RowNest, distance};
use super::tables::{LINE_LOADS, PHASES, Shuffle, Unit};
use super::tuning::ALIGNMENTS;
use core::ops::Range;

/// Moves rows by vectors that begin where lines do. Plain moves take what does not fill a vector.
pub(crate) struct ShuffledLines<'a> {
    unit: &'a Unit<'a>,
    /// Bytes of a vector.
    bytes: usize,
    /// The first address that may be read, and how many bytes from there.
    readable: (usize, usize),
    lines: isa::LinesFn,
    pub(super) phases: Stack<Shuffle<'a>, PHASES>,
    /// How far ahead is prefetched, in bytes.
    ahead: isize,
    /// The lowest and the highest byte of all loads.
    low: isize,
    high: isize,
}

impl<'a> ShuffledLines<'a> {
    /// Tables for rows of units like those of `walk`, without gaps; `None` if it takes too many.
    ///
    /// # Safety
    ///
    /// The CPU has the set.
    pub(crate) unsafe fn new(
        vectors: &Vectors,
        unit: &'a Unit<'a>,
        readable: (usize, usize),
        walk: &RowNest<'_>,
        (src, dst): At,
    ) -> Option<ShuffledLines<'a>> {
        let (bytes, pitch) = (vectors.bytes, unit.walk.dst.unsigned_abs());
        // The number of bytes of a unit at which a vector can begin; always odd.
        let times = pitch >> pitch.trailing_zeros();
        if times > PHASES {
            return None;
        }
        let off = dst.addr().wrapping_neg() % bytes;
        // Whether all vectors of a phase have the same alignment in the source.
        let same = unit.walk.src * ((times * bytes) / pitch) as isize % 64 == 0;
        let (mut phases, mut loads) = (Stack::<Shuffle<'_>, PHASES>::new(), 1);
        for number in 0..times {
            let byte = off + number * bytes;
            let at = src.addr().wrapping_add_signed(unit.walk.src * (byte / pitch) as isize);
            let mut phase = Shuffle::new(bytes, unit, Some(byte % pitch));
            // SAFETY: the caller's promise.
            if !unsafe { (vectors.build)(&mut phase, same.then_some(at), LINE_LOADS) } {
                return None;
            }
            loads = loads.max(phase.loads);
            phases.push(phase);
        }
        // All phases take as many loads as the one that takes most; the unused loads stay inside.
        let (mut low, mut high) = (isize::MAX, isize::MIN);
        for phase in phases.items_mut() {
            phase.high += (loads - phase.loads) as isize * vectors.lane as isize;
            phase.loads = loads;
            (low, high) = (low.min(phase.low), high.max(phase.high));
        }
        let (lines, ahead) = (vectors.lines[times / 2][loads - 1], distance(walk));
        Some(ShuffledLines { unit, bytes, readable, lines, phases, ahead, low, high })
    }

    /// Moves `n` units of each of some rows.
    ///
    /// # Safety
    ///
    /// All units of the rows can be read and written, and the two sides do not overlap. The CPU has
    /// the set. All readable addresses can be read. [`fence`](super::vector::fence) must follow.
    pub(crate) unsafe fn rows(&self, first: At, n: usize, rows: Loop) {
        // One call moves all rows of one alignment, so that the tables stay in registers.
        let zeros = rows.dst.trailing_zeros().min(self.bytes.trailing_zeros());
        let cycle = match self.bytes >> zeros {
            cycle @ ..=ALIGNMENTS => cycle.min(rows.n),
            _ => rows.n,
        };
        for at in 0..cycle {
            let first = rows.after(at, first);
            let (k, n_rows) = (cycle as isize, (rows.n - at).div_ceil(cycle));
            let rows = Loop { n: n_rows, src: rows.src * k, dst: rows.dst * k };
            // SAFETY: some of the caller's rows.
            unsafe { self.aligned(first, n, rows) };
        }
    }

    /// Moves `n` units of each of some rows with the same alignment.
    ///
    /// # Safety
    ///
    /// As for [`rows`](Self::rows).
    unsafe fn aligned(&self, first: At, n: usize, rows: Loop) {
        let mut i = 0;
        while i < rows.n {
            let at = rows.after(i, first);
            // At the ends of what can be read, the first rows and the last may have fewer vectors.
            let (vectors, some) = alike(rows.n - i, |j| self.vectors(rows.after(j, at), n));
            // SAFETY: some of the caller's rows. Between two rows whose loads are inside what can
            // be read, those of others are as well.
            unsafe { self.block(at, n, &vectors, Loop { n: some, ..rows }) };
            i += some;
        }
    }

    /// The phase of the first vector of a row of `n` units, and the whole vectors of the row whose
    /// loads are readable. There are none if the row needs another table.
    pub(super) fn vectors(&self, (src, dst): At, n: usize) -> (usize, Range<usize>) {
        let &ShuffledLines { bytes, readable, .. } = self;
        let unit = self.unit.walk;
        let pitch = unit.dst as usize;
        let off = dst.addr().wrapping_neg() % bytes;
        let phase = self.phases.items().iter().position(|phase| phase.begin == off % pitch);
        let Some(phase) = phase else { return (0, 0..0) };
        let start = src.addr().wrapping_sub(readable.0) as isize;
        let inside = |&vector: &usize| {
            let at = start + unit.src * ((off + vector * bytes) / pitch) as isize;
            at + self.low >= 0 && at + self.high <= readable.1 as isize
        };
        let mut all = 0..(n * pitch).saturating_sub(off) / bytes;
        let Some(begin) = all.find(inside) else { return (phase, 0..0) };
        (phase, begin..all.rfind(inside).unwrap_or(begin) + 1)
    }

    /// Moves `n` units of each of `rows`, which have the same whole `vectors`.
    ///
    /// # Safety
    ///
    /// As for [`rows`](Self::rows); `vectors` is what [`vectors`](Self::vectors) says of each row.
    unsafe fn block(
        &self,
        (src, dst): At,
        n: usize,
        (first, vectors): &(usize, Range<usize>),
        rows: Loop,
    ) {
        let (bytes, unit) = (self.bytes, self.unit.walk);
        let pitch = unit.dst as usize;
        // SAFETY: some units of the caller's rows: all calls name units below `n`.
        let part = |units| unsafe { self.unit.by_moves(units, (src, dst), rows) };
        if vectors.is_empty() {
            return part(0..n);
        }
        let off = dst.addr().wrapping_neg() % bytes;
        let unit_of = |vector: usize| (off + vector * bytes) / pitch;
        let (begin, phases) = (vectors.start, self.phases.items());
        let rounds = vectors.len() / phases.len();
        // Units that are only in part in a vector are moved twice.
        part(0..(off + begin * bytes).div_ceil(pitch));
        part(unit_of(begin + rounds * phases.len())..n);
        let at = src.wrapping_offset(unit.src * unit_of(begin) as isize);
        let place = dst.wrapping_add(off + begin * bytes);
        let phase = |i: usize| &phases[(first + begin + i) % phases.len()];
        let phases = [phase(0), phase(1), phase(2)];
        // SAFETY: whole vectors lie inside their rows, and their loads inside what can be read.
        unsafe { (self.lines)(&phases, (at, place), rounds, rows, self.ahead) }
    }
}
