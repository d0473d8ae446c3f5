//! TensorFlow's StridedSlice (and MindSpore's op, which takes the same masks).

use super::operator::{Ints, Operator, sealed::Parts};
use super::ranges::{Bound, range};
use super::walk::{Kind, walk};
use super::window::sized;
use super::write::{Form, Steps, count, start};
use crate::encoding::{Counts, Entry, MAX_ENTRIES, Masks, SpecBuf, SpecRef};
use crate::error::SliceError;
use crate::infer::{Dim, Dims, Part};
use alloc::vec::Vec;

/// Whether bit `i` of `mask` is set.
#[inline]
pub(super) const fn bit(mask: u32, i: usize) -> bool {
    i < 32 && mask & 1u32.wrapping_shl(i as u32) != 0
}

/// What kind of entry these bits make. Where bits overlap, ellipsis wins over new axis, over
/// shrink, over begin and end.
#[inline]
pub(super) fn kind(i: usize, m: Masks) -> Kind {
    if bit(m.ellipsis, i) {
        Kind::Ellipsis
    } else if bit(m.new_axis, i) {
        Kind::NewAxis
    } else if bit(m.shrink_axis, i) {
        Kind::Index
    } else {
        Kind::Range
    }
}

#[inline]
pub(super) fn check_lengths(
    begin: usize,
    end: usize,
    strides: usize,
    m: Masks,
) -> Result<(), SliceError> {
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
        check_lengths(begin.len(), end.len(), strides.len(), masks)?;
        let given =
            SpecRef { begin, end, strides, masks, counts: Counts::default(), strict: false };
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

/// TensorFlow's static shape inference, where some of the vectors (or the rank) may be unknown too.
///
/// `None` stands for "not known". The result is `None` if not even the rank of the output is known,
/// which takes the strides and the rank of the input.
///
/// # Errors
///
/// Any error that does not depend on the unknown parts: vectors of different length, two ellipses,
/// too many entries, a stride of 0, a negative stride on an index of a known axis, an index outside
/// its axis.
///
/// # Examples
///
/// ```
/// use pyslice::{Dim, Masks, interop::tf};
///
/// // `x[begin:, 0]` with a begin that only the running graph knows
/// let masks = Masks { end: 1, shrink_axis: 2, ..Masks::default() };
/// let dims = tf::infer_partial(
///     None,
///     Some(&[0, 1]),
///     Some(&[1, 1]),
///     masks,
///     Some(&[Dim::Known(5), Dim::Known(3)]),
/// )?;
/// assert_eq!(*dims.unwrap(), [Dim::Between(0, 5)]);
/// # Ok::<(), pyslice::SliceError>(())
/// ```
///
/// # Source
///
/// TensorFlow 2.21's shape function for StridedSlice (recorded answers, `tf_infer_shape`). Where
/// only `end` is unknown, TensorFlow does not check an index; this does.
#[inline]
pub fn infer_partial(
    begin: Option<&[i64]>,
    end: Option<&[i64]>,
    strides: Option<&[i64]>,
    masks: Masks,
    shape: Option<&[Dim]>,
) -> Result<Option<Dims>, SliceError> {
    let (Some(strides), Some(shape)) = (strides, shape) else { return Ok(None) };
    // The others must be as long as the first vector that is known.
    let later = Ints::Later(begin.or(end).unwrap_or(strides).len());
    let (begin, end) = (begin.map_or(later, Ints::I64), end.map_or(later, Ints::I64));
    strided_slice(begin, end, strides).masks(masks).infer(Some(shape))
}

/// StridedSlice, made by [`strided_slice()`].
#[derive(Clone, Copy, Debug)]
pub struct StridedSlice<'a> {
    begin: Ints<'a>,
    end: Ints<'a>,
    strides: Ints<'a>,
    masks: Masks,
}

/// Reads StridedSlice, some of whose numbers may be unknown. With all of them known,
/// [`SpecBuf::from_masks`] gives the same slice and needs no shape; if several numbers are wrong,
/// only this names the one that TensorFlow names.
///
/// # Errors
///
/// [`to_spec`](crate::interop::Operator::to_spec) returns the errors of [`SpecBuf::from_masks`] and
/// of planning.
///
/// # Examples
///
/// ```
/// use pyslice::{Dim, Masks, interop::{Ints, Operator, tf}};
///
/// // `x[i, 2:]` with an `i` that the graph computes. Its attributes have masks as signed numbers.
/// let masks = tf::masks(0, 2, 0, 0, 1)?;
/// let op = tf::strided_slice(&[None, Some(2)], &[None, Some(0)], &[1, 1]).masks(masks);
/// assert_eq!(*op.infer(Some(&[Dim::Unknown, Dim::Known(5)]))?.unwrap(), [Dim::Known(3)]);
/// assert_eq!(op.spec_if_known(&[Dim::Unknown, Dim::Known(5)])?, None);
/// # Ok::<(), pyslice::SliceError>(())
/// ```
///
/// # Source
///
/// TensorFlow 2.21's kernel and shape function (recorded answers, `tf_strided_slice`,
/// `tf_infer_shape`).
#[inline]
pub fn strided_slice<'a>(
    begin: impl Into<Ints<'a>>,
    end: impl Into<Ints<'a>>,
    strides: impl Into<Ints<'a>>,
) -> StridedSlice<'a> {
    StridedSlice {
        begin: begin.into(),
        end: end.into(),
        strides: strides.into(),
        masks: Masks::default(),
    }
}

impl StridedSlice<'_> {
    /// Sets the masks. The default is 0.
    #[inline]
    pub fn masks(mut self, masks: Masks) -> Self {
        self.masks = masks;
        self
    }
}

impl Parts for StridedSlice<'_> {
    #[inline]
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, SliceError> {
        let StridedSlice { begin, end, strides, masks } = *self;
        check_lengths(begin.len(), end.len(), strides.len(), masks)?;
        let kinds = (0..strides.len()).map(|i| kind(i, masks));
        walk(kinds, shape, |e| {
            let stride = strides.get(e.entry);
            if stride == Some(0) {
                return Err(SliceError::ZeroStep { entry: e.entry });
            }
            let (b, n) = (begin.get(e.entry), end.get(e.entry));
            if e.index {
                return match (b, stride) {
                    (_, Some(..=-1)) if e.dim != Dim::Unknown => {
                        Err(SliceError::ShrinkStride { entry: e.entry, axis: e.axis })
                    }
                    (Some(b), Some(1..)) => e.at(b),
                    _ => Ok(Part::LaterIndex),
                };
            }
            let bound =
                |mask: u32, v: Option<i64>| if bit(mask, e.entry) { Bound::Open } else { v.into() };
            Ok(range(e.dim, bound(masks.begin, b), bound(masks.end, n), stride))
        })
    }
}

/// Makes masks of the signed numbers that a graph's attributes carry: -1 has all bits set. The
/// order is that of StridedSlice's attributes in TensorFlow's documentation: begin, end, ellipsis,
/// new axis, shrink axis.
///
/// # Errors
///
/// [`SliceError::NotRepresentable`] for a number that does not fit 32 bits with or without a
/// sign. TensorFlow refuses those above `i32::MAX` too.
///
/// # Examples
///
/// ```
/// use pyslice::{Masks, interop::tf};
///
/// assert_eq!(
///     tf::masks(0, -1, 0, 0, 1)?,
///     Masks { end: u32::MAX, shrink_axis: 1, ..Masks::default() }
/// );
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[inline]
pub fn masks(
    begin: i64,
    end: i64,
    ellipsis: i64,
    new_axis: i64,
    shrink_axis: i64,
) -> Result<Masks, SliceError> {
    macro_rules! mask {
        ($v:ident, $name:literal) => {{
            // Bit 31 may come as a sign or as a large number.
            let low = $v as u32;
            if $v != i64::from(low) && $v != i64::from(low as i32) {
                let what = concat!($name, " of more than 32 bits; set only the bits of entries");
                return Err(SliceError::NotRepresentable { what });
            }
            low
        }};
    }
    Ok(Masks {
        begin: mask!(begin, "a `begin_mask`"),
        end: mask!(end, "an `end_mask`"),
        ellipsis: mask!(ellipsis, "an `ellipsis_mask`"),
        new_axis: mask!(new_axis, "a `new_axis_mask`"),
        shrink_axis: mask!(shrink_axis, "a `shrink_axis_mask`"),
    })
}

/// Writes `Slice`: the vectors `begin` and `size`. It only takes adjacent positions. For all other
/// slices, write StridedSlice with the vectors and masks of
/// [`Plan::to_spec`](crate::Plan::to_spec).
pub const SLICE: Form<2> =
    Form { steps: Steps::One, ranks: (0, 8), ..Form::new("TensorFlow's `Slice`", [start, count]) };

/// Slice, made by [`slice()`].
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    begin: Ints<'a>,
    size: Ints<'a>,
}

/// Reads `Slice` (`tf.slice`): on each axis `size` positions from `begin`; a size of -1 means the
/// rest. Nothing is clamped or counted from the end.
///
/// # Errors
///
/// [`to_spec`](crate::interop::Operator::to_spec) returns an error for vectors that are not as long
/// as the input has axes, and [`SliceError::WindowOutOfRange`] for a window that leaves its axis,
/// or a size below -1.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, tf};
///
/// assert_eq!(tf::slice(&[1, 0], &[-1, 2]).to_spec(&[3, 4])?.to_string(), "1:, 0:2");
/// assert!(tf::slice(&[1, 0], &[3, 2]).to_spec(&[3, 4]).is_err());
/// # Ok::<(), pyslice::SliceError>(())
/// ```
///
/// # Source
///
/// TensorFlow 2.21 (recorded answers, `import_tensorflow`).
#[inline]
pub fn slice<'a>(begin: impl Into<Ints<'a>>, size: impl Into<Ints<'a>>) -> Slice<'a> {
    Slice { begin: begin.into(), size: size.into() }
}

impl Parts for Slice<'_> {
    #[inline]
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, SliceError> {
        let Slice { begin, size } = self;
        size.expect("size", begin.len())?;
        let part = |(i, &dim): (usize, &Dim)| sized(i, dim, begin.get(i), size.get(i));
        shape.iter().enumerate().map(part).collect()
    }

    #[inline]
    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(self.begin)
    }
}
