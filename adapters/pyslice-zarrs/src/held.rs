use futures::stream::TryStreamExt;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator};
use zarrs::storage::{
    AsyncReadableStorageTraits, Bytes, MaybeBytes, MaybeBytesIterator, ReadableStorageTraits,
    StorageError, StoreKey,
};

/// A store in memory that has what was fetched of another one, and notes what is asked for beyond
/// that.
///
/// Reading from it fails until everything was fetched, so a read is tried again after each fetch:
/// once for a chunk, twice for a shard. That way only one place says which bytes a slice needs, and
/// all that are needed of a chunk are fetched together.
#[derive(Debug, Default)]
pub(crate) struct Held(Mutex<BTreeMap<StoreKey, Object>>);

#[derive(Debug, Default)]
struct Object {
    /// `None` for what is not there.
    fetched: BTreeMap<ByteRange, MaybeBytes>,
    missing: BTreeSet<ByteRange>,
}

const WHOLE: ByteRange = ByteRange::FromStart(0, None);

impl Held {
    fn objects(&self) -> MutexGuard<'_, BTreeMap<StoreKey, Object>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fetches what was asked for in vain since the last time, and what is in gaps of up to `gap`
    /// bytes between; `false` if nothing was asked for.
    pub(crate) async fn fetch<S: AsyncReadableStorageTraits + ?Sized>(
        &self,
        store: &S,
        key: &StoreKey,
        gap: u64,
    ) -> Result<bool, StorageError> {
        let missing = self.objects().get_mut(key).map(|object| std::mem::take(&mut object.missing));
        let missing = missing.unwrap_or_default();
        if missing.is_empty() {
            return Ok(false);
        }
        let spans = spans(&missing, gap);
        let fetched = if spans == [WHOLE] {
            store.get(key).await?.map(|bytes| vec![bytes])
        } else {
            match store.get_partial_many(key, Box::new(spans.iter().copied())).await? {
                Some(parts) => Some(parts.try_collect::<Vec<_>>().await?),
                None => None,
            }
        };
        let mut at = 0;
        let parts = missing.into_iter().map(|range| {
            let Some(fetched) = &fetched else { return Ok((range, None)) };
            while at + 1 < spans.len() && !covers(spans[at], range) {
                at += 1;
            }
            let part = fetched.get(at).and_then(|bytes| part(spans[at], bytes, range));
            let short = || StorageError::Other(format!("{key} ends before {range}"));
            Ok((range, Some(part.ok_or_else(short)?)))
        });
        let parts = parts.collect::<Result<Vec<_>, StorageError>>()?;
        self.objects().entry(key.clone()).or_default().fetched.extend(parts);
        Ok(true)
    }

    /// Lets go of what was fetched of an object.
    pub(crate) fn forget(&self, key: &StoreKey) {
        self.objects().remove(key);
    }
}

/// As few ranges as possible that have all of these, and between two of them at most `gap` bytes
/// that nobody asked for.
fn spans(ranges: &BTreeSet<ByteRange>, gap: u64) -> Vec<ByteRange> {
    let mut spans: Vec<ByteRange> = Vec::new();
    for &range in ranges {
        if let (Some(last), Some((start, end))) = (spans.last_mut(), bounded(range))
            && let Some((first, last_end)) = bounded(*last)
            && start <= last_end.saturating_add(gap)
        {
            *last = ByteRange::FromStart(first, Some(end.max(last_end) - first));
        } else {
            spans.push(range);
        }
    }
    spans
}

fn bounded(range: ByteRange) -> Option<(u64, u64)> {
    match range {
        ByteRange::FromStart(start, Some(len)) => Some((start, start.checked_add(len)?)),
        _ => None,
    }
}

fn covers(span: ByteRange, range: ByteRange) -> bool {
    match (bounded(span), bounded(range)) {
        (Some((first, last)), Some((start, end))) => first <= start && end <= last,
        _ => span == range,
    }
}

/// What the bytes of a span have of a range in it.
fn part(span: ByteRange, bytes: &Bytes, range: ByteRange) -> Option<Bytes> {
    let (Some((first, _)), Some((start, end))) = (bounded(span), bounded(range)) else {
        return Some(bytes.clone());
    };
    let (start, end) = (usize::try_from(start - first).ok()?, usize::try_from(end - first).ok()?);
    (end <= bytes.len()).then(|| bytes.slice(start..end))
}

impl ReadableStorageTraits for Held {
    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        let mut objects = self.objects();
        let object = objects.entry(key.clone()).or_default();
        let (mut parts, mut missing) = (Some(Vec::new()), false);
        for range in byte_ranges {
            let Some(fetched) = object.fetched.get(&range) else {
                missing = true;
                object.missing.insert(range);
                continue;
            };
            parts = parts.zip(fetched.clone()).map(|(mut parts, bytes)| {
                parts.push(Ok(bytes));
                parts
            });
        }
        if missing {
            return Err(StorageError::Other(format!("{key} is not fetched yet")));
        }
        Ok(parts.map(|parts| Box::new(parts.into_iter()) as _))
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        Err(StorageError::UnknownKeySize(key.clone()))
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}
