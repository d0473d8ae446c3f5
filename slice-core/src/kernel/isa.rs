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
