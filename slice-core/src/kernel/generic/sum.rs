//! Sums into a view. Elements have a type here; the loops are plain Rust, written so that the compiler vectorises them for each set.

use core::ops::AddAssign;

use crate::kernel::nest::Pair;
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
    unsafe { L::enter(job) }
}

impl<T: Copy + AddAssign> Kernel for Sum<'_, T> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        // SAFETY: `outer` counts the rows of the job.
        unsafe { each_pair(self.outer, self) }
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
