//! A repeated value, which fills write.

use core::mem::MaybeUninit;

/// The most bytes of a pattern.
pub(super) const MOST: usize = 2048;
/// Bytes of a line.
const LINE: usize = 64;
/// Bytes before and behind it that may be read.
const PAD: usize = 64;

/// How a run repeats the bytes of its source.
#[derive(Clone, Copy)]
pub(crate) struct Period {
    /// Bytes after which it begins again; `usize::MAX`: never.
    pub(crate) bytes: usize,
    /// They repeat after every 64 bytes.
    pub(crate) same_lines: bool,
}

impl Period {
    pub(crate) const NONE: Period = Period { bytes: usize::MAX, same_lines: false };
}

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
    ///
    /// # Safety
    ///
    /// `len` bytes can be read at `value`, at least one and at most [`MOST`].
    pub(crate) unsafe fn fill(&mut self, value: *const u8, len: usize, wanted: usize) {
        // Whole lines, where they fit: repeated runs are then streamed without odd ends.
        let lines = len << LINE.trailing_zeros().saturating_sub(len.trailing_zeros());
        let unit = if lines <= MOST { lines } else { len };
        let most =
            if wanted < unit { len * wanted.div_ceil(len) } else { MOST.min(wanted) / unit * unit };
        let base = self.bytes.as_mut_ptr();
        // SAFETY: both pads and `most` bytes between them lie inside the array, and the copies end
        // with the second pad.
        unsafe {
            base.write_bytes(0, PAD);
            let first = base.add(PAD);
            core::ptr::copy_nonoverlapping(value.cast(), first, len);
            let mut done = len;
            while done < most + PAD {
                let more = done.min(most + PAD - done);
                core::ptr::copy_nonoverlapping(first, first.add(done), more);
                done += more;
            }
        }
        self.len = most;
    }

    /// The first byte, and how many there are: a multiple of the value's.
    pub(crate) fn bytes(&self) -> (*const u8, usize) {
        (self.bytes.as_ptr().wrapping_add(PAD).cast(), self.len)
    }

    /// The first address that can be read, and how many bytes from there.
    pub(crate) fn readable(&self) -> (usize, usize) {
        (self.bytes.as_ptr().addr(), PAD + self.len + PAD)
    }
}
