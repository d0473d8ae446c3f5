//! Results that do not fit the caches: rows are put together in a small buffer and leave it past the caches.
//!
//! A streamed store needs a whole aligned line, or the line is read first and the gain is lost. Rows are seldom whole
//! lines, and an output seldom starts on one. So every kernel writes its rows into a buffer in the first-level cache,
//! placed so that its lines are the destination's lines, and the full lines are streamed out. The extra load and store a line
//! cost less than a quarter of what the memory takes anyway, and each kernel needs one form only.

use core::mem::MaybeUninit;

use super::gap::Gap;
use crate::kernel::isa::{self, Maker};
use crate::kernel::nest::Axis;
use crate::kernel::vector::Level;
use crate::kernel::walk::{Visit, each_row};

/// The most bytes gathered before they leave. A part of the smallest first-level cache that is around.
const ROOM: usize = 8 << 10;
/// Rows of at least this many bytes are streamed as they are, as their ends cost little.
const LONG: usize = 2 << 10;
/// Room for the last row's end, and for whole vectors stored at its end.
const SLACK: usize = 128;

/// A kernel that writes one row, or a part of it.
pub(crate) trait Rows {
    /// Whether whole vectors are stored, which is faster where they start on a line.
    const ALIGNED: bool;
    /// Whether `part` can stream whole vectors itself.
    const STREAMS: bool;
    /// The bytes gathered before they leave, at most `ROOM`, on Zen 5. It does best by few lines at a time, so that it reads while they
    /// leave: vectors by 512 bytes (`[:, :, ::2, ::2]` of 103 MB in 0.64 to 0.85 of the time; the base set's reversals in 0.73, steps of 2 in 0.78 to 0.86; twice
    /// or four times as many make it up to 2.2 times slower than `ROOM` there, for a reason that was not found), single moves by 2 KiB (0.75 to 0.97).
    const ENOUGH: usize = 512;
    /// Bytes of one position of the row.
    fn unit(&self) -> usize;
    /// Positions in a row.
    fn count(&self) -> usize;
    /// Where a row is cut, it should be after a multiple of this many positions.
    fn group(&self) -> usize;
    /// Bytes from one position to the next in the source.
    fn step(&self) -> isize;
    /// Byte 0 of the source.
    fn src(&self) -> *const u8;
    /// Writes `n` positions, beginning at byte `src` of the source, to `dst`; `STREAM`: whole vectors past the caches.
    ///
    /// # Safety
    /// They are positions of the nest the implementor was made for; `dst` is good for `room` bytes, which is at least `n * unit`. All of
    /// `room` may be overwritten. With `STREAM`, `dst` is a multiple of 64.
    unsafe fn part<const STREAM: bool>(&self, src: isize, n: usize, dst: *mut u8, room: usize);
}

#[repr(align(64))]
struct Buffer([MaybeUninit<u8>; ROOM + SLACK + 64]);

/// Whether rows of `row` bytes are streamed as they are, if their kernel can.
pub(super) fn straight(row: usize, dst: *mut u8) -> bool {
    row >= LONG || row.is_multiple_of(64) && dst.addr().is_multiple_of(64)
}

/// Runs the rows of `axes`, in order, into `dst`, which holds `total` bytes; `stream`: past the caches.
///
/// # Safety
/// `axes` count the rows that `rows` was made for, the first at byte `start`; `dst` is good for `total` bytes, which is what
/// they come to.
#[inline(always)]
pub(crate) unsafe fn drive<L: Level, R: Rows>(
    rows: &R,
    axes: &[Axis],
    start: isize,
    dst: *mut u8,
    total: usize,
    stream: bool,
) {
    let row = rows.unit() * rows.count();
    let gap = Gap::behind(rows, axes, start, stream);
    // SAFETY: the caller's promise.
    unsafe {
        if stream && !(R::STREAMS && straight(row, dst)) {
            return staged::<L, R>(rows, axes, start, dst, gap);
        }
        let aligned = stream || R::ALIGNED && row >= LONG;
        each_row(axes, row, &mut Direct { rows, start, dst, total, aligned, stream, gap });
        if stream {
            L::fence();
        }
    }
}

/// Runs the rows through the buffer.
///
/// # Safety
/// As for [`drive`].
#[inline(always)]
unsafe fn staged<L: Level, R: Rows>(rows: &R, axes: &[Axis], start: isize, dst: *mut u8, gap: Gap) {
    let mut buffer = Buffer([MaybeUninit::uninit(); ROOM + SLACK + 64]);
    let base: *mut u8 = buffer.0.as_mut_ptr().cast();
    let fill = dst.addr() % 64;
    let group = rows.group() * rows.unit();
    let enough = match isa::maker() {
        Maker::NewAmd => R::ENOUGH,
        // Vectors from rows with gaps take 0.88 to 1.0 of the time so; from one row 0.97 to 1.08, and single moves more.
        Maker::OldAmd if R::ALIGNED && matches!(gap, Gap::Prefetch { .. }) => 2 << 10,
        _ => ROOM,
    };
    // The longest part: groups that fit a buffer which is already filled to the last line.
    let chunk = (enough / group).max(1) * rows.group();
    let level = core::marker::PhantomData;
    let mut visit = Staged::<L, R> { rows, start, enough, chunk, base, from: fill, fill, dst, gap, level };
    // SAFETY: the caller's promise; `chunk` positions never exceed the buffer (`Staged::row`).
    unsafe {
        each_row(axes, rows.unit() * rows.count(), &mut visit);
        visit.flush();
    }
    let (from, fill, dst) = (visit.from, visit.fill, visit.dst);
    // SAFETY: the bytes between `from` and `fill` were written and not yet copied; they end the destination.
    unsafe { core::ptr::copy_nonoverlapping(base.add(from), dst, fill - from) };
    L::fence();
}

/// Rows written where they belong; `aligned`: whole vectors are stored where lines start. With `stream` they go past the caches, and what
/// lies before the first line and behind the last whole vector is stored plainly.
struct Direct<'a, R> {
    rows: &'a R,
    start: isize,
    dst: *mut u8,
    total: usize,
    aligned: bool,
    stream: bool,
    gap: Gap,
}

/// How many positions of `unit` bytes, the first at `to`, come before one that starts a line, if any does.
#[inline(always)]
fn before(unit: usize, to: *mut u8) -> Option<usize> {
    // They may have to pass several lines.
    let mut head = to.addr().wrapping_neg() % 64;
    let mut tries = 0;
    while !head.is_multiple_of(unit) {
        if tries == 64 {
            return None;
        }
        (head, tries) = (head + 64, tries + 1);
    }
    Some(head / unit)
}

/// How many positions of `unit` bytes come before the first whole vectors of a streamed row, if that is the same for all rows of `row` bytes
/// from `dst` on.
pub(super) fn lead(unit: usize, row: usize, alone: bool, dst: *mut u8) -> Option<usize> {
    if !straight(row, dst) {
        // They go into the buffer from the start of each row.
        return Some(0);
    }
    if alone || row.is_multiple_of(64) { before(unit, dst) } else { None }
}

/// Asks for the lines that a streamed row ends in and is stored to plainly, so that what is stored after them need not wait until they have come from memory (rows of
/// 3 to 24 KiB on Zen 3: 0.75 to 0.98 of the time. Not measured on others).
#[inline(always)]
fn ask_for_end(end: *mut u8) {
    if isa::maker() == Maker::OldAmd && !end.addr().is_multiple_of(64) {
        isa::prefetch(end);
        isa::prefetch(end.wrapping_sub(64));
    }
}

impl<R: Rows> Visit for Direct<'_, R> {
    #[inline(always)]
    unsafe fn row(&mut self, src: isize, dst: usize) {
        let &mut Direct { rows, start, dst: base, total, aligned, stream, gap } = self;
        let (src, to, room, count) = (start + src, base.wrapping_add(dst), total - dst, rows.count());
        let (step, unit, stream) = (rows.step(), rows.unit(), R::STREAMS && stream);
        // All of them if no position starts a line, or if it does not matter.
        let before = if aligned { before(unit, to).map_or(count, |n| n.min(count)) } else { count };
        let plain = if stream { before } else { count };
        if stream {
            ask_for_end(to.wrapping_add(count * unit));
        }
        let (mut at, mut n) = (0, if before == 0 { plain } else { before });
        // SAFETY: a row of the nest, whole or in two parts; the rest of the destination is to be written later, in order.
        unsafe {
            // One call in one place, as a part is much code.
            while at < plain {
                rows.part::<false>(src + step * at as isize, n, to.add(at * unit), room - at * unit);
                at += n;
                n = plain - at;
            }
            if stream && at < count {
                rows.part::<true>(src + step * at as isize, count - at, to.add(at * unit), room - at * unit);
            }
            gap.read(rows.src(), src);
        }
    }
}

struct Staged<'a, L, R> {
    rows: &'a R,
    start: isize,
    /// More bytes than these are not gathered, except by one group.
    enough: usize,
    /// Positions in the longest part.
    chunk: usize,
    base: *mut u8,
    /// First and one past the last byte of the buffer that is still to leave.
    from: usize,
    fill: usize,
    /// Where byte `from` goes; congruent to it modulo 64.
    dst: *mut u8,
    gap: Gap,
    level: core::marker::PhantomData<L>,
}

impl<L: Level, R: Rows> Visit for Staged<'_, L, R> {
    #[inline(always)]
    unsafe fn row(&mut self, src: isize, _: usize) {
        let (unit, step) = (self.rows.unit(), self.rows.step());
        let mut at = self.start + src;
        let mut left = self.rows.count();
        while left > 0 {
            let n = left.min(self.chunk);
            if self.fill + n * unit > self.enough {
                // SAFETY: what `flush` asks for holds between parts.
                unsafe { self.flush() };
            }
            // SAFETY: after a flush less than a line is left, and a part is at most ROOM bytes (or one group, which is at most
            // that much: `Rows::group`), so that ROOM + 64 + SLACK bytes hold it and a vector more.
            unsafe { self.rows.part::<false>(at, n, self.base.add(self.fill), ROOM + SLACK + 64 - self.fill) };
            self.fill += n * unit;
            at += step.wrapping_mul(n as isize);
            left -= n;
        }
        // SAFETY: a row of the nest.
        unsafe { self.gap.read(self.rows.src(), self.start + src) }
    }
}

impl<L: Level, R: Rows> Staged<'_, L, R> {
    /// Sends all full lines away and moves the rest to the front.
    ///
    /// # Safety
    /// `dst` is good for the bytes between `from` and `fill`.
    #[inline(always)]
    unsafe fn flush(&mut self) {
        let end = self.fill / 64 * 64;
        if end <= self.from {
            return;
        }
        let mut i = self.from;
        // SAFETY: all bytes are in the buffer below `fill`, and go to the destination's next `end - from` bytes. Where `i` is a
        // multiple of 64, so is the place it goes to.
        unsafe {
            if !i.is_multiple_of(64) {
                let head = 64 - i % 64;
                core::ptr::copy_nonoverlapping(self.base.add(i), self.dst, head);
                i += head;
            }
            while i < end {
                L::stream64(self.base.add(i), self.dst.add(i - self.from));
                i += 64;
            }
            self.dst = self.dst.add(end - self.from);
            // Less than a line; a whole one is moved, the buffer has room behind.
            core::ptr::copy(self.base.add(end), self.base, self.fill - end);
        }
        self.fill -= end;
        self.from = 0;
    }
}
