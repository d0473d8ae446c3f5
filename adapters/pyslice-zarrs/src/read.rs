use crate::codecs::{Chain, Kind, Shards};
use crate::layout::{Blocks, Run, laid_out};
use crate::selection::{Taken, taken, to_usize};
use crate::shards::{Groups, Placed};
use crate::stored::{Stored, encoded};
use crate::walk::{Report, for_each_chunk, lengths, run};
use crate::{Error, Part};
use slice_core::{Plan, SliceError, SpecBuf};
use std::hint::black_box;
use std::num::NonZeroU64;
use std::sync::Arc;
#[cfg(feature = "async")]
use std::sync::{Mutex, PoisonError};
use zarrs::array::chunk_cache::ChunkCache;
use zarrs::array::{
    Array, ArrayBytes, ArrayError, ArraySubset, ArrayToBytesCodecTraits, CodecError, CodecOptions,
    CodecTraits, ElementOwned,
};
use zarrs::storage::byte_range::ByteRange;
use zarrs::storage::{ReadableStorageTraits, StorageHandle};

/// What all parts of one read have in common.
pub(crate) struct Reader<'a, S: ?Sized> {
    array: &'a Array<S>,
    options: &'a CodecOptions,
    gap: u64,
    chain: Arc<Chain>,
    cache: Option<&'a dyn ChunkCache>,
}

/// Reads of more bytes than this are first compared with what is there.
const LARGE: u64 = 1 << 20;

/// To decode this many bytes takes longer than to pick out one block of elements.
const SPARSE: u64 = 256;

/// The bytes of one chunk, and how it was encoded.
struct Encoded<'a> {
    bytes: Stored,
    shape: &'a [NonZeroU64],
    chain: &'a Chain,
}

impl<'a, S: ReadableStorageTraits + ?Sized + 'static> Reader<'a, S> {
    pub(crate) fn new(
        array: &'a Array<S>,
        options: &'a CodecOptions,
        gap: u64,
        cache: Option<&'a dyn ChunkCache>,
    ) -> Result<Self, Error> {
        // A cache decodes by itself.
        let chain = match cache {
            Some(_) => Arc::new(Chain::opaque(array.codecs())),
            None => Chain::of(array.codecs(), array.data_type())?,
        };
        Ok(Reader { array, options, gap, chain, cache })
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
        for_each_chunk(self.array, plan, self.options, |coords, chunk| {
            self.chunk(coords, chunk.plan(), chunk.target(), &|part: Result<Part<T>, Error>| {
                let part = part?;
                let len = part.target.len();
                each(part)?;
                report.done(0, len);
                Ok::<(), E>(())
            })?;
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
        let parts = Mutex::new(Vec::new());
        self.chunk(coords, plan, target, &|part| {
            parts.lock().unwrap_or_else(PoisonError::into_inner).push(part);
            Ok::<(), Error>(())
        })?;
        parts.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
    }

    /// Gives `each` the parts of one chunk or shard.
    fn chunk<T, E>(
        &self,
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
        if let Some(cache) = self.cache {
            return each(self.cached(cache, coords, plan, target).map_err(of_chunk));
        }
        let stored =
            || -> Result<_, Error> { Ok((self.stored(coords)?, self.array.chunk_shape(coords)?)) };
        let (bytes, shape) = stored().map_err(of_chunk)?;
        let encoded = Encoded { bytes, shape: &shape, chain: &self.chain };
        self.encoded(encoded, plan, target, &|part: Result<Part<T>, Error>| {
            each(part.map_err(of_chunk))
        })
    }

    /// Gives `each` the parts of a chunk, or of the chunks in a shard. These are read as other
    /// chunks are, after the shard's index.
    fn encoded<T, E>(
        &self,
        chunk: Encoded<'_>,
        plan: &Plan,
        target: &Plan,
        each: &(dyn Fn(Result<Part<T>, Error>) -> Result<(), E> + Sync + Send),
    ) -> Result<(), E>
    where
        T: ElementOwned,
        E: From<Error> + Send,
    {
        let Kind::Shards(shards) = &chunk.chain.kind else {
            return each(self.part(chunk, plan, target));
        };
        let Shards { shape, chain, .. } = &**shards;
        let index = match shards.index(&chunk.bytes, chunk.shape, self.options) {
            Ok(index) => index,
            Err(error) => return each(Err(error)),
        };
        let inner = to_usize(&lengths(shape)).map_err(Error::from)?;
        let chunks = plan.chunks(&inner).map_err(Error::from)?;
        run(Groups::new(chunks, index.as_ref()), self.options, |group| {
            let fits = |(chunk, place): Placed| {
                let place = place.and_then(|place| self.fits(chain, chunk.plan(), place));
                (chunk, place)
            };
            let group: Vec<Placed> = group.into_iter().map(fits).collect();
            let bytes = match self.together(&chunk.bytes, chain, &group) {
                Ok(bytes) => bytes,
                Err(error) => return each(Err(error)),
            };
            group.into_iter().try_for_each(|(chunk, place)| {
                let target = target.then_plan(chunk.target()).map_err(Error::from)?;
                match place {
                    Ok(Some((offset, len))) => {
                        let encoded = Encoded { bytes: bytes.chunk(offset, len), shape, chain };
                        self.encoded(encoded, chunk.plan(), &target, each)
                    }
                    Ok(None) => each(self.missing(&target)),
                    Err(error) => each(Err(error)),
                }
            })
        })
    }

    /// A place of a chunk in a shard. It has as many bytes as the chunk takes, where that is known.
    fn fits(
        &self,
        chain: &Chain,
        plan: &Plan,
        place: Option<(u64, u64)>,
    ) -> Result<Option<(u64, u64)>, Error> {
        let size = self.array.data_type().fixed_size().unwrap_or(0);
        let claimed = (plan.input_len() as u64).saturating_mul(size as u64);
        match (place, &chain.kind) {
            (Some((_, len)), Kind::Plain(_)) if len != claimed => Err(claims(len, claimed)),
            _ => Ok(place),
        }
    }

    /// What is needed of some chunks of a shard, read at once where that can be said before.
    fn together(&self, shard: &Stored, chain: &Chain, group: &[Placed]) -> Result<Stored, Error> {
        let codec = chain.codecs.partial_decoder_capability();
        let apart = match &chain.kind {
            Kind::Shards(_) => true,
            Kind::Plain(_) => false,
            Kind::Other => codec.partial_read && codec.partial_decode,
        };
        if apart || group.len() <= 1 {
            return Ok(shard.clone());
        }
        let mut ranges = Vec::new();
        for (chunk, place) in group {
            let &Ok(Some((offset, len))) = place else { continue };
            match &chain.kind {
                Kind::Plain(order) => {
                    let (blocks, size) = self.blocks(chunk.plan(), order)?;
                    ranges.extend(blocks.runs().iter().map(|run| {
                        let wide = |n: usize| offset.saturating_add(n as u64 * size as u64);
                        wide(run.start)..wide(run.start + run.len)
                    }));
                }
                _ => ranges.push(offset..offset + len),
            }
        }
        if ranges.is_empty() {
            return Ok(shard.clone());
        }
        Ok(shard.fetch(ranges, self.gap)?.unwrap_or_else(|| shard.clone()))
    }

    /// The blocks of a chunk in which every element has a place of its own, and the size of one.
    fn blocks(&self, plan: &Plan, order: &[usize]) -> Result<(Blocks, usize), Error> {
        let size = self.array.data_type().fixed_size().filter(|&size| size > 0);
        let size = size.ok_or_else(|| ArrayError::Other("elements without a size".into()))?;
        let gap = usize::try_from(self.gap).unwrap_or(usize::MAX) / size;
        Ok((Blocks::new(plan, order, gap)?, size))
    }

    /// Reads what a plan takes of a chunk.
    fn part<T: ElementOwned>(
        &self,
        chunk: Encoded<'_>,
        plan: &Plan,
        target: &Plan,
    ) -> Result<Part<T>, Error> {
        match &chunk.chain.kind {
            Kind::Plain(order) => self.plain(chunk, order, plan, target),
            _ => self.compressed(chunk, plan, target),
        }
    }

    /// A part of a chunk in which every element has a place of its own.
    fn plain<T: ElementOwned>(
        &self,
        chunk: Encoded<'_>,
        order: &[usize],
        plan: &Plan,
        target: &Plan,
    ) -> Result<Part<T>, Error> {
        let (data_type, options) = (self.array.data_type(), self.options);
        let (mut blocks, size) = self.blocks(plan, order)?;
        let runs = blocks.runs();
        let wide = |n: usize| (n as u64).saturating_mul(size as u64);
        let claimed = wide(plan.input_len());
        let read = if let [run] = &runs[..]
            && run.len == plan.input_len()
        {
            let read = chunk.bytes.read_all()?;
            if let Some(bytes) = &read
                && bytes.len() as u64 != claimed
            {
                return Err(claims(bytes.len() as u64, claimed));
            }
            read.map(|bytes| vec![bytes])
        } else {
            if runs.iter().any(|run| wide(run.len) > LARGE)
                && let Some(len) = chunk.bytes.len()?
                && len < claimed
            {
                return Err(claims(len, claimed));
            }
            let range = |run: &Run| ByteRange::FromStart(wide(run.start), Some(wide(run.len)));
            chunk.bytes.read(runs.iter().map(range))?
        };
        let Some(mut read) = read else { return self.missing(target) };
        // Where most of what was read is gaps, they are not decoded.
        if blocks.buffer_len() > plan.len() {
            let exact = Blocks::new(plan, order, 0)?;
            if wide(blocks.buffer_len()) / SPARSE > exact.count() as u64 {
                blocks = exact;
            }
        }
        let mut bytes = match &mut read[..] {
            [one] if !blocks.are_many() => std::mem::take(one),
            _ => blocks.gather(&runs, &read, size).into(),
        };
        let bytes = encoded(&mut bytes);
        // The codec that makes bytes of elements takes any number of them.
        let len = blocks.buffer_len() as u64;
        let (shape, fill) =
            ([NonZeroU64::new(len).unwrap_or(NonZeroU64::MIN)], self.array.fill_value());
        let codec = chunk.chain.codecs.array_to_bytes_codec();
        let decoded = codec.decode(bytes, &shape, data_type, fill, options)?;
        decoded.validate(len, data_type)?;
        let values = T::from_array_bytes(data_type, decoded)?;
        Ok(Part { values, of: blocks.of, target: target.clone() })
    }

    /// A part of any other chunk: a box of it where its codecs can read one, or all of it.
    fn compressed<T: ElementOwned>(
        &self,
        Encoded { bytes, shape, chain, .. }: Encoded<'_>,
        plan: &Plan,
        target: &Plan,
    ) -> Result<Part<T>, Error> {
        let (data_type, options, codecs) = (self.array.data_type(), self.options, &chain.codecs);
        let fill = self.array.fill_value();
        let codec = codecs.partial_decoder_capability();
        let (subset, of) = bounds(plan)?;
        let part = codec.partial_read && codec.partial_decode;
        let (decoder, mut all);
        let (decoded, len, of) = if part && subset.num_elements() < plan.input_len() as u64 {
            let bytes = Arc::new(bytes);
            decoder = codecs.clone().partial_decoder(bytes, shape, data_type, fill, options)?;
            (decoder.partial_decode(&subset, options)?, subset.num_elements(), of)
        } else {
            let Some(read) = bytes.read_all()? else { return self.missing(target) };
            all = read;
            let decoded = codecs.decode(encoded(&mut all), shape, data_type, fill, options)?;
            (decoded, plan.input_len() as u64, plan.clone())
        };
        decoded.validate(len, data_type)?;
        let values = T::from_array_bytes(data_type, decoded)?;
        Ok(Part { values, of, target: target.clone() })
    }

    /// A part of a chunk in a cache.
    fn cached<T: ElementOwned>(
        &self,
        cache: &dyn ChunkCache,
        coords: &[u64],
        plan: &Plan,
        target: &Plan,
    ) -> Result<Part<T>, Error> {
        let (subset, of) = bounds(plan)?;
        let (decoded, of) = if subset.num_elements() < plan.input_len() as u64 {
            (cache.retrieve_chunk_subset_bytes(coords, &subset, self.options)?, of)
        } else {
            (cache.retrieve_chunk_bytes(coords, self.options)?, plan.clone())
        };
        let data_type = self.array.data_type();
        let values = match &*decoded {
            ArrayBytes::Fixed(bytes) => {
                T::from_array_bytes(data_type, ArrayBytes::new_flen(&**bytes))?
            }
            other => T::from_array_bytes(data_type, other.clone())?,
        };
        Ok(Part { values, of, target: target.clone() })
    }

    /// A part of a chunk that is not there: one value for all of it.
    fn missing<T: ElementOwned>(&self, target: &Plan) -> Result<Part<T>, Error> {
        let data_type = self.array.data_type();
        let one = ArrayBytes::new_fill_value(data_type, 1, self.array.fill_value());
        let values = T::from_array_bytes(data_type, one.map_err(CodecError::from)?)?;
        let strides = vec![0isize; target.shape().len()];
        let of = SpecBuf::default().plan_strided_at(target.shape(), &strides, 0)?;
        Ok(Part { values, of, target: target.clone() })
    }

    /// What the store has of a chunk.
    fn stored(&self, coords: &[u64]) -> Result<Stored, Error> {
        let storage = Arc::new(StorageHandle::new(self.array.storage()));
        let storage = self.array.storage_transformers().create_readable_transformer(storage)?;
        Ok(Stored::new(storage, self.array.chunk_key(coords)))
    }
}

fn claims(len: u64, claimed: u64) -> Error {
    let what = format!("the chunk has {len} bytes, and its metadata say {claimed}");
    ArrayError::Other(what).into()
}

/// The box around what a plan takes of a chunk, and what it takes of that box.
fn bounds(plan: &Plan) -> Result<(ArraySubset, Plan), SliceError> {
    let (read, turn) = plan.forwards()?;
    let (mut width, mut strides, mut ranges) = (1, Vec::new(), Vec::new());
    for Taken { start, step, len } in taken(&read).into_iter().rev() {
        let extent = (len.max(1) - 1) * step.unsigned_abs() + 1;
        ranges.push(start as u64..(start + extent) as u64);
        strides.push(step.unsigned_abs() * width);
        width *= extent;
    }
    strides.reverse();
    ranges.reverse();
    Ok((ArraySubset::from(ranges), laid_out(&turn, &strides)?))
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
    let bytes = len.saturating_mul(size_of::<T>());
    // `vec!` gets the system's zeros, which nobody writes twice, but it ends the program where
    // there is no memory. So room is asked for first; `black_box` keeps the compiler from leaving
    // it out.
    let mut room = Vec::<T>::new();
    room.try_reserve_exact(len).map_err(|_| SliceError::OutOfMemory { bytes })?;
    drop(black_box(room));
    Ok(vec![value; len])
}
