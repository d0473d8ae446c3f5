//! AVX2: 32-byte vectors whose 16-byte halves are shuffled separately, each from its own loads.

use crate::kernel::vector::{ONES, Vector};
use core::arch::x86_64::*;

#[derive(Clone, Copy)]
struct V32(__m256i);

super::stamp!(V32, lane 16, costs HALF, between &BETWEEN, features "avx2");

pub(super) static BETWEEN: Vectors = vectors::<true>();

impl Vector for V32 {
    const BYTES: usize = 32;
    /// The positions in either load.
    type Index = [__m256i; 2];
    type Mask = __m256i;

    #[inline(always)]
    unsafe fn index(first: *const u8, second: *const u8) -> [__m256i; 2] {
        // SAFETY: the caller's promise.
        unsafe { [_mm256_loadu_si256(first.cast()), _mm256_loadu_si256(second.cast())] }
    }

    #[inline(always)]
    unsafe fn mask(table: *const u8, n: usize) -> __m256i {
        let first = ONES.as_ptr().cast::<u8>().wrapping_add(64 - n.min(32));
        // SAFETY: 32 bytes of the table, by the caller's promise, and of `ONES`.
        unsafe {
            _mm256_and_si256(_mm256_loadu_si256(table.cast()), _mm256_loadu_si256(first.cast()))
        }
    }

    #[inline(always)]
    unsafe fn gather(src: *const u8, base: &[isize; 2], number: usize) -> V32 {
        let (low, high) = (src.wrapping_offset(base[0]), src.wrapping_offset(base[1]));
        // SAFETY: 16 bytes of either half's loads, by the caller's promise.
        unsafe {
            let low = _mm_loadu_si128(low.wrapping_add(16 * number).cast());
            let high = _mm_loadu_si128(high.wrapping_add(16 * number).cast());
            V32(_mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high))
        }
    }

    #[inline(always)]
    unsafe fn pick<const TWO: bool>(first: V32, second: V32, index: [__m256i; 2]) -> V32 {
        // SAFETY: the caller's CPU has the set.
        unsafe {
            let out = V32(_mm256_shuffle_epi8(first.0, index[0]));
            if TWO { out.merge(V32(_mm256_shuffle_epi8(second.0, index[1])), index) } else { out }
        }
    }

    #[inline(always)]
    unsafe fn merge(self, more: V32, _: [__m256i; 2]) -> V32 {
        // SAFETY: the caller's CPU has the set. Bytes that were not picked are 0.
        V32(unsafe { _mm256_or_si256(self.0, more.0) })
    }

    #[inline(always)]
    unsafe fn over(self, under: V32, mask: __m256i) -> V32 {
        // SAFETY: the caller's CPU has the set.
        V32(unsafe { _mm256_blendv_epi8(under.0, self.0, mask) })
    }

    #[inline(always)]
    unsafe fn stream(self, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { _mm256_stream_si256(dst.cast(), self.0) }
    }
}
