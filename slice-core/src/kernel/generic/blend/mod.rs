//! The blend kernel: whole vectors of the destination with some of their bytes replaced.
//!
//! The mirror of the permute kernel, with tables over *destination* vectors. A short inner block (a *unit*) goes to places at a constant
//! step. After the smallest number of units whose places fill whole vectors (a *period*) everything repeats, only moved on:
//!
//! ```text
//! for each period:
//!     for each vector of the period:
//!         load the 1 to 16 vectors around its source bytes, shuffle them by its table
//!         load the destination vector, replace the bytes that are hit, store it
//! ```
//!
//! Masked stores would spare the second load, but are slow where they cannot be split into whole lanes (bytes on Zen 4), and the line
//! must come in anyway. The bytes between the places are stored as they were loaded: nothing else may write there meanwhile, which
//! the caller's `&mut` promises, so each call is told how far it may reach.

mod lines;
mod table;

use super::scatter::{self, Job};
use super::units::{self, Row, Streams, Units};
use crate::kernel::isa;
use crate::kernel::nest::Pair;
use crate::kernel::vector::{Kernel, Vector};
pub(crate) use table::{Table, estimate};

/// A set that can mix two vectors.
pub(crate) trait Blend: Vector {
    /// Which bytes of a vector are meant.
    type Mask: Copy;

    /// The mask of the bytes that are hit, which come in granules of `grain` bytes, 4 or 1.
    ///
    /// # Safety
    /// There are `BYTES / grain` granules; the CPU has the set.
    unsafe fn mask(hits: &[bool], grain: usize) -> Self::Mask;

    /// The part of a mask that lies in the first `n` bytes.
    ///
    /// # Safety
    /// The CPU has the set.
    unsafe fn first(mask: Self::Mask, n: usize) -> Self::Mask;

    /// `new` where the mask is set, `old` elsewhere.
    ///
    /// # Safety
    /// The CPU has the set.
    unsafe fn blend(mask: Self::Mask, old: Self, new: Self) -> Self;
}

/// Writes the job's rows by the tables.
///
/// # Safety
/// The CPU has `V`'s set. `table` was built from the job's loops and, with a lead, for its first place. All positions of the job lie in its source and target.
pub(crate) unsafe fn blend<V: Blend>(table: &Table<V>, job: &mut Job<'_>) {
    macro_rules! go {
        ($count:literal, $loads:literal, $words:literal, $whole:literal) => {{
            let (lines, masks) = table.lines();
            let mut kernel = Blended::<V, $count, $loads, $words, $whole> { table, lines, masks, job };
            // SAFETY: the caller's promise; count, loads and words are those of the table.
            unsafe { V::enter(&mut kernel) }
        }};
    }
    macro_rules! pick {
        ($count:literal, $words:literal, $whole:literal) => {
            match table.loads {
                1 => go!($count, 1, $words, $whole),
                2 => go!($count, 2, $words, $whole),
                _ => go!($count, 0, $words, $whole),
            }
        };
    }
    match (table.count, V::WORDS && table.words, table.whole) {
        (1, true, false) => pick!(1, true, false),
        (1, false, false) => pick!(1, false, false),
        (3, true, false) => pick!(3, true, false),
        (3, false, false) => pick!(3, false, false),
        (_, true, false) => pick!(0, true, false),
        (_, false, false) => pick!(0, false, false),
        (_, true, true) => pick!(0, true, true),
        (_, false, true) => pick!(0, false, true),
    }
}

struct Blended<'a, 'j, V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool> {
    table: &'a Table<V>,
    lines: &'a [V::Line],
    masks: &'a [V::Mask],
    job: &'a mut Job<'j>,
}

impl<V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool> Kernel
    for Blended<'_, '_, V, COUNT, LOADS, WORDS, WHOLE>
{
    #[inline(always)]
    unsafe fn run(&mut self) {
        let rows = Rows::<V, COUNT, LOADS, WORDS, WHOLE> {
            table: self.table,
            lines: self.lines,
            masks: self.masks,
            inner: self.job.inner,
            run: self.job.run,
            walk: self.job.walk,
            source: self.job.source,
            ahead: scatter::ahead(self.job),
        };
        // SAFETY: the caller of `blend` vouches for the job's positions.
        unsafe { units::drive(&rows, self.job) }
    }
}

struct Rows<'a, V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool> {
    table: &'a Table<V>,
    lines: &'a [V::Line],
    masks: &'a [V::Mask],
    inner: &'a [Pair],
    run: usize,
    walk: Pair,
    source: (usize, usize),
    /// How far ahead lines of the destination are prefetched.
    ahead: Option<usize>,
}

impl<V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool>
    Rows<'_, V, COUNT, LOADS, WORDS, WHOLE>
{
    /// Vectors in a period.
    #[inline(always)]
    fn count(&self) -> usize {
        if COUNT > 0 { COUNT } else { self.table.count }
    }

    /// Where the `n`th period after the one at `src` begins.
    #[inline(always)]
    fn period(&self, src: *const u8, n: usize) -> *const u8 {
        src.wrapping_offset(self.walk.src * (self.table.per * n) as isize)
    }

    /// Whether the loads of the period that starts at `src` stay in the source.
    #[inline(always)]
    fn inside(&self, src: *const u8) -> bool {
        let at = src.addr() as isize;
        at + self.table.low >= self.source.0 as isize && at + self.table.end <= self.source.1 as isize
    }

    /// Writes `n` whole periods of `count` vectors.
    ///
    /// # Safety
    /// All their loads can be read, all their vectors read and written.
    #[inline(always)]
    unsafe fn periods(&self, src: *const u8, n: usize, dst: *mut u8, count: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            match self.ahead {
                None => self.each::<false>(src, n, dst, count, 0),
                Some(ahead) => self.each::<true>(src, n, dst, count, ahead),
            }
        }
    }

    /// [`Rows::periods`], with the lines so many bytes ahead prefetched or not.
    ///
    /// # Safety
    /// The same.
    #[inline(always)]
    unsafe fn each<const PREFETCH: bool>(&self, src: *const u8, n: usize, dst: *mut u8, count: usize, ahead: usize) {
        let advance = self.walk.src * self.table.per as isize;
        let (mut src, mut dst) = (src, dst);
        // SAFETY: the caller's promise; there are `count` lines and masks. The tables of short periods are copied, so that they
        // stay in registers: the compiler cannot know that the stores leave them alone.
        unsafe {
            if COUNT == 1 {
                let (line, mask) = (*self.lines.get_unchecked(0), *self.masks.get_unchecked(0));
                if advance == 0 {
                    let new = V::shuffle::<LOADS, WORDS>(src, &line, self.table.loads);
                    for _ in 0..n {
                        put::<V, PREFETCH>(mask, new, dst, WHOLE, ahead);
                        dst = dst.add(V::BYTES);
                    }
                    return;
                }
                for _ in 0..n {
                    self.vector::<PREFETCH>(src, &line, mask, dst, WHOLE, ahead);
                    (src, dst) = (src.wrapping_offset(advance), dst.add(V::BYTES));
                }
                return;
            }
            if COUNT == 3 {
                // One by one: an array of them would be copied to memory for every row.
                let (a, b, c) =
                    (*self.lines.get_unchecked(0), *self.lines.get_unchecked(1), *self.lines.get_unchecked(2));
                let (x, y, z) =
                    (*self.masks.get_unchecked(0), *self.masks.get_unchecked(1), *self.masks.get_unchecked(2));
                if advance == 0 {
                    let a = V::shuffle::<LOADS, WORDS>(src, &a, self.table.loads);
                    let b = V::shuffle::<LOADS, WORDS>(src, &b, self.table.loads);
                    let c = V::shuffle::<LOADS, WORDS>(src, &c, self.table.loads);
                    for _ in 0..n {
                        put::<V, PREFETCH>(x, a, dst, WHOLE, ahead);
                        put::<V, PREFETCH>(y, b, dst.add(V::BYTES), WHOLE, ahead);
                        put::<V, PREFETCH>(z, c, dst.add(2 * V::BYTES), WHOLE, ahead);
                        dst = dst.add(3 * V::BYTES);
                    }
                    return;
                }
                for _ in 0..n {
                    self.vector::<PREFETCH>(src, &a, x, dst, WHOLE, ahead);
                    self.vector::<PREFETCH>(src, &b, y, dst.add(V::BYTES), WHOLE, ahead);
                    self.vector::<PREFETCH>(src, &c, z, dst.add(2 * V::BYTES), WHOLE, ahead);
                    (src, dst) = (src.wrapping_offset(advance), dst.add(3 * V::BYTES));
                }
                return;
            }
            for _ in 0..n {
                for q in 0..count {
                    let (line, mask) = (self.lines.get_unchecked(q), *self.masks.get_unchecked(q));
                    self.vector::<PREFETCH>(src, line, mask, dst.add(q * V::BYTES), WHOLE, ahead);
                }
                (src, dst) = (src.wrapping_offset(advance), dst.add(count * V::BYTES));
            }
        }
    }

    /// Replaces the bytes of `mask` in the vector at `dst` by those of a vector of the period that starts at `src`.
    ///
    /// # Safety
    /// The loads of the period can be read, a vector at `dst` read and written; `line` is one of the table's.
    #[inline(always)]
    unsafe fn vector<const PREFETCH: bool>(
        &self,
        src: *const u8,
        line: &V::Line,
        mask: V::Mask,
        dst: *mut u8,
        whole: bool,
        ahead: usize,
    ) {
        // SAFETY: the caller's promise; the table was made with these numbers of loads and words.
        unsafe {
            let new = V::shuffle::<LOADS, WORDS>(src, line, self.table.loads);
            put::<V, PREFETCH>(mask, new, dst, whole, ahead);
        }
    }
}

/// Writes the bytes of `mask`, or all of them if it is the `whole` vector, to the vector at `dst`.
///
/// # Safety
/// The CPU has `V`'s set; a vector at `dst` can be read and written.
#[inline(always)]
unsafe fn put<V: Blend, const PREFETCH: bool>(mask: V::Mask, new: V, dst: *mut u8, whole: bool, ahead: usize) {
    if PREFETCH {
        isa::prefetch(dst.wrapping_add(ahead));
    }
    // SAFETY: the caller's promise.
    unsafe { if whole { new.store(dst) } else { V::blend(mask, V::load(dst), new).store(dst) } }
}

impl<V: Blend, const COUNT: usize, const LOADS: usize, const WORDS: bool, const WHOLE: bool> Units
    for Rows<'_, V, COUNT, LOADS, WORDS, WHOLE>
{
    #[inline(always)]
    unsafe fn part(&self, src: *const u8, n: usize, dst: *mut u8, high: usize) {
        let table = self.table;
        if table.lead.is_some_and(|lead| lead > 0) {
            // SAFETY: the caller's promise.
            return unsafe { careful(self.inner, self.run, self.walk, src, n, dst) };
        }
        let advance = self.walk.src * table.per as isize;
        let count = self.count();
        let bytes = count * V::BYTES;
        // A power of two, as vectors are.
        let log = table.per.trailing_zeros();
        let (mut full, mut rest) = (n >> log, n & (table.per - 1));
        let (mut src, mut dst) = (src, dst);
        // SAFETY: periods and units are those of the part. Tables are used only where their loads stay in the source and their
        // stores below `high`; `careful` moves all other units.
        unsafe {
            if full >= LONG {
                let lead = aligning(dst.addr() % V::BYTES, self.walk.dst as usize, V::BYTES);
                careful(self.inner, self.run, self.walk, src, lead, dst);
                src = src.wrapping_offset(self.walk.src * lead as isize);
                dst = dst.add(lead * self.walk.dst as usize);
                (full, rest) = ((n - lead) >> log, (n - lead) & (table.per - 1));
            }
            // Loads leave the source at the ends only: what lies between them is inside.
            while full > 0 && !self.inside(src) {
                careful(self.inner, self.run, self.walk, src, table.per, dst);
                (src, full, dst) = (src.wrapping_offset(advance), full - 1, dst.add(bytes));
            }
            let mut end = full;
            while end > 0
                && (!self.inside(src.wrapping_offset(advance * (end as isize - 1))) || dst.addr() + end * bytes > high)
            {
                end -= 1;
            }
            rest += (full - end) * table.per;
            if end > 0 {
                self.periods(src, end, dst, count);
            }
            (src, dst) = (src.wrapping_offset(advance * end as isize), dst.add(bytes * end));
            if rest == 0 {
                return;
            }
            let mut left = self.walk.dst as usize * (rest - 1) + table.reach;
            if rest >= table.per || !self.inside(src) || dst.addr() + left.next_multiple_of(V::BYTES) > high {
                careful(self.inner, self.run, self.walk, src, rest, dst);
                return;
            }
            let mut q = 0;
            while left > 0 {
                let now = left.min(V::BYTES);
                // Where no byte is left as it was, what lies behind the row may not be there to be read yet.
                if table.whole && now < V::BYTES {
                    let new = V::shuffle::<LOADS, WORDS>(src, self.lines.get_unchecked(q), table.loads);
                    return new.store_first(dst, now);
                }
                // A vector of which nothing is meant any more is stored as it is.
                let mask = V::first(*self.masks.get_unchecked(q), now);
                self.vector::<false>(src, self.lines.get_unchecked(q), mask, dst, table.whole, 0);
                (q, left, dst) = (q + 1, left - now, dst.add(now));
            }
        }
    }

    #[inline(always)]
    fn streams(&self) -> Streams {
        lines::streams(self)
    }

    #[inline(always)]
    unsafe fn fresh(&self, src: *const u8, n: usize, from: *mut u8, dst: *mut u8) -> usize {
        // SAFETY: the caller's promise.
        unsafe { lines::fresh(self, src, n, from, dst) }
    }

    #[inline(always)]
    fn row(&self, n: usize, before: usize, lines: usize) -> Row {
        lines::row(self, n, before, lines)
    }

    #[inline(always)]
    fn fits(&self, row: &Row, src: *const u8) -> bool {
        lines::fits(self, row, src)
    }

    #[inline(always)]
    unsafe fn lined(&self, row: &Row, src: *const u8, from: *mut u8, line: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { lines::lined(self, row, src, from, line) }
    }
}

/// Rows of at least this many periods start with a whole vector, so that no store crosses a line.
const LONG: usize = 16;

/// How many steps lead from `at` bytes after a vector's start to another's; 0 if none do.
pub(super) fn aligning(at: usize, step: usize, vector: usize) -> usize {
    let (mut at, mut steps) = (at, 0);
    while at != 0 {
        if steps == vector {
            return 0;
        }
        (at, steps) = ((at + step) % vector, steps + 1);
    }
    steps
}

/// Moves units one by one.
///
/// # Safety
/// All of them can be read and written, without overlap.
#[cold]
#[inline(never)]
unsafe fn careful(inner: &[Pair], run: usize, walk: Pair, src: *const u8, n: usize, dst: *mut u8) {
    if n == 0 {
        return;
    }
    let mut axes = [Pair { n: 1, src: 0, dst: 0 }; 8];
    // Every loop doubles what the unit reaches at least, so there are at most 7 in one of 128 bytes.
    axes[..inner.len()].copy_from_slice(inner);
    axes[inner.len()] = Pair { n, ..walk };
    // SAFETY: the caller's promise.
    unsafe { scatter::in_order(&axes[..=inner.len()], run, src, dst) }
}
