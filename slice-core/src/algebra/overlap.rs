//! Whether two slices of one buffer share an element.

use super::bounded_sum::{Sum, Work};
use crate::error::SliceError;
use crate::plan::Plan;
use alloc::vec::Vec;

impl Plan {
    /// Whether the two slices of one buffer have an element in common.
    ///
    /// The answer is exact for all steps, flips, dropped and new axes, also if the two were planned
    /// on different shapes of the same buffer, or with [`plan_strided`](crate::Spec::plan_strided)
    /// (offsets always count from the start of the buffer). An empty slice overlaps nothing. No
    /// element is visited: for slices of one C-contiguous array, or of one layout whose strides
    /// nest (each at least as long as what the shorter ones reach), the time depends only on the
    /// number of axes. Slices planned on two shapes of one buffer, such as (20000, 20000) and
    /// (16000, 25000), may need a search.
    ///
    /// # Errors
    ///
    /// [`SliceError::DifferentBuffers`] if both are for C-contiguous arrays, but of different
    /// length. [`SliceError::WorkLimit`] if the answer takes more than about a million steps of
    /// search. That needs three or more strides, of both plans together, that interleave without a
    /// common divisor: two shapes of one large buffer, or strides made by hand to be hard (the
    /// question includes the subset sum problem).
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{SliceError, s};
    ///
    /// let columns = |start: i64, step: i64| s![:, start::step].plan(&[100, 100]);
    /// // The even and the odd columns; the even columns and every third one, backwards.
    /// assert!(!columns(0, 2)?.overlaps(&columns(1, 2)?)?);
    /// assert!(columns(0, 2)?.overlaps(&columns(-1, -3)?)?);
    /// # Ok::<(), SliceError>(())
    /// ```
    #[doc(alias = "shares_memory", alias = "may_share_memory")]
    #[expect(clippy::arithmetic_side_effects, reason = "isize and usize in i128")]
    #[inline]
    pub fn overlaps(&self, other: &Plan) -> Result<bool, SliceError> {
        self.check_same_buffer(other)?;
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

    /// Checks that both plans may be for one buffer.
    #[inline]
    pub(crate) fn check_same_buffer(&self, other: &Plan) -> Result<(), SliceError> {
        let (first, second) = (self.input_len(), other.input_len());
        if self.is_strided() || other.is_strided() || first == second {
            return Ok(());
        }
        Err(SliceError::DifferentBuffers { first, second })
    }

    /// Whether the two slices of one buffer have no element in common: the opposite of
    /// [`overlaps`](Plan::overlaps).
    ///
    /// # Errors
    ///
    /// Those of [`overlaps`](Plan::overlaps).
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let every_other = |start: i64| s![start::2].plan(&[9]);
    /// assert!(every_other(0)?.disjoint(&every_other(1)?)?);
    /// assert!(!every_other(0)?.disjoint(&every_other(2)?)?);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn disjoint(&self, other: &Plan) -> Result<bool, SliceError> {
        Ok(!self.overlaps(other)?)
    }
}

impl Plan {
    /// Whether two places of the result are the same element of the buffer, as after
    /// [`broadcast_to`](Plan::broadcast_to), or with [strides](crate::Spec::plan_strided) of
    /// sliding windows.
    ///
    /// Such a plan can be read through as any other. Values that are written through it may
    /// overwrite each other. NumPy makes broadcast views read-only; a library can use this method
    /// to do the same.
    ///
    /// # Errors
    ///
    /// [`SliceError::WorkLimit`] as for [`overlaps`](Plan::overlaps).
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{SliceError, s};
    ///
    /// let rows = s![None].plan(&[3])?;
    /// assert!(!rows.repeats()? && rows.broadcast_to(&[4, 3])?.repeats()?);
    /// assert!(!rows.broadcast_to(&[4, 3])?.then(s![1])?.repeats()?);
    /// // Windows of length 3 over a row of 5.
    /// assert!(s![].plan_strided(&[3, 3], &[1, 1])?.repeats()?);
    /// # Ok::<(), SliceError>(())
    /// ```
    #[inline]
    pub fn repeats(&self) -> Result<bool, SliceError> {
        repeats(self.shape(), self.strides())
    }
}

/// [`Plan::repeats`] of the plan with these lengths and strides.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "reaches of a view of one buffer, and isize, in i128"
)]
#[inline]
pub(crate) fn repeats(shape: &[usize], strides: &[isize]) -> Result<bool, SliceError> {
    if shape.contains(&0) {
        return Ok(false);
    }
    let axes = shape.iter().zip(strides).filter(|&(&n, _)| n > 1);
    let mut axes: Vec<(i128, i128)> =
        axes.map(|(&n, &s)| (n as i128 - 1, (s as i128).abs())).collect();
    axes.sort_unstable_by_key(|&(_, stride)| stride);
    // Strides that nest, as every slice's do, need no search.
    let mut reach = 0;
    let nest = axes.iter().all(|&(top, stride)| {
        let apart = stride > reach;
        reach += top * stride;
        apart
    });
    if nest {
        return Ok(false);
    }
    // Two places differ first on some axis, by 1 or more. On the axes after it they differ by any
    // amount, in either direction.
    let work = Work::new();
    while let Some((top, stride)) = axes.pop() {
        let mut sum = Sum::default();
        sum.add_wide(stride, top - 1);
        let mut target = -stride;
        for &(top, stride) in &axes {
            sum.add_wide(stride, 2 * top);
            target += stride * top;
        }
        if sum.hits(target, &work)? {
            return Ok(true);
        }
    }
    Ok(false)
}
