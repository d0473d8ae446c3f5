//! A kernel as a value, which is made only for a piece that it fits, and how it runs.

use super::isa::ShuffleFn;
use super::moves::{MoveRows, moves};
use super::piece::{Class, Piece, Sink};
use super::prefetch::{Ahead, RowNest};
use super::rows::{bytes, fill_runs, long_runs, stream_runs};
use super::shuffled_lines::ShuffledLines;
use super::tables::{LOADS, Shuffle, Unit};
use super::transpose::transpose;
use super::vector;

/// A kernel, with all that it was made of.
pub(crate) struct Kernel<'a> {
    piece: &'a Piece<'a>,
    sink: Sink,
    /// The rows that are moved by one call.
    rows: RowNest<'a>,
    way: Way<'a>,
}

/// What moves the positions.
enum Way<'a> {
    Fill,
    Rows,
    Moves(MoveRows),
    Lines(&'a ShuffledLines<'a>),
    Shuffle(ShuffleFn, &'a Shuffle<'a>),
    Transpose { across: usize },
}

/// What a kernel is made for. Its tables are never moved.
pub(crate) type Then<'a> = &'a mut dyn FnMut(&Kernel<'_>);

impl Kernel<'_> {
    /// Makes the kernel of a class with a sink, and hands it over. Returns `false`, having done
    /// nothing, if it does not fit the piece. Its loops are what [`Class`] says of `across`.
    pub(crate) fn make(piece: &Piece<'_>, class: Class, sink: Sink, then: Then<'_>) -> bool {
        let &Piece { loops, run, period, src, dst, .. } = piece;
        let mut rows = long_runs(loops, run, src, dst);
        let way = match (class, loops.split_first()) {
            (Class::Fill, _) if run > period.bytes => Way::Fill,
            (Class::Rows, _) => Way::Rows,
            (Class::Moves, Some((&walk, outer))) if sink == Sink::Direct => {
                rows = RowNest { walk, span: run, outer, ..rows };
                Way::Moves(moves(run, &walk))
            }
            (Class::Transpose { across }, Some(_)) => Way::Transpose { across },
            (Class::Shuffle { inner }, Some(_)) => {
                return Kernel::make_shuffle(piece, inner, sink, then).is_some();
            }
            _ => return false,
        };
        then(&Kernel { piece, sink, rows, way });
        true
    }

    /// The same for shuffles, where this many inner loops make a unit.
    #[inline(always)]
    fn make_shuffle(piece: &Piece<'_>, inner: usize, sink: Sink, then: Then<'_>) -> Option<()> {
        let &Piece { loops, run, src, dst, total, readable, limit, dense, .. } = piece;
        let vectors = piece.vectors()?;
        let (inner, outer) = loops.split_at(inner);
        let (&walk, outer) = outer.split_first()?;
        let unit = &Unit::new(vectors.bytes, inner, run, walk)?;
        let rows = RowNest { walk, span: unit.span, outer, src, dst };
        if sink == Sink::Streamed {
            // Whole lines leave no bytes between the places as they are.
            dense.then_some(())?;
            // SAFETY: the CPU has the set of a piece, here and below.
            let lines = unsafe { ShuffledLines::new(vectors, unit, readable, &rows) }?;
            then(&Kernel { piece, sink, rows, way: Way::Lines(&lines) });
            return Some(());
        }
        let mut shuffle = Shuffle::of_units(vectors.bytes, unit);
        // SAFETY: as above.
        if !unsafe { (vectors.build)(&mut shuffle, None, LOADS) } {
            return None;
        }
        shuffle.limit = if dense { dst.addr() + total } else { limit };
        (shuffle.ahead, shuffle.readable) = (Ahead::of(&rows), readable);
        let way = Way::Shuffle(vectors.shuffle[shuffle.loads - 1], &shuffle);
        then(&Kernel { piece, sink, rows, way });
        Some(())
    }

    /// Moves all positions.
    ///
    /// # Safety
    ///
    /// Every position of the piece can be read and written as far as its fields say, and the two
    /// sides do not overlap.
    pub(crate) unsafe fn run(&self) {
        // SAFETY: the caller's promise.
        unsafe { self.run_at(self.piece.src, self.piece.dst) }
    }

    /// Moves all positions of a piece like the kernel's that begins at `src` and `dst`, which have
    /// the same alignment to lines as the kernel's own, unless its sink is direct.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run), of that piece, with the kernel's readable bytes and its limit.
    pub(super) unsafe fn run_at(&self, src: *const u8, dst: *mut u8) {
        let &Piece { loops, run, period, dense, set, .. } = self.piece;
        let streamed = self.sink == Sink::Streamed;
        let rows = RowNest { src, dst, ..self.rows };
        // SAFETY: the caller's promise: each kernel is given the positions of the piece, and its
        // set, which the CPU has.
        unsafe {
            match self.way {
                Way::Fill => fill_runs(loops, run, period, src, dst, (set, streamed)),
                Way::Rows if streamed => stream_runs(&rows, dense, set),
                Way::Rows => rows.each(|src, dst, walk, some| bytes(src, dst, 1, walk, &some)),
                Way::Moves(go) => rows.each(|src, dst, walk, some| go(src, dst, run, walk, &some)),
                Way::Shuffle(go, shuffle) => {
                    rows.each(|src, dst, walk, some| go(shuffle, src, dst, walk.n, some));
                }
                Way::Lines(lines) => {
                    rows.each(|src, dst, walk, some| lines.rows(src, dst, walk.n, some));
                    vector::fence();
                }
                Way::Transpose { across } => {
                    transpose(loops, across, run, (src, dst), streamed.then_some(set));
                    vector::fence();
                }
            }
        }
    }
}
