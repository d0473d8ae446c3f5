//! Sums into a view. Elements have a type here; the loops are plain Rust, written so that the compiler vectorises them for each set.

use core::ops::AddAssign;

use super::gap::Gap;
use crate::kernel::nest::{Axis, Pair};
use crate::kernel::vector::{Kernel, Level};
use crate::kernel::walk::{VisitPair, each_pair};

/// Adds runs of `len` elements along `walk` and `outer`.
pub(crate) struct Sum<'a, T> {
    pub len: usize,
    pub walk: Pair,
    pub outer: &'a [Pair],
    pub src: *const T,
    pub dst: *mut T,
}

/// Adds, in order.
///
/// # Safety
/// The CPU has `L`'s set. All positions can be read at `src`, read and written at `dst`, and the two buffers do not overlap.
pub(crate) unsafe fn sum<L: Level, T: Copy + AddAssign>(job: &mut Sum<'_, T>) {
    // SAFETY: the caller's promise.
    unsafe {
        match *job.outer {
            [next, ..] if next.n.saturating_mul(next.dst.unsigned_abs()) >= FAR => far::<L, T>(job, next),
            _ => L::enter(job),
        }
    }
}

/// Adds to what may not be in a cache.
///
/// # Safety
/// As for [`sum`].
#[inline(never)]
unsafe fn far<L: Level, T: Copy + AddAssign>(job: &mut Sum<'_, T>, next: Pair) {
    let (walk, run) = (job.walk, job.len * size_of::<T>());
    let gap = |step, next_step| Gap::of_rows(run, walk.n, step, Axis { n: next.n, step: next_step }, false);
    let gaps = [gap(walk.src, next.src), gap(walk.dst, next.dst)];
    // SAFETY: the caller's promise.
    unsafe { L::enter(&mut Asking { sum: job, gaps }) }
}

/// Targets over which the rows reach less far are in some cache, where nothing need be asked for.
const FAR: usize = 256 << 10;

impl<T: Copy + AddAssign> Kernel for Sum<'_, T> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        // SAFETY: `outer` counts the rows of the job.
        unsafe { each_pair(self.outer, self) }
    }
}

/// A sum, and what is asked for beside the rows of its source and its target.
struct Asking<'a, 'b, T> {
    sum: &'a mut Sum<'b, T>,
    gaps: [Gap; 2],
}

impl<T: Copy + AddAssign> Kernel for Asking<'_, '_, T> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        // SAFETY: `outer` counts the rows of the job.
        unsafe { each_pair(self.sum.outer, self) }
    }
}

impl<T: Copy + AddAssign> VisitPair for Asking<'_, '_, T> {
    #[inline(always)]
    unsafe fn place(&mut self, src: isize, dst: isize) {
        let [read, written] = self.gaps;
        // SAFETY: rows of the job's loops on both sides.
        unsafe {
            read.read(self.sum.src.cast(), src);
            written.read(self.sum.dst.cast(), dst);
            self.sum.place(src, dst);
        }
    }
}

impl<T: Copy + AddAssign> VisitPair for Sum<'_, T> {
    #[inline(always)]
    unsafe fn place(&mut self, src: isize, dst: isize) {
        let &mut Sum { len, walk, .. } = self;
        let (src, dst) = (self.src.wrapping_byte_offset(src), self.dst.wrapping_byte_offset(dst));
        let size = size_of::<T>() as isize;
        // SAFETY: runs of the job, which the caller vouches for; the two sides do not overlap. A row of single elements that step by minus
        // one lies in one piece that ends with the first; steps are whole elements.
        unsafe {
            if len > 1 {
                let (mut src, mut dst) = (src, dst);
                for _ in 0..walk.n {
                    let from = core::slice::from_raw_parts(src, len);
                    for (to, from) in core::slice::from_raw_parts_mut(dst, len).iter_mut().zip(from) {
                        *to += *from;
                    }
                    (src, dst) = (src.wrapping_byte_offset(walk.src), dst.wrapping_byte_offset(walk.dst));
                }
            } else if walk.src == size && walk.dst == -size {
                let from = core::slice::from_raw_parts(src, walk.n);
                let to = core::slice::from_raw_parts_mut(dst.sub(walk.n - 1), walk.n);
                for (to, from) in to.iter_mut().rev().zip(from) {
                    *to += *from;
                }
            } else {
                let (mut src, mut dst) = (src, dst);
                for _ in 0..walk.n {
                    *dst += *src;
                    (src, dst) = (src.wrapping_byte_offset(walk.src), dst.wrapping_byte_offset(walk.dst));
                }
            }
        }
    }
}
