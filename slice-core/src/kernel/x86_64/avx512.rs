//! AVX-512 with VBMI: 64-byte vectors, any byte of a vector to any place.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::avx2::V32;
use crate::kernel::isa;
use crate::kernel::vector::{Kernel, Level, Picks, Vector};

/// A 64-byte vector.
#[derive(Clone, Copy)]
pub(crate) struct V64(pub(super) __m512i);

/// Tables of one output vector.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    /// Where in its load (bytes) or its pair of loads (words) each granule lies.
    index: __m512i,
    /// Bytes: granules taken from load `i`. Words: granules taken from the pair of loads `i`.
    masks: [u64; V64::LOADS],
    /// Offset of the first load.
    base: isize,
    /// How far in front of the loads a streamed walk prefetches.
    ahead: isize,
}

impl Level for V64 {
    const WIDTH: usize = 64;

    type Half = V32;

    #[inline(always)]
    unsafe fn enter<K: Kernel>(kernel: &mut K) {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
        unsafe fn go<K: Kernel>(kernel: &mut K) {
            // SAFETY: the caller of `enter` may run the kernel.
            unsafe { kernel.run() }
        }
        // SAFETY: the caller's CPU has the set; every CPU with VBMI has the bit instructions too.
        unsafe { go(kernel) }
    }

    #[inline(always)]
    unsafe fn stream64(src: *const u8, dst: *mut u8) {
        // SAFETY: 64 bytes on both sides, `dst` aligned, by the caller's promise.
        unsafe { _mm512_stream_si512(dst.cast(), _mm512_loadu_si512(src.cast())) }
    }

    #[inline(always)]
    unsafe fn stream256(src: *const u8, dst: *mut u8) {
        // SAFETY: 256 bytes on both sides, `dst` aligned, by the caller's promise.
        unsafe {
            let lines: [__m512i; 4] = core::array::from_fn(|i| _mm512_loadu_si512(src.add(64 * i).cast()));
            for (i, line) in lines.into_iter().enumerate() {
                _mm512_stream_si512(dst.add(64 * i).cast(), line);
            }
        }
    }

    #[inline(always)]
    unsafe fn mix64(end: *const u8, start: *const u8, n: usize, dst: *mut u8) {
        static COUNT: [u8; 64] = {
            let mut count = [0; 64];
            let mut i = 0;
            while i < 64 {
                count[i] = i as u8;
                i += 1;
            }
            count
        };
        // SAFETY: 64 bytes before `end` and at `start`, `dst` aligned, by the caller's promise; the CPU has the set.
        unsafe {
            let (first, second) = (_mm512_loadu_si512(end.sub(64).cast()), _mm512_loadu_si512(start.cast()));
            // Byte `i` of the line is number `i + 64 - n` of both.
            let index = _mm512_add_epi8(_mm512_loadu_si512(COUNT.as_ptr().cast()), _mm512_set1_epi8(64 - n as i8));
            _mm512_stream_si512(dst.cast(), _mm512_permutex2var_epi8(first, index, second));
        }
    }

    #[cfg(not(miri))]
    #[inline(always)]
    unsafe fn put64(quarter: __m128i, dst: *mut u8) {
        // SAFETY: 64 bytes, by the caller's promise; the CPU has the set.
        unsafe { _mm512_storeu_si512(dst.cast(), _mm512_broadcast_i32x4(quarter)) }
    }

    #[inline(always)]
    unsafe fn near(src: *const u8, dst: *mut u8, n: usize) {
        // SAFETY: the caller's promise.
        unsafe { near(src, dst, n) }
    }

    #[inline(always)]
    fn fence() {
        // SAFETY: SSE is part of x86-64.
        unsafe { _mm_sfence() }
    }
}

/// [`Level::near`], a function of its own: it is called where nothing else is compiled for the set.
///
/// # Safety
/// As there.
#[target_feature(enable = "avx512f")]
unsafe fn near(src: *const u8, dst: *mut u8, n: usize) {
    // SAFETY: `i + 64` never passes `n`, which is at least 64; where it is stored, `dst + i` starts a line.
    unsafe {
        let line = |i: usize| _mm512_loadu_si512(src.add(i).cast());
        let (first, last) = (line(0), line(n - 64));
        let mut i = 64 - dst.addr() % 64;
        while i + 256 <= n {
            for k in 0..4 {
                _mm512_store_si512(dst.add(i + 64 * k).cast(), line(i + 64 * k));
            }
            i += 256;
        }
        while i + 64 < n {
            _mm512_store_si512(dst.add(i).cast(), line(i));
            i += 64;
        }
        _mm512_storeu_si512(dst.cast(), first);
        _mm512_storeu_si512(dst.add(n - 64).cast(), last);
    }
}

/// The lowest offset and one past the highest byte.
///
/// # Safety
/// There are 16 offsets of words or 64 of bytes; the CPU has the set.
#[inline(always)]
unsafe fn bounds(picks: &Picks<'_>) -> (isize, isize) {
    let &Picks { offsets, grain, .. } = picks;
    // SAFETY: the caller's promise: whole vectors of offsets.
    unsafe {
        let mut low = _mm512_loadu_si512(offsets.as_ptr().cast());
        let mut high = low;
        let mut i = 16;
        while i < offsets.len() {
            let next = _mm512_loadu_si512(offsets.as_ptr().add(i).cast());
            (low, high) = (_mm512_min_epi32(low, next), _mm512_max_epi32(high, next));
            i += 16;
        }
        (_mm512_reduce_min_epi32(low) as isize, _mm512_reduce_max_epi32(high) as isize + grain as isize)
    }
}

/// The span of the lines that `low` to `end` lie in, if byte 0 is `phase` bytes behind the start of one.
#[inline(always)]
fn lines((low, end): (isize, isize), phase: usize) -> (isize, isize) {
    let phase = phase as isize;
    (((low + phase) & -64) - phase, ((end + phase + 63) & -64) - phase)
}

/// How far granules `16 * i` and the next 15 lie behind `first`.
///
/// # Safety
/// There are so many; the CPU has the set.
#[inline(always)]
unsafe fn behind(offsets: &[i32], i: usize, first: __m512i) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe { _mm512_sub_epi32(_mm512_loadu_si512(offsets.as_ptr().add(16 * i).cast()), first) }
}

/// Four 16-byte vectors, one behind the other.
///
/// # Safety
/// The CPU has the set.
#[inline(always)]
unsafe fn join(parts: [__m128i; 4]) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        let low = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(parts[0]), parts[1]);
        let high = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(parts[2]), parts[3]);
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
    }
}

/// Load number `i`.
///
/// # Safety
/// It can be read; the CPU has the set.
#[inline(always)]
unsafe fn at(src: *const u8, i: usize) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe { _mm512_loadu_si512(src.wrapping_add(64 * i).cast()) }
}

/// Words out of load number `i` and, if there is one more, the next.
///
/// # Safety
/// As for [`at`], both loads.
#[inline(always)]
unsafe fn pair(src: *const u8, index: __m512i, i: usize, loads: usize) -> __m512i {
    // SAFETY: the caller's promise.
    unsafe {
        if loads - i == 1 {
            _mm512_permutexvar_epi32(index, at(src, i))
        } else {
            _mm512_permutex2var_epi32(at(src, i), index, at(src, i + 1))
        }
    }
}

impl Vector for V64 {
    const BYTES: usize = 64;
    const LOADS: usize = 16;
    const WORDS: bool = true;
    const CONSTANTS: bool = false;
    const TABLES: usize = 300;
    type Line = Line;

    #[inline(always)]
    unsafe fn load(src: *const u8) -> V64 {
        // SAFETY: the caller's promise.
        V64(unsafe { _mm512_loadu_si512(src.cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_storeu_si512(dst.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn stream(self, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { _mm512_stream_si512(dst.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn store_first(self, dst: *mut u8, n: usize) {
        // SAFETY: the mask has the lowest `n` bits set, so only the caller's `n` bytes are written.
        unsafe { _mm512_mask_storeu_epi8(dst.cast(), !0 >> (64 - n), self.0) }
    }

    #[inline(always)]
    unsafe fn loads(picks: &Picks<'_>) -> usize {
        // SAFETY: the caller's promise.
        let span = unsafe { bounds(picks) };
        let (low, end) = picks.phase.map_or(span, |phase| lines(span, phase));
        ((end - low) as usize).div_ceil(64)
    }

    #[inline(always)]
    unsafe fn line(line: &mut MaybeUninit<Line>, picks: &Picks<'_>, loads: usize, ahead: isize) -> (isize, isize) {
        // SAFETY: the caller's promise.
        let bytes = unsafe { bounds(picks) };
        let &Picks { offsets, grain, phase } = picks;
        let span = 64 * loads as isize;
        let (low, end) = phase.map(|phase| lines(bytes, phase)).filter(|(low, end)| end - low <= span).unwrap_or(bytes);
        let base = if ahead < 0 { end - span } else { low };
        // SAFETY: 16 or 64 offsets are read, by the caller's promise; the CPU has the set.
        unsafe {
            // Written where it stays: moving it there would wait for the single masks to arrive in memory.
            let line = line.write(Line { index: _mm512_setzero_si512(), masks: [0; V64::LOADS], base, ahead });
            let first = _mm512_set1_epi32(base as i32);
            if grain == 4 {
                let at = behind(offsets, 0, first);
                let pair = _mm512_srli_epi32::<7>(at);
                for (i, mask) in line.masks.iter_mut().enumerate().take(loads.div_ceil(2)) {
                    *mask = u64::from(_mm512_cmpeq_epi32_mask(pair, _mm512_set1_epi32(i as i32)));
                }
                // Only the lowest 5 bits count.
                line.index = _mm512_srli_epi32::<2>(at);
            } else {
                let (mut lanes, mut load) = ([_mm_setzero_si128(); 4], [_mm_setzero_si128(); 4]);
                for i in 0..4 {
                    let at = behind(offsets, i, first);
                    // Only the lowest 6 bits count.
                    lanes[i] = _mm512_cvtepi32_epi8(at);
                    load[i] = _mm512_cvtepi32_epi8(_mm512_srli_epi32::<6>(at));
                }
                let load = join(load);
                for (i, mask) in line.masks.iter_mut().enumerate().take(loads) {
                    *mask = _mm512_cmpeq_epi8_mask(load, _mm512_set1_epi8(i as i8));
                }
                line.index = join(lanes);
            }
        }
        (base, base + span)
    }

    #[inline(always)]
    unsafe fn shuffle<const LOADS: usize, const WORDS: bool>(src: *const u8, line: &Line, loads: usize) -> V64 {
        let src = src.wrapping_offset(line.base);
        let (index, masks) = (line.index, &line.masks);
        let loads = if LOADS == 0 { loads } else { LOADS };
        // SAFETY: load `i` lies in the span of the tables, which the caller can read; the CPU has the set.
        unsafe {
            let mut out;
            if WORDS {
                out = pair(src, index, 0, loads);
                let mut i = 2;
                while i < loads {
                    out = _mm512_mask_blend_epi32(masks[i / 2] as u16, out, pair(src, index, i, loads));
                    i += 2;
                }
            } else if loads == 1 {
                out = _mm512_permutexvar_epi8(index, at(src, 0));
            } else {
                out = _mm512_maskz_permutexvar_epi8(masks[0], index, at(src, 0));
                let mut i = 1;
                while i < loads {
                    out = _mm512_mask_permutexvar_epi8(out, masks[i], index, at(src, i));
                    i += 1;
                }
            }
            V64(out)
        }
    }

    #[inline(always)]
    fn ask<const LOADS: usize>(src: *const u8, line: &Line, loads: usize) {
        let ahead = src.wrapping_offset(line.base).wrapping_offset(line.ahead);
        let loads = if LOADS == 0 { loads } else { LOADS };
        let mut i = 0;
        while i < loads {
            isa::prefetch(ahead.wrapping_add(64 * i));
            i += 1;
        }
    }
}
