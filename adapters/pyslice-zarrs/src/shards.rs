use crate::Error;
use crate::codecs::Shards;
use crate::selection::to_usize;
use crate::stored::{Stored, encoded};
use slice_core::{Chunk, Chunks};
use std::iter::Peekable;
use std::num::NonZeroU64;
use zarrs::array::codec::ShardingIndexLocation;
use zarrs::array::{
    ArrayError, ArrayToBytesCodecTraits, ChunkShape, CodecOptions, FillValue, data_type,
};
use zarrs::storage::byte_range::ByteRange;

/// Where the chunks are in one shard.
pub(crate) struct Index {
    /// Chunks along each axis.
    counts: Vec<usize>,
    /// Offset and length of each; both are `u64::MAX` where there is none.
    entries: Vec<u64>,
    /// How many bytes the shard has, if that is known.
    len: Option<u64>,
}

impl Shards {
    /// Reads the index of a shard; `None` if the shard does not exist.
    pub(crate) fn index(
        &self,
        shard: &Stored,
        shape: &[NonZeroU64],
        options: &CodecOptions,
    ) -> Result<Option<Index>, Error> {
        let len = shard.len()?;
        let counts = shape.iter().zip(&self.shape).map(|(n, inner)| n.get() / inner.get());
        let counts = to_usize(&counts.collect::<Vec<_>>())?;
        let lengths = counts.iter().map(|&n| n as u64).chain([2]);
        let index_shape: Option<ChunkShape> = lengths.map(NonZeroU64::new).collect();
        let index_shape = index_shape.ok_or_else(damaged)?;
        // What the metadata claim: a product that does not fit is of no file.
        let bytes = counts.iter().try_fold(16usize, |size, &n| size.checked_mul(n));
        let bytes = bytes.filter(|&bytes| isize::try_from(bytes).is_ok());
        let short = |size: &dyn std::fmt::Display, len| {
            let what = format!("the shard has {len} bytes, and its index alone takes {size}");
            Error::from(ArrayError::Other(what))
        };
        let Some(bytes) = bytes else {
            return Err(len.map_or(damaged().into(), |len| short(&"more than any file has", len)));
        };
        if let Some(len) = len.filter(|&len| len < bytes as u64) {
            return Err(short(&bytes, len));
        }
        let (numbers, fill) = (data_type::uint64(), FillValue::from(u64::MAX));
        let codecs = &self.index_codecs;
        let size = codecs.encoded_representation(&index_shape, &numbers, &fill)?.size();
        let size = size.ok_or_else(damaged)?;
        if let Some(len) = len.filter(|&len| len < size) {
            return Err(short(&size, len));
        }
        let range = match self.location {
            ShardingIndexLocation::Start => ByteRange::FromStart(0, Some(size)),
            ShardingIndexLocation::End => ByteRange::Suffix(size),
        };
        let entries = {
            let read = shard.read([range])?.and_then(|mut read| read.pop());
            let Some(mut bytes) = read else { return Ok(None) };
            let bytes = encoded(&mut bytes);
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
        Ok(Some(Index { counts, entries, len }))
    }
}

impl Index {
    /// Where a chunk of the shard is, as its first byte and how many there are; `None` if it was
    /// never written.
    pub(crate) fn place(&self, coords: &[usize]) -> Result<Option<(u64, u64)>, Error> {
        let place = self.counts.iter().zip(coords).fold(0, |place, (n, c)| place * n + c);
        match self.entries.get(2 * place..2 * place + 2) {
            Some(&[u64::MAX, u64::MAX]) => Ok(None),
            // Half of `u64` leaves room for what decoders add to it.
            Some(&[offset, len])
                if offset.checked_add(len).is_some_and(|end| end <= u64::MAX / 2) =>
            {
                let end = offset + len;
                if let Some(shard) = self.len.filter(|&shard| shard < end) {
                    let what = format!(
                        "{}: it has a chunk up to byte {end}, and the shard ends at {shard}",
                        damaged()
                    );
                    return Err(ArrayError::Other(what).into());
                }
                Ok(Some((offset, len)))
            }
            _ => Err(damaged().into()),
        }
    }
}

/// Chunks of a shard that are read together have up to this many bytes.
const TOGETHER: u64 = 1 << 20;

/// The chunks of a shard that a slice touches, as many at a time as are read together; each with
/// its place, or what is wrong with it.
pub(crate) struct Groups<'a> {
    chunks: Peekable<Chunks<'a>>,
    index: Option<&'a Index>,
}

pub(crate) type Placed = (Chunk, Result<Option<(u64, u64)>, Error>);

impl<'a> Groups<'a> {
    pub(crate) fn new(chunks: Chunks<'a>, index: Option<&'a Index>) -> Self {
        Groups { chunks: chunks.peekable(), index }
    }
}

impl Iterator for Groups<'_> {
    type Item = Vec<Placed>;

    fn next(&mut self) -> Option<Vec<Placed>> {
        let place =
            |chunk: &Chunk| self.index.map_or(Ok(None), |index| index.place(chunk.coords()));
        let len = |place: &Result<_, _>| if let Ok(Some((_, len))) = place { *len } else { 0 };
        let first = self.chunks.next()?;
        let first_place = place(&first);
        let (mut bytes, mut group) = (len(&first_place), vec![(first, first_place)]);
        while let Some(next) = self.chunks.peek() {
            let next_place = place(next);
            bytes += len(&next_place);
            if bytes > TOGETHER {
                break;
            }
            group.extend(self.chunks.next().map(|chunk| (chunk, next_place)));
        }
        Some(group)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.chunks.size_hint().1)
    }
}

fn damaged() -> ArrayError {
    ArrayError::Other("the index of a shard is damaged".into())
}
