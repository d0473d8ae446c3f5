//! Settings of the kernels, for a whole program.
//!
//! A plan chooses its kernel by itself. [`set_streaming_threshold`] says from which size on results
//! are written past the caches and, with feature `rayon`, `set_parallel_threshold` from which size
//! on several threads write them. With `std`, the environment variable `PYSLICE_ISA` (`portable`,
//! `avx2`, `avx512` or `neon`), read once, replaces the best instruction set that the CPU has.

// README.md in this folder explains the kernels. Their callers have checked the view, by
// `View::fits` against the very slices they pass, or hold one that another library has checked;
// `small` and `fixed`, which are tried first, check for themselves.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions and reaches are those of a view that lies inside one allocated buffer \
              (`View::fits`), and so are counts of bytes that no two positions share, so they fit \
              isize; vector and table sizes are small constants"
)]
#![expect(
    clippy::indexing_slicing,
    reason = "a nest has fewer loops than its room, since each counts 2 or more; tables are as \
              long as the constants that bound the loops over them"
)]
#![cfg_attr(
    not(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2"), not(miri))),
    allow(dead_code, reason = "some is only for the vectors of x86-64")
)]

pub(crate) mod fixed;
pub(crate) mod gradient;
mod isa;
pub(crate) mod memory;
mod moves;
mod nest;
#[cfg(feature = "rayon")]
mod parallel;
mod pattern;
mod piece;
mod prefetch;
mod rows;
mod run;
mod select;
mod shuffle;
mod shuffled_lines;
pub(crate) mod small;
mod tables;
#[cfg(test)]
pub(crate) mod tests;
mod transpose;
mod tuning;
mod vector;
mod view;

use core::sync::atomic::{AtomicUsize, Ordering};
use isa::Set;
use nest::{At, Loop, Nest, Strides};
use piece::Piece;
use select::choose;
use tuning::few;

pub use isa::{Isa, available, force};
pub(crate) use view::View;

/// Outputs of at least this many bytes are streamed past the caches.
static STREAMING: AtomicUsize = AtomicUsize::new(tuning::STREAMED);

/// The size of a result in bytes from which it is written past the caches.
///
/// See [`set_streaming_threshold`].
#[must_use]
pub fn streaming_threshold() -> usize {
    STREAMING.load(Ordering::Relaxed)
}

/// Sets how many bytes a result must have to be written past the caches; `usize::MAX` for never.
///
/// Streaming is faster for results that do not fit the caches, since their lines need not be read
/// first. A program that reads the result again at once and has a large last-level cache may prefer
/// a higher value. With a threshold of 4 MiB, the default, or more, a result is not streamed if it
/// and what it is made from fit in 12 MiB of cache; a fill is not if it fits in 32 MiB.
///
/// ```
/// use pyslice::kernel;
/// let before = kernel::streaming_threshold();
/// kernel::set_streaming_threshold(usize::MAX);
/// assert_eq!(kernel::streaming_threshold(), usize::MAX);
/// kernel::set_streaming_threshold(before);
/// ```
pub fn set_streaming_threshold(bytes: usize) {
    STREAMING.store(bytes, Ordering::Relaxed);
}

/// Outputs of at least this many bytes are shared out among threads by plain methods.
#[cfg(feature = "rayon")]
static PARALLEL: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The size of an output in bytes from which the plain methods of plans use rayon's current pool;
/// `usize::MAX`, at first, for never. See [`set_parallel_threshold`].
#[cfg(feature = "rayon")]
#[must_use]
pub fn parallel_threshold() -> usize {
    PARALLEL.load(Ordering::Relaxed)
}

/// Sets the size of an output in bytes from which the plain methods of plans use rayon's current
/// pool, in every thread; `usize::MAX` for never.
///
/// This is for the program, not for libraries: features are shared by all crates of a program, so
/// plain methods stay on one thread until the program says otherwise. A library that wants threads
/// calls `par()` on a view, which ignores this setting.
///
/// The plain methods are `copy`, `assign`, `fill` and `grad` of plans and views, for elements and
/// for bytes. `add_assign`, `zip` and `for_each` always stay on one thread: they run code of the
/// element's type, which need not be `Send`. The calling thread takes its share of the work, and
/// does all of it where the pool is busy or cannot be started.
///
/// ```
/// use pyslice::kernel;
/// assert_eq!(kernel::parallel_threshold(), usize::MAX);
/// kernel::set_parallel_threshold(4 << 20);
/// assert_eq!(kernel::parallel_threshold(), 4 << 20);
/// # kernel::set_parallel_threshold(usize::MAX);
/// ```
#[cfg(feature = "rayon")]
pub fn set_parallel_threshold(bytes: usize) {
    PARALLEL.store(bytes, Ordering::Relaxed);
}

/// How an operation is carried out.
#[derive(Clone, Copy)]
pub(crate) struct How {
    /// A set that the CPU has. Only this module names it, so no caller can name another.
    set: &'static Set,
    /// Bytes of output from which it is written past the caches.
    pub(crate) streamed: usize,
    /// Bytes of output from which several threads write it.
    pub(crate) parallel: usize,
}

impl How {
    /// What the program has chosen.
    #[inline]
    pub(crate) fn chosen() -> How {
        #[cfg(feature = "rayon")]
        let parallel = parallel_threshold();
        #[cfg(not(feature = "rayon"))]
        let parallel = usize::MAX;
        How { set: isa::current(), streamed: streaming_threshold(), parallel }
    }

    /// The same on one thread.
    pub(crate) fn serial(self) -> How {
        How { parallel: usize::MAX, ..self }
    }

    /// By several threads wherever that pays, even if the program has not asked for them.
    #[cfg(feature = "rayon")]
    pub(crate) fn parallel() -> How {
        How { parallel: tuning::PARALLEL, ..How::chosen() }
    }

    /// Whether a result of `bytes` is streamed whose source and places take so much of a cache.
    fn streams(self, bytes: usize, taken: impl FnOnce() -> (usize, usize)) -> bool {
        let leave_it = |(source, places): (usize, usize)| match source {
            0..=tuning::FIRST_LEVEL => places >= tuning::WRITTEN,
            _ => places.saturating_add(source) >= tuning::KEPT,
        };
        bytes >= self.streamed && (self.streamed < tuning::STREAMED || leave_it(taken()))
    }
}

/// One side of a copy: a buffer and where the elements lie in it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Side<'a, P> {
    /// The buffer.
    pub start: P,
    /// Elements in the buffer.
    pub len: usize,
    /// The first element.
    pub offset: usize,
    /// Elements from one position to the next, axis by axis; `None`: C order without gaps.
    pub strides: Strides<'a>,
    /// Whether the bytes between the elements belong to the side too: they may be read, and in a
    /// destination written again as they are.
    pub whole: bool,
}

impl<'a, P> Side<'a, P> {
    /// All of a buffer, in C order.
    pub fn dense(start: P, len: usize) -> Side<'a, P> {
        Side { start, len, offset: 0, strides: None, whole: true }
    }

    /// A view of a buffer of `len` elements.
    pub(crate) fn view(start: P, len: usize, view: &View<'a>) -> Side<'a, P> {
        Side { start, len, offset: view.offset, strides: Some(view.strides), whole: true }
    }
}

/// Copies elements of `elem` bytes from the positions of one side to those of another.
#[derive(Clone, Copy)]
pub(crate) struct Transfer<'a> {
    pub(crate) shape: &'a [usize],
    pub(crate) elem: usize,
    pub(crate) src: Side<'a, *const u8>,
    pub(crate) dst: Side<'a, *mut u8>,
}

impl Transfer<'_> {
    /// The first positions.
    fn first(&self) -> At {
        let &Transfer { elem, src, dst, .. } = self;
        (src.start.wrapping_add(src.offset * elem), dst.start.wrapping_add(dst.offset * elem))
    }

    /// What may be read, and up to which address bytes between the places may be written.
    fn bounds(&self) -> ((usize, usize), usize) {
        let &Transfer { elem, src, dst, .. } = self;
        let readable = if src.whole { (src.start.addr(), src.len * elem) } else { (0, 0) };
        (readable, if dst.whole { dst.start.addr() + dst.len * elem } else { 0 })
    }
}

/// Whether plain moves are taken at once: for a few runs of any length, as all else takes too long
/// to begin; in a cache, also for long ones, and for words that neither shuffles nor squares join.
fn as_they_come(loops: &[Loop], run: usize, total: usize, how: How) -> bool {
    let kept = total < how.streamed.min(how.parallel);
    let Some((it, outer)) = loops.split_first() else { return kept };
    let rows: usize = outer.iter().map(|it| it.n).product();
    let (step, pitch) = (it.src.unsigned_abs(), it.dst.unsigned_abs());
    let (word, gaps) = (matches!(run, 1 | 2 | 4 | 8 | 16), pitch > run);
    // A row takes as long as one move more; moves of one value only write, in half the time, but a
    // pattern of those that are no words is sooner there.
    let most = if it.src == 0 && (word || gaps) { 2 * few(1) } else { few(run) };
    // Sorting makes an outer loop that runs along both sides a part of longer runs.
    let along = |it: &Loop| it.src == it.dst && it.dst.unsigned_abs() == run;
    let most = if outer.iter().any(along) { most / 8 } else { most };
    // One value may go to its places in another order, which sorting finds.
    let sorted = it.src != 0 || loops.is_sorted_by_key(|it| it.dst.unsigned_abs());
    let few = rows.saturating_mul(it.n.saturating_add(1)) <= most && sorted;
    // Short rows of one value may lie in another order, in which they are one.
    let fills = moves::fills_rows(run, it) && (outer.is_empty() || run * it.n >= nest::LINE);
    let long = run > tuning::LONG_MOVE && it.src != 0 || fills;
    // Moves of other runs take two words.
    let apart = (word || gaps) && pitch >= tuning::FAR_PLACES
        || word && step >= tuning::FAR_READS
        || step > tables::LOADS * pitch;
    let near = (outer.is_empty() || total <= tuning::FIRST_LEVEL) && moves::near(run, it, total);
    let turned = || apart && it.n > tables::LOADS && select::any_order(loops, run, total);
    // With gaps between its places, close reads, or no squares, the inner loop stays the inner one.
    let inner = || outer.iter().all(|it| it.dst.unsigned_abs() >= pitch);
    let single = (apart || near) && (outer.is_empty() || (gaps || near || turned()) && inner());
    few && total <= tuning::FEW_BYTES || kept && (long || single)
}

/// Does `work` for a piece; by threads, in parts, if `output` is as many bytes as `how` asks for.
///
/// # Safety
///
/// As for [`parallel::run_parts`].
unsafe fn share_out(piece: &Piece<'_>, how: How, output: usize, work: &dyn Fn(&Piece<'_>)) {
    #[cfg(feature = "rayon")]
    if output >= how.parallel {
        // SAFETY: the caller's promise.
        return unsafe { parallel::run_parts(piece, work) };
    }
    let _ = (how, output);
    work(piece);
}

/// Copies every element to its place; where places are shared, in the order of the view.
///
/// # Safety
///
/// Every position of either side lies in its buffer; the source can be read, the destination read
/// and written (only written, where the places are all of it). No byte of a position is on both
/// sides. The bytes between the positions of a `whole` side may be: they are read, and in a
/// destination written again as they were, so that nobody else may use them meanwhile.
#[inline]
pub(crate) unsafe fn transfer(job: &Transfer<'_>, how: How) {
    let mut nest = Nest::new();
    if !nest.merge(job.shape, job.src.strides, job.dst.strides, job.elem) {
        return;
    }
    if as_they_come(nest.loops(), nest.run, nest.total, how) {
        // SAFETY: the caller's promise: the nest's positions are those of the job.
        unsafe { how.set.in_order(nest.loops(), nest.run, nest.first(job.first())) }
    } else {
        // SAFETY: the same.
        unsafe { large(job, &mut nest, how) }
    }
}

/// The rest of [`transfer`], apart so that small calls need little stack.
///
/// # Safety
///
/// As for [`transfer`]; `nest` was made of the job.
#[inline(never)]
unsafe fn large(job: &Transfer<'_>, nest: &mut Nest, how: How) {
    // In C order without gaps, the loops of a destination are sorted.
    if job.dst.strides.is_some() && !nest.sort() {
        // Sorted loops cannot be used if places are shared: the order decides what stays.
        let mut nest = Nest::new();
        nest.merge(job.shape, job.src.strides, job.dst.strides, job.elem);
        // SAFETY: the caller's promise.
        return unsafe { how.set.in_order(nest.loops(), nest.run, nest.first(job.first())) };
    }
    let mut piece = Piece::new(nest, job.first(), how.set);
    let Piece { loops, run, total, .. } = piece;
    (piece.readable, piece.limit) = job.bounds();
    // This depends on the whole copy, not on the part that a thread is given.
    piece.stream = how.streams(total, || nest::cached(loops, run));
    // SAFETY: the caller's promise holds for each part. Any thread may move elements as bits.
    unsafe {
        share_out(&piece, how, total, &|part| {
            choose(part, &mut |kernel| kernel.run());
        })
    }
}
