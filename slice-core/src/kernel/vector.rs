//! What the kernels ask of a processor: vectors with a byte shuffle, and the few instructions
//! without a Rust spelling. `isa/` says which sets of instructions there are.

use core::sync::atomic::{AtomicUsize, Ordering};

/// The operations of a set that shuffles need.
///
/// # Safety
///
/// All functions require a CPU that has the set, and memory to read and write as far as they say.
pub(crate) trait Vector: Copy {
    /// The size of the type, whose bytes can have any values.
    const BYTES: usize;
    /// Which bytes of one or two loads go to the output, in registers.
    type Index: Copy;
    /// Which bytes of a vector are written.
    type Mask: Copy;

    /// Made of a table for each load: [`BYTES`](Vector::BYTES) positions in it, or 0x80 for none.
    unsafe fn index(first: *const u8, second: *const u8) -> Self::Index;
    /// Made of the first `n` of [`BYTES`](Vector::BYTES) bytes: 0xFF if one is written, else 0.
    unsafe fn mask(table: *const u8, n: usize) -> Self::Mask;
    /// Load `number` of every lane, whose loads begin at `base` from `src`. This is for one lane.
    #[inline(always)]
    unsafe fn gather(src: *const u8, base: &[isize; 2], number: usize) -> Self {
        // SAFETY: a load of the caller's.
        unsafe { Self::load(src.wrapping_offset(base[0]).wrapping_add(Self::BYTES * number)) }
    }
    /// The bytes that `index` picks of the first load, or, with `TWO`, of both.
    unsafe fn pick<const TWO: bool>(first: Self, second: Self, index: Self::Index) -> Self;
    /// These bytes, and those of `more`, which were picked by `index`.
    unsafe fn merge(self, more: Self, index: Self::Index) -> Self;
    /// The bytes that `mask` names, and those of `under` elsewhere.
    unsafe fn over(self, under: Self, mask: Self::Mask) -> Self;
    #[inline(always)]
    unsafe fn load(src: *const u8) -> Self {
        // SAFETY: the caller's promise.
        unsafe { src.cast::<Self>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn store(self, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { dst.cast::<Self>().write_unaligned(self) }
    }
    /// Stores past the caches; `dst` is a multiple of [`BYTES`](Vector::BYTES).
    unsafe fn stream(self, dst: *mut u8);
    /// Copies a line of 64 bytes past the caches; `dst` is a multiple of 64.
    #[inline(always)]
    unsafe fn copy_line(src: *const u8, dst: *mut u8) {
        let mut at = 0;
        while at < 64 {
            // SAFETY: a part of the caller's line.
            unsafe { Self::load(src.add(at)).stream(dst.add(at)) };
            at += Self::BYTES;
        }
    }
}

/// Lines in a set of the first-level cache; `usize::MAX` where the CPU does not tell.
pub(crate) fn ways() -> usize {
    /// 0 until the first use.
    static WAYS: AtomicUsize = AtomicUsize::new(0);
    // Relaxed: every thread that finds no value asks for the same one.
    let mut ways = WAYS.load(Ordering::Relaxed);
    if ways == 0 {
        #[cfg(all(target_arch = "x86_64", not(any(target_env = "sgx", miri))))]
        #[allow(unused_unsafe, reason = "it is safe to ask since Rust 1.94")]
        // SAFETY: every 64-bit x86 CPU answers. AMD has a leaf of its own, laid out as Intel's.
        unsafe {
            use core::arch::x86_64::__cpuid_count as ask;
            let leaf = if ask(0x8000_0000, 0).eax >= 0x8000_001d { 0x8000_001d } else { 4 };
            let cache = ask(leaf, 0);
            // A virtual machine may hide the leaf, which then names no cache.
            if cache.eax & 31 != 0 {
                ways = (cache.ebx >> 22) as usize + 1;
            }
        }
        ways = if ways == 0 { usize::MAX } else { ways };
        WAYS.store(ways, Ordering::Relaxed);
    }
    ways
}

/// A line of ones, and one of zeros: from byte `64 - n` on, a mask of `n` bytes.
pub(crate) static ONES: [[u8; 64]; 2] = [[0xFF; 64], [0; 64]];

/// A word of 16 bytes that one register holds. With two, fills took 1.3 times as long (Zen 3).
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) type Word16 = core::arch::x86_64::__m128i;
/// The same on other targets.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) type Word16 = [u64; 2];

/// Makes streamed stores visible before all later ones.
#[inline]
pub(crate) fn fence() {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    // SAFETY: the target has SSE2.
    unsafe {
        core::arch::x86_64::_mm_sfence()
    };
}

/// Prefetches the line of a byte, which need not exist; `far`: only into the second-level cache. A
/// first-level cache waits for only a few lines at a time.
#[inline]
pub(crate) fn prefetch(byte: *const u8, far: bool) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    // SAFETY: a prefetch changes only the caches, wherever it points. The target has SSE2.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
        if far {
            _mm_prefetch::<_MM_HINT_T1>(byte.cast())
        } else {
            _mm_prefetch::<_MM_HINT_T0>(byte.cast())
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
    let _ = (byte, far);
}

/// The pointer `next`, which a processor knows no sooner than `byte`.
///
/// # Safety
///
/// The byte can be read.
#[inline(always)]
#[allow(unused_mut, reason = "not every target has the statement")]
pub(crate) unsafe fn after(byte: *const u8, mut next: *const u8) -> *const u8 {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    // SAFETY: the caller's byte is read, and nothing of it added.
    unsafe {
        core::arch::asm!("movzx {0:e}, byte ptr [{1}]", "and {0:e}, 0", "add {2}, {0}",
            out(reg) _, in(reg) byte, inout(reg) next, options(readonly, nostack));
    }
    let _ = byte;
    next
}

/// The same pointer, about which the compiler no longer knows anything, so that it does not unroll
/// the loop. A CPU predicts the reads of one load instruction sooner than those of many in turn.
#[inline]
#[allow(unused_mut, reason = "not every target has the statement")]
pub(crate) fn opaque(mut byte: *const u8) -> *const u8 {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    #[expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read or written")]
    // SAFETY: no instruction.
    unsafe {
        core::arch::asm!("/* {0} */", inout(reg) byte, options(nomem, nostack, preserves_flags));
    }
    byte
}
