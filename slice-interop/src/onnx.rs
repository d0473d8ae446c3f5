//! ONNX's `Slice`, as ONNX Runtime computes it.

use crate::error::InteropError;
use crate::operator::{Ints, sealed::Parts};
use crate::python_range::{Bound, length, range};
use alloc::vec::Vec;
use slice_core::__private::interop::{ONNX_END, Part, on_axes};
use slice_core::{Dim, Entry, SliceError};

/// `Slice`, made by [`slice()`].
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    starts: Ints<'a>,
    ends: Ints<'a>,
    axes: Option<Ints<'a>>,
    steps: Option<Ints<'a>>,
}

/// Reads ONNX's `Slice`.
///
/// Two rules differ from Python's. With a step < 0, a start below `-d` becomes 0, which needs the
/// lengths of axes that have a start below -1 and a negative step. An end of `i32::MAX` or
/// `i64::MAX` means "to the end in the direction of travel", however long the axis is. Without
/// axes, the numbers are for the first axes; without steps, all steps are 1.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns the errors of
/// [`SpecBuf::from_axes`](slice_core::SpecBuf::from_axes); without axes,
/// [`SliceError::TooManyEntries`] for more starts than axes. A scalar without numbers, which ONNX
/// Runtime refuses and ONNX's reference returns, is returned.
///
/// # Examples
///
/// ```
/// use pyslice::Dim;
/// use pyslice::interop::{Operator, onnx};
///
/// // To the end, backwards: Python's `4::-1`. Python's `4:9223372036854775807:-1` is empty.
/// let reversed = onnx::slice(&[4], &[i64::MAX]).steps(&[-1]).to_spec(&[5])?;
/// assert_eq!(reversed.to_string(), "4::-1");
/// // x[:, -3:]; and x[:, -3::-1], whose start is 0 on an axis of fewer than 3.
/// let forwards = onnx::slice(&[-3], &[i64::MAX]).axes(&[1]);
/// let backwards = onnx::slice(&[-3], &[i64::MIN]).axes(&[1]).steps(&[-1]);
/// let shape = [Dim::Unknown, Dim::Unknown];
/// assert_eq!(forwards.spec_if_known(&shape)?.unwrap().to_string(), ":, -3:");
/// assert_eq!(backwards.spec_if_known(&shape)?, None);
/// assert_eq!(
///     backwards.spec_if_known(&[Dim::Unknown, Dim::Between(3, 9)])?.unwrap().to_string(),
///     ":, -3:-9223372036854775808:-1"
/// );
/// // The first axis of the result has the length of the input's, so it keeps its name.
/// assert_eq!(forwards.infer(Some(&shape))?.unwrap().name_source(0), Some(0));
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// ONNX Runtime 1.31, CPU (recorded answers, `onnx_slice`).
pub fn slice<'a>(starts: impl Into<Ints<'a>>, ends: impl Into<Ints<'a>>) -> Slice<'a> {
    Slice { starts: starts.into(), ends: ends.into(), axes: None, steps: None }
}

impl<'a> Slice<'a> {
    /// Sets the axes that are sliced. The default is the first ones.
    pub fn axes(mut self, axes: impl Into<Ints<'a>>) -> Self {
        self.axes = Some(axes.into());
        self
    }

    /// Sets the steps. The default is 1 on each axis.
    pub fn steps(mut self, steps: impl Into<Ints<'a>>) -> Self {
        self.steps = Some(steps.into());
        self
    }
}

impl Parts for Slice<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let Slice { starts, ends, axes, steps } = self;
        axes_parts(shape, *axes, starts, ends, *steps, |dim, start, end, step| {
            let end = match end {
                // This means "to the end in the direction of travel".
                Bound::At(i64::MAX | ONNX_END) => Bound::Open,
                other => other,
            };
            floored(dim, start, end, step)
        })
    }
}

/// A range whose start, under a negative step, becomes position 0 if it lies before the axis.
/// Python's range would be empty.
pub(crate) fn floored(dim: Dim, start: Bound, stop: Bound, step: Option<i64>) -> Part {
    let (least, most) = dim.limits();
    // An empty axis has no position 0, so a bound of -1 is the same on every axis.
    let lacks = |v: i64| v < -1 && v.unsigned_abs() > least as u64;
    // A stop on the axis is at position 0 or after it, so nothing is taken from 0 either.
    let passes_0 = if let Bound::At(stop) = stop { lacks(stop) } else { true };
    match (start, step) {
        (Bound::At(v), Some(..0)) if lacks(v) && passes_0 => {
            let at_0 = |dim| range(dim, Bound::At(0), stop, step);
            // The shortest axis on which the start lies, at position 0.
            let reach = usize::try_from(v.unsigned_abs()).unwrap_or(usize::MAX);
            // A range that would go forwards takes nothing where the start lies on the axis.
            if reach >= most || matches!(stop, Bound::At(stop) if stop >= v) {
                return at_0(dim);
            }
            // The length decides which of the two it is.
            let lengths = |dim: Dim, part: Part| length(dim, part).limits();
            let short = Dim::from_limits(least, reach.saturating_sub(1));
            let long = Dim::from_limits(reach, most);
            let (a, b) =
                (lengths(short, at_0(short)), lengths(long, range(long, start, stop, step)));
            Part::Later(Dim::from_limits(a.0.min(b.0), a.1.max(b.1)))
        }
        _ => range(dim, start, stop, step),
    }
}

/// Reads the axes form. `rule` is the system's rule for one axis, from its length, start, stop and
/// step.
pub(crate) fn axes_parts(
    shape: &[Dim],
    axes: Option<Ints<'_>>,
    starts: &Ints<'_>,
    ends: &Ints<'_>,
    steps: Option<Ints<'_>>,
    rule: impl Fn(Dim, Bound, Bound, Option<i64>) -> Part,
) -> Result<Vec<Part>, InteropError> {
    let n = starts.len();
    ends.expect("ends", n)?;
    axes.map_or(Ok(()), |v| v.expect("axes", n))?;
    steps.map_or(Ok(()), |v| v.expect("steps", n))?;
    if axes.is_none() && n > shape.len() {
        return Err(SliceError::TooManyEntries { takes: n, rank: shape.len() }.into());
    }
    let axis = |i: usize| axes.map_or(i64::try_from(i).ok(), |v| v.get(i));
    if (0..n).any(|i| axis(i).is_none()) {
        // Any axis may be one of them.
        let later = |dim: &Dim| Part::Later(Dim::from_limits(0, dim.limits().1));
        return Ok(shape.iter().map(later).collect());
    }
    let said = (0..n).map(|i| {
        let step = steps.map_or(Some(1), |v| v.get(i));
        match step {
            Some(0) => Err(SliceError::ZeroStep { entry: i }),
            _ => Ok((
                axis(i).unwrap_or(0),
                (Bound::from(starts.get(i)), Bound::from(ends.get(i)), step),
            )),
        }
    });
    let named = on_axes(shape.len(), said)?;
    let parts = named.into_iter().zip(shape).map(|(named, &dim)| match named {
        Some((start, end, step)) => rule(dim, start, end, step),
        None => Part::Entry(Entry::FULL),
    });
    Ok(parts.collect())
}
