use futures::stream::{self, StreamExt, TryStreamExt};
use std::fmt;
use std::sync::Arc;
use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator};
use zarrs::storage::{
    AsyncListableStorageTraits, AsyncMaybeBytesIterator, AsyncReadableStorageTraits,
    AsyncWritableStorageTraits, Bytes, MaybeBytes, OffsetBytesIterator, StorageError, StoreKey,
    StoreKeys, StoreKeysPrefixes, StorePrefix,
};
use zarrs_object_store::AsyncObjectStore;
use zarrs_object_store::object_store::path::Path;
use zarrs_object_store::object_store::{Error, GetOptions, GetRange, ObjectStore};

/// How many parts of one object are asked for at the same time.
const PARTS_IN_FLIGHT: usize = 10;

/// An object store for zarrs that sends no request too many.
///
/// [`AsyncObjectStore`] asks for the size of an object before it reads a part of it, and reads
/// parts that are up to 1 MiB apart with all that is between them. This store asks for no size, and
/// each part is one request for its bytes;
/// [`ArraySlice::with_gaps`](crate::ArraySlice::with_gaps) says which parts of a slice are read as
/// one. All else is as with `AsyncObjectStore`.
///
/// # Examples
///
/// ```
/// use pyslice::s;
/// use pyslice_zarrs::{PyArray, RangeStore};
/// use std::sync::Arc;
/// use zarrs::array::{ArrayBuilder, data_type};
/// use zarrs_object_store::object_store::memory::InMemory;
///
/// # futures::executor::block_on(async {
/// let store = Arc::new(RangeStore::new(InMemory::new()));
/// let array = ArrayBuilder::new(vec![6, 8], vec![2, 4], data_type::float32(), 0.0f32)
///     .build(store, "/")?;
/// array.async_py_assign(s![-1, 1:4], &[5.0f32, 6.0, 7.0]).await?;
/// assert_eq!(array.async_py::<f32>(s![::-5, 2]).await?.values(), [6.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # }).unwrap();
/// ```
pub struct RangeStore<O> {
    objects: Arc<O>,
    whole: AsyncObjectStore<Arc<O>>,
}

impl<O: ObjectStore> RangeStore<O> {
    /// Takes an object store: a bucket of S3 or of what answers like it, a folder, memory.
    pub fn new(objects: O) -> Self {
        let objects = Arc::new(objects);
        Self { whole: AsyncObjectStore::new(Arc::clone(&objects)), objects }
    }

    /// One request.
    async fn part(&self, path: &Path, range: ByteRange) -> Result<Bytes, Error> {
        let (range, len) = match range {
            // A server takes no range without bytes.
            ByteRange::FromStart(_, Some(0)) | ByteRange::Suffix(0) => return Ok(Bytes::new()),
            ByteRange::FromStart(0, None) => (None, None),
            ByteRange::FromStart(start, None) => (Some(GetRange::Offset(start)), None),
            ByteRange::FromStart(start, Some(len)) => {
                (Some(GetRange::Bounded(start..start.saturating_add(len))), Some(len))
            }
            ByteRange::Suffix(len) => (Some(GetRange::Suffix(len)), Some(len)),
        };
        let options = GetOptions { range, ..GetOptions::default() };
        let bytes = self.objects.get_opts(path, options).await?.bytes().await?;
        match len {
            Some(len) if len != bytes.len() as u64 => Err(Error::Generic {
                store: "RangeStore",
                source: format!("{path} ends early: {} bytes of {len}", bytes.len()).into(),
            }),
            _ => Ok(bytes),
        }
    }
}

#[async_trait::async_trait]
impl<O: ObjectStore> AsyncReadableStorageTraits for RangeStore<O> {
    async fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        self.whole.get(key).await
    }

    async fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<AsyncMaybeBytesIterator<'a>, StorageError> {
        let path = Path::from(key.as_str());
        let ranges = Vec::from_iter(byte_ranges);
        let parts = stream::iter(ranges).map(|range| self.part(&path, range));
        match parts.buffered(PARTS_IN_FLIGHT).try_collect::<Vec<_>>().await {
            Ok(parts) => Ok(Some(stream::iter(parts).map(Ok).boxed())),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(StorageError::Other(error.to_string())),
        }
    }

    async fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        self.whole.size_key(key).await
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

#[async_trait::async_trait]
impl<O: ObjectStore> AsyncWritableStorageTraits for RangeStore<O> {
    async fn set(&self, key: &StoreKey, value: Bytes) -> Result<(), StorageError> {
        self.whole.set(key, value).await
    }

    async fn set_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        offset_values: OffsetBytesIterator<'a>,
    ) -> Result<(), StorageError> {
        self.whole.set_partial_many(key, offset_values).await
    }

    async fn erase(&self, key: &StoreKey) -> Result<(), StorageError> {
        self.whole.erase(key).await
    }

    async fn erase_prefix(&self, prefix: &StorePrefix) -> Result<(), StorageError> {
        self.whole.erase_prefix(prefix).await
    }

    fn supports_set_partial(&self) -> bool {
        self.whole.supports_set_partial()
    }
}

#[async_trait::async_trait]
impl<O: ObjectStore> AsyncListableStorageTraits for RangeStore<O> {
    async fn list(&self) -> Result<StoreKeys, StorageError> {
        self.whole.list().await
    }

    async fn list_prefix(&self, prefix: &StorePrefix) -> Result<StoreKeys, StorageError> {
        self.whole.list_prefix(prefix).await
    }

    async fn list_dir(&self, prefix: &StorePrefix) -> Result<StoreKeysPrefixes, StorageError> {
        self.whole.list_dir(prefix).await
    }

    async fn size_prefix(&self, prefix: &StorePrefix) -> Result<u64, StorageError> {
        self.whole.size_prefix(prefix).await
    }
}

impl<O: fmt::Debug> fmt::Debug for RangeStore<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RangeStore").field("objects", &self.objects).finish_non_exhaustive()
    }
}
