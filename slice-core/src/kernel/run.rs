//! Carries out a piece: each class by its kernel.

use super::background::{Background, Straight};
use super::drive::{Mover, direct};
use super::isa::Vectors;
use super::lines::Lines;
use super::loops::Line;
use super::moves::moves;
use super::piece::Piece;
use super::prefetch::{Ahead, Walk};
use super::rows::{bytes, fill_runs, long_run, stream_joined, stream_runs};
use super::select::{Class, Sink, select};
use super::stage::staged;
use super::tables::{LOADS, Shuffle, Unit};
use super::transpose::transpose;
use super::tuning::{WHOLE_LOADS, WHOLE_STORES};
use super::vector;

impl Piece<'_> {
    /// Runs the piece.
    ///
    /// # Safety
    ///
    /// Every position can be read and written as far as the fields say, and the two sides do not
    /// overlap.
    pub(crate) unsafe fn run(&self) {
        let &Piece { loops, run, period, src, dst, stream, set, .. } = self;
        // SAFETY: the caller's promise; `select` is asked about this very piece.
        unsafe {
            if run <= period.bytes {
                let (class, sink) = select(self);
                self.by(class, sink);
            } else {
                fill_runs(loops, run, period, src, dst, (set, stream));
            }
        }
    }

    /// Runs the piece by a kernel.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run). Classes other than `Rows` need a loop; `Transpose`, loops as
    /// [`transpose`] says; `Shuffle`, dense places or a limit; `Staged`, dense places or a
    /// background.
    pub(super) unsafe fn by(&self, class: Class, sink: Sink) {
        let &Piece { loops, run, src, dst, set, .. } = self;
        // SAFETY: the caller's promise: each kernel is given the positions of the piece, and its
        // set, which the CPU has. `dense` says what joined rows need.
        unsafe {
            match (class, sink) {
                (Class::Transpose { across }, sink) => {
                    let stream = (sink == Sink::Streamed).then_some(set);
                    transpose(loops, across, run, (src, dst), stream);
                    vector::fence();
                }
                (Class::Rows, Sink::Streamed) if self.dense() => {
                    stream_joined(loops, run, src, dst, set)
                }
                (Class::Rows, Sink::Streamed) => stream_runs(loops, run, src, dst, set),
                (Class::Rows, sink) => {
                    let mover = Mover::Moves { tile: bytes, run: 1 };
                    self.drive(mover, &long_run(loops, run, src, dst), None, sink);
                }
                (Class::Moves, sink) => self.by_moves(sink),
                (Class::Shuffle { inner }, sink) => self.by_shuffles(inner, sink),
            }
        }
    }

    /// Runs the piece by plain moves.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run); there is a loop.
    unsafe fn by_moves(&self, sink: Sink) {
        let &Piece { loops, run, src, dst, .. } = self;
        let (walk, outer) = (loops[0], &loops[1..]);
        let mover = Mover::Moves { tile: moves(run, &walk), run };
        // SAFETY: the caller's promise; the mover is made for the inner loop.
        unsafe { self.drive(mover, &Walk { walk, span: run, outer, src, dst }, None, sink) }
    }

    /// Runs the piece by shuffles, where this many inner loops make a unit.
    ///
    /// # Safety
    ///
    /// As for [`by_moves`](Self::by_moves).
    unsafe fn by_shuffles(&self, inner: usize, sink: Sink) {
        let &Piece { loops, run, src, dst, readable, total, ref background, .. } = self;
        let (inner, outer) = loops.split_at(inner);
        let (walk, outer) = (outer[0], &outer[1..]);
        let unit = |it: &'static Vectors| Some((it, Unit::new(it.bytes, inner, run, walk)?));
        let Some((vectors, unit)) = self.set.vectors.as_ref().and_then(unit) else {
            // SAFETY: the caller's promise.
            return unsafe { self.by_moves(sink) };
        };
        let mut walk_of = Walk { walk, span: unit.span, outer, src, dst };
        let dense = self.dense();
        let mix = !dense || background.is_some();
        if sink == Sink::Streamed
            // SAFETY: the CPU has the set of the piece.
            && let Some(lines) = &unsafe { Lines::new(vectors, &unit, mix, readable, &walk_of) }
        {
            // SAFETY: the caller's promise; the tables are made for the loop and the set.
            unsafe { direct(Mover::Lines(lines), &walk_of) };
            return vector::fence();
        }
        let mut shuffle = Shuffle::of_units(vectors.bytes, &unit);
        // Vectors begin where lines do, on either side, if those of all rows can: if a power of two
        // divides these, it divides the steps of all rows and vectors.
        let (step, pitch) = (shuffle.step, walk.dst.unsigned_abs());
        let steps = outer.iter().fold((step.src, step.dst), |(s, d), it| (s | it.src, d | it.dst));
        let long = sink != Sink::Staged && pitch * walk.n >= WHOLE_STORES;
        if long && steps.1 & (vectors.bytes as isize - 1) == 0 {
            // As many bytes as a vector has are a number of units, so the pitch is a power of two.
            let off = dst.addr().wrapping_neg() & (vectors.bytes - 1);
            if off & (pitch - 1) == 0 {
                shuffle.head = off >> pitch.trailing_zeros();
                walk_of.walk.n -= shuffle.head;
                (walk_of.src, walk_of.dst) = walk.after(shuffle.head, src, dst);
            }
        }
        let lines = total >= WHOLE_LOADS && steps.0 & 63 == 0;
        let start = lines.then_some(walk_of.src.addr());
        // SAFETY: the CPU has the set of the piece.
        if !unsafe { (vectors.build)(&mut shuffle, start, LOADS) } {
            // SAFETY: the caller's promise.
            return unsafe { self.by_moves(sink) };
        }
        let by = if mix { &vectors.mix } else { &vectors.shuffle };
        let rows = by[shuffle.loads - 1];
        shuffle.ahead = Ahead::of(&walk_of);
        shuffle.readable = readable;
        shuffle.limit = match sink {
            // Every vector begins at a place in the buffer, which has room for one behind the last.
            Sink::Staged => usize::MAX,
            _ if dense => dst.addr() + total,
            _ => self.limit,
        };
        let all = Background { line: Line::EMPTY, start: dst, end: dst.addr() + total };
        // SAFETY: the caller's promise; the tables are made for the loop and the set. Stores end at
        // the limit of the destination, or in the buffer.
        unsafe {
            let straight = match sink {
                Sink::Staged => {
                    let back = background.as_ref().unwrap_or(&all);
                    Straight::new(vectors, &unit, back, readable, &walk_of)
                }
                _ => None,
            };
            let mover = Mover::Shuffle { rows, shuffle: &shuffle };
            self.drive(mover, &walk_of, straight.as_ref(), sink);
        }
    }

    /// Runs a mover that does not depend on the sink.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run); mover and walk are made for the piece, and so is `straight`.
    unsafe fn drive(
        &self,
        mover: Mover<'_>,
        walk: &Walk<'_>,
        straight: Option<&Straight<'_>>,
        sink: Sink,
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            if sink == Sink::Staged {
                staged(mover, walk, self.background.as_ref(), straight, self.set);
            } else {
                direct(mover, walk);
            }
        }
    }
}
