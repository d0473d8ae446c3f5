//! Which instruction set the kernels use: found once, kept in one atomic, overridable by tests and benches.

use core::sync::atomic::{AtomicU8, Ordering};

/// A set of kernels, by the instructions they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Isa {
    /// Plain Rust, vectorised by the compiler for the target's base instructions.
    Portable,
    /// 32-byte vectors, byte shuffles in 16-byte lanes (Intel since 2013, AMD since 2015).
    Avx2,
    /// 64-byte vectors with byte permutes: AVX-512 F, BW, DQ, VL and VBMI (Intel since Ice Lake, AMD since Zen 4).
    Avx512,
}

impl Isa {
    const fn code(self) -> u8 {
        match self {
            Isa::Portable => 1,
            Isa::Avx2 => 2,
            Isa::Avx512 => 3,
        }
    }
}

/// 0 until the first use.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// The instruction set in use.
#[inline(always)]
pub(crate) fn current() -> Isa {
    // Relaxed: the value stands alone, and every thread that finds it missing computes the same one.
    match CHOSEN.load(Ordering::Relaxed) {
        1 => Isa::Portable,
        2 => Isa::Avx2,
        3 => Isa::Avx512,
        _ => choose(),
    }
}

#[cold]
#[inline(never)]
fn choose() -> Isa {
    let isa = wanted(available());
    CHOSEN.store(isa.code(), Ordering::Relaxed);
    isa
}

/// The best of `sets`, or what the environment variable `PYSLICE_ISA` names if the machine has it.
fn wanted(sets: &[Isa]) -> Isa {
    let best = sets.last().copied().unwrap_or(Isa::Portable);
    #[cfg(feature = "std")]
    if let Some(name) = std::env::var_os("PYSLICE_ISA") {
        let named = match name.to_str() {
            Some("portable") => Isa::Portable,
            Some("avx2") => Isa::Avx2,
            Some("avx512") => Isa::Avx512,
            _ => best,
        };
        return if sets.contains(&named) { named } else { best };
    }
    best
}

/// Uses `isa` from now on in every thread (`None`: the best there is). For tests and benches.
///
/// Returns false, and changes nothing, if this machine does not have it.
#[doc(hidden)]
pub fn force(isa: Option<Isa>) -> bool {
    match isa {
        None => {
            CHOSEN.store(0, Ordering::Relaxed);
            true
        }
        Some(isa) if available().contains(&isa) => {
            CHOSEN.store(isa.code(), Ordering::Relaxed);
            true
        }
        Some(_) => false,
    }
}

/// The sets this machine can run, the best last.
#[doc(hidden)]
#[must_use]
pub fn available() -> &'static [Isa] {
    const ALL: [Isa; 3] = [Isa::Portable, Isa::Avx2, Isa::Avx512];
    &ALL[..detect()]
}

/// How many of the sets, in order, there are.
#[cfg(all(target_arch = "x86_64", feature = "std", not(miri)))]
fn detect() -> usize {
    use std::arch::is_x86_feature_detected as has;
    if !has!("avx2") {
        1
    } else if has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") && has!("avx512vbmi") {
        3
    } else {
        2
    }
}

/// Without `std` nobody can ask the CPU: what the program is compiled for counts.
#[cfg(all(target_arch = "x86_64", not(all(feature = "std", not(miri)))))]
fn detect() -> usize {
    if cfg!(miri) || !cfg!(target_feature = "avx2") {
        1
    } else if cfg!(all(
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512dq",
        target_feature = "avx512vl",
        target_feature = "avx512vbmi"
    )) {
        3
    } else {
        2
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> usize {
    1
}

/// How many loads, `step` bytes apart, may be on their way at once; `usize::MAX` where it does not matter.
///
/// A first-level cache of 32 KiB in 8 ways finds a place for a line by the lowest 12 bits of its address. Lines a multiple of
/// 4 KiB apart share 8 places, and while more than 8 of them are awaited, Zen 4 takes twice as long for each (measured:
/// 4096 of them in 14 µs by eights, 22 µs by sixteens, 30 µs without a pause; at 2 KiB 9 µs by sixteens against 21, at 1 KiB
/// 5.8 against 8.9, and no gain at 512 bytes). Zen 3, told by its lack of AVX-512, gains from 2 KiB on (22 against 36 µs at 16 KiB)
/// and loses at 1 KiB. It is done on AMD's processors alone: nothing was measured on others.
pub(crate) fn crowd(step: isize) -> usize {
    const PLACES: usize = 4096;
    const WAYS: usize = 8;
    let shared = |places: usize| step % places as isize == 0;
    if step == 0 || !shared(PLACES / 4) || !is_amd() || !shared(PLACES / 2) && detect() < 3 {
        return usize::MAX;
    }
    WAYS * (PLACES >> step.trailing_zeros().min(PLACES.trailing_zeros()))
}

/// Whether the processor calls itself one of AMD's.
#[cfg(target_arch = "x86_64")]
fn is_amd() -> bool {
    /// 0 until the first use, then 1 for no and 2 for yes.
    static AMD: AtomicU8 = AtomicU8::new(0);
    match AMD.load(Ordering::Relaxed) {
        0 => {
            #[allow(unused_unsafe, reason = "it was unsafe to call in the oldest Rust that is promised")]
            // SAFETY: every x86-64 processor has the instruction.
            let vendor = unsafe { core::arch::x86_64::__cpuid(0) };
            let amd = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).as_flattened() == b"AuthenticAMD";
            AMD.store(1 + u8::from(amd), Ordering::Relaxed);
            amd
        }
        known => known == 2,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn is_amd() -> bool {
    false
}
