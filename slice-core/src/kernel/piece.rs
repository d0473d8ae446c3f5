//! A sorted copy, and the kernels and ways into the destination that there are for it.

use super::isa::{Set, Vectors};
use super::nest::{At, Loop, Nest, place_reach};

/// Sorted loops over both sides, and what may be touched besides their positions.
#[derive(Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub(crate) loops: &'a [Loop],
    pub(crate) run: usize,
    /// The bytes of the source that a run repeats if it is longer than they are.
    pub(crate) period: usize,
    /// Bytes of all runs.
    pub(crate) total: usize,
    /// Whether the places are one piece of memory.
    pub(crate) dense: bool,
    /// The first position on both sides.
    pub(crate) src: *const u8,
    pub(crate) dst: *mut u8,
    /// The first address that may be read, and how many bytes from there; 0: only the positions.
    pub(crate) readable: (usize, usize),
    /// The address up to which bytes between the places may be written again as they are; 0: none.
    pub(crate) limit: usize,
    /// The first byte that no piece before this one writes.
    pub(crate) start: *mut u8,
    /// Whether the result is written past the caches.
    pub(crate) stream: bool,
    /// A set that the CPU has.
    pub(crate) set: &'static Set,
}

impl<'a> Piece<'a> {
    /// All of a sorted nest, whose view begins at `at`. Only its positions are touched.
    pub(crate) fn new(nest: &'a Nest, at: At, set: &'static Set) -> Piece<'a> {
        let (loops, (src, dst)) = (nest.loops(), nest.first(at));
        Piece {
            loops,
            run: nest.run,
            period: usize::MAX,
            total: nest.total,
            dense: place_reach(loops, nest.run) == nest.total,
            src,
            dst,
            readable: (0, 0),
            limit: 0,
            start: dst,
            stream: false,
            set,
        }
    }

    /// The vectors for shuffles, if the gaps of both sides may be touched as these do.
    pub(super) fn vectors(&self) -> Option<&'static Vectors> {
        let vectors = if self.dense { self.set.vectors } else { self.set.between };
        vectors.filter(|_| self.readable.1 > 0 && (self.dense || self.limit > 0))
    }
}

/// A kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Runs that repeat a pattern.
    Fill,
    /// Long runs, by vectors or by streamed lines.
    Rows,
    /// Short runs, one after another.
    Moves,
    /// Tables for units of this many of the inner loops.
    Shuffle { inner: usize },
    /// Transposed copies, for which loop `across` runs along the source.
    Transpose { across: usize },
}

/// The way into the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sink {
    /// Straight to its place.
    Direct,
    /// Past the caches, in whole lines.
    Streamed,
}
