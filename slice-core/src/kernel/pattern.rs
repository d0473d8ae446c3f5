//! A repeated value, which fills write.

use core::mem::MaybeUninit;

/// The most bytes of a pattern.
const MOST: usize = 2048;
/// Bytes of a line.
const LINE: usize = 64;
/// Bytes before and behind it that may be read.
const PAD: usize = 64;

/// A value repeated as often as it fits, with bytes around it that can be read by whole vectors.
#[repr(align(64))]
pub(crate) struct Pattern {
    bytes: [MaybeUninit<u8>; PAD + MOST + PAD],
    len: usize,
}

impl Pattern {
    pub(crate) const fn new() -> Pattern {
        Pattern { bytes: [const { MaybeUninit::uninit() }; PAD + MOST + PAD], len: 0 }
    }

    /// Stores the `len` bytes at `value`, and repeats them as far as `wanted` and the room go.
    /// Returns `false` if they are too many.
    ///
    /// # Safety
    ///
    /// `len` bytes can be read at `value`, at least one.
    pub(crate) unsafe fn fill(&mut self, value: *const u8, len: usize, wanted: usize) -> bool {
        if len > MOST {
            return false;
        }
        // Whole lines, where they fit: repeated runs are then streamed without odd ends.
        let lines = len << LINE.trailing_zeros().saturating_sub(len.trailing_zeros());
        let unit = if lines <= MOST { lines } else { len };
        let most =
            if wanted < unit { len * wanted.div_ceil(len) } else { MOST.min(wanted) / unit * unit };
        let base = self.bytes.as_mut_ptr();
        // SAFETY: both pads and `most` bytes between them lie inside the array, and the copies end
        // at `most`.
        unsafe {
            base.write_bytes(0, PAD);
            let first = base.add(PAD);
            core::ptr::copy_nonoverlapping(value.cast(), first, len);
            let mut done = len;
            while done < most {
                let more = done.min(most - done);
                core::ptr::copy_nonoverlapping(first, first.add(done), more);
                done += more;
            }
            first.add(most).write_bytes(0, PAD);
        }
        self.len = most;
        true
    }

    /// The first byte, and how many there are: a multiple of the value's.
    pub(crate) fn bytes(&self) -> (*const u8, usize) {
        (self.bytes.as_ptr().wrapping_add(PAD).cast(), self.len)
    }

    /// The addresses that can be read.
    pub(crate) fn readable(&self) -> core::ops::Range<usize> {
        let start = self.bytes.as_ptr().addr();
        start..start + PAD + self.len + PAD
    }
}

/// Writes `n` bytes to `dst`: a pattern of `period` bytes, repeated, beginning with its byte
/// `phase`.
///
/// # Safety
///
/// `period` bytes can be read at `pattern` and `n` written at `dst`, and the two do not overlap;
/// `phase` is less than `period`.
pub(crate) unsafe fn repeat(
    pattern: *const u8,
    period: usize,
    phase: usize,
    dst: *mut u8,
    n: usize,
) {
    /// What was written is copied again in pieces up to this size, which stay in the first-level
    /// cache.
    const AGAIN: usize = 16 << 10;
    // SAFETY: `some` bytes lie behind byte `phase` of the pattern or, where a whole number of
    // periods has been written, at the start of `dst`; and as many are left to be written.
    unsafe {
        let first = n.min(period - phase);
        core::ptr::copy_nonoverlapping(pattern.add(phase), dst, first);
        let rest = phase.min(n - first);
        core::ptr::copy_nonoverlapping(pattern, dst.add(first), rest);
        let mut done = first + rest;
        while done < n {
            let some = done.min(AGAIN / period * period).min(n - done);
            core::ptr::copy_nonoverlapping(dst, dst.add(done), some);
            done += some;
        }
    }
}
