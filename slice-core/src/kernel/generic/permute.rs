//! The permute kernel: output vectors put together from a few loads, by tables made at the start of the call.
//!
//! A short inner block (a *unit*: one element of a stride, three bytes of a pixel turned round, two of four columns) is repeated
//! along the walked axis at a constant step. After the smallest number of units that fill whole output vectors (a *period*) everything
//! repeats, only moved on. So for each vector of a period there is one table of indices:
//!
//! ```text
//! for each period:
//!     for each vector of the period:
//!         load the 1 to 16 vectors around its source bytes, shuffle them by its table, store
//! ```
//!
//! Where a period is several vectors, and the units that fit one vector come out of fewer loads, each period is those units alone (a *short* one): the
//! next vector is stored over what this one has too much. (Three-byte pixels turned round: 21 a vector, out of one load instead of two.)
//!
//! Loads may reach past the view on either side, as far as the source slice goes. Where they would leave it (the first or last
//! periods of the first or last rows) the units are moved one by one. Stores reach past a row only where a later
//! row, or the rest of the stage, is written afterwards.

use core::mem::MaybeUninit;

use super::stage::{Rows, drive};
use crate::kernel::isa::{self, Maker};
use crate::kernel::nest::{Axis, extent};
use crate::kernel::vector::{Kernel, Vector};
use crate::kernel::walk::any_nest;

/// The most vectors a period may have.
pub(crate) const PERIOD: usize = 16;
/// The most bytes of a unit.
pub(crate) const UNIT: usize = 128;
/// Entries for a period (at most `PERIOD` vectors of 64 bytes) and the unit it ends in.
const OFFSETS: usize = PERIOD * 64;

/// Tables of a whole period.
pub(crate) struct Table<'a, V: Vector> {
    /// One for each vector of a period.
    lines: &'a [V::Line],
    /// Loads for each of them.
    loads: usize,
    /// Whether all of it moves in 4-byte words.
    words: bool,
    /// Bytes of a unit, units in a period, bytes from one unit to the next.
    unit: usize,
    per: usize,
    step: isize,
    /// Whether a period is less than its one vector.
    short: bool,
    /// The span of all loads of a period around its first unit.
    low: isize,
    end: isize,
}

/// The greatest common divisor of a power of two and `n`.
fn common(power: usize, n: usize) -> usize {
    power.min(1 << n.trailing_zeros())
}

/// Room for the tables of a period; make it with [`room`], where it is used.
pub(crate) type Room<V> = [MaybeUninit<<V as Vector>::Line>; PERIOD];

/// Room that nobody writes before use.
#[inline(always)]
pub(crate) fn room<V: Vector>() -> Room<V> {
    [const { MaybeUninit::uninit() }; PERIOD]
}

impl<'a, V: Vector> Table<'a, V> {
    /// Makes the tables for units of `inner` axes and `run` bytes, `step` bytes apart. `None` if there are no such tables. `stream`: whole
    /// vectors are wanted, to be streamed.
    ///
    /// # Safety
    /// The CPU has `V`'s set.
    pub(crate) unsafe fn build(
        room: &'a mut Room<V>,
        inner: &[Axis],
        run: usize,
        walk: Axis,
        stream: bool,
    ) -> Option<Table<'a, V>> {
        let step = walk.step;
        let unit = inner.iter().fold(run, |bytes, axis| bytes.saturating_mul(axis.n));
        if unit > UNIT {
            return None;
        }
        let count = unit / common(V::BYTES, unit);
        let per = count * V::BYTES / unit;
        if count > PERIOD {
            return None;
        }
        // A vector's offsets must be small numbers; anything wider would need too many loads anyhow.
        let widest = (V::LOADS * V::BYTES) as isize;
        if !(-widest..=widest).contains(&step) || inner.iter().any(|axis| !(-widest..=widest).contains(&axis.step)) {
            return None;
        }
        let all = inner.iter().fold(run | step.unsigned_abs(), |bits, axis| bits | axis.step.unsigned_abs());
        let words = V::WORDS && all.is_multiple_of(4);
        let grain = if words { 4 } else { 1 };

        let mut offsets = [MaybeUninit::<i32>::uninit(); OFFSETS];
        let mut have = 0;
        while have < run / grain {
            offsets[have] = MaybeUninit::new((have * grain) as i32);
            have += 1;
        }
        // Each axis repeats what is there, moved on; the walked one last.
        for axis in inner {
            have = repeat(&mut offsets, have, axis.n, axis.step as i32);
        }
        let want = repeat(&mut offsets, have, per, step as i32);
        debug_assert_eq!(want, count * V::BYTES / grain);
        // SAFETY: `repeat` has written the first `want` entries.
        let offsets = unsafe { core::slice::from_raw_parts(offsets.as_ptr().cast::<i32>(), want) };
        let few = V::BYTES / unit;
        let used = few * unit / grain;

        let mut lines = Lines::<V> {
            room,
            offsets,
            grain,
            ahead: ahead(walk),
            used: if !stream && V::BYTES == 64 && count > 1 && few * unit >= SHORTEST { used } else { 0 },
            loads: 0,
            low: isize::MAX,
            end: isize::MIN,
        };
        // SAFETY: the caller's CPU has the set; there are offsets for whole vectors.
        unsafe { V::enter(&mut lines) };
        let Lines { room, loads, low, end, used, .. } = lines;
        if loads > V::LOADS {
            return None;
        }
        let short = used > 0;
        let (count, per) = if short { (1, few) } else { (count, per) };
        // SAFETY: the loop has written the first `count` of them.
        let lines = unsafe { core::slice::from_raw_parts(room.as_ptr().cast::<V::Line>(), count) };
        Some(Table { lines, loads, words, unit, per, step, short, low, end })
    }
}

/// How far in front of its loads a streamed walk prefetches: 2 KiB, and 8 KiB on Zen 5 along rows so long that what is asked for behind their
/// ends is little. There that takes 0.77 to 0.98 of the time (rows of 11 KiB up to 1.2); 1 KiB 1.0 to 1.25.
fn ahead(walk: Axis) -> isize {
    const LONG: usize = 64 << 10;
    let far = walk.step.unsigned_abs().saturating_mul(walk.n) >= LONG && isa::maker() == Maker::NewAmd;
    walk.step.signum() * if far { 8 << 10 } else { 2 << 10 }
}

/// The fewest bytes of a vector of 64 that make a short period worth it.
const SHORTEST: usize = 56;

/// The part of [`Table::build`] that is compiled for the set.
struct Lines<'r, 'o, V: Vector> {
    room: &'r mut Room<V>,
    offsets: &'o [i32],
    grain: usize,
    ahead: isize,
    /// The offsets of a short period, 0 if there is to be none; in the end 0 if there is none.
    used: usize,
    /// The results: loads for each vector (more than there may be: the tables are not made), and the span of all.
    loads: usize,
    low: isize,
    end: isize,
}

impl<V: Vector> Kernel for Lines<'_, '_, V> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        let (grain, each) = (self.grain, V::BYTES / self.grain);
        self.loads = 1;
        // SAFETY: `each` offsets for every vector; this runs inside `enter`.
        unsafe {
            for line in self.offsets.chunks_exact(each) {
                self.loads = self.loads.max(V::loads(line, grain));
            }
            if self.used > 0 {
                let mut line = [0; 64];
                for (to, from) in line.iter_mut().zip(&self.offsets[..self.used]) {
                    *to = *from;
                }
                // What is too much comes from where something comes from in any case.
                let first = line[0];
                line[self.used..].fill(first);
                let loads = V::loads(&line[..each], grain);
                if loads < self.loads {
                    self.loads = loads;
                    (self.low, self.end) = V::line(&mut self.room[0], &line[..each], grain, loads, self.ahead);
                    return;
                }
                self.used = 0;
            }
            if self.loads > V::LOADS {
                return;
            }
            for (slot, line) in self.room.iter_mut().zip(self.offsets.chunks_exact(each)) {
                let (low, end) = V::line(slot, line, grain, self.loads, self.ahead);
                self.low = self.low.min(low);
                self.end = self.end.max(end);
            }
        }
    }
}

/// Writes the first `have` entries `n` times in all, `step` further each time.
fn repeat(offsets: &mut [MaybeUninit<i32>; OFFSETS], have: usize, n: usize, step: i32) -> usize {
    for i in 1..n {
        for k in 0..have {
            // Always from the first ones: reading what was just written would make each wait for the one before.
            // SAFETY: the caller wrote the first `have`.
            let offset = unsafe { offsets[k].assume_init() };
            offsets[i * have + k] = MaybeUninit::new(offset + step * i as i32);
        }
    }
    have * n
}

/// Everything a permute call needs.
pub(crate) struct Job<'a> {
    /// The axes inside the unit, and those outside the walked one.
    pub inner: &'a [Axis],
    pub outer: &'a [Axis],
    pub run: usize,
    /// Units in a row.
    pub n: usize,
    /// The first position's byte in the source, and the source.
    pub start: isize,
    pub src: *const u8,
    pub src_bytes: usize,
    pub dst: *mut u8,
    pub total: usize,
    pub stream: bool,
}

/// Runs the job by its tables.
///
/// # Safety
/// The CPU has `V`'s set. `table` was built from the job's axes. All positions of the job's nest lie inside `src_bytes` bytes at `src`;
/// `dst` is good for `total` bytes, which is what the nest comes to, and does not overlap them.
pub(crate) unsafe fn permute<V: Vector>(table: &Table<'_, V>, job: &Job<'_>) {
    macro_rules! go {
        ($count:literal, $loads:literal, $words:literal) => {{
            // SAFETY: the caller's promise; count, loads and words are those of the table.
            unsafe { V::enter(&mut Permute::<V, $count, $loads, $words, false> { table, job }) }
        }};
    }
    macro_rules! pick {
        ($count:literal, $words:literal) => {
            match table.loads {
                1 => go!($count, 1, $words),
                2 => go!($count, 2, $words),
                3 => go!($count, 3, $words),
                4 => go!($count, 4, $words),
                _ => go!($count, 0, $words),
            }
        };
    }
    macro_rules! short {
        ($loads:literal, $words:literal) => {{
            // SAFETY: as above.
            unsafe { V::enter(&mut Permute::<V, 1, $loads, $words, true> { table, job }) }
        }};
    }
    match (table.lines.len(), V::WORDS && table.words) {
        (1, true) if table.short => match table.loads {
            1 => short!(1, true),
            _ => short!(0, true),
        },
        (1, false) if table.short => match table.loads {
            1 => short!(1, false),
            2 => short!(2, false),
            _ => short!(0, false),
        },
        (1, true) => pick!(1, true),
        (1, false) => pick!(1, false),
        // Pixels of three bytes.
        (3, false) if table.loads == 2 => go!(3, 2, false),
        (_, true) => pick!(0, true),
        (_, false) => pick!(0, false),
    }
}

/// The kernel; `COUNT`, `LOADS`: vectors in a period and loads for each, 0 for those of the table. `SHORT`: the periods are less than a vector.
struct Permute<'a, V: Vector, const COUNT: usize, const LOADS: usize, const WORDS: bool, const SHORT: bool> {
    table: &'a Table<'a, V>,
    job: &'a Job<'a>,
}

impl<V: Vector, const COUNT: usize, const LOADS: usize, const WORDS: bool, const SHORT: bool> Kernel
    for Permute<'_, V, COUNT, LOADS, WORDS, SHORT>
{
    #[inline(always)]
    unsafe fn run(&mut self) {
        let job = self.job;
        // SAFETY: `outer` counts the rows of the job's nest, which the caller of `permute` vouches for.
        unsafe { drive::<V, _>(self, job.outer, job.start, job.dst, job.total, job.stream) }
    }
}

impl<V: Vector, const COUNT: usize, const LOADS: usize, const WORDS: bool, const SHORT: bool>
    Permute<'_, V, COUNT, LOADS, WORDS, SHORT>
{
    /// Output vector `q` of the period that starts at `src`.
    ///
    /// # Safety
    /// The loads of the period can be read; `q` is below the period's number of vectors.
    #[inline(always)]
    unsafe fn vector<const AHEAD: bool>(&self, src: *const u8, q: usize) -> V {
        // SAFETY: the caller's promise; the table was made with these numbers of loads and words.
        unsafe { V::shuffle::<LOADS, WORDS, AHEAD>(src, self.table.lines.get_unchecked(q), self.table.loads) }
    }

    /// Moves units one by one.
    ///
    /// # Safety
    /// `n` units starting at byte `src` of the source are in the nest; `dst` has room for them.
    #[inline(always)]
    unsafe fn careful(&self, src: isize, n: usize, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { careful(self.job, self.table.step, src, n, dst) }
    }
}

/// As [`Permute::careful`]; one function for all of them, as speed does not matter here.
///
/// # Safety
/// The same.
#[cold]
#[inline(never)]
unsafe fn careful(job: &Job<'_>, step: isize, src: isize, n: usize, dst: *mut u8) {
    if n == 0 {
        return;
    }
    let at = job.src.wrapping_offset(src);
    let mut axes = [Axis { n: 1, step: 0 }; 8];
    // Every axis doubles the unit at least, so there are at most 7 in one of 128 bytes.
    let inner = job.inner.len();
    axes[..inner].copy_from_slice(job.inner);
    axes[inner] = Axis { n, step };
    // SAFETY: the units of the nest, whose runs can be read, and their places in `dst`.
    unsafe { any_nest(job.run, &axes[..=inner], at, dst) }
}

impl<V: Vector, const COUNT: usize, const LOADS: usize, const WORDS: bool, const SHORT: bool> Rows
    for Permute<'_, V, COUNT, LOADS, WORDS, SHORT>
{
    const ALIGNED: bool = !SHORT;
    const STREAMS: bool = !SHORT;

    #[inline(always)]
    fn unit(&self) -> usize {
        self.table.unit
    }
    #[inline(always)]
    fn count(&self) -> usize {
        self.job.n
    }
    #[inline(always)]
    fn group(&self) -> usize {
        self.table.per
    }
    #[inline(always)]
    fn step(&self) -> isize {
        self.table.step
    }
    #[inline(always)]
    fn src(&self) -> *const u8 {
        self.job.src
    }

    #[inline(always)]
    unsafe fn part<const STREAM: bool>(&self, src: isize, n: usize, dst: *mut u8, room: usize) {
        let table = self.table;
        let advance = table.step * table.per as isize;
        let count = if COUNT == 0 { table.lines.len() } else { COUNT };
        let bytes = if SHORT { table.per * table.unit } else { count * V::BYTES };
        // A period has a power of two of units: whole vectors over the greatest common divisor of a vector and a unit.
        let (mut full, mut rest) = match SHORT {
            true => (n / table.per, n % table.per),
            false => (n >> table.per.trailing_zeros(), n & (table.per - 1)),
        };
        // The last units are a period that is begun but not ended: `full` periods, then `rest` units.
        let last = src + advance * full as isize;
        let (mut first, mut dst, mut room) = (src, dst, room);
        let inside = |at: isize| at + table.low >= 0 && at + table.end <= self.job.src_bytes as isize;
        // SAFETY: periods and units are those of the part; `careful` is used wherever a load could leave the source. The destination
        // has `n * unit` bytes; vectors are stored beyond a part's end only up to `room`.
        unsafe {
            if !inside(src) || !inside(last) {
                // Loads leave the source at the ends only: what lies between them is inside.
                while full > 0 && !inside(first) {
                    self.careful(first, table.per, dst);
                    (first, full, dst, room) = (first + advance, full - 1, dst.add(bytes), room - bytes);
                }
                let mut end = full;
                while end > 0 && !inside(first + advance * (end as isize - 1)) {
                    end -= 1;
                }
                if end < full || !inside(last) {
                    let behind = (full - end) * table.per + rest;
                    self.careful(first + advance * end as isize, behind, dst.add(end * bytes));
                    (full, rest) = (end, 0);
                    if SHORT {
                        // Nothing may be stored over those any more.
                        room = end * bytes;
                    }
                }
            }
            let mut at = self.job.src.wrapping_offset(first);
            // Copies, which can stay in registers: the stores might change what a reference refers to.
            let mut few = [*table.lines.get_unchecked(0); 3];
            if COUNT == 3 {
                (few[1], few[2]) = (*table.lines.get_unchecked(1), *table.lines.get_unchecked(2));
            }
            // A short period's vector needs more room than the period has.
            if SHORT && full > 0 && room < full * bytes + (V::BYTES - bytes) {
                (full, rest) = (full - 1, rest + table.per);
            }
            for _ in 0..full {
                at = isa::anew(at);
                let mut q = 0;
                while q < count {
                    let to = dst.add(q * V::BYTES);
                    let vector = if COUNT == 0 {
                        self.vector::<STREAM>(at, q)
                    } else {
                        V::shuffle::<LOADS, WORDS, STREAM>(at, &few[q], table.loads)
                    };
                    if STREAM {
                        vector.stream(to)
                    } else {
                        vector.store(to)
                    }
                    q += 1;
                }
                at = at.wrapping_offset(advance);
                dst = dst.add(bytes);
                room -= bytes;
            }
            // The last vector of a row ends where the row does, over what was stored before. So neither loads nor stores reach past it:
            // a line that only such a load asks for, behind a row that was prefetched, took a third of the time. (What was
            // streamed is not stored again.)
            if COUNT == 1 && !SHORT && !STREAM && rest > 0 && full > 0 {
                let over = table.per - rest;
                let at = at.wrapping_offset(-table.step * over as isize);
                let vector = V::shuffle::<LOADS, WORDS, false>(at, &few[0], table.loads);
                vector.store(dst.sub(over * table.unit));
                return;
            }
            let mut left = rest * table.unit;
            let mut q = 0;
            let whole = if SHORT { bytes } else { V::BYTES };
            while left > 0 {
                let vector = self.vector::<false>(at, q);
                let done = left.min(whole);
                if room >= V::BYTES {
                    vector.store(dst);
                } else {
                    vector.store_first(dst, done);
                }
                if SHORT {
                    at = at.wrapping_offset(advance);
                } else {
                    q += 1;
                }
                (dst, room, left) = (dst.add(done), room - done, left - done);
            }
        }
    }
}

/// What moving one vector's worth of output costs by permutes, in moves; `None` if it is out of reach, or not worth it.
///
/// An estimate, made before any table: the tables decide in the end.
pub(crate) fn estimate<V: Vector>(inner: &[Axis], run: usize, walk: Axis, stream: bool) -> Option<usize> {
    let unit = inner.iter().fold(run, |bytes, axis| bytes.saturating_mul(axis.n));
    if unit > UNIT || unit / common(V::BYTES, unit) > PERIOD {
        return None;
    }
    let (low, high) = extent(inner, run);
    let units = (V::BYTES / unit).max(1).min(walk.n);
    let span = (high - low) as usize + walk.step.unsigned_abs().saturating_mul(units - 1);
    let loads = if V::BYTES == 64 { span.div_ceil(64) } else { span.div_ceil(32) };
    // Words come one load and one store each otherwise, or less: from 5 loads a vector on that is as fast, and from 4 on if they are
    // long ones (Zen 5, step 4 of `f64` in the second-level cache: 0.82 of the tables' time). Streamed, moves have to be staged.
    let most = if run.is_multiple_of(8) && !stream { 3 } else { 4 };
    let words = V::WORDS && (run | walk.step.unsigned_abs()).is_multiple_of(4) && inner.is_empty();
    let wide = words && loads > most;
    (loads <= V::LOADS && !wide).then_some(loads)
}
