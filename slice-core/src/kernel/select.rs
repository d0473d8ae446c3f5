//! Selects the kernel for a job. Nothing else decides.

use super::isa::Set;
use super::loops::{Loop, written};
use super::tables::{LOADS, PHASES};
use super::tuning::{LONG_RUN, SETS_REPEAT, SPARSE};

/// A kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Long runs, by `memcpy` or by streamed lines.
    Rows,
    /// Short runs, one after another; `crowded`: lines of the source compete for the cache.
    Moves { crowded: bool },
    /// Tables for units of this many of the inner loops.
    Shuffle { inner: usize },
    /// Transposed copies.
    Transpose,
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

/// What a choice depends on.
#[derive(Clone, Copy)]
pub(crate) struct Case<'a> {
    /// Sorted loops, innermost first.
    pub(crate) loops: &'a [Loop],
    pub(crate) run: usize,
    pub(crate) total: usize,
    /// Bytes between the positions of the source may be read.
    pub(crate) gaps_read: bool,
    /// Bytes between the places of the destination may be written again as they are.
    pub(crate) gaps_written: bool,
    /// The result is large enough to be written past the caches.
    pub(crate) stream: bool,
    /// The places lie on a background that is written with them: all must be staged.
    pub(crate) background: bool,
}

impl Case<'_> {
    /// The places are one piece of memory.
    pub(crate) fn dense(&self) -> bool {
        written(self.loops, self.run) == self.total
    }
}

/// Bytes of a run from which a call of `memcpy` for each is not slower than moves.
const LONG_MOVE: usize = 128;
/// Transposed copies below this many bytes stay in the first-level cache in any order.
const TRANSPOSED: usize = 4 << 10;

/// The kernel for a case, with the vectors of `set`.
pub(crate) fn select(case: &Case<'_>, set: &Set) -> (Class, Sink) {
    let &Case { loops, run, total, stream, background, .. } = case;
    let dense = case.dense();
    let staged = if background { Sink::Staged } else { Sink::Direct };
    let Some(&walk) = loops.first() else {
        return (Class::Rows, if background { Sink::Staged } else { streamed(run, stream) });
    };
    if transposed(loops, run, total) && !background {
        return (Class::Transpose, if stream { Sink::Streamed } else { Sink::Direct });
    }
    let class = class(case, set, dense);
    if background || !stream {
        return (class, staged);
    }
    let sink = match class {
        Class::Rows => streamed(run, stream),
        Class::Moves { .. } if walk.src.unsigned_abs() >= SPARSE * run => Sink::Direct,
        Class::Shuffle { inner } if lined(loops, inner) => Sink::Streamed,
        Class::Moves { .. } | Class::Shuffle { .. } if dense => Sink::Staged,
        _ => Sink::Direct,
    };
    (class, sink)
}

/// Whether rows of units are moved line by line: they are long, and a line begins at a few bytes of
/// a unit only, the same ones in all rows. If a unit's pitch is an odd number times a power of two,
/// there are as many of them as the odd number says.
fn lined(loops: &[Loop], inner: usize) -> bool {
    let pitch = loops[inner].dst;
    let even = |step: isize| step.trailing_zeros() >= pitch.trailing_zeros();
    pitch.unsigned_abs() * loops[inner].n >= LONG_RUN
        && pitch >> pitch.trailing_zeros() <= PHASES as isize
        && loops[inner + 1..].iter().all(|it| even(it.dst))
}

/// The sink for runs of `run` bytes.
fn streamed(run: usize, stream: bool) -> Sink {
    if stream && run >= LONG_MOVE { Sink::Streamed } else { Sink::Direct }
}

/// Whether the inner loop jumps from line to line of the source while an outer one runs along them.
fn transposed(loops: &[Loop], run: usize, total: usize) -> bool {
    let (step, walk) = (run as isize, loops[0]);
    let jumps = |bytes: isize| bytes.unsigned_abs() >= 16 * run;
    total >= TRANSPOSED
        && run <= 16
        && walk.dst == step
        && walk.n >= 4
        && jumps(walk.src)
        && loops
            .iter()
            .any(|it| it.src.abs() == step && it.n >= 4 && it.dst.unsigned_abs() >= 4 * run)
}

/// Whether `n` reads, `step` bytes apart, compete for a few sets of the first-level cache.
#[inline(always)]
pub(super) fn crowded(n: usize, step: isize) -> bool {
    n >= 128 && step != 0 && step % (SETS_REPEAT as isize / 2) == 0
}

/// The cheapest of the kernels that move positions in the order of the destination.
fn class(case: &Case<'_>, set: &Set, dense: bool) -> Class {
    let &Case { loops, run, .. } = case;
    let (walk, costs) = (loops[0], set.costs);
    let rows_of = |inner: usize| loops[inner + 1..].iter().map(|it| it.n).product::<usize>();
    let rows = rows_of(0);
    // 16 bytes are one word, too, but take as long as two.
    let word = matches!(run, 1 | 2 | 4 | 8);
    let crowded = run <= LONG_MOVE && crowded(walk.n, walk.src);
    let pieces = if word { 1 } else { run.div_ceil(32).max(2) };
    let mut best = rows * (walk.n * costs.moved * pieces + costs.row);
    let mut class = if run > LONG_MOVE { Class::Rows } else { Class::Moves { crowded } };
    if set.bytes == 0 || !case.gaps_read || !(dense || case.gaps_written) {
        return class;
    }
    for (inner, walk) in loops.iter().enumerate() {
        let span = written(&loops[..inner], run);
        if 2 * span > set.bytes || walk.dst.unsigned_abs() > set.bytes / 2 {
            break;
        }
        if let Some(loads) = loads(&loops[..inner], run, *walk, set) {
            let units = (set.bytes - span) / walk.dst.unsigned_abs() + 1;
            let vectors = walk.n.div_ceil(units);
            let lines = walk.src.unsigned_abs() * units / 64;
            let each = loads * costs.load
                + lines * costs.line
                + costs.vector
                + if dense { 0 } else { costs.mix };
            let cost = rows_of(inner) * (vectors * each + costs.shuffled_row) + costs.tables;
            if cost < best {
                (best, class) = (cost, Class::Shuffle { inner });
            }
        }
    }
    class
}

/// About how many loads make a vector of units along `walk`, if they are few enough.
fn loads(inner: &[Loop], run: usize, walk: Loop, set: &Set) -> Option<usize> {
    let reach = super::loops::read(inner, run);
    let pitch = walk.dst.unsigned_abs();
    // Where one unit fills a lane, the next one may be anywhere. It is a move then, too.
    if walk.src.unsigned_abs() > LOADS * set.lane {
        return None;
    }
    let units = set.lane.div_ceil(pitch).max(1);
    let bytes = (walk.src.unsigned_abs() * (units - 1)).saturating_add(reach);
    // A lane has a power of two of bytes; a division would take long.
    let loads = ((bytes - 1) >> set.lane.trailing_zeros()) + 1;
    (loads <= LOADS).then_some(loads)
}
