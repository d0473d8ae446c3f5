//! The loops around a kernel: straight to the destination, or through a buffer and past the caches.

use super::isa::{self, Set};
use super::loops::{Loop, each};
use super::moves::Tile;
use super::pattern::repeat;
use super::shuffle::{Lines, Shuffle};
use super::tuning::{FAR, GROUND_STAGE, READ_AHEAD, STAGE};

/// A kernel that moves some positions of some rows.
#[derive(Clone, Copy)]
pub(crate) enum Mover<'a> {
    Moves { tile: Tile, run: usize, walk: Loop },
    Shuffle { rows: isa::Rows, shuffle: &'a Shuffle },
    Lines(&'a Lines<'a>),
}

impl Mover<'_> {
    /// What is to be asked for with each row, unless the mover does so itself.
    fn ahead(&self, walk: &Walk<'_>) -> Ahead {
        if matches!(self, Mover::Shuffle { .. }) { Ahead::NONE } else { Ahead::of(walk) }
    }

    /// Moves the first `n` positions of each of `rows`.
    ///
    /// # Safety
    ///
    /// They are positions that the mover was made for; the CPU has its set.
    #[inline(always)]
    unsafe fn tile(&self, src: *const u8, dst: *mut u8, n: usize, rows: Loop) {
        // SAFETY: the caller's promise.
        unsafe {
            match *self {
                Mover::Moves { tile, run, walk } => tile(src, dst, run, Loop { n, ..walk }, rows),
                Mover::Shuffle { rows: go, shuffle } => go(shuffle, src, dst, n, rows),
                Mover::Lines(lines) => {
                    for i in 0..rows.n as isize {
                        lines.row(
                            src.wrapping_offset(rows.src * i),
                            dst.wrapping_offset(rows.dst * i),
                            n,
                        );
                    }
                }
            }
        }
    }
}

/// Rows of positions, and the loops around them.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'a> {
    /// Positions of `span` bytes in the destination.
    pub(crate) walk: Loop,
    pub(crate) span: usize,
    pub(crate) outer: &'a [Loop],
    pub(crate) src: *const u8,
    pub(crate) dst: *mut u8,
}

/// Rows with gaps that come from memory: a CPU fetches their beginnings late and much of the gaps
/// as well. The row that comes some rows later is asked for, line by line.
#[derive(Clone, Copy)]
pub(crate) struct Ahead {
    /// Bytes to the first byte of that row.
    first: isize,
    /// 0: nothing is asked for.
    bytes: usize,
}

impl Ahead {
    pub(crate) const NONE: Ahead = Ahead { first: 0, bytes: 0 };

    pub(crate) fn of(walk: &Walk<'_>) -> Ahead {
        let (&Walk { walk: inner, span, .. }, Some(rows)) = (walk, walk.outer.first()) else {
            return Ahead::NONE;
        };
        let reach = inner.src * (inner.n as isize - 1);
        let (bytes, pitch) = (reach.unsigned_abs() + span, rows.src.unsigned_abs());
        // Rows that follow each other in the order in which they are read are fetched anyhow.
        let follows = (reach < 0) == (rows.src < 0) && pitch < bytes + (bytes / 8).max(64);
        let rows_ahead = (READ_AHEAD / bytes).clamp(2, 32);
        let touched = walk.outer.iter().fold(bytes, |touched, it| touched.saturating_mul(it.n));
        if follows || inner.src.unsigned_abs() > 128 || touched < FAR || rows.n <= rows_ahead {
            return Ahead::NONE;
        }
        let first = rows.src.wrapping_mul(rows_ahead as isize).wrapping_add(reach.min(0));
        Ahead { first, bytes: bytes.min(READ_AHEAD) }
    }

    #[inline(always)]
    pub(crate) fn ask(self, row: *const u8) {
        let mut at = 0;
        while at < self.bytes {
            isa::prefetch(row.wrapping_offset(self.first).wrapping_add(at));
            at += 64;
        }
    }
}

/// Moves every position to its place.
///
/// # Safety
///
/// The walk's positions are those that the mover was made for; the CPU has its set.
pub(crate) unsafe fn direct(mover: Mover<'_>, walk: &Walk<'_>) {
    let &Walk { walk: inner, outer, src, dst, .. } = walk;
    let (&rows, rest) = outer.split_first().unwrap_or((&Loop::ONE, outer));
    let ahead = mover.ahead(walk);
    each(rest, &mut |from, to| {
        let (src, dst) = (src.wrapping_offset(from), dst.wrapping_offset(to));
        if ahead.bytes == 0 {
            // SAFETY: some of the caller's rows.
            return unsafe { mover.tile(src, dst, inner.n, rows) };
        }
        for i in 0..rows.n as isize {
            let src = src.wrapping_offset(rows.src * i);
            ahead.ask(src);
            // SAFETY: one of the caller's rows.
            unsafe { mover.tile(src, dst.wrapping_offset(rows.dst * i), inner.n, Loop::ONE) };
        }
    });
}

/// What lies between the places of a gradient: a value over and over, from `origin` to `end`.
#[derive(Clone, Copy)]
pub(crate) struct Ground {
    pub(crate) pattern: *const u8,
    pub(crate) period: usize,
    /// The address where the pattern begins, wherever it is written.
    pub(crate) origin: usize,
    pub(crate) start: *mut u8,
    pub(crate) end: usize,
}

/// Room behind the last line for whole vectors that are stored at its end.
const SLACK: usize = 128;

/// Where results are put together before they are streamed.
#[repr(align(64))]
pub(crate) struct Buffer([u8; GROUND_STAGE + SLACK]);

impl Buffer {
    pub(crate) fn new() -> Buffer {
        Buffer([0; GROUND_STAGE + SLACK])
    }

    /// The address of its end.
    pub(crate) fn end(&self) -> usize {
        self.0.as_ptr().addr() + self.0.len()
    }
}

/// The buffer on its way through the destination: its lines are the destination's lines.
struct Stage<'a> {
    set: &'a Set,
    buffer: *mut u8,
    /// Bytes of it that are used.
    size: usize,
    /// First byte that has not left, and one past the last that was written.
    from: usize,
    fill: usize,
    /// Where byte `from` goes, and byte `fill`.
    dst: *mut u8,
    ground: Option<Ground>,
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
            self.lay(to.addr());
            if self.fill + bytes > self.size {
                self.flush();
            }
            let place = self.buffer.add(self.fill);
            self.lay_some(bytes);
            if self.ground.is_none() {
                self.fill += bytes;
            }
            place
        }
    }

    /// The address where the next byte goes.
    fn next(&self) -> usize {
        self.dst.addr() + (self.fill - self.from)
    }

    /// Writes the ground up to the address `to`.
    ///
    /// # Safety
    ///
    /// As for [`place`](Self::place).
    unsafe fn lay(&mut self, to: usize) {
        while self.ground.is_some() && self.next() < to {
            // SAFETY: the caller's promise; there is room for what is laid.
            unsafe {
                if self.fill == self.size {
                    self.flush();
                }
                let some = (to - self.next()).min(self.size - self.fill);
                self.lay_some(some);
            }
        }
    }

    /// Writes `bytes` bytes of ground, if there is one, behind what was written.
    ///
    /// # Safety
    ///
    /// There is room for them.
    unsafe fn lay_some(&mut self, bytes: usize) {
        if let Some(Ground { pattern, period, origin, .. }) = self.ground {
            let phase = (self.next() - origin) % period;
            // SAFETY: the caller's promise; the pattern has `period` bytes.
            unsafe { repeat(pattern, period, phase, self.buffer.add(self.fill), bytes) };
            self.fill += bytes;
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
        // Lines of the buffer go to lines.
        unsafe {
            core::ptr::copy_nonoverlapping(self.buffer.add(self.from), self.dst, head - self.from);
            (self.set.stream)(
                self.buffer.add(head),
                self.dst.add(head - self.from),
                (end - head) / 64,
            );
            self.dst = self.dst.add(end - self.from);
            core::ptr::copy(self.buffer.add(end), self.buffer, self.fill - end);
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
            if let Some(ground) = self.ground {
                self.lay(ground.end);
            }
            self.flush();
            core::ptr::copy_nonoverlapping(
                self.buffer.add(self.from),
                self.dst,
                self.fill - self.from,
            );
        }
        isa::fence();
    }
}

/// Moves every position through the buffer. What is written is one piece of memory, in order: the
/// positions, or the positions and the ground between them.
///
/// # Safety
///
/// As for [`direct`], but that the mover writes to the buffer; the ground may be written.
pub(crate) unsafe fn staged(
    mover: Mover<'_>,
    walk: &Walk<'_>,
    ground: Option<Ground>,
    buffer: &mut Buffer,
    set: &Set,
) {
    let &Walk { walk: inner, span, outer, src, dst } = walk;
    let (&rows, rest) = outer.split_first().unwrap_or((&Loop::ONE, outer));
    let ahead = mover.ahead(walk);
    let start = ground.map_or(dst, |ground| ground.start);
    let fill = start.addr() % 64;
    let size = if ground.is_some() { GROUND_STAGE } else { STAGE };
    let mut stage =
        Stage { set, buffer: buffer.0.as_mut_ptr(), size, from: fill, fill, dst: start, ground };
    let pitch = inner.dst.unsigned_abs();
    let row = pitch * (inner.n - 1) + span;
    let room = size - 64;
    each(rest, &mut |from, to| {
        let (src, dst) = (src.wrapping_offset(from), dst.wrapping_offset(to));
        let mut done = 0;
        while done < rows.n {
            let src = src.wrapping_offset(rows.src * done as isize);
            let dst = dst.wrapping_offset(rows.dst * done as isize);
            ahead.ask(src);
            // Some whole rows, or one in parts.
            let left = rows.n - done;
            let some = match room.checked_sub(row) {
                Some(room) if left > 1 && ahead.bytes == 0 => {
                    (room / rows.dst.unsigned_abs() + 1).min(left)
                }
                Some(_) => 1,
                None => 0,
            };
            if some > 0 {
                let bytes = rows.dst.unsigned_abs() * (some - 1) + row;
                // SAFETY: some of the caller's rows, and as much room as they take.
                unsafe {
                    mover.tile(src, stage.place(dst, bytes), inner.n, Loop { n: some, ..rows })
                };
            } else {
                let part = (room - span) / pitch + 1;
                for at in (0..inner.n).step_by(part) {
                    let n = part.min(inner.n - at);
                    let (src, dst) = (
                        src.wrapping_offset(inner.src * at as isize),
                        dst.wrapping_offset(inner.dst * at as isize),
                    );
                    let bytes = pitch * (n - 1) + span;
                    // SAFETY: a part of one of the caller's rows, and as much room as it takes.
                    unsafe { mover.tile(src, stage.place(dst, bytes), n, Loop::ONE) };
                }
            }
            done += some.max(1);
        }
    });
    // SAFETY: the caller's promise.
    unsafe { stage.finish() }
}
