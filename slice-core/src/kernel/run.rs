//! A kernel as a value, which is made only for a piece that it fits, and how it runs.

use super::gradient::{Background, Unbuffered};
use super::isa::ShuffleFn;
use super::moves::{MoveRows, moves};
use super::nest::{Line, Loop};
use super::piece::{Class, Piece, Sink};
use super::prefetch::{Ahead, RowNest};
use super::rows::{bytes, fill_runs, long_runs, stream_joined, stream_runs};
use super::shuffled_lines::ShuffledLines;
use super::sinks::{Mover, direct, staged};
use super::tables::{LOADS, Shuffle, Unit};
use super::transpose::transpose;
use super::tuning::WHOLE_STORES;
use super::vector;

/// A kernel, with all that it was made of.
pub(crate) struct Kernel<'a> {
    piece: &'a Piece<'a>,
    sink: Sink,
    way: Way<'a>,
}

/// What moves the positions.
enum Way<'a> {
    Fill,
    Rows,
    Moves(&'a RowNest<'a>, MoveRows),
    Lines(&'a RowNest<'a>, &'a ShuffledLines<'a>),
    Shuffle(&'a RowNest<'a>, &'a Unit<'a>, ShuffleFn, &'a Shuffle<'a>, Option<&'a Unbuffered<'a>>),
    Transpose { across: usize },
}

/// What a kernel is made for. Its tables are never moved.
pub(crate) type Then<'a> = &'a mut dyn FnMut(&Kernel<'_>);

impl Kernel<'_> {
    /// Makes the kernel of a class with a sink, and hands it over. Returns `false`, having done
    /// nothing, if it does not fit the piece. Its loops are what [`Class`] says of `across`.
    pub(crate) fn make(piece: &Piece<'_>, class: Class, sink: Sink, then: Then<'_>) -> bool {
        let &Piece { loops, run, period, dense, ref background, src, dst, .. } = piece;
        let is_staged = sink == Sink::Staged;
        // The buffer holds all between two places. A background comes from nowhere else.
        if is_staged != background.is_some() && !(is_staged && dense) {
            return false;
        }
        let mut done = |way| {
            then(&Kernel { piece, sink, way });
            true
        };
        match (class, loops.split_first()) {
            (Class::Fill, _) if run > period.bytes && !is_staged => done(Way::Fill),
            (Class::Rows, _) => done(Way::Rows),
            (Class::Moves, Some((&walk, outer))) => {
                done(Way::Moves(&RowNest { walk, span: run, outer, src, dst }, moves(run, &walk)))
            }
            (Class::Shuffle { inner }, Some(_)) => {
                Kernel::make_shuffle(piece, inner, sink, then).is_some()
            }
            (Class::Transpose { across }, _) if !is_staged => done(Way::Transpose { across }),
            _ => false,
        }
    }

    /// The same for shuffles, where this many inner loops make a unit.
    #[inline(always)]
    fn make_shuffle(piece: &Piece<'_>, inner: usize, sink: Sink, then: Then<'_>) -> Option<()> {
        let &Piece { loops, run, src, dst, total, readable, limit, dense, .. } = piece;
        let vectors = piece.vectors()?;
        let (inner, outer) = loops.split_at(inner);
        let (&walk, outer) = outer.split_first()?;
        let unit = &Unit::new(vectors.bytes, inner, run, walk)?;
        let walk = &RowNest { walk, span: unit.span, outer, src, dst };
        if sink == Sink::Streamed {
            // SAFETY: the CPU has the set of a piece, here and below.
            let lines = unsafe { ShuffledLines::new(vectors, unit, !dense, readable, walk) }?;
            then(&Kernel { piece, sink, way: Way::Lines(walk, &lines) });
            return Some(());
        }
        let mut shuffle = Shuffle::of_units(vectors.bytes, unit);
        // SAFETY: as above.
        if !unsafe { (vectors.build)(&mut shuffle, None, LOADS) } {
            return None;
        }
        let end = dst.addr() + total;
        let all = Background { line: Line::EMPTY, start: dst, end };
        let under = piece.background.as_ref();
        let (by, unbuffered);
        if sink == Sink::Staged {
            // Every vector begins at a place in the buffer, with room for one behind the last.
            shuffle.limit = usize::MAX;
            by = if under.is_some() { &vectors.mix } else { &vectors.shuffle };
            let under = under.unwrap_or(&all);
            // SAFETY: as above.
            unbuffered = unsafe { Unbuffered::new(vectors, unit, under, readable, walk) };
        } else {
            shuffle.limit = if dense { end } else { limit };
            by = if dense { &vectors.shuffle } else { &vectors.mix };
            unbuffered = None;
        }
        (shuffle.ahead, shuffle.readable) = (Ahead::of(walk), readable);
        let rows = by[shuffle.loads - 1];
        let way = Way::Shuffle(walk, unit, rows, &shuffle, unbuffered.as_ref());
        then(&Kernel { piece, sink, way });
        Some(())
    }

    /// Moves all positions.
    ///
    /// # Safety
    ///
    /// Every position of the piece can be read and written as far as its fields say, and the two
    /// sides do not overlap.
    pub(crate) unsafe fn run(&self) {
        let &Piece { loops, run, period, src, dst, dense, set, ref background, .. } = self.piece;
        let streamed = self.sink == Sink::Streamed;
        let drive = |mover: Mover<'_>, walk: &RowNest<'_>, unbuffered: Option<&Unbuffered<'_>>| {
            // SAFETY: the caller's promise; mover and walk are made for the piece.
            unsafe {
                match self.sink {
                    Sink::Staged => staged(mover, walk, background.as_ref(), unbuffered, set),
                    _ => direct(mover, walk),
                }
            }
        };
        // SAFETY: the caller's promise: each kernel is given the positions of the piece, and its
        // set, which the CPU has.
        unsafe {
            match self.way {
                Way::Fill => fill_runs(loops, run, period, src, dst, (set, streamed)),
                Way::Rows => {
                    let runs = long_runs(loops, run, src, dst);
                    match self.sink {
                        Sink::Streamed if dense => stream_joined(&runs, set),
                        Sink::Streamed => stream_runs(&runs, set),
                        _ => drive(Mover::Moves { go: bytes, run: 1 }, &runs, None),
                    }
                }
                Way::Moves(walk, go) => drive(Mover::Moves { go, run }, walk, None),
                Way::Lines(walk, lines) => {
                    direct(Mover::Lines(lines), walk);
                    vector::fence();
                }
                Way::Shuffle(walk, unit, rows, shuffle, unbuffered) => {
                    let mut walk = *walk;
                    if self.sink == Sink::Direct {
                        walk = from_line(shuffle.bytes, unit, walk);
                    }
                    drive(Mover::Shuffle { rows, shuffle }, &walk, unbuffered);
                }
                Way::Transpose { across } => {
                    transpose(loops, across, run, (src, dst), streamed.then_some(set));
                    vector::fence();
                }
            }
        }
    }
}

/// Moves the first units of one long row by plain moves, up to the first unit that begins a vector
/// of `bytes` bytes in memory, and returns the rest of the row. With more rows, the last vector of
/// one could reach over these units of the next.
///
/// # Safety
///
/// The units of the walk can be read and written, and the two sides do not overlap.
unsafe fn from_line<'a>(bytes: usize, unit: &Unit<'_>, mut walk: RowNest<'a>) -> RowNest<'a> {
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
