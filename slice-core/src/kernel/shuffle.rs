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

use super::drive::Ahead;
use super::isa::{self, Set, Vector};
use super::loops::{Loop, Stack, each};
use super::tuning::{READ_FIRST, WRITE_AHEAD};
use core::mem::MaybeUninit;
use core::ops::Range;

/// The most loads that make a vector: more take as long as plain moves.
pub(crate) const LOADS: usize = 8;
/// Bytes of the longest vector.
const MOST: usize = 64;
/// An output byte that comes from nowhere.
const NONE: i32 = i32::MIN;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Table([u8; MOST]);

/// How the vectors of a job are put together.
#[derive(Clone, Copy)]
pub(crate) struct Shuffle {
    /// For each load, the byte of it that goes to each byte of the vector; 0x80 for none. One more
    /// than there are loads.
    index: [Table; LOADS + 1],
    /// 0xFF for each byte of the vector that is written.
    keep: Table,
    /// The same as offsets from the first position, or [`NONE`].
    map: [i32; MOST],
    /// Where the loads of each lane begin, from the first position.
    base: [isize; 2],
    pub(crate) loads: usize,
    /// Units in a vector, and the byte of a unit with which it begins.
    units: usize,
    begin: usize,
    /// Bytes from one unit, and from one vector, to the next.
    unit: Loop,
    step: Loop,
    bytes: usize,
    /// The first byte and one past the last that the loads of a vector reach, from its first
    /// position.
    low: isize,
    high: isize,
    /// What is asked for with each row.
    pub(crate) ahead: Ahead,
    /// The first address that may be read, and how many bytes from there.
    readable: (usize, usize),
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
    pub(crate) fn new(set: &Set, inner: &[Loop], run: usize, walk: Loop) -> Option<Unit> {
        let span = super::loops::written(inner, run);
        let pitch = walk.dst.unsigned_abs();
        // All offsets of a table fit 32 bits.
        let near = walk.src.unsigned_abs() <= 1 << 16 && super::loops::read(inner, run) <= 1 << 16;
        if span > set.bytes || pitch < span || pitch > set.bytes || !near {
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
    /// Vectors of whole units; `None` if they would need too many loads.
    pub(crate) fn new(
        set: &Set,
        unit: &Unit,
        readable: (usize, usize),
        limit: usize,
    ) -> Option<Shuffle> {
        let units = (set.bytes - unit.span) / unit.walk.dst.unsigned_abs() + 1;
        Shuffle::build(set, unit, 0, units, Some(units), 0, readable, limit)
    }

    /// Vectors of which the first byte is byte `begin` of a unit, and which step by their length.
    /// The first position of the first one is at the address `at`, if loads are to begin on lines.
    fn phase(set: &Set, unit: &Unit, begin: usize, at: usize, first: &Shuffle) -> Option<Shuffle> {
        let step = (begin + set.bytes) / unit.walk.dst.unsigned_abs();
        Shuffle::build(set, unit, begin, step, None, at, first.readable, first.limit)
    }

    /// Vectors from byte `begin` of a unit on, each `step` units behind the one before; of whole
    /// units, if their number is given; with loads that begin on lines from the address `at` on,
    /// if it is not 0.
    #[expect(clippy::too_many_arguments, reason = "two ways to call it, above")]
    fn build(
        set: &Set,
        &Unit { bytes: ref from, walk, .. }: &Unit,
        begin: usize,
        step: usize,
        whole: Option<usize>,
        at: usize,
        readable: (usize, usize),
        limit: usize,
    ) -> Option<Shuffle> {
        let pitch = walk.dst.unsigned_abs();
        let mut map = [NONE; MOST];
        let (mut unit, mut byte) = (0, begin);
        for map in &mut map[..set.bytes] {
            if whole.is_none_or(|units| unit < units) && from[byte] != NONE {
                *map = from[byte] + (walk.src * unit as isize) as i32;
            }
            byte += 1;
            if byte == pitch {
                (unit, byte) = (unit + 1, 0);
            }
        }
        let mut shuffle = Shuffle {
            index: [Table([0x80; MOST]); LOADS + 1],
            keep: Table([0; MOST]),
            map,
            base: [0; 2],
            loads: 1,
            units: whole.unwrap_or(1),
            begin,
            unit: walk,
            step: Loop { n: 0, src: walk.src * step as isize, dst: walk.dst * step as isize },
            bytes: set.bytes,
            low: isize::MAX,
            high: isize::MIN,
            ahead: Ahead::NONE,
            readable,
            limit,
        };
        shuffle.lanes(set.lane, at).then_some(shuffle)
    }

    /// Fills in what the loads of each lane are; says whether they are few enough. Loads of lines
    /// begin on lines from the address `start` on, if it is not 0.
    fn lanes(&mut self, lane: usize, start: usize) -> bool {
        // A lane into which nothing goes loads what the first one does.
        let mut base = [None; 2];
        for (at, map) in self.map[..self.bytes].chunks(lane).enumerate() {
            let low = map.iter().filter(|&&from| from != NONE).min();
            let high = map.iter().filter(|&&from| from != NONE).max();
            if let (Some(&low), Some(&high)) = (low, high) {
                let off = if start != 0 && lane == 64 {
                    start.wrapping_add_signed(low as isize) % 64
                } else {
                    0
                };
                let low = low as isize - off as isize;
                base[at] = Some(low);
                self.loads = self.loads.max((high as isize - low) as usize / lane + 1);
            }
        }
        if self.loads > LOADS {
            return false;
        }
        for at in 0..self.bytes / lane {
            self.base[at] = base[at].or(base[0]).unwrap_or(0);
            self.low = self.low.min(self.base[at]);
            self.high = self.high.max(self.base[at] + (self.loads * lane) as isize);
        }
        for (j, &from) in self.map[..self.bytes].iter().enumerate() {
            if from != NONE {
                let at = (from as isize - self.base[j / lane]) as usize;
                self.index[at / lane].0[j] = (at % lane) as u8;
                self.keep.0[j] = 0xFF;
            }
        }
        true
    }

    /// Which of the `count` vectors of a row load and store inside the bounds.
    #[inline(always)]
    fn inside(&self, src: *const u8, dst: *mut u8, count: usize) -> Range<usize> {
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
    unsafe fn edge(&self, src: *const u8, dst: *mut u8, vectors: Range<usize>, n: usize) {
        for i in vectors {
            let units = (n - i * self.units).min(self.units);
            let (src, dst) = (
                src.wrapping_offset(self.step.src * i as isize),
                dst.wrapping_offset(self.step.dst * i as isize),
            );
            let ends = (units * self.unit.dst as usize).min(self.bytes);
            for (j, &from) in self.map[..ends].iter().enumerate() {
                if from != NONE {
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
    let (whole, all) = (n / units, n.div_ceil(units));
    let (mut src, mut dst) = (src, dst);
    let mut left = rows.n;
    while left > 0 {
        ahead.ask(src);
        let (mut from, mut to, mut n, mut full, mut count) = (src, dst, n, whole, all);
        let mut inside = shuffle.inside(from, to, count);
        // Long rows store where vectors are aligned: the first units are moved twice.
        let off = to.addr().wrapping_neg() % V::BYTES;
        if off != 0 && count > 8 && inside.start == 0 && !inside.is_empty() {
            let skip = off / unit.dst as usize;
            if skip < units && skip * unit.dst as usize == off {
                // SAFETY: the first vector is inside.
                unsafe {
                    let value = value::<V, LOADS>(&index, &base, from);
                    if MIX { value.over(V::load(to), keep).store(to) } else { value.store(to) }
                }
                (from, to) = (from.wrapping_offset(unit.src * skip as isize), to.wrapping_add(off));
                n -= skip;
                (full, count) = (n / units, n.div_ceil(units));
                inside = shuffle.inside(from, to, count);
            }
        }
        // SAFETY: vector `i` of the row is loaded from `at` and stored to `place`, only where
        // `inside` names it; the others are moved by `edge`.
        unsafe {
            if inside.start > 0 {
                shuffle.edge(from, to, 0..inside.start, n);
            }
            let mut i = inside.start;
            let (mut at, mut place) = (
                from.wrapping_offset(step.src * i as isize),
                to.wrapping_offset(step.dst * i as isize),
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
                // Long rows are foreseen where one instruction loads all of them, short ones where
                // each has the same place in all rows: the compiler unrolls the second loop.
                while i < inside.end && count > 8 {
                    value::<V, LOADS>(&index, &base, at).store(place);
                    (at, place) =
                        (isa::anew(at.wrapping_offset(step.src)), place.wrapping_offset(step.dst));
                    i += 1;
                }
                while i < inside.end {
                    value::<V, LOADS>(&index, &base, at).store(place);
                    (at, place) = (at.wrapping_offset(step.src), place.wrapping_offset(step.dst));
                    i += 1;
                }
            }
            if inside.end < count {
                shuffle.edge(from, to, inside.end..count, n);
            }
        }
        (src, dst) = (src.wrapping_offset(rows.src), dst.wrapping_offset(rows.dst));
        left -= 1;
    }
}

/// Writes `n` times a vector of each phase to `dst`, which is aligned, beginning with the phase
/// number `first`: past the caches, or, with `MIX`, between bytes that stay. What is read and
/// written further on is asked for. `PHASES` is the number of phases, `LOADS` that of loads.
///
/// All tables are in registers: a load from memory would often have to wait for one of the many
/// stores under way, whenever the lowest 12 bits of their addresses are the same.
///
/// # Safety
///
/// The CPU has `V`'s set, for which the phases were made. The loads of all vectors can be read, all
/// of the vectors written, and the two sides do not overlap. [`isa::fence`] must follow.
#[inline(always)]
pub(crate) unsafe fn lines<V: Vector, const PHASES: usize, const LOADS: usize, const MIX: bool>(
    phases: &[Shuffle],
    first: usize,
    src: *const u8,
    dst: *mut u8,
    n: usize,
) {
    let phase = |p: usize| &phases[(first + p) % PHASES];
    let ahead = if phases[0].step.src < 0 { -READ_FIRST } else { READ_FIRST };
    // Lines of the source for a vector, one load more where they begin anywhere.
    let wanted = if PHASES == 1 || LOADS == 1 { LOADS } else { LOADS - 1 };
    let (mut at, mut place) = (src, dst);
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
        for _ in 0..n {
            let mut p = 0;
            while p < PHASES {
                let mut line = 0;
                while line < wanted {
                    isa::prefetch(at.wrapping_offset(base[p][0] + ahead).wrapping_add(64 * line));
                    line += 1;
                }
                let value = value::<V, LOADS>(&index[p], &base[p], at);
                if MIX {
                    isa::prefetch(place.wrapping_add(WRITE_AHEAD));
                    value.over(V::load(place), keep[p]).store(place);
                } else {
                    value.stream(place);
                }
                (at, place) =
                    (isa::anew(at.wrapping_offset(step[p])), place.wrapping_add(V::BYTES));
                p += 1;
            }
        }
    }
}

/// The most loads of a vector of these.
pub(crate) const LINE_LOADS: usize = 4;
/// The most phases of a unit: so many tables fit the registers.
const PHASES: usize = 3;

/// Long rows by vectors that begin where lines do: a table for each place in a unit where a vector
/// can begin.
pub(crate) struct Lines<'a> {
    first: &'a Shuffle,
    rows: isa::Rows,
    lines: isa::Lines,
    phases: Stack<Shuffle, PHASES>,
    /// The lowest and the highest byte of all loads.
    low: isize,
    high: isize,
}

impl<'a> Lines<'a> {
    /// For rows like that at `dst`, whose units `unit` makes, moved by `rows` where they are not
    /// whole vectors; `None` if they would need too many tables.
    pub(crate) fn new(
        first: &'a Shuffle,
        set: &Set,
        unit: &Unit,
        (rows, mix): (isa::Rows, bool),
        src: *const u8,
        dst: *mut u8,
    ) -> Option<Lines<'a>> {
        let (bytes, pitch) = (set.bytes, unit.walk.dst.unsigned_abs());
        let mut lines = Lines {
            first,
            rows,
            lines: set.lines[usize::from(mix)][0][0],
            phases: Stack::new(),
            low: isize::MAX,
            high: isize::MIN,
        };
        let off = dst.addr().wrapping_neg() % bytes;
        // If all vectors of a phase lie alike in the lines of the source, they are made from whole
        // lines: a load that crosses two takes as long as two.
        let times = pitch / (1 << pitch.trailing_zeros().min(bytes.trailing_zeros()));
        let alike = unit.walk.src * ((times * bytes) / pitch) as isize % 64 == 0;
        let mut loads = 1;
        for number in 0..times {
            if number == PHASES {
                return None;
            }
            let byte = off + number * bytes;
            let at = src.addr().wrapping_add_signed(unit.walk.src * (byte / pitch) as isize);
            let whole =
                if alike { Shuffle::phase(set, unit, byte % pitch, at, first) } else { None };
            let whole = whole.filter(|phase| phase.loads <= LINE_LOADS);
            let phase = whole.or_else(|| Shuffle::phase(set, unit, byte % pitch, 0, first))?;
            (lines.low, lines.high) = (lines.low.min(phase.low), lines.high.max(phase.high));
            loads = loads.max(phase.loads);
            lines.phases.push(phase);
        }
        // All phases take as many loads as the one that takes most; what they load in vain is
        // inside.
        for phase in lines.phases.items_mut() {
            phase.high += (loads - phase.loads) as isize * set.lane as isize;
            phase.loads = loads;
            lines.high = lines.high.max(phase.high);
        }
        let by = set.lines[usize::from(mix)].get(lines.phases.items().len() / 2)?;
        lines.lines = *by.get(loads - 1)?;
        Some(lines)
    }

    /// Moves `n` units.
    ///
    /// # Safety
    ///
    /// As for [`rows`] and [`lines`], of one row.
    pub(crate) unsafe fn row(&self, src: *const u8, dst: *mut u8, n: usize) {
        let Shuffle { bytes, unit, .. } = *self.first;
        let pitch = unit.dst as usize;
        let off = dst.addr().wrapping_neg() % bytes;
        let phase = self.phases.items().iter().position(|phase| phase.begin == off % pitch);
        let (mut begin, mut end) = (0, (pitch * (n - 1)).saturating_sub(off) / bytes);
        // The unit in which a vector begins, and whether its loads are inside.
        let unit_of = |vector: usize| (off + vector * bytes) / pitch;
        let start = src.addr().wrapping_sub(self.first.readable.0) as isize;
        let inside = |vector: usize| {
            let at = start + unit.src * unit_of(vector) as isize;
            at + self.low >= 0 && at + self.high <= self.first.readable.1 as isize
        };
        while begin < end && !inside(begin) {
            begin += 1;
        }
        while begin < end && !inside(end - 1) {
            end -= 1;
        }
        // SAFETY: units before, in and behind the vectors; those that are only in part in a vector
        // are moved twice. Whole vectors lie inside the row, and their loads inside what can be
        // read.
        unsafe {
            let part = |from: usize, to: usize| {
                let (src, dst) =
                    (src.wrapping_offset(unit.src * from as isize), dst.wrapping_add(pitch * from));
                if from < to {
                    (self.rows)(self.first, src, dst, to - from, Loop::ONE);
                }
            };
            let Some(phase) = phase.filter(|_| begin < end) else { return part(0, n) };
            part(0, (off + begin * bytes).div_ceil(pitch));
            let at = src.wrapping_offset(unit.src * unit_of(begin) as isize);
            let phases = self.phases.items();
            let times = (end - begin) / phases.len();
            let first = (phase + begin) % phases.len();
            (self.lines)(phases, first, at, dst.wrapping_add(off + begin * bytes), times);
            part(unit_of(begin + times * phases.len()), n);
        }
    }
}

/// The tables for `LOADS` loads, two by two.
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
