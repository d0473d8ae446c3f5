//! ONNX's `Slice`, as ONNX Runtime computes it.

use super::axes::resolve;
use crate::error::SliceError;
use crate::spec::SpecBuf;
use alloc::vec::Vec;

impl SpecBuf {
    /// Reads ONNX's `Slice` on an input of the given shape.
    ///
    /// Two rules differ from Python's and need the shape: with a step < 0, a start below `-d` becomes 0, and an end of
    /// `i32::MAX` or `i64::MAX` means to the end in the direction of travel.
    /// Without `axes` the first axes are meant; without `steps` they are 1.
    ///
    /// # Lengths that are not known yet
    ///
    /// Both rules are about negative steps. Where all steps are above 0, [`from_axes`](SpecBuf::from_axes) gives the same slice
    /// and asks for the rank alone. Under a negative step it does so too if the start is 0 or more and an end of `i32::MAX` or
    /// `i64::MAX` is given as `i64::MIN`. What is left, a negative start under a negative step, has to wait for the shape.
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
            if step < 0 {
                if *start < d.wrapping_neg() {
                    *start = 0;
                }
                if *end == i64::MAX || *end == i64::from(i32::MAX) {
                    // Below every position, so that a negative step runs to element 0.
                    *end = i64::MIN;
                }
            }
        }
        SpecBuf::from_axes(shape.len(), &axes, &from, &to, &steps)
    }
}
