use slice_core::{Plan, SliceError};

/// One part of a slice that was read: what one chunk has of it.
///
/// Made by [`ArraySlice::for_each_part`](crate::ArraySlice::for_each_part).
#[derive(Clone, Debug)]
pub struct Part<T> {
    /// What was read, and what of that belongs to the slice.
    pub(crate) values: Vec<T>,
    pub(crate) of: Plan,
    pub(crate) target: Plan,
}

impl<T: Copy> Part<T> {
    /// Where the part belongs in the whole result: `result[target] = part`.
    pub fn target(&self) -> &Plan {
        &self.target
    }

    /// The part's shape: one length for each axis of the result.
    pub fn shape(&self) -> &[usize] {
        self.target.shape()
    }

    /// The part's values in C order.
    ///
    /// # Errors
    ///
    /// [`SliceError::OutOfMemory`].
    pub fn to_vec(&self) -> Result<Vec<T>, SliceError> {
        self.of.copy(&self.values)
    }

    /// Puts the part where it belongs in a buffer of the whole result.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if the buffer is not as long as the result.
    pub fn copy_to(&self, result: &mut [T]) -> Result<(), SliceError> {
        put(&self.of, &self.values, &self.target, result)
    }
}

/// `to[target] = from[of]`
pub(crate) fn put<T: Copy>(
    of: &Plan,
    from: &[T],
    target: &Plan,
    to: &mut [T],
) -> Result<(), SliceError> {
    target.assign(to, of.on(from)?)
}

/// What a slice selects, in C order, and its shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Sliced<T> {
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Vec<T>,
}

impl<T> Sliced<T> {
    /// The shape.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The values, in C order.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The values, in C order.
    pub fn into_values(self) -> Vec<T> {
        self.values
    }

    /// As an array of ndarray. Nothing is copied.
    ///
    /// # Errors
    ///
    /// There is none, unless an axis is empty and the lengths of the others multiply to more than
    /// `isize::MAX`: ndarray has no such array.
    #[cfg(feature = "ndarray")]
    pub fn into_ndarray(self) -> Result<ndarray::ArrayD<T>, ndarray::ShapeError> {
        ndarray::ArrayD::from_shape_vec(self.shape, self.values)
    }
}

/// How far a read or a write has come: what it has done, and what it will have done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Chunks of the store that are done.
    pub chunks: usize,
    /// Chunks that the slice touches.
    pub chunks_total: usize,
    /// Bytes of the slice that are done, as they are in memory.
    pub bytes: u64,
    /// Bytes of the slice in memory.
    pub bytes_total: u64,
}
