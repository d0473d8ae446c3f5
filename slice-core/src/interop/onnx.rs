//! ONNX's `Slice`, as ONNX Runtime computes it.

use super::axes::resolve;
use crate::error::SliceError;
use crate::spec::SpecBuf;
use alloc::vec::Vec;

impl SpecBuf {
    /// Reads ONNX's `Slice` on an input of the given shape.
    ///
    /// Two rules differ from Python's: with a step < 0, a start below `-d` becomes 0, which needs the shape; and an end of
    /// `i32::MAX` or `i64::MAX` means to the end in the direction of travel, however long the axis.
    /// Without `axes` the first axes are meant; without `steps` they are 1.
    ///
    /// # Lengths that are not known yet
    ///
    /// [`from_axes`](SpecBuf::from_axes) gives the same slice and asks for the rank alone, if an end of `i32::MAX` or `i64::MAX`
    /// is given to it as `i64::MAX` under a step above 0, and as `i64::MIN` under a negative one. (Under a step above 0 it takes
    /// `i32::MAX` for a bound like any other, which differs for longer axes only.) What is left, a negative start under a
    /// negative step, has to wait for the shape.
    ///
    /// # Errors
    ///
    /// Those of [`from_axes`](SpecBuf::from_axes).
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_core::SpecBuf;
    ///
    /// // To the end, walking backwards: Python's `4::-1`, although Python reads `4:9223372036854775807:-1` as empty.
    /// let spec = SpecBuf::from_onnx(&[5], None, &[4], &[i64::MAX], Some(&[-1]))?;
    /// assert_eq!(spec.plan(&[5])?.shape(), [5]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// ONNX Runtime 1.31, CPU (recorded answers, `onnx_slice`).
    pub fn from_onnx(
        shape: &[usize],
        axes: Option<&[i64]>,
        starts: &[i64],
        ends: &[i64],
        steps: Option<&[i64]>,
    ) -> Result<SpecBuf, SliceError> {
        let n = starts.len();
        let axes = axes.map_or_else(|| (0..n as i64).collect(), Vec::from);
        let steps = steps.map_or_else(|| alloc::vec![1; n], Vec::from);
        for (what, found) in [("ends", ends.len()), ("axes", axes.len()), ("steps", steps.len())] {
            if found != n {
                return Err(SliceError::LengthMismatch { what, found, expected: n });
            }
        }
        let (mut from, mut to) = (Vec::from(starts), Vec::from(ends));
        for (((&axis, start), end), &step) in axes.iter().zip(&mut from).zip(&mut to).zip(&steps) {
            let d = shape.get(resolve(axis, shape.len())?).copied().unwrap_or(0);
            let d = i64::try_from(d).map_err(|_| SliceError::ShapeTooLarge)?;
            if step < 0 && *start < d.wrapping_neg() {
                *start = 0;
            }
            if *end == i64::MAX || *end == i64::from(i32::MAX) {
                // Beyond every position on the side that the step runs to.
                *end = if step < 0 { i64::MIN } else { i64::MAX };
            }
        }
        SpecBuf::from_axes(shape.len(), &axes, &from, &to, &steps)
    }
}
