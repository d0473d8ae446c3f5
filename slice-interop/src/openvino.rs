//! OpenVINO's StridedSlice and Slice.

use crate::entries::{Kind, walk};
use crate::error::InteropError;
use crate::onnx::{axes_parts, floored};
use crate::operator::{Ints, possible, sealed::Parts};
use crate::python_range::Bound;
use crate::write::{Form, adds, drops, start, step, stop};
use alloc::vec::Vec;
use slice_core::__private::interop::Part;
use slice_core::{Dim, SliceError};

/// Writes `StridedSlice`: the vectors `begin`, `end` and `strides`, and the masks `new_axis_mask`
/// and `shrink_axis_mask`; the other masks are 0.
pub const STRIDED_SLICE: Form<5> = Form {
    entries: true,
    ..Form::new("OpenVINO's `StridedSlice`", [start, stop, step, adds, drops])
};

/// `StridedSlice`, made by [`strided_slice()`].
#[derive(Clone, Copy, Debug)]
pub struct StridedSlice<'a> {
    begin: Ints<'a>,
    end: Ints<'a>,
    strides: Option<Ints<'a>>,
    masks: [&'a [i64]; 5],
}

/// Reads OpenVINO's `StridedSlice`. Its masks are lists of 0 and 1, one number for each entry;
/// missing numbers are 0.
///
/// It means what TensorFlow's op means, with three differences:
///
/// - under a negative stride, a begin before the axis becomes position 0, where Python's range
///   would be empty;
/// - the begin mask counts on a shrink entry too, and makes it index 0, although the begin still
///   has to lie on its axis;
/// - the stride of a shrink entry is ignored, and may be negative or 0.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns an error for vectors of different length,
/// masks of different length that are not empty, two ellipses, more entries than axes, a stride of
/// 0, and an index outside its axis.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, openvino};
///
/// let op = openvino::strided_slice(&[0, 0, 4], &[0, 0, 0])
///     .strides(&[1, 1, -1])
///     .begin_mask(&[1, 0])
///     .end_mask(&[1, 0])
///     .ellipsis_mask(&[1, 0])
///     .shrink_axis_mask(&[0, 1]);
/// assert_eq!(op.to_spec(&[2, 3, 4, 5])?.to_string(), "..., 0, 4:0:-1");
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// OpenVINO 2026.4 on its CPU plugin (recorded answers, `import_openvino`).
pub fn strided_slice<'a>(begin: impl Into<Ints<'a>>, end: impl Into<Ints<'a>>) -> StridedSlice<'a> {
    StridedSlice { begin: begin.into(), end: end.into(), strides: None, masks: [&[]; 5] }
}

impl<'a> StridedSlice<'a> {
    /// Sets the optional input `strides`; without it, all of them are 1.
    pub fn strides(mut self, strides: impl Into<Ints<'a>>) -> Self {
        self.strides = Some(strides.into());
        self
    }

    /// Sets the begin mask. A range under a 1 begins at the first position in the direction of its
    /// stride; an index under a 1 becomes 0.
    pub fn begin_mask(mut self, mask: &'a [i64]) -> Self {
        self.masks[0] = mask;
        self
    }

    /// Sets the end mask. A range under a 1 runs to the last position in the direction of its
    /// stride.
    pub fn end_mask(mut self, mask: &'a [i64]) -> Self {
        self.masks[1] = mask;
        self
    }

    /// Sets the mask of new axes. An entry under a 1 adds an axis of length 1.
    pub fn new_axis_mask(mut self, mask: &'a [i64]) -> Self {
        self.masks[2] = mask;
        self
    }

    /// Sets the shrink mask. An entry under a 1 takes one position and drops the axis.
    pub fn shrink_axis_mask(mut self, mask: &'a [i64]) -> Self {
        self.masks[3] = mask;
        self
    }

    /// Sets the ellipsis mask. An entry under a 1 stands for as many whole axes as are needed.
    pub fn ellipsis_mask(mut self, mask: &'a [i64]) -> Self {
        self.masks[4] = mask;
        self
    }
}

impl Parts for StridedSlice<'_> {
    fn has_entries(&self) -> bool {
        true
    }

    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let StridedSlice { begin, end, strides, masks } = self;
        let n = begin.len();
        end.expect("end", n)?;
        strides.map_or(Ok(()), |v| v.expect("strides", n))?;
        let mut sizes = masks.iter().map(|mask| mask.len()).filter(|&n| n > 0);
        let first = sizes.next().unwrap_or(0);
        if let Some(found) = sizes.find(|&n| n != first) {
            return Err(
                SliceError::LengthMismatch { what: "a mask", found, expected: first }.into()
            );
        }
        // Entries past the masks are ranges, each of which takes an axis.
        possible(n.saturating_sub(first))?;
        let set = |mask: &[i64], i: usize| mask.get(i).is_some_and(|&bit| bit != 0);
        let [begin_mask, end_mask, new_axis, shrink, ellipsis] = masks;
        if let Some(second) = (0..n).filter(|&i| set(ellipsis, i)).nth(1) {
            return Err(SliceError::SecondEllipsis { entry: second }.into());
        }
        let kind = |i| match () {
            _ if set(ellipsis, i) => Kind::Ellipsis,
            _ if set(new_axis, i) => Kind::NewAxis,
            _ if set(shrink, i) => Kind::Index,
            _ => Kind::Range,
        };
        let kinds: Vec<Kind> = (0..n).map(kind).collect();
        walk(&kinds, shape, |e| {
            let i = e.entry;
            let stride = strides.map_or(Some(1), |v| v.get(i));
            let bound = |mask: &[i64], v: &Ints<'_>| {
                if set(mask, i) { Bound::Open } else { v.get(i).into() }
            };
            if !e.index {
                if stride == Some(0) {
                    return Err(SliceError::ZeroStep { entry: i }.into());
                }
                return Ok(floored(e.dim, bound(begin_mask, begin), bound(end_mask, end), stride));
            }
            // The begin has to lie on the axis even if the mask makes the index 0.
            let given = begin.get(i).map(|at| e.at(at)).transpose()?;
            match bound(begin_mask, begin) {
                Bound::Open => e.at(0),
                _ => Ok(given.unwrap_or(Part::LaterIndex)),
            }
        })
    }
}

/// `Slice`, made by [`slice()`].
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    start: Ints<'a>,
    stop: Ints<'a>,
    step: Ints<'a>,
    axes: Option<Ints<'a>>,
}

/// Reads OpenVINO's `Slice` (opset 8), which its converters write for most slices.
/// [`Plan::to_axes`](slice_core::Plan::to_axes) writes it.
///
/// Bounds are clamped as in [`strided_slice()`]: under a negative step, a start before the axis
/// becomes position 0, where Python's range would be empty. Unlike in ONNX, no number means "to the
/// end in the direction of travel". Without axes, the numbers are for the first axes.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns an error for vectors of different length, an axis
/// that does not exist or is named twice, more numbers than axes, and a step of 0. OpenVINO also
/// ends its process for a step of -2^31 or less, which is a step like any other here.
///
/// # Examples
///
/// ```
/// use pyslice::Dim;
/// use pyslice::interop::{Operator, openvino};
///
/// let op = openvino::slice(&[-1, 1], &[i64::MIN, 9], &[-1, 2]).axes(&[-1, 0]);
/// assert_eq!(op.to_spec(&[4, 3])?.to_string(), "1:9:2, -1:-9223372036854775808:-1");
/// // A start of -2 is position 0 on an axis of length 1.
/// let op = openvino::slice(&[-2], &[-4], &[-1]);
/// assert_eq!(op.to_spec(&[1])?.plan(&[1])?.len(), 1);
/// assert_eq!(op.spec_if_known(&[Dim::Unknown])?, None);
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// OpenVINO 2026.4 on its CPU plugin (recorded answers, `import_openvino`).
pub fn slice<'a>(
    start: impl Into<Ints<'a>>,
    stop: impl Into<Ints<'a>>,
    step: impl Into<Ints<'a>>,
) -> Slice<'a> {
    Slice { start: start.into(), stop: stop.into(), step: step.into(), axes: None }
}

impl<'a> Slice<'a> {
    /// Sets the optional input `axes`. The default is the first ones.
    pub fn axes(mut self, axes: impl Into<Ints<'a>>) -> Self {
        self.axes = Some(axes.into());
        self
    }
}

impl Parts for Slice<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let Slice { start, stop, step, axes } = self;
        stop.expect("stop", start.len())?;
        step.expect("step", start.len())?;
        axes_parts(shape, *axes, start, stop, Some(*step), floored)
    }
}
