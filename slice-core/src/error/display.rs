//! How a [`SliceError`] is shown: its row, and what a row cannot say.

use super::{Buffer, SliceError};
use crate::messages::const_message::Value::{Count, Number, Text};
use crate::messages::const_message::fill;
use core::fmt;

impl fmt::Display for SliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Broadcast { axis_from_back, values, slice, values_shape, slice_shape } => {
                write!(f, "shape {values_shape} does not broadcast to shape {slice_shape}")?;
                fill(
                    f,
                    ": its axis -{} has length {}; it must have length {}{}",
                    &[
                        Count(axis_from_back),
                        Count(values),
                        Count(slice),
                        Text(if slice == 1 { "" } else { " or 1" }),
                    ],
                )
            }
            Self::Syntax { first, error, ref snippet, .. } => {
                error.message(f, snippet.as_str())?;
                fill(f, " (at byte {}); ", &[Number(first as i128)])?;
                error.help(f, snippet.as_str(), true)
            }
            _ => self.sentence().map_or(Ok(()), |sentence| sentence.fmt(f)),
        }
    }
}

impl Buffer {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Destination => "destination",
            Self::Target => "target",
            Self::Values | Self::BroadcastValues => "values",
            Self::Gradient => "gradient",
        }
    }

    /// What says how many elements it has.
    pub(super) const fn holds(self) -> &'static str {
        match self {
            Self::BroadcastValues => "their shape",
            _ => "the plan",
        }
    }

    /// What to do if it has a different number.
    pub(super) const fn advice(self) -> &'static str {
        match self {
            Self::Source | Self::Target => "pass the buffer the plan was made for",
            Self::Destination => "pass a buffer of that length",
            Self::Values => {
                "give one value for each element of the slice, or `Shaped(&values, &shape)`, which \
                 broadcasts"
            }
            Self::BroadcastValues => "give one value for each element of their shape",
            Self::Gradient => "give one value for each element of the slice",
        }
    }
}

/// The text, since a program whose `main` returns the error shows this.
impl fmt::Debug for SliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
