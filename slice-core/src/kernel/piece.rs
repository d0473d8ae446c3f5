//! A sorted copy, or the part of it that a thread is given, and the kernels that carry it out.

use super::background::{Background, Straight};
use super::drive::{Mover, direct};
use super::isa::{Isa, set};
use super::lines::Lines;
use super::loops::{Loop, Nest, written};
use super::moves::moves;
use super::pattern::Period;
use super::prefetch::{Ahead, Walk};
use super::rows::{bytes, joined, repeated, streamed};
use super::select::{Case, Class, Sink, select};
use super::stage::{Buffer, staged};
use super::tables::{LOADS, Shuffle, Unit};
use super::transpose::Transpose;
use super::tuning::WHOLE_LINES;
use super::vector;
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
    pub(crate) isa: Isa,
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
        isa: Isa,
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
            isa,
            background: Some(background),
        }
    }

    /// Runs the piece.
    ///
    /// # Safety
    ///
    /// Every position can be read and written as far as the fields say, and the two sides do not
    /// overlap.
    pub(crate) unsafe fn run(&self) {
        let &Piece { loops, run, period, src, dst, stream, .. } = self;
        let set = set(self.isa);
        // SAFETY: the caller's promise.
        unsafe {
            if run <= period.bytes {
                let (class, sink) = select(&self.case(), set);
                self.by(class, sink);
            } else {
                repeated(loops, run, period, src, dst, (set, stream));
            }
        }
    }

    /// What the choice of a kernel depends on.
    pub(super) fn case(&self) -> Case<'_> {
        let &Piece { loops, run, total, ref readable, limit, stream, background, .. } = self;
        let (gaps_read, gaps_written) = (!readable.is_empty(), limit > 0);
        Case {
            loops,
            run,
            total,
            gaps_read,
            gaps_written,
            stream,
            background: background.is_some(),
        }
    }

    /// Runs the piece by a kernel.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run); `class` and `sink` are fit for [`case`](Self::case).
    pub(super) unsafe fn by(&self, class: Class, sink: Sink) {
        let &Piece { loops, run, src, dst, .. } = self;
        let set = set(self.isa);
        // SAFETY: the caller's promise: each kernel is given the positions of the piece.
        unsafe {
            match (class, sink) {
                (Class::Transpose, sink) => {
                    let Some(transpose) = Transpose::find(loops, run) else {
                        return self.moved(false, Sink::Direct);
                    };
                    transpose.run(src, dst, run, (sink == Sink::Streamed).then_some(set));
                    vector::fence();
                }
                (Class::Rows, Sink::Streamed) if self.case().dense() => {
                    joined(loops, run, src, dst, set)
                }
                (Class::Rows, Sink::Streamed) => streamed(loops, run, src, dst, set),
                (Class::Rows, sink) => {
                    let walk = Loop { n: run, src: 1, dst: 1 };
                    let mover = Mover::Moves { tile: bytes, run: 1, walk };
                    self.drive(mover, &Walk { walk, span: 1, outer: loops, src, dst }, sink);
                }
                (Class::Moves { crowded }, sink) => self.moved(crowded, sink),
                (Class::Shuffle { inner }, sink) => self.shuffled(inner, sink),
            }
        }
    }

    /// Runs the piece by plain moves.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run); there is a loop.
    unsafe fn moved(&self, crowded: bool, sink: Sink) {
        let &Piece { loops, run, src, dst, .. } = self;
        let (walk, outer) = (loops[0], &loops[1..]);
        let mover = Mover::Moves { tile: moves(run, walk.n >= 16, crowded), run, walk };
        // SAFETY: the caller's promise; the mover is made for the inner loop.
        unsafe { self.drive(mover, &Walk { walk, span: run, outer, src, dst }, sink) }
    }

    /// Runs the piece by shuffles, where this many inner loops make a unit.
    ///
    /// # Safety
    ///
    /// As for [`moved`](Self::moved).
    unsafe fn shuffled(&self, inner: usize, sink: Sink) {
        let &Piece { loops, run, src, dst, ref readable, limit, background, .. } = self;
        let (inner, outer) = loops.split_at(inner);
        let (walk, outer) = (outer[0], &outer[1..]);
        let set = set(self.isa);
        let dense = written(loops, run) == self.total;
        let limit = if dense { dst.addr() + self.total } else { limit };
        let readable = (readable.start, readable.len());
        let Some(unit) = Unit::new(set.bytes, inner, run, walk) else {
            // SAFETY: the caller's promise.
            return unsafe { self.moved(false, sink) };
        };
        let mut walk_of = Walk { walk, span: unit.span, outer, src, dst };
        let mix = !dense || background.is_some();
        if sink == Sink::Streamed
            // SAFETY: the CPU has the set of the piece.
            && let Some(lines) = unsafe { Lines::new(set, &unit, mix, readable, &walk_of) }
        {
            // SAFETY: the caller's promise; the tables are made for the loop and the set.
            unsafe { direct(Mover::Lines(&lines), &walk_of) };
            return vector::fence();
        }
        let mut shuffle = Shuffle::of_units(set.bytes, &unit, readable, limit);
        // Vectors begin where lines do, on either side, if those of all rows can. Lines and vectors
        // have a power of two of bytes; a division would take long.
        let (step, pitch) = (shuffle.step, walk.dst.unsigned_abs());
        let alike = |bytes: usize, side: fn(&Loop) -> isize| {
            outer.iter().chain([&step]).map(side).all(|step| step & (bytes as isize - 1) == 0)
        };
        let off = dst.addr().wrapping_neg() & (set.bytes - 1);
        let long = sink != Sink::Staged && pitch * walk.n >= WHOLE_LINES;
        if long && off.is_multiple_of(pitch) && alike(set.bytes, |it| it.dst) {
            shuffle.head = off / pitch;
            walk_of.walk.n -= shuffle.head;
            (walk_of.src, walk_of.dst) = walk.after(shuffle.head, src, dst);
        }
        let lines = self.total >= WHOLE_LINES && alike(64, |it| it.src);
        let start = lines.then_some(walk_of.src.addr());
        // SAFETY: the CPU has the set of the piece.
        if !unsafe { (set.build)(&mut shuffle, start, LOADS) } {
            // SAFETY: the caller's promise.
            return unsafe { self.moved(false, sink) };
        }
        let by = if mix { &set.mix } else { &set.shuffle };
        let rows = by[shuffle.loads - 1];
        // SAFETY: the caller's promise; the tables are made for the loop and the set. Stores end at
        // the limit: that of the destination, or the end of the buffer.
        unsafe {
            shuffle.ahead = Ahead::of(&walk_of);
            if sink == Sink::Staged {
                let mut buffer = Buffer::new();
                let straight =
                    background.and_then(|_| Straight::new(set, &unit, readable, &walk_of));
                shuffle.limit = buffer.end();
                staged(
                    Mover::Shuffle { rows, shuffle: &shuffle },
                    &walk_of,
                    background,
                    straight.as_ref(),
                    &mut buffer,
                    set,
                );
            } else {
                direct(Mover::Shuffle { rows, shuffle: &shuffle }, &walk_of);
            }
        }
    }

    /// Runs a mover that does not depend on the sink.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run); mover and walk are made for the piece.
    unsafe fn drive(&self, mover: Mover<'_>, walk: &Walk<'_>, sink: Sink) {
        // SAFETY: the caller's promise.
        unsafe {
            if sink == Sink::Staged {
                staged(mover, walk, self.background, None, &mut Buffer::new(), set(self.isa));
            } else {
                direct(mover, walk);
            }
        }
    }
}
