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

/// How runs are read of which too many would be on their way at once.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    /// After so many runs they are waited for.
    pub batch: usize,
    /// How often to [`idle`] after each run.
    pub idle: usize,
}

/// The pace for `count` runs of `run` bytes, `step` bytes apart; `None`: as fast as can be.
///
/// A first-level cache of 32 KiB in 8 ways, or 48 KiB in 12, finds a place for a line by the lowest 12 bits of its address. Lines a
/// multiple of 4 KiB apart share those 8 or 12 places, as they share places further out, and while more of them are awaited than there are, AMD's
/// processors take up to 2.7 times as long for each. It is done on AMD's alone: nothing was measured on others.
///
/// - Zen 5 is made to look less far ahead: it holds 448 instructions that have not ended, and 40 that do nothing after each run
///   leave room for 10 runs. 4096 runs of 1 to 16 bytes: 16 KiB apart 16.4 µs so, 40 without; 4 KiB apart 16.5 against 40, 2 KiB
///   apart 10.5 with 20 of them against 20, 8192 of them 1 KiB apart 15.3 with 10 against 17.2; runs of 64 bytes 17.6 against
///   29, of 256 bytes little gain. Waiting for each 8 runs drains everything and starts again: 21.6 µs. Where the lines come from memory, more on their way
///   at once is better, so too many positions for the last-level cache are not held up.
/// - Zen 4 waits: 4096 runs in 14 µs by eights, 22 µs by sixteens, 30 µs without a pause; at 2 KiB 9 µs by sixteens
///   against 21, at 1 KiB 5.8 against 8.9. Runs that lie in two lines gain nothing.
/// - Zen 3, which holds 256 instructions, is made to look less far ahead as Zen 5 is: 4096 runs of 8 bytes 16 KiB apart 16 µs with 20 that do nothing
///   after each, 20 µs by eights, 30 µs without; 4 KiB apart 18 µs with 10, 23 and 27 µs. 2 KiB apart it is enough that they are not put together
///   by fours (12.5 µs; 17 with 20, 20 by eights), 1 KiB apart it is no gain. Runs of 20 to 128 bytes take 0.75 to 1.2 of the time, as they please.
pub(crate) fn crowd(step: isize, run: usize, count: usize) -> Option<Pace> {
    let apart = apart(step)?;
    match maker() {
        Maker::NewAmd if run <= 128 && count <= 16 << 10 => Some(Pace { batch: usize::MAX, idle: 4 / apart }),
        Maker::OldAmd if run <= 16 && apart < 4 => {
            let idle = if step % (2 * PLACES as isize) == 0 { 2 } else { usize::from(apart == 1) };
            Some(Pace { batch: usize::MAX, idle })
        }
        Maker::Zen4 if run <= 16 => Some(Pace { batch: 8 * apart, idle: 0 }),
        _ => None,
    }
}

/// How often each of `count` runs of `run` bytes, `step` bytes apart from `dst` on, is stored so that they are not in each other's way; `None`: once is best.
///
/// A store waits in a queue (104 on Zen 5), and its line is asked for while it waits. Where the queue holds more lines of one place than that
/// has room for, they are thrown out before it is their turn, and have to come again. A run that is stored several times takes up more of the queue, which
/// so holds fewer lines. Zen 5, for each of 64 to 4096 runs of 1 to 16 bytes: 1 KiB apart 0.9 to 1.6 ns by four stores, 4 to 5 by one, 2 KiB
/// 1.4 to 2 by eight instead of 7.5, 4 KiB and more 3 to 3.7 by sixteen instead of 11, 512 bytes 0.85 by two instead of 1.15. (Reading each line
/// first and 50 instructions that do nothing: 3 for 2 KiB; 100 of them: 5 for 4 KiB.) For lines that come from memory it makes no difference. Zen 3, 256 to
/// 2048 runs of up to 16 bytes: 1 KiB apart 0.66 to 0.87 of the time by two stores, 2 KiB 0.5 to 0.7 by four, 4 KiB and more 0.44 to 0.8 by eight, all of them where
/// they reach over 4 MiB at most; further 1.2 to 1.4, as do runs of 64 bytes. Runs across the middle of a line or its end take 2.5 to 4 times as long there.
#[inline(always)]
pub(crate) fn crowd_written(dst: *const u8, step: isize, run: usize, count: usize) -> Option<usize> {
    if step % (PLACES as isize / 8) != 0 || count <= FEW { None } else { times(dst, step, run, count) }
}

/// Whether one value is written to runs that are in each other's way, and so often that it pays to leave them to the kernel for that, which takes some 100 ns
/// to begin (beside which a store takes longer on Zen 5).
#[inline(always)]
pub(crate) fn crowd_filled(dst: *const u8, step: isize, run: usize, count: usize) -> bool {
    crowd_written(dst, step, run, count)
        .is_some_and(|times| times >= 4 && (times * count >= 2048 || maker() == Maker::NewAmd))
}

/// Of so few lines none are in each other's way: a place has room for 12.
const FEW: usize = 15;

/// The rest of [`crowd_written`], where it is not clear at once.
#[inline(never)]
fn times(dst: *const u8, step: isize, run: usize, count: usize) -> Option<usize> {
    let places = PLACES >> step.trailing_zeros().min(PLACES.trailing_zeros());
    if step == 0 || count <= FEW * places || count > 64 << 10 || run > 64 {
        return None;
    }
    let most = match maker() {
        Maker::NewAmd => 16,
        // Its first-level cache has 8 lines in a place, its queue 64 stores.
        Maker::OldAmd | Maker::Zen4 => {
            let near = count > 32 * places && step.unsigned_abs().saturating_mul(count) <= 4 << 20;
            if !near || dst.addr() % 32 + run > 32 {
                return None;
            }
            8
        }
        Maker::Other => return None,
    };
    // Sixteen bytes at a time, as the base set has it.
    let times = (most / places).div_ceil(run.div_ceil(16)).next_power_of_two();
    (times > 1).then_some(times)
}

/// Addresses of lines this far apart are in the same place of the first-level cache.
const PLACES: usize = 4096;

/// Whether the `n` lines of a loop that reads them may be in each other's way for long enough to leave them to a kernel.
#[inline(always)]
pub(crate) fn may_crowd(n: usize, step: isize) -> bool {
    n >= 128 && step % (PLACES as isize / 4) == 0
}

/// In how many places lines `step` bytes apart are, if that is few: 1, 2 or 4.
fn apart(step: isize) -> Option<usize> {
    let apart = PLACES >> step.trailing_zeros().min(PLACES.trailing_zeros());
    (step != 0 && apart <= 4).then_some(apart)
}

/// Lets no store before this be left out for being the same as a later one.
#[inline(always)]
pub(crate) fn keep() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: no instruction.
    unsafe {
        core::arch::asm!("", options(nostack, preserves_flags));
    }
}

/// Ten instructions that do nothing.
#[inline(always)]
pub(crate) fn idle() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: they do nothing.
    unsafe {
        core::arch::asm!(".rept 10", "nop", ".endr", options(nomem, nostack, preserves_flags));
    }
}

/// Lets no later load begin before the earlier ones have arrived.
#[inline(always)]
pub(crate) fn wait() {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        core::arch::x86_64::_mm_lfence();
    }
}

/// Asks for the line of a byte, which need not exist.
#[inline(always)]
pub(crate) fn prefetch(byte: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch changes nothing but the caches, wherever it points. SSE is part of x86-64.
    unsafe {
        core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(byte.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = byte;
}

/// The pointer, of which the compiler knows nothing any more. In a loop that also keeps it from doing several rounds as one, each with
/// loads of its own: a processor foresees what one load asks for next, not what four do that take turns.
#[inline(always)]
pub(crate) fn anew(byte: *const u8) -> *const u8 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let mut byte = byte;
        #[expect(
            clippy::pointers_in_nomem_asm_block,
            reason = "nothing is read or written: what is known of memory stays true"
        )]
        // SAFETY: no instruction.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) byte, options(nomem, nostack, preserves_flags));
        }
        byte
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    byte
}

/// From here on the bytes at `start` have some value each, also those that were never written (between the fields of an element, say): as far
/// as the compiler knows, this may have written them. False where there is no such instruction; nothing may be read as a number then.
#[inline(always)]
pub(crate) fn settle(start: *const u8) -> bool {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    // SAFETY: no instruction.
    unsafe {
        core::arch::asm!("/* {0} */", in(reg) start, options(nostack, preserves_flags));
    }
    let _ = start;
    cfg!(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))
}

/// Whose processor this is, as far as it was found to matter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Maker {
    /// AMD's up to Zen 3.
    OldAmd,
    /// AMD's Zen 4.
    Zen4,
    /// AMD's from Zen 5 on.
    NewAmd,
    Other,
}

/// 0 until the first use, then one more than the number of the [`Maker`].
static KNOWN: AtomicU8 = AtomicU8::new(0);

#[cfg(test)]
std::thread_local! {
    static PRETENDED: core::cell::Cell<Option<Maker>> = const { core::cell::Cell::new(None) };
}

/// Acts as on `maker`'s processors from now on in this thread, which is that of one test.
#[cfg(test)]
pub(crate) fn pretend(maker: Maker) {
    PRETENDED.set(Some(maker));
}

/// Whose processor this is.
pub(crate) fn maker() -> Maker {
    #[cfg(test)]
    if let Some(maker) = PRETENDED.get() {
        return maker;
    }
    match KNOWN.load(Ordering::Relaxed) {
        0 => {
            let maker = ask();
            KNOWN.store(1 + maker as u8, Ordering::Relaxed);
            maker
        }
        1 => Maker::OldAmd,
        2 => Maker::Zen4,
        3 => Maker::NewAmd,
        _ => Maker::Other,
    }
}

/// Results up to here, and what they are made from, are taken to be in the first-level cache of 48 KiB.
pub(crate) const NEAR: usize = 24 << 10;

/// Whether runs of results up to [`NEAR`] are better moved by vectors of `width` bytes than by `memcpy` or by shorter ones: by those of 64 on Zen 5
/// (`memcpy` begins late there; runs of 64 bytes to 2 KiB in 0.8 to 0.9 of the time of 32-byte vectors). Not measured on others.
#[inline(always)]
pub(crate) fn is_near(width: usize) -> bool {
    width == 64 && maker() == Maker::NewAmd
}

/// The set with the widest vectors that such runs are moved by.
#[inline(always)]
pub(crate) fn near() -> Isa {
    match current() {
        Isa::Avx512 if !is_near(64) => Isa::Avx2,
        isa => isa,
    }
}

/// Inside an SGX enclave, where `cpuid` is not allowed, nobody can ask.
#[cfg(all(target_arch = "x86_64", not(any(miri, target_env = "sgx"))))]
#[cold]
fn ask() -> Maker {
    /// Zen 5's.
    const NEW: u32 = 0x1A;
    #[allow(unused_unsafe, reason = "it was unsafe to call in the oldest Rust that is promised")]
    // SAFETY: every x86-64 processor has the instruction, and this is no enclave.
    let (vendor, version) = unsafe { (core::arch::x86_64::__cpuid(0), core::arch::x86_64::__cpuid(1).eax) };
    if [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).as_flattened() != b"AuthenticAMD" {
        return Maker::Other;
    }
    // Four bits, and eight more where those are all set.
    let family = (version >> 8 & 0xF) + (version >> 20 & 0xFF);
    match family {
        NEW.. => Maker::NewAmd,
        // They share a family.
        _ if detect() == 3 => Maker::Zen4,
        _ => Maker::OldAmd,
    }
}

#[cfg(not(all(target_arch = "x86_64", not(any(miri, target_env = "sgx")))))]
fn ask() -> Maker {
    Maker::Other
}
