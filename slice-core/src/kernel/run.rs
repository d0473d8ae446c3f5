//! A kernel as a value, which is made only for a piece that it fits, and how it runs.

use super::isa::ShuffleFn;
use super::nest::At;
use super::piece::{Class, Piece, Sink};
use super::prefetch::{Ahead, RowNest};
use super::rows::{fill_runs, stream_runs};
use super::shuffled_lines::ShuffledLines;
use super::tables::{LOADS, Shuffle};
use super::transpose::transpose;
use super::vector;

/// A kernel, with all that it was made of.
pub(crate) struct Kernel<'a> {
    piece: &'a Piece<'a>,
    sink: Sink,
    way: Way<'a>,
}

/// What moves the positions: shuffles, row by row.
enum Way<'a> {
    Fill,
    Runs,
    Lines(&'a ShuffledLines<'a>, &'a RowNest<'a>),
    Shuffle(ShuffleFn, &'a Shuffle<'a>, &'a RowNest<'a>),
    Transpose { across: usize },
}

/// What a kernel is made for. Its tables are never moved.
pub(crate) type Then<'a> = &'a mut dyn FnMut(&Kernel<'_>);

impl Kernel<'_> {
    /// Makes the kernel of a class with a sink, if it fits, and hands it over; else gives `false`.
    pub(crate) fn make(piece: &Piece<'_>, class: Class, sink: Sink, then: Then<'_>) -> bool {
        let way = match class {
            Class::Fill if piece.reads_pattern() => Way::Fill,
            Class::Rows => Way::Runs,
            Class::Moves if sink == Sink::Direct => Way::Runs,
            Class::Transpose { across } if transposes(piece, across) => Way::Transpose { across },
            Class::Shuffle { inner } => {
                return Kernel::make_shuffle(piece, inner, sink, then).is_some();
            }
            Class::Fill | Class::Moves | Class::Transpose { .. } => return false,
        };
        then(&Kernel { piece, sink, way });
        true
    }

    /// The same for shuffles, where this many inner loops make a unit.
    #[inline]
    fn make_shuffle(piece: &Piece<'_>, inner: usize, sink: Sink, then: Then<'_>) -> Option<()> {
        let &Piece { loops, run, src, dst, total, readable, limit, dense, .. } = piece;
        let vectors = piece.vectors()?;
        let (inner, outer) = loops.split_at(inner);
        let (&walk, outer) = outer.split_first()?;
        let unit = &vectors.unit(inner, run, walk)?;
        let rows = &RowNest { walk, span: unit.span, outer };
        if sink == Sink::Streamed {
            // Whole lines leave no bytes between the places as they are.
            (dense && !unit.planes).then_some(())?;
            // SAFETY: the CPU has the set of a piece, here and below.
            let lines = unsafe { ShuffledLines::new(vectors, unit, readable, rows, (src, dst)) }?;
            then(&Kernel { piece, sink, way: Way::Lines(&lines, rows) });
            return Some(());
        }
        let begin = if dense { None } else { unit.between(vectors.bytes, dst) };
        let mut shuffle = Shuffle::new(vectors.bytes, unit, begin);
        // SAFETY: as above.
        unsafe { (vectors.build)(&mut shuffle, None, LOADS) }.then_some(())?;
        shuffle.units = unit.fit;
        shuffle.limit = if dense { dst.addr() + total } else { limit };
        (shuffle.ahead, shuffle.readable) = (Ahead::of(rows), readable);
        let by = vectors.planes.as_ref().filter(|_| unit.planes).unwrap_or(&vectors.shuffle);
        let way = Way::Shuffle(by[shuffle.loads - 1], &shuffle, rows);
        then(&Kernel { piece, sink, way });
        Some(())
    }

    /// Moves all positions.
    ///
    /// # Safety
    ///
    /// The piece's loops are sorted. Every position can be read (of a pattern, one period) and
    /// written, and so can all that its fields name besides. No byte that is read is a place.
    pub(crate) unsafe fn run(&self) {
        // SAFETY: the caller's promise.
        unsafe { self.run_at((self.piece.src, self.piece.dst)) }
    }

    /// Moves all positions of a piece like the kernel's that begins at `first`. Both sides have the
    /// same alignment to lines as the kernel's own, unless its sink is direct.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run), of that piece, with the kernel's readable bytes and its limit.
    pub(super) unsafe fn run_at(&self, first: At) {
        let &Piece { loops, run, period, dense, set, .. } = self.piece;
        let streamed = self.sink == Sink::Streamed;
        // SAFETY: the caller's promise: each kernel is given the positions of the piece, and its
        // set, which the CPU has. `make` has seen what else a kernel asks for: a pattern with
        // readable bytes behind it, or loops along the lines of both sides.
        unsafe {
            match self.way {
                Way::Fill => fill_runs(loops, run, period, first, (set, streamed)),
                Way::Runs if streamed => stream_runs(loops, run, first, (set, dense)),
                Way::Runs => set.in_order(loops, run, first),
                Way::Shuffle(go, shuffle, rows) => {
                    rows.each(first, |at, n, some| go(shuffle, at, n, some));
                }
                Way::Lines(lines, rows) => {
                    rows.each(first, |at, n, some| lines.rows(at, n, some));
                    vector::fence();
                }
                Way::Transpose { across } => {
                    transpose(loops, across, run, first, streamed.then_some(set));
                    vector::fence();
                }
            }
        }
    }
}

/// Whether the inner loop runs along the destination, and loop `across` along the source.
fn transposes(&Piece { loops, run, .. }: &Piece<'_>, across: usize) -> bool {
    let (Some(along), Some(it)) = (loops.first(), loops.get(across)) else { return false };
    across > 0 && along.dst == run as isize && it.src.unsigned_abs() == run
}
