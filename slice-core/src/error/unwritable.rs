//! Why another system's operator cannot express a slice.

use crate::error::const_message::Sentence;
use crate::error::const_message::Value::{Count, Number, Text};

/// Why another system's operator cannot express what a slice does on an axis:
/// [`SliceError::Unwritable`](crate::SliceError::Unwritable).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unwritable {
    /// It does not support this step.
    Step(i64),
    /// It always takes at least one position.
    Empty,
    /// This number does not fit in its vectors.
    Number(i64),
    /// Its input cannot have this many axes.
    Rank(usize),
    /// It cannot add axes, and this axis of the result is new.
    NewAxis,
    /// It keeps every axis, and the slice drops this one of the input.
    DroppedAxis,
}

impl Unwritable {
    pub(crate) const fn sentence(self, operator: &'static str, axis: usize) -> Sentence {
        match self {
            Self::Step(step) => Sentence::new(
                if step < 0 {
                    "step {} on axis {} is not supported by {}; take the positions in ascending \
                     order, and reverse the axis with a second operator"
                } else {
                    "step {} on axis {} is not supported by {}; use an operator that has steps"
                },
                &[Number(step as i128), Count(axis), Text(operator)],
            ),
            Self::Empty => Sentence::new(
                "the slice takes nothing from axis {}, which {} cannot express; make the empty \
                 result without it",
                &[Count(axis), Text(operator)],
            ),
            Self::Number(number) => Sentence::new(
                "{} on axis {} does not fit in the numbers of {}; use an operator with 64-bit \
                 numbers",
                &[Number(number as i128), Count(axis), Text(operator)],
            ),
            Self::Rank(rank) => Sentence::new(
                "an array with {} axes is not supported by {}; reshape it in another operator",
                &[Count(rank), Text(operator)],
            ),
            Self::NewAxis => Sentence::new(
                "axis {} of the result is new, but {} cannot add axes; add it with a second \
                 operator",
                &[Count(axis), Text(operator)],
            ),
            Self::DroppedAxis => Sentence::new(
                "the slice drops axis {}, but {} keeps every axis; drop it with a second operator",
                &[Count(axis), Text(operator)],
            ),
        }
    }
}
