//! TensorFlow's masks, which MindSpore's and TFLite's operators carry too.

use crate::encoding::{Counts, Entry, MAX_ENTRIES, Masks, SpecBuf, SpecRef};
use crate::error::SliceError;

impl SpecBuf {
    /// Reads TensorFlow's StridedSlice attributes; MindSpore's op carries the same.
    ///
    /// The result is canonical. Where bits overlap on one entry, ellipsis wins over new axis, over
    /// shrink, over begin and end. Values under a winning bit are ignored, even a stride of 0. Bits
    /// past the last entry are ignored, except that two ellipsis bits anywhere are an error.
    ///
    /// # Errors
    ///
    /// Vectors of different length, 32 entries or more, two ellipsis bits, a stride of 0 on an
    /// index or a range. A negative stride on an index is an error when the spec is planned, as it
    /// is in TensorFlow once the shape is known.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{Masks, SpecBuf};
    ///
    /// let masks = Masks { begin: 48, end: 32, ellipsis: 8, new_axis: 4, shrink_axis: 1 };
    /// let spec = SpecBuf::from_masks(
    ///     &[1, 2, 0, 0, 0, 0],
    ///     &[2, 4, 0, 0, -3, 0],
    ///     &[1, 1, 1, 1, -1, 1],
    ///     masks,
    /// )?;
    /// assert_eq!(spec.to_string(), "1, 2:4, None, ..., :-3:-1, :");
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// The CPU kernel of TensorFlow 2.21 (recorded answers, `tf_strided_slice`).
    #[inline]
    pub fn from_masks(
        begin: &[i64],
        end: &[i64],
        strides: &[i64],
        masks: Masks,
    ) -> Result<SpecBuf, SliceError> {
        for (what, found) in [("end", end.len()), ("strides", strides.len())] {
            if found != begin.len() {
                return Err(SliceError::LengthMismatch { what, found, expected: begin.len() });
            }
        }
        if begin.len() > MAX_ENTRIES {
            return Err(SliceError::TooLong { entries: begin.len() });
        }
        // All 32 bits count here, also those past the last entry.
        if masks.ellipsis.count_ones() > 1 {
            let second = masks.ellipsis & masks.ellipsis.wrapping_sub(1);
            let (bit, entries) = (second.trailing_zeros() as usize, begin.len());
            return Err(if bit < entries {
                SliceError::SecondEllipsis { entry: bit }
            } else {
                SliceError::EllipsisBit { bit, entries }
            });
        }
        let given = SpecRef {
            begin,
            end,
            strides,
            masks,
            counts: Counts::default(),
            strict: false,
            axis: 0,
        };
        let mut spec = SpecBuf::default();
        for (i, (entry, &stride)) in given.entries().zip(strides).enumerate() {
            match entry {
                Entry::Index(_) if stride == 0 => return Err(SliceError::ZeroStep { entry: i }),
                Entry::Index(at) if stride < 0 => spec.push_bad_shrink(at)?,
                entry => spec.push(entry)?,
            }
        }
        Ok(spec)
    }
}
