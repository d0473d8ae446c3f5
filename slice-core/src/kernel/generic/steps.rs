//! Short steps without tables: loops whose step or count is a constant, for the compiler to vectorise or unroll.
//!
//! A set without shuffles has nothing better. On AVX2 they are faster than tables too where the result stays in the caches: its tables
//! take 16-byte loads for each half of a vector, while the compiler knows a shuffle for each step (Zen 3: 1.1 to 1.8 times).

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::runs::{Job, Runs};
use super::stage::{Rows, drive};
use crate::kernel::isa;
use crate::kernel::movers::{Mover, word};
use crate::kernel::nest::Axis;
use crate::kernel::vector::{Base, Kernel, Level};

/// Runs the job if its inner axis is one of those that any set has a loop for; otherwise returns false and has done nothing.
///
/// # Safety
/// As for [`runs`](super::runs::runs); what lies between the positions can be read too.
pub(crate) unsafe fn steps(job: &Job<'_>) -> bool {
    // SAFETY: the caller's promise; each kernel is made for the job's run.
    unsafe {
        match job.run {
            1 => few::<MaybeUninit<u8>>(job),
            2 => few::<MaybeUninit<u16>>(job),
            4 => few::<MaybeUninit<u32>>(job),
            8 => few::<MaybeUninit<u64>>(job),
            16 => few::<MaybeUninit<[u64; 2]>>(job),
            _ => false,
        }
    }
}

/// # Safety
/// As for [`steps`]; the job's run is the size of `T`.
unsafe fn few<T: Copy>(job: &Job<'_>) -> bool {
    let inner = job.axes[0];
    let Some(step) = elements(inner, size_of::<T>()) else { return false };
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
        let Some(line) = base_line(size_of::<T>(), step) else { return false };
        Step { job, inner, line }.run();
    }
    true
}

/// Runs the job if its inner axis is one that sets with shuffles have a loop for, and its rows are long enough.
///
/// # Safety
/// As for [`runs`](super::runs::runs); what lies between the positions can be read too; the CPU has `L`'s set.
pub(crate) unsafe fn long_steps<L: Level>(job: &Job<'_>) -> bool {
    let Some(line) = long_line::<L>(job) else { return false };
    let inner = job.axes[0];
    // SAFETY: the caller's promise; the loop is made for runs and steps of this size.
    unsafe { Step { job, inner, line }.run() };
    true
}

/// Whether the job's rows are short ones that any set has a good loop for.
pub(crate) fn short_loops(job: &Job<'_>) -> bool {
    let inner = job.axes[0];
    let good = match elements(inner, job.run) {
        Some(-1 | 2) => job.run <= 8,
        Some(4) => job.run == 1,
        _ => false,
    };
    good && inner.n * job.run < LONG
}

/// The loop, compiled for `L`, that there is for the job's inner axis, if its rows are long enough.
fn long_line<L: Level>(job: &Job<'_>) -> Option<Line> {
    let inner = job.axes[0];
    if inner.n < LONG / job.run.max(1) {
        return None;
    }
    wide_line::<L>(job.run, elements(inner, job.run)?)
}

/// Rows of fewer bytes mostly go by what follows a loop of whole vectors.
const LONG: usize = 512;

/// Whether the loop of `L`, which is AVX2, is better than tables of AVX-512, for a result that stays in the caches: where the loop costs little more than the
/// loads (reversals, steps of 2 and, in words, of 3), and where making tables takes longer than the copy. Zen 5: 800 bytes of output 2.5 to 6
/// times faster, 3 KiB 2 to 4 times, 12 KiB up to 2 times, 128 KiB 1.05 to 1.15.
pub(crate) fn better<L: Level>(job: &Job<'_>) -> bool {
    const TABLES: usize = 4 << 10;
    let cheap = match elements(job.axes[0], job.run) {
        Some(-1 | 2) => true,
        Some(3) => job.run >= 4,
        _ => false,
    };
    (cheap || job.total <= TABLES) && long_line::<L>(job).is_some()
}

/// The step of an axis in elements of `size` bytes, if it is a whole number of them and `size` a power of two, as it is wherever there is a loop.
fn elements(axis: Axis, size: usize) -> Option<isize> {
    let log = size.trailing_zeros();
    // A division would take as long as some of the loops.
    (size.is_power_of_two() && axis.step.trailing_zeros() >= log).then(|| axis.step >> log)
}

/// Moves `n` elements to `dst`, the first from `src`.
///
/// # Safety
/// Each can be read, as far apart as the function is made for, with all that lies between them, and written, one behind the other; the two do not overlap.
type Line = unsafe fn(src: *const u8, dst: *mut u8, n: usize);

/// The loops that pay without shuffles of bytes.
fn base_line(size: usize, step: isize) -> Option<Line> {
    Some(match (size, step) {
        (1, -1) => every::<Base, u8, -1>,
        // Single bytes are taken out of wider words, which is what can be vectorised without byte shuffles.
        (1, 2) if cfg!(target_endian = "little") => narrow::<Base, u16>,
        (1, 4) if cfg!(target_endian = "little") => narrow::<Base, u32>,
        (2, -1) => every::<Base, u16, -1>,
        (2, 2) => every::<Base, u16, 2>,
        (2, 3) => every::<Base, u16, 3>,
        (2, 4) => every::<Base, u16, 4>,
        (4, -1) => every::<Base, u32, -1>,
        (4, -2) => every::<Base, u32, -2>,
        (4, 2) => every::<Base, u32, 2>,
        (4, 3) => every::<Base, u32, 3>,
        (4, 4) => every::<Base, u32, 4>,
        (8, -1) => every::<Base, u64, -1>,
        (8, -2) => every::<Base, u64, -2>,
        (8, 2) => every::<Base, u64, 2>,
        _ => return None,
    })
}

/// The loops that are faster than tables of AVX2, as measured for each (Zen 3, 256 KiB read).
fn wide_line<L: Level>(size: usize, step: isize) -> Option<Line> {
    Some(match (size, step) {
        (1, -1) => every::<L, u8, -1>,
        (1, 2) => every::<L, u8, 2>,
        (1, 3) => every::<L, u8, 3>,
        (1, 4) => every::<L, u8, 4>,
        (1, 6) => every::<L, u8, 6>,
        (1, 7) => every::<L, u8, 7>,
        (1, 8) => every::<L, u8, 8>,
        (1, 16) => every::<L, u8, 16>,
        (2, -1) => every::<L, u16, -1>,
        (2, 2) => every::<L, u16, 2>,
        (2, 3) => every::<L, u16, 3>,
        (2, 4) => every::<L, u16, 4>,
        (2, 6) => every::<L, u16, 6>,
        (2, 7) => every::<L, u16, 7>,
        (2, 8) => every::<L, u16, 8>,
        (4, -1) => every::<L, u32, -1>,
        (4, 2) => every::<L, u32, 2>,
        (4, 3) => every::<L, u32, 3>,
        (4, 4) if L::WIDTH == 32 => fourth::<L>,
        // Interleaved by the base set: 1.2 times faster than what the compiler makes of it with wider ones.
        (4, 4) => every::<Base, u32, 4>,
        (4, 5) => every::<L, u32, 5>,
        (4, 6) => every::<L, u32, 6>,
        (8, -1) => every::<L, u64, -1>,
        (8, 2) => every::<L, u64, 2>,
        (8, 3) => every::<L, u64, 3>,
        _ => return None,
    })
}

/// Every `STEP`-th element, as one loop for the compiler. A function of its own, as the rows around it are the same for all.
///
/// # Safety
/// As for [`Line`]; the CPU has `L`'s set.
#[inline(never)]
unsafe fn every<L: Level, T: Copy, const STEP: isize>(src: *const u8, dst: *mut u8, n: usize) {
    struct Every<T, const STEP: isize>(*const MaybeUninit<T>, *mut MaybeUninit<T>, usize);
    impl<T: Copy, const STEP: isize> Kernel for Every<T, STEP> {
        #[inline(always)]
        unsafe fn run(&mut self) {
            let &mut Every(src, dst, n) = self;
            for i in 0..n {
                // SAFETY: element `i` and its place, by the caller's promise.
                unsafe { dst.add(i).write_unaligned(src.offset(i as isize * STEP).read_unaligned()) }
            }
        }
    }
    // SAFETY: the caller's promise.
    unsafe { L::enter(&mut Every::<T, STEP>(src.cast(), dst.cast(), n)) }
}

/// Every fourth word of 4 bytes, as the set has it.
///
/// # Safety
/// As for [`Line`]; the CPU has `L`'s set.
#[inline(never)]
unsafe fn fourth<L: Level>(src: *const u8, dst: *mut u8, n: usize) {
    struct Fourth<L>(*const u8, *mut u8, usize, PhantomData<L>);
    impl<L: Level> Kernel for Fourth<L> {
        #[inline(always)]
        unsafe fn run(&mut self) {
            let &mut Fourth(src, dst, n, _) = self;
            let eights = n / 8;
            for i in 0..eights {
                // SAFETY: eight of the words and their places, by the caller's promise.
                unsafe { L::fourths(src.add(128 * i), dst.add(32 * i)) }
            }
            for i in 8 * eights..n {
                // SAFETY: one of the rest.
                unsafe { word::<u32>(src.add(16 * i), dst.add(4 * i)) }
            }
        }
    }
    // SAFETY: the caller's promise.
    unsafe { L::enter(&mut Fourth::<L>(src, dst, n, PhantomData)) }
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

/// Bytes as far apart as `W` is long: the lowest byte of each word.
///
/// # Safety
/// As for [`Line`]; the CPU has `L`'s set.
#[inline(never)]
unsafe fn narrow<L: Level, W: Lowest>(src: *const u8, dst: *mut u8, n: usize) {
    struct Narrow<W>(*const W, *mut u8, usize);
    impl<W: Lowest> Kernel for Narrow<W> {
        #[inline(always)]
        unsafe fn run(&mut self) {
            let &mut Narrow(src, dst, n) = self;
            let Some(last) = n.checked_sub(1) else { return };
            if !isa::settle(src.cast()) {
                for i in 0..n {
                    // SAFETY: each position and its place, by the caller's promise.
                    unsafe { word::<u8>(src.wrapping_add(i).cast(), dst.add(i)) }
                }
                return;
            }
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
    // SAFETY: the caller's promise.
    unsafe { L::enter(&mut Narrow::<W>(src.cast(), dst, n)) }
}

/// Rows by a [`Line`].
struct Step<'a> {
    job: &'a Job<'a>,
    inner: Axis,
    line: Line,
}

impl Step<'_> {
    /// # Safety
    /// As for [`steps`]; the line is made for the job's run and the inner axis' step.
    unsafe fn run(&self) {
        let job = self.job;
        // SAFETY: the axes beyond the first count the rows of the job's nest, which the caller of `steps` vouches for.
        unsafe { drive::<Base, _>(self, &job.axes[1..], 0, job.dst, job.total, job.stream) }
    }
}

impl Rows for Step<'_> {
    const ALIGNED: bool = true;
    const STREAMS: bool = false;

    #[inline(always)]
    fn unit(&self) -> usize {
        self.job.run
    }
    #[inline(always)]
    fn count(&self) -> usize {
        self.inner.n
    }
    #[inline(always)]
    fn group(&self) -> usize {
        // Whole lines, so that rows are cut where vectors end.
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
        // SAFETY: positions of the nest and their places, by the caller's promise; they are as far apart as the line is made for.
        unsafe { (self.line)(self.job.src.wrapping_offset(src), dst, n) }
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
