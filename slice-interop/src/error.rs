//! [`InteropError`]: what is wrong with another system's operator.

use core::fmt;
use slice_core::SliceError;

/// What is wrong with an operator of another system, or why it cannot express a slice.
///
/// Most of it is what can be wrong with any slice: [`InteropError::Slice`]. `?` makes one of a
/// [`SliceError`], so a function that reads an operator and plans its slice returns this type.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{InteropError, Operator, hlo};
/// use pyslice::{Plan, SliceError};
///
/// fn plan(start: i64, limit: i64, shape: &[usize]) -> Result<Plan, InteropError> {
///     Ok(hlo::slice(&[start], &[limit], &[1]).to_spec(shape)?.plan(shape)?)
/// }
/// let refused = InteropError::WindowOutOfRange { start: 2, stop: 9, axis: 0, len: 4 };
/// assert_eq!(plan(2, 9, &[4]).unwrap_err(), refused);
/// let ranks = SliceError::RankMismatch { expected: 2, found: 1 };
/// assert_eq!(plan(2, 4, &[4, 4]).unwrap_err(), InteropError::Slice(ranks));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InteropError {
    /// What can be wrong with any slice.
    Slice(SliceError),
    /// A window is not inside its axis, or ends before it starts, and the system that it comes from
    /// does not clamp.
    WindowOutOfRange {
        /// The first position.
        start: i64,
        /// The position after the last.
        stop: i64,
        /// The axis of the input.
        axis: usize,
        /// How many elements that axis has, at most.
        len: usize,
    },
    /// A step is below 1 in an operator that does not support such steps.
    StepTooSmall {
        /// The step.
        step: i64,
        /// The entry that has it.
        entry: usize,
    },
    /// The operator cannot express what the slice does on an axis.
    Unwritable {
        /// The operator.
        operator: &'static str,
        /// The axis of the input, or of the result if it is new.
        axis: usize,
        /// Why it cannot.
        why: Unwritable,
    },
}

/// Why another system's operator cannot express what a slice does on an axis:
/// [`InteropError::Unwritable`].
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
}

impl From<SliceError> for InteropError {
    fn from(error: SliceError) -> InteropError {
        InteropError::Slice(error)
    }
}

/// The error for an operation that no slice can do.
pub(crate) const fn not_representable(what: &'static str) -> InteropError {
    InteropError::Slice(SliceError::NotRepresentable { what })
}

/// The text, since a program whose `main` returns the error shows this.
impl fmt::Debug for InteropError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for InteropError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Slice(ref error) => error.fmt(f),
            Self::WindowOutOfRange { start, stop, axis, len } if stop < start => write!(
                f,
                "positions {start}..{stop} on axis {axis} of length {len} end before they begin; \
                 give a size of 0 or more"
            ),
            Self::WindowOutOfRange { start, stop, axis, len } => write!(
                f,
                "positions {start}..{stop} are outside axis {axis} of length {len}; this operator \
                 does not clamp, so start at 0 or later and stop at {len} or earlier"
            ),
            Self::StepTooSmall { step: 0, entry } => {
                write!(f, "step is 0 on entry {entry}; a step of this operator must be 1 or more")
            }
            Self::StepTooSmall { step, entry } => write!(
                f,
                "step {step} on entry {entry} is below 1, which this operator does not support; \
                 reverse the axis with a second operator"
            ),
            Self::Unwritable { operator, axis, why } => match why {
                Unwritable::Step(step) => {
                    let advice = match step {
                        ..0 => {
                            "`Plan::forwards` splits the plan into one that goes forwards and one \
                             that turns its result"
                        }
                        _ => "use an operator that has steps",
                    };
                    write!(f, "step {step} on axis {axis} is not supported by {operator}; {advice}")
                }
                Unwritable::Empty => write!(
                    f,
                    "the slice takes nothing from axis {axis}, which {operator} cannot express; \
                     make the empty result without it"
                ),
                Unwritable::Number(number) => write!(
                    f,
                    "{number} on axis {axis} does not fit in the numbers of {operator}; use an \
                     operator with 64-bit numbers"
                ),
                Unwritable::Rank(rank) => write!(
                    f,
                    "an array with {rank} axes is not supported by {operator}; reshape it in \
                     another operator"
                ),
                Unwritable::NewAxis => write!(
                    f,
                    "axis {axis} of the result is new, but {operator} cannot add axes; add it with \
                     a second operator"
                ),
            },
        }
    }
}

impl core::error::Error for InteropError {}
