//! A small tensor library: element types known at run time, shared storage, strided views,
//! broadcasting, gradients.
//!
//! It has no slicing of its own. A tensor is storage and a [`Plan`](pyslice::Plan), which says
//! where in it the elements lie; a slice of a tensor is `plan.then(spec)`, and everything that
//! moves elements is a method of the plan.

mod autograd;
mod dtype;
mod ops;
mod ranked;
mod tensor;

pub use autograd::{Tape, Var};
pub use dtype::{DType, Element};
/// The slices of this library, under its own name.
pub use pyslice::s as at;
pub use ranked::Ranked;
pub use tensor::{SliceMut, Tensor};

use pyslice::SliceError;
use std::fmt;

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// A slice, a shape or a buffer: the text is the slicing library's.
    Slice(SliceError),
    /// Two element types where one is needed.
    DType { expected: DType, found: DType },
    /// As many values as the shape has elements are needed.
    Count { expected: usize, found: usize },
    /// A broadcast view, several positions of which are one element, cannot be written.
    ReadOnly,
    /// Gradients are for floating point numbers.
    NoGradient(DType),
}

/// What every call that can go wrong returns.
pub type Result<T> = std::result::Result<T, Error>;

impl From<SliceError> for Error {
    fn from(e: SliceError) -> Error {
        Error::Slice(e)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Slice(e) => e.fmt(f),
            Error::DType { expected, found } => {
                write!(f, "elements are {found:?} where {expected:?} is needed")
            }
            Error::Count { expected, found } => {
                write!(f, "{found} values for a shape of {expected} elements")
            }
            Error::ReadOnly => {
                write!(f, "a broadcast view cannot be written; make it contiguous first")
            }
            Error::NoGradient(dtype) => write!(f, "{dtype:?} has no gradients; use F32 or F64"),
        }
    }
}

impl std::error::Error for Error {}
