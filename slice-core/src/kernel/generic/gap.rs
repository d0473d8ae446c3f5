//! Rows that lie apart: what is asked for beside them, so that memory does not wait for the next one.
//!
//! A CPU fetches ahead what is read in order. Of rows with gaps, or whose order is not that of their bytes, it fetches the beginnings late and
//! much of the gaps as well, and it does not look far enough ahead to ask for several rows at once. There are two remedies:
//!
//! - The row that comes some rows later is prefetched, line by line. Zen 5: every second row and column of 103 MB in 2.9 instead of 12 ms,
//!   `[::2, ::-1]` of rows of 512 bytes in 2.5 instead of 17, the middle half of rows of 1 KiB in 2.6 instead of 3.3. Zen 3: 0.3 to 0.75 of the time of the
//!   second remedy for these, and 0.7 to 0.96 of none where streamed rows follow each other.
//! - One byte of each line of the gaps is read as well, so that all is read in order. Zen 4: the first of these in 4.1 instead
//!   of 7.0 ms. There, prefetches helped as much or not at all, as they pleased; Zen 5 takes 4.9 ms that way.

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::stage::Rows;
use crate::kernel::isa::{self, Maker};
use crate::kernel::movers;
use crate::kernel::nest::{Axis, extent};

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

/// What is asked for with a row, relative to its first position.
#[derive(Clone, Copy)]
pub(crate) enum Gap {
    Nothing,
    /// The lines of a later row are prefetched, from byte `from` to `last` bytes further on. They need not exist.
    Prefetch {
        from: isize,
        last: usize,
    },
    /// Some `lines`, 64 bytes in one direction or the other from one to the next, are read if they lie between the lowest byte
    /// of the nest and the highest.
    Read {
        from: isize,
        step: isize,
        lines: usize,
        low: isize,
        end: isize,
    },
}

const LINE: usize = 64;
/// From a row of `row` bytes that is read to the one that is prefetched, in rows, and how much of that; `None`: nothing.
///
/// Zen 5: fewer rows come too late, for rows of 512 bytes to 2 KiB; more gain nothing. Long ones are fetched ahead by the CPU, or by those who read them, but for
/// how they begin, which is asked for two rows before.
///
/// Zen 3: of rows of half a KiB 4 are as good or better by a tenth, of 64 bytes 32 by as much; rows of 4 KiB gain up to a third, of 8 KiB they lose as much.
fn ahead(row: usize) -> Option<(usize, usize)> {
    const LONGEST: usize = 8192;
    match isa::maker() {
        Maker::OldAmd => (row <= LONGEST / 2).then(|| ((2048 / row.max(1)).clamp(1, 32), row)),
        _ if row > LONGEST => Some((2, movers::AHEAD)),
        _ => Some((8, row)),
    }
}

/// Rows that reach over fewer bytes are taken to be in some cache, where prefetches cost more than they bring, if the result is
/// (Zen 5, from the last-level cache: 0.8 to 1.15 times; 13 MB from memory: 0.55 to 0.7).
const FAR: usize = 8 << 20;

/// As [`FAR`], for rows of up to 2 KiB on Zen 3: out of its second-level cache they gain as well (steps of 2 and 3 forwards and backwards, 0.5 to 1 MiB in
/// 0.65 to 0.9 of the time, 2 MiB and more in 0.35 to 0.8; rows of 4 KiB lose up to a tenth).
const OUT: usize = 512 << 10;

/// Whether rows of `row` bytes, `axes` apart, whose result is not streamed, come from so far away that prefetches pay.
#[inline(always)]
fn far(row: usize, axes: &[Axis]) -> bool {
    match isa::maker() {
        // Nothing is read beside such rows there.
        Maker::Zen4 => false,
        Maker::OldAmd => row <= 2 << 10 && reach(axes) >= OUT,
        _ => !near(axes),
    }
}

impl Gap {
    /// That of rows `axes` apart, the first at byte `start` of the source; `stream`: the result does not fit the caches.
    #[inline(always)]
    pub(crate) fn behind<R: Rows>(rows: &R, axes: &[Axis], start: isize, stream: bool) -> Gap {
        let reach = rows.step() * (rows.count() as isize - 1);
        let unit = rows.unit() as isize;
        if !stream && !far(reach.unsigned_abs(), axes) {
            return Gap::Nothing;
        }
        match Gap::new((reach.min(0), reach.max(0) + unit), rows.step() < 0, axes, start, stream) {
            // Most lines of such a row are never read.
            Gap::Prefetch { .. } if rows.step().unsigned_abs() > 2 * LINE => Gap::Nothing,
            // The bytes of a unit may lie before its first one, or be the same again. For the length of the gap that does no harm, but
            // behind the last unit's first byte there may be nothing.
            Gap::Read { from, step, lines, low, end } => Gap::Read { from, step, lines, low, end: end - (unit - 1) },
            gap => gap,
        }
    }

    /// That of one side of what is written to a view: rows of `n` runs of `run` bytes, `step` bytes apart; `stream`: what is written does not fit the caches.
    ///
    /// Values follow each other as they are read, but for rows that are turned round. (`[::2, ::-1] = x`, rows of 512 bytes to 4 KiB, on Zen 3 in 0.4 to 0.9 of
    /// the time. Not measured on others.)
    #[inline(always)]
    pub(crate) fn of_rows(run: usize, n: usize, step: isize, next: Axis, stream: bool) -> Gap {
        if isa::maker() != Maker::OldAmd || step == 0 || next.step == 0 {
            return Gap::Nothing;
        }
        let reach = step * (n as isize - 1);
        let axes = [next];
        if !stream && !far(reach.unsigned_abs(), &axes) {
            return Gap::Nothing;
        }
        match Gap::new((reach.min(0), reach.max(0) + run as isize), step < 0, &axes, 0, false) {
            // What is written between these rows may be somebody else's.
            Gap::Read { .. } => Gap::Nothing,
            gap => gap,
        }
    }

    /// That of rows which reach from `low` to `end`, relative to their first positions; `stream`: they are read for a result that does not fit the caches.
    #[inline(always)]
    pub(crate) fn new((low, end): (isize, isize), backward: bool, axes: &[Axis], start: isize, stream: bool) -> Gap {
        let Some(next) = axes.first() else { return Gap::Nothing };
        let (row, pitch) = ((end - low) as usize, next.step.unsigned_abs());
        let turned = backward != (next.step < 0);
        if isa::maker() != Maker::Zen4 {
            // Rows that follow each other in the order in which they are read, or nearly, are fetched ahead anyhow. Zen 3 gains all the same where the result
            // is streamed (0.7 to 0.96 of the time); not by shorter ones (up to 1.4), nor by those of assignments (up to 1.2).
            const SHORT: usize = 384;
            let Some((ahead, bytes)) = ahead(row) else { return Gap::Nothing };
            let near = !turned && pitch < row + (row / 8).max(LINE);
            if next.n <= ahead || near && !(stream && row >= SHORT && isa::maker() == Maker::OldAmd) {
                return Gap::Nothing;
            }
            let from = low.wrapping_add(next.step.wrapping_mul(ahead as isize));
            return Gap::Prefetch { from, last: bytes - 1 };
        }
        // A row read against the order of the rows is nothing that is fetched ahead in any case.
        if !counts(row, pitch) || turned {
            return Gap::Nothing;
        }
        let (from, step) = if backward { (low - 1, -64) } else { (end, 64) };
        let (first, last) = extent(axes, 0);
        let lines = (pitch - row) / 64;
        Gap::Read { from, step, lines, low: start + first + low, end: start + last + end }
    }

    /// [`read`](Gap::read), out of the way of rows beside which seldom anything is asked for.
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    pub(crate) unsafe fn read_seldom(&self, src: *const u8, row: isize) {
        #[cold]
        #[inline(never)]
        unsafe fn read(gap: &Gap, src: *const u8, row: isize) {
            // SAFETY: the caller's promise.
            unsafe { gap.read(src, row) }
        }
        if !matches!(self, Gap::Nothing) {
            // SAFETY: the caller's promise.
            unsafe { read(self, src, row) }
        }
    }

    /// Asks for what belongs to the row whose first position is byte `row` of `src`.
    ///
    /// # Safety
    /// The row is one of the nest that this was made for, all of which lies in one object that can be read, gaps and all.
    #[inline(always)]
    pub(crate) unsafe fn read(self, src: *const u8, row: isize) {
        match self {
            Gap::Nothing => {}
            Gap::Prefetch { from, last } => {
                let first = src.wrapping_offset(row.wrapping_add(from));
                // A row may begin and end in the middle of a line. (Asked for as the last one, it was up to 1.2 times slower.)
                isa::prefetch(first.wrapping_add(last));
                if last < LINE {
                    return isa::prefetch(first);
                }
                let mut at = 0;
                // Many at a time by instructions of their own: what a loop of one asks for looks like a stream to Zen 5, and it fetches
                // what follows as well, gaps and all (every second row of 448 bytes: 3.0 instead of 2.4 ms).
                while at < last {
                    for line in 0..MANY {
                        isa::prefetch(first.wrapping_add((at + LINE * line).min(last)));
                    }
                    at += MANY * LINE;
                }
            }
            Gap::Read { from, step, lines, low, end } => {
                let mut at = row.wrapping_add(from);
                for _ in 0..lines {
                    if at >= low && at < end {
                        // SAFETY: between two positions of the nest, so inside the object.
                        unsafe { black_box(src.wrapping_offset(at).cast::<MaybeUninit<u8>>().read_volatile()) };
                    }
                    at = at.wrapping_add(step);
                }
            }
        }
    }
}

/// Whether rows `axes` apart reach over less than [`FAR`].
pub(super) fn near(axes: &[Axis]) -> bool {
    reach(axes) < FAR
}

/// The bytes from the first position of one row to that of another, at most.
fn reach(axes: &[Axis]) -> usize {
    let (first, last) = extent(axes, 0);
    last.abs_diff(first)
}

/// Lines that are prefetched at a time.
const MANY: usize = 8;
