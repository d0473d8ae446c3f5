//! Rows of positions, and what is prefetched for them.

use super::nest::{At, Loop, each};
use super::tuning::{NEAR_STEP, PREFETCH_DISTANCE, PREFETCHED_ROWS, ROWS_AHEAD};
use super::vector;

/// Rows of positions, and the loops around them.
#[derive(Clone, Copy)]
pub(crate) struct RowNest<'a> {
    /// Positions of `span` bytes in the destination.
    pub(crate) walk: Loop,
    pub(crate) span: usize,
    pub(crate) outer: &'a [Loop],
}

impl RowNest<'_> {
    /// Calls `f` with all rows of the first outer loop, at each position of the others.
    #[inline]
    pub(crate) fn each(&self, first: At, mut f: impl FnMut(At, usize, Loop)) {
        let &RowNest { walk, outer, .. } = self;
        let (&rows, rest) = outer.split_first().unwrap_or((&Loop::ONE, outer));
        each(rest, first, &mut |at| f(at, walk.n, rows));
    }

    /// Bytes of the source from a row's first position to its last, and from first byte to last.
    fn reach(&self) -> (isize, usize) {
        let reach = self.walk.src * (self.walk.n as isize - 1);
        (reach, reach.unsigned_abs() + self.span)
    }
}

/// Prefetching for rows with gaps that come from memory. A CPU fetches their beginnings late, and
/// much of the gaps as well. So the lines of a later row are prefetched.
#[derive(Clone, Copy)]
pub(crate) struct Ahead {
    /// Bytes to the first byte of that row.
    first: isize,
    /// How many bytes are prefetched, 0 for none; negative if the row is read backwards.
    bytes: isize,
}

impl Ahead {
    pub(crate) const NONE: Ahead = Ahead { first: 0, bytes: 0 };

    pub(crate) fn of(walk: &RowNest<'_>) -> Ahead {
        let Some(rows) = walk.outer.first() else { return Ahead::NONE };
        let (reach, bytes) = walk.reach();
        let rows_ahead = (PREFETCH_DISTANCE / bytes).clamp(*ROWS_AHEAD.start(), *ROWS_AHEAD.end());
        let touched = walk.outer.iter().fold(bytes, |touched, it| touched.saturating_mul(it.n));
        if follows(reach, bytes, rows)
            || walk.walk.src.unsigned_abs() > NEAR_STEP
            || touched < PREFETCHED_ROWS
            || rows.n <= rows_ahead
        {
            return Ahead::NONE;
        }
        let first = rows.src.wrapping_mul(rows_ahead as isize).wrapping_add(reach.min(0));
        let bytes = bytes.min(PREFETCH_DISTANCE) as isize;
        Ahead { first, bytes: if reach < 0 { -bytes } else { bytes } }
    }

    #[inline(always)]
    pub(crate) fn prefetch(self, row: *const u8) {
        if self.bytes == 0 {
            return;
        }
        let (first, last) = (row.wrapping_offset(self.first), self.bytes.unsigned_abs() - 1);
        let mut at = 0;
        loop {
            // By several instructions: a CPU would take those of one for a stream, and fetch on.
            for _ in 0..8 {
                // Read forwards, a CPU moves lines on from the second-level cache by itself.
                vector::prefetch(first.wrapping_add(at.min(last)), self.bytes > 0);
                // Where a row begins within a line, it may end in one line more.
                if at >= last {
                    return;
                }
                at += 64;
            }
        }
    }
}

/// Whether rows of `bytes` bytes, read in the direction of `reach`, follow each other in memory in
/// the order in which they are read. A CPU prefetches those by itself.
fn follows(reach: isize, bytes: usize, rows: &Loop) -> bool {
    (reach < 0) == (rows.src < 0) && rows.src.unsigned_abs() < bytes + (bytes / 8).max(64)
}

/// How far ahead is prefetched while long rows are streamed: a page, or as many rows as make one.
pub(crate) fn distance(walk: &RowNest<'_>) -> isize {
    let (reach, bytes) = walk.reach();
    match walk.outer.first() {
        Some(rows) if !follows(reach, bytes, rows) => {
            rows.src.wrapping_mul(PREFETCH_DISTANCE.div_ceil(bytes) as isize)
        }
        _ if reach < 0 => -(PREFETCH_DISTANCE as isize),
        _ => PREFETCH_DISTANCE as isize,
    }
}
