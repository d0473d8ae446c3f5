//! Tables for short periods: which byte of which load goes to which byte of a vector.
//!
//! They are made once per call, from one unit of the destination and the loop along which it
//! repeats (`shuffle.rs` says what that is for). Small calls wait for them, so they are made in two
//! passes over the bytes of a vector.

use super::loops::{Loop, each};
use super::prefetch::Ahead;
use core::mem::MaybeUninit;
use core::ops::Range;

/// The most loads that make a vector, an even number: more take as long as plain moves.
pub(crate) const LOADS: usize = 8;
/// The most loads of a vector that is a whole line of the destination.
pub(crate) const LINE_LOADS: usize = 4;
/// The most phases of a unit: this many tables fit in the registers.
pub(crate) const PHASES: usize = 3;
/// Bytes of the longest vector.
const MOST: usize = 64;
/// An output byte that no load has: any offset below [`NO_BYTE`], so that steps can be added to it.
const NONE: i32 = i32::MIN / 2;
const NO_BYTE: i32 = NONE / 2;

/// The vectors that tables are made for: their bytes, and those of the parts that are shuffled
/// apart.
#[derive(Clone, Copy)]
pub(crate) struct Width {
    pub(crate) bytes: usize,
    pub(crate) lane: usize,
}

#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Table(pub(super) [u8; MOST]);

/// How the vectors of a job are put together.
#[derive(Clone, Copy)]
pub(crate) struct Shuffle {
    /// For each load, the byte of it that goes to each byte of the vector; 0x80 for none.
    index: [Table; LOADS],
    /// 0xFF for each byte of the vector that is written.
    pub(super) keep: Table,
    /// The same as offsets from the first position, or [`NONE`].
    map: [i32; MOST],
    /// Where the loads of each lane begin, from the first position.
    pub(super) base: [isize; 2],
    pub(crate) loads: usize,
    /// Units in a vector, and the byte of a unit with which it begins.
    pub(super) units: usize,
    pub(super) begin: usize,
    /// Bytes from one unit, and from one vector, to the next.
    pub(super) unit: Loop,
    pub(super) step: Loop,
    pub(super) bytes: usize,
    /// Bytes of a vector after which no byte comes from a load.
    used: usize,
    /// The first byte and one past the last that the loads of a vector reach, from its first
    /// position.
    pub(super) low: isize,
    pub(super) high: isize,
    /// What is prefetched with each row.
    pub(crate) ahead: Ahead,
    /// The first address that may be read, and how many bytes from there.
    pub(super) readable: (usize, usize),
    /// The address up to which bytes behind the places may be written again.
    pub(crate) limit: usize,
}

/// A unit: where its bytes come from, and the loop along which it repeats.
pub(crate) struct Unit {
    /// For each byte of it, the offset in the source, or [`NONE`].
    bytes: [i32; MOST],
    span: usize,
    pub(crate) walk: Loop,
}

impl Unit {
    /// The unit that `inner` loops and `run` bytes make; `None` if it is too long or too wide.
    pub(crate) fn new(width: Width, inner: &[Loop], run: usize, walk: Loop) -> Option<Unit> {
        let span = super::loops::written(inner, run);
        let pitch = walk.dst.unsigned_abs();
        // All offsets of a table fit 32 bits.
        let near = walk.src.unsigned_abs() <= 1 << 16 && super::loops::read(inner, run) <= 1 << 16;
        if span > width.bytes || pitch < span || pitch > width.bytes || !near {
            return None;
        }
        let mut bytes = [NONE; MOST];
        each(inner, &mut |src, dst| {
            for b in 0..run {
                bytes[dst as usize + b] = (src + b as isize) as i32;
            }
        });
        Some(Unit { bytes, span, walk })
    }
}

impl Shuffle {
    /// Vectors of whole units, whose tables [`build`](Self::build) makes.
    #[inline(always)]
    pub(crate) fn of_units(
        width: Width,
        unit: &Unit,
        readable: (usize, usize),
        limit: usize,
    ) -> Shuffle {
        let pitch = unit.walk.dst.unsigned_abs();
        let units = (width.bytes - unit.span) / pitch + 1;
        // Bytes after the last unit come from no load.
        let used = pitch * (units - 1) + unit.span;
        Shuffle { units, used, ..Shuffle::empty(width, unit.walk, units, readable, limit) }
    }

    /// Vectors of which the first byte is byte `begin` of a unit, and which step by their length.
    #[inline(always)]
    pub(crate) fn of_lines(width: Width, unit: &Unit, begin: usize) -> Shuffle {
        let step = (begin + width.bytes) / unit.walk.dst.unsigned_abs();
        Shuffle { begin, ..Shuffle::empty(width, unit.walk, step, (0, 0), 0) }
    }

    /// Vectors each `step` units behind the one before.
    #[inline(always)]
    fn empty(
        width: Width,
        unit: Loop,
        step: usize,
        readable: (usize, usize),
        limit: usize,
    ) -> Shuffle {
        Shuffle {
            index: [Table([0x80; MOST]); LOADS],
            keep: Table([0; MOST]),
            map: [NONE; MOST],
            base: [0; 2],
            loads: 1,
            units: 1,
            begin: 0,
            unit,
            step: Loop { n: 0, src: unit.src * step as isize, dst: unit.dst * step as isize },
            bytes: width.bytes,
            used: width.bytes,
            low: isize::MAX,
            high: isize::MIN,
            ahead: Ahead::NONE,
            readable,
            limit,
        }
    }

    /// Makes the tables, once. Returns whether there are at most `most` loads.
    ///
    /// `start` is the address of the first position, if it has the same alignment in all vectors.
    /// Then loads of 64 bytes begin on lines, if these are not too many: a load that crosses two
    /// lines takes as long as two.
    pub(crate) fn build(
        &mut self,
        width: Width,
        unit: &Unit,
        start: Option<usize>,
        most: usize,
    ) -> bool {
        let (lane, src) = (width.lane, unit.walk.src as i32);
        let pitch = unit.walk.dst.unsigned_abs();
        // The first unit, from the byte with which the vector begins, then twice as many each time.
        let (map, mut done) = (&mut self.map[..self.used], pitch.min(self.used));
        for (j, map) in map[..done].iter_mut().enumerate() {
            let byte = self.begin + j;
            *map = if byte < pitch { unit.bytes[byte] } else { unit.bytes[byte - pitch] + src };
        }
        let mut step = src;
        while done < map.len() {
            let (old, new) = map.split_at_mut(done);
            for (new, old) in new.iter_mut().zip(&*old) {
                *new = old + step;
            }
            (done, step) = (2 * done, 2 * step);
        }
        // A lane has a power of two of bytes; a division would take long.
        let zeros = lane.trailing_zeros();
        for (at, map) in self.map[..self.bytes].chunks(lane).enumerate() {
            let (mut low, mut high) = (i32::MAX, i32::MIN);
            for &from in map {
                low = low.min(if from < NO_BYTE { i32::MAX } else { from });
                high = high.max(from);
            }
            if low > high {
                // Nothing goes into this lane: it loads what the first one does.
                self.base[at] = self.base[0];
                continue;
            }
            let (low, reach) = (low as isize, (high - low) as usize);
            let off = match start.map(|start| start.wrapping_add_signed(low) % 64) {
                Some(off) if lane == 64 && off + reach < 64 * most => off,
                _ => 0,
            };
            self.base[at] = low - off as isize;
            self.loads = self.loads.max(((off + reach) >> zeros) + 1);
        }
        if self.loads > most {
            return false;
        }
        for base in &self.base[..self.bytes >> zeros] {
            self.low = self.low.min(*base);
            self.high = self.high.max(base + (self.loads * lane) as isize);
        }
        let chunks = self.map[..self.bytes].as_chunks::<16>().0;
        for (c, chunk) in chunks.iter().enumerate() {
            let base = self.base[(16 * c) >> zeros] as i32;
            // Offsets from the first load, which are few.
            let from = chunk.map(|at| if at < NO_BYTE { u16::MAX } else { (at - base) as u16 });
            for (load, table) in self.index[..self.loads].iter_mut().enumerate() {
                let first = (load * lane) as u16;
                table.0.as_chunks_mut::<16>().0[c] = from.map(|from| {
                    let byte = from.wrapping_sub(first);
                    if byte < lane as u16 { byte as u8 } else { 0x80 }
                });
            }
            self.keep.0.as_chunks_mut::<16>().0[c] =
                from.map(|from| if from == u16::MAX { 0 } else { 0xFF });
        }
        true
    }

    /// The table of a load.
    #[inline(always)]
    pub(super) fn table(&self, load: usize) -> *const u8 {
        self.index[load].0.as_ptr()
    }

    /// Which of the `count` vectors of a row load and store inside the bounds.
    #[inline(always)]
    pub(super) fn inside(&self, src: *const u8, dst: *mut u8, count: usize) -> Range<usize> {
        let (from, room) =
            (src.addr().wrapping_sub(self.readable.0) as isize, self.limit - dst.addr());
        let last = count as isize - 1;
        let reach = self.step.src * last;
        let (low, high) = (from + self.low + reach.min(0), from + self.high + reach.max(0));
        let ends = self.step.dst as usize * (count - 1) + self.bytes;
        if low >= 0 && high <= self.readable.1 as isize && ends <= room {
            return 0..count;
        }
        self.inside_apart(from, room, count)
    }

    /// The rest of [`inside`](Self::inside): the row begins `from` bytes into what can be read and
    /// `room` bytes before the limit.
    #[cold]
    #[inline(never)]
    fn inside_apart(&self, from: isize, room: usize, count: usize) -> Range<usize> {
        let (low, high) = (from + self.low, self.readable.1 as isize - from - self.high);
        // Going forwards the first loads may begin too early and the last end too late; backwards
        // it is the other way round.
        let (early, late) = if self.step.src < 0 { (high, low) } else { (low, high) };
        let step = self.step.src.unsigned_abs();
        let begin = if early >= 0 { 0 } else { early.unsigned_abs().div_ceil(step.max(1)) };
        let end = match (late.try_into(), room.checked_sub(self.bytes)) {
            (Ok(late), Some(room)) => {
                let late: usize = late;
                late.checked_div(step)
                    .unwrap_or(count)
                    .min(room / self.step.dst as usize)
                    .saturating_add(1)
                    .min(count)
            }
            _ => 0,
        };
        let begin = if step == 0 && begin > 0 { count } else { begin };
        if begin < end { begin..end } else { 0..0 }
    }

    /// Moves some vectors of a row of `n` units byte by byte: reads and writes places only.
    ///
    /// # Safety
    ///
    /// The units of those vectors can be read and written.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn edge(
        &self,
        src: *const u8,
        dst: *mut u8,
        vectors: Range<usize>,
        n: usize,
    ) {
        for i in vectors {
            let units = (n - i * self.units).min(self.units);
            let (src, dst) = self.step.after(i, src, dst);
            let ends = (units * self.unit.dst as usize).min(self.bytes);
            for (j, &from) in self.map[..ends].iter().enumerate() {
                if from >= NO_BYTE {
                    let (from, to) = (src.wrapping_offset(from as isize), dst.wrapping_add(j));
                    // SAFETY: a byte of one of the caller's units, and its place.
                    unsafe {
                        to.cast::<MaybeUninit<u8>>().write(from.cast::<MaybeUninit<u8>>().read())
                    }
                }
            }
        }
    }
}
