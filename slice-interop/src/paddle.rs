//! PaddlePaddle's `strided_slice`.

use crate::error::{InteropError, not_representable};
use crate::onnx::axes_parts;
use crate::operator::{Ints, sealed::Parts};
use crate::python_range::range;
use alloc::vec::Vec;
use slice_core::__private::interop::Part;
use slice_core::Dim;

/// `strided_slice`, made by [`strided_slice()`].
#[derive(Clone, Copy, Debug)]
pub struct StridedSlice<'a> {
    starts: Ints<'a>,
    ends: Ints<'a>,
    axes: Option<Ints<'a>>,
    strides: Option<Ints<'a>>,
}

/// Reads `strided_slice`: [`SpecBuf::from_axes`](slice_core::SpecBuf::from_axes), in which axes and
/// strides may be left out and numbers may be unknown. [`Plan::to_axes`](slice_core::Plan::to_axes)
/// writes it.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns the errors of
/// [`SpecBuf::from_axes`](slice_core::SpecBuf::from_axes), and
/// [`SliceError::NotRepresentable`](slice_core::SliceError::NotRepresentable) for a negative axis,
/// which Paddle refuses, and for a stride beyond 62 bits, with which it overflows.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, paddle};
///
/// let op = paddle::strided_slice(&[1, -1], &[3, -9]).strides(&[1, -2]);
/// assert_eq!(op.to_spec(&[4, 6, 8])?.to_string(), "1:3, -1:-9:-2");
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// `paddle.strided_slice` 3.3 on distinct axes (recorded answers, `paddle_slice` and
/// `import_paddle`). Its page calls axes optional, but the function requires them. Here they are
/// the first axes if they are left out.
pub fn strided_slice<'a>(
    starts: impl Into<Ints<'a>>,
    ends: impl Into<Ints<'a>>,
) -> StridedSlice<'a> {
    StridedSlice { starts: starts.into(), ends: ends.into(), axes: None, strides: None }
}

impl<'a> StridedSlice<'a> {
    /// Sets the axes that are sliced. The default is the first ones.
    pub fn axes(mut self, axes: impl Into<Ints<'a>>) -> Self {
        self.axes = Some(axes.into());
        self
    }

    /// Sets the strides. The default is 1 on each axis.
    pub fn strides(mut self, strides: impl Into<Ints<'a>>) -> Self {
        self.strides = Some(strides.into());
        self
    }
}

impl Parts for StridedSlice<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let StridedSlice { starts, ends, axes, strides } = self;
        if let Some(axes) = axes
            && axes.known().any(|axis| axis < 0)
        {
            return Err(not_representable(
                "a negative axis in Paddle's strided_slice, which refuses it; count the \
                       axis from the front",
            ));
        }
        const FAR: u64 = 1 << 62;
        if let Some(strides) = strides
            && strides.known().any(|stride| stride.unsigned_abs() > FAR)
        {
            return Err(not_representable(
                "a stride beyond 62 bits in Paddle's strided_slice, which may overflow \
                       there; give the length of the axis instead",
            ));
        }
        axes_parts(shape, *axes, starts, ends, *strides, range)
    }
}
