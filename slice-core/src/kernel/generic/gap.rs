//! Rows that lie apart: what is asked for beside them, so that memory does not wait for the next one.
//!
//! A CPU fetches ahead what is read in order. Of rows with gaps, or whose order is not that of their bytes, it fetches the beginnings late and
//! much of the gaps as well, and it does not look far enough ahead to ask for several rows at once. There are two remedies:
//!
//! - The row that comes some rows later is prefetched, line by line. Zen 5: every second row and column of 103 MB in 3.6 instead of 12 ms,
//!   `[::2, ::-1]` of rows of 512 bytes in 2.5 instead of 17, the middle half of rows of 1 KiB in 2.6 instead of 3.3.
//! - One byte of each line of the gaps is read as well, so that all is read in order. Zen 4: the first of these in 4.1 instead
//!   of 7.0 ms. There, prefetches helped as much or not at all, as they pleased; Zen 5 takes 4.9 ms that way.

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::stage::Rows;
use crate::kernel::isa::{self, Maker};
use crate::kernel::nest::{Axis, extent};
use crate::kernel::walk;

/// Whether rows that reach over `row` bytes, `pitch` bytes apart, have gaps worth reading: lines in them, but not much more than the rows
/// have. Nearer to each other or further apart they gain nothing.
fn counts(row: usize, pitch: usize) -> bool {
    (512..=8192).contains(&pitch) && row + 64 <= pitch && pitch <= 3 * row
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

/// What is asked for with a row: some lines, 64 bytes from one to the next in one direction or the other.
#[derive(Clone, Copy)]
pub(crate) struct Gap {
    /// The first byte, from a row's first position, and the step to the next one.
    from: isize,
    step: isize,
    lines: usize,
    /// The lowest byte of the nest and one past the highest: none is read beyond. Prefetches may go anywhere.
    low: isize,
    end: isize,
    prefetch: bool,
}

const LINE: usize = 64;
/// Rows from one that is read to the one that is prefetched. Fewer come too late, for rows of 512 bytes to 2 KiB; more gain nothing.
const AHEAD: usize = 8;
/// Longer rows are fetched ahead by the CPU, or by those who read them, but for how they begin. That is asked for two rows before.
const LONGEST: usize = 8192;

impl Gap {
    pub(crate) const NONE: Gap = Gap { from: 0, step: 0, lines: 0, low: 0, end: 0, prefetch: false };

    /// That of rows `axes` apart, the first at byte `start` of the source.
    #[inline(always)]
    pub(crate) fn behind<R: Rows>(rows: &R, axes: &[Axis], start: isize) -> Gap {
        let reach = rows.step() * (rows.count() as isize - 1);
        let unit = rows.unit() as isize;
        let gap = Gap::new((reach.min(0), reach.max(0) + unit), rows.step() < 0, axes, start);
        // Most lines of such a row are never read.
        if gap.prefetch && rows.step().unsigned_abs() > 2 * LINE {
            return Gap::NONE;
        }
        // The bytes of a unit may lie before its first one, or be the same again. For the length of the gap that does no harm, but
        // behind the last unit's first byte there may be nothing.
        Gap { end: gap.end - (unit - 1), ..gap }
    }

    /// That of rows which reach from `low` to `end`, relative to their first positions.
    #[inline(always)]
    pub(crate) fn new((low, end): (isize, isize), backward: bool, axes: &[Axis], start: isize) -> Gap {
        let Some(next) = axes.first() else { return Gap::NONE };
        let (row, pitch) = ((end - low) as usize, next.step.unsigned_abs());
        let turned = backward != (next.step < 0);
        if isa::maker() != Maker::OldAmd {
            // Rows that follow each other in the order in which they are read, or nearly, are fetched ahead anyhow.
            let (ahead, bytes) = if row > LONGEST { (2, walk::AHEAD) } else { (AHEAD, row) };
            if next.n <= ahead || !turned && pitch < row + (row / 8).max(LINE) {
                return Gap::NONE;
            }
            let from = low.wrapping_add(next.step.wrapping_mul(ahead as isize));
            return Gap { from, step: LINE as isize, lines: bytes.div_ceil(LINE), low: 0, end: 0, prefetch: true };
        }
        // A row read against the order of the rows is nothing that is fetched ahead in any case.
        if !counts(row, pitch) || turned {
            return Gap::NONE;
        }
        let (from, step) = if backward { (low - 1, -64) } else { (end, 64) };
        let (first, last) = extent(axes, 0);
        let lines = (pitch - row) / 64;
        Gap { from, step, lines, low: start + first + low, end: start + last + end, prefetch: false }
    }

    /// Asks for what belongs to the row whose first position is byte `row` of `src`.
    ///
    /// # Safety
    /// The row is one of the nest that this was made for, all of which lies in one object that can be read, gaps and all.
    #[inline(always)]
    pub(crate) unsafe fn read(self, src: *const u8, row: isize) {
        let mut at = row.wrapping_add(self.from);
        for _ in 0..self.lines {
            let byte = src.wrapping_offset(at);
            if self.prefetch {
                isa::prefetch(byte);
            } else if at >= self.low && at < self.end {
                // SAFETY: between two positions of the nest, so inside the object.
                unsafe { black_box(byte.cast::<MaybeUninit<u8>>().read_volatile()) };
            }
            at = at.wrapping_add(self.step);
        }
    }
}
