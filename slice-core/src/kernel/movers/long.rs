//! Moves of long runs: by vectors, by whole lines past the caches, by the C library.

use super::{Mover, word};
use crate::kernel::isa::{self, Maker};
use crate::kernel::vector::Level;
use core::marker::PhantomData;

/// Bytes of one step of [`Long`], which the compiler turns into as few vector moves as the target allows.
type Chunk = [u64; 8];

/// A run of at least 64 bytes, moved 64 at a time without a call; the last 64 overlap those before.
#[derive(Clone, Copy)]
pub(crate) struct Long(pub usize);

impl Mover for Long {
    #[inline(always)]
    unsafe fn one(self, src: *const u8, dst: *mut u8) {
        // SAFETY: the caller's promise; nothing was moved before.
        unsafe { chunks(0, self.0, src, dst) }
    }
    #[inline(always)]
    fn run(self) -> usize {
        self.0
    }
}

/// Moves a run of at least 64 bytes from byte `i` on; the last 64 are moved in any case.
///
/// # Safety
/// The run can be read at `src` and written at `dst`, and the two do not overlap.
#[inline(always)]
unsafe fn chunks(mut i: usize, run: usize, src: *const u8, dst: *mut u8) {
    const STEP: usize = size_of::<Chunk>();
    debug_assert!(run >= STEP);
    let last = run - STEP;
    // SAFETY: `i < last` and `last + STEP` is the run's length, so every move lies inside the run.
    unsafe {
        while i < last {
            word::<Chunk>(src.add(i), dst.add(i));
            i += STEP;
        }
        word::<Chunk>(src.add(last), dst.add(last));
    }
}

/// A long run straight past the caches: whole lines streamed, the ends stored plainly.
pub(crate) struct Stream<L>(pub usize, pub PhantomData<L>);

impl<L> Clone for Stream<L> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L> Copy for Stream<L> {}

impl<L: Level> Mover for Stream<L> {
    #[inline(always)]
    unsafe fn one(self, src: *const u8, dst: *mut u8) {
        let head = ((64 - dst.addr() % 64) % 64).min(self.0);
        let mut i = head;
        // SAFETY: `head` does not pass the run's end; where a line fits behind it, `dst + i` is a multiple of 64.
        unsafe {
            core::ptr::copy_nonoverlapping(src, dst, head);
            i += lines::<L>(src.add(i), dst.add(i), self.0 - i);
            core::ptr::copy_nonoverlapping(src.add(i), dst.add(i), self.0 - i);
        }
    }
    #[inline(always)]
    fn run(self) -> usize {
        self.0
    }
}

/// Bytes from a line that is read to the one that is prefetched.
pub(crate) const AHEAD: usize = 4096;

/// Copies the whole lines of `bytes` bytes past the caches, and says how many bytes they are.
///
/// # Safety
/// The CPU has `L`'s set. They can be read at `src` and written at `dst`, which is a multiple of 64; the two do not overlap.
/// [`Level::fence`] must follow.
#[inline(always)]
pub(crate) unsafe fn lines<L: Level>(src: *const u8, dst: *mut u8, bytes: usize) -> usize {
    let mut i = 0;
    // SAFETY: `i + 256` and `i + 64` never pass `bytes`.
    unsafe {
        while i + 256 <= bytes {
            // What is behind the last line is nothing that will be read.
            if i + 256 + AHEAD <= bytes {
                for line in 0..4 {
                    isa::prefetch(src.wrapping_add(i + AHEAD + 64 * line));
                }
            }
            L::stream256(src.add(i), dst.add(i));
            i += 256;
        }
        while i + 64 <= bytes {
            L::stream64(src.add(i), dst.add(i));
            i += 64;
        }
    }
    i
}

/// A long run: the C library's `memcpy` where that is fast, at any length.
///
/// From some 2 KiB on it takes an instruction for whole strings (`rep movsb`), which is the fastest there is where source and destination lie
/// alike to the lines of the cache. Where they do not, it can be slow, so there such runs are moved here, by stores that begin where
/// every 32 bytes do but for the first and the last:
///
/// - on Zen 4 (up to 1.9 times slower) and Zen 3 (13 to 30 times, where the destination lies 1 to 63 bytes further on in its page),
///   wherever they lie otherwise; Zen 3 then takes the same time as `memcpy` at its best, from 4 KiB to 2 MiB;
/// - on Zen 5 up to 24 KiB where the destination lies 1 to 63 bytes further on in its page, and up to 3 KiB in any case (1.2 to 1.45
///   times). Otherwise the string instruction is 1.2 to 1.4 times as fast. It is the loads that begin where every 32 bytes do (0.88 to 0.97 of the time), or with
///   vectors of 64 bytes where lines do, one a round, so that it is seen what comes next (0.81 out of the last-level cache, 0.9 out of the second-level one).
pub(crate) struct Call<L>(pub usize, pub PhantomData<L>);

impl<L> Clone for Call<L> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L> Copy for Call<L> {}

impl<L> Call<L> {
    /// Whether `memcpy` is to move the run.
    #[inline(always)]
    fn called(self, src: *const u8, dst: *mut u8) -> bool {
        /// Bytes of a page.
        const PAGE: usize = 4 << 10;
        let apart = dst.addr().wrapping_sub(src.addr());
        if cfg!(not(target_arch = "x86_64")) || self.0 < 64 {
            return true;
        }
        match isa::maker() {
            Maker::NewAmd => self.0 >= 24 << 10 || self.0 >= 3 << 10 && !(1..64).contains(&(apart % PAGE)),
            Maker::OldAmd | Maker::Zen4 | Maker::Other => apart.is_multiple_of(64),
        }
    }
}

impl<L: Level> Mover for Call<L> {
    #[inline(always)]
    unsafe fn one(self, src: *const u8, dst: *mut u8) {
        // SAFETY: the caller's promise is `copy_nonoverlapping`'s. Otherwise the run has 64 bytes, and those before the place where
        // `chunks` begins are among them.
        unsafe {
            if self.called(src, dst) {
                core::ptr::copy_nonoverlapping(src, dst, self.0)
            } else if isa::is_near(L::WIDTH) {
                word::<Chunk>(src, dst);
                chunks(64 - src.addr() % 64, self.0, src, dst);
            } else {
                let side = if isa::maker() == Maker::NewAmd { src.addr() } else { dst.addr() };
                word::<[u64; 4]>(src, dst);
                chunks(32 - side % 32, self.0, src, dst);
            }
        }
    }
    #[inline(always)]
    fn run(self) -> usize {
        self.0
    }
}

/// A run of at least 64 bytes of a result that fits the first-level cache: see [`Level::near`].
///
/// Zen 5, a row of 2 to 16 KiB: 0.65 to 0.85 of the time of `memcpy`, if one side of it at least is there; if both come from further out, 0.75 to 1.1.
pub(crate) struct Near<L>(pub usize, pub PhantomData<L>);

impl<L> Clone for Near<L> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L> Copy for Near<L> {}

impl<L: Level> Mover for Near<L> {
    #[inline(always)]
    unsafe fn one(self, src: *const u8, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { L::near(src, dst, self.0) }
    }
    #[inline(always)]
    fn run(self) -> usize {
        self.0
    }
}
