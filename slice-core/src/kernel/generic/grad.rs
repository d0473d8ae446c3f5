//! Gradients: zeros and values in one pass.
//!
//! A gradient is as long as the input and mostly zeros. Written in two passes it would go through memory twice. Here the zeros are laid just
//! ahead of the values, while the place is in the first-level cache: either in the destination itself, or, where that does not
//! fit the caches, in a small buffer whose whole lines then leave past them, so that no line of the destination is ever read.

use core::hint::black_box;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::scatter::Job;
use crate::kernel::movers::{Mover, Stream};
use crate::kernel::vector::{Kernel, Level};
use crate::kernel::walk::{VisitPair, each_pair};

/// Bytes of the buffer, a part of the smallest first-level cache that is around; and of the zeros that are laid ahead.
const ROOM: usize = 8 << 10;
/// Room for a unit that ends behind its step, and for whole vectors stored at its end.
const SLACK: usize = 4 << 10;

/// The buffer of a streamed gradient.
#[repr(align(64))]
pub(crate) struct Buffer([MaybeUninit<u8>; ROOM + SLACK]);

impl Buffer {
    pub(crate) const fn new() -> Buffer {
        Buffer([MaybeUninit::uninit(); ROOM + SLACK])
    }
}

/// The zeros under a gradient, laid from the first byte to the last.
pub(crate) struct Ground {
    /// The destination.
    start: *mut u8,
    end: *mut u8,
    /// Plain: all below is written. Streamed: the line that the buffer begins with, which may begin before the destination.
    at: *mut u8,
    /// The buffer if the destination is streamed, or null.
    buffer: *mut u8,
    /// The buffer is zero from here on.
    used: usize,
    /// Sends the lines of the buffer below an address away.
    advance: unsafe fn(&mut Ground, *mut u8),
}

impl Ground {
    /// Zeros under `bytes` bytes at `dst`, by `L`'s stores.
    pub(crate) fn plain<L: Level>(dst: *mut u8, bytes: usize) -> Ground {
        let end = dst.wrapping_add(bytes);
        Ground { start: dst, end, at: dst, buffer: core::ptr::null_mut(), used: 0, advance: lay::<L> }
    }

    /// The same, past the caches by `L`'s stores. The buffer must outlive it.
    pub(crate) fn streamed<L: Level>(dst: *mut u8, bytes: usize, buffer: &mut Buffer) -> Ground {
        let at = dst.wrapping_sub(dst.addr() % 64);
        buffer.0.fill(MaybeUninit::new(0));
        Ground {
            start: dst,
            end: dst.wrapping_add(bytes),
            at,
            buffer: buffer.0.as_mut_ptr().cast(),
            used: 0,
            advance: advance::<L>,
        }
    }

    /// Where `bytes` bytes of the destination from `dst` on are to be written, all of them zero (and others behind them), and the address up to
    /// which they are.
    ///
    /// # Safety
    /// `bytes` is at most [`SLACK`], or the last of them are not written. `dst` lies in the destination, behind all that was asked
    /// for before and is written; no place that was given earlier is used any more.
    #[inline(always)]
    pub(crate) unsafe fn place(&mut self, dst: *mut u8, bytes: usize) -> (*mut u8, usize) {
        let past = dst.addr().saturating_add(bytes.min(SLACK));
        // SAFETY: the caller's promise.
        unsafe {
            if self.buffer.is_null() {
                if past > self.at.addr() {
                    (self.advance)(self, dst.wrapping_add(bytes.min(SLACK)));
                }
                return (dst, self.at.addr());
            }
            if past > self.at.addr() + ROOM {
                (self.advance)(self, dst);
            }
        }
        self.used = past - self.at.addr();
        (self.buffer.wrapping_add(dst.addr() - self.at.addr()), self.buffer.addr() + ROOM + SLACK)
    }

    /// Whether the destination is streamed.
    #[inline(always)]
    pub(crate) fn is_streamed(&self) -> bool {
        !self.buffer.is_null()
    }

    /// How many bytes of the destination there are from `line` on. None, if it begins before the destination.
    #[inline(always)]
    pub(crate) fn room(&self, line: *mut u8) -> usize {
        if line.addr() < self.start.addr() { 0 } else { self.end.addr() - line.addr() }
    }

    /// Makes ready for whole lines from `line` on that somebody else streams. Says from which line on, `line` or one before it, nothing is written, and how
    /// many bytes of the destination there are behind `line`. `None` if it begins before the destination.
    ///
    /// # Safety
    /// The ground is streamed, and the line lies before the destination's end. Nothing was written in `line` or behind it, whatever was asked for; before
    /// it, all that was asked for is written. No place that was given earlier is used any more.
    #[inline(always)]
    pub(crate) unsafe fn reach(&mut self, line: *mut u8) -> Option<(*mut u8, usize)> {
        debug_assert!(line.addr().is_multiple_of(LINE));
        if line.addr() < self.start.addr() {
            return None;
        }
        // Whoever writes the lines may write the zeros before them as well, without a call, if there is nothing but zeros.
        if self.used > 0 || self.at.addr() < self.start.addr() {
            // SAFETY: the caller's promise; the destination's end lies behind the line.
            unsafe { (self.advance)(self, line) };
        }
        Some((self.at, self.end.addr() - line.addr()))
    }

    /// Goes on at `line`, up to which somebody else has written all from what was [reached](Ground::reach) on.
    ///
    /// # Safety
    /// It starts a line, or is the destination's end, and lies no further behind what was reached than that said there is; nothing was asked for since.
    #[inline(always)]
    pub(crate) unsafe fn resume(&mut self, line: *mut u8) {
        debug_assert!(line.addr() >= self.at.addr() && self.used == 0);
        self.at = line;
    }

    /// Writes what is left to the end.
    ///
    /// # Safety
    /// No place that was given is used any more.
    pub(crate) unsafe fn finish(&mut self) {
        // SAFETY: the destination's end is behind all that was asked for.
        unsafe { (self.advance)(self, self.end) }
    }
}

/// Lays zeros up to an address and some way beyond.
///
/// # Safety
/// The destination can be written, and holds nothing yet from `at` on.
unsafe fn lay<L: Level>(ground: &mut Ground, past: *mut u8) {
    let left = ground.end.addr() - ground.at.addr();
    let ahead = (past.addr().saturating_sub(ground.at.addr())).saturating_add(ROOM).min(left);
    // SAFETY: `ahead` bytes from `at` on end at or before the destination's end; the ground was told a set the CPU has.
    unsafe { zeros::<L>(ground.at, ahead, false) };
    ground.at = ground.at.wrapping_add(ahead);
}

/// Makes the buffer begin with the line of `to`: sends all lines before it away.
///
/// # Safety
/// As for [`Ground::place`].
unsafe fn advance<L: Level>(ground: &mut Ground, to: *mut u8) {
    // SAFETY: `streamed` was told a set the CPU has.
    unsafe { L::enter(&mut Advance::<L> { ground, to, level: PhantomData }) }
}

struct Advance<'a, L> {
    ground: &'a mut Ground,
    to: *mut u8,
    level: PhantomData<L>,
}

impl<L: Level> Kernel for Advance<'_, L> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        let ground = &mut *self.ground;
        let last = self.to == ground.end;
        let to = if last { self.to } else { self.to.wrapping_sub(self.to.addr() % 64) };
        let (buffer, end) = (ground.buffer, ground.end.addr());
        let used = ground.used.next_multiple_of(64).min(ROOM + SLACK);
        let mut at = ground.at;
        let mut i = 0;
        // SAFETY: lines of the buffer up to `used` belong to the destination from `at` on, and the destination holds zeros only
        // behind them; only what lies in the destination is written. The buffer has `ROOM + SLACK` bytes.
        unsafe {
            while at.addr() < to.addr() {
                if at.addr() < ground.start.addr() || at.addr() + LINE > end {
                    // A line that is the destination's in part: its first or its last.
                    let from = if i < used { buffer.add(i) } else { ZEROS.0.as_ptr() };
                    let skip = ground.start.addr().saturating_sub(at.addr());
                    let n = LINE.min(end - at.addr());
                    core::ptr::copy_nonoverlapping(from.add(skip), at.wrapping_add(skip), n.saturating_sub(skip));
                    if i < used {
                        clear(buffer.add(i));
                    }
                    (at, i) = (at.wrapping_add(LINE), i + LINE);
                    continue;
                }
                let lines = (to.addr().min(end) - at.addr()) / LINE;
                let written = lines.min(used.saturating_sub(i) / LINE);
                // A line is made zero again while it is at hand: a pass of its own took a quarter of the time.
                for _ in 0..written {
                    L::stream64(buffer.add(i), at);
                    clear(buffer.add(i));
                    (at, i) = (at.wrapping_add(LINE), i + LINE);
                }
                for _ in written..lines {
                    L::stream64(ZEROS.0.as_ptr(), at);
                    at = at.wrapping_add(LINE);
                }
                i += (lines - written) * LINE;
            }
            if last {
                L::fence();
                return;
            }
            // The line of `to` may be begun already. What is behind it holds nothing, but some of it may have been given away.
            if i > 0 && i < used {
                core::ptr::copy_nonoverlapping(buffer.add(i), buffer, LINE);
                clear(buffer.add(i));
            }
        }
        (ground.at, ground.used) = (at, 0);
    }
}

/// Bytes of a line.
const LINE: usize = 64;

#[repr(align(64))]
pub(super) struct Zeros(pub(super) [u8; LINE]);
/// A line of nothing, as long as the longest vector.
pub(super) static ZEROS: Zeros = Zeros([0; LINE]);

/// Makes a line zero.
///
/// # Safety
/// It can be written.
#[inline(always)]
unsafe fn clear(line: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { line.cast::<[u64; LINE / 8]>().write_unaligned([0; LINE / 8]) }
}

/// Zeros only; `stream`: past the caches.
///
/// # Safety
/// The CPU has `L`'s set; `bytes` bytes at `dst` can be written.
pub(crate) unsafe fn zeros<L: Level>(dst: *mut u8, bytes: usize, stream: bool) {
    // SAFETY: the caller's promise.
    unsafe { L::enter(&mut Zero::<L> { dst, bytes, stream, level: PhantomData }) }
    if stream {
        L::fence();
    }
}

struct Zero<L> {
    dst: *mut u8,
    bytes: usize,
    stream: bool,
    level: PhantomData<L>,
}

impl<L: Level> Kernel for Zero<L> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        // SAFETY: the caller of `zeros` vouches for the bytes.
        unsafe {
            if self.stream {
                stream_zeros::<L>(self.dst, self.bytes);
            } else {
                lines_of_zeros(self.dst, self.bytes);
            }
        }
    }
}

/// Zeros by whole vectors that begin where lines do. The C library's `memset` takes an instruction for whole strings (`rep stosb`) from
/// some kilobytes on, which is slower on AMD's (Zen 5: 1.1 to 1.3 times at 64 KiB, 1.7 times at 16 KiB; Zen 3: 1.15 times).
///
/// # Safety
/// As for [`zeros`].
#[inline(always)]
unsafe fn lines_of_zeros(dst: *mut u8, bytes: usize) {
    if bytes < LINE || cfg!(not(target_arch = "x86_64")) {
        // SAFETY: the caller's promise.
        return unsafe { core::ptr::write_bytes(dst, 0, bytes) };
    }
    // Whatever it is: the compiler would call `memset` for a loop that it knows to write zeros.
    let zero = [black_box(0u64); LINE / 8];
    let store = |at: usize| {
        // SAFETY: every `at` below leaves room for a line.
        unsafe { dst.add(at).cast::<[u64; LINE / 8]>().write_unaligned(zero) }
    };
    store(0);
    let mut at = LINE - dst.addr() % LINE;
    while at + 4 * LINE <= bytes {
        for line in 0..4 {
            store(at + line * LINE);
        }
        at += 4 * LINE;
    }
    while at + LINE <= bytes {
        store(at);
        at += LINE;
    }
    store(bytes - LINE);
}

/// Zeros past the caches, the ends stored plainly.
///
/// # Safety
/// As for [`zeros`], without the fence.
#[inline(always)]
unsafe fn stream_zeros<L: Level>(dst: *mut u8, bytes: usize) {
    let mut i = (dst.addr().wrapping_neg() % 64).min(bytes);
    // SAFETY: `i` and `i + 64` never pass `bytes`; where `i + 64` fits, `dst + i` is a multiple of 64.
    unsafe {
        core::ptr::write_bytes(dst, 0, i);
        while i + 64 <= bytes {
            L::stream64(ZEROS.0.as_ptr(), dst.add(i));
            i += 64;
        }
        core::ptr::write_bytes(dst.add(i), 0, bytes - i);
    }
}

/// A gradient of long runs: zeros up to each, then the run.
///
/// # Safety
/// The CPU has `L`'s set. All positions of the job lie in its source and in the `bytes` bytes at `dx`; `inner` is empty.
pub(crate) unsafe fn long<L: Level>(job: &Job<'_>, dx: *mut u8, bytes: usize) {
    let end = dx.wrapping_add(bytes);
    // SAFETY: the caller's promise.
    unsafe { L::enter(&mut LongRuns::<L> { job, at: dx, end, level: PhantomData }) }
    if job.stream {
        L::fence();
    }
}

struct LongRuns<'a, L> {
    job: &'a Job<'a>,
    /// All below is written.
    at: *mut u8,
    end: *mut u8,
    level: PhantomData<L>,
}

impl<L: Level> Kernel for LongRuns<'_, L> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        // SAFETY: `outer` counts the rows of the job; what follows the last of them is zero.
        unsafe {
            each_pair(self.job.outer, self);
            self.gap(self.end);
        }
    }
}

impl<L: Level> LongRuns<'_, L> {
    /// Writes zeros up to `to`.
    ///
    /// # Safety
    /// It lies in the destination, and nothing is written yet from `at` on.
    #[inline(always)]
    unsafe fn gap(&mut self, to: *mut u8) {
        let bytes = to.addr() - self.at.addr();
        // SAFETY: the bytes between lie in the destination.
        unsafe {
            if self.job.stream {
                stream_zeros::<L>(self.at, bytes);
            } else {
                core::ptr::write_bytes(self.at, 0, bytes);
            }
        }
        self.at = to;
    }
}

impl<L: Level> VisitPair for LongRuns<'_, L> {
    #[inline(always)]
    unsafe fn place(&mut self, src: isize, dst: isize) {
        let (walk, run) = (self.job.walk, self.job.run);
        for i in 0..walk.n as isize {
            let from = self.job.src.wrapping_offset(src + walk.src * i);
            let to = self.job.dst.wrapping_offset(dst + walk.dst * i);
            // SAFETY: one run of the job; they come in the order of the destination.
            unsafe {
                self.gap(to);
                if self.job.stream {
                    Stream::<L>(run, PhantomData).one(from, to);
                } else {
                    core::ptr::copy_nonoverlapping(from, to, run);
                }
            }
            self.at = to.wrapping_add(run);
        }
    }
}
