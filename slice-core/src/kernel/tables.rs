//! Tables for short periods: which byte of which load goes to which byte of a vector.
//!
//! They are made once per call, from one unit of the destination and the loop along which it
//! repeats (`shuffle.rs` says what that is for). Small calls wait for them. So the origin of each
//! byte is computed in 16 bits, without branches, for all bytes of a vector at once.

use super::moves::moves;
use super::nest::{At, Loop, each, place_reach, source_reach};
use super::prefetch::Ahead;
use super::tuning::LONG_MIXED;
use super::vector;
use core::ops::Range;

/// The most loads that make a vector, an even number: more take as long as plain moves.
pub(crate) const LOADS: usize = 8;
/// The most loads of a vector that is a whole line of the destination.
pub(crate) const LINE_LOADS: usize = 4;
/// The most phases of a unit: this many tables fit in the registers.
pub(crate) const PHASES: usize = 3;
/// Bytes of the longest vector.
const MAX_VECTOR: usize = 64;
/// Marks an output byte that comes from no load: it stays below [`NO_BYTE`] when steps are added.
const NONE: i16 = i16::MIN / 2;
const NO_BYTE: i16 = NONE / 2;

#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Table(pub(super) [u8; MAX_VECTOR]);

/// How the vectors of a job are put together.
#[derive(Clone, Copy)]
pub(crate) struct Shuffle<'a> {
    pub(super) unit: &'a Unit<'a>,
    /// For each load, the byte of it that goes to each byte of the vector; 0x80 for none.
    pub(super) index: [Table; LOADS],
    /// 0xFF for each byte of the vector that is written.
    pub(super) keep: Table,
    /// Where the loads of each lane begin, from the first position.
    pub(super) base: [isize; 2],
    pub(crate) loads: usize,
    /// How many units a vector may take bytes from, and the byte of a unit with which it begins.
    pub(super) units: usize,
    pub(super) begin: usize,
    /// Bytes from one vector to the next.
    pub(super) step: Loop,
    pub(super) bytes: usize,
    /// Where the bytes begin and end that a vector's loads reach, from its first position.
    pub(super) low: isize,
    pub(super) high: isize,
    /// What is prefetched with each row.
    pub(crate) ahead: Ahead,
    /// The first address that may be read, and how many bytes from there.
    pub(super) readable: (usize, usize),
    /// The address up to which bytes behind the places may be written again.
    pub(crate) limit: usize,
}

/// A unit of the destination, made by `inner` loops over runs, and the loop along which it repeats.
#[derive(Clone, Copy)]
pub(crate) struct Unit<'a> {
    inner: &'a [Loop],
    run: usize,
    pub(crate) walk: Loop,
    /// The number of bytes from its first byte to its last.
    pub(crate) span: usize,
    /// Whether each of its elements comes from a plane of its own, and so from a load of its own.
    /// Tables take the planes as if each began a lane behind the one before.
    pub(super) planes: bool,
    /// Bytes from one load of a lane to the next.
    pub(super) apart: isize,
    /// How many of them a vector holds, and of about how many loads it is made.
    pub(crate) fit: usize,
    pub(crate) loads: usize,
}

impl<'a> Unit<'a> {
    /// `None` if fewer than two fit a vector of `bytes`, or if they are too wide, or take too many
    /// loads of `lane` bytes. The loops are sorted.
    pub(crate) fn new(
        (bytes, lane, planes): (usize, usize, bool),
        inner: &'a [Loop],
        run: usize,
        walk: Loop,
    ) -> Option<Unit<'a>> {
        let (span, pitch) = (place_reach(inner, run), walk.dst.unsigned_abs());
        let (step, far) = (walk.src.unsigned_abs(), LOADS * lane);
        // Where a unit fills a lane, each vector has its own loads, which cost as much as moves.
        if pitch < span || 2 * pitch > bytes || step > far {
            return None;
        }
        let fit = short_division(bytes - span, pitch) + 1;
        let far = |it: &&Loop| it.src.unsigned_abs() > far && walk.src == run as isize;
        let plane = inner.first().filter(far).filter(|_| planes && inner.len() == 1);
        let close = step * short_division(lane - 1, pitch) + source_reach(inner, run);
        let (reach, apart) = plane.map_or((close, lane as isize), |it| (lane * it.n, it.src));
        // A lane has a power of two of bytes; a division would take long.
        let loads = ((reach - 1) >> lane.trailing_zeros()) + 1;
        // So all offsets of a vector's bytes are far from `NONE`: none is more than 3 KiB.
        let planes = plane.is_some();
        (loads <= LOADS).then_some(Unit { inner, run, walk, span, planes, apart, fit, loads })
    }

    /// The byte behind a unit with which vectors of `bytes` bytes begin, to cross no line, if units
    /// from `place` on need one, and are many.
    pub(super) fn between(&self, bytes: usize, place: *const u8) -> Option<usize> {
        let (pitch, many) = (self.walk.dst as usize, self.walk.n.div_ceil(self.fit) > LONG_MIXED);
        let begin = pitch - place.addr() % pitch;
        (many && bytes.is_multiple_of(pitch) && self.span <= begin && begin < pitch)
            .then_some(begin)
    }

    /// For each byte of a vector of `units` units, from byte `begin` of the first one, the offset
    /// in the source, or [`NONE`]. Loops are sorted, so dividing by the steps, the longest first,
    /// says at which position of each loop a byte is.
    #[inline(always)]
    fn map<const N: usize, const LANE: usize>(&self, begin: usize, units: usize) -> [i16; N] {
        let (mut rest, mut map) = ([0; N], [0; N]);
        for (j, rest) in rest.iter_mut().enumerate() {
            *rest = (begin + j) as u16;
        }
        let walk = Loop { n: units, ..self.walk };
        for it in core::iter::once(&walk).chain(self.inner.iter().rev()) {
            // The product of 32 bits is exact, as less than 128 is divided by at most 64.
            let (pitch, n) = (it.dst as u16, it.n as u16);
            let plane = self.planes && it.src == self.apart;
            let src = if plane { LANE as i16 } else { it.src as i16 };
            let inverse = (1u16 << 15).div_ceil(pitch);
            for (rest, map) in rest.iter_mut().zip(&mut map) {
                let i = ((u32::from(2 * *rest) * u32::from(inverse)) >> 16) as u16;
                *rest -= i * pitch;
                *map = if i < n { *map + i as i16 * src } else { NONE };
            }
        }
        for (rest, map) in rest.iter().zip(&mut map) {
            *map = if *rest < self.run as u16 { *map + *rest as i16 } else { NONE };
        }
        map
    }

    /// Moves some units of each of `rows` by plain moves, which touch nothing between the places.
    ///
    /// # Safety
    ///
    /// The units can be read and written, and the two sides do not overlap.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn by_moves(&self, units: Range<usize>, first: At, rows: Loop) {
        if units.is_empty() {
            return;
        }
        let first = self.walk.after(units.start, first);
        let walk = Loop { n: units.len(), ..self.walk };
        // SAFETY: a run of each of the caller's units.
        each(self.inner, first, &mut |at| unsafe {
            moves(self.run, &walk)(at, self.run, &walk, &rows)
        });
    }
}

/// The quotient of a few bytes: a long division takes up to four times as long.
pub(super) fn short_division(bytes: usize, by: usize) -> usize {
    (bytes as u32 / by as u32) as usize
}

impl<'a> Shuffle<'a> {
    /// Vectors of whole units; or vectors whose first byte is byte `begin` of a unit, and which
    /// step by their length. They need tables ([`build`](Self::build)), `readable` and `limit`.
    #[inline]
    pub(crate) fn new(bytes: usize, unit: &'a Unit<'a>, begin: Option<usize>) -> Shuffle<'a> {
        let Loop { src, dst, .. } = unit.walk;
        let (units, step) = match begin {
            None => (unit.fit, unit.fit),
            Some(begin) => (MAX_VECTOR, (begin + bytes) / dst.unsigned_abs()),
        };
        Shuffle {
            unit,
            index: [Table([0x80; MAX_VECTOR]); LOADS],
            keep: Table([0; MAX_VECTOR]),
            base: [0; 2],
            loads: 1,
            units,
            begin: begin.unwrap_or(0),
            step: Loop { n: 0, src: src * step as isize, dst: dst * step as isize },
            bytes,
            low: isize::MAX,
            high: isize::MIN,
            ahead: Ahead::NONE,
            readable: (0, 0),
            limit: 0,
        }
    }

    /// Makes the tables, once, by the instructions of a set. Returns whether `most` loads do.
    ///
    /// `start` is the address of the first position, if it has the same alignment in all vectors.
    /// Then loads of 64 bytes begin on lines, if few do: one that crosses two takes as long as two.
    #[inline(always)]
    pub(crate) fn build<const BYTES: usize, const LANE: usize>(
        &mut self,
        start: Option<usize>,
        most: usize,
    ) -> bool {
        let map: [i16; BYTES] = self.unit.map::<BYTES, LANE>(self.begin, self.units);
        let (lanes, walk) = (map.as_chunks::<LANE>().0, self.unit.walk);
        let mut loads = 1;
        for (at, lane) in lanes.iter().enumerate() {
            // As an unsigned number, `NONE` is larger than every offset.
            let unsigned = |from: &i16| from.wrapping_sub(NO_BYTE) as u16;
            let low = lane.iter().map(unsigned).fold(u16::MAX, u16::min) as i16 + NO_BYTE;
            let high = lane.iter().copied().fold(i16::MIN, i16::max);
            if high < NO_BYTE {
                // Nothing goes into this lane: it loads what the first one does.
                self.base[at] = self.base[0];
                continue;
            }
            let (mut low, high) = (low as isize, high as isize);
            if self.unit.planes {
                // The first unit may begin in the lane before, with its element of the first plane.
                low = low.min((self.begin + at * LANE) as isize / walk.dst * walk.src);
            }
            let reach = (high - low) as usize;
            let off = match start.map(|start| start.wrapping_add_signed(low) % 64) {
                Some(off) if LANE == 64 && off + reach < 64 * most => off,
                _ => 0,
            };
            self.base[at] = low - off as isize;
            loads = loads.max((off + reach) / LANE + 1);
        }
        if loads > most {
            return false;
        }
        self.loads = loads;
        for (at, lane) in lanes.iter().enumerate() {
            let base = self.base[at];
            let last = base + self.unit.apart * (loads as isize - 1);
            self.low = self.low.min(base.min(last));
            self.high = self.high.max(base.max(last) + LANE as isize);
            for (load, table) in self.index[..loads].iter_mut().enumerate() {
                // The compiler would make 20 KB of code for many loads at a time; there are few.
                vector::opaque(table.0.as_ptr());
                let first = (base + (load * LANE) as isize) as i16;
                for (byte, from) in table.0.as_chunks_mut::<LANE>().0[at].iter_mut().zip(lane) {
                    let at = from.wrapping_sub(first);
                    *byte = if at & -(LANE as i16) == 0 { at as u8 } else { 0x80 };
                }
            }
            for (keep, &from) in self.keep.0.as_chunks_mut::<LANE>().0[at].iter_mut().zip(lane) {
                *keep = if from < NO_BYTE { 0 } else { 0xFF };
            }
        }
        true
    }

    /// How many units come before the one in which vectors begin that cross no line, if there are
    /// such vectors, and how many are not all in them.
    pub(super) fn crossing(&self, place: *const u8) -> (usize, usize) {
        let (pitch, begin) = (self.unit.walk.dst as usize, place.addr() + self.begin);
        let off = begin.wrapping_neg() % self.bytes;
        let fits = self.step.dst as usize == self.bytes && off.is_multiple_of(pitch);
        let skip = if fits { off / pitch } else { 0 };
        (skip, skip + usize::from(self.begin > 0))
    }

    /// Which of the `count` vectors of a row load and store inside the bounds.
    #[inline(always)]
    pub(super) fn inside(&self, (src, dst): At, count: usize) -> Range<usize> {
        let from = src.addr().wrapping_sub(self.readable.0) as isize;
        let room = self.limit.saturating_sub(dst.addr());
        let last = count as isize - 1;
        let reach = self.step.src * last;
        let (low, high) = (from + self.low + reach.min(0), from + self.high + reach.max(0));
        let ends = self.step.dst as usize * (count - 1) + self.bytes;
        if low >= 0 && high <= self.readable.1 as isize && ends <= room {
            return 0..count;
        }
        self.inside_cold(from, room, count)
    }

    /// The rest of [`inside`](Self::inside): the row begins `from` bytes into what can be read and
    /// `room` bytes before the limit. Plain moves of what lies outside take longer than to search.
    #[cold]
    #[inline(never)]
    fn inside_cold(&self, from: isize, room: usize, count: usize) -> Range<usize> {
        let inside = |&i: &usize| {
            let at = from + self.step.src * i as isize;
            let ends = self.step.dst as usize * i + self.bytes;
            at + self.low >= 0 && at + self.high <= self.readable.1 as isize && ends <= room
        };
        // Loads and stores go one way, so the vectors between two that are inside are, too.
        let Some(begin) = (0..count).find(inside) else { return 0..0 };
        begin..(begin..count).rfind(inside).unwrap_or(begin) + 1
    }
}
