//! One short block of bytes over and over: a value filled in, or broadcast along the last axis.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::scatter::{Job, LONG};
use crate::kernel::isa::{self, Maker};
use crate::kernel::movers::word;
use crate::kernel::nest::Pair;
use crate::kernel::vector::{Kernel, Level, Quarter};
use crate::kernel::walk::{VisitPair, each_pair};

/// The longest block, and the most vectors after which it meets the lines in the same way again.
const BLOCK: usize = 64;
const PERIOD: usize = 7;
/// Shorter rows are not worth a pattern.
pub(crate) const SHORT: usize = 128;

/// Whether each row of the job is one block over and over.
pub(crate) fn repeats(job: &Job<'_>) -> bool {
    over(job.walk, job.run) && job.inner.is_empty() && job.ground.is_none()
}

/// Whether a loop writes one block over and over.
pub(crate) fn over(walk: Pair, run: usize) -> bool {
    walk.src == 0 && walk.dst == run as isize && run <= BLOCK && period(run) <= PERIOD && walk.n * run >= SHORT
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
    // SAFETY: the caller's promise; a value has as many bytes as the word.
    unsafe {
        match job.run {
            1 => words::<L, u8>(job),
            2 => words::<L, u16>(job),
            4 => words::<L, u32>(job),
            8 => words::<L, u64>(job),
            16 => words::<L, [u64; 2]>(job),
            _ => blocks::<L>(job),
        }
    }
}

/// How rows are written.
const PLAIN: u8 = 0;
const STREAM: u8 = 1;
const STRING: u8 = 2;

/// Whether rows of `bytes` bytes, `total` in all, are better written by the processor's own instruction for strings: it reads no line that it
/// writes, and what it writes stays in the caches. On Zen 5 it takes 0.79 of the time of vector stores from where the second-level cache ends on, and
/// 1.0 to 1.08 of that of streamed ones, where the lines were in no cache before; where they were, 0.36. Not measured on others.
fn string(bytes: usize, total: usize) -> bool {
    const FROM: usize = 768 << 10;
    /// Half of the last-level cache.
    const TO: usize = 16 << 20;
    cfg!(all(target_arch = "x86_64", not(miri))) && bytes >= FROM && total < TO && isa::maker() == Maker::NewAmd
}

/// One word over and over.
///
/// # Safety
/// As for [`flood`]; a value has the size of a `W`.
unsafe fn words<L: Level, W: Copy>(job: &Job<'_>) {
    let bytes = job.walk.n * job.run;
    // SAFETY: the caller's promise.
    unsafe {
        let near = string(bytes, job.total);
        if near && size_of::<W>() <= 8 {
            L::enter(&mut Words::<L, W, STRING> { job, level: PhantomData });
        } else if job.stream && bytes >= LONG && !near {
            // (The instruction has no words of 16 bytes; where it pays, plain stores of them do.)
            L::enter(&mut Words::<L, W, STREAM> { job, level: PhantomData });
            L::fence();
        } else {
            L::enter(&mut Words::<L, W, PLAIN> { job, level: PhantomData });
        }
    }
}

struct Words<'a, L, W, const HOW: u8> {
    job: &'a Job<'a>,
    level: PhantomData<(L, W)>,
}

impl<L: Level, W: Copy, const HOW: u8> Kernel for Words<'_, L, W, HOW> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        // SAFETY: `outer` counts the rows of the job.
        unsafe { each_pair(self.job.outer, self) }
    }
}

impl<L: Level, W: Copy, const HOW: u8> VisitPair for Words<'_, L, W, HOW> {
    #[inline(always)]
    unsafe fn place(&mut self, src: isize, dst: isize) {
        let bytes = self.job.walk.n * self.job.run;
        let (src, dst) = (self.job.src.wrapping_offset(src), self.job.dst.wrapping_offset(dst));
        // SAFETY: a value of the job, and a row of at least SHORT bytes, which is a whole number of words.
        unsafe {
            let block = Block::new(src.cast::<MaybeUninit<W>>().read_unaligned());
            // Lines begin with the first byte of a word.
            if HOW == PLAIN || !dst.addr().is_multiple_of(size_of::<W>()) {
                return block.long_row::<L>(dst, bytes);
            }
            let line = [block.quarter; 4];
            let (line, head) = (line.as_ptr().cast::<u8>(), dst.addr().wrapping_neg() % 64);
            core::ptr::copy_nonoverlapping(line, dst, head);
            let mut at = head;
            if HOW == STRING {
                let lines = (bytes - head) / 64;
                string_of_words(line.cast(), dst.add(at), 8 * lines);
                at += 64 * lines;
            } else {
                while at + 64 <= bytes {
                    L::stream64(line, dst.add(at));
                    at += 64;
                }
            }
            core::ptr::copy_nonoverlapping(line, dst.add(at), bytes - at);
        }
    }
}

/// Writes the 8 bytes at `value` `n` times.
///
/// # Safety
/// They can be read, and as many as are written written at `dst`.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
unsafe fn string_of_words(value: *const MaybeUninit<u64>, dst: *mut u8, n: usize) {
    // SAFETY: the instruction writes `n` times 8 bytes upwards, which the caller allows. The value passes through a register whatever it is: the
    // compiler knows nothing of what is loaded here.
    unsafe {
        core::arch::asm!(
            "mov rax, [rax]",
            "rep stosq",
            inout("rax") value => _,
            inout("rcx") n => _,
            inout("rdi") dst => _,
            options(nostack, preserves_flags)
        );
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
#[inline(always)]
unsafe fn string_of_words(value: *const MaybeUninit<u64>, dst: *mut u8, n: usize) {
    for i in 0..n {
        // SAFETY: the caller's promise.
        unsafe { dst.cast::<MaybeUninit<u64>>().add(i).write_unaligned(value.read_unaligned()) }
    }
}

/// A block of any other length over and over.
///
/// # Safety
/// As for [`flood`].
unsafe fn blocks<L: Level>(job: &Job<'_>) {
    let stream = job.stream && job.walk.n * job.run >= LONG;
    let pattern = Pattern([MaybeUninit::uninit(); (PERIOD + 1) * 64]);
    let made = core::ptr::null();
    // SAFETY: the caller's promise.
    unsafe {
        if stream {
            L::enter(&mut Flood::<L, true> { job, pattern, made, level: PhantomData });
            L::fence();
        } else {
            L::enter(&mut Flood::<L, false> { job, pattern, made, level: PhantomData });
        }
    }
}

/// One line, moved by as few vector moves as the set has.
/// Elements may have bytes that were never written, so it is none of integers.
type Line = MaybeUninit<[u64; 8]>;

/// One word over and over, as far as a register of the base set holds it. (Of lines of single words the compiler made five or six stores, whatever the
/// set: 1.1 to 1.5 times slower.)
#[derive(Clone, Copy)]
pub(crate) struct Block<W: Copy> {
    quarter: Quarter,
    word: PhantomData<W>,
}

impl<W: Copy> Block<W> {
    #[inline(always)]
    pub(crate) fn new(value: MaybeUninit<W>) -> Block<W> {
        const { assert!(16 % size_of::<W>() == 0) };
        Block { quarter: Self::quarter(value), word: PhantomData }
    }

    #[cfg(all(target_arch = "x86_64", not(miri)))]
    #[inline(always)]
    fn quarter(value: MaybeUninit<W>) -> Quarter {
        use core::arch::x86_64::{_mm_loadu_si128, _mm_set1_epi8, _mm_set1_epi16, _mm_set1_epi32, _mm_set1_epi64x};
        let first = value.as_ptr();
        isa::settle(first.cast());
        // SAFETY: the value has as many bytes, all of them settled just now. SSE2 is part of x86-64.
        unsafe {
            match size_of::<W>() {
                1 => _mm_set1_epi8(first.cast::<i8>().read_unaligned()),
                2 => _mm_set1_epi16(first.cast::<i16>().read_unaligned()),
                4 => _mm_set1_epi32(first.cast::<i32>().read_unaligned()),
                8 => _mm_set1_epi64x(first.cast::<i64>().read_unaligned()),
                _ => _mm_loadu_si128(first.cast()),
            }
        }
    }

    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    #[inline(always)]
    fn quarter(value: MaybeUninit<W>) -> Quarter {
        let mut quarter = Quarter::uninit();
        for i in 0..16 / size_of::<W>() {
            // SAFETY: so many words fit.
            unsafe { quarter.as_mut_ptr().cast::<MaybeUninit<W>>().add(i).write_unaligned(value) };
        }
        quarter
    }

    /// Writes the word over and over, to `bytes` bytes.
    ///
    /// # Safety
    /// The CPU has the set. They can be written; they are a whole number of words, at least one.
    #[inline(always)]
    pub(crate) unsafe fn row<L: Level>(self, dst: *mut u8, bytes: usize) {
        let half = [self.quarter; 2];
        let from = half.as_ptr().cast::<u8>();
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
            // SAFETY: a line and more.
            64.. => unsafe { self.long_row::<L>(dst, bytes) },
            32.. => twice!([u64; 4]),
            16.. => twice!([u64; 2]),
            8.. => twice!(u64),
            4.. => twice!(u32),
            2.. => twice!(u16),
            _ => twice!(u8),
        }
    }

    /// [`row`](Block::row) for at least a line. Lines of the destination are stored as wholes where they begin with a word.
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    unsafe fn long_row<L: Level>(self, dst: *mut u8, bytes: usize) {
        // SAFETY: the first line, lines that end before the last byte, and the last line. All of them begin with a word.
        unsafe {
            L::put64(self.quarter, dst);
            let whole = dst.addr().is_multiple_of(size_of::<W>());
            let mut i = if whole { 64 - dst.addr() % 64 } else { 64 };
            while i + 64 < bytes {
                L::put64(self.quarter, dst.add(i));
                i += 64;
            }
            L::put64(self.quarter, dst.add(bytes - 64));
        }
    }
}

/// The block repeated over a period, and one line more, so that it can begin anywhere in its first line.
#[repr(align(64))]
struct Pattern([MaybeUninit<u8>; (PERIOD + 1) * 64]);

struct Flood<'a, L, const STREAM: bool> {
    job: &'a Job<'a>,
    pattern: Pattern,
    /// The block that the pattern was made from.
    made: *const u8,
    level: PhantomData<L>,
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
        let pattern = self.pattern.0.as_mut_ptr().cast::<u8>();
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
