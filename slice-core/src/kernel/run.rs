//! Carries out a piece: each class by its kernel.

use super::background::{Background, Straight};
use super::drive::{Mover, direct};
use super::isa::Vectors;
use super::lines::Lines;
use super::loops::{Line, Loop};
use super::moves::moves;
use super::piece::Piece;
use super::prefetch::{Ahead, Walk};
use super::rows::{bytes, fill_runs, long_run, stream_joined, stream_runs};
use super::select::{Class, Sink, select};
use super::stage::{Buffer, staged};
use super::tables::{LOADS, Shuffle, Unit};
use super::transpose::Transpose;
use super::tuning::WHOLE_LINES;
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
    /// As for [`run`](Self::run). Classes other than `Rows` need a loop; `Shuffle`, dense places or a
    /// limit; `Staged`, dense places or a background.
    pub(super) unsafe fn by(&self, class: Class, sink: Sink) {
        let &Piece { loops, run, src, dst, set, .. } = self;
        // SAFETY: the caller's promise: each kernel is given the positions of the piece, and its set,
        // which the CPU has. `find` and `dense` say what transposes and joined rows need.
        unsafe {
            match (class, sink) {
                (Class::Transpose, sink) => {
                    let Some(transpose) = Transpose::find(loops, run) else {
                        return self.by_moves(false, Sink::Direct);
                    };
                    transpose.run(src, dst, run, (sink == Sink::Streamed).then_some(set));
                    vector::fence();
                }
                (Class::Rows, Sink::Streamed) if self.dense() => {
                    stream_joined(loops, run, src, dst, set)
                }
                (Class::Rows, Sink::Streamed) => stream_runs(loops, run, src, dst, set),
                (Class::Rows, sink) => {
                    let mover = Mover::Moves { tile: bytes, run: 1 };
                    self.drive(mover, &long_run(loops, run, src, dst), sink);
                }
                (Class::Moves { crowded }, sink) => self.by_moves(crowded, sink),
                (Class::Shuffle { inner }, sink) => self.by_shuffles(inner, sink),
            }
        }
    }

    /// Runs the piece by plain moves.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run); there is a loop.
    unsafe fn by_moves(&self, crowded: bool, sink: Sink) {
        let &Piece { loops, run, src, dst, .. } = self;
        let (walk, outer) = (loops[0], &loops[1..]);
        let mover = Mover::Moves { tile: moves(run, walk.n, crowded), run };
        // SAFETY: the caller's promise; the mover is made for the inner loop.
        unsafe { self.drive(mover, &Walk { walk, span: run, outer, src, dst }, sink) }
    }

    /// Runs the piece by shuffles, where this many inner loops make a unit.
    ///
    /// # Safety
    ///
    /// As for [`by_moves`](Self::by_moves).
    unsafe fn by_shuffles(&self, inner: usize, sink: Sink) {
        let &Piece { loops, run, src, dst, ref readable, limit, background, .. } = self;
        let (inner, outer) = loops.split_at(inner);
        let (walk, outer) = (outer[0], &outer[1..]);
        let dense = self.dense();
        let limit = if dense { dst.addr() + self.total } else { limit };
        let readable = (readable.start, readable.len());
        let unit = |it: &'static Vectors| Some((it, Unit::new(it.bytes, inner, run, walk)?));
        let Some((vectors, unit)) = self.set.vectors.as_ref().and_then(unit) else {
            // SAFETY: the caller's promise.
            return unsafe { self.by_moves(false, sink) };
        };
        let mut walk_of = Walk { walk, span: unit.span, outer, src, dst };
        let mix = !dense || background.is_some();
        if sink == Sink::Streamed
            // SAFETY: the CPU has the set of the piece.
            && let Some(lines) = unsafe { Lines::new(vectors, &unit, mix, readable, &walk_of) }
        {
            // SAFETY: the caller's promise; the tables are made for the loop and the set.
            unsafe { direct(Mover::Lines(&lines), &walk_of) };
            return vector::fence();
        }
        let mut shuffle = Shuffle::of_units(vectors.bytes, &unit, readable, limit);
        // Vectors begin where lines do, on either side, if those of all rows can. Lines and vectors
        // have a power of two of bytes; a division would take long.
        let (step, pitch) = (shuffle.step, walk.dst.unsigned_abs());
        let aligned = |bytes: usize, side: fn(&Loop) -> isize| {
            outer.iter().chain([&step]).map(side).all(|step| step & (bytes as isize - 1) == 0)
        };
        let off = dst.addr().wrapping_neg() & (vectors.bytes - 1);
        let long = sink != Sink::Staged && pitch * walk.n >= WHOLE_LINES;
        if long && off.is_multiple_of(pitch) && aligned(vectors.bytes, |it| it.dst) {
            shuffle.head = off / pitch;
            walk_of.walk.n -= shuffle.head;
            (walk_of.src, walk_of.dst) = walk.after(shuffle.head, src, dst);
        }
        let lines = self.total >= WHOLE_LINES && aligned(64, |it| it.src);
        let start = lines.then_some(walk_of.src.addr());
        // SAFETY: the CPU has the set of the piece.
        if !unsafe { (vectors.build)(&mut shuffle, start, LOADS) } {
            // SAFETY: the caller's promise.
            return unsafe { self.by_moves(false, sink) };
        }
        let by = if mix { &vectors.mix } else { &vectors.shuffle };
        let rows = by[shuffle.loads - 1];
        shuffle.ahead = Ahead::of(&walk_of);
        if sink != Sink::Staged {
            // SAFETY: the caller's promise; the tables are made for the loop and the set. Stores
            // end at the limit of the destination.
            return unsafe { direct(Mover::Shuffle { rows, shuffle: &shuffle }, &walk_of) };
        }
        let mut buffer = Buffer::new();
        shuffle.limit = buffer.end();
        let mover = Mover::Shuffle { rows, shuffle: &shuffle };
        let all = Background { line: Line::EMPTY, start: dst, end: limit };
        let back = background.unwrap_or(all);
        // SAFETY: the same, but that stores end at the end of the buffer.
        unsafe {
            let straight = Straight::new(vectors, &unit, &back, readable, &walk_of);
            staged(mover, &walk_of, background, straight.as_ref(), &mut buffer, self.set);
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
                staged(mover, walk, self.background, None, &mut Buffer::new(), self.set);
            } else {
                direct(mover, walk);
            }
        }
    }
}
