//! TensorRT's `ISliceLayer`.

use crate::error::InteropError;
use crate::operator::{Ints, sealed::Parts};
use crate::window::counted;
use crate::write::{Form, count, start, step};
use alloc::vec::Vec;
use slice_core::__private::interop::Part;
use slice_core::Dim;

/// Writes `ISliceLayer` in mode `kSTRICT_BOUNDS`: `start`, `size` and `stride`.
pub const SLICE: Form<3> = Form::new("TensorRT's `ISliceLayer`", [start, count, step]);

/// What the layer does with positions outside the input: its `SampleMode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// They are an error.
    #[default]
    StrictBounds,
    /// They wrap around.
    Wrap,
    /// Each is clamped to the axis.
    Clamp,
    /// They give the fill value.
    Fill,
    /// They are reflected at the ends.
    Reflect,
}

/// The layer, made by [`slice()`].
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    start: Ints<'a>,
    size: Ints<'a>,
    stride: Ints<'a>,
    mode: Mode,
}

/// Reads `ISliceLayer`: `size` positions of the output on each axis, from `start`, `stride` apart.
///
/// Modes other than `kSTRICT_BOUNDS` only matter for positions outside the input. If there are
/// none, the layer is a slice in any mode. If there are, the layer pads, which no slice does.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns an error for vectors that are not as long as the
/// input has axes and for a negative size. Positions outside the input are
/// [`InteropError::WindowOutOfRange`] in mode `kSTRICT_BOUNDS`, and in the others
/// [`SliceError::NotRepresentable`](slice_core::SliceError::NotRepresentable), which names the
/// mode. A stride of 0 is `NotRepresentable` too, where two positions or more are taken.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, tensorrt};
///
/// let op = tensorrt::slice(&[1, 5], &[2, 3], &[1, -2]).mode(tensorrt::Mode::Wrap);
/// assert_eq!(op.to_spec(&[4, 6])?.to_string(), "1:3, 5:0:-2");
/// let refused = op.to_spec(&[4, 5]).unwrap_err().to_string();
/// assert!(refused.contains("WRAP"), "{refused}");
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// TensorRT's operator page of `Slice`, which defines each mode by a formula.
pub fn slice<'a>(
    start: impl Into<Ints<'a>>,
    size: impl Into<Ints<'a>>,
    stride: impl Into<Ints<'a>>,
) -> Slice<'a> {
    Slice {
        start: start.into(),
        size: size.into(),
        stride: stride.into(),
        mode: Mode::StrictBounds,
    }
}

impl Slice<'_> {
    /// Sets the mode. The default is [`Mode::StrictBounds`].
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }
}

impl Parts for Slice<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let Slice { start, size, stride, mode } = self;
        size.expect("size", start.len())?;
        stride.expect("stride", start.len())?;
        let what = match mode {
            Mode::StrictBounds => "",
            Mode::Wrap => {
                "TensorRT's slice in mode WRAP with positions outside the input; pad it by \
                 wrapping, then slice"
            }
            Mode::Clamp => {
                "TensorRT's slice in mode CLAMP with positions outside the input; pad it by its \
                 edges, then slice"
            }
            Mode::Fill => {
                "TensorRT's slice in mode FILL with positions outside the input; pad it with the \
                 value, then slice"
            }
            Mode::Reflect => {
                "TensorRT's slice in mode REFLECT with positions outside the input; pad it by \
                 reflection, then slice"
            }
        };
        let padding = *mode != Mode::StrictBounds;
        let part = |(i, &dim): (usize, &Dim)| {
            let (start, size, stride) = (start.get(i), size.get(i), stride.get(i));
            match counted(i, dim, start, size, stride) {
                Err(InteropError::WindowOutOfRange { .. })
                    if padding && size.is_none_or(|n| n >= 0) =>
                {
                    Ok(Part::Never(
                        size.map_or(Dim::Unknown, |n| Dim::Known(usize::try_from(n).unwrap_or(0))),
                        what,
                    ))
                }
                // The length of the axis decides whether some position lies outside.
                Ok(Part::Window(_, len)) if padding => {
                    let shortest = Dim::Known(dim.limits().0);
                    Ok(counted(i, shortest, start, size, stride).unwrap_or(Part::Later(len)))
                }
                other => other,
            }
        };
        shape.iter().enumerate().map(part).collect()
    }

    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(self.start)
    }
}
