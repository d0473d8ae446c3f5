use crate::selection::{Selection, to_usize};
use crate::shards::Shards;
use crate::walk::{Report, for_each_chunk, lengths, run};
use crate::{Error, Part};
use slice_core::{Plan, SliceError};
use std::num::NonZeroU64;
use std::sync::Arc;
#[cfg(feature = "async")]
use std::sync::{Mutex, PoisonError};
use zarrs::array::codec::BytesCodec;
use zarrs::array::{
    Array, ArrayBytes, ArrayError, ArrayToBytesCodecTraits, BytesPartialDecoderTraits, CodecChain,
    CodecError, CodecOptions, CodecTraits, ElementOwned, StoragePartialDecoder,
};
use zarrs::storage::{ReadableStorageTraits, StorageHandle};

/// What all parts of one read have in common.
pub(crate) struct Reader<'a, S: ?Sized> {
    array: &'a Array<S>,
    options: &'a CodecOptions,
    gap: u64,
    shards: Option<Shards>,
}

/// The bytes of one chunk, and how it was encoded.
struct Encoded<'a> {
    bytes: Arc<dyn BytesPartialDecoderTraits>,
    shape: &'a [NonZeroU64],
    codecs: &'a Arc<CodecChain>,
}

impl<'a, S: ReadableStorageTraits + ?Sized + 'static> Reader<'a, S> {
    pub(crate) fn new(
        array: &'a Array<S>,
        options: &'a CodecOptions,
        gap: u64,
    ) -> Result<Self, Error> {
        Ok(Reader { array, options, gap, shards: Shards::of(array)? })
    }

    /// Reads the parts of a slice, and gives each to `each`.
    pub(crate) fn read<T, E>(
        &self,
        plan: &Plan,
        report: &Report<'_>,
        each: impl Fn(Part<T>) -> Result<(), E> + Sync + Send,
    ) -> Result<(), E>
    where
        T: ElementOwned,
        E: From<Error> + Send,
    {
        let each = |part: Part<T>| -> Result<(), E> {
            let len = part.target.len();
            each(part)?;
            report.done(0, len);
            Ok(())
        };
        for_each_chunk(self.array, plan, self.options, |coords, stored, chunk| {
            match &self.shards {
                None => each(self.chunk(coords, stored, chunk.target())?)?,
                Some(shards) => {
                    self.shard(shards, coords, stored, chunk.target(), &|part| each(part?))?;
                }
            }
            report.done(1, 0);
            Ok(())
        })
    }

    /// The parts of one chunk or shard. It goes on after a part that cannot be read, so that a
    /// store in which something is missing learns of all of it.
    #[cfg(feature = "async")]
    pub(crate) fn parts<T: ElementOwned + Send>(
        &self,
        coords: &[u64],
        plan: &Plan,
        target: &Plan,
    ) -> Result<Vec<Part<T>>, Error> {
        let Some(shards) = &self.shards else { return Ok(vec![self.chunk(coords, plan, target)?]) };
        let parts = Mutex::new(Vec::new());
        self.shard(shards, coords, plan, target, &|part| {
            parts.lock().unwrap_or_else(PoisonError::into_inner).push(part);
            Ok::<(), Error>(())
        })?;
        parts.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
    }

    fn chunk<T: ElementOwned>(
        &self,
        coords: &[u64],
        plan: &Plan,
        target: &Plan,
    ) -> Result<Part<T>, Error> {
        let part = || {
            let shape = self.array.chunk_shape(coords)?;
            let codecs = self.array.codecs();
            let bytes = self.stored(coords)?;
            let encoded = Encoded { bytes, shape: &shape, codecs: &codecs };
            self.part(Some(encoded), plan, target.clone())
        };
        part().map_err(|error: Error| error.of_chunk(self.array, coords))
    }

    /// The chunks in a shard are read as other chunks are, after the shard's index.
    fn shard<T, E>(
        &self,
        shards: &Shards,
        coords: &[u64],
        plan: &Plan,
        target: &Plan,
        each: &(impl Fn(Result<Part<T>, Error>) -> Result<(), E> + Sync + Send),
    ) -> Result<(), E>
    where
        T: ElementOwned,
        E: From<Error> + Send,
    {
        let of_chunk = |error: Error| error.of_chunk(self.array, coords);
        let index = || -> Result<_, Error> {
            shards.index(self.stored(coords)?, &self.array.chunk_shape(coords)?, self.options)
        };
        let index = index().map_err(of_chunk)?;
        let shape = to_usize(&lengths(&shards.shape)).map_err(Error::from)?;
        run(plan.chunks(&shape).map_err(Error::from)?, self.options, |chunk| {
            let part = || -> Result<Part<T>, Error> {
                let bytes = match &index {
                    Some(index) => index.chunk(chunk.coords())?,
                    None => None,
                };
                let (shape, codecs) = (&shards.shape, &shards.codecs);
                let encoded = bytes.map(|bytes| Encoded { bytes, shape, codecs });
                self.part(encoded, chunk.plan(), target.then(&chunk.target().to_spec()?)?)
            };
            each(part().map_err(of_chunk))
        })
    }

    /// Reads what a plan takes of a chunk; `None` for one that is not there.
    fn part<T: ElementOwned>(
        &self,
        chunk: Option<Encoded<'_>>,
        plan: &Plan,
        target: Plan,
    ) -> Result<Part<T>, Error> {
        let (data_type, fill, options) =
            (self.array.data_type(), self.array.fill_value(), self.options);
        // What is a gap in C order is none, or another, in a chunk that is not stored in C order.
        let in_order = |codecs: &CodecChain| {
            let last = codecs.array_to_bytes_codec().as_any();
            codecs.array_to_array_codecs().is_empty() && last.is::<BytesCodec>()
        };
        let gap = chunk.as_ref().filter(|c| in_order(c.codecs)).map_or(0, |_| self.gap);
        let (read, of) = Selection::try_from(plan.clone())?.forwards(size_of::<T>(), gap)?;
        let fills =
            |len| ArrayBytes::new_fill_value(data_type, len, fill).map_err(CodecError::from);
        let Some(Encoded { bytes, shape, codecs }) = chunk else {
            let values = T::from_array_bytes(data_type, fills(read.len() as u64)?)?;
            return Ok(Part { values, of, target });
        };
        let codec = codecs.partial_decoder_capability();
        if codec.partial_read && codec.partial_decode && read.len() < read.input_len() {
            let decoder = codecs.clone().partial_decoder(bytes, shape, data_type, fill, options)?;
            let len = read.len() as u64;
            let decoded = decoder.partial_decode(&Selection::try_from(read)?, options)?;
            decoded.validate(len, data_type)?;
            let values = T::from_array_bytes(data_type, decoded)?;
            return Ok(Part { values, of, target });
        }
        let len = plan.input_len() as u64;
        let decoded = match bytes.decode(options)? {
            Some(bytes) => codecs.decode(bytes, shape, data_type, fill, options)?,
            None => fills(len)?,
        };
        decoded.validate(len, data_type)?;
        Ok(Part { values: T::from_array_bytes(data_type, decoded)?, of: plan.clone(), target })
    }

    /// What the store has of a chunk.
    fn stored(&self, coords: &[u64]) -> Result<Arc<dyn BytesPartialDecoderTraits>, Error> {
        let storage = Arc::new(StorageHandle::new(self.array.storage()));
        let storage = self.array.storage_transformers().create_readable_transformer(storage)?;
        Ok(Arc::new(StoragePartialDecoder::new(storage, self.array.chunk_key(coords))))
    }
}

/// The value that stands where nothing was written.
pub(crate) fn fill_value<T: ElementOwned + Copy, S: ?Sized>(array: &Array<S>) -> Result<T, Error> {
    let data_type = array.data_type();
    let fill =
        ArrayBytes::new_fill_value(data_type, 1, array.fill_value()).map_err(CodecError::from)?;
    let values = T::from_array_bytes(data_type, fill)?;
    values.first().copied().ok_or_else(|| ArrayError::Other("an empty fill value".into()).into())
}

/// `len` times a value.
pub(crate) fn filled<T: Copy>(value: T, len: usize) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    let bytes = len.saturating_mul(size_of::<T>());
    values.try_reserve_exact(len).map_err(|_| SliceError::OutOfMemory { bytes })?;
    values.resize(len, value);
    Ok(values)
}
