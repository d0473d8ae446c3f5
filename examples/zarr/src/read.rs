//! The point of the example: a slice of an array in chunks, reading only the chunks it touches.

use crate::Error;
use pyslice::{AsSpec, Plan};
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::sync::{Mutex, PoisonError};
use zarrs::array::{Array, ElementOwned};
use zarrs::storage::ReadableStorageTraits;

/// The result of a slice, and what it took to get it.
pub(crate) struct Answer<T> {
    /// The slice on the array's shape; the result has the shape `plan.shape()`.
    pub(crate) plan: Plan,
    /// The result in C order.
    pub(crate) values: Vec<T>,
    /// How many chunks the slice touches.
    pub(crate) chunks: usize,
    /// How many chunks there are.
    pub(crate) total: usize,
}

/// Reads `array[spec]`, chunk by chunk on rayon's threads.
///
/// Beside the result it takes one chunk of memory for each thread. The array has a regular grid;
/// then all chunks are stored whole, also those that reach over its end, which is what
/// `chunk.plan()` is for.
pub(crate) fn read<T, S>(array: &Array<S>, spec: impl AsSpec) -> Result<Answer<T>, Error>
where
    T: ElementOwned + Copy + Default + Send + Sync,
    S: ReadableStorageTraits + ?Sized + 'static,
{
    let shape = array.shape().iter().map(|&n| usize::try_from(n)).collect::<Result<Vec<_>, _>>()?;
    let plan = spec.as_spec().plan(&shape)?;
    let chunks = plan.chunks(&chunk_shape(array)?)?;
    let (touched, total) = (chunks.len(), chunks.total());
    let result = Mutex::new(vec![T::default(); plan.len()]);
    chunks.par_bridge().try_for_each(|chunk| {
        let coords: Vec<u64> = chunk.coords().iter().map(|&c| c as u64).collect();
        let stored: Vec<T> = array.retrieve_chunk(&coords)?;
        let part = chunk.plan().copy(&stored)?;
        // The parts do not overlap, but Rust cannot know; the lock is held for this one move.
        chunk.target().assign(&mut result.lock().unwrap_or_else(PoisonError::into_inner), &part)?;
        Ok::<(), Error>(())
    })?;
    let values = result.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(Answer { plan, values, chunks: touched, total })
}

/// The shape of the chunks of a regular grid: that of the first one.
pub(crate) fn chunk_shape<S: ?Sized>(array: &Array<S>) -> Result<Vec<usize>, Error> {
    let first = array.chunk_shape(&vec![0; array.shape().len()])?;
    Ok(first.iter().map(|n| usize::try_from(n.get())).collect::<Result<Vec<_>, _>>()?)
}
