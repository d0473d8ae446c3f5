//! A slice in two steps: what a store that only walks forwards can read, and a turn in memory.

use super::runs::AxisPart;
use crate::error::SliceError;
use crate::plan::Plan;
use crate::plan::axes::{Frame, OutAxis};
use crate::plan::walk::NO_SOURCE;
use alloc::vec::Vec;

impl Plan {
    /// Splits the slice in two: a plan that only walks forwards, and one that turns its result into
    /// this plan's result.
    ///
    /// The first keeps every axis of the input, with a step of 1 or more: an index becomes a range
    /// of length 1. So it is a hyperslab, which any file format or library can read, and its
    /// [`runs`](Plan::runs) go through the input from front to back. The second reverses axes,
    /// drops them and adds new ones. Both take as many elements as this plan.
    ///
    /// # Errors
    ///
    /// [`SliceError::NeedsContiguous`] for a plan made with strides, which does not say which
    /// positions of which axis it takes.
    ///
    /// # Examples
    ///
    /// Start, step and count on each axis, for a library without negative steps:
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let x: Vec<u16> = (0..24).collect(); //            x = np.arange(24).reshape(4, 6)
    /// let plan = s![2, None, ::-2].plan(&[4, 6])?;
    /// let (read, turn) = plan.forwards()?;
    /// let slab: Vec<_> = read
    ///     .to_step_ranges()?
    ///     .iter()
    ///     .zip(read.shape())
    ///     .map(|(range, &count)| (range.start, range.step, count))
    ///     .collect();
    /// assert_eq!(slab, [(2, 1, 1), (1, 2, 3)]);
    ///
    /// let from_file = read.copy(&x)?; //                 what the library reads
    /// assert_eq!(from_file, [13, 15, 17]);
    /// assert_eq!(turn.shape(), [1, 3]);
    /// assert_eq!(turn.copy(&from_file)?, [17, 15, 13]); // x[2, None, ::-2]
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[doc(alias = "hyperslab")]
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "positions of the input, and of the result where it is not empty; 0 elsewhere"
    )]
    #[inline]
    pub fn forwards(&self) -> Result<(Plan, Plan), SliceError> {
        let parts = match self.parts("`forwards`")? {
            Some(parts) => parts,
            None => self.nothing(),
        };
        let mut read = Vec::with_capacity(parts.len());
        let mut turn: Vec<OutAxis> =
            self.axes().map(|axis| OutAxis { stride: 0, source: NO_SOURCE, ..axis }).collect();
        let (mut from, mut start) = (0, 0);
        // The strides of the input, and of what is read of it.
        let (mut stride, mut place) = (1usize, 1usize);
        for (source, part) in parts.iter().enumerate().rev() {
            let step = part.step.unsigned_abs();
            let low = if part.len == 0 { 0 } else { part.low() as usize };
            from += low.wrapping_mul(stride);
            let (len, source) = (part.len, source as u8);
            read.push(OutAxis { len, stride: step.wrapping_mul(stride) as isize, source });
            if let Some(axis) = part.out.and_then(|out| turn.get_mut(out)) {
                let way = if part.step < 0 { -1 } else { 1 };
                *axis = OutAxis { len, stride: (place as isize).wrapping_mul(way), source };
                if way < 0 {
                    start += (len - 1) * place;
                }
            }
            stride = stride.wrapping_mul(part.axis_len);
            place = place.wrapping_mul(len);
        }
        read.reverse();
        let read = Plan::from_axes(Frame { offset: from, ..self.frame() }, read.into_iter());
        let frame = Frame {
            input_shape: read.shape(),
            input_len: read.len(),
            strided: false,
            offset: start,
        };
        let turn = Plan::from_axes(frame, turn.into_iter());
        Ok((read, turn))
    }

    /// Composes a plan of this plan's result with it, as [`then`](Plan::then) does with a slice. A
    /// plan has no limit of 31 entries.
    ///
    /// Where nothing is selected, its strides may differ from those of `then`, and then the plans
    /// are not equal. [`selects_same`](Plan::selects_same) does not look at them.
    ///
    /// # Errors
    ///
    /// [`SliceError::NeedsContiguous`] if `later` was made with strides.
    /// [`SliceError::RankMismatch`] or [`SliceError::NotRepresentable`] if it is not a plan for
    /// [`shape()`](Plan::shape).
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let half = s![::-2].plan(&[10])?;
    /// let both = half.then_plan(&s![1:3].plan(half.shape())?)?;
    /// assert_eq!((both.offset(), both.strides(), both.len()), (7, &[-2][..], 2));
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[doc(alias = "compose")]
    #[inline]
    pub fn then_plan(&self, later: &Plan) -> Result<Plan, SliceError> {
        let (own, theirs) = (self.shape(), later.input_shape());
        if own.len() != theirs.len() {
            return Err(SliceError::RankMismatch { expected: own.len(), found: theirs.len() });
        }
        if own != theirs {
            let what = "a plan of another shape; plan the later slice for `shape()` of this plan";
            return Err(SliceError::NotRepresentable { what });
        }
        let mut axes: Vec<OutAxis> =
            later.axes().map(|axis| OutAxis { stride: 0, source: NO_SOURCE, ..axis }).collect();
        let mut offset = self.offset() as isize;
        let parts = match later.parts("`then_plan`")? {
            Some(parts) => parts,
            None => later.nothing(),
        };
        for (part, axis) in parts.iter().zip(self.axes()) {
            // Neither matters where nothing is taken.
            offset = offset.wrapping_add((part.start as isize).wrapping_mul(axis.stride));
            if let Some(out) = part.out.and_then(|out| axes.get_mut(out)) {
                out.stride = part.step.wrapping_mul(axis.stride);
                out.source = axis.source;
            }
        }
        Ok(Plan::from_axes(Frame { offset: offset as usize, ..self.frame() }, axes.into_iter()))
    }

    /// The parts of a plan that takes nothing: at the front of each axis as many positions as the
    /// result has.
    #[inline]
    fn nothing(&self) -> Vec<AxisPart> {
        let lengths = self.input_shape().iter();
        let mut parts: Vec<AxisPart> = lengths
            .map(|&axis_len| AxisPart { axis_len, start: 0, step: 1, len: 1, out: None })
            .collect();
        for (out, axis) in self.axes().enumerate() {
            if let Some(part) = parts.get_mut(usize::from(axis.source)) {
                (part.len, part.out) = (axis.len, Some(out));
            }
        }
        parts
    }
}
