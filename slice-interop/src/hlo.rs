//! XLA's HLO and StableHLO: `slice`, `dynamic_slice`, `dynamic_update_slice`.

use crate::error::InteropError;
use crate::operator::{Ints, sealed::Parts};
use crate::window::{check, limited, up_to, window_part};
use crate::write::{Form, Steps, count, high, start, step};
use alloc::vec::Vec;
use slice_core::__private::interop::Part;
use slice_core::Dim;

/// Writes `slice`: the vectors `start_indices`, `limit_indices` and `strides`. Steps are 1 or more.
pub const SLICE: Form<3> =
    Form { steps: Steps::Forward, ..Form::new("StableHLO's `slice`", [start, high, step]) };

/// Writes `dynamic_slice`, and the window of `dynamic_update_slice`: the vectors `start_indices`
/// and `slice_sizes`. It only takes adjacent positions.
pub const DYNAMIC_SLICE: Form<2> =
    Form { steps: Steps::One, ..Form::new("StableHLO's `dynamic_slice`", [start, count]) };

/// `slice`, made by [`slice()`].
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    start: Ints<'a>,
    limit: Ints<'a>,
    strides: Ints<'a>,
}

/// Reads `slice` (and StableHLO's `real_dynamic_slice`, whose numbers the graph computes): one
/// start, limit and stride for each axis. Nothing is clamped or counted from the end.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns an error for vectors that are not as long as the
/// input has axes, a stride below 1, and [`InteropError::WindowOutOfRange`] unless 0 <= start <=
/// limit <= the length of the axis.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, hlo};
///
/// let op = hlo::slice(&[1, 0], &[3, 8], &[1, 3]);
/// assert_eq!(op.to_spec(&[4, 8])?.to_string(), "1:3, 0:8:3");
/// assert!(op.to_spec(&[4, 7]).is_err());
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// StableHLO's specification, and XLA as jaxlib 0.10 ships it (recorded answers,
/// `import_stablehlo`).
pub fn slice<'a>(
    start_indices: impl Into<Ints<'a>>,
    limit_indices: impl Into<Ints<'a>>,
    strides: impl Into<Ints<'a>>,
) -> Slice<'a> {
    Slice { start: start_indices.into(), limit: limit_indices.into(), strides: strides.into() }
}

impl Parts for Slice<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let Slice { start, limit, strides } = self;
        limit.expect("limit_indices", start.len())?;
        strides.expect("strides", start.len())?;
        let part =
            |(i, &dim): (usize, &Dim)| limited(i, dim, start.get(i), limit.get(i), strides.get(i));
        shape.iter().enumerate().map(part).collect()
    }

    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(self.start)
    }
}

/// `dynamic_slice`, made by [`dynamic_slice()`].
#[derive(Clone, Copy, Debug)]
pub struct DynamicSlice<'a> {
    starts: Ints<'a>,
    sizes: Ints<'a>,
}

/// Reads `dynamic_slice`: a window of `sizes`, from `starts`. A window that would leave the array
/// is shifted until it lies inside; it is never cut. A negative start is one before the axis, and
/// shifted to 0 (`jax.lax.dynamic_slice` counts it from the end, and adds the length before the
/// operator sees it).
///
/// `dynamic_update_slice` writes to the same window, whose sizes are the shape of the update: plan
/// the slice of this operator and `assign`.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns an error for vectors that are not as long
/// as the input has axes, and [`InteropError::WindowOutOfRange`] for a size that is negative or
/// larger than its axis.
///
/// # Examples
///
/// ```
/// use pyslice::Dim;
/// use pyslice::interop::{Ints, Operator, hlo};
///
/// let op = hlo::dynamic_slice(&[7, -2], &[3, 2]);
/// assert_eq!(op.to_spec(&[8, 5])?.to_string(), "5:8, 0:2");
/// // The graph computes the starts, but never the sizes.
/// let dims = hlo::dynamic_slice(Ints::Later(2), &[3, 2]).infer(None)?;
/// assert_eq!(*dims.unwrap(), [Dim::Known(3), Dim::Known(2)]);
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// StableHLO's specification (`clamp(0, start_indices, shape(operand) - slice_sizes)`), and XLA as
/// jaxlib 0.10 ships it (recorded answers, `import_stablehlo`).
pub fn dynamic_slice<'a>(
    start_indices: impl Into<Ints<'a>>,
    slice_sizes: impl Into<Ints<'a>>,
) -> DynamicSlice<'a> {
    DynamicSlice { starts: start_indices.into(), sizes: slice_sizes.into() }
}

impl Parts for DynamicSlice<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let DynamicSlice { starts, sizes } = self;
        sizes.expect("slice_sizes", starts.len())?;
        let part = |(i, &dim): (usize, &Dim)| shifted(i, dim, starts.get(i), sizes.get(i));
        shape.iter().enumerate().map(part).collect()
    }

    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(self.starts)
    }
}

/// `size` positions from `start`, shifted onto the axis.
fn shifted(
    axis: usize,
    dim: Dim,
    start: Option<i64>,
    size: Option<i64>,
) -> Result<Part, InteropError> {
    let (least, most) = dim.limits();
    let Some(size) = size else { return Ok(Part::Later(up_to(most as i128))) };
    check(axis, dim, 0, size.into())?;
    let last = |len: usize| i64::try_from(len).unwrap_or(i64::MAX).saturating_sub(size).max(0);
    // If the window starts at one position on the shortest and on the longest possible axis, it
    // starts there on all of them.
    let at = |len: usize, start: i64| start.clamp(0, last(len));
    let on = |start: i64| (at(least, start) == at(most, start)).then(|| at(most, start));
    // A window as long as its axis cannot move.
    let start = start.or((last(most) == 0).then_some(0)).and_then(on);
    let len = usize::try_from(size).unwrap_or(0);
    Ok(start.map_or(Part::Later(Dim::Known(len)), |start| {
        window_part(dim, start, start.saturating_add(size), 1, size.into())
    }))
}
