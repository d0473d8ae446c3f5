//! Why another system's operator cannot express a slice.

use core::fmt;

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
    #[inline]
    pub(crate) fn fmt(
        self,
        f: &mut fmt::Formatter<'_>,
        operator: &str,
        axis: usize,
    ) -> fmt::Result {
        match self {
            Unwritable::Step(step) => {
                write!(f, "step {step} on axis {axis} is not supported by {operator}; ")?;
                f.write_str(if step < 0 {
                    "take the positions in ascending order, and reverse the axis with a second \
                     operator"
                } else {
                    "use an operator that has steps"
                })
            }
            Unwritable::Empty => write!(
                f,
                "the slice takes nothing from axis {axis}, which {operator} cannot express; make \
                 the empty result without it"
            ),
            Unwritable::Number(number) => write!(
                f,
                "{number} on axis {axis} does not fit in the numbers of {operator}; use an \
                 operator with 64-bit numbers"
            ),
            Unwritable::Rank(rank) => write!(
                f,
                "an array with {rank} axes is not supported by {operator}; reshape it in another \
                 operator"
            ),
            Unwritable::NewAxis => write!(
                f,
                "axis {axis} of the result is new, but {operator} cannot add axes; add it with a \
                 second operator"
            ),
            Unwritable::DroppedAxis => write!(
                f,
                "the slice drops axis {axis}, but {operator} keeps every axis; drop it with a \
                 second operator"
            ),
        }
    }
}
