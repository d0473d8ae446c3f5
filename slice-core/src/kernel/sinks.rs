//! The loops around a kernel, which writes straight to the destination or to a small buffer that is
//! streamed past the caches.

use super::gradient::{Background, Unbuffered};
use super::isa::{self, Set};
use super::moves::MoveRows;
use super::nest::{Loop, alike, each};
use super::prefetch::RowNest;
use super::shuffled_lines::ShuffledLines;
use super::tables::Shuffle;
use super::tuning::{BACKGROUND_STAGE, STAGE};
use super::vector;
use core::ops::Range;

/// A kernel that moves some positions of some rows.
#[derive(Clone, Copy)]
pub(crate) enum Mover<'a> {
    Moves { go: MoveRows, run: usize },
    Shuffle { rows: isa::ShuffleFn, shuffle: &'a Shuffle<'a> },
    Lines(&'a ShuffledLines<'a>),
}

impl Mover<'_> {
    /// Moves the positions along `walk`, some of the mover's, in each of `rows`.
    ///
    /// # Safety
    ///
    /// They are positions that the mover was made for; the CPU has its set.
    #[inline(always)]
    pub(super) unsafe fn rows(&self, src: *const u8, dst: *mut u8, walk: &Loop, rows: Loop) {
        // SAFETY: the caller's promise.
        unsafe {
            match *self {
                Mover::Moves { go, run } => go(src, dst, run, walk, &rows),
                Mover::Shuffle { rows: go, shuffle } => go(shuffle, src, dst, walk.n, rows),
                Mover::Lines(lines) => lines.rows(src, dst, walk.n, rows),
            }
        }
    }
}

/// Moves every position to its place.
///
/// # Safety
///
/// The walk's positions are those that the mover was made for; the CPU has its set.
pub(crate) unsafe fn direct(mover: Mover<'_>, walk: &RowNest<'_>) {
    let &RowNest { walk: ref inner, outer, src, dst, .. } = walk;
    let (&rows, rest) = outer.split_first().unwrap_or((&Loop::ONE, outer));
    each(rest, &mut |from, to| {
        // SAFETY: some of the caller's rows.
        unsafe { mover.rows(src.wrapping_offset(from), dst.wrapping_offset(to), inner, rows) }
    });
}

/// Room behind the last line for whole vectors that are stored at its end.
const SLACK: usize = 128;

/// Where results are put together before they are streamed.
#[repr(align(64))]
struct Buffer([u8; BACKGROUND_STAGE + SLACK]);

/// The buffer as it advances through the destination; its lines are the destination's lines. Bytes
/// that were not written yet are background, if there is one.
struct Stage<'a> {
    set: &'a Set,
    buffer: *mut u8,
    /// Bytes of it that are used.
    size: usize,
    /// The first byte that was not streamed yet, and one past the last that was written.
    from: usize,
    fill: usize,
    /// Up to this byte, the lines after the first may hold old results, which a flush replaces by
    /// background.
    dirty: usize,
    /// Where byte `from` goes.
    dst: *mut u8,
    background: Option<&'a Background>,
}

impl Stage<'_> {
    /// Makes room for `bytes` bytes, and returns where they are to be written.
    ///
    /// # Safety
    ///
    /// All bytes from `dst` to `to`, and `bytes` more, are the destination's, and to be written;
    /// `bytes` is at most `size - 64`.
    unsafe fn place(&mut self, to: *mut u8, bytes: usize) -> *mut u8 {
        // SAFETY: the caller's promise. After a flush, the buffer holds less than a line, so there
        // is room.
        unsafe {
            self.skip(to.addr());
            if self.fill + bytes > self.size {
                self.flush();
            }
            self.fill += bytes;
            self.dirty = self.fill;
            self.buffer.add(self.fill - bytes)
        }
    }

    /// Advances to the address `to`, with background before it.
    ///
    /// # Safety
    ///
    /// As for [`place`](Self::place).
    unsafe fn skip(&mut self, to: usize) {
        loop {
            let left = to.saturating_sub(self.dst.addr() + (self.fill - self.from));
            let some = left.min(self.size - self.fill);
            self.fill += some;
            if some == left {
                return;
            }
            // SAFETY: the caller's promise.
            unsafe { self.flush() };
        }
    }

    /// Writes background to some lines of the buffer.
    ///
    /// # Safety
    ///
    /// The buffer has `end` lines.
    unsafe fn fill_lines(&mut self, begin: usize, end: usize) {
        let Some(Background { line, .. }) = self.background else { return };
        let line = line.0.as_ptr().cast();
        // SAFETY: the caller's promise; the buffer begins on a line.
        unsafe { (self.set.fill_lines)(line, self.buffer.add(64 * begin), end - begin) }
    }

    /// Moves the first of some rows, and as many more as fit in the buffer at once. Returns how
    /// many it moved.
    ///
    /// # Safety
    ///
    /// As for [`staged`]; `src` and `dst` are the first of `rows`, which are rows of the walk.
    unsafe fn rows(
        &mut self,
        mover: Mover<'_>,
        walk: &RowNest<'_>,
        (src, dst): (*const u8, *mut u8),
        rows: Loop,
    ) -> usize {
        let (row, pitch) = (walk.row(), rows.dst.unsigned_abs());
        let room = (self.size - 64).checked_sub(row).filter(|_| rows.n > 1);
        let n = room.map_or(1, |room| (room / pitch + 1).min(rows.n));
        // SAFETY: the caller's rows, and as much room as they take.
        unsafe {
            if n > 1 {
                let place = self.place(dst, pitch * (n - 1) + row);
                mover.rows(src, place, &walk.walk, Loop { n, ..rows });
            } else {
                self.row(mover, walk, (src, dst), 0..walk.walk.n);
            }
        }
        n
    }

    /// Moves some units of a row, in parts if they do not fit the buffer.
    ///
    /// # Safety
    ///
    /// As for [`staged`]; `src` and `dst` are a row of the walk.
    unsafe fn row(
        &mut self,
        mover: Mover<'_>,
        &RowNest { walk, span, .. }: &RowNest<'_>,
        (src, dst): (*const u8, *mut u8),
        units: Range<usize>,
    ) {
        let pitch = walk.dst.unsigned_abs();
        let part = (self.size - 64 - span) / pitch + 1;
        for at in units.clone().step_by(part) {
            let n = part.min(units.end - at);
            let (src, dst) = walk.after(at, src, dst);
            // SAFETY: a part of one of the caller's rows, and as much room as it takes.
            unsafe {
                let place = self.place(dst, pitch * (n - 1) + span);
                mover.rows(src, place, &Loop { n, ..walk }, Loop::ONE);
            }
        }
    }

    /// Moves the first of some rows, and the rows after it as long as they are streamed from
    /// registers as a whole. The rest of the first row goes through the buffer. Returns how many
    /// rows it moved.
    ///
    /// # Safety
    ///
    /// As for [`rows`](Self::rows); `unbuffered` is made for the walk.
    unsafe fn unbuffered(
        &mut self,
        unbuffered: &Unbuffered<'_>,
        mover: Mover<'_>,
        walk: &RowNest<'_>,
        (src, dst): (*const u8, *mut u8),
        rows: Loop,
    ) -> usize {
        let unit = walk.walk;
        let (units, alike) = alike(rows.n, |i| {
            let (src, dst) = rows.after(i, src, dst);
            unbuffered.units(src, dst, unit.n)
        });
        let n = if units == (0..unit.n) { alike } else { 1 };
        // SAFETY: the caller's rows; `units` says which lie on lines of the background.
        unsafe {
            self.row(mover, walk, (src, dst), 0..units.start);
            if !units.is_empty() {
                let first = unit.after(units.start, src, dst);
                self.hand_over(first.1.addr() / 64 * 64, unbuffered.shuffle.bytes);
                let (open, place, rows) = (self.buffer, self.dst, Loop { n, ..rows });
                let (place, end) = unbuffered.stream(open, place, first, units.len(), rows);
                (self.dst, self.from) = (place, place.addr() % 64);
                self.fill = self.from + end - place.addr();
            }
            self.row(mover, walk, (src, dst), units.end..unit.n);
        }
        n
    }

    /// Streams what is in the buffer, with background behind it up to the end of its last line or
    /// to the line at `to`. Bytes that do not fill a vector of `bytes` bytes stay, and
    /// [`Unbuffered::stream`] completes it.
    ///
    /// # Safety
    ///
    /// As for [`place`](Self::place).
    unsafe fn hand_over(&mut self, to: usize, bytes: usize) {
        // SAFETY: the caller's promise; what is copied is in the buffer.
        unsafe {
            let end = self.dst.addr() - self.from + self.fill.next_multiple_of(64);
            self.skip(end.min(to));
            self.flush();
            let whole = (self.fill / bytes * bytes).saturating_sub(self.from);
            core::ptr::copy_nonoverlapping(self.buffer.add(self.from), self.dst, whole);
            (self.from, self.dst) = (self.from + whole, self.dst.add(whole));
        }
    }

    /// Streams all full lines and moves the rest to the front.
    ///
    /// # Safety
    ///
    /// As for [`place`](Self::place).
    unsafe fn flush(&mut self) {
        let end = self.fill / 64 * 64;
        if end <= self.from {
            return;
        }
        let head = self.from.next_multiple_of(64);
        // SAFETY: all bytes are in the buffer below `fill`, and go to the destination's next ones.
        // Lines of the buffer go to lines, the last one to the first; it has more than `size`.
        unsafe {
            let lines = (end - head) / 64;
            core::ptr::copy_nonoverlapping(self.buffer.add(self.from), self.dst, head - self.from);
            (self.set.copy_lines)(self.buffer.add(head), self.dst.add(head - self.from), lines, 0);
            self.dst = self.dst.add(end - self.from);
            core::ptr::copy_nonoverlapping(self.buffer.add(end), self.buffer, 64);
            self.fill_lines(1, self.dirty.div_ceil(64).max(1));
        }
        self.dirty = 0;
        self.fill -= end;
        self.from = 0;
    }

    /// Writes what is left.
    ///
    /// # Safety
    ///
    /// As for [`place`](Self::place).
    unsafe fn finish(&mut self) {
        // SAFETY: the caller's promise; what was not streamed is less than a line.
        unsafe {
            if let Some(background) = self.background {
                self.skip(background.end);
            }
            self.flush();
            core::ptr::copy_nonoverlapping(
                self.buffer.add(self.from),
                self.dst,
                self.fill - self.from,
            );
        }
        vector::fence();
    }
}

/// Moves every position through the buffer. What is written is one piece of memory, in order: the
/// positions, or the positions and the background between them.
///
/// # Safety
///
/// As for [`direct`], but that the mover writes to the buffer; a position has far fewer bytes than
/// the buffer, the background may be written, and `unbuffered` is made for it.
pub(crate) unsafe fn staged(
    mover: Mover<'_>,
    walk: &RowNest<'_>,
    background: Option<&Background>,
    unbuffered: Option<&Unbuffered<'_>>,
    set: &Set,
) {
    let &RowNest { outer, src, dst, .. } = walk;
    let (&rows, rest) = outer.split_first().unwrap_or((&Loop::ONE, outer));
    let start = background.map_or(dst, |background| background.start);
    let fill = start.addr() % 64;
    let size = if background.is_some() { BACKGROUND_STAGE } else { STAGE };
    let mut buffer = Buffer([0; BACKGROUND_STAGE + SLACK]);
    let buffer = buffer.0.as_mut_ptr();
    let mut stage = Stage { set, buffer, size, from: fill, fill, dirty: 0, dst: start, background };
    // SAFETY: the buffer has as many lines.
    unsafe { stage.fill_lines(0, size / 64 + 1) };
    each(rest, &mut |from, to| {
        let (src, dst) = (src.wrapping_offset(from), dst.wrapping_offset(to));
        let mut done = 0;
        while done < rows.n {
            let first = rows.after(done, src, dst);
            let left = Loop { n: rows.n - done, ..rows };
            // SAFETY: the caller's rows that are left.
            done += unsafe {
                match unbuffered {
                    Some(unbuffered) => stage.unbuffered(unbuffered, mover, walk, first, left),
                    None => stage.rows(mover, walk, first, left),
                }
            };
        }
    });
    // SAFETY: the caller's promise.
    unsafe { stage.finish() }
}
