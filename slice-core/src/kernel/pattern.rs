//! Values that are read many times: they are repeated into a pattern that whole vectors can read.

use super::moves::fills_rows;
use super::nest::{LINE, Line};
use super::piece::{Class, Piece};
use super::tuning::FEW_VALUES;
use core::mem::MaybeUninit;

/// The most bytes of a pattern.
pub(super) const LONGEST: usize = 2048;
/// Bytes before and behind it that may be read.
const PAD: usize = 64;

/// A value repeated as often as it fits, with bytes around it that can be read by whole vectors.
pub(crate) type Pattern = MaybeUninit<[Line; (PAD + LONGEST + PAD) / LINE]>;

impl<'a> Piece<'a> {
    /// Whether all places are given the same value.
    pub(super) fn fills(&self) -> bool {
        !self.loops.is_empty() && self.loops.iter().all(|it| it.src == 0)
    }

    /// The same piece with longer runs, each of which repeats one value, if it has such places.
    pub(super) fn joined(&self) -> Option<Piece<'a>> {
        let (first, outer) = self.loops.split_first()?;
        let joins = first.dst == self.run as isize && self.run <= LONGEST && self.fills();
        let joins = joins && (self.stream || !fills_rows(self.run, first));
        joins.then(|| Piece { loops: outer, run: self.run * first.n, period: self.run, ..*self })
    }

    /// Whether runs repeat a pattern, with as many bytes behind it as `fill_runs` may read.
    pub(super) fn reads_pattern(&self) -> bool {
        let behind = (self.readable.0 + self.readable.1).checked_sub(self.src.addr());
        self.run > self.period && behind.is_some_and(|bytes| bytes >= self.period + PAD)
    }

    /// The piece as a class reads it from the pattern, if it repeats one value in its runs, or
    /// shuffles one value or a small source. Other classes read what they repeat where it is.
    ///
    /// # Safety
    ///
    /// What such a piece reads can be read; [`class`](super::select::class) says `class` of it.
    pub(super) unsafe fn served(&self, class: Class, pattern: &mut Pattern) -> Option<Piece<'a>> {
        let Piece { run, period, total, src, readable: (start, values), .. } = *self;
        let shuffles = matches!(class, Class::Shuffle { .. });
        let (value, bytes, len) = if class == Class::Fill {
            // Whole lines, where they fit: streamed runs then have no odd ends.
            let lines = period << LINE.trailing_zeros().saturating_sub(period.trailing_zeros());
            let unit = if lines <= LONGEST { lines } else { period };
            (src, period, LONGEST / unit * unit)
        } else if run > period || shuffles && self.fills() {
            (src, period.min(run), run)
        } else if shuffles && values > 0 && values <= FEW_VALUES && values < total {
            (src.wrapping_sub(src.addr() - start), values, values)
        } else {
            return None;
        };
        // Only `Fill` has longer runs than `LONGEST`, and only `joined` makes runs that are longer
        // than a period. A shuffle's runs are at most half a vector.
        const { assert!(FEW_VALUES <= LONGEST) };
        debug_assert!(bytes <= len && len <= LONGEST, "{class:?}: {bytes} bytes of {len}");
        let base: *mut u8 = pattern.as_mut_ptr().cast();
        // SAFETY: the value, or all of the source. Both pads and `len` bytes between them, at most
        // `LONGEST`, lie inside the array, and the copies end with the second pad.
        unsafe {
            base.write_bytes(0, PAD);
            let first = base.add(PAD);
            core::ptr::copy_nonoverlapping(value, first, bytes);
            let mut done = bytes;
            while done < len + PAD {
                let more = done.min(len + PAD - done);
                core::ptr::copy_nonoverlapping(first, first.add(done), more);
                done += more;
            }
        }
        let src = base.cast_const().wrapping_add(PAD + src.addr() - value.addr());
        let period = if run > period { len } else { period };
        Some(Piece { src, readable: (base.addr(), PAD + len + PAD), period, ..*self })
    }
}
