//! One short block of bytes over and over: a value filled in, or broadcast along the last axis.

use core::mem::MaybeUninit;

use super::scatter::{Job, LONG};
use crate::kernel::movers::word;
use crate::kernel::vector::{Kernel, Level};
use crate::kernel::walk::{VisitPair, each_pair};

/// The longest block, and the most vectors after which it meets the lines in the same way again.
const BLOCK: usize = 64;
const PERIOD: usize = 7;
/// Shorter rows are not worth a pattern.
pub(crate) const SHORT: usize = 128;

/// Whether each row of the job is one block over and over.
pub(crate) fn repeats(job: &Job<'_>) -> bool {
    let (run, walk) = (job.run, job.walk);
    walk.src == 0
        && walk.dst == run as isize
        && run <= BLOCK
        && period(run) <= PERIOD
        && walk.n * run >= SHORT
        && job.inner.is_empty()
        && job.ground.is_none()
}

/// After how many lines a block of `run` bytes begins with a line again.
fn period(run: usize) -> usize {
    run / 64.min(1 << run.trailing_zeros())
}

/// Fills all rows of the job.
///
/// # Safety
/// The CPU has `L`'s set. All positions of the job lie in its source and target; [`repeats`] said yes.
pub(crate) unsafe fn flood<L: Level>(job: &Job<'_>) {
    let stream = job.stream && job.walk.n * job.run >= LONG;
    // SAFETY: the caller's promise.
    unsafe {
        if stream {
            L::enter(&mut Flood::<L, true>::new(job));
            L::fence();
        } else {
            L::enter(&mut Flood::<L, false>::new(job));
        }
    }
}

/// One line, moved by as few vector moves as the set has.
/// Elements may have bytes that were never written, so it is none of integers.
type Line = MaybeUninit<[u64; 8]>;

/// A line full of one word.
#[repr(C)]
pub(crate) union Block<W: Copy> {
    /// As many of them as there is room for, which is a constant.
    words: [MaybeUninit<W>; 64],
    line: Line,
}

impl<W: Copy> Block<W> {
    #[inline(always)]
    pub(crate) fn new(value: MaybeUninit<W>) -> Block<W> {
        const { assert!(64 % size_of::<W>() == 0) };
        let mut block = Block { words: [MaybeUninit::uninit(); 64] };
        for i in 0..64 / size_of::<W>() {
            // SAFETY: any bytes are `MaybeUninit`s.
            unsafe { block.words[i] = value };
        }
        block
    }

    /// Writes the word over and over, to `bytes` bytes.
    ///
    /// # Safety
    /// They can be written; they are a whole number of words, at least one.
    #[inline(always)]
    pub(crate) unsafe fn row(&self, dst: *mut u8, bytes: usize) {
        let from = (&raw const *self).cast::<u8>();
        // Two moves that overlap, each a whole number of words.
        macro_rules! twice {
            ($piece:ty) => {
                // SAFETY: so many bytes can be read, and the caller has at least as many to be written.
                unsafe {
                    word::<$piece>(from, dst);
                    word::<$piece>(from, dst.add(bytes - size_of::<$piece>()));
                }
            };
        }
        match bytes {
            64.. => {
                let mut i = 0;
                while i + 64 < bytes {
                    // SAFETY: a line that begins and ends before the last byte.
                    unsafe { word::<Line>(from, dst.add(i)) };
                    i += 64;
                }
                // SAFETY: the last line.
                unsafe { word::<Line>(from, dst.add(bytes - 64)) };
            }
            32.. => twice!([u64; 4]),
            16.. => twice!([u64; 2]),
            8.. => twice!(u64),
            4.. => twice!(u32),
            2.. => twice!(u16),
            _ => twice!(u8),
        }
    }
}

/// The block repeated over a period, and one line more, so that it can begin anywhere in its first line.
#[repr(align(64))]
struct Pattern([u8; (PERIOD + 1) * 64]);

struct Flood<'a, L, const STREAM: bool> {
    job: &'a Job<'a>,
    pattern: Pattern,
    /// The block that the pattern was made from.
    made: *const u8,
    level: core::marker::PhantomData<L>,
}

impl<'a, L, const STREAM: bool> Flood<'a, L, STREAM> {
    fn new(job: &'a Job<'a>) -> Self {
        let pattern = Pattern([0; (PERIOD + 1) * 64]);
        Flood { job, pattern, made: core::ptr::null(), level: core::marker::PhantomData }
    }
}

impl<L: Level, const STREAM: bool> Kernel for Flood<'_, L, STREAM> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        // SAFETY: `outer` counts the rows of the job.
        unsafe { each_pair(self.job.outer, self) }
    }
}

impl<L: Level, const STREAM: bool> VisitPair for Flood<'_, L, STREAM> {
    #[inline(always)]
    unsafe fn place(&mut self, src: isize, dst: isize) {
        let (run, bytes) = (self.job.run, self.job.walk.n * self.job.run);
        let (src, dst) = (self.job.src.wrapping_offset(src), self.job.dst.wrapping_offset(dst));
        let period = period(run);
        let pattern = self.pattern.0.as_mut_ptr();
        if src != self.made {
            // SAFETY: the block can be read; it fits into the pattern as often as is said here, and what is copied is behind what was.
            unsafe {
                core::ptr::copy_nonoverlapping(src, pattern, run);
                let (mut have, want) = (run, (period + 1) * 64);
                while have < want {
                    let more = have.min(want - have);
                    core::ptr::copy_nonoverlapping(pattern, pattern.add(have), more);
                    have += more;
                }
            }
            self.made = src;
        }
        let head = dst.addr().wrapping_neg() % 64;
        // SAFETY: the row has at least SHORT bytes, so a line fits at either end. Between them, `at + 64` never passes its end, and
        // `dst + at` is a multiple of 64. The pattern has a line behind each offset below its period and below `run`.
        unsafe {
            if STREAM {
                core::ptr::copy_nonoverlapping(pattern, dst, head);
            } else {
                dst.cast::<Line>().write_unaligned(pattern.cast::<Line>().read_unaligned());
            }
            let mut at = head;
            if period == 1 {
                let line = pattern.add(head).cast::<Line>().read_unaligned();
                let line = core::ptr::from_ref(&line);
                while at + 64 <= bytes {
                    if STREAM {
                        L::stream64(line.cast(), dst.add(at))
                    } else {
                        dst.add(at).cast::<Line>().write_unaligned(*line)
                    }
                    at += 64;
                }
            } else {
                let mut q = 0;
                while at + 64 <= bytes {
                    let line = pattern.add(head + 64 * q);
                    if STREAM {
                        L::stream64(line, dst.add(at));
                    } else {
                        dst.add(at).cast::<Line>().write_unaligned(line.cast::<Line>().read_unaligned());
                    }
                    at += 64;
                    q = if q + 1 == period { 0 } else { q + 1 };
                }
            }
            if STREAM {
                core::ptr::copy_nonoverlapping(pattern.add(at % run), dst.add(at), bytes - at);
            } else {
                let last = bytes - 64;
                dst.add(last).cast::<Line>().write_unaligned(pattern.add(last % run).cast::<Line>().read_unaligned());
            }
        }
    }
}
