//! TFLite's (LiteRT's) STRIDED_SLICE and SLICE.

use crate::entries::{Kind, walk};
use crate::error::{InteropError, not_representable};
use crate::operator::{Ints, sealed::Parts};
use crate::python_range::{Bound, length, range};
use crate::tf::{self, bit, kinds};
use crate::window::{counted, up_to};
use crate::write::{Form, Steps, count, start, step, stop};
use alloc::vec::Vec;
use slice_core::__private::interop::Part;
use slice_core::{Dim, Entry, Masks, SliceError, axis_run};

/// Writes `STRIDED_SLICE`: the vectors `begin`, `end` and `strides`, and
/// [`masks`](super::Written::masks). `offset` is not set.
pub const STRIDED_SLICE: Form<3> = Form {
    entries: true,
    largest: i32::MAX as i64,
    ..Form::new("TFLite's `STRIDED_SLICE`", [start, stop, step])
};

/// Writes `SLICE`: the vectors `begin` and `size`. It only takes adjacent positions.
pub const SLICE: Form<2> = Form {
    steps: Steps::One,
    largest: i32::MAX as i64,
    ..Form::new("TFLite's `SLICE`", [start, count])
};

/// `STRIDED_SLICE`, made by [`strided_slice()`].
#[derive(Clone, Copy, Debug)]
pub struct StridedSlice<'a> {
    begin: Ints<'a>,
    end: Ints<'a>,
    strides: Ints<'a>,
    masks: Masks,
    offset: bool,
}

/// Reads `STRIDED_SLICE`: TensorFlow's op with one more attribute,
/// [`offset`](StridedSlice::offset), and one difference: the begin bit counts on a shrink entry
/// too, and makes it index 0.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns the errors of TensorFlow's op, and
/// [`SliceError::NotRepresentable`] for an ellipsis without an axis to take, which takes one in
/// LiteRT. LiteRT reads outside its buffer for an index outside its axis and, with `offset`, for a
/// range that leaves its axis; here both are errors.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, tflite};
///
/// let op = tflite::strided_slice(&[-4, 1], &[2, 4], &[1, 1]).offset(true);
/// assert_eq!(op.to_spec(&[5, 8])?.to_string(), "1:3, 1:5");
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// LiteRT 2.3 (recorded answers, `import_litert`).
pub fn strided_slice<'a>(
    begin: impl Into<Ints<'a>>,
    end: impl Into<Ints<'a>>,
    strides: impl Into<Ints<'a>>,
) -> StridedSlice<'a> {
    let (begin, end, strides) = (begin.into(), end.into(), strides.into());
    StridedSlice { begin, end, strides, masks: Masks::default(), offset: false }
}

impl StridedSlice<'_> {
    /// Sets the masks. The default is 0. [`tf::masks`] makes them of signed numbers.
    pub fn masks(mut self, masks: Masks) -> Self {
        self.masks = masks;
        self
    }

    /// Sets the attribute `offset`: each end counts from the **clamped** begin.
    ///
    /// Ranges must then lie on their axes. Every axis needs an entry, and no other entries are
    /// allowed, because LiteRT gives garbage for axes without an entry, under an ellipsis, and
    /// beside a new axis. For the same reason, an end bit may only be set where the slice ends with
    /// its axis.
    pub fn offset(mut self, offset: bool) -> Self {
        self.offset = offset;
        self
    }
}

impl Parts for StridedSlice<'_> {
    fn has_entries(&self) -> bool {
        true
    }

    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let StridedSlice { begin, end, strides, masks, offset } = *self;
        let kinds = kinds(&begin, &end, &strides, masks)?;
        let takes = kinds.iter().filter(|k| k.takes()).count();
        let ellipsis = kinds.contains(&Kind::Ellipsis);
        if ellipsis && takes >= shape.len() {
            return Err(not_representable(
                "TFLite's STRIDED_SLICE with an ellipsis that has no axis to take: LiteRT \
                       lets it take one all the same; leave the ellipsis out",
            ));
        }
        if offset && (ellipsis || takes < shape.len() || takes < strides.len()) {
            return Err(not_representable(
                "TFLite's STRIDED_SLICE with `offset` and new axes or axes without entries \
                       of their own, for which LiteRT gives garbage; give each axis a begin and \
                       an end, and no more",
            ));
        }
        walk(&kinds, shape, |e| {
            let i = e.entry;
            let stride = strides.get(i);
            let bound =
                |mask: u32, v: &Ints<'_>| if bit(mask, i) { Bound::Open } else { v.get(i).into() };
            match (e.index, stride, bound(masks.begin, &begin)) {
                (_, Some(0), _) => Err(SliceError::ZeroStep { entry: i }.into()),
                (true, Some(..0), _) if e.dim != Dim::Unknown => {
                    Err(SliceError::ShrinkStride { entry: i, axis: e.axis }.into())
                }
                (true, Some(1..), Bound::At(at)) => e.at(at),
                (true, Some(1..), Bound::Open) => Ok(Part::Entry(Entry::Index(0))),
                (true, ..) => Ok(Part::LaterIndex),
                (false, _, start) if offset => {
                    let part = from_begin(e.axis, e.dim, start, end.get(i), stride)?;
                    if !bit(masks.end, i) {
                        return Ok(part);
                    }
                    // LiteRT takes the shape from the end, and fills it up to the end that the mask
                    // gives.
                    let to_the_end = range(e.dim, start, Bound::Open, stride);
                    match (length(e.dim, part), length(e.dim, to_the_end)) {
                        (Dim::Known(a), Dim::Known(b)) if a == b => Ok(part),
                        (Dim::Known(_), Dim::Known(_)) => Err(not_representable(
                            "TFLite's STRIDED_SLICE with `offset` and an end bit before the \
                                   end of the axis, for which LiteRT gives garbage; clear the bit",
                        )),
                        (len, _) => Ok(Part::Later(len)),
                    }
                }
                (false, _, start) => Ok(range(e.dim, start, bound(masks.end, &end), stride)),
            }
        })
    }
}

/// A range whose end is `size` after its clamped begin.
fn from_begin(
    axis: usize,
    dim: Dim,
    start: Bound,
    size: Option<i64>,
    stride: Option<i64>,
) -> Result<Part, InteropError> {
    let most = dim.limits().1 as i128;
    let (Some(size), Some(stride)) = (size, stride) else { return Ok(Part::Later(up_to(most))) };
    let steps = i128::from(stride.unsigned_abs());
    let way = i128::from(size).saturating_mul(stride.signum().into()).max(0);
    let count = way.saturating_add(steps).saturating_sub(1).checked_div(steps).unwrap_or(0);
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    if count == 0 {
        return Ok(Part::Window(
            Entry::Range { start: Some(0), stop: Some(0), step: 1 },
            Dim::Known(0),
        ));
    }
    // Unless the begin is at the front of the axis, clamping it takes the length.
    let first = match (dim, start) {
        (_, Bound::Open) if stride > 0 => Some(0),
        (_, Bound::At(0)) => Some(0),
        (Dim::Known(n), Bound::Open | Bound::At(_)) => {
            axis_run(n, start.known(), None, stride).ok().map(|run| run.start)
        }
        _ => None,
    };
    match first {
        Some(first) => counted(axis, dim, Some(first), Some(count), Some(stride)),
        None => Ok(Part::Later(Dim::Known(usize::try_from(count).unwrap_or(usize::MAX)))),
    }
}

/// Reads `SLICE`, which is TensorFlow's `Slice`: see [`tf::slice`].
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, tflite};
///
/// assert_eq!(tflite::slice(&[1, 0], &[-1, 2]).to_spec(&[3, 4])?.to_string(), "1:, 0:2");
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// LiteRT 2.3 (recorded answers, `import_litert`).
pub fn slice<'a>(begin: impl Into<Ints<'a>>, size: impl Into<Ints<'a>>) -> tf::Slice<'a> {
    tf::slice(begin, size)
}
