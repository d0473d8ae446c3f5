//! What lies between the rows, where it is better read than left out.
//!
//! A CPU fetches ahead what is read in order. Rows with gaps are fetched in part: late, and many lines of the gaps as well.
//! Where one byte of each line of the gaps is read too, memory is up to twice as fast (Zen 4, every second row and column:
//! 103 MB to 26 MB in 4.1 instead of 7.0 ms). Prefetches instead of reads helped as much or not at all, as they pleased.

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::stage::Rows;
use crate::kernel::nest::{Axis, extent};

/// Bytes from row to row: nearer to each other or further apart they gain nothing.
const PITCH: core::ops::RangeInclusive<usize> = 512..=8192;

/// Whether rows that reach over `row` bytes, `pitch` bytes apart, have gaps worth reading: lines in them, but not much more than the rows have.
fn counts(row: usize, pitch: usize) -> bool {
    PITCH.contains(&pitch) && row + 64 <= pitch && pitch <= 3 * row
}

/// Whether any loop of the nest has such rows.
pub(crate) fn any(axes: &[Axis], run: usize) -> bool {
    let mut row = run;
    for axis in axes {
        if counts(row, axis.step.unsigned_abs()) {
            return true;
        }
        row = row.saturating_add(axis.step.unsigned_abs().saturating_mul(axis.n - 1));
    }
    false
}

/// The gap behind a row, in the direction in which the row is read.
#[derive(Clone, Copy)]
pub(crate) struct Gap {
    /// The first byte read, from a row's first position, and the step to the next one.
    from: isize,
    step: isize,
    lines: usize,
    /// The lowest byte of the nest and one past the highest: none is read beyond.
    low: isize,
    end: isize,
}

impl Gap {
    pub(crate) const NONE: Gap = Gap { from: 0, step: 0, lines: 0, low: 0, end: 0 };

    /// That of rows `axes` apart, the first at byte `start` of the source.
    #[inline(always)]
    pub(crate) fn behind<R: Rows>(rows: &R, axes: &[Axis], start: isize) -> Gap {
        let reach = rows.step() * (rows.count() as isize - 1);
        let unit = rows.unit() as isize;
        let gap = Gap::new((reach.min(0), reach.max(0) + unit), rows.step() < 0, axes, start);
        // The bytes of a unit may lie before its first one, or be the same again. For the length of the gap that does no harm, but
        // behind the last unit's first byte there may be nothing.
        Gap { end: gap.end - (unit - 1), ..gap }
    }

    /// That of rows which reach from `low` to `end`, relative to their first positions.
    #[inline(always)]
    pub(crate) fn new((low, end): (isize, isize), backward: bool, axes: &[Axis], start: isize) -> Gap {
        let Some(next) = axes.first() else { return Gap::NONE };
        let (row, pitch) = ((end - low) as usize, next.step.unsigned_abs());
        // A row read against the order of the rows is nothing that is fetched ahead in any case.
        if !counts(row, pitch) || backward != (next.step < 0) {
            return Gap::NONE;
        }
        let (from, step) = if backward { (low - 1, -64) } else { (end, 64) };
        let (first, last) = extent(axes, 0);
        Gap { from, step, lines: (pitch - row) / 64, low: start + first + low, end: start + last + end }
    }

    /// Reads the gap behind the row whose first position is byte `row` of `src`.
    ///
    /// # Safety
    /// The row is one of the nest that this was made for, all of which lies in one object that can be read, gaps and all.
    #[inline(always)]
    pub(crate) unsafe fn read(self, src: *const u8, row: isize) {
        let mut at = row + self.from;
        for _ in 0..self.lines {
            if at >= self.low && at < self.end {
                // SAFETY: between two positions of the nest, so inside the object.
                unsafe { black_box(src.wrapping_offset(at).cast::<MaybeUninit<u8>>().read_volatile()) };
            }
            at += self.step;
        }
    }
}
