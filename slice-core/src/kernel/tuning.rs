//! The thresholds of the kernels. The sizes of tables and threads' parts stand where they are used.
//!
//! Costs are in quarters of a cycle. They only have to say which of two ways is faster.

use super::nest::LINE;
use core::ops::RangeInclusive;

/// What moves cost, in quarters of a cycle.
pub(crate) struct Costs {
    /// A position by plain moves, one by those that only write a value, and eight bytes that are
    /// read by those that the compiler makes vectors of.
    pub(crate) moved: usize,
    pub(crate) repeated: usize,
    pub(crate) stepped: usize,
    /// What a row takes besides: by plain moves, by shuffles, and what gaps add to that.
    pub(crate) row: usize,
    pub(crate) shuffled_row: usize,
    pub(crate) mixed_row: usize,
    /// A load of a shuffle, the first one of a line besides, the rest of a vector, and mixing it.
    pub(crate) load: usize,
    pub(crate) line: usize,
    pub(crate) vector: usize,
    pub(crate) mix: usize,
    /// The tables, once per call.
    pub(crate) tables: usize,
}

/// The costs with vectors of 64 bytes: of those tried, the ones that chose best between moves and
/// shuffles in 6,000 cases of 64 to 30,000 positions (Zen 4).
pub(crate) const WIDE: Costs = Costs {
    moved: 4,
    repeated: 3,
    stepped: 3,
    row: 4,
    shuffled_row: 40,
    mixed_row: 24,
    load: 5,
    line: 5,
    vector: 5,
    mix: 4,
    tables: 1400,
};
/// Vectors of 32 bytes whose halves are put together, for which lines make no difference.
pub(crate) const HALF: Costs = Costs { line: 0, ..WIDE };
/// Vectors of 16 bytes. Not measured: one permute of Arm takes two loads.
#[cfg(all(target_arch = "aarch64", target_feature = "neon", not(miri)))]
pub(crate) const QUARTER: Costs = Costs { load: 3, line: 0, ..WIDE };

/// What each 16 bytes take that are interleaved in registers, and beginning a few planes of them.
pub(crate) const WOVEN: usize = 6;
pub(crate) const WOVEN_PLANE: usize = 200;

/// Results of at least this many bytes are written past the caches, unless a program sets another
/// number: a quarter of the smallest last-level cache that is common.
pub(crate) const STREAMED: usize = 4 << 20;
/// Bytes of source and result together that a last-level cache keeps: streaming would only evict
/// them (reversals of 4 MiB took 1.5 times as long on Zen 3 with 32 MiB of it).
pub(crate) const KEPT: usize = 12 << 20;
/// The same of a result whose source the first-level cache keeps: a fill, or rows that repeat. The
/// cache takes their lines faster than the memory (12 MiB streamed took 3 times as long on Zen 4).
pub(crate) const WRITTEN: usize = 32 << 20;
/// Runs with gaps between them are streamed from this many bytes on.
pub(crate) const STREAMED_ROW: usize = 512;
/// Shuffles stream rows of this many bytes or more by lines; shorter ones are put together first.
pub(crate) const LINED_ROW: usize = 2 << 10;
/// The same with three tables, if rows have different alignments (3 KiB: 1.7 times as long).
pub(crate) const UNEVEN_ROW: usize = 16 << 10;
/// Bytes of a gradient that are put together in the first-level cache before they are streamed.
pub(crate) const STAGE: usize = 8 << 10;
/// Longer runs are moved one by one: shuffles save nothing. Others fit `STAGE` (see `gradient`).
pub(crate) const LONG_MOVE: usize = 128;
/// The first-level cache of most processors.
pub(crate) const FIRST_LEVEL: usize = 32 << 10;
/// Transposed copies of words up to 4 bytes are moved in order below this many bytes, others while
/// a first-level cache holds both sides.
pub(crate) const TRANSPOSED: usize = 4 << 10;
/// Elements of a plane that is turned in squares: beginning one takes as long as 100 moves.
pub(crate) const PLANE: usize = 192;
/// Reads of a transposed copy are eight words apart, but no fewer bytes than these, and no more
/// need be. Closer ones use most of a line. Short runs that are no words are 16 of them apart.
pub(crate) const TRANSPOSED_STEP: RangeInclusive<usize> = 16..=40;
/// Up to this many positions (plus one for each row), and this many bytes, plain moves end before
/// another kernel is set up, which takes as long as 512 moves (Zen 4), and they still do for twice
/// as many words of which a vector holds few.
pub(crate) const fn few(run: usize) -> usize {
    if matches!(run, 4 | 8 | 16) { 1024 } else { 512 }
}
pub(crate) const FEW_BYTES: usize = 8 << 10;
/// Elements that are read, or places, of which no vector holds enough to pay: these many bytes from
/// one to the next, or more. They take more loads than moves.
pub(crate) const FAR_READS: usize = LINE / 3;
pub(crate) const FAR_PLACES: usize = LINE / 4;
/// Rows of this many words or more are moved four at a time; shorter ones have loops of their own.
pub(crate) const LONG_ROW: usize = 5;
/// The most bytes of words of two that such loops move sooner than tables are made.
pub(crate) const SHORT_WORDS: usize = 4 << 10;
/// Rows of at least this many words at common steps have loops that the compiler makes vectors of.
pub(crate) const STEPPED_ROW: usize = 16;
/// Longer ones begin on 16 bytes where they are written; in shorter ones, that takes longer.
pub(crate) const UNALIGNED_ROW: usize = 256;
/// Rows of more vectors than these, between bytes that stay, begin where vectors cross no line.
pub(crate) const LONG_MIXED: usize = 32;
/// A source of at most this many bytes that vectors read more than once is copied to a pattern.
pub(crate) const FEW_VALUES: usize = 512;

/// How many bytes ahead of a load the source is prefetched if it is not in a cache: a page, because
/// a CPU stops prefetching at the end of one. Rows with gaps prefetch whole rows this far ahead,
/// and at most as many bytes of each.
pub(crate) const PREFETCH_DISTANCE: usize = 4 << 10;
/// How many rows ahead that may be, at least and at most.
pub(crate) const ROWS_AHEAD: RangeInclusive<usize> = 2..=32;
/// The lines of rows of at least this many bytes together, more than caches hold, are prefetched.
pub(crate) const PREFETCHED_ROWS: usize = 8 << 20;
/// Bytes from one read of such a row to the next, at most: most of its lines are used.
pub(crate) const NEAR_STEP: usize = 128;

/// Rows are grouped by their alignment to lines if it repeats after at most this many rows.
pub(crate) const ALIGNMENTS: usize = 4;

/// Bytes after which lines share a set of the first-level cache, wherever pages have 4 KiB.
pub(crate) const CACHE_SETS_REPEAT: usize = 4096;
/// The reads of a row wait for each other if they are at least so many and share one or two sets of
/// a first-level cache with at most so many lines in a set.
pub(crate) const CROWD: usize = 64;
pub(crate) const FEW_WAYS: usize = 8;
/// They also wait if they are at least so many and all share a set of any other. The second-level
/// one keeps a line for each of its pages, 512 if it has 2 MiB.
pub(crate) const LARGE_CROWD: usize = if cfg!(test) { CROWD } else { 1024 };
/// How many of them are under way at a time: about as many as a cache set has lines.
pub(crate) const IN_FLIGHT: usize = 12;
/// Longer runs are moved by the vectors of a set. They must hold one: `stamp!` asserts it.
pub(crate) const SHORT_RUN: usize = 32;
/// The loops of a result of at most this many bytes, whose shape the compiler knows, are unrolled
/// in place. In larger ones, the start of a kernel takes a small share of the time.
pub(crate) const FIXED: usize = 512;
/// A new result of at least this many bytes asks for huge pages (NumPy's limit).
pub(crate) const HUGE_PAGES: usize = 4 << 20;
/// For results of at least this many bytes, two threads are faster than one: another thread begins
/// up to 60 µs later, and 1 MiB takes one thread 25 to 60 µs.
#[cfg(feature = "rayon")]
pub(crate) const PARALLEL: usize = 4 << 20;
