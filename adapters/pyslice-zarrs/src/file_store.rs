use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use zarrs::filesystem::{FilesystemStore, FilesystemStoreCreateError};
use zarrs::storage::byte_range::ByteRangeIterator;
use zarrs::storage::{
    Bytes, ListableStorageTraits, MaybeBytesIterator, OffsetBytesIterator, ReadableStorageTraits,
    StorageError, StoreKey, StoreKeys, StoreKeysPrefixes, StorePrefix, WritableStorageTraits,
    store_set_partial_many,
};

/// How the names of files end that are not written to their end.
const PARTIAL: &str = ".partial";

/// A folder for zarrs in which each file is the old one or the new one, whenever the program ends.
///
/// [`FilesystemStore`] empties a file and then writes it. A program that is killed in between loses
/// the chunk, with all values that it did not assign to. A reader at the same time finds a part of
/// it. This store writes a file of another name beside it, and renames that. What a killed program
/// leaves of such a file, whose name ends in `.partial`, is in nobody's way, is not listed, and can
/// be deleted while nobody writes. All else is as with `FilesystemStore`.
///
/// It does not help two programs, or two threads, that assign to *different parts of one chunk* at
/// the same time: each reads the chunk, changes it and writes it, and one change is lost.
///
/// # Examples
///
/// ```
/// use pyslice::s;
/// use pyslice_zarrs::{FileStore, PyArray};
/// use std::sync::Arc;
/// use zarrs::array::{ArrayBuilder, data_type};
///
/// # let folder = std::env::temp_dir().join("pyslice-zarrs-file-store-example");
/// let store = Arc::new(FileStore::new(&folder)?);
/// let array = ArrayBuilder::new(vec![6, 8], vec![2, 4], data_type::float32(), 0.0f32)
///     .build(store, "/array")?;
/// array.store_metadata()?;
/// array.py_assign(s![-1, 1:4], &[5.0f32, 6.0, 7.0])?;
/// assert_eq!(array.py::<f32>(s![::-5, 2])?.values(), [6.0, 0.0]);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FileStore {
    files: FilesystemStore,
    /// Tells the files of this store from those of others.
    own: u64,
    written: AtomicU64,
}

impl FileStore {
    /// Takes a folder, which is made with the first file.
    ///
    /// # Errors
    ///
    /// Those of [`FilesystemStore::new`]: a path that is not Unicode.
    pub fn new(folder: impl AsRef<Path>) -> Result<Self, FilesystemStoreCreateError> {
        let own = RandomState::new().build_hasher().finish();
        Ok(Self { files: FilesystemStore::new(folder)?, own, written: AtomicU64::new(0) })
    }
}

fn is_whole(key: &StoreKey) -> bool {
    !key.as_str().ends_with(PARTIAL)
}

impl ReadableStorageTraits for FileStore {
    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        self.files.get_partial_many(key, byte_ranges)
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        self.files.size_key(key)
    }

    fn supports_get_partial(&self) -> bool {
        self.files.supports_get_partial()
    }
}

impl WritableStorageTraits for FileStore {
    fn set(&self, key: &StoreKey, value: Bytes) -> Result<(), StorageError> {
        let path = self.files.key_to_fspath(key);
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{:016x}-{number}{PARTIAL}", self.own));
        let beside = path.with_file_name(name);
        let write = || -> io::Result<()> {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            let mut file = File::create_new(&beside)?;
            file.write_all(&value)?;
            // So that the name is never that of a file whose bytes are lost in a power cut.
            file.sync_all()?;
            drop(file);
            fs::rename(&beside, &path)
        };
        Ok(write().inspect_err(|_| drop(fs::remove_file(&beside)))?)
    }

    fn set_partial_many(
        &self,
        key: &StoreKey,
        offset_values: OffsetBytesIterator<'_>,
    ) -> Result<(), StorageError> {
        store_set_partial_many(self, key, offset_values)
    }

    fn erase(&self, key: &StoreKey) -> Result<(), StorageError> {
        self.files.erase(key)
    }

    fn erase_prefix(&self, prefix: &StorePrefix) -> Result<(), StorageError> {
        self.files.erase_prefix(prefix)
    }

    fn supports_set_partial(&self) -> bool {
        false
    }
}

impl ListableStorageTraits for FileStore {
    fn list(&self) -> Result<StoreKeys, StorageError> {
        let keys = self.files.list()?;
        Ok(keys.into_iter().filter(is_whole).collect())
    }

    fn list_prefix(&self, prefix: &StorePrefix) -> Result<StoreKeys, StorageError> {
        let keys = self.files.list_prefix(prefix)?;
        Ok(keys.into_iter().filter(is_whole).collect())
    }

    fn list_dir(&self, prefix: &StorePrefix) -> Result<StoreKeysPrefixes, StorageError> {
        let found = self.files.list_dir(prefix)?;
        let keys = found.keys().iter().filter(|key| is_whole(key)).cloned().collect();
        Ok(StoreKeysPrefixes::new(keys, found.prefixes().clone()))
    }

    fn size_prefix(&self, prefix: &StorePrefix) -> Result<u64, StorageError> {
        let sizes = self.list_prefix(prefix)?.into_iter().map(|key| self.size_key(&key));
        sizes.map(|size| Ok(size?.unwrap_or(0))).sum()
    }
}
