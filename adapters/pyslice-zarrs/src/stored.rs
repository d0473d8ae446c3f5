use crate::Error;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use zarrs::array::{ArrayBytesRaw, BytesPartialDecoderTraits, CodecError, CodecOptions};
use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator};
use zarrs::storage::{Bytes, ReadableStorage, StorageError, StoreKey};

/// The encoded bytes of a chunk, or of a chunk in a shard.
///
/// They come as the store hands them out: of a store in memory nothing is copied, so a gap that is
/// read through costs nothing there.
#[derive(Clone)]
pub(crate) struct Stored {
    source: Source,
    /// The first byte of a chunk in a shard, and how many it has.
    place: Option<(u64, u64)>,
}

#[derive(Clone)]
enum Source {
    Key(ReadableStorage, StoreKey),
    /// Some bytes of a shard that were read together; each span with its first byte, in order.
    Spans(Arc<[(u64, Bytes)]>),
}

impl Stored {
    pub(crate) fn new(storage: ReadableStorage, key: StoreKey) -> Stored {
        Stored { source: Source::Key(storage, key), place: None }
    }

    /// A chunk of this shard.
    pub(crate) fn chunk(&self, offset: u64, len: u64) -> Stored {
        let first = self.place.map_or(0, |(first, _)| first);
        Stored { source: self.source.clone(), place: Some((first.saturating_add(offset), len)) }
    }

    /// How many bytes there are. It is `None` where a store only has what was fetched of another
    /// one, and where there is no such chunk.
    pub(crate) fn len(&self) -> Result<Option<u64>, StorageError> {
        match (&self.source, self.place) {
            (_, Some((_, len))) => Ok(Some(len)),
            (Source::Key(storage, key), None) => match storage.size_key(key) {
                Err(StorageError::UnknownKeySize(_)) => Ok(None),
                len => len,
            },
            (Source::Spans(_), None) => Ok(None),
        }
    }

    /// Reads ranges of bytes; `None` if the chunk is not there.
    pub(crate) fn read(
        &self,
        ranges: impl IntoIterator<Item = ByteRange>,
    ) -> Result<Option<Vec<Bytes>>, StorageError> {
        let placed = |range| match (self.place, range) {
            (None, range) => range,
            (Some((first, len)), ByteRange::FromStart(start, asked)) => {
                let asked = asked.unwrap_or(len.saturating_sub(start));
                ByteRange::FromStart(first.saturating_add(start), Some(asked))
            }
            (Some((first, len)), ByteRange::Suffix(asked)) => {
                let start = first.saturating_add(len.saturating_sub(asked));
                ByteRange::FromStart(start, Some(asked))
            }
        };
        let ranges: Vec<_> = ranges.into_iter().map(placed).collect();
        match &self.source {
            Source::Key(storage, key) => {
                let read = storage.get_partial_many(key, Box::new(ranges.into_iter()))?;
                read.map(Iterator::collect).transpose()
            }
            Source::Spans(spans) => {
                let missing = || StorageError::from("bytes of a shard that were not read");
                let part = |range| part(spans, range).ok_or_else(missing);
                ranges.into_iter().map(part).collect::<Result<_, _>>().map(Some)
            }
        }
    }

    /// Reads all bytes.
    pub(crate) fn read_all(&self) -> Result<Option<Bytes>, StorageError> {
        Ok(self.read([ByteRange::FromStart(0, None)])?.and_then(|mut read| read.pop()))
    }

    /// This shard with these ranges of its bytes, and with gaps of up to `gap` bytes between them,
    /// which are read now; `None` if it is not there.
    pub(crate) fn fetch(
        &self,
        mut ranges: Vec<Range<u64>>,
        gap: u64,
    ) -> Result<Option<Stored>, Error> {
        ranges.sort_unstable_by_key(|range| range.start);
        let mut spans: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            match spans.last_mut() {
                Some(last) if range.start.saturating_sub(last.end) <= gap => {
                    last.end = last.end.max(range.end);
                }
                _ => spans.push(range),
            }
        }
        let asked = spans.iter().map(|s| ByteRange::FromStart(s.start, Some(s.end - s.start)));
        let Some(read) = self.read(asked)? else { return Ok(None) };
        let spans = spans.iter().map(|span| span.start).zip(read).collect();
        Ok(Some(Stored { source: Source::Spans(spans), place: None }))
    }
}

fn part(spans: &[(u64, Bytes)], range: ByteRange) -> Option<Bytes> {
    let ByteRange::FromStart(start, Some(len)) = range else { return None };
    let span = spans.partition_point(|&(first, _)| first <= start).checked_sub(1)?;
    let (first, bytes) = spans.get(span)?;
    let from = usize::try_from(start - first).ok()?;
    let to = from.checked_add(usize::try_from(len).ok()?)?;
    (to <= bytes.len()).then(|| bytes.slice(from..to))
}

/// Bytes as codecs take them. Codecs change them in place if nobody else has them.
pub(crate) fn encoded(bytes: &mut Bytes) -> ArrayBytesRaw<'_> {
    if bytes.is_unique() { Cow::Owned(std::mem::take(bytes).into()) } else { Cow::Borrowed(bytes) }
}

impl BytesPartialDecoderTraits for Stored {
    fn exists(&self) -> Result<bool, StorageError> {
        match &self.source {
            Source::Key(storage, key) => Ok(storage.size_key(key)?.is_some()),
            Source::Spans(_) => Ok(true),
        }
    }

    fn size_held(&self) -> usize {
        match &self.source {
            Source::Key(..) => 0,
            Source::Spans(spans) => spans.iter().map(|(_, bytes)| bytes.len()).sum(),
        }
    }

    fn partial_decode_many(
        &self,
        ranges: ByteRangeIterator<'_>,
        _: &CodecOptions,
    ) -> Result<Option<Vec<ArrayBytesRaw<'_>>>, CodecError> {
        let read = self.read(ranges)?;
        Ok(read.map(|read| read.into_iter().map(|bytes| Cow::Owned(bytes.into())).collect()))
    }

    fn supports_partial_decode(&self) -> bool {
        match &self.source {
            Source::Key(storage, _) => storage.supports_get_partial(),
            Source::Spans(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zarrs::storage::WritableStorageTraits;
    use zarrs::storage::store::MemoryStore;

    /// A gap in a store in memory is as cheap as no gap, also in a shard that is read at once.
    #[test]
    fn bytes_of_a_store_in_memory_are_not_copied() -> Result<(), Box<dyn std::error::Error>> {
        let (store, key) = (Arc::new(MemoryStore::new()), StoreKey::new("key")?);
        store.set(&key, (0..=255).collect::<Vec<u8>>().into())?;
        let stored = Stored::new(store, key);
        let all = stored.read_all()?.ok_or("no chunk")?;
        let fetched = stored.fetch(vec![60..70, 10..20], 50)?.ok_or("no shard")?;
        for shard in [&stored, &fetched] {
            let chunk = shard.chunk(10, 60);
            let ranges = [ByteRange::FromStart(2, Some(40)), ByteRange::Suffix(3)];
            let read = chunk.read(ranges)?.ok_or("no chunk")?;
            for (read, expected) in read.iter().zip([&all[12..52], &all[67..70]]) {
                assert_eq!(read.as_ptr_range(), expected.as_ptr_range());
            }
            assert_eq!(chunk.read_all()?.ok_or("no chunk")?, all[10..70]);
        }
        assert!(fetched.chunk(0, 80).read_all().is_err());
        Ok(())
    }
}
