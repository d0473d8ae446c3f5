//! Writes through a small buffer, which is streamed past the caches.

use super::background::{Background, Straight};
use super::drive::Mover;
use super::isa::Set;
use super::loops::{Loop, each};
use super::prefetch::Walk;
use super::tuning::{BACKGROUND_STAGE, STAGE};
use super::vector;
use core::ops::Range;

/// Room behind the last line for whole vectors that are stored at its end.
const SLACK: usize = 128;

/// Where results are put together before they are streamed.
#[repr(align(64))]
pub(crate) struct Buffer([u8; BACKGROUND_STAGE + SLACK]);

impl Buffer {
    pub(crate) fn new() -> Buffer {
        Buffer([0; BACKGROUND_STAGE + SLACK])
    }

    /// The address of its end.
    pub(crate) fn end(&self) -> usize {
        self.0.as_ptr().addr() + self.0.len()
    }
}

/// The buffer as it advances through the destination, with the same lines. Bytes that were not
/// written yet are background, if there is one.
struct Stage<'a> {
    set: &'a Set,
    buffer: *mut u8,
    /// Bytes of it that are used.
    size: usize,
    /// The first byte that was not streamed yet, and one past the last that was written.
    from: usize,
    fill: usize,
    /// Where byte `from` goes.
    dst: *mut u8,
    background: Option<Background>,
}

impl Stage<'_> {
    /// Makes room for `bytes` bytes, at most `size - 64`, and returns where they are to be written.
    ///
    /// # Safety
    ///
    /// All bytes from `dst` to `to`, and `bytes` more, are the destination's, and to be written.
    unsafe fn place(&mut self, to: *mut u8, bytes: usize) -> *mut u8 {
        // SAFETY: the caller's promise; between flushes the buffer holds less than a line.
        unsafe {
            self.skip(to.addr());
            if self.fill + bytes > self.size {
                self.flush();
            }
            self.fill += bytes;
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

    /// Moves some units of a row, in parts if it does not fit the buffer.
    ///
    /// # Safety
    ///
    /// As for [`staged`]; `src` and `dst` are a row of the walk.
    unsafe fn row(
        &mut self,
        mover: Mover<'_>,
        &Walk { walk: unit, span, .. }: &Walk<'_>,
        src: *const u8,
        dst: *mut u8,
        units: Range<usize>,
    ) {
        let pitch = unit.dst.unsigned_abs();
        let part = (self.size - 64 - span) / pitch + 1;
        for at in units.clone().step_by(part) {
            let n = part.min(units.end - at);
            let (src, dst) = unit.after(at, src, dst);
            // SAFETY: a part of one of the caller's rows, and as much room as it takes.
            unsafe { mover.tile(src, self.place(dst, pitch * (n - 1) + span), n, Loop::ONE) };
        }
    }

    /// Streams what lies before `n` units of each of `rows`, and then their lines.
    ///
    /// # Safety
    ///
    /// As for [`place`](Self::place) and [`Straight::stream`].
    unsafe fn straight(
        &mut self,
        straight: &Straight<'_>,
        background: &Background,
        (src, dst): (*const u8, *mut u8),
        n: usize,
        rows: Loop,
    ) {
        // SAFETY: the caller's promise. What is left in the buffer belongs to a line before.
        unsafe {
            if self.fill > 0 {
                self.skip(self.dst.addr() - self.from + self.fill.next_multiple_of(64));
                self.flush();
            }
            self.dst = straight.stream(background, self.dst, (src, dst), n, rows);
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
            (self.set.stream)(self.buffer.add(head), self.dst.add(head - self.from), lines, 0);
            self.dst = self.dst.add(end - self.from);
            core::ptr::copy_nonoverlapping(self.buffer.add(end), self.buffer, 64);
            self.fill_lines(1, end / 64 + 1);
        }
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
/// As for [`direct`], but that the mover writes to the buffer; the background may be written.
pub(crate) unsafe fn staged(
    mover: Mover<'_>,
    walk: &Walk<'_>,
    background: Option<Background>,
    straight: Option<&Straight<'_>>,
    buffer: &mut Buffer,
    set: &Set,
) {
    let &Walk { walk: inner, span, outer, src, dst } = walk;
    let (&rows, rest) = outer.split_first().unwrap_or((&Loop::ONE, outer));
    let ahead = mover.ahead(walk);
    let start = background.map_or(dst, |background| background.start);
    let fill = start.addr() % 64;
    let size = if background.is_some() { BACKGROUND_STAGE } else { STAGE };
    let mut stage = Stage {
        set,
        buffer: buffer.0.as_mut_ptr(),
        size,
        from: fill,
        fill,
        dst: start,
        background,
    };
    // SAFETY: the buffer has as many lines.
    unsafe { stage.fill_lines(0, size / 64 + 1) };
    let pitch = inner.dst.unsigned_abs();
    let row = pitch * (inner.n - 1) + span;
    let room = size - 64;
    each(rest, &mut |from, to| {
        let (src, dst) = (src.wrapping_offset(from), dst.wrapping_offset(to));
        let mut done = 0;
        while done < rows.n {
            let (src, dst) = rows.after(done, src, dst);
            ahead.ask(src);
            let left = rows.n - done;
            // Some whole rows, or one in parts.
            let mut some = match room.checked_sub(row) {
                Some(room) if left > 1 && ahead.bytes == 0 => {
                    (room / rows.dst.unsigned_abs() + 1).min(left)
                }
                _ => 1,
            };
            // SAFETY: some of the caller's rows, and as much room as they take; or one, from its
            // first unit to its last. Where the first and the last of some rows lie on lines of the
            // background and can be read, those between them do.
            unsafe {
                if let (Some(straight), Some(background)) = (straight, &background) {
                    let units = |i| {
                        let (src, dst) = rows.after(i, src, dst);
                        straight.units(background, src, dst)
                    };
                    let (good, whole) = (units(0), 0..inner.n);
                    some = 1;
                    if good == whole {
                        let end = (1..left).rev().take(2).find(|&i| units(i) == whole);
                        some = end.map_or(1, |i| i + 1);
                    }
                    let first = inner.after(good.start, src, dst);
                    let rows = Loop { n: some, ..rows };
                    stage.row(mover, walk, src, dst, 0..good.start);
                    if !good.is_empty() {
                        stage.straight(straight, background, first, good.len(), rows);
                    }
                    stage.row(mover, walk, src, dst, good.end..inner.n);
                } else if some > 1 {
                    let bytes = rows.dst.unsigned_abs() * (some - 1) + row;
                    mover.tile(src, stage.place(dst, bytes), inner.n, Loop { n: some, ..rows });
                } else {
                    stage.row(mover, walk, src, dst, 0..inner.n);
                }
            }
            done += some;
        }
    });
    // SAFETY: the caller's promise.
    unsafe { stage.finish() }
}
