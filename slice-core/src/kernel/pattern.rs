//! Values that are read many times: they are repeated into a pattern that whole vectors can read.

use super::nest::LINE;
use super::piece::{Period, Piece};
use super::tuning::FEW_VALUES;
use core::mem::MaybeUninit;

/// The most bytes of a pattern.
const LONGEST: usize = 2048;
/// Bytes before and behind it that may be read.
const PAD: usize = 64;

/// A value repeated as often as it fits, with bytes around it that can be read by whole vectors.
#[repr(align(64))]
pub(crate) struct Pattern {
    bytes: [MaybeUninit<u8>; PAD + LONGEST + PAD],
    len: usize,
}

impl Pattern {
    pub(crate) const fn new() -> Pattern {
        Pattern { bytes: [const { MaybeUninit::uninit() }; PAD + LONGEST + PAD], len: 0 }
    }

    /// Lets a piece read the pattern, if all of it reads one value, or a small source many times.
    /// `start` is where the source begins.
    ///
    /// # Safety
    ///
    /// The positions and the readable bytes of the piece can be read.
    pub(crate) unsafe fn serve(&mut self, piece: &mut Piece<'_>, start: *const u8) {
        let Piece { loops, run, total, readable: (_, values), .. } = *piece;
        let one = !loops.is_empty() && loops.iter().all(|it| it.src == 0);
        let small = values > 0 && values <= FEW_VALUES && values < total;
        if !small && (!one || run > LONGEST) {
            return;
        }
        let (from, bytes, wanted) =
            if one { (piece.src, run, total) } else { (start, values, values) };
        // SAFETY: the value, or all of the source.
        unsafe { self.fill(from, bytes, wanted) };
        piece.src = self.first().wrapping_add(piece.src.addr() - from.addr());
        piece.readable = (self.bytes.as_ptr().addr(), PAD + self.len + PAD);
        if one {
            piece.period = Period { bytes: self.len, same_lines: 64 % bytes == 0 };
            // What the inner loop writes without gaps is one run of the pattern.
            if let [first, outer @ ..] = loops
                && first.dst == run as isize
            {
                (piece.loops, piece.run) = (outer, run * first.n);
            }
        }
    }

    /// Stores the `len` bytes at `value`, and repeats them as far as `wanted` and the room go.
    ///
    /// # Safety
    ///
    /// `len` bytes can be read at `value`, at least one and at most [`LONGEST`].
    unsafe fn fill(&mut self, value: *const u8, len: usize, wanted: usize) {
        // Whole lines, where they fit: repeated runs are then streamed without odd ends.
        let lines = len << LINE.trailing_zeros().saturating_sub(len.trailing_zeros());
        let unit = if lines <= LONGEST { lines } else { len };
        let most = if wanted < unit {
            len * wanted.div_ceil(len)
        } else {
            LONGEST.min(wanted) / unit * unit
        };
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

    /// The first byte of the pattern.
    fn first(&self) -> *const u8 {
        self.bytes.as_ptr().wrapping_add(PAD).cast()
    }
}
