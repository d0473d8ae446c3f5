//! Chooses the kernel for a sorted copy, and the way into the destination.

use super::isa::Vectors;
use super::nest::{LINE, Loop, place_reach, source_reach};
use super::piece::{Class, Piece, Sink};
use super::run::{Kernel, Then};
use super::tables::{LOADS, PHASES};
use super::tuning::{LINED_ROW, LONG_MOVE, TRANSPOSED, TRANSPOSED_STEP, UNEVEN_ROW};

impl Piece<'_> {
    /// Moves all positions.
    ///
    /// # Safety
    ///
    /// Every position can be read and written as far as the fields say, and the two sides do not
    /// overlap.
    pub(crate) unsafe fn run(&self) {
        // SAFETY: the caller's promise.
        choose(self, &mut |kernel| unsafe { kernel.run() });
    }
}

/// Makes the cheapest kernel that fits a piece, and hands it over. Returns its class and its sink.
pub(crate) fn choose(piece: &Piece<'_>, then: Then<'_>) -> (Class, Sink) {
    let class = class(piece);
    let mut way = (class, sink(piece, class));
    // Only a finished table shows how many loads it takes. If they are too many, there are simpler
    // ways.
    while !Kernel::make(piece, way.0, way.1, then) {
        way = match way {
            (Class::Shuffle { .. }, Sink::Streamed) => (class, Sink::Direct),
            (Class::Shuffle { .. }, _) => (Class::Moves, sink(piece, Class::Moves)),
            _ => (Class::Rows, sink(piece, Class::Rows)),
        };
    }
    way
}

/// The way into the destination for a class.
fn sink(piece: &Piece<'_>, class: Class) -> Sink {
    let &Piece { loops, run, .. } = piece;
    if piece.background.is_some() {
        return Sink::Staged;
    }
    if !piece.stream {
        return Sink::Direct;
    }
    match class {
        Class::Fill | Class::Rows | Class::Transpose { .. } => Sink::Streamed,
        Class::Shuffle { inner } if by_lines(loops, inner) => Sink::Streamed,
        Class::Shuffle { inner } if skips_much(loops, inner, run) => Sink::Direct,
        Class::Moves | Class::Shuffle { .. } if piece.dense => Sink::Staged,
        Class::Moves | Class::Shuffle { .. } => Sink::Direct,
    }
}

/// Whether rows of units are moved line by line: they are long, and a line begins at a few bytes of
/// a unit only, the same ones in all rows. The number of such bytes is the odd part of the pitch.
fn by_lines(loops: &[Loop], inner: usize) -> bool {
    let (pitch, outer) = (loops[inner].dst, &loops[inner + 1..]);
    let odd = pitch >> pitch.trailing_zeros();
    let lines_begin_alike = |step: isize| step.trailing_zeros() >= pitch.trailing_zeros();
    // Rows that begin at many places of a line load their tables anew, each row.
    let alike = odd == 1 || outer.iter().all(|it| it.dst % 16 == 0);
    pitch.unsigned_abs() * loops[inner].n >= if alike { LINED_ROW } else { UNEVEN_ROW }
        && odd <= PHASES as isize
        && outer.iter().all(|it| lines_begin_alike(it.dst))
}

/// Whether units leave out some of the source, and rows half of it or more. Through a buffer, such
/// copies take up to 1.4 times as long.
fn skips_much(loops: &[Loop], inner: usize, run: usize) -> bool {
    let (units, reach) = (loops[inner], source_reach(&loops[..=inner], run));
    let gaps = loops.get(inner + 1).is_some_and(|rows| rows.src.unsigned_abs() >= 2 * reach);
    gaps && units.src.unsigned_abs() > units.dst.unsigned_abs()
}

/// The loop that runs along the lines of the source while the inner one jumps from line to line and
/// writes without gaps.
fn across(&Piece { loops, run, total, .. }: &Piece<'_>) -> Option<usize> {
    let [along, outer @ ..] = loops else { return None };
    let jumps = along.src.unsigned_abs() >= TRANSPOSED_STEP * run;
    if total < TRANSPOSED || run > LINE / 2 || !jumps || along.dst != run as isize || along.n < 4 {
        return None;
    }
    outer.iter().position(|it| it.src.unsigned_abs() == run && it.n >= 4).map(|i| i + 1)
}

/// The cheapest of the kernels that are fit for a piece.
fn class(piece: &Piece<'_>) -> Class {
    let &Piece { loops, run, period, .. } = piece;
    if run > period.bytes {
        return Class::Fill;
    }
    let Some(&walk) = loops.first().filter(|_| run <= LONG_MOVE) else { return Class::Rows };
    if let Some(across) = across(piece).filter(|_| piece.background.is_none()) {
        return Class::Transpose { across };
    }
    let Some(vectors) = piece.vectors() else { return Class::Moves };
    let &Vectors { bytes, costs, .. } = vectors;
    let rows_of = |inner: usize| loops[inner + 1..].iter().map(|it| it.n).product::<usize>();
    // 16 bytes are one word, too, but take as long as two.
    let word = matches!(run, 1 | 2 | 4 | 8);
    let pieces = if word { 1 } else { run.div_ceil(32).max(2) };
    let mut best = (rows_of(0) * (walk.n * costs.moved * pieces + costs.row), Class::Moves);
    for (inner, walk) in loops.iter().enumerate() {
        let span = place_reach(&loops[..inner], run);
        if 2 * span > bytes || walk.dst.unsigned_abs() > bytes / 2 {
            break;
        }
        if let Some(loads) = loads(&loops[..inner], run, *walk, vectors.lane) {
            let units = (bytes - span) / walk.dst.unsigned_abs() + 1;
            let count = walk.n.div_ceil(units);
            let lines = walk.src.unsigned_abs() * units / 64;
            let each = loads * costs.load
                + lines * costs.line
                + costs.vector
                + if piece.dense { 0 } else { costs.mix };
            let cost = rows_of(inner) * (count * each + costs.shuffled_row) + costs.tables;
            if cost < best.0 {
                best = (cost, Class::Shuffle { inner });
            }
        }
    }
    best.1
}

/// About how many loads make a vector of units along `walk`, for lanes of `lane` bytes, if they are
/// few enough.
fn loads(inner: &[Loop], run: usize, walk: Loop, lane: usize) -> Option<usize> {
    let reach = source_reach(inner, run);
    let pitch = walk.dst.unsigned_abs();
    // Where a unit fills a lane, each vector has its own loads; this far apart, they cost as much
    // as moves.
    if walk.src.unsigned_abs() > LOADS * lane {
        return None;
    }
    let units = lane.div_ceil(pitch);
    let bytes = (walk.src.unsigned_abs() * (units - 1)).saturating_add(reach);
    // A lane has a power of two of bytes; a division would take long.
    let loads = ((bytes - 1) >> lane.trailing_zeros()) + 1;
    (loads <= LOADS).then_some(loads)
}
