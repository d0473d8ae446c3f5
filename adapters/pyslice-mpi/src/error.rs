use core::fmt;
use slice_core::SliceError;

/// Why a slice cannot be a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The plan and the array do not fit each other, or the plan cannot be received into.
    Slice(SliceError),
    /// MPI counts in 32 bits, and these elements at one distance from each other are more.
    TooLong {
        /// How many they are.
        len: usize,
    },
    /// MPI is not initialised, or it is finalised already.
    NotInitialized,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Slice(error) => error.fmt(f),
            Error::TooLong { len } => write!(
                f,
                "a datatype counts up to {} elements along an axis, but the slice has {len}; send \
                 it in parts",
                i32::MAX
            ),
            Error::NotInitialized => f.write_str(
                "MPI is not running; call `mpi::initialize` first and keep what it returns",
            ),
        }
    }
}

impl std::error::Error for Error {}

impl From<SliceError> for Error {
    fn from(error: SliceError) -> Error {
        Error::Slice(error)
    }
}
