//! Recovers from a plan over a C-contiguous array what it takes on each axis of the input.

use crate::axis;
use crate::error::SliceError;
use crate::plan::Plan;
use alloc::vec::Vec;

/// The error for a plan that no single slice gives: an axis was added, and then emptied.
pub(crate) const EMPTY_NEW_AXIS: SliceError = SliceError::NotRepresentable {
    what: "an axis that was added has length 0; slice in two steps",
};

/// What a slice takes on one axis of its input: `start`, `start + step`, … (`len` of them).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisPart {
    /// The length of the axis.
    pub axis_len: usize,
    /// The first position that is taken.
    pub start: usize,
    /// Not 0; 1 where fewer than two positions are taken.
    pub step: isize,
    /// How many positions are taken.
    pub len: usize,
    /// The axis of the result, unless it was dropped.
    pub out: Option<usize>,
}

impl Plan {
    /// What the slice takes on each axis of the input, first to last; `None` if it takes nothing.
    ///
    /// The strides of a C-contiguous input are a mixed radix. The digits of the result's offset are
    /// the first positions on the axes, and the digits of its strides are the steps.
    ///
    /// # Errors
    ///
    /// [`SliceError::NeedsContiguous`] for a plan made with strides, whose offset has no such
    /// digits.
    #[inline]
    pub(crate) fn parts(&self, what: &'static str) -> Result<Option<Vec<AxisPart>>, SliceError> {
        if self.is_strided() {
            return Err(SliceError::NeedsContiguous { what });
        }
        if self.is_empty() {
            return Ok(None);
        }
        let mut parts = Vec::with_capacity(self.input_shape().len());
        let mut fed = self.axes().enumerate().rev().peekable();
        let (mut rest, mut stride) = (self.offset(), 1usize);
        for (a, &n) in self.input_shape().iter().enumerate().rev() {
            // No axis has length 0 here, or the result would be empty; NO_SOURCE is not an axis.
            let start = rest.checked_rem(n).unwrap_or(0);
            rest = rest.checked_div(n).unwrap_or(0);
            let mut part = AxisPart { axis_len: n, start, step: 1, len: 1, out: None };
            // New axes of the result are skipped; the others name the axes of the input in
            // ascending order.
            while fed.next_if(|(_, axis)| axis.source == crate::plan::walk::NO_SOURCE).is_some() {}
            if let Some((out, axis)) = fed.next_if(|(_, axis)| usize::from(axis.source) == a) {
                (part.len, part.out) = (axis.len, Some(out));
                if axis.len > 1 {
                    part.step = axis.stride.checked_div(stride as isize).unwrap_or(1);
                }
            }
            parts.push(part);
            // Products of lengths fit isize.
            stride = stride.wrapping_mul(n);
        }
        parts.reverse();
        Ok(Some(parts))
    }

    /// The axes of the result that are new.
    #[inline]
    pub(crate) fn added(&self) -> impl Iterator<Item = usize> {
        self.source_axes().enumerate().filter(|(_, from)| from.is_none()).map(|(at, _)| at)
    }

    /// What the slice takes on each axis of the input. If it takes nothing of an axis, any part of
    /// the right length works, so the first positions are taken.
    #[inline]
    pub(crate) fn takings(&self, what: &'static str) -> Result<Vec<AxisPart>, SliceError> {
        if let Some(parts) = self.parts(what)? {
            return Ok(parts);
        }
        let shape = self.input_shape().iter();
        let mut parts: Vec<AxisPart> = shape
            .map(|&axis_len| AxisPart { axis_len, start: 0, step: 1, len: 1, out: None })
            .collect();
        for (out, axis) in self.axes().enumerate() {
            match parts.get_mut(usize::from(axis.source)) {
                Some(part) => (part.len, part.out) = (axis.len, Some(out)),
                None if axis.len == 1 => {}
                None => return Err(EMPTY_NEW_AXIS),
            }
        }
        Ok(parts)
    }
}

impl AxisPart {
    /// The last position that is taken; the one before `start` if nothing is taken.
    #[inline]
    pub(crate) const fn last(&self) -> i64 {
        // These are positions of one axis, so nothing overflows.
        (self.len as i64)
            .wrapping_sub(1)
            .wrapping_mul(self.step as i64)
            .wrapping_add(self.start as i64)
    }

    /// The position before which to stop in the direction of travel, as Python counts it.
    #[inline]
    pub const fn stop(&self) -> i64 {
        let after = self.last().wrapping_add(self.step.signum() as i64);
        // -1 would be the last position.
        if after < 0 { axis::before_front(self.axis_len as i64) } else { after }
    }

    /// Whether all of the axis is taken, in order.
    #[inline]
    pub(crate) const fn is_whole(&self) -> bool {
        self.len == self.axis_len && self.step == 1
    }

    /// The lowest position that is taken.
    #[inline]
    pub fn low(&self) -> i64 {
        if self.step < 0 { self.last() } else { self.start as i64 }
    }

    /// The position after the highest that is taken; the lowest if nothing is taken.
    #[inline]
    pub fn high(&self) -> i64 {
        if self.step < 0 { (self.start as i64).wrapping_add(1) } else { self.stop() }
    }

    /// The index of `position` among the positions that are taken.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "positions of one axis fit isize, and at * size is at most by"
    )]
    #[inline]
    pub(crate) fn find(&self, position: usize) -> Option<usize> {
        let (by, size) = (position as isize - self.start as isize, self.step);
        let at = by.checked_div(size)?;
        (by == at * size && at >= 0 && (at as usize) < self.len).then_some(at as usize)
    }
}
