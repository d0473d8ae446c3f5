//! TensorFlow's StridedSlice (and MindSpore's op, which takes the same masks).

use crate::error::SliceError;
use crate::infer::{Dim, Dims};
use crate::spec::{Entry, MAX_ENTRIES, Masks, SpecBuf};
use alloc::vec::Vec;

/// Whether bit `i` of `mask` is set.
const fn bit(mask: u32, i: usize) -> bool {
    i < 32 && mask & 1u32.wrapping_shl(i as u32) != 0
}

/// What a StridedSlice entry with these bits is. Where bits overlap: ellipsis over new axis over shrink over begin and end.
fn decode(i: usize, begin: i64, end: i64, stride: i64, m: Masks) -> Entry {
    if bit(m.ellipsis, i) {
        Entry::Ellipsis
    } else if bit(m.new_axis, i) {
        Entry::NewAxis
    } else if bit(m.shrink_axis, i) {
        Entry::Index(begin)
    } else {
        Entry::Range { start: (!bit(m.begin, i)).then_some(begin), stop: (!bit(m.end, i)).then_some(end), step: stride }
    }
}

fn check_lengths(begin: usize, end: usize, strides: usize, m: Masks) -> Result<(), SliceError> {
    for (what, found) in [("end", end), ("strides", strides)] {
        if found != begin {
            return Err(SliceError::LengthMismatch { what, found, expected: begin });
        }
    }
    if begin > MAX_ENTRIES {
        return Err(SliceError::TooLong { entries: begin });
    }
    // All 32 bits count here, also those past the last entry.
    if m.ellipsis.count_ones() > 1 {
        let second = m.ellipsis & m.ellipsis.wrapping_sub(1);
        return Err(SliceError::SecondEllipsis { entry: second.trailing_zeros() as usize });
    }
    Ok(())
}

impl SpecBuf {
    /// Reads TensorFlow's StridedSlice attributes; MindSpore's and Paddle's ops with masks carry the same.
    ///
    /// The result is canonical. Where bits overlap on one entry, ellipsis wins over new axis over shrink over begin and
    /// end, and values under a winning bit are ignored, a stride of 0 there too. Bits past the last entry are ignored,
    /// except that two ellipsis bits anywhere are an error.
    ///
    /// # Errors
    ///
    /// Vectors of different length, 32 entries or more, two ellipsis bits, a stride of 0 on an index or a range. A negative
    /// stride on an index is an error when the spec is planned, as it is in TensorFlow once the shape is known.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_core::{Masks, SpecBuf};
    ///
    /// let masks = Masks { begin: 48, end: 32, ellipsis: 8, new_axis: 4, shrink_axis: 1 };
    /// let spec = SpecBuf::from_masks(&[1, 2, 0, 0, 0, 0], &[2, 4, 0, 0, -3, 0], &[1, 1, 1, 1, -1, 1], masks)?;
    /// assert_eq!(spec.to_string(), "1, 2:4, None, ..., :-3:-1, :");
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// The CPU kernel of TensorFlow 2.21 (recorded answers, `tf_strided_slice`).
    pub fn from_masks(begin: &[i64], end: &[i64], strides: &[i64], masks: Masks) -> Result<SpecBuf, SliceError> {
        check_lengths(begin.len(), end.len(), strides.len(), masks)?;
        let mut spec = SpecBuf::with_capacity(begin.len());
        for (i, ((&b, &e), &s)) in begin.iter().zip(end).zip(strides).enumerate() {
            match decode(i, b, e, s, masks) {
                Entry::Index(_) if s == 0 => return Err(SliceError::ZeroStep { entry: i }),
                Entry::Index(v) if s < 0 => spec.push_bad_shrink(v)?,
                entry => spec.push(entry)?,
            }
        }
        Ok(spec)
    }
}

/// TensorFlow's static shape inference, where some of the vectors (or the rank) may be unknown too.
///
/// `None` stands for "not known"; the result is `None` where not even the rank of the output is known: without the
/// strides or the rank of the input.
///
/// # Errors
///
/// Whatever is certain to fail: vectors of different length, two ellipses, too many entries, a stride of 0, a negative stride on
/// an index of a known axis, an index outside its axis.
///
/// # Examples
///
/// ```
/// use slice_core::{Dim, Masks, interop::tf};
///
/// // `x[begin:, 0]` with a begin that only the running graph knows
/// let masks = Masks { end: 1, shrink_axis: 2, ..Masks::default() };
/// let dims = tf::infer_partial(None, Some(&[0, 1]), Some(&[1, 1]), masks, Some(&[Dim::Known(5), Dim::Known(3)]))?;
/// assert_eq!(*dims.unwrap(), [Dim::Between(0, 5)]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
///
/// # Source
///
/// TensorFlow 2.21's shape function for StridedSlice (recorded answers, `tf_infer_shape`).
pub fn infer_partial(
    begin: Option<&[i64]>,
    end: Option<&[i64]>,
    strides: Option<&[i64]>,
    masks: Masks,
    shape: Option<&[Dim]>,
) -> Result<Option<Dims>, SliceError> {
    let (Some(strides), Some(shape)) = (strides, shape) else { return Ok(None) };
    let n = strides.len();
    // Of the vectors that are known, the first is what the others are held against.
    let (begin_len, end_len) = (begin.map(<[i64]>::len), end.map(<[i64]>::len));
    let first = begin_len.or(end_len).unwrap_or(n);
    check_lengths(first, end_len.unwrap_or(first), n, masks)?;
    // A slice with both bounds left out where one is unknown gives the longest result there can be; an index that is
    // unknown is made to fit any axis but an empty one by standing on an axis of unknown length.
    let (mut spec, mut dims) = (SpecBuf::with_capacity(n), Vec::from(shape));
    let mut open: Vec<usize> = Vec::new();
    let takes = (0..n).filter(|&i| !bit(masks.ellipsis | masks.new_axis, i)).count();
    let spare = shape.len().saturating_sub(takes);
    let (mut axis, mut out) = (0usize, 0usize);
    for (i, &s) in strides.iter().enumerate() {
        let (b, e) = (begin.and_then(|v| v.get(i).copied()), end.and_then(|v| v.get(i).copied()));
        let entry = decode(i, b.unwrap_or(0), e.unwrap_or(0), s, masks);
        let known_axis = !matches!(dims.get(axis), None | Some(Dim::Unknown));
        match entry {
            Entry::Ellipsis => (axis, out) = (axis.saturating_add(spare), out.saturating_add(spare)),
            Entry::NewAxis => out = out.saturating_add(1),
            Entry::Index(_) => {
                if s == 0 {
                    return Err(SliceError::ZeroStep { entry: i });
                }
                if s < 0 && known_axis {
                    return Err(SliceError::ShrinkStride { entry: i, axis });
                }
                if b.is_none()
                    && let Some(d) = dims.get_mut(axis)
                {
                    *d = Dim::Unknown;
                }
                axis = axis.saturating_add(1);
            }
            Entry::Range { start, stop, .. } => {
                let unknown = (start.is_some() && b.is_none()) || (stop.is_some() && e.is_none());
                if unknown {
                    open.push(out);
                }
                (axis, out) = (axis.saturating_add(1), out.saturating_add(1));
                if unknown {
                    spec.push(Entry::Range { start: None, stop: None, step: s })?;
                    continue;
                }
            }
        }
        spec.push(entry)?;
    }
    let mut dims = Vec::from(crate::infer::infer(spec.as_ref(), &dims)?);
    for d in open.into_iter().filter_map(|i| dims.get(i).map(|d| (i, *d))).collect::<Vec<_>>() {
        if let Some(slot) = dims.get_mut(d.0) {
            *slot = Dim::from_limits(0, d.1.limits().1);
        }
    }
    Ok(Some(Dims::from_vec(dims)))
}
