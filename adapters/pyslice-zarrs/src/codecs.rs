use crate::Error;
use std::sync::{Arc, Mutex, PoisonError};
use zarrs::array::codec::{BytesCodec, ShardingCodecConfiguration, ShardingIndexLocation};
use zarrs::array::{ArrayError, ChunkShape, CodecChain, CodecMetadataOptions, DataType};
use zarrs::metadata::ConfigurationSerialize;
use zarrs::plugin::ExtensionName;

/// How chunks are encoded, as far as it matters to who wants a part of one.
pub(crate) struct Chain {
    pub(crate) codecs: Arc<CodecChain>,
    pub(crate) kind: Kind,
    /// Whether elements have a size of their own.
    sized: bool,
}

/// The chains of the arrays that were read last: to take one apart takes longer than to read an
/// element.
static LAST: Mutex<Vec<Arc<Chain>>> = Mutex::new(Vec::new());
const KEPT: usize = 16;

pub(crate) enum Kind {
    /// A shard of chunks.
    Shards(Box<Shards>),
    /// Every element has its own place among the bytes; the axes are stored in this order.
    Plain(Vec<usize>),
    /// Compressed, or something that only zarrs knows.
    Other,
}

impl Chain {
    /// What [`new`](Chain::new) makes of an array's codecs, or has made of them.
    pub(crate) fn of(codecs: Arc<CodecChain>, data_type: &DataType) -> Result<Arc<Chain>, Error> {
        let last = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
        let sized = data_type.fixed_size().is_some();
        let is_of =
            |chain: &&Arc<Chain>| Arc::ptr_eq(&chain.codecs, &codecs) && chain.sized == sized;
        if let Some(chain) = last().iter().find(is_of) {
            return Ok(chain.clone());
        }
        let chain = Arc::new(Chain::new(codecs, data_type)?);
        let mut last = last();
        last.truncate(KEPT - 1);
        last.insert(0, chain.clone());
        Ok(chain)
    }

    pub(crate) fn new(codecs: Arc<CodecChain>, data_type: &DataType) -> Result<Chain, Error> {
        let sized = data_type.fixed_size().is_some();
        let kind = if let Some(shards) = Shards::of(&codecs, data_type)? {
            Kind::Shards(Box::new(shards))
        } else {
            match order(&codecs) {
                Some(order) if sized => Kind::Plain(order),
                _ => Kind::Other,
            }
        };
        Ok(Chain { codecs, kind, sized })
    }

    /// Codecs that are not looked into.
    pub(crate) fn opaque(codecs: Arc<CodecChain>) -> Chain {
        Chain { codecs, kind: Kind::Other, sized: false }
    }
}

/// The order in which a chain stores the axes, if it only orders them; axes at the end that stay
/// in place are left out.
fn order(codecs: &CodecChain) -> Option<Vec<usize>> {
    let bytes = codecs.array_to_bytes_codec().as_any().is::<BytesCodec>();
    if !bytes || !codecs.bytes_to_bytes_codecs().is_empty() {
        return None;
    }
    let mut order: Vec<usize> = Vec::new();
    for codec in codecs.array_to_array_codecs() {
        let configuration = codec.configuration_v3(&CodecMetadataOptions::default())?;
        let next = configuration
            .get("order")
            .filter(|_| codec.name_v3().as_deref() == Some("transpose"))?;
        let next = next.as_array()?.iter().map(|axis| usize::try_from(axis.as_u64()?).ok());
        let through = |axis: Option<usize>| {
            let axis = axis?;
            Some(order.get(axis).copied().unwrap_or(axis))
        };
        order = next.map(through).collect::<Option<_>>()?;
    }
    Some(order)
}

/// How a shard is cut into chunks.
///
/// zarrs' own decoder of shards takes a selection that is not a box element by element, each with a
/// request of its own. So the chunks in a shard are read here as the chunks of other arrays are.
pub(crate) struct Shards {
    pub(crate) shape: ChunkShape,
    pub(crate) chain: Chain,
    pub(crate) index_codecs: CodecChain,
    pub(crate) location: ShardingIndexLocation,
}

impl Shards {
    /// `None` for codecs that make no shards, and for shards with other codecs around them.
    pub(crate) fn of(codecs: &CodecChain, data_type: &DataType) -> Result<Option<Shards>, Error> {
        let alone = codecs.array_to_array_codecs().is_empty();
        if !alone || !codecs.bytes_to_bytes_codecs().is_empty() {
            return Ok(None);
        }
        let codec = codecs.array_to_bytes_codec();
        if codec.name_v3().as_deref() != Some("sharding_indexed") {
            return Ok(None);
        }
        let configuration = codec.configuration_v3(&CodecMetadataOptions::default());
        let sharding = configuration.map(ShardingCodecConfiguration::try_from_configuration);
        let Some(Ok(ShardingCodecConfiguration::V1(sharding))) = sharding else {
            return Ok(None);
        };
        let chain = |codecs: &[_]| {
            CodecChain::from_metadata(codecs).map_err(|e| ArrayError::Other(e.to_string()))
        };
        Ok(Some(Shards {
            chain: Chain::new(Arc::new(chain(&sharding.codecs)?), data_type)?,
            index_codecs: chain(&sharding.index_codecs)?,
            shape: sharding.chunk_shape,
            location: sharding.index_location,
        }))
    }
}
