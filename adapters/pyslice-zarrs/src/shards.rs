use crate::Error;
use std::num::NonZeroU64;
use std::sync::Arc;
use zarrs::array::codec::api::ByteIntervalPartialDecoder;
use zarrs::array::codec::{ShardingCodecConfiguration, ShardingIndexLocation};
use zarrs::array::{
    Array, ArrayError, ArrayShardedExt, ArrayToBytesCodecTraits, BytesPartialDecoderTraits,
    ChunkShape, CodecChain, CodecMetadataOptions, CodecOptions, FillValue, data_type,
};
use zarrs::metadata::ConfigurationSerialize;
use zarrs::storage::byte_range::ByteRange;

/// How the shards of an array are cut into chunks.
///
/// zarrs' own decoder of shards takes a selection that is not a box element by element, each with a
/// request of its own. So the chunks in a shard are read here as the chunks of other arrays are.
pub(crate) struct Shards {
    pub(crate) shape: ChunkShape,
    pub(crate) codecs: Arc<CodecChain>,
    index_codecs: CodecChain,
    location: ShardingIndexLocation,
}

/// Where the chunks are in one shard.
pub(crate) struct Index {
    shard: Arc<dyn BytesPartialDecoderTraits>,
    /// Chunks along each axis.
    counts: Vec<usize>,
    /// Offset and length of each; both are `u64::MAX` where there is none.
    entries: Vec<u64>,
}

impl Shards {
    /// `None` for an array without shards, and for one with other codecs around them.
    pub(crate) fn of<S: ?Sized>(array: &Array<S>) -> Result<Option<Shards>, Error> {
        if !array.is_exclusively_sharded() {
            return Ok(None);
        }
        let codec = array.codecs().array_to_bytes_codec().clone();
        let configuration = codec.configuration_v3(&CodecMetadataOptions::default());
        let sharding = configuration.map(ShardingCodecConfiguration::try_from_configuration);
        let Some(Ok(ShardingCodecConfiguration::V1(sharding))) = sharding else {
            return Ok(None);
        };
        let chain = |codecs: &[_]| {
            CodecChain::from_metadata(codecs).map_err(|e| ArrayError::Other(e.to_string()))
        };
        Ok(Some(Shards {
            codecs: Arc::new(chain(&sharding.codecs)?),
            index_codecs: chain(&sharding.index_codecs)?,
            shape: sharding.chunk_shape,
            location: sharding.index_location,
        }))
    }

    /// Reads the index of a shard; `None` if the shard does not exist.
    pub(crate) fn index(
        &self,
        shard: Arc<dyn BytesPartialDecoderTraits>,
        shape: &[NonZeroU64],
        options: &CodecOptions,
    ) -> Result<Option<Index>, Error> {
        let counts = shape.iter().zip(&self.shape).map(|(n, inner)| n.get() / inner.get());
        let counts: Vec<usize> = counts.map(|n| n as usize).collect();
        let lengths = counts.iter().map(|&n| n as u64).chain([2]);
        let index_shape: Option<ChunkShape> = lengths.map(NonZeroU64::new).collect();
        let index_shape = index_shape.ok_or_else(damaged)?;
        let (numbers, fill) = (data_type::uint64(), FillValue::from(u64::MAX));
        let codecs = &self.index_codecs;
        let size = codecs.encoded_representation(&index_shape, &numbers, &fill)?.size();
        let size = size.ok_or_else(damaged)?;
        let range = match self.location {
            ShardingIndexLocation::Start => ByteRange::FromStart(0, Some(size)),
            ShardingIndexLocation::End => ByteRange::Suffix(size),
        };
        let entries = {
            let Some(bytes) = shard.partial_decode(range, options)? else { return Ok(None) };
            let bytes = codecs.decode(bytes, &index_shape, &numbers, &fill, options)?;
            bytes
                .into_fixed()
                .map_err(ArrayError::from)?
                .as_chunks()
                .0
                .iter()
                .copied()
                .map(u64::from_ne_bytes)
                .collect()
        };
        Ok(Some(Index { shard, counts, entries }))
    }
}

impl Index {
    /// The bytes of a chunk of the shard; `None` if it was never written.
    pub(crate) fn chunk(
        &self,
        coords: &[usize],
    ) -> Result<Option<Arc<dyn BytesPartialDecoderTraits>>, Error> {
        let place = self.counts.iter().zip(coords).fold(0, |place, (n, c)| place * n + c);
        match self.entries.get(2 * place..2 * place + 2) {
            Some(&[u64::MAX, u64::MAX]) => Ok(None),
            // Half of `u64` leaves room for what decoders add to it.
            Some(&[offset, len])
                if offset.checked_add(len).is_some_and(|end| end <= u64::MAX / 2) =>
            {
                let chunk = ByteIntervalPartialDecoder::new(self.shard.clone(), offset, len);
                Ok(Some(Arc::new(chunk)))
            }
            _ => Err(damaged().into()),
        }
    }
}

fn damaged() -> ArrayError {
    ArrayError::Other("the index of a shard is damaged".into())
}
