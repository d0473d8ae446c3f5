//! TensorFlow's StridedSlice (and MindSpore's op, which takes the same masks).

use crate::entries::{Kind, walk};
use crate::error::InteropError;
use crate::operator::{Ints, Operator, sealed::Parts};
use crate::python_range::{Bound, range};
use crate::window::sized;
use crate::write::{Form, Steps, count, start};
use alloc::vec::Vec;
use slice_core::__private::interop::Part;
use slice_core::{Dim, Dims, Entry, MAX_ENTRIES, Masks, SliceError, SpecBuf};

/// Whether bit `i` of `mask` is set.
pub(crate) const fn bit(mask: u32, i: usize) -> bool {
    i < 32 && mask & 1u32.wrapping_shl(i as u32) != 0
}

/// What kinds of entries these masks make of as many numbers.
pub(crate) fn kinds(
    begin: &Ints<'_>,
    end: &Ints<'_>,
    strides: &Ints<'_>,
    masks: Masks,
) -> Result<Vec<Kind>, InteropError> {
    let entries = begin.len();
    end.expect("end", entries)?;
    strides.expect("strides", entries)?;
    // The kinds do not depend on the numbers.
    let (zeros, ones) = ([0; MAX_ENTRIES], [1; MAX_ENTRIES]);
    let (Some(zeros), Some(ones)) = (zeros.get(..entries), ones.get(..entries)) else {
        return Err(SliceError::TooLong { entries }.into());
    };
    let spec = SpecBuf::from_masks(zeros, zeros, ones, masks)?;
    let kind = |entry| match entry {
        Entry::Ellipsis => Kind::Ellipsis,
        Entry::NewAxis => Kind::NewAxis,
        Entry::Index(_) => Kind::Index,
        Entry::Range { .. } => Kind::Range,
    };
    Ok(spec.entries().map(kind).collect())
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
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// TensorFlow 2.21's shape function for StridedSlice (recorded answers, `tf_infer_shape`). Where
/// only `end` is unknown, TensorFlow does not check an index; this does.
pub fn infer_partial(
    begin: Option<&[i64]>,
    end: Option<&[i64]>,
    strides: Option<&[i64]>,
    masks: Masks,
    shape: Option<&[Dim]>,
) -> Result<Option<Dims>, InteropError> {
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
/// [`to_spec`](crate::Operator::to_spec) returns the errors of [`SpecBuf::from_masks`] and
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
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// TensorFlow 2.21's kernel and shape function (recorded answers, `tf_strided_slice`,
/// `tf_infer_shape`).
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
    pub fn masks(mut self, masks: Masks) -> Self {
        self.masks = masks;
        self
    }
}

impl Parts for StridedSlice<'_> {
    fn has_entries(&self) -> bool {
        true
    }

    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let StridedSlice { begin, end, strides, masks } = *self;
        walk(&kinds(&begin, &end, &strides, masks)?, shape, |e| {
            let stride = strides.get(e.entry);
            if stride == Some(0) {
                return Err(SliceError::ZeroStep { entry: e.entry }.into());
            }
            let (b, n) = (begin.get(e.entry), end.get(e.entry));
            if e.index {
                return match (b, stride) {
                    (_, Some(..=-1)) if e.dim != Dim::Unknown => {
                        Err(SliceError::ShrinkStride { entry: e.entry, axis: e.axis }.into())
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
/// order follows StridedSlice's attributes in TensorFlow's documentation: begin, end, ellipsis, new
/// axis, shrink axis.
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
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
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
/// [`Plan::to_spec`](slice_core::Plan::to_spec).
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
/// [`to_spec`](crate::Operator::to_spec) returns an error for vectors that are not as long
/// as the input has axes, and [`InteropError::WindowOutOfRange`] for a window that leaves its axis,
/// or a size below -1.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, tf};
///
/// assert_eq!(tf::slice(&[1, 0], &[-1, 2]).to_spec(&[3, 4])?.to_string(), "1:, 0:2");
/// assert!(tf::slice(&[1, 0], &[3, 2]).to_spec(&[3, 4]).is_err());
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// TensorFlow 2.21 (recorded answers, `import_tensorflow`).
pub fn slice<'a>(begin: impl Into<Ints<'a>>, size: impl Into<Ints<'a>>) -> Slice<'a> {
    Slice { begin: begin.into(), size: size.into() }
}

impl Parts for Slice<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let Slice { begin, size } = self;
        size.expect("size", begin.len())?;
        let part = |(i, &dim): (usize, &Dim)| sized(i, dim, begin.get(i), size.get(i));
        shape.iter().enumerate().map(part).collect()
    }

    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(self.begin)
    }
}
