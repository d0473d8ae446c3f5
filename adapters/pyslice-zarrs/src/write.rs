use crate::Error;
use crate::read::{fill_value, filled};
use crate::walk::{Report, for_each_chunk};
use slice_core::Plan;
use zarrs::array::{Array, ArrayError, CodecOptions, ElementOwned};
use zarrs::storage::ReadableWritableStorageTraits;

/// Writes the chunks that a slice touches: `change` puts the new values into each, which stands
/// whole in a buffer; it gets what the slice takes of the chunk, and where that is in the slice. A
/// chunk of which every element is written is not read before.
pub(crate) fn write<S, T, E>(
    array: &Array<S>,
    options: &CodecOptions,
    plan: &Plan,
    report: &Report<'_>,
    change: impl Fn(&Plan, &Plan, &mut [T]) -> Result<(), E> + Sync + Send,
) -> Result<(), E>
where
    S: ReadableWritableStorageTraits + ?Sized + 'static,
    T: ElementOwned + Copy + Send + Sync,
    E: From<Error> + Send,
{
    let fill = fill_value::<T, S>(array)?;
    for_each_chunk(array, plan, options, |coords, chunk| {
        let stored = chunk.plan();
        let of_chunk = |error: ArrayError| Error::from(error).of_chunk(array, coords);
        let mut values = if chunk.is_whole() {
            filled(fill, stored.input_len())?
        } else {
            array.retrieve_chunk_opt::<Vec<T>>(coords, options).map_err(of_chunk)?
        };
        change(stored, chunk.target(), &mut values)?;
        array.store_chunk_opt(coords, values, options).map_err(of_chunk)?;
        report.done(1, stored.len());
        Ok(())
    })
}
