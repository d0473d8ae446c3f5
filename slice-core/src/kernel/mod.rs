//! Settings of the kernels, for a whole program.
//!
//! A plan chooses its kernel by itself. [`set_streaming_threshold`] says from which size on results
//! are written past the caches and, with feature `rayon`, `set_parallel_threshold` from which size
//! on several threads write them. With `std`, the environment variable `PYSLICE_ISA` (`portable`,
//! `avx2`, `avx512` or `neon`) names the instruction set to use instead of the best that the CPU
//! has. It is read once.

// README.md in this folder explains the kernels. They do not check a view against a buffer. Their
// callers have done so, by `View::fits` against the very slices they pass, or hold a view that
// another library has checked (`nd`). `small` and `fixed`, which are tried first, check for
// themselves. Only results (`memory`, `small`) and the parts of parallel work are on the heap.
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
mod gradient;
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
mod sinks;
pub(crate) mod small;
mod tables;
#[cfg(test)]
mod tests;
mod transpose;
mod tuning;
mod vector;
mod view;

use core::sync::atomic::{AtomicUsize, Ordering};
use gradient::Background;
use isa::Set;
use nest::{Nest, Strides, place_reach, source_reach};
use pattern::Pattern;
use piece::Piece;

pub use isa::{Isa, available, force};
#[cfg(all(test, feature = "rayon"))]
pub(crate) use parallel::shared_out;
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

/// Sets the size of a result in bytes from which it is written past the caches, in every thread;
/// `usize::MAX` for never.
///
/// Streaming is faster for results that do not fit the caches, since their lines need not be read
/// first. A program that reads the result again at once and has a large last-level cache may prefer
/// a higher value. With a threshold of 4 MiB, the default, or more, a result is not streamed if it
/// and what it is made from fit in 12 MiB of cache.
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
    #[cfg_attr(not(feature = "rayon"), allow(dead_code, reason = "one thread"))]
    pub(crate) parallel: usize,
}

impl How {
    /// What the program has chosen.
    #[inline(always)]
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

    /// Whether a result of `bytes` bytes is streamed, if it and its source reach over `both`.
    fn streams(self, bytes: usize, both: impl FnOnce() -> usize) -> bool {
        bytes >= self.streamed && (self.streamed < tuning::STREAMED || both() >= tuning::KEPT)
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
    fn first(&self) -> (*const u8, *mut u8) {
        let &Transfer { elem, src, dst, .. } = self;
        (src.start.wrapping_add(src.offset * elem), dst.start.wrapping_add(dst.offset * elem))
    }

    /// What may be read, and the address up to which bytes between the places may be written, as in
    /// a [`Piece`].
    fn bounds(&self) -> ((usize, usize), usize) {
        let &Transfer { elem, src, dst, .. } = self;
        let readable = if src.whole { (src.start.addr(), src.len * elem) } else { (0, 0) };
        (readable, if dst.whole { dst.start.addr() + dst.len * elem } else { 0 })
    }
}

/// Whether runs are moved one by one, as anything else takes too long to begin.
fn few(nest: &Nest) -> bool {
    nest.total <= tuning::FEW_BYTES
        && nest.loops().split_first().is_none_or(|(it, outer)| {
            let rows: usize = outer.iter().map(|it| it.n).product();
            // A row takes as long as one move more.
            let n = if moves::by_vectors(nest.run, it) { it.n / tuning::REPEATED } else { it.n };
            rows.saturating_mul(n.saturating_add(1)) <= tuning::FEW
        })
}

/// Runs a piece, by several threads if it writes as many bytes as `how` asks for.
///
/// # Safety
///
/// Every position can be read and written as far as the fields say, and the two sides do not
/// overlap.
unsafe fn share_out(piece: &Piece<'_>, how: How, output: usize) {
    #[cfg(feature = "rayon")]
    if output >= how.parallel {
        // SAFETY: the caller's promise holds for each part. Elements are moved as bits, which any
        // thread may do.
        return unsafe { parallel::run_parts(piece, &|part| part.run()) };
    }
    let _ = (how, output);
    // SAFETY: the caller's promise.
    unsafe { piece.run() }
}

/// Copies every element to its place; where places are shared, in the order of the view.
///
/// # Safety
///
/// Every position of either side lies in its buffer; the source can be read, the destination read
/// and written (only written, where the places are all of it), and the two do not overlap.
#[inline]
pub(crate) unsafe fn transfer(job: &Transfer<'_>, how: How) {
    let mut nest = Nest::new();
    if !nest.merge(job.shape, job.src.strides, job.dst.strides, job.elem) {
        return;
    }
    if few(&nest) {
        let (src, dst) = job.first();
        // SAFETY: the caller's promise: the nest's positions are those of the job.
        unsafe { moves::in_order(nest.loops(), nest.run, src, dst) }
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
    let (src, dst) = job.first();
    // In C order without gaps, the loops of a destination are sorted.
    if job.dst.strides.is_some() && !nest.sort() {
        // Sorted loops cannot be used if places are shared: the order decides what stays.
        let mut nest = Nest::new();
        nest.merge(job.shape, job.src.strides, job.dst.strides, job.elem);
        // SAFETY: the caller's promise.
        return unsafe { moves::in_order(nest.loops(), nest.run, src, dst) };
    }
    let mut piece = Piece::new(nest, src, dst, how.set);
    let Piece { loops, run, total, .. } = piece;
    (piece.readable, piece.limit) = job.bounds();
    // This depends on the whole copy, not on the part that a thread is given.
    let both = || place_reach(loops, run).saturating_add(source_reach(loops, run));
    piece.stream = how.streams(total, both);
    let mut pattern = Pattern::new();
    // SAFETY: the source can be read.
    unsafe { pattern.serve(&mut piece, job.src.start) };
    // SAFETY: the caller's promise.
    unsafe { share_out(&piece, how, total) }
}

/// Copies the view's elements of `elem` bytes, in order, from `src` to `dst`.
///
/// # Safety
///
/// Every position of the view lies in the `src_len` elements at `src`, which can be read; `len`
/// elements, as many as the view has, can be written at `dst`, and do not overlap the source.
#[inline]
pub(crate) unsafe fn gather(
    view: View<'_>,
    elem: usize,
    (src, src_len): (*const u8, usize),
    (dst, len): (*mut u8, usize),
    how: How,
) {
    let (src, dst) = (Side::view(src, src_len, &view), Side::dense(dst, len));
    // SAFETY: the caller's promise.
    unsafe { transfer(&Transfer { shape: view.shape, elem, src, dst }, how) }
}

/// Copies contiguous values into the view's positions, in order.
///
/// # Safety
///
/// Every position of `view` lies in the `dst_len` elements at `dst`, which can be read and written;
/// `len` elements, as many as the view has, can be read at `values`, and do not overlap.
#[inline]
pub(crate) unsafe fn scatter(
    view: View<'_>,
    elem: usize,
    (values, len): (*const u8, usize),
    (dst, dst_len): (*mut u8, usize),
    how: How,
) {
    let (src, dst) = (Side::dense(values, len), Side::view(dst, dst_len, &view));
    // SAFETY: the caller's promise.
    unsafe { transfer(&Transfer { shape: view.shape, elem, src, dst }, how) }
}

/// Writes one value to all positions.
///
/// # Safety
///
/// Every position of `view` lies in the `dst_len` elements at `dst`, which can be read and written;
/// `value` points at one element outside it.
#[inline]
pub(crate) unsafe fn fill(
    view: View<'_>,
    elem: usize,
    value: *const u8,
    dst: *mut u8,
    dst_len: usize,
    how: How,
) {
    let src = Side { start: value, len: 1, offset: 0, strides: Some(&[]), whole: true };
    // SAFETY: the caller's promise.
    unsafe {
        transfer(
            &Transfer { shape: view.shape, elem, src, dst: Side::view(dst, dst_len, &view) },
            how,
        )
    }
}

/// Writes `zero` to all of `dx` and `dy` to the view's positions, in one pass past the caches.
/// Returns `false`, having done nothing, if that is not worth it.
///
/// # Safety
///
/// Every position of `view` lies in the `dx_len` elements at `dx`, which can be written and need
/// not be initialised; `dy` has as many elements as the view, `zero` is one, and neither overlaps
/// `dx`.
pub(crate) unsafe fn grad(
    view: View<'_>,
    elem: usize,
    zero: *const u8,
    dy: *const u8,
    dx: *mut u8,
    dx_len: usize,
    how: How,
) -> bool {
    let bytes = dx_len * elem;
    let end = dx.addr() + bytes;
    let mut nest = Nest::new();
    let possible = bytes >= how.streamed
        && nest.merge(view.shape, None, Some(view.strides), elem)
        && how.streams(bytes, || bytes + nest.total)
        && nest.sort();
    // SAFETY: `zero` is one element.
    let background = if possible { unsafe { Background::new(zero, elem, dx, end) } } else { None };
    let Some(background) = background else { return false };
    let piece = Piece {
        readable: (dy.addr(), nest.total),
        limit: end,
        stream: true,
        background: Some(background),
        ..Piece::new(&nest, dy, dx.wrapping_add(view.offset * elem), how.set)
    };
    // SAFETY: the caller's promise; all from `dx` to its end is written.
    unsafe { share_out(&piece, how, bytes) }
    true
}
