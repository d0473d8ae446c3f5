//! Carries out a piece: each class by its kernel.

use super::background::{Background, Unbuffered};
use super::drive::{Mover, direct, staged};
use super::isa::{ShuffleFn, Vectors};
use super::lines::Lines;
use super::loops::{Line, Loop};
use super::moves::moves;
use super::prefetch::{Ahead, Walk};
use super::rows::{bytes, fill_runs, long_runs, stream_joined, stream_runs};
use super::select::{Class, Piece, Sink, select};
use super::tables::{LOADS, Shuffle, Unit};
use super::transpose::transpose;
use super::tuning::WHOLE_STORES;
use super::vector;

impl Piece<'_> {
    /// Runs the piece.
    ///
    /// # Safety
    ///
    /// Every position can be read and written as far as the fields say, and the two sides do not
    /// overlap.
    pub(crate) unsafe fn run(&self) {
        let (class, sink) = select(self);
        // SAFETY: the caller's promise; `select` was asked about this very piece.
        unsafe { self.by(class, sink) }
    }

    /// Runs the piece by a kernel.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run). `Fill` needs a pattern; `Moves` and `Shuffle`, a loop;
    /// `Transpose`, loops as [`transpose`] says; `Shuffle`, dense places or a limit; `Staged`,
    /// dense places or a background.
    pub(super) unsafe fn by(&self, class: Class, sink: Sink) {
        let &Piece { loops, run, period, src, dst, set, .. } = self;
        let stream = (sink == Sink::Streamed).then_some(set);
        // SAFETY: the caller's promise: each kernel is given the positions of the piece, and its
        // set, which the CPU has.
        unsafe {
            match class {
                Class::Fill => fill_runs(loops, run, period, src, dst, (set, stream.is_some())),
                Class::Rows => self.by_rows(sink),
                Class::Moves => self.by_moves(sink),
                Class::Shuffle { inner } => self.by_shuffles(inner, sink),
                Class::Transpose { across } => {
                    transpose(loops, across, run, (src, dst), stream);
                    vector::fence();
                }
            }
        }
    }

    /// Runs the piece by long rows.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run).
    unsafe fn by_rows(&self, sink: Sink) {
        let runs = long_runs(self.loops, self.run, self.src, self.dst);
        // SAFETY: the caller's promise. `dense` says what joined rows need.
        unsafe {
            match sink {
                Sink::Streamed if self.dense() => stream_joined(&runs, self.set),
                Sink::Streamed => stream_runs(&runs, self.set),
                _ => self.drive(Mover::Moves { go: bytes, run: 1 }, &runs, sink),
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
        let walk = Walk { walk: loops[0], span: run, outer: &loops[1..], src, dst };
        let mover = Mover::Moves { go: moves(run, &walk.walk), run };
        // SAFETY: the caller's promise; the mover is made for the inner loop.
        unsafe { self.drive(mover, &walk, sink) }
    }

    /// Runs the piece by a mover that does not depend on the sink.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run); mover and walk are made for the piece.
    unsafe fn drive(&self, mover: Mover<'_>, walk: &Walk<'_>, sink: Sink) {
        // SAFETY: the caller's promise.
        unsafe {
            match sink {
                Sink::Staged => staged(mover, walk, self.background.as_ref(), None, self.set),
                _ => direct(mover, walk),
            }
        }
    }

    /// Runs the piece by shuffles, where this many inner loops make a unit.
    ///
    /// # Safety
    ///
    /// As for [`by_moves`](Self::by_moves).
    unsafe fn by_shuffles(&self, inner: usize, sink: Sink) {
        let &Piece { loops, run, src, dst, .. } = self;
        let (inner, outer) = loops.split_at(inner);
        let (walk, outer) = (outer[0], &outer[1..]);
        let unit = |it: &'static Vectors| Some((it, Unit::new(it.bytes, inner, run, walk)?));
        let units = self.set.vectors.as_ref().and_then(unit);
        // SAFETY: the caller's promise; the CPU has the set of the piece.
        unsafe {
            let Some((vectors, unit)) = units else { return self.by_moves(sink) };
            let walk = Walk { walk, span: unit.span, outer, src, dst };
            let done = match sink {
                Sink::Streamed => self.shuffles_by_lines(vectors, &unit, &walk),
                Sink::Direct => self.shuffles_to_places(vectors, &unit, &walk),
                Sink::Staged => self.shuffles_staged(vectors, &unit, &walk),
            };
            if !done {
                self.by_moves(sink);
            }
        }
    }

    /// Moves rows of units line by line, past the caches; or as
    /// [`shuffles_to_places`](Self::shuffles_to_places) does, if this takes too many tables or
    /// loads.
    ///
    /// # Safety
    ///
    /// As for [`by_moves`](Self::by_moves). The CPU has the vectors' set; unit and walk are made of
    /// the piece.
    unsafe fn shuffles_by_lines(
        &self,
        vectors: &Vectors,
        unit: &Unit<'_>,
        walk: &Walk<'_>,
    ) -> bool {
        // SAFETY: the caller's promise; the tables are made for the loop and the set.
        unsafe {
            match Lines::new(vectors, unit, !self.dense(), self.readable, walk) {
                Some(lines) => direct(Mover::Lines(&lines), walk),
                None => return self.shuffles_to_places(vectors, unit, walk),
            }
        }
        vector::fence();
        true
    }

    /// Moves rows of units straight to their places. Returns `false`, having done nothing, if this
    /// takes too many loads.
    ///
    /// # Safety
    ///
    /// As for [`shuffles_by_lines`](Self::shuffles_by_lines).
    unsafe fn shuffles_to_places(
        &self,
        vectors: &Vectors,
        unit: &Unit<'_>,
        walk: &Walk<'_>,
    ) -> bool {
        let mut shuffle = Shuffle::of_units(vectors.bytes, unit);
        let dense = self.dense();
        let limit = if dense { self.dst.addr() + self.total } else { self.limit };
        // SAFETY: the caller's promise. Stores end at the limit of the destination.
        unsafe {
            let rows = self.tables(vectors, &mut shuffle, walk, !dense, limit);
            let Some(rows) = rows else { return false };
            let walk = from_line(vectors.bytes, unit, *walk);
            direct(Mover::Shuffle { rows, shuffle: &shuffle }, &walk);
        }
        true
    }

    /// Streams rows of units from registers or through a buffer. Returns `false`, having done
    /// nothing, if this takes too many loads.
    ///
    /// # Safety
    ///
    /// As for [`shuffles_by_lines`](Self::shuffles_by_lines).
    unsafe fn shuffles_staged(&self, vectors: &Vectors, unit: &Unit<'_>, walk: &Walk<'_>) -> bool {
        let &Piece { dst, total, readable, ref background, set, .. } = self;
        let mut shuffle = Shuffle::of_units(vectors.bytes, unit);
        let all = Background { line: Line::EMPTY, start: dst, end: dst.addr() + total };
        let mix = background.is_some();
        // SAFETY: the caller's promise. Every vector begins at a place in the buffer, which has
        // room for one behind the last.
        unsafe {
            let rows = self.tables(vectors, &mut shuffle, walk, mix, usize::MAX);
            let Some(rows) = rows else { return false };
            let under = background.as_ref().unwrap_or(&all);
            let unbuffered = Unbuffered::new(vectors, unit, under, readable, walk);
            let mover = Mover::Shuffle { rows, shuffle: &shuffle };
            staged(mover, walk, background.as_ref(), unbuffered.as_ref(), set);
        }
        true
    }

    /// Makes the tables of a shuffle. Returns what moves rows by it; `None` if there are too many
    /// loads. With `mix`, bytes between the places stay.
    ///
    /// # Safety
    ///
    /// The CPU has the vectors' set.
    unsafe fn tables(
        &self,
        vectors: &Vectors,
        shuffle: &mut Shuffle<'_>,
        walk: &Walk<'_>,
        mix: bool,
        limit: usize,
    ) -> Option<ShuffleFn> {
        // SAFETY: the caller's promise.
        if !unsafe { (vectors.build)(shuffle, None, LOADS) } {
            return None;
        }
        shuffle.ahead = Ahead::of(walk);
        (shuffle.readable, shuffle.limit) = (self.readable, limit);
        let by = if mix { &vectors.mix } else { &vectors.shuffle };
        Some(by[shuffle.loads - 1])
    }
}

/// What is left of one long row from the first unit on that begins a vector of `bytes` bytes in
/// memory. Plain moves have moved the units before. With more rows, the last vector of one may
/// reach over these units of the next.
///
/// # Safety
///
/// The units of the walk can be read and written, and the two sides do not overlap.
unsafe fn from_line<'a>(bytes: usize, unit: &Unit<'_>, mut walk: Walk<'a>) -> Walk<'a> {
    let pitch = walk.walk.dst.unsigned_abs();
    let before = walk.dst.addr().wrapping_neg() % bytes;
    let long = walk.outer.is_empty() && pitch * walk.walk.n >= WHOLE_STORES;
    if long && bytes.is_multiple_of(pitch) && before.is_multiple_of(pitch) {
        let units = before / pitch;
        // SAFETY: the caller's units, of which a long row has more.
        unsafe { unit.by_moves(0..units, walk.src, walk.dst, Loop::ONE) };
        (walk.src, walk.dst) = walk.walk.after(units, walk.src, walk.dst);
        walk.walk.n -= units;
    }
    walk
}
