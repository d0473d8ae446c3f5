use slice_core::SliceError;
use std::fmt;
use zarrs::array::{ArrayError, CodecError, ElementError, IncompatibleDimensionalityError};
use zarrs::storage::StorageError;

/// What can go wrong: the slice, or the storage.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The slice does not fit the array, or the values do not fit the slice.
    Slice(SliceError),
    /// zarrs could not read or write: a fault of the store, a codec or the element type. Chunks
    /// that were written before it happened stay written.
    Array(ArrayError),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Slice(error) => error.fmt(f),
            Error::Array(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Slice(error) => error.source(),
            Error::Array(error) => error.source(),
        }
    }
}

impl From<SliceError> for Error {
    fn from(error: SliceError) -> Error {
        Error::Slice(error)
    }
}

macro_rules! from {
    ($($error:ty),*) => { $(
        impl From<$error> for Error {
            fn from(error: $error) -> Error {
                Error::Array(error.into())
            }
        }
    )* };
}
from!(ArrayError, CodecError, ElementError, IncompatibleDimensionalityError, StorageError);
