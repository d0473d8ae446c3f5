//! Gradients in one pass: the background, which is the zeros between the places, and rows of places
//! that are streamed from registers.

use super::isa::{self, Vectors};
use super::nest::{Line, Loop, trimmed};
use super::prefetch::RowNest;
use super::tables::{Shuffle, Unit};
use super::tuning::MIRRORED;
use core::mem::MaybeUninit;
use core::ops::Range;

/// The background of a gradient, between its places: a value that is repeated from `start` to the
/// address `end`.
#[derive(Clone, Copy)]
pub(crate) struct Background {
    /// Every line of it is this one.
    pub(super) line: Line,
    pub(crate) start: *mut u8,
    pub(crate) end: usize,
}

impl Background {
    /// Repeats the value of `len` bytes at `value`; `None` if its lines would differ.
    ///
    /// # Safety
    ///
    /// `len` bytes, at least one, can be read.
    pub(crate) unsafe fn new(
        value: *const u8,
        len: usize,
        start: *mut u8,
        end: usize,
    ) -> Option<Background> {
        let mut line = Line::EMPTY;
        if 64 % len != 0 {
            return None;
        }
        for i in 0..64 {
            // SAFETY: one of the value's bytes.
            let byte = unsafe { value.add(i % len).cast::<MaybeUninit<u8>>().read() };
            line.0[start.addr().wrapping_add(i) % 64] = byte;
        }
        Some(Background { line, start, end })
    }
}

/// Rows of a shuffle that are streamed straight from registers, with the background between them.
/// Through a buffer, they would wait each time for the streamed stores before them.
pub(crate) struct Unbuffered<'a> {
    background: &'a Background,
    pub(super) shuffle: Shuffle<'a>,
    rows: isa::BackedFn,
}

impl<'a> Unbuffered<'a> {
    /// `None` if rows differ in where a line cuts their units, if they take too many loads, or if
    /// these would read much between the units or wait for the row's own stores.
    ///
    /// # Safety
    ///
    /// The CPU has the set.
    pub(crate) unsafe fn new(
        vectors: &Vectors,
        unit: &'a Unit<'a>,
        background: &'a Background,
        readable: (usize, usize),
        walk: &RowNest<'_>,
    ) -> Option<Unbuffered<'a>> {
        let &RowNest { span, outer, dst, .. } = walk;
        let pitch = unit.walk.dst.unsigned_abs();
        let alike = outer.iter().all(|it| it.dst.unsigned_abs().is_multiple_of(pitch));
        let mirrored = unit.walk.src == -unit.walk.dst && walk.row() > MIRRORED;
        if !alike || mirrored || unit.walk.src.unsigned_abs() > pitch {
            return None;
        }
        // No line begins inside the bytes of a unit. The pitch divides a vector, so it is a power
        // of two of bytes, and so is the element whose value the background repeats.
        let begin = dst.addr().wrapping_neg() % pitch;
        if !vectors.bytes.is_multiple_of(pitch) || (begin != 0 && begin < span) {
            return None;
        }
        let mut shuffle = Shuffle::of_lines(vectors.bytes, unit, begin);
        // SAFETY: the caller's promise.
        if !unsafe { (vectors.build)(&mut shuffle, None, vectors.backed.len()) } {
            return None;
        }
        shuffle.readable = readable;
        let rows = vectors.backed[shuffle.loads - 1];
        Some(Unbuffered { background, shuffle, rows })
    }

    /// The units of a row, of `units` in all, whose lines lie on the background and whose loads can
    /// be read.
    pub(crate) fn units(&self, src: *const u8, dst: *mut u8, units: usize) -> Range<usize> {
        let &Unbuffered { background: &Background { start, end, .. }, ref shuffle, .. } = self;
        let (step, pitch) = (shuffle.unit.walk.src, shuffle.unit.walk.dst.unsigned_abs());
        let (off, line) = (dst.addr() % 64, dst.addr() / 64 * 64);
        // The unit with which the line begins.
        let at = src.addr().wrapping_sub(shuffle.readable.0) as isize
            - step * ((off + shuffle.begin) / pitch) as isize;
        // A line of margin: `alike` looks at some rows only. One between them may begin elsewhere
        // in its line, which moves its loads by up to a line.
        let more = (64 / pitch) as isize * step.abs();
        let good = |i: usize| {
            let (first, last) = (64 / pitch * i, 64 / pitch * (i + 1) - shuffle.bytes / pitch);
            let (first, last) = (at + step * first as isize, at + step * last as isize);
            first.min(last) + shuffle.low >= more
                && first.max(last) + shuffle.high + more <= shuffle.readable.1 as isize
                && line + 64 * i >= start.addr()
                && line + 64 * (i + 1) <= end
        };
        let lines = trimmed(0..(off + shuffle.unit.bytes(units)).div_ceil(64), good);
        let before = |line: usize| (64 * line).saturating_sub(off).div_ceil(pitch).min(units);
        before(lines.start)..before(lines.end)
    }

    /// Streams `n` units of each of some rows, and background between them, from `place` on. The
    /// line `open` holds what was written of the first vector before, and then the last one, whose
    /// place is returned with the end of the last row.
    ///
    /// # Safety
    ///
    /// In each row, the units are those that [`units`](Self::units) names. All lines from `place`
    /// on can be written; the two sides do not overlap. The CPU has the set.
    /// [`fence`](super::vector::fence) must follow.
    pub(super) unsafe fn stream(
        &self,
        open: *mut u8,
        place: *mut u8,
        first: (*const u8, *mut u8),
        n: usize,
        rows: Loop,
    ) -> (*mut u8, usize) {
        let (line, bytes) = (self.background.line.0.as_ptr().cast(), self.shuffle.unit.bytes(n));
        // SAFETY: the caller's promise; the loads of the lines can be read.
        let place = unsafe { (self.rows)(&self.shuffle, (line, open), place, first, bytes, rows) };
        (place, rows.after(rows.n - 1, first.0, first.1).1.addr() + bytes)
    }
}
