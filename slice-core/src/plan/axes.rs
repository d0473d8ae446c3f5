//! Builds plans from axes that are already known, and gives the axes of a plan back.

use super::walk::{Axes, NO_SOURCE, Strided};
use super::{INLINE, Plan};
use alloc::boxed::Box;

/// One axis of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutAxis {
    pub(crate) len: usize,
    /// In elements of the input.
    pub(crate) stride: isize,
    /// The axis of the input that feeds it, or [`NO_SOURCE`].
    pub(crate) source: u8,
}

/// The input of a plan, and where in it the result starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) input_shape: &'a [usize],
    pub(crate) input_len: usize,
    pub(crate) strided: bool,
    pub(crate) offset: usize,
}

impl Plan {
    /// Makes the plan with these axes. The ranks and the product of the lengths must be within a
    /// plan's limits.
    pub(crate) fn from_axes(
        frame: Frame<'_>,
        axes: impl ExactSizeIterator<Item = OutAxis>,
    ) -> Plan {
        let (rank, input_rank) = (axes.len(), frame.input_shape.len());
        let mut plan = Plan::ZERO;
        (plan.parts.rank, plan.parts.input_rank) = (rank as u8, input_rank as u8);
        plan.parts.axes.strided = if frame.strided { Strided::Yes } else { Strided::No };
        plan.parts.axes.input_len = frame.input_len;
        let room = if rank > INLINE || input_rank > INLINE {
            plan.parts.heap.insert(Box::new(Axes::ZERO)).room()
        } else {
            plan.parts.axes.room()
        };
        plan.parts.axes.len = room.fill(frame.input_shape, axes);
        plan.parts.axes.offset = if plan.parts.axes.len == 0 { 0 } else { frame.offset };
        plan
    }

    /// The axes of the result.
    pub(crate) fn axes(
        &self,
    ) -> impl ExactSizeIterator<Item = OutAxis> + DoubleEndedIterator + Clone + '_ {
        let sizes = self.shape().iter().zip(self.strides());
        sizes.zip(self.sources()).map(|((&len, &stride), &source)| OutAxis { len, stride, source })
    }

    /// The input, and where in it the result starts.
    pub(crate) fn frame(&self) -> Frame<'_> {
        Frame {
            input_shape: self.input_shape(),
            input_len: self.input_len(),
            strided: self.is_strided(),
            offset: self.offset(),
        }
    }

    /// `later`, a slice of this plan's result, as a plan over this plan's input.
    pub(super) fn adopt(&self, later: &Plan) -> Plan {
        let sources = self.sources();
        let through = |axis: OutAxis| OutAxis {
            // NO_SOURCE lies beyond the highest rank, so it stays what it is.
            source: sources.get(usize::from(axis.source)).copied().unwrap_or(NO_SOURCE),
            ..axis
        };
        Plan::from_axes(Frame { offset: later.offset(), ..self.frame() }, later.axes().map(through))
    }
}

/// The axes of a plan as slices, so that code which fills them does not depend on how many there
/// are at most.
pub(super) struct Room<'a> {
    shape: &'a mut [usize],
    strides: &'a mut [isize],
    source: &'a mut [u8],
    input_shape: &'a mut [usize],
}

impl<const IN: usize, const OUT: usize> Axes<IN, OUT> {
    pub(super) fn room(&mut self) -> Room<'_> {
        let Axes { shape, strides, source, input_shape, .. } = self;
        Room { shape, strides, source, input_shape }
    }
}

impl Room<'_> {
    /// Stores the axes; returns the product of the result's lengths.
    pub(super) fn fill(self, input_shape: &[usize], axes: impl Iterator<Item = OutAxis>) -> usize {
        if let Some(room) = self.input_shape.get_mut(..input_shape.len()) {
            room.copy_from_slice(input_shape);
        }
        let mut len = 1usize;
        for (i, axis) in axes.enumerate() {
            if let (Some(n), Some(stride), Some(from)) =
                (self.shape.get_mut(i), self.strides.get_mut(i), self.source.get_mut(i))
            {
                (*n, *stride, *from) = (axis.len, axis.stride, axis.source);
                len = len.wrapping_mul(axis.len);
            }
        }
        len
    }
}
