//! The loops that move elements, and the choice among them.
//!
//! Every operation reduces its view to a merged nest, then names a kernel for it. The algorithms stand once
//! in `generic`, over the small vector layer of `vector`; `x86_64` holds the instances of that layer. Small work never gets there: it is done by
//! the plain moves of `walk` at once.
//!
//! The kernels do not allocate. The heap is asked for results (`memory`, and `tiny` for the smallest), and for the loops of the parts that
//! threads are given (`parallel`). Nor do the kernels check a view against a buffer: the callers have done so, against the very slices they
//! pass. `tiny` and `fixed`, which are tried before, check for themselves.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions, reaches and byte counts are those of a view that lies inside one allocated buffer (`View::fits`, or the caller's \
              promise), so they fit isize; vector and table sizes are small constants, and no run is empty"
)]
#![expect(
    clippy::indexing_slicing,
    reason = "rooms hold more axes longer than 1 than any count of elements has factors; tables are as long as the constants that \
              bound the loops over them; what takes a nest with axes or a walk is given one"
)]

mod back;
pub(crate) mod fixed;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 has shuffles so far"))]
mod generic;
mod isa;
pub(crate) mod memory;
mod movers;
mod nest;
mod pairs;
#[cfg(feature = "rayon")]
mod parallel;
pub(crate) mod tiny;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 has shuffles so far"))]
mod vector;
mod walk;
mod within;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(test)]
mod back_tests;
#[cfg(test)]
mod tests;

use core::sync::atomic::{AtomicUsize, Ordering};

pub(crate) use back::{How, Transfer, add, fill, grad, scatter, transfer};
#[cfg(feature = "rayon")]
pub(crate) use back::{add_spread, transfer_by};
pub use isa::{Isa, available, force};
#[cfg(all(test, feature = "rayon"))]
pub(crate) use parallel::shared_out;
pub(crate) use within::ordered;

/// Where a view lies in a buffer: shape, strides and offset in elements; strides may be negative or 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) shape: &'a [usize],
    pub(crate) strides: &'a [isize],
    pub(crate) offset: usize,
}

impl View<'_> {
    /// How many positions the view has, if all of them lie in a buffer of `buffer` elements.
    ///
    /// It trusts nothing: this is the check that the safety of every entry point rests on.
    #[inline]
    pub(crate) fn fits(&self, buffer: usize) -> Option<usize> {
        if self.shape.len() != self.strides.len() {
            return None;
        }
        let (mut len, mut over) = (1usize, false);
        let (mut low, mut high) = (self.offset, self.offset);
        for (&n, &s) in self.shape.iter().zip(self.strides) {
            if n == 0 {
                return Some(0);
            }
            let (product, o) = len.overflowing_mul(n);
            let (reach, p) = (n - 1).overflowing_mul(s.unsigned_abs());
            len = product;
            let q;
            if s < 0 {
                (low, q) = low.overflowing_sub(reach);
            } else {
                (high, q) = high.overflowing_add(reach);
            }
            over |= o | p | q;
        }
        (!over && high < buffer && low <= high).then_some(len)
    }
}

/// Outputs of at least this many bytes are streamed past the caches.
static STREAMING: AtomicUsize = AtomicUsize::new(LEAVING);

/// What [`STREAMING`] is at first.
const LEAVING: usize = 4 << 20;

/// Whether a result of `bytes` bytes that is made over a reach of `both` bytes, input and output together, is streamed where results of `threshold`
/// are.
///
/// What fits AMD's last-level cache with all it is made from is better left there. Zen 3 with 32 MiB of it, the same copy again and again, streamed to
/// plain: reversals of 4 MiB 1.5, 6 MiB 1.0, 8 MiB 0.87; every second element of 4 MiB 1.05, 6 MiB 0.9; fills of 4 MiB 2.4, 8 MiB 1.6, 12 MiB 0.8.
/// (Others not measured.)
fn streams(bytes: usize, both: usize, threshold: usize) -> bool {
    const KEPT: usize = 12 << 20;
    bytes >= threshold && (both >= KEPT || threshold < LEAVING || isa::maker() == isa::Maker::Other)
}

/// The size of a result in bytes from which on it is written past the caches.
///
/// See [`set_streaming_threshold`].
#[must_use]
pub fn streaming_threshold() -> usize {
    STREAMING.load(Ordering::Relaxed)
}

/// Sets from which size in bytes on a result is written past the caches, in every thread; `usize::MAX` for never.
///
/// Streaming is faster for results that do not fit the caches (they need not be read first). A program that reads the result again at once and
/// has a large last-level cache may prefer a higher value. Results of some kilobytes are never streamed; nor are, at 4 MiB (as it is at first) and more,
/// those that AMD's processors keep in their last-level cache together with what they are made from, up to 12 MiB in all.
///
/// ```
/// use slice_core::kernel;
/// let before = kernel::streaming_threshold();
/// kernel::set_streaming_threshold(usize::MAX);
/// assert_eq!(kernel::streaming_threshold(), usize::MAX);
/// kernel::set_streaming_threshold(before);
/// ```
pub fn set_streaming_threshold(bytes: usize) {
    STREAMING.store(bytes, Ordering::Relaxed);
}

/// Outputs of at least this many bytes are shared out among threads.
#[cfg(feature = "rayon")]
static SPREADING: AtomicUsize = AtomicUsize::new(SPREAD);

/// Another thread that sleeps begins up to 60 µs later, and calling it takes up to 20; one megabyte takes one thread 25 to 60. (Zen 3, 2 threads,
/// the other asleep: 0.8 to 1.6 times as fast at 2 MiB, 1.2 to 1.4 at 4.)
#[cfg(feature = "rayon")]
pub(crate) const SPREAD: usize = 4 << 20;

/// From how many bytes of output on the plain methods of plans use rayon's current pool.
///
/// They are `copy`, `assign`, `fill` and `grad`, with their forms for buffers of the caller's, for bytes and for broadcasting, and `copy_to`.
/// `add_assign` does not: it runs code of the element's type, and not all types allow that in other threads. `par_add_assign` asks for one
/// that does. Where positions of the target share an element, one thread writes them all. See [`set_parallel_threshold`].
#[cfg(feature = "rayon")]
#[must_use]
pub fn parallel_threshold() -> usize {
    SPREADING.load(Ordering::Relaxed)
}

/// Sets from how many bytes of output on the plain methods of plans use rayon's current pool, in every thread; `usize::MAX` for never.
///
/// It is 4 MiB at first: with the feature `rayon`, whoever slices much has it done by all threads, without another word. A program that has
/// its own threads busy may prefer to say where it wants that, by `par_copy` and its sisters, which do not ask this setting. In a pool of
/// one thread nothing is shared out in either case, and nothing waits for a pool that is busy with something else: the calling thread then
/// does all of it.
///
/// ```
/// use slice_core::kernel;
/// let before = kernel::parallel_threshold();
/// kernel::set_parallel_threshold(usize::MAX);
/// assert_eq!(kernel::parallel_threshold(), usize::MAX);
/// kernel::set_parallel_threshold(before);
/// ```
#[cfg(feature = "rayon")]
pub fn set_parallel_threshold(bytes: usize) {
    SPREADING.store(bytes, Ordering::Relaxed);
}

/// From how many bytes on the plain methods share out their work.
#[cfg(feature = "rayon")]
fn spread_threshold() -> usize {
    parallel_threshold()
}

/// Never: there is no pool.
#[cfg(not(feature = "rayon"))]
fn spread_threshold() -> usize {
    usize::MAX
}

/// Whether `run` bytes at each of the positions that make `total` are better moved at once than by a kernel: anything cleverer costs more than it
/// saves. Wide runs take one or two moves in any case.
fn small(run: usize, total: usize) -> bool {
    total <= 512 || (total <= 4096 && (16..=64).contains(&run))
}

/// Copies the view's elements of `elem` bytes, in order, from `src` to `dst`.
///
/// # Safety
/// - Every position of the view lies in the `src_len` elements at `src`, which can be read; `src_len * elem` is the size of that one object.
/// - `dst` is good for as many bytes as the view has, and does not overlap the source.
#[inline]
pub(crate) unsafe fn gather(view: View<'_>, elem: usize, src: *const u8, src_len: usize, dst: *mut u8) {
    let mut room = nest::room();
    let Some(nest::Nest { axes, run, start, total }) = nest::Nest::merge(&mut room, &view, elem) else { return };
    if small(run, total) {
        // SAFETY: the runs of the nest are the positions of the view, which the caller vouches for.
        unsafe { walk::any_nest(run, axes, src.wrapping_add(start), dst) }
    } else {
        let (low, end) = nest::extent(axes, run);
        let job = generic::gather::Job {
            axes,
            run,
            start,
            src,
            src_bytes: src_len * elem,
            dst,
            total,
            stream: streams(total, total + (end - low) as usize, streaming_threshold()),
        };
        // SAFETY: the same; `current` names only sets the CPU has.
        unsafe { large(&job, isa::current()) }
    }
}

/// The rest of [`gather`], kept apart so that small calls need little stack.
///
/// # Safety
/// As for [`gather`], of whose view `job` is made; the CPU has the set `isa`.
#[inline(never)]
unsafe fn large(job: &generic::gather::Job<'_>, isa: Isa) {
    use generic::{gather, runs};
    if job.axes.is_empty() {
        let first = job.src.wrapping_add(job.start);
        // SAFETY: one run, which the caller vouches for.
        unsafe {
            match isa {
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => runs::block::<x86_64::avx512::V64>(first, job.dst, job.total, job.stream),
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => runs::block::<x86_64::avx2::V32>(first, job.dst, job.total, job.stream),
                _ => runs::block::<vector::Base>(first, job.dst, job.total, job.stream),
            }
        }
        return;
    }
    // SAFETY: the caller's promise.
    unsafe {
        match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => gather::wide::<x86_64::avx512::V64, x86_64::avx2::V32>(job),
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => gather::vectors::<x86_64::avx2::V32>(job),
            _ => gather::portable(job),
        }
    }
}
