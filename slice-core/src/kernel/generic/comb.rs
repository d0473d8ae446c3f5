//! One value at short steps, by the base set of x86-64: whole vectors of which some bytes are replaced.
//!
//! A processor ends two stores a cycle at best, and a vector has room for up to eight values. It is what `blend` does, for the one case
//! that needs no shuffle.

use core::arch::x86_64::*;
use core::marker::PhantomData;

use super::blend::aligning;
use super::scatter::{self, Job, in_order};
use crate::kernel::isa;
use crate::kernel::movers::{Whole, one_by_one};
use crate::kernel::nest::Pair;
use crate::kernel::walk::{VisitPair, each_pair};

/// Bytes of a vector.
const BYTES: usize = size_of::<__m128i>();
/// The longest step: at longer ones there are too few values in a vector.
const STEP: usize = 8;
/// The most vectors after which it begins again.
const PERIOD: usize = 7;
/// Rows of fewer values are not worth a pattern: moved one by one they take 0.5 to 0.9 of the time.
const FEW: usize = 96;
/// From so many bytes on, the gaps counted, it pays at steps longer than 4 too (Zen 5: 0.6 to 0.9 of the time of single moves from there on, below
/// 1.1 to 1.3).
const FAR: usize = 64 << 10;

/// Rows of at least this many periods start with a whole vector, so that no store crosses a line.
const LONG: usize = 16;

/// Whether each row of the job is one value at a short step.
pub(crate) fn combs(job: &Job<'_>) -> bool {
    let (run, walk) = (job.run as isize, job.walk);
    walk.src == 0
        && walk.n >= FEW
        && (run + 1..=STEP as isize).contains(&walk.dst)
        && (walk.dst <= STEP as isize / 2 || job.total / job.run * walk.dst as usize >= FAR)
        && job.inner.is_empty()
        && job.ground.is_none()
}

/// Fills all rows of the job.
///
/// # Safety
/// All positions of the job lie in its source and target; [`combs`] said yes.
pub(crate) unsafe fn comb(job: &Job<'_>) {
    let step = job.walk.dst as usize;
    let count = match step / BYTES.min(1 << step.trailing_zeros()) {
        // A whole line at a time.
        1 => 4,
        count => count,
    };
    // SAFETY: zeros are vectors.
    let zero = unsafe { _mm_setzero_si128() };
    let (values, masks) = ([zero; PERIOD], [zero; PERIOD]);
    let log = (count * BYTES / step).ilog2();
    let mut rows = Comb { job, count, log, values, masks, made: core::ptr::null(), ahead: scatter::ahead(job) };
    // SAFETY: `outer` counts the rows of the job.
    unsafe { each_pair(job.outer, &mut rows) }
}

struct Comb<'a> {
    job: &'a Job<'a>,
    /// Vectors of a period, and for each of them the values with nothing between, and which bytes they are.
    count: usize,
    /// The values of a period are a power of two: of which number.
    log: u32,
    values: [__m128i; PERIOD],
    masks: [__m128i; PERIOD],
    /// The value that they were made from.
    made: *const u8,
    /// How far ahead lines of the destination are prefetched.
    ahead: Option<usize>,
}

impl Comb<'_> {
    /// Makes a period of the value at `src`.
    ///
    /// # Safety
    /// A run can be read there.
    #[inline(never)]
    unsafe fn make(&mut self, src: *const u8) {
        let (run, step) = (self.job.run, self.job.walk.dst);
        let (values, masks) = (self.values.as_mut_ptr().cast::<u8>(), self.masks.as_mut_ptr().cast::<u8>());
        let walk = Pair { n: 1 << self.log, src: 0, dst: step };
        // SAFETY: a period is so many steps, of `count` vectors; each step has room for a run, which is shorter.
        unsafe {
            singles(run, walk, src, values);
            singles(run, walk, [0xFF; STEP].as_ptr(), masks);
        }
        self.made = src;
    }

    /// Writes `n` periods of `COUNT` vectors. (With a number that is learnt at run time, each vector was followed by a branch: 1.1 to 2 times slower, as
    /// the compiler happened to lay them out.)
    ///
    /// # Safety
    /// They can be read and written.
    #[inline(always)]
    unsafe fn periods<const COUNT: usize>(&self, n: usize, dst: *mut u8) {
        // Copied, so that they stay in registers: the compiler cannot know that the stores leave them alone.
        let (values, masks, ahead) = (self.values, self.masks, self.ahead);
        let mut dst = dst;
        for _ in 0..n {
            if let Some(ahead) = ahead {
                isa::prefetch(dst.wrapping_add(ahead));
            }
            for (&value, &mask) in values[..COUNT].iter().zip(&masks[..COUNT]) {
                // SAFETY: one of the vectors. SSE2 is part of x86-64.
                unsafe {
                    let old = _mm_andnot_si128(mask, _mm_loadu_si128(dst.cast()));
                    _mm_storeu_si128(dst.cast(), _mm_or_si128(old, value));
                }
                dst = dst.wrapping_add(BYTES);
            }
        }
    }
}

impl VisitPair for Comb<'_> {
    #[inline(always)]
    unsafe fn place(&mut self, src: isize, dst: isize) {
        let &mut Comb { job: &Job { run, walk, high, .. }, count, log, .. } = self;
        let (src, dst) = (self.job.src.wrapping_offset(src), self.job.dst.wrapping_offset(dst));
        if src != self.made {
            // SAFETY: the value of the row.
            unsafe { self.make(src) };
        }
        let (step, bytes) = (walk.dst as usize, count * BYTES);
        // Stores that do not cross lines, where steps lead to such places and the row is long.
        let lead = if walk.n >= LONG << log { aligning(dst.addr() % BYTES, step, BYTES) } else { 0 };
        let start = dst.wrapping_add(lead * step);
        let mut full = (walk.n - lead) >> log;
        while full > 0 && start.addr() + full * bytes > high {
            full -= 1;
        }
        let rest = start.wrapping_add(full * bytes);
        debug_assert!(matches!(count, 3 | 4 | 5 | PERIOD));
        // SAFETY: the row's values before, in and behind the periods, which end at or before `high`.
        unsafe {
            singles(run, Pair { n: lead, ..walk }, src, dst);
            match count {
                3 => self.periods::<3>(full, start),
                4 => self.periods::<4>(full, start),
                5 => self.periods::<5>(full, start),
                // The odd ones there are, and a line; no other step up to 8 has another.
                _ => self.periods::<PERIOD>(full, start),
            }
            singles(run, Pair { n: walk.n - lead - (full << log), ..walk }, src, rest);
        }
    }
}

/// Writes a few values one by one.
///
/// # Safety
/// The value, of `run` bytes, can be read at `src`, and each of the places written at `dst`.
#[inline(always)]
unsafe fn singles(run: usize, walk: Pair, src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        match run {
            1 => one_by_one(Whole::<u8>(PhantomData), walk, src, dst),
            2 => one_by_one(Whole::<u16>(PhantomData), walk, src, dst),
            4 => one_by_one(Whole::<u32>(PhantomData), walk, src, dst),
            _ => in_order(&[walk], run, src, dst),
        }
    }
}
