//! AVX-512 with VBMI: 64-byte vectors, any byte of a vector to any place.

use crate::kernel::vector::Vector;
use core::arch::x86_64::*;

#[derive(Clone, Copy)]
struct V64(__m512i);

super::stamp!(V64, lane 64, costs WIDE, between &super::avx2::BETWEEN,
    features "avx2" "avx512f" "avx512bw" "avx512vbmi");

impl Vector for V64 {
    const BYTES: usize = 64;
    /// The positions in both loads, the second one after the first, and which bytes they fill.
    type Index = (__m512i, __mmask64);
    type Mask = __mmask64;

    #[inline(always)]
    unsafe fn index(first: *const u8, second: *const u8) -> (__m512i, __mmask64) {
        // SAFETY: 64 bytes of either, by the caller's promise.
        unsafe {
            let (first, second) =
                (_mm512_loadu_si512(first.cast()), _mm512_loadu_si512(second.cast()));
            let (not_first, not_second) = (_mm512_movepi8_mask(first), _mm512_movepi8_mask(second));
            let second = _mm512_or_si512(second, _mm512_set1_epi8(64));
            (_mm512_mask_mov_epi8(first, !not_second, second), !(not_first & not_second))
        }
    }

    #[inline(always)]
    unsafe fn mask(table: *const u8, n: usize) -> __mmask64 {
        // SAFETY: 64 bytes, by the caller's promise.
        let mask = unsafe { _mm512_movepi8_mask(_mm512_loadu_si512(table.cast())) };
        if n < 64 { mask & ((1 << n) - 1) } else { mask }
    }

    #[inline(always)]
    unsafe fn pick<const TWO: bool>(first: V64, second: V64, index: (__m512i, __mmask64)) -> V64 {
        // SAFETY: the caller's CPU has the set.
        V64(unsafe {
            if TWO {
                _mm512_permutex2var_epi8(first.0, index.0, second.0)
            } else {
                _mm512_permutexvar_epi8(index.0, first.0)
            }
        })
    }

    #[inline(always)]
    unsafe fn merge(self, more: V64, (_, mask): (__m512i, __mmask64)) -> V64 {
        // SAFETY: the caller's CPU has the set. Bytes that were not picked are anything.
        V64(unsafe { _mm512_mask_mov_epi8(self.0, mask, more.0) })
    }

    #[inline(always)]
    unsafe fn over(self, under: V64, mask: __mmask64) -> V64 {
        // SAFETY: the caller's CPU has the set.
        V64(unsafe { _mm512_mask_mov_epi8(under.0, mask, self.0) })
    }

    #[inline(always)]
    unsafe fn stream(self, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_stream_si512(dst.cast(), self.0) }
    }
}
