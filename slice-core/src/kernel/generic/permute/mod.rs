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
//! Streamed periods load whole lines of the source, where the next periods lie in theirs alike: two lines each would be read otherwise.
//!
//! Loads may reach past the view on either side, as far as the source slice goes. Where they would leave it (the first or last
//! periods of the first or last rows) the units are moved one by one. Stores reach past a row only where a later
//! row, or the rest of the stage, is written afterwards.

mod periods;
mod table;

use super::stage::{Rows, drive};
use crate::kernel::isa;
use crate::kernel::nest::{Axis, extent};
use crate::kernel::vector::{Kernel, Vector};
use crate::kernel::walk::any_nest;
use periods::{LONG, put};
use table::common;
pub(crate) use table::{PERIOD, Table, UNIT, room};

/// Everything a permute call needs.
pub(crate) struct Job<'a> {
    /// The axes inside the unit, and those outside the walked one.
    pub inner: &'a [Axis],
    pub outer: &'a [Axis],
    pub run: usize,
    /// The axis of a row's units.
    pub walk: Axis,
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
    // Pixels, and rows of three.
    macro_rules! three {
        ($words:literal) => {
            match table.loads {
                2 => go!(3, 2, $words),
                _ => go!(3, 3, $words),
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
        (3, true) if matches!(table.loads, 2 | 3) => three!(true),
        (3, false) if matches!(table.loads, 2 | 3) => three!(false),
        (_, true) => go!(0, 0, true),
        (_, false) => go!(0, 0, false),
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
    unsafe fn vector(&self, src: *const u8, q: usize) -> V {
        // SAFETY: the caller's promise; the table was made with these numbers of loads and words.
        unsafe { V::shuffle::<LOADS, WORDS>(src, self.table.lines.get_unchecked(q), self.table.loads) }
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
        self.job.walk.n
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
            let lines: [V::Line; COUNT] = core::array::from_fn(|q| *table.lines.get_unchecked(q));
            // A short period's vector needs more room than the period has.
            if SHORT && full > 0 && room < full * bytes + (V::BYTES - bytes) {
                (full, rest) = (full - 1, rest + table.per);
            }
            let called = match (COUNT, SHORT) {
                (0, _) => full > 0,
                // What vectors of 32 bytes are made from is prefetched there alone.
                _ if STREAM && V::BYTES == 32 => table.ahead,
                (_, short) => short && full >= LONG,
            };
            if called {
                if STREAM && (V::BYTES == 64 || table.ahead) {
                    periods::run::<V, STREAM, STREAM>(table, at, advance, full, dst, bytes);
                } else {
                    periods::run::<V, STREAM, false>(table, at, advance, full, dst, bytes);
                }
                at = at.wrapping_offset(advance * full as isize);
                (dst, room) = (dst.add(full * bytes), room - full * bytes);
            } else {
                for _ in 0..full {
                    at = isa::anew(at);
                    let mut q = 0;
                    while q < COUNT {
                        if STREAM && V::BYTES == 64 {
                            V::ask::<LOADS>(at, &lines[q], table.loads);
                        }
                        let vector = V::shuffle::<LOADS, WORDS>(at, &lines[q], table.loads);
                        put::<V, STREAM>(vector, dst.add(q * V::BYTES));
                        q += 1;
                    }
                    (at, dst, room) = (at.wrapping_offset(advance), dst.add(bytes), room - bytes);
                }
            }
            // The last vector of a row ends where the row does, over what was stored before. So neither loads nor stores reach past it:
            // a line that only such a load asks for, behind a row that was prefetched, took a third of the time. (What was
            // streamed is not stored again.)
            if COUNT == 1 && !SHORT && !STREAM && rest > 0 && full > 0 {
                let over = table.per - rest;
                let at = at.wrapping_offset(-table.step * over as isize);
                let vector = V::shuffle::<LOADS, WORDS>(at, &lines[0], table.loads);
                vector.store(dst.sub(over * table.unit));
                return;
            }
            let mut left = rest * table.unit;
            let mut q = 0;
            let whole = if SHORT { bytes } else { V::BYTES };
            while left > 0 {
                let vector = self.vector(at, q);
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
    let loads = match V::BYTES {
        64 => span.div_ceil(64),
        // Each half of a vector is one of them.
        32 if run == 16 && inner.is_empty() => 1,
        _ => span.div_ceil(32),
    };
    // Words come one load and one store each otherwise, or less: from 5 loads a vector on that is as fast, and from 4 on if they are
    // long ones (Zen 5, step 4 of `f64` in the second-level cache: 0.82 of the tables' time). Streamed, moves have to be staged.
    let most = if run.is_multiple_of(8) && !stream { 3 } else { 4 };
    let words = V::WORDS && (run | walk.step.unsigned_abs()).is_multiple_of(4) && inner.is_empty();
    let wide = words && loads > most;
    (loads <= V::LOADS && !wide).then_some(loads)
}
