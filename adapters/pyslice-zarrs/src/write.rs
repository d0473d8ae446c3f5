use crate::Error;
use crate::read::{fill_value, filled};
use crate::selection::to_u64;
use crate::walk::{Report, chunks, run};
use slice_core::{Chunk, Plan};
use zarrs::array::{Array, CodecOptions, ElementOwned};
use zarrs::storage::ReadableWritableStorageTraits;

/// Writes the chunks that a slice touches: `change` puts the new values into each, which stands
/// whole in a buffer. A chunk of which every element is written is not read before.
pub(crate) fn write<S, T, E>(
    array: &Array<S>,
    options: &CodecOptions,
    plan: &Plan,
    report: &Report<'_>,
    change: impl Fn(&Chunk, &mut [T]) -> Result<(), E> + Sync + Send,
) -> Result<(), E>
where
    S: ReadableWritableStorageTraits + ?Sized + 'static,
    T: ElementOwned + Copy + Send + Sync,
    E: From<Error> + Send,
{
    let fill = fill_value::<T, S>(array)?;
    run(chunks(array.chunk_grid(), plan)?, options, |chunk| {
        let coords = to_u64(chunk.coords());
        let mut values = if chunk.plan().len() == chunk.extent().iter().product::<usize>() {
            filled(fill, chunk.plan().input_len())?
        } else {
            array.retrieve_chunk_opt::<Vec<T>>(&coords, options).map_err(Error::from)?
        };
        change(&chunk, &mut values)?;
        array.store_chunk_opt(&coords, values, options).map_err(Error::from)?;
        report.done(1, chunk.plan().len());
        Ok(())
    })
}
