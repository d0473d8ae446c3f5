//! Whether two slices of one buffer share an element.

use super::bounded_sum::{Sum, Work};
use crate::error::SliceError;
use crate::plan::Plan;

impl Plan {
    /// Whether the two slices of one buffer have an element in common.
    ///
    /// Exact for all steps, flips, dropped and new axes, also where the two were planned on different shapes of the same
    /// buffer, or with [`plan_strided`](crate::Spec::plan_strided) (offsets then count from the start of the buffer, as
    /// everywhere). An empty slice has no elements and overlaps nothing. No element is looked at or counted: for slices of
    /// C-contiguous arrays and of all layouts whose strides nest (each at least as long as what the shorter ones reach)
    /// the time does not depend on the number of elements, only on the number of axes.
    ///
    /// # Errors
    ///
    /// [`SliceError::DifferentBuffers`] if both are for C-contiguous arrays, but of different length.
    /// [`SliceError::WorkLimit`] if the answer takes more than about a million steps of search, which needs strides of three
    /// or more axes that interleave without a common divisor (as of a plan made by hand to be hard: the question
    /// includes the subset sum problem).
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_core::{SliceError, SpecBuf};
    ///
    /// let plan = |text: [(i64, i64); 2]| {
    ///     let [(a, s), (b, t)] = text;
    ///     SpecBuf::builder().range(a, None::<i64>, s).range(b, None::<i64>, t).build()?.plan(&[100, 100])
    /// };
    /// // The even and the odd columns; the even columns and every third one, backwards.
    /// assert!(!plan([(0, 1), (0, 2)])?.overlaps(&plan([(0, 1), (1, 2)])?)?);
    /// assert!(plan([(0, 1), (0, 2)])?.overlaps(&plan([(0, 1), (-1, -3)])?)?);
    /// # Ok::<(), SliceError>(())
    /// ```
    #[expect(clippy::arithmetic_side_effects, reason = "isize and usize in i128")]
    pub fn overlaps(&self, other: &Plan) -> Result<bool, SliceError> {
        let (first, second) = (self.input_len(), other.input_len());
        if !self.is_strided() && !other.is_strided() && first != second {
            return Err(SliceError::DifferentBuffers { first, second });
        }
        if self.is_empty() || other.is_empty() {
            return Ok(false);
        }
        if self.offset() == other.offset() {
            return Ok(true);
        }
        // offset + Σ s·i = offset' + Σ s'·j
        let mut sum = Sum::default();
        for axis in self.axes() {
            sum.add(axis.stride, axis.len);
        }
        for axis in other.axes() {
            sum.add_wide(-(axis.stride as i128), axis.len as i128 - 1);
        }
        sum.hits(other.offset() as i128 - self.offset() as i128, &Work::new())
    }

    /// Whether the two slices of one buffer have no element in common: the opposite of [`overlaps`](Plan::overlaps).
    ///
    /// # Errors
    ///
    /// Those of [`overlaps`](Plan::overlaps).
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_core::SpecBuf;
    ///
    /// let every_other = |start: i64| SpecBuf::builder().range(start, None::<i64>, 2).build()?.plan(&[9]);
    /// assert!(every_other(0)?.disjoint(&every_other(1)?)?);
    /// assert!(!every_other(0)?.disjoint(&every_other(2)?)?);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn disjoint(&self, other: &Plan) -> Result<bool, SliceError> {
        Ok(!self.overlaps(other)?)
    }
}
