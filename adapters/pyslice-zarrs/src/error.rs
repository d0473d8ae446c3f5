use slice_core::SliceError;
use std::fmt;
use zarrs::array::{Array, ArrayError, CodecError, ElementError, IncompatibleDimensionalityError};
use zarrs::storage::{StorageError, StoreKey};

/// What can go wrong: the slice, or the storage.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The slice does not fit the array, or the values do not fit the slice.
    Slice(SliceError),
    /// zarrs refused the array: its element type, its grid or its codecs.
    Array(ArrayError),
    /// zarrs could not read or write this chunk, or shard: a fault of the store or of a codec.
    /// Chunks that were written before it happened stay written.
    Chunk {
        /// The chunk's coordinates in the grid.
        coords: Vec<u64>,
        /// Its key in the store.
        key: StoreKey,
        /// What went wrong.
        error: Box<ArrayError>,
    },
}

impl Error {
    /// Says which chunk a fault of zarrs is about.
    pub(crate) fn of_chunk<S: ?Sized>(self, array: &Array<S>, coords: &[u64]) -> Error {
        match self {
            Error::Array(error) => Error::Chunk {
                coords: coords.to_vec(),
                key: array.chunk_key(coords),
                error: Box::new(error),
            },
            other => other,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Slice(error) => error.fmt(f),
            Error::Array(error) => error.fmt(f),
            Error::Chunk { coords, key, error } => write!(f, "chunk {coords:?} ({key}): {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Slice(error) => error.source(),
            Error::Array(error) => error.source(),
            Error::Chunk { error, .. } => Some(error),
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
