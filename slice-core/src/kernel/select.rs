//! Chooses the kernel for a sorted copy, and the way into the destination.

use super::moves::{fills_rows, near, steps};
use super::nest::{LINE, Loop, place_reach, source_reach};
use super::pattern::{LONGEST, Pattern};
use super::piece::{Class, Piece, Sink};
use super::run::{Kernel, Then};
use super::transpose::weaves;
use super::tuning::{
    CACHE_SETS_REPEAT, FIRST_LEVEL, LINED_ROW, LONG_MOVE, PLANE, STREAMED_ROW, TRANSPOSED,
    TRANSPOSED_STEP, UNEVEN_ROW, WIDE, WOVEN, WOVEN_PLANE,
};

/// Makes the cheapest kernel that fits a piece, and hands it over. Returns its class and its sink.
///
/// # Safety
///
/// What the piece reads can be read if it is one value, or if its source is small.
pub(crate) unsafe fn choose(piece: &Piece<'_>, then: Then<'_>) -> (Class, Sink) {
    let joined = piece.joined();
    let piece = joined.as_ref().unwrap_or(piece);
    let class = class(piece);
    let sink = sink(piece, class);
    let mut pattern = Pattern::uninit();
    // SAFETY: the caller's promise; the class is this piece's.
    let served = unsafe { piece.served(class, &mut pattern) };
    let piece = served.as_ref().unwrap_or(piece);
    // Only a finished table shows how many loads it takes. If too many, there are simpler ways.
    let ways = [(class, sink), (class, Sink::Direct), (Class::Moves, Sink::Direct)];
    let mut ways = ways.into_iter().skip(usize::from(sink == Sink::Direct));
    ways.find(|&(class, sink)| Kernel::make(piece, class, sink, then)).unwrap_or((class, sink))
}

/// The way into the destination for a class.
fn sink(piece: &Piece<'_>, class: Class) -> Sink {
    let streamed = piece.stream
        && match class {
            Class::Rows => piece.dense || piece.run >= STREAMED_ROW,
            Class::Fill | Class::Transpose { .. } => true,
            Class::Shuffle { inner } => by_lines(piece.loops, inner),
            Class::Moves => false,
        };
    if streamed { Sink::Streamed } else { Sink::Direct }
}

/// Whether rows of units are moved line by line if they have no gaps: they are long. The number of
/// bytes of a unit at which a line begins is the odd part of the pitch; few have tables.
fn by_lines(loops: &[Loop], inner: usize) -> bool {
    let (pitch, outer) = (loops[inner].dst, &loops[inner + 1..]);
    let odd = pitch >> pitch.trailing_zeros();
    // Rows that begin at many places of a line load their tables anew, each row.
    let alike = odd == 1 || outer.iter().all(|it| it.dst % 16 == 0);
    pitch.unsigned_abs() * loops[inner].n >= if alike { LINED_ROW } else { UNEVEN_ROW }
}

/// Whether a transposed copy needs no squares: any order finds its lines in the first-level cache.
pub(super) fn any_order(loops: &[Loop], run: usize, total: usize) -> bool {
    loops.first().is_some_and(|it| it.src % (CACHE_SETS_REPEAT as isize / 2) != 0)
        && match run {
            1 | 2 | 4 => total < TRANSPOSED,
            _ => source_reach(loops, run).saturating_add(place_reach(loops, run)) <= FIRST_LEVEL,
        }
}

/// The loop that runs along the lines of the source while the inner one jumps from line to line and
/// writes without gaps, so that squares are turned.
fn across(&Piece { loops, run, total, .. }: &Piece<'_>) -> Option<usize> {
    let [along, outer @ ..] = loops else { return None };
    let (least, most) = TRANSPOSED_STEP.into_inner();
    let step = if matches!(run, 3 | 5..=7) { 16 * run } else { (8 * run).clamp(least, most) };
    // Of up to seven words, those that fill no 16 bytes would take longer than all.
    let few = along.n < (16 / run).max(4) || along.n < 8 && along.n * run % 16 != 0;
    let jumps = along.src.unsigned_abs() >= step && along.dst == run as isize;
    if any_order(loops, run, total) || run > LINE / 2 || !jumps || few {
        return None;
    }
    let turned = |it: &Loop| it.src.unsigned_abs() == run && it.n >= 4 && along.n * it.n >= PLANE;
    outer.iter().position(turned).map(|i| i + 1)
}

/// The cheapest of the kernels that are fit for a piece.
pub(super) fn class(piece: &Piece<'_>) -> Class {
    let &Piece { loops, run, .. } = piece;
    // Runs that repeat a value, and are longer than a pattern from which they would be copied.
    if run > piece.period.max(LONGEST) {
        return Class::Fill;
    }
    let Some(&walk) = loops.first().filter(|_| run <= LONG_MOVE) else { return Class::Rows };
    if let Some(across) = across(piece) {
        return Class::Transpose { across };
    }
    let vectors = piece.vectors();
    let costs = vectors.map_or(&WIDE, |it| it.costs);
    let rows_of = |inner: usize| loops[inner + 1..].iter().map(|it| it.n).product::<usize>();
    // In a cache, moves are as fast for 16 bytes and close words; past the caches, only lines are.
    let single = run == 16 || near(run, &walk, piece.total);
    if fills_rows(run, &walk) || single && !piece.stream {
        return Class::Moves;
    }
    let word = if walk.src == 0 { costs.repeated } else { costs.moved };
    let row = match run {
        // Half as much again where a cache further away is read and written.
        2 if steps(run, &walk).is_some() => {
            let read = walk.n * walk.src.unsigned_abs() * costs.stepped / 8;
            if place_reach(loops, run) > FIRST_LEVEL { read + read / 2 } else { read }
        }
        1 | 2 | 4 | 8 => walk.n * word,
        _ => walk.n * costs.moved * run.div_ceil(32).max(2),
    };
    let mut best = (rows_of(0) * (row + costs.row), Class::Moves);
    if loops.get(1).is_some_and(|rows| weaves(run, &walk, rows)) {
        let cost = rows_of(1) * WOVEN_PLANE + piece.total / 16 * WOVEN;
        if cost < best.0 {
            best = (cost, Class::Transpose { across: 1 });
        }
    }
    let Some(vectors) = vectors else { return best.1 };
    for (inner, &walk) in loops.iter().enumerate() {
        let Some(unit) = vectors.unit(&loops[..inner], run, walk) else { continue };
        // A load from a plane crosses from one line to the next.
        let lines = if unit.planes { unit.loads } else { walk.src.unsigned_abs() * unit.fit / 64 };
        let each = unit.loads * costs.load + lines * costs.line + costs.vector;
        let gaps = usize::from(!piece.dense);
        let row = walk.n.div_ceil(unit.fit) * (each + gaps * costs.mix);
        let ends = costs.shuffled_row + gaps * costs.mixed_row;
        let cost = rows_of(inner) * (row + ends) + costs.tables;
        if cost < best.0 {
            best = (cost, Class::Shuffle { inner });
        }
    }
    best.1
}
