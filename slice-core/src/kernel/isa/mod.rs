//! Instruction sets: what each can do, and which one is used.
//!
//! The set is found once, kept in one atomic, and can be changed by tests and benches. A set is a
//! table of functions ([`Set`]); the algorithms behind them are written once, over the trait
//! [`Vector`](super::vector::Vector).

#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2"), not(miri)))]
mod avx2;
#[cfg(all(
    target_arch = "x86_64",
    feature = "avx512",
    any(feature = "std", all(target_feature = "avx512vbmi", target_feature = "avx512bw")),
    not(miri)
))]
mod avx512;
#[cfg(all(target_arch = "aarch64", not(miri)))]
mod neon;
mod portable;

use super::loops::Loop;
use super::tables::{LINE_LOADS, LOADS, PHASES, Shuffle};
use super::tuning::Costs;
use core::sync::atomic::{AtomicU8, Ordering};

/// A set of kernels, by the instructions they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Isa {
    /// Plain Rust, vectorised by the compiler for the target's base instructions.
    Portable,
    /// 32-byte vectors, byte shuffles in 16-byte lanes (Intel since 2013, AMD since 2015).
    Avx2,
    /// 64-byte vectors with byte permutes: AVX-512 F, BW and VBMI (Intel since Ice Lake, AMD since
    /// Zen 4).
    Avx512,
    /// 16-byte vectors with byte permutes (every 64-bit Arm).
    Neon,
}

/// Moves `n` positions of each of some rows by a shuffle, and its head before them.
pub(crate) type RowsFn =
    unsafe fn(&Shuffle<'_>, src: *const u8, dst: *mut u8, n: usize, rows: Loop);

/// Writes `n` whole vectors of each phase in each of some rows; `ahead` as for [`Set::stream`].
pub(crate) type LinesFn = unsafe fn(
    &[&Shuffle<'_>; PHASES],
    src: *const u8,
    dst: *mut u8,
    n: usize,
    rows: Loop,
    ahead: isize,
);

/// Streams the lines of `bytes` bytes of each of some rows, on lines of `background` from `from` on.
pub(crate) type BackedFn = unsafe fn(
    &Shuffle<'_>,
    background: *const u8,
    from: *mut u8,
    first: (*const u8, *mut u8),
    bytes: usize,
    rows: Loop,
);

/// Makes the tables of a shuffle ([`Shuffle::build`]).
pub(crate) type BuildFn = unsafe fn(&mut Shuffle<'_>, start: Option<usize>, most: usize) -> bool;

/// The functions of an instruction set. Each requires a CPU that has it.
pub(crate) struct Set {
    /// What needs a byte shuffle; `None` if the set has none.
    pub(crate) vectors: Option<Vectors>,
    /// Copies lines of 64 bytes past the caches: source, destination (on a line), number of lines,
    /// and how far ahead of each line another one is prefetched, in bytes.
    pub(crate) stream: unsafe fn(src: *const u8, dst: *mut u8, lines: usize, ahead: isize),
    /// Writes one line of 64 bytes to each of some lines; `dst` is a multiple of 64.
    pub(crate) fill_lines: unsafe fn(line: *const u8, dst: *mut u8, lines: usize),
}

/// The functions of a set that has vectors with a byte shuffle.
pub(crate) struct Vectors {
    /// Bytes of a vector.
    pub(crate) bytes: usize,
    /// Bytes of the parts of a vector that are shuffled separately.
    pub(crate) lane: usize,
    /// What moves cost.
    pub(crate) costs: &'static Costs,
    /// Makes the tables that the functions below are given.
    pub(crate) build: BuildFn,
    /// Shuffles whose vectors are made from 1, 2, … loads.
    pub(crate) shuffle: [RowsFn; LOADS],
    /// The same between bytes of the destination that stay.
    pub(crate) mix: [RowsFn; LOADS],
    /// Whole vectors of 1 phase and of 3, made from 1 to 4 loads: past the caches, and between
    /// bytes that stay.
    pub(crate) lines: [[[LinesFn; LINE_LOADS]; 2]; 2],
    /// Rows on a background, whose vectors are made from 1 to 4 loads.
    pub(crate) backed: [BackedFn; LINE_LOADS],
}

/// Makes the functions of a set from the algorithms over its vector, compiled for `$feature`s, and
/// says whether the CPU has them: both from one list.
#[allow(unused_macros, reason = "a build may have only the portable set")]
macro_rules! stamp {
    ($vector:ty, lane $lane:literal, costs $costs:ident, features $($feature:tt)*) => {
        $(#[target_feature(enable = $feature)])*
        unsafe fn build(
            shuffle: &mut crate::kernel::tables::Shuffle<'_>,
            start: Option<usize>,
            most: usize,
        ) -> bool {
            const BYTES: usize = <$vector as crate::kernel::vector::Vector>::BYTES;
            shuffle.build::<BYTES, $lane>(start, most)
        }

        $(#[target_feature(enable = $feature)])*
        unsafe fn rows<const LOADS: usize, const MIX: bool>(
            shuffle: &crate::kernel::tables::Shuffle<'_>,
            src: *const u8,
            dst: *mut u8,
            n: usize,
            rows: crate::kernel::loops::Loop,
        ) {
            // SAFETY: the caller's promise; the function has the features of the set.
            unsafe {
                crate::kernel::shuffle::rows::<$vector, MIX>(LOADS, shuffle, src, dst, n, rows)
            }
        }

        $(#[target_feature(enable = $feature)])*
        unsafe fn lines<const PHASES: usize, const LOADS: usize, const MIX: bool>(
            phases: &[&crate::kernel::tables::Shuffle<'_>; crate::kernel::tables::PHASES],
            src: *const u8,
            dst: *mut u8,
            n: usize,
            rows: crate::kernel::loops::Loop,
            ahead: isize,
        ) {
            // SAFETY: the caller's promise; the function has the features of the set.
            unsafe {
                crate::kernel::shuffle::lines::<$vector, MIX>(
                    (PHASES, LOADS), phases, src, dst, n, rows, ahead,
                )
            }
        }

        $(#[target_feature(enable = $feature)])*
        unsafe fn backed<const LOADS: usize>(
            shuffle: &crate::kernel::tables::Shuffle<'_>,
            background: *const u8,
            from: *mut u8,
            first: (*const u8, *mut u8),
            bytes: usize,
            rows: crate::kernel::loops::Loop,
        ) {
            // SAFETY: the caller's promise; the function has the features of the set.
            unsafe {
                crate::kernel::shuffle::backed::<$vector>(
                    LOADS, shuffle, background, from, first, bytes, rows,
                )
            }
        }

        $(#[target_feature(enable = $feature)])*
        unsafe fn stream(src: *const u8, dst: *mut u8, lines: usize, ahead: isize) {
            // SAFETY: the caller's promise; the function has the features of the set.
            unsafe { crate::kernel::shuffle::copy::<$vector>(src, dst, lines, ahead) }
        }

        $(#[target_feature(enable = $feature)])*
        unsafe fn fill_lines(line: *const u8, dst: *mut u8, lines: usize) {
            // SAFETY: the caller's promise; the function has the features of the set.
            unsafe { crate::kernel::shuffle::fill_lines::<$vector>(line, dst, lines) }
        }

        pub(super) static SET: crate::kernel::isa::Set =
            crate::kernel::isa::Set { vectors: Some(VECTORS), stream, fill_lines };

        const VECTORS: crate::kernel::isa::Vectors = crate::kernel::isa::Vectors {
            bytes: <$vector as crate::kernel::vector::Vector>::BYTES,
            lane: $lane,
            costs: &crate::kernel::tuning::$costs,
            build,
            shuffle: [
                rows::<1, false>, rows::<2, false>, rows::<3, false>,
                rows::<4, false>, rows::<5, false>, rows::<6, false>,
                rows::<7, false>, rows::<8, false>,
            ],
            mix: [
                rows::<1, true>, rows::<2, true>, rows::<3, true>,
                rows::<4, true>, rows::<5, true>, rows::<6, true>,
                rows::<7, true>, rows::<8, true>,
            ],
            lines: [
                [
                    [
                        lines::<1, 1, false>, lines::<1, 2, false>,
                        lines::<1, 3, false>, lines::<1, 4, false>,
                    ],
                    [
                        lines::<3, 1, false>, lines::<3, 2, false>,
                        lines::<3, 3, false>, lines::<3, 4, false>,
                    ],
                ],
                [
                    [
                        lines::<1, 1, true>, lines::<1, 2, true>,
                        lines::<1, 3, true>, lines::<1, 4, true>,
                    ],
                    [
                        lines::<3, 1, true>, lines::<3, 2, true>,
                        lines::<3, 3, true>, lines::<3, 4, true>,
                    ],
                ],
            ],
            backed: [backed::<1>, backed::<2>, backed::<3>, backed::<4>],
        };

        /// Whether the CPU has every feature that the functions above are compiled for.
        pub(super) fn available() -> bool {
            #[cfg(feature = "std")]
            return true $(&& std::arch::is_x86_feature_detected!($feature))*;
            #[cfg(not(feature = "std"))]
            return true $(&& cfg!(target_feature = $feature))*;
        }
    };
}
#[allow(unused_imports, reason = "as above")]
pub(crate) use stamp;

/// The kernels of a set; those of the portable one if this build does not have it.
pub(crate) fn set(isa: Isa) -> &'static Set {
    match isa {
        #[cfg(all(
            target_arch = "x86_64",
            feature = "avx512",
            any(feature = "std", all(target_feature = "avx512vbmi", target_feature = "avx512bw")),
            not(miri)
        ))]
        Isa::Avx512 => &avx512::SET,
        #[cfg(all(
            target_arch = "x86_64",
            any(feature = "std", target_feature = "avx2"),
            not(miri)
        ))]
        Isa::Avx2 => &avx2::SET,
        #[cfg(all(target_arch = "aarch64", not(miri)))]
        Isa::Neon => &neon::SET,
        _ => &portable::SET,
    }
}

/// 0 until the first use, then one more than the number of the set.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// The set in use. The CPU has it.
#[inline(always)]
pub(crate) fn current() -> Isa {
    // Relaxed: every thread that finds no value computes the same one.
    match CHOSEN.load(Ordering::Relaxed) {
        1 => Isa::Portable,
        2 => Isa::Avx2,
        3 => Isa::Avx512,
        4 => Isa::Neon,
        _ => choose(),
    }
}

#[cold]
#[inline(never)]
fn choose() -> Isa {
    let isa = wanted(available());
    CHOSEN.store(1 + isa as u8, Ordering::Relaxed);
    isa
}

/// The best of `sets`, or the one that the environment variable `PYSLICE_ISA` names.
fn wanted(sets: &[Isa]) -> Isa {
    let best = sets.last().copied().unwrap_or(Isa::Portable);
    #[cfg(feature = "std")]
    if let Some(name) = std::env::var_os("PYSLICE_ISA") {
        let named = match name.to_str() {
            Some("portable") => Isa::Portable,
            Some("avx2") => Isa::Avx2,
            Some("avx512") => Isa::Avx512,
            Some("neon") => Isa::Neon,
            _ => best,
        };
        return if sets.contains(&named) { named } else { best };
    }
    best
}

/// Uses `isa` from now on in every thread (`None`: the best there is). For tests and benches.
///
/// Returns false, and changes nothing, if this machine or this build does not have it.
#[doc(hidden)]
pub fn force(isa: Option<Isa>) -> bool {
    match isa {
        None => {
            CHOSEN.store(0, Ordering::Relaxed);
            true
        }
        Some(isa) if available().contains(&isa) => {
            CHOSEN.store(1 + isa as u8, Ordering::Relaxed);
            true
        }
        Some(_) => false,
    }
}

/// The sets that this build has and this machine can run, the best last.
#[doc(hidden)]
#[must_use]
pub fn available() -> &'static [Isa] {
    #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2"), not(miri)))]
    if avx2::available() {
        #[cfg(all(
            feature = "avx512",
            any(feature = "std", all(target_feature = "avx512vbmi", target_feature = "avx512bw"))
        ))]
        if avx512::available() {
            return &[Isa::Portable, Isa::Avx2, Isa::Avx512];
        }
        return &[Isa::Portable, Isa::Avx2];
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    if neon::available() {
        return &[Isa::Portable, Isa::Neon];
    }
    &[Isa::Portable]
}
