//! DirectML: `DML_SLICE1_OPERATOR_DESC` and the older `DML_SLICE_OPERATOR_DESC`.

use crate::error::{InteropError, not_representable};
use crate::operator::{Ints, sealed::Parts};
use crate::window::{check, counted};
use crate::write::{Form, Steps, count, low, span, start, step};
use alloc::vec::Vec;
use slice_core::__private::interop::Part;
use slice_core::{Dim, SliceError};

/// Writes `DML_SLICE1_OPERATOR_DESC`: `InputWindowOffsets`, `InputWindowSizes` and
/// `InputWindowStrides`. Tensors of DirectML are never empty.
pub const SLICE1: Form<3> = Form {
    empty: false,
    largest: i32::MAX as i64,
    ..Form::new("DirectML's `SLICE1`", [low, span, step])
};

/// Writes `DML_SLICE_OPERATOR_DESC`: `Offsets`, `Sizes` and `Strides`. Steps are 1 or more.
pub const SLICE: Form<3> = Form {
    steps: Steps::Forward,
    empty: false,
    largest: i32::MAX as i64,
    ..Form::new("DirectML's `SLICE`", [start, count, step])
};

/// `SLICE1`, made by [`slice1()`].
#[derive(Clone, Copy, Debug)]
pub struct Slice1<'a> {
    offsets: Ints<'a>,
    sizes: Ints<'a>,
    strides: Ints<'a>,
    output: Option<Ints<'a>>,
}

/// Reads `DML_SLICE1_OPERATOR_DESC`: on each axis a window, `sizes` long from `offsets`, which a
/// stride walks from its start, or **from its end** where it is negative.
///
/// The output has every position that the strides reach, unless [`output`](Slice1::output) sets its
/// sizes.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns an error for vectors that are not as long
/// as the input has axes, a window that is empty or leaves its axis, a stride of 0, and an output
/// that is empty or longer than the strides reach.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, directml};
///
/// // The window 2 3 4 5 6, walked backwards: 6 4 2.
/// let op = directml::slice1(&[2_u32], &[5_u32], &[-2_i32]);
/// assert_eq!(op.to_spec(&[8])?.to_string(), "6:1:-2");
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// The reference page of `DML_SLICE1_OPERATOR_DESC`: its pseudo-code, and the bounds it gives for
/// the output.
pub fn slice1<'a>(
    offsets: impl Into<Ints<'a>>,
    sizes: impl Into<Ints<'a>>,
    strides: impl Into<Ints<'a>>,
) -> Slice1<'a> {
    Slice1 { offsets: offsets.into(), sizes: sizes.into(), strides: strides.into(), output: None }
}

impl<'a> Slice1<'a> {
    /// Sets the sizes of the output, which may be shorter than what the strides reach.
    pub fn output(mut self, sizes: impl Into<Ints<'a>>) -> Self {
        self.output = Some(sizes.into());
        self
    }
}

impl Parts for Slice1<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let Slice1 { offsets, sizes, strides, output } = self;
        sizes.expect("InputWindowSizes", offsets.len())?;
        strides.expect("InputWindowStrides", offsets.len())?;
        if let Some(output) = output {
            output.expect("OutputTensor sizes", offsets.len())?;
        }
        let mut parts = Vec::with_capacity(shape.len());
        for (i, &dim) in shape.iter().enumerate() {
            let (Some(offset), Some(size), Some(stride)) =
                (offsets.get(i), sizes.get(i), strides.get(i))
            else {
                let known = output
                    .and_then(|o| o.get(i))
                    .and_then(|n| usize::try_from(n).ok())
                    .map(Dim::Known);
                parts.push(Part::Later(known.unwrap_or(Dim::from_limits(0, dim.limits().1))));
                continue;
            };
            if stride == 0 {
                return Err(SliceError::ZeroStep { entry: i }.into());
            }
            let end = i128::from(offset).saturating_add(size.into());
            // `check` refuses a window that ends before it starts, so an empty one is passed as
            // such.
            check(i, dim, offset.into(), if size > 0 { end } else { -1 })?;
            let reach = size
                .saturating_sub(1)
                .checked_div(stride.saturating_abs())
                .unwrap_or(0)
                .saturating_add(1);
            let count = output.and_then(|o| o.get(i)).unwrap_or(reach);
            if !(1..=reach).contains(&count) {
                return Err(not_representable(
                    "an output of DirectML's SLICE1 that is empty or longer than its \
                           strides reach in the window",
                ));
            }
            let first =
                if stride < 0 { offset.saturating_add(size.saturating_sub(1)) } else { offset };
            parts.push(counted(i, dim, Some(first), Some(count), Some(stride))?);
        }
        Ok(parts)
    }

    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(self.offsets)
    }
}

/// The older `SLICE`, made by [`slice()`].
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a>([Ints<'a>; 3]);

/// Reads `DML_SLICE_OPERATOR_DESC`: `sizes` positions of the output on each axis, from `offsets`,
/// `strides` apart, all of them inside.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns an error for vectors that are not as long
/// as the input has axes and for a position outside its axis; [`SliceError::NotRepresentable`] for
/// a stride of 0 where two positions or more are taken.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, directml};
///
/// assert_eq!(directml::slice(&[2], &[3], &[2]).to_spec(&[8])?.to_string(), "2:7:2");
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// The reference page of `DML_SLICE_OPERATOR_DESC`.
pub fn slice<'a>(
    offsets: impl Into<Ints<'a>>,
    sizes: impl Into<Ints<'a>>,
    strides: impl Into<Ints<'a>>,
) -> Slice<'a> {
    Slice([offsets.into(), sizes.into(), strides.into()])
}

impl Parts for Slice<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let [offsets, sizes, strides] = &self.0;
        sizes.expect("Sizes", offsets.len())?;
        strides.expect("Strides", offsets.len())?;
        let part = |(i, &dim): (usize, &Dim)| {
            counted(i, dim, offsets.get(i), sizes.get(i), strides.get(i))
        };
        shape.iter().enumerate().map(part).collect()
    }

    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(self.0[0])
    }
}
