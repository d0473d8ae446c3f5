//! The vector layer: what the kernels ask of an instruction set, and no more.

use core::mem::MaybeUninit;

use super::movers::word;

/// Calls `$call` with `$level` the set that `$isa` names.
macro_rules! with_isa {
    ($isa:expr, $level:ident => $call:expr) => {
        match $isa {
            #[cfg(target_arch = "x86_64")]
            $crate::kernel::isa::Isa::Avx512 => {
                type $level = $crate::kernel::x86_64::avx512::V64;
                $call
            }
            #[cfg(target_arch = "x86_64")]
            $crate::kernel::isa::Isa::Avx2 => {
                type $level = $crate::kernel::x86_64::avx2::V32;
                $call
            }
            _ => {
                type $level = $crate::kernel::vector::Base;
                $call
            }
        }
    };
}
pub(crate) use with_isa;

/// Work to be compiled for an instruction set.
///
/// `run` and all it calls must be `inline(always)`, so that it becomes part of the one function that has the features.
pub(crate) trait Kernel {
    /// # Safety
    /// As the implementor states.
    unsafe fn run(&mut self);
}

/// A quarter of a line, in a register.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) type Quarter = core::arch::x86_64::__m128i;
/// Elements may have bytes that were never written, so it is none of integers.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub(crate) type Quarter = MaybeUninit<[u64; 2]>;

/// An instruction set: a way to compile a kernel for it, and the moves even plain code needs by name.
pub(crate) trait Level {
    /// The bytes of its widest vectors.
    const WIDTH: usize;

    /// Runs a kernel inside a function that has the features of this set.
    ///
    /// # Safety
    /// The CPU has the features, and `kernel` may be run.
    unsafe fn enter<K: Kernel>(kernel: &mut K);

    /// Copies 64 bytes past the caches where the set can: no line of the destination is read or kept.
    ///
    /// # Safety
    /// `src` and `dst` are good for 64 bytes, `dst` is a multiple of 64. [`Level::fence`] must follow the last one.
    unsafe fn stream64(src: *const u8, dst: *mut u8);

    /// [`stream64`](Level::stream64) of four lines. Loads of several lines before the first store let memory turn less often from
    /// reading to writing (Zen 5: rows of 12 KiB in 0.84 of the time; by eights it is worse where all comes from memory).
    ///
    /// # Safety
    /// As there, for 256 bytes.
    #[inline(always)]
    unsafe fn stream256(src: *const u8, dst: *mut u8) {
        for i in 0..4 {
            // SAFETY: one of the lines.
            unsafe { Self::stream64(src.add(64 * i), dst.add(64 * i)) }
        }
    }

    /// [`stream64`](Level::stream64) of the last `n` bytes before `end`, then the first of those at `start`: of a line that two rows share.
    ///
    /// # Safety
    /// 64 bytes can be read before `end` and at `start`, `n` is less than 64; for `dst` as there.
    unsafe fn mix64(end: *const u8, start: *const u8, n: usize, dst: *mut u8);

    /// Writes a line of four of the quarter.
    ///
    /// # Safety
    /// The CPU has the set; 64 bytes can be written.
    #[inline(always)]
    unsafe fn put64(quarter: Quarter, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { dst.cast::<[Quarter; 4]>().write_unaligned([quarter; 4]) }
    }

    /// Moves eight words of 4 bytes, 16 bytes from one to the next in the source, one behind the other.
    ///
    /// # Safety
    /// The CPU has the set. The bytes from the first word to the end of the last, 116, can be read, and 32 written, which do not overlap.
    #[inline(always)]
    unsafe fn fourths(src: *const u8, dst: *mut u8) {
        for i in 0..8 {
            // SAFETY: one of the words.
            unsafe { word::<u32>(src.add(16 * i), dst.add(4 * i)) }
        }
    }

    /// Orders streamed stores before all later ones.
    fn fence();

    /// Copies `n` bytes of which most are in the first-level cache, or will be soon; by whole lines of the destination, where the set has vectors of that
    /// size.
    ///
    /// # Safety
    /// The CPU has the set. `n` is at least 64; so many bytes can be read and written, and do not overlap.
    #[inline(always)]
    unsafe fn near(src: *const u8, dst: *mut u8, n: usize) {
        // SAFETY: the caller's promise.
        unsafe { core::ptr::copy_nonoverlapping(src, dst, n) }
    }

    /// The set for what does not gain from this one's width: moves of short runs, and loads that cross lines and miss, of which
    /// the wider ones wait for two lines each. Every CPU that has this set has that one.
    type Half: Level;

    /// Turns a block of `16 / E` rows of 16 bytes, `E` bytes an element: row `i` lies `step * i` behind `src`, row `j` of the result `64 * j` behind `dst`.
    ///
    /// # Safety
    /// The rows can be read and written, `dst` is a multiple of 16, `E` is 1, 2, 4, 8 or 16.
    #[inline(always)]
    unsafe fn turn<const E: usize>(src: *const u8, step: isize, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { turn::<E>(src, step, dst) }
    }
}

/// Where an output vector's bytes come from.
#[derive(Clone, Copy)]
pub(crate) struct Picks<'a> {
    /// `offsets[i]` is where granule `i` of the vector comes from.
    pub offsets: &'a [i32],
    /// Bytes of a granule, 4 or 1.
    pub grain: usize,
    /// How far behind the start of a line byte 0 is, if loads of 64 bytes should be of whole lines, which may be more of them. A multiple of the
    /// grain.
    pub phase: Option<usize>,
}

/// A set with byte vectors and shuffles across several loaded vectors.
pub(crate) trait Vector: Level + Copy {
    /// Bytes of a vector.
    const BYTES: usize;
    /// The most loads one output vector may be put together from.
    const LOADS: usize;
    /// Whether shuffles of 4-byte words are cheaper than those of bytes.
    const WORDS: bool;
    /// Whether loops with constant steps are faster than tables (see [`steps`](super::generic::steps)).
    const CONSTANTS: bool;
    /// What making tables costs, in single moves (measured: see MEASURED.md here).
    const TABLES: usize;
    /// The index tables for one output vector.
    type Line: Copy;

    /// # Safety
    /// `BYTES` bytes can be read; the CPU has the set.
    #[allow(dead_code, reason = "for the way back")]
    unsafe fn load(src: *const u8) -> Self;
    /// # Safety
    /// `BYTES` bytes can be written; the CPU has the set.
    unsafe fn store(self, dst: *mut u8);
    /// Stores past the caches.
    ///
    /// # Safety
    /// As for `store`, `dst` a multiple of `BYTES`; [`Level::fence`] must follow the last one.
    unsafe fn stream(self, dst: *mut u8);
    /// Stores the first `n` bytes, 0 < n < `BYTES`.
    ///
    /// # Safety
    /// `n` bytes can be written; the CPU has the set.
    unsafe fn store_first(self, dst: *mut u8, n: usize);

    /// How many loads the output vector takes (more than `LOADS`: not possible).
    ///
    /// # Safety
    /// There are `BYTES / grain` offsets; the CPU has the set.
    unsafe fn loads(picks: &Picks<'_>) -> usize;

    /// Writes the tables for that vector to `line`, and returns the bytes all its loads together span: `(low, end)`.
    ///
    /// `loads` is at least what [`Vector::loads`] says, if not for whole lines, then without. `ahead`: how far in front of the loads [`ask`](Vector::ask)
    /// prefetches. Where it is negative the walk goes backwards, and the loads end with the highest byte instead of starting with the lowest, which
    /// keeps it inside its buffer at the far end.
    ///
    /// # Safety
    /// There are `BYTES / grain` offsets; the CPU has the set.
    unsafe fn line(line: &mut MaybeUninit<Self::Line>, picks: &Picks<'_>, loads: usize, ahead: isize)
    -> (isize, isize);

    /// The output vector. `LOADS` 0: the run-time number `loads`.
    ///
    /// # Safety
    /// The span given by [`Vector::line`] around `src` can be read; `WORDS` and the number of loads are those of the
    /// tables; the CPU has the set.
    unsafe fn shuffle<const LOADS: usize, const WORDS: bool>(src: *const u8, line: &Self::Line, loads: usize) -> Self;

    /// Asks for what [`shuffle`](Vector::shuffle) will load further on in memory. `LOADS` and `loads` as there.
    fn ask<const LOADS: usize>(src: *const u8, line: &Self::Line, loads: usize);
}

/// The base instructions of the target.
#[derive(Clone, Copy)]
pub(crate) struct Base;

impl Level for Base {
    const WIDTH: usize = 16;

    type Half = Base;

    #[inline(always)]
    unsafe fn enter<K: Kernel>(kernel: &mut K) {
        // SAFETY: the caller's promise.
        unsafe { kernel.run() }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn stream64(src: *const u8, dst: *mut u8) {
        use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
        for i in 0..4 {
            // SAFETY: 64 bytes on both sides, `dst` aligned, by the caller's promise; SSE2 is part of x86-64.
            unsafe { _mm_stream_si128(dst.cast::<__m128i>().add(i), _mm_loadu_si128(src.cast::<__m128i>().add(i))) }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn mix64(end: *const u8, start: *const u8, n: usize, dst: *mut u8) {
        use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
        for i in 0..4 {
            let at = 16 * i;
            // SAFETY: 64 bytes before `end` and at `start`, of which no load here leaves either; `dst` aligned, by the caller's promise; SSE2
            // is part of x86-64.
            unsafe {
                let quarter = if at + 16 <= n {
                    _mm_loadu_si128(end.sub(n - at).cast())
                } else if at >= n {
                    _mm_loadu_si128(start.add(at - n).cast())
                } else {
                    join(_mm_loadu_si128(end.sub(16).cast()), _mm_loadu_si128(start.cast()), n - at)
                };
                _mm_stream_si128(dst.cast::<__m128i>().add(i), quarter);
            }
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    unsafe fn stream64(src: *const u8, dst: *mut u8) {
        // SAFETY: 64 bytes on both sides, by the caller's promise; a streamed copy never overlaps.
        unsafe { core::ptr::copy_nonoverlapping(src, dst, 64) }
    }

    #[cfg(not(target_arch = "x86_64"))]
    #[inline(always)]
    unsafe fn mix64(end: *const u8, start: *const u8, n: usize, dst: *mut u8) {
        // SAFETY: the caller's promise; a streamed copy never overlaps.
        unsafe {
            core::ptr::copy_nonoverlapping(end.sub(n), dst, n);
            core::ptr::copy_nonoverlapping(start, dst.add(n), 64 - n);
        }
    }

    #[inline(always)]
    fn fence() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: SSE is part of x86-64.
        unsafe {
            core::arch::x86_64::_mm_sfence();
        }
    }
}

/// The last `n` bytes of `first`, then the first of `second`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn join(first: Quarter, second: Quarter, n: usize) -> Quarter {
    use core::arch::x86_64::*;
    // Bits. Halves are shifted apart, by 64 and more (or less than nothing, which is much) to none at all.
    let (up, down) = (8 * n as i64, 128 - 8 * n as i64);
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        let by = |bits: i64| _mm_cvtsi64_si128(bits);
        let (high, low) =
            (_mm_unpackhi_epi64(first, _mm_setzero_si128()), _mm_unpacklo_epi64(_mm_setzero_si128(), second));
        let first =
            [_mm_srl_epi64(first, by(down)), _mm_sll_epi64(high, by(64 - down)), _mm_srl_epi64(high, by(down - 64))];
        let second = [_mm_sll_epi64(second, by(up)), _mm_srl_epi64(low, by(64 - up)), _mm_sll_epi64(low, by(up - 64))];
        let all = |[a, b, c]: [__m128i; 3]| _mm_or_si128(_mm_or_si128(a, b), c);
        _mm_or_si128(all(first), all(second))
    }
}

/// [`Level::turn`] by SSE2: interleaving row `k` with row `k + half` of the block moves one bit of the row number into the column number; after as many
/// times as there are bits they have changed places.
///
/// # Safety
/// As for [`Level::turn`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn turn<const E: usize>(src: *const u8, step: isize, dst: *mut u8) {
    use core::arch::x86_64::*;
    let rows = 16 / E;
    // SAFETY: rows of 16 bytes on both sides, by the caller's promise; SSE2 is part of x86-64.
    unsafe {
        let mut a = [_mm_setzero_si128(); 16];
        let mut i = 0;
        while i < rows {
            a[i] = _mm_loadu_si128(src.wrapping_offset(step * i as isize).cast());
            i += 1;
        }
        let mut bits = 1;
        while bits < rows {
            let mut b = a;
            let mut k = 0;
            while k < rows / 2 {
                let (x, y) = (a[k], a[k + rows / 2]);
                (b[2 * k], b[2 * k + 1]) = match E {
                    1 => (_mm_unpacklo_epi8(x, y), _mm_unpackhi_epi8(x, y)),
                    2 => (_mm_unpacklo_epi16(x, y), _mm_unpackhi_epi16(x, y)),
                    4 => (_mm_unpacklo_epi32(x, y), _mm_unpackhi_epi32(x, y)),
                    _ => (_mm_unpacklo_epi64(x, y), _mm_unpackhi_epi64(x, y)),
                };
                k += 1;
            }
            a = b;
            bits *= 2;
        }
        let mut j = 0;
        while j < rows {
            _mm_store_si128(dst.add(64 * j).cast(), a[j]);
            j += 1;
        }
    }
}

/// [`Level::turn`], byte by byte.
///
/// # Safety
/// As for [`Level::turn`].
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
unsafe fn turn<const E: usize>(src: *const u8, step: isize, dst: *mut u8) {
    for i in 0..16 / E {
        for j in 0..16 / E {
            // SAFETY: an element of row `i` and its place in row `j`, by the caller's promise.
            unsafe {
                core::ptr::copy_nonoverlapping(
                    src.wrapping_offset(step * i as isize).add(E * j),
                    dst.add(64 * j + E * i),
                    E,
                );
            }
        }
    }
}
