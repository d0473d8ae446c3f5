//! AVX2: 32-byte vectors whose 16-byte halves are shuffled apart, each half from loads of its own.

use core::arch::x86_64::*;
use core::hint::select_unpredictable as pick;
use core::mem::MaybeUninit;

use crate::kernel::isa;
use crate::kernel::vector::{Kernel, Level, Picks, Vector};

/// A 32-byte vector.
#[derive(Clone, Copy)]
pub(crate) struct V32(pub(super) __m256i);

/// Tables of one output vector.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    /// For load `i` of both halves: the byte to take, or 0x80 for none.
    index: [__m256i; V32::LOADS],
    /// Offsets of the first load of each half.
    base: [isize; 2],
    /// How far in front of its loads it is prefetched.
    ahead: isize,
}

/// The lowest offset and one past the highest byte.
#[inline(always)]
fn bounds(offsets: &[i32], grain: usize) -> (isize, isize) {
    let (mut low, mut high) = (i32::MAX, i32::MIN);
    for &offset in offsets {
        low = low.min(offset);
        high = high.max(offset);
    }
    (low as isize, high as isize + grain as isize)
}

impl Level for V32 {
    const WIDTH: usize = 32;

    type Half = V32;

    #[inline(always)]
    unsafe fn enter<K: Kernel>(kernel: &mut K) {
        #[target_feature(enable = "avx2")]
        unsafe fn go<K: Kernel>(kernel: &mut K) {
            // SAFETY: the caller of `enter` may run the kernel.
            unsafe { kernel.run() }
        }
        // SAFETY: the caller's CPU has the set.
        unsafe { go(kernel) }
    }

    #[inline(always)]
    unsafe fn stream64(src: *const u8, dst: *mut u8) {
        // SAFETY: 64 bytes on both sides, `dst` aligned, by the caller's promise.
        unsafe {
            let (low, high) = (_mm256_loadu_si256(src.cast()), _mm256_loadu_si256(src.add(32).cast()));
            _mm256_stream_si256(dst.cast(), low);
            _mm256_stream_si256(dst.add(32).cast(), high);
        }
    }

    #[cfg(not(miri))]
    #[inline(always)]
    unsafe fn put64(quarter: __m128i, dst: *mut u8) {
        // SAFETY: 64 bytes, by the caller's promise; the CPU has the set.
        unsafe {
            let half = _mm256_broadcastsi128_si256(quarter);
            _mm256_storeu_si256(dst.cast(), half);
            _mm256_storeu_si256(dst.add(32).cast(), half);
        }
    }

    #[inline(always)]
    unsafe fn stream256(src: *const u8, dst: *mut u8) {
        // SAFETY: 256 bytes on both sides, `dst` aligned, by the caller's promise.
        unsafe {
            let halves: [__m256i; 8] = core::array::from_fn(|i| _mm256_loadu_si256(src.add(32 * i).cast()));
            for (i, half) in halves.into_iter().enumerate() {
                _mm256_stream_si256(dst.add(32 * i).cast(), half);
            }
        }
    }

    #[inline(always)]
    unsafe fn mix64(end: *const u8, start: *const u8, n: usize, dst: *mut u8) {
        /// From some place on, what each of 16 bytes is shuffled by: none, its own, or none.
        static BYTES: [u8; 48] = {
            let mut bytes = [0x80; 48];
            let mut i = 0;
            while i < 16 {
                bytes[16 + i] = i as u8;
                i += 1;
            }
            bytes
        };
        // One half of the line is of one row, the other of both, or of the second alone where `n` is 32.
        let half = n & 32;
        let whole = pick(half == 0, start.wrapping_add(32), end).wrapping_sub(n);
        // The mixed one begins so many bytes further on than the last 32 of the first row do, if the second followed that: at so many bytes
        // of so many sixteens, of which it needs three.
        let skip = 32 - n % 32;
        let (sixteens, bytes) = (skip & 48, skip % 16);
        let first = pick(sixteens == 32, start, end.wrapping_sub(32).wrapping_add(sixteens));
        let second = pick(sixteens == 0, end, start.wrapping_add(sixteens)).wrapping_sub(16);
        let third = start.wrapping_add(sixteens);
        // SAFETY: 64 bytes before `end` and at `start`, which no load leaves; those of `BYTES` begin at 32 at most; `dst` aligned, by the
        // caller's promise; the CPU has the set.
        unsafe {
            let at = |src: *const u8| _mm_loadu_si128(src.cast());
            let two = |low, high| _mm256_set_m128i(high, low);
            let table = |from: usize| _mm256_broadcastsi128_si256(at(BYTES.as_ptr().add(from)));
            let (first, second, third) = (at(first), at(second), at(third));
            // Bytes from `bytes` on of one sixteen, then those of the next.
            let low = _mm256_shuffle_epi8(two(first, second), table(16 + bytes));
            let high = _mm256_shuffle_epi8(two(second, third), table(bytes));
            let whole = _mm256_loadu_si256(whole.cast());
            let mixed = _mm256_or_si256(low, high);
            // The halves in order: the other way round takes longer.
            let mask = _mm256_set1_epi8((half << 2) as i8);
            _mm256_stream_si256(dst.cast(), _mm256_blendv_epi8(mixed, whole, mask));
            _mm256_stream_si256(dst.add(32).cast(), _mm256_blendv_epi8(whole, mixed, mask));
        }
    }

    /// Each load begins so far before its two words that these lie where no other load has any, so that one shuffle is enough.
    #[inline(always)]
    unsafe fn fourths(src: *const u8, dst: *mut u8) {
        // SAFETY: loads at 28, 56 and 84 bytes end with byte 116; the rest by the caller's promise.
        unsafe {
            let load = |i: usize| _mm256_loadu_si256(src.add(28 * i).cast());
            let first = _mm256_blend_epi32::<0b0010_0010>(load(0), load(1));
            let last = _mm256_blend_epi32::<0b1000_1000>(load(2), load(3));
            let mixed = _mm256_blend_epi32::<0b1100_1100>(first, last);
            let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
            _mm256_storeu_si256(dst.cast(), _mm256_permutevar8x32_epi32(mixed, order));
        }
    }

    #[inline(always)]
    fn fence() {
        // SAFETY: SSE is part of x86-64.
        unsafe { _mm_sfence() }
    }
}

/// Load number `i` of both halves.
///
/// # Safety
/// Both can be read; the CPU has the set.
#[inline(always)]
unsafe fn at(src: *const u8, base: [isize; 2], i: usize) -> __m256i {
    // SAFETY: the caller's promise.
    unsafe {
        let low = _mm_loadu_si128(src.wrapping_offset(base[0]).wrapping_add(16 * i).cast());
        let high = _mm_loadu_si128(src.wrapping_offset(base[1]).wrapping_add(16 * i).cast());
        _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1)
    }
}

impl Vector for V32 {
    const BYTES: usize = 32;
    const LOADS: usize = 6;
    const WORDS: bool = false;
    const CONSTANTS: bool = true;
    const TABLES: usize = 1000;
    type Line = Line;

    #[inline(always)]
    unsafe fn load(src: *const u8) -> V32 {
        // SAFETY: the caller's promise.
        V32(unsafe { _mm256_loadu_si256(src.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_storeu_si256(dst.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn stream(self, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_stream_si256(dst.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn store_first(self, dst: *mut u8, n: usize) {
        let mut bytes = [0u8; 32];
        // SAFETY: the array has 32 bytes, and the caller's `n` of them can be written.
        unsafe {
            self.store(bytes.as_mut_ptr());
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), dst, n);
        }
    }

    #[inline(always)]
    unsafe fn loads(picks: &Picks<'_>) -> usize {
        let &Picks { offsets, grain, .. } = picks;
        offsets
            .chunks(16 / grain)
            .map(|half| {
                let (low, end) = bounds(half, grain);
                ((end - low) as usize).div_ceil(16)
            })
            .max()
            .unwrap_or(1)
    }

    #[inline(always)]
    unsafe fn line(line: &mut MaybeUninit<Line>, picks: &Picks<'_>, loads: usize, ahead: isize) -> (isize, isize) {
        let &Picks { offsets, grain, .. } = picks;
        let span = 16 * loads as isize;
        let mut bytes = [[0x80u8; 32]; V32::LOADS];
        let mut base = [0; 2];
        for (h, half) in offsets.chunks(16 / grain).enumerate() {
            let (low, end) = bounds(half, grain);
            base[h] = if ahead < 0 { end - span } else { low };
            for (i, &offset) in half.iter().enumerate() {
                for b in 0..grain {
                    let at = (offset as isize - base[h]) as usize + b;
                    bytes[at / 16][16 * h + i * grain + b] = (at % 16) as u8;
                }
            }
        }
        // SAFETY: both are the same number of plain bytes.
        let index = unsafe { core::mem::transmute::<[[u8; 32]; V32::LOADS], [__m256i; V32::LOADS]>(bytes) };
        line.write(Line { index, base, ahead });
        (base[0].min(base[1]), base[0].max(base[1]) + span)
    }

    #[inline(always)]
    unsafe fn shuffle<const LOADS: usize, const WORDS: bool>(src: *const u8, line: &Line, loads: usize) -> V32 {
        let loads = if LOADS == 0 { loads } else { LOADS };
        // SAFETY: load `i` of either half lies in the span of the tables, which the caller can read; the CPU has the set.
        unsafe {
            let mut out = _mm256_shuffle_epi8(at(src, line.base, 0), line.index[0]);
            let mut i = 1;
            while i < loads {
                out = _mm256_or_si256(out, _mm256_shuffle_epi8(at(src, line.base, i), line.index[i]));
                i += 1;
            }
            V32(out)
        }
    }

    #[inline(always)]
    fn ask<const LOADS: usize>(src: *const u8, line: &Line, loads: usize) {
        let ahead = src.wrapping_offset(line.ahead);
        isa::prefetch(ahead.wrapping_offset(line.base[0]));
        // Halves of one load each are seldom more than a line apart.
        if LOADS != 1 && loads > 1 {
            isa::prefetch(ahead.wrapping_offset(line.base[1]));
        }
    }
}
