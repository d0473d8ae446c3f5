//! Mixing vectors, on x86-64.

use core::arch::x86_64::*;

use super::avx2::V32;
use super::avx512::V64;
use crate::kernel::generic::blend::Blend;

/// Mixes two vectors by an instruction that the compiler cannot see through: it would make one masked store of load, blend and store, and
/// Zen 4 takes many cycles for a masked store of bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn mix(mask: u64, old: __m512i, new: __m512i) -> __m512i {
    let out;
    // SAFETY: the instruction only computes `out`.
    unsafe {
        core::arch::asm!(
            "vpblendmb {out}{{{mask}}}, {old}, {new}",
            out = lateout(zmm_reg) out,
            mask = in(kreg) mask,
            old = in(zmm_reg) old,
            new = in(zmm_reg) new,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    out
}

impl Blend for V64 {
    type Mask = u64;

    #[inline(always)]
    unsafe fn mask(hits: &[bool], grain: usize) -> u64 {
        // SAFETY: 16 granules or 64, by the caller's promise, whose CPU has the set.
        unsafe {
            if grain == 4 {
                let hits = _mm_loadu_si128(hits.as_ptr().cast());
                _mm512_movepi8_mask(_mm512_movm_epi32(_mm_test_epi8_mask(hits, hits)))
            } else {
                let hits = _mm512_loadu_si512(hits.as_ptr().cast());
                _mm512_test_epi8_mask(hits, hits)
            }
        }
    }

    #[inline(always)]
    unsafe fn first(mask: u64, n: usize) -> u64 {
        if n >= 64 { mask } else { mask & ((1 << n) - 1) }
    }

    #[inline(always)]
    unsafe fn blend(mask: u64, old: V64, new: V64) -> V64 {
        // SAFETY: the caller's CPU has the set.
        V64(unsafe { mix(mask, old.0, new.0) })
    }
}

/// 32 bytes that are meant and 32 that are not, to be read from anywhere between.
static FIRST: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 32 {
        bytes[i] = 0xFF;
        i += 1;
    }
    bytes
};

impl Blend for V32 {
    type Mask = __m256i;

    #[inline(always)]
    unsafe fn mask(hits: &[bool], _: usize) -> __m256i {
        // SAFETY: granules of this set are bytes, 32 of them by the caller's promise, whose CPU has the set. `true` is 1.
        unsafe { _mm256_sub_epi8(_mm256_setzero_si256(), _mm256_loadu_si256(hits.as_ptr().cast())) }
    }

    #[inline(always)]
    unsafe fn first(mask: __m256i, n: usize) -> __m256i {
        let from = 32 - n.min(32);
        // SAFETY: `from` is at most 32, so 32 bytes can be read there; the caller's CPU has the set.
        unsafe { _mm256_and_si256(mask, _mm256_loadu_si256(FIRST.as_ptr().add(from).cast())) }
    }

    #[inline(always)]
    unsafe fn blend(mask: __m256i, old: V32, new: V32) -> V32 {
        // SAFETY: the caller's CPU has the set.
        V32(unsafe { _mm256_blendv_epi8(old.0, new.0, mask) })
    }
}
