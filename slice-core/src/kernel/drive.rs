//! The loops around a kernel, straight to the destination. `stage.rs` is the way through a buffer.

use super::isa;
use super::lines::Lines;
use super::loops::{Loop, each};
use super::moves::Tile;
use super::tables::Shuffle;
use super::tuning::{FAR, READ_AHEAD, READ_FIRST};

/// A kernel that moves some positions of some rows.
#[derive(Clone, Copy)]
pub(crate) enum Mover<'a> {
    Moves { tile: Tile, run: usize, walk: Loop },
    Shuffle { rows: isa::Rows, shuffle: &'a Shuffle },
    Lines(&'a Lines<'a>),
}

impl Mover<'_> {
    /// What is to be asked for with each row, unless the mover does so itself.
    pub(super) fn ahead(&self, walk: &Walk<'_>) -> Ahead {
        if matches!(self, Mover::Moves { .. }) { Ahead::of(walk) } else { Ahead::NONE }
    }

    /// Moves the first `n` positions of each of `rows`.
    ///
    /// # Safety
    ///
    /// They are positions that the mover was made for; the CPU has its set.
    #[inline(always)]
    pub(super) unsafe fn tile(&self, src: *const u8, dst: *mut u8, n: usize, rows: Loop) {
        // SAFETY: the caller's promise.
        unsafe {
            match *self {
                Mover::Moves { tile, run, walk } => tile(src, dst, run, Loop { n, ..walk }, rows),
                Mover::Shuffle { rows: go, shuffle } => go(shuffle, src, dst, n, rows),
                Mover::Lines(lines) => lines.rows(src, dst, n, rows),
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
    pub(super) bytes: usize,
}

impl Ahead {
    pub(crate) const NONE: Ahead = Ahead { first: 0, bytes: 0 };

    pub(crate) fn of(walk: &Walk<'_>) -> Ahead {
        let (&Walk { walk: inner, span, .. }, Some(rows)) = (walk, walk.outer.first()) else {
            return Ahead::NONE;
        };
        let reach = inner.src * (inner.n as isize - 1);
        let bytes = reach.unsigned_abs() + span;
        let follows = follows(reach, bytes, rows);
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

/// Whether rows that reach over `bytes` bytes in the direction of `reach` follow each other in the
/// order in which they are read: a CPU fetches them anyhow.
fn follows(reach: isize, bytes: usize, rows: &Loop) -> bool {
    (reach < 0) == (rows.src < 0) && rows.src.unsigned_abs() < bytes + (bytes / 8).max(64)
}

/// How far ahead of what is read something is asked for while long rows are streamed: a page, or
/// as many rows as make one.
pub(crate) fn distance(walk: &Walk<'_>) -> isize {
    let reach = walk.walk.src * (walk.walk.n as isize - 1);
    let bytes = reach.unsigned_abs() + walk.span;
    match walk.outer.first() {
        Some(rows) if !follows(reach, bytes, rows) => {
            rows.src * READ_FIRST.div_ceil(bytes) as isize
        }
        _ if reach < 0 => -(READ_FIRST as isize),
        _ => READ_FIRST as isize,
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
