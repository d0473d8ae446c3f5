//! What sets without shuffles do for short steps: loops whose step or count is a constant, for the compiler to vectorise or unroll.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::runs::{Job, Runs};
use super::stage::{Rows, drive};
use crate::kernel::nest::Axis;
use crate::kernel::vector::{Base, Kernel};
use crate::kernel::walk::Mover;

/// Runs the job if its inner axis is one of those known here; otherwise returns false and has done nothing.
///
/// # Safety
/// As for [`runs`](super::runs::runs).
pub(crate) unsafe fn steps(job: &Job<'_>) -> bool {
    // SAFETY: the caller's promise; each kernel is made for the job's run.
    unsafe {
        match job.run {
            1 => sized::<MaybeUninit<u8>>(job),
            2 => sized::<MaybeUninit<u16>>(job),
            4 => sized::<MaybeUninit<u32>>(job),
            8 => sized::<MaybeUninit<u64>>(job),
            _ => false,
        }
    }
}

/// # Safety
/// As for [`steps`]; the job's run is the size of `T`.
unsafe fn sized<T: Copy>(job: &Job<'_>) -> bool {
    let inner = job.axes[0];
    let size = size_of::<T>() as isize;
    if inner.step % size != 0 {
        return false;
    }
    // SAFETY: the caller's promise; the kernels count the positions of the job, with the step or count they are made for.
    unsafe {
        if inner.n <= 4 && job.axes.len() > 1 {
            match inner.n {
                2 => Few::<T, 2>::run(job),
                3 => Few::<T, 3>::run(job),
                _ => Few::<T, 4>::run(job),
            }
            return true;
        }
        if size == 1 && cfg!(target_endian = "little") {
            // Single bytes are taken out of wider words, which is what can be vectorised without byte shuffles.
            match inner.step {
                -1 => Step::<T, -1> { job, inner, word: PhantomData }.run(),
                2 => Narrow::<u16> { job, inner, word: PhantomData }.run(),
                4 => Narrow::<u32> { job, inner, word: PhantomData }.run(),
                _ => return false,
            }
            return true;
        }
        match inner.step / size {
            -1 => Step::<T, -1> { job, inner, word: PhantomData }.run(),
            2 => Step::<T, 2> { job, inner, word: PhantomData }.run(),
            -2 => Step::<T, -2> { job, inner, word: PhantomData }.run(),
            3 => Step::<T, 3> { job, inner, word: PhantomData }.run(),
            4 => Step::<T, 4> { job, inner, word: PhantomData }.run(),
            _ => return false,
        }
    }
    true
}

/// Rows of elements `STEP` elements apart.
struct Step<'a, T, const STEP: isize> {
    job: &'a Job<'a>,
    inner: Axis,
    word: PhantomData<T>,
}

impl<T: Copy, const STEP: isize> Kernel for Step<'_, T, STEP> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        let job = self.job;
        // SAFETY: the axes beyond the first count the rows of the job's nest, which the caller of `steps` vouches for.
        unsafe { drive::<Base, _>(self, &job.axes[1..], 0, job.dst, job.total, job.stream) }
    }
}

impl<T: Copy, const STEP: isize> Rows for Step<'_, T, STEP> {
    const ALIGNED: bool = false;
    const STREAMS: bool = false;

    #[inline(always)]
    fn unit(&self) -> usize {
        size_of::<T>()
    }
    #[inline(always)]
    fn count(&self) -> usize {
        self.inner.n
    }
    #[inline(always)]
    fn group(&self) -> usize {
        16
    }
    #[inline(always)]
    fn step(&self) -> isize {
        self.inner.step
    }
    #[inline(always)]
    fn src(&self) -> *const u8 {
        self.job.src
    }
    #[inline(always)]
    unsafe fn part<const STREAM: bool>(&self, src: isize, n: usize, dst: *mut u8, _: usize) {
        let (src, dst) = (self.job.src.wrapping_offset(src).cast::<T>(), dst.cast::<T>());
        for i in 0..n {
            // SAFETY: position `i` of the part and its place in the destination, by the caller's promise.
            unsafe { dst.add(i).write_unaligned(src.wrapping_offset(i as isize * STEP).read_unaligned()) }
        }
    }
}

/// Rows of bytes as far apart as `W` is long: the lowest byte of each word.
struct Narrow<'a, W> {
    job: &'a Job<'a>,
    inner: Axis,
    word: PhantomData<W>,
}

/// A word whose first byte in memory is its lowest.
trait Lowest: Copy {
    fn lowest(self) -> u8;
}

impl Lowest for u16 {
    #[inline(always)]
    fn lowest(self) -> u8 {
        self as u8
    }
}

impl Lowest for u32 {
    #[inline(always)]
    fn lowest(self) -> u8 {
        self as u8
    }
}

impl<W: Lowest> Kernel for Narrow<'_, W> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        let job = self.job;
        // SAFETY: the axes beyond the first count the rows of the job's nest, which the caller of `steps` vouches for.
        unsafe { drive::<Base, _>(self, &job.axes[1..], 0, job.dst, job.total, job.stream) }
    }
}

impl<W: Lowest> Rows for Narrow<'_, W> {
    const ALIGNED: bool = false;
    const STREAMS: bool = false;

    #[inline(always)]
    fn unit(&self) -> usize {
        1
    }
    #[inline(always)]
    fn count(&self) -> usize {
        self.inner.n
    }
    #[inline(always)]
    fn group(&self) -> usize {
        64
    }
    #[inline(always)]
    fn step(&self) -> isize {
        self.inner.step
    }
    #[inline(always)]
    fn src(&self) -> *const u8 {
        self.job.src
    }
    #[inline(always)]
    unsafe fn part<const STREAM: bool>(&self, src: isize, n: usize, dst: *mut u8, _: usize) {
        let src = self.job.src.wrapping_offset(src).cast::<W>();
        let Some(last) = n.checked_sub(1) else { return };
        // SAFETY: the word of every position but the last ends before the next position, inside the source; each has its place
        // in the destination, by the caller's promise.
        unsafe {
            for i in 0..last {
                dst.add(i).write(src.add(i).read_unaligned().lowest());
            }
            dst.add(last).write(src.wrapping_add(last).cast::<u8>().read());
        }
    }
}

/// `N` elements, `step` bytes apart: a whole inner axis in one piece.
#[derive(Clone, Copy)]
struct Few<T, const N: usize> {
    step: isize,
    word: PhantomData<T>,
}

impl<T: Copy, const N: usize> Few<T, N> {
    /// # Safety
    /// As for [`steps`]; the inner axis has `N` positions of the size of `T`, and there is another axis.
    unsafe fn run(job: &Job<'_>) {
        let mover = Few::<T, N> { step: job.axes[0].step, word: PhantomData };
        let job = Job { axes: &job.axes[1..], run: job.run * N, ..*job };
        // SAFETY: the mover moves all positions of the inner axis, the other axes are the job's.
        unsafe { Runs::<Base, _>::new(&job, mover).run() }
    }
}

impl<T: Copy, const N: usize> Mover for Few<T, N> {
    #[inline(always)]
    unsafe fn one(self, src: *const u8, dst: *mut u8) {
        for i in 0..N {
            // SAFETY: position `i` of the inner axis and its place, by the caller's promise.
            unsafe {
                let value = src.wrapping_offset(self.step * i as isize).cast::<T>().read_unaligned();
                dst.cast::<T>().add(i).write_unaligned(value);
            }
        }
    }
    #[inline(always)]
    fn run(self) -> usize {
        N * size_of::<T>()
    }
}
