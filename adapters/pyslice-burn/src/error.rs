//! What can be wrong: [`Error`].

use burn_tensor::DType;
use slice_core::SliceError;
use std::fmt;

/// Why a tensor was not sliced or assigned to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The slice does not fit the tensor, or the values do not broadcast to it.
    Slice(SliceError),
    /// The values have another element type than the tensor.
    ElementType {
        /// The tensor's.
        tensor: DType,
        /// The values'.
        values: DType,
    },
    /// The values are on another device than the tensor.
    Device,
    /// The tensor is quantized, and burn writes into no part of such a tensor.
    Quantized,
}

impl From<SliceError> for Error {
    fn from(error: SliceError) -> Self {
        Self::Slice(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Slice(error) => error.fmt(f),
            Self::ElementType { tensor, values } => write!(
                f,
                "the values are {values:?}, but the tensor is {tensor:?}; cast the values first"
            ),
            Self::Device => f.write_str(
                "the values are on another device than the tensor; use `to_device` first",
            ),
            Self::Quantized => f.write_str(
                "the tensor is quantized, and burn writes into no part of such a tensor; use \
                 `dequantize` first",
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Slice(error) => Some(error),
            _ => None,
        }
    }
}
