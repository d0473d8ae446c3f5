//! A sorted copy, or the part of it that a thread is given.

use super::background::Background;
use super::isa::Set;
use super::loops::{Loop, Nest, written};
use super::pattern::Period;
use core::ops::Range;

/// Sorted loops over both sides, and what may be touched besides their positions.
#[derive(Clone)]
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
    /// Addresses that may be read; none: only the positions.
    pub(crate) readable: Range<usize>,
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
    /// The gradient of all of `dy`, whose first place is `first` bytes into the background.
    pub(crate) fn gradient(
        nest: &'a Nest,
        dy: *const u8,
        first: usize,
        background: Background,
        set: &'static Set,
    ) -> Piece<'a> {
        Piece {
            loops: nest.loops(),
            run: nest.run,
            period: Period::NONE,
            total: nest.total,
            src: dy.wrapping_offset(nest.src),
            dst: background.start.wrapping_add(first).wrapping_offset(nest.dst),
            readable: dy.addr()..dy.addr() + nest.total,
            limit: background.end,
            stream: true,
            set,
            background: Some(background),
        }
    }

    /// Whether the places are one piece of memory.
    pub(crate) fn dense(&self) -> bool {
        written(self.loops, self.run) == self.total
    }
}
