//! A sorted copy, and the choice of its kernel and of the way into the destination.

use super::gradient::Background;
use super::isa::{Set, Vectors};
use super::nest::{LINE, Loop, Nest, place_reach, source_reach};
use super::run::{Kernel, Then};
use super::tables::{LOADS, PHASES};
use super::tuning::{LINED_ROW, LONG_MOVE, TRANSPOSED, TRANSPOSED_STEP, UNEVEN_ROW};

/// How a run repeats the bytes of its source.
#[derive(Clone, Copy)]
pub(crate) struct Period {
    /// Bytes after which it begins again; `usize::MAX`: never.
    pub(crate) bytes: usize,
    /// They repeat after every 64 bytes.
    pub(crate) same_lines: bool,
}

impl Period {
    const NONE: Period = Period { bytes: usize::MAX, same_lines: false };
}

/// Sorted loops over both sides, and what may be touched besides their positions.
#[derive(Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub(crate) loops: &'a [Loop],
    pub(crate) run: usize,
    /// A run that is longer than the period repeats the bytes of one.
    pub(crate) period: Period,
    /// Bytes of all runs.
    pub(crate) total: usize,
    /// Whether the places are one piece of memory.
    pub(crate) dense: bool,
    /// The first position on both sides.
    pub(crate) src: *const u8,
    pub(crate) dst: *mut u8,
    /// The first address that may be read, and how many bytes from there; 0: only the positions.
    pub(crate) readable: (usize, usize),
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
    /// All of a sorted nest, whose view begins at `src` and `dst`; only its positions may be
    /// touched.
    pub(crate) fn new(
        nest: &'a Nest,
        src: *const u8,
        dst: *mut u8,
        set: &'static Set,
    ) -> Piece<'a> {
        Piece {
            loops: nest.loops(),
            run: nest.run,
            period: Period::NONE,
            total: nest.total,
            dense: place_reach(nest.loops(), nest.run) == nest.total,
            src: src.wrapping_offset(nest.src),
            dst: dst.wrapping_offset(nest.dst),
            readable: (0, 0),
            limit: 0,
            stream: false,
            set,
            background: None,
        }
    }

    /// The vectors for shuffles, if the gaps of both sides may be touched as these do.
    pub(super) fn vectors(&self) -> Option<&'static Vectors> {
        let written = self.dense || self.limit > 0;
        let whole = self.dense || self.background.is_some();
        let vectors = if whole { self.set.vectors } else { self.set.between };
        vectors.filter(|_| self.readable.1 > 0 && written)
    }

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

/// A kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Runs that repeat a pattern.
    Fill,
    /// Long runs, by `memcpy` or by streamed lines.
    Rows,
    /// Short runs, one after another.
    Moves,
    /// Tables for units of this many of the inner loops.
    Shuffle { inner: usize },
    /// Transposed copies, for which loop `across` runs along the source.
    Transpose { across: usize },
}

/// The way into the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sink {
    /// Straight to its place.
    Direct,
    /// Past the caches, straight from the source.
    Streamed,
    /// Past the caches, after it was put together in a buffer.
    Staged,
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
