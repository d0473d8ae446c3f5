//! The loops around a kernel that writes straight to the destination. `stage.rs` writes through a
//! buffer.

use super::isa;
use super::lines::Lines;
use super::loops::{Loop, each};
use super::moves::Tile;
use super::prefetch::{Ahead, Walk};
use super::tables::Shuffle;

/// A kernel that moves some positions of some rows.
#[derive(Clone, Copy)]
pub(crate) enum Mover<'a> {
    Moves { tile: Tile, run: usize },
    Shuffle { rows: isa::RowsFn, shuffle: &'a Shuffle<'a> },
    Lines(&'a Lines<'a>),
}

impl Mover<'_> {
    /// What to prefetch with each row, unless the mover does so itself.
    pub(super) fn ahead(&self, walk: &Walk<'_>) -> Ahead {
        if matches!(self, Mover::Moves { .. }) { Ahead::of(walk) } else { Ahead::NONE }
    }

    /// Moves the positions along `walk`, some of the mover's, in each of `rows`.
    ///
    /// # Safety
    ///
    /// They are positions that the mover was made for; the CPU has its set.
    #[inline(always)]
    pub(super) unsafe fn tile(&self, src: *const u8, dst: *mut u8, walk: &Loop, rows: Loop) {
        // SAFETY: the caller's promise.
        unsafe {
            match *self {
                Mover::Moves { tile, run } => tile(src, dst, run, walk, &rows),
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
pub(crate) unsafe fn direct(mover: Mover<'_>, walk: &Walk<'_>) {
    let &Walk { walk: ref inner, outer, src, dst, .. } = walk;
    let (&rows, rest) = outer.split_first().unwrap_or((&Loop::ONE, outer));
    let ahead = mover.ahead(walk);
    each(rest, &mut |from, to| {
        let (src, dst) = (src.wrapping_offset(from), dst.wrapping_offset(to));
        if ahead.bytes == 0 {
            // SAFETY: some of the caller's rows.
            return unsafe { mover.tile(src, dst, inner, rows) };
        }
        for i in 0..rows.n {
            let (src, dst) = rows.after(i, src, dst);
            ahead.ask(src);
            // SAFETY: one of the caller's rows.
            unsafe { mover.tile(src, dst, inner, Loop::ONE) };
        }
    });
}
