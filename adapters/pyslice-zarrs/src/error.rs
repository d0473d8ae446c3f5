use slice_core::SliceError;
use std::fmt;
use zarrs::array::{
    Array, ArrayError, CodecError, DataType, ElementError, IncompatibleDimensionalityError,
};
use zarrs::plugin::ExtensionName;
use zarrs::storage::{StorageError, StoreKey};

/// What can go wrong: the slice, or the storage.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The slice does not fit the array, or the values do not fit the slice.
    Slice(SliceError),
    /// The array has elements of another type than those that were asked for, or given.
    ElementType {
        /// The path of the array.
        array: String,
        /// The type of its elements, as its metadata say.
        stored: String,
        /// The Rust type that does not fit it.
        asked: &'static str,
        /// The Rust type that does, if there is one that everybody has.
        fits: Option<&'static str>,
    },
    /// There are not as many values as the slice, or as their shape, has elements.
    Values {
        /// How many there are.
        found: usize,
        /// The shape that they were given with, if any.
        shape: Option<Vec<usize>>,
        /// The shape of the slice.
        slice: Vec<usize>,
    },
    /// zarrs refused the array: its grid or its codecs.
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

/// What the metadata call a type.
pub(crate) fn name(data_type: &DataType) -> String {
    let name = data_type.name_v3().or_else(|| data_type.name_v2());
    name.map_or_else(|| "a type without a name".into(), |name| name.into_owned())
}

/// The Rust type for elements of a type.
pub(crate) fn rust_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "bool" => "bool",
        "int8" => "i8",
        "int16" => "i16",
        "int32" => "i32",
        "int64" | "numpy.datetime64" | "numpy.timedelta64" => "i64",
        "uint8" => "u8",
        "uint16" => "u16",
        "uint32" => "u32",
        "uint64" => "u64",
        "float16" => "half::f16",
        "bfloat16" => "half::bf16",
        "float32" => "f32",
        "float64" => "f64",
        "complex_float32" | "complex64" => "num_complex::Complex<f32>",
        "complex_float64" | "complex128" => "num_complex::Complex<f64>",
        _ => return None,
    })
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Slice(error) => error.fmt(f),
            Error::ElementType { array, stored, asked, fits } => {
                write!(f, "array {array} has elements of {stored}, which are not {asked}; ")?;
                match fits {
                    Some(fits) => write!(f, "use {fits}, as in `py::<{fits}>`, or ")?,
                    None => write!(f, "use the type that zarrs has for them, or ")?,
                }
                write!(f, "`py_bytes` to read elements of any type")
            }
            Error::Values { found, shape: None, slice } => write!(
                f,
                "{found} values for a slice of shape {slice:?}; give one for each of its elements, \
                 or say the shape from which they are broadcast, as in `(&values, &[1])`, or give \
                 one value for all of it with `py_fill`"
            ),
            Error::Values { found, shape: Some(shape), .. } => write!(
                f,
                "{found} values with the shape {shape:?}; give as many values as that shape has, \
                 or the shape that they have"
            ),
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
            Error::ElementType { .. } | Error::Values { .. } => None,
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
