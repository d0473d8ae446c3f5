//! A sorted copy, or the part of it that a thread is given.

use super::background::Background;
use super::isa::Set;
use super::loops::{Loop, Nest, written};
use super::pattern::Period;

/// Sorted loops over both sides, and what may be touched besides their positions.
#[derive(Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub(crate) loops: &'a [Loop],
    pub(crate) run: usize,
    /// What a longer run repeats of its source.
    pub(crate) period: Period,
    /// Bytes of all runs.
    pub(crate) total: usize,
    /// The first position on both sides.
    pub(crate) src: *const u8,
    pub(crate) dst: *mut u8,
    /// The first address that may be read, and how many bytes from there; 0: only the positions.
    pub(crate) readable: (usize, usize),
    /// The address up to which bytes between the places may be written again as they are; 0: none.
    pub(crate) limit: usize,
    /// Whether the result is written past the caches.
    pub(crate) stream: bool,
    /// A set that the CPU has.
    pub(crate) set: &'static Set,
    /// What is written between the places.
    pub(crate) background: Option<Background>,
}

impl<'a> Piece<'a> {
    /// All of a sorted nest, whose view begins at `src` and `dst`; only its positions may be
    /// touched.
    pub(crate) fn new(
        nest: &'a Nest,
        src: *const u8,
        dst: *mut u8,
        set: &'static Set,
    ) -> Piece<'a> {
        Piece {
            loops: nest.loops(),
            run: nest.run,
            period: Period::NONE,
            total: nest.total,
            src: src.wrapping_offset(nest.src),
            dst: dst.wrapping_offset(nest.dst),
            readable: (0, 0),
            limit: 0,
            stream: false,
            set,
            background: None,
        }
    }

    /// Whether the places are one piece of memory.
    pub(crate) fn dense(&self) -> bool {
        written(self.loops, self.run) == self.total
    }
}
