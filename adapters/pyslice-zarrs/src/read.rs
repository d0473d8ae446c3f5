use crate::selection::{Selection, to_u64, to_usize};
use crate::walk::{Report, chunks, run};
use crate::{Error, Part};
use slice_core::{Chunk, Plan, SliceError};
use std::num::NonZeroU64;
use std::sync::Arc;
use zarrs::array::codec::ShardingCodecConfiguration;
use zarrs::array::codec::api::ByteIntervalPartialDecoder;
use zarrs::array::{
    Array, ArrayBytes, ArrayError, ArrayShardedExt, ArrayShardedReadableExt,
    ArrayShardedReadableExtCache, ArrayToBytesCodecTraits, BytesPartialDecoderTraits, ChunkShape,
    CodecChain, CodecError, CodecMetadataOptions, CodecOptions, CodecTraits, ElementOwned,
    StoragePartialDecoder,
};
use zarrs::metadata::ConfigurationSerialize;
use zarrs::storage::{ReadableStorageTraits, StorageHandle};

/// What all parts of one read have in common.
pub(crate) struct Reader<'a, S: ?Sized> {
    array: &'a Array<S>,
    options: &'a CodecOptions,
    gap: u64,
    /// The chunks in a shard, where the array is cut into shards.
    inner: Option<Inner>,
}

struct Inner {
    shape: ChunkShape,
    codecs: Arc<CodecChain>,
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
        let inner = if array.is_exclusively_sharded() { Some(Inner::of(array)?) } else { None };
        Ok(Reader { array, options, gap, inner })
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
        run(chunks(self.array.chunk_grid(), plan)?, self.options, |chunk| {
            let coords = to_u64(chunk.coords());
            match &self.inner {
                None => each(self.chunk(&coords, &chunk)?)?,
                Some(inner) => self.shard(inner, &coords, &chunk, &each)?,
            }
            report.done(1, 0);
            Ok(())
        })
    }

    fn chunk<T: ElementOwned>(&self, coords: &[u64], chunk: &Chunk) -> Result<Part<T>, Error> {
        let shape = self.array.chunk_shape(coords)?;
        let codecs = self.array.codecs();
        let bytes = self.stored(coords)?;
        let encoded = Encoded { bytes, shape: &shape, codecs: &codecs };
        self.part(Some(encoded), chunk.plan(), chunk.target().clone())
    }

    /// The chunks in a shard are read as other chunks are, after the shard's index.
    fn shard<T, E>(
        &self,
        inner: &Inner,
        coords: &[u64],
        shard: &Chunk,
        each: &(impl Fn(Part<T>) -> Result<(), E> + Sync + Send),
    ) -> Result<(), E>
    where
        T: ElementOwned,
        E: From<Error> + Send,
    {
        let bytes = self.stored(coords)?;
        let origin = self.array.chunk_origin(coords).map_err(Error::from)?;
        // It holds the index of this shard.
        let cache = ArrayShardedReadableExtCache::new(self.array);
        let inner_chunks = || shard.plan().chunks(&to_usize(&lengths(&inner.shape))?);
        run(inner_chunks().map_err(Error::from)?, self.options, |chunk| {
            let target = || shard.target().then(&chunk.target().to_spec()?);
            let place = origin.iter().zip(&inner.shape).zip(chunk.coords());
            let place: Vec<u64> = place.map(|((o, n), &c)| o / n.get() + c as u64).collect();
            let range = self.array.subchunk_byte_range(&cache, &place).map_err(Error::from)?;
            let encoded = range.map(|range| {
                // It says where it starts and ends, whatever the shard's length.
                let (start, len) = (range.start(u64::MAX), range.length(u64::MAX));
                let bytes = ByteIntervalPartialDecoder::new(bytes.clone(), start, len);
                Encoded { bytes: Arc::new(bytes), shape: &inner.shape, codecs: &inner.codecs }
            });
            each(self.part(encoded, chunk.plan(), target().map_err(Error::from)?)?)
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
        let (read, of) = Selection::try_from(plan.clone())?.forwards(size_of::<T>(), self.gap)?;
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

impl Inner {
    fn of<S: ?Sized>(array: &Array<S>) -> Result<Inner, Error> {
        let codec = array.codecs().array_to_bytes_codec().clone();
        let configuration = codec.configuration_v3(&CodecMetadataOptions::default());
        let sharding = configuration.map(ShardingCodecConfiguration::try_from_configuration);
        let Some(Ok(ShardingCodecConfiguration::V1(sharding))) = sharding else {
            return Err(ArrayError::UnsupportedMethod("this kind of shards".into()).into());
        };
        let codecs = CodecChain::from_metadata(&sharding.codecs)
            .map_err(|e| ArrayError::Other(e.to_string()))?;
        Ok(Inner { shape: sharding.chunk_shape, codecs: Arc::new(codecs) })
    }
}

pub(crate) fn lengths(shape: &[NonZeroU64]) -> Vec<u64> {
    shape.iter().map(|n| n.get()).collect()
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
