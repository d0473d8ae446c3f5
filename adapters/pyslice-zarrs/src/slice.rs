use crate::error::{name, rust_type};
use crate::part::put;
use crate::raw::{Raw, no_size};
use crate::read::{Reader, fill_value, filled};
use crate::walk::{Report, chunks};
use crate::write::write;
use crate::{Error, Part, Progress, Sliced, SlicedBytes, Values};
use slice_core::{AsSpec, Chunks, Plan, SliceError, SpecBuf};
use std::any::type_name;
use std::fmt;
#[cfg(feature = "async")]
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use zarrs::array::chunk_cache::ChunkCache;
use zarrs::array::{Array, ArrayError, CodecOptions, ElementError, ElementOwned};
use zarrs::storage::{ReadableStorageTraits, ReadableWritableStorageTraits};

/// A slice of a Zarr array that was planned and not read: `array.pyslice(s![...])`.
///
/// All threads of rayon's current pool go over the chunks that the slice touches, and each has one
/// chunk in memory at a time; a pool with more threads has more requests under way. With
/// [`CodecOptions::concurrent_target`] of 1 the chunks come one after the other, in C order.
///
/// # Examples
///
/// An array that need not fit in memory, written part by part, and its sum, by part as well:
///
/// ```
/// use pyslice::s;
/// use pyslice_zarrs::{Error, Part, Progress, PyArray};
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use zarrs::array::{ArrayBuilder, data_type};
/// use zarrs::storage::store::MemoryStore;
///
/// let store = Arc::new(MemoryStore::new());
/// let array = ArrayBuilder::new(vec![6, 8], vec![2, 4], data_type::uint64(), 0u64)
///     .build(store, "/")?;
/// let tell = |Progress { bytes, bytes_total, .. }| println!("{bytes} of {bytes_total} bytes");
/// array.pyslice(s![...])?.on_progress(&tell).assign_parts(|target, values: &mut [u64]| {
///     for (value, at) in values.iter_mut().zip(target.offsets()) {
///         *value = at as u64; // what np.arange(48).reshape(6, 8) has here
///     }
///     Ok::<(), Error>(())
/// })?;
///
/// let sum = AtomicU64::new(0);
/// array.pyslice(s![::-2, 1:])?.for_each_part(|part: Part<u64>| {
///     sum.fetch_add(part.to_vec()?.iter().sum(), Ordering::Relaxed);
///     Ok::<(), Error>(())
/// })?;
/// assert_eq!(sum.into_inner(), 588); // np.arange(48).reshape(6, 8)[::-2, 1:].sum()
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ArraySlice<'a, S: ?Sized> {
    pub(crate) array: &'a Array<S>,
    pub(crate) plan: Plan,
    pub(crate) options: CodecOptions,
    pub(crate) gap: Option<u64>,
    #[cfg(feature = "async")]
    pub(crate) in_flight: usize,
    pub(crate) progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    pub(crate) cache: Option<&'a dyn ChunkCache>,
}

/// The gap where none was said: a page, which takes about as long as one more request to a file.
const GAP: u64 = 4096;

impl<S: ?Sized> Clone for ArraySlice<'_, S> {
    fn clone(&self) -> Self {
        ArraySlice { plan: self.plan.clone(), ..*self }
    }
}

impl<'a, S: ?Sized> ArraySlice<'a, S> {
    pub(crate) fn new(array: &'a Array<S>, plan: Plan) -> Self {
        ArraySlice {
            array,
            plan,
            options: CodecOptions::default(),
            gap: None,
            #[cfg(feature = "async")]
            in_flight: 16,
            progress: None,
            cache: None,
        }
    }

    /// Reads and writes with other options of zarrs.
    #[must_use]
    pub fn with_options(mut self, options: CodecOptions) -> Self {
        self.options = options;
        self
    }

    /// Reads through gaps of up to `bytes` between what the slice takes of a chunk, and drops them
    /// in memory. A step, an index and a short range leave gaps alike. With 0, exactly the bytes of
    /// the slice are read, each run of them with a request of its own.
    ///
    /// At first it is 4 KiB, and 1 MiB for the async methods: about what is read in the time that
    /// one more request takes, of a file in the operating system's cache and of a store far away.
    /// For a store far away that is not async, say more.
    #[must_use]
    pub fn with_gaps(mut self, bytes: u64) -> Self {
        self.gap = Some(bytes);
        self
    }

    /// Reads chunks from one of [zarrs' caches](zarrs::array::chunk_cache) of this array, which
    /// decodes a chunk once for many slices of it. It is not told of writes. The async methods do
    /// not use it.
    ///
    /// # Errors
    ///
    /// [`Error::Array`] for a cache of another array.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    /// use pyslice_zarrs::PyArray;
    /// use std::sync::Arc;
    /// use zarrs::array::chunk_cache::ChunkCacheDecodedLruChunkLimit;
    /// use zarrs::array::{Array, ArrayBuilder, data_type};
    /// use zarrs::storage::ReadableStorageTraits;
    /// use zarrs::storage::store::MemoryStore;
    ///
    /// let store = Arc::new(MemoryStore::new());
    /// let array = ArrayBuilder::new(vec![6, 8], vec![6, 8], data_type::uint8(), 0u8)
    ///     .build(store.clone(), "/")?;
    /// array.py_fill(s![::2], 1u8)?;
    ///
    /// let readable: Arc<dyn ReadableStorageTraits> = store;
    /// let array: Arc<Array<dyn ReadableStorageTraits>> = Arc::new(array.with_storage(readable));
    /// let cache = ChunkCacheDecodedLruChunkLimit::new(array.clone(), 16);
    /// for row in 0..6u8 {
    ///     let one = array.pyslice(s![row, 3])?.with_cache(&cache)?.read::<u8>()?;
    ///     assert_eq!(one.values(), [1 - row % 2]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_cache(mut self, cache: &'a dyn ChunkCache) -> Result<Self, Error> {
        let (own, other) = (self.array, cache.array());
        if own.path() != other.path() || own.metadata() != other.metadata() {
            let (own, other) = (own.path(), other.path());
            let what = format!("a cache of array {other} for array {own}, whose metadata differ");
            return Err(ArrayError::Other(what).into());
        }
        self.cache = Some(cache);
        Ok(self)
    }

    /// A slice of this slice, with the same options.
    ///
    /// # Errors
    ///
    /// Those of [`Plan::then`].
    ///
    /// # Examples
    ///
    /// ```
    /// # use pyslice::s;
    /// # use pyslice_zarrs::PyArray;
    /// # use std::sync::Arc;
    /// # use zarrs::array::{ArrayBuilder, data_type};
    /// # use zarrs::storage::store::MemoryStore;
    /// # let store = Arc::new(MemoryStore::new());
    /// # let array = ArrayBuilder::new(vec![6, 8], vec![2, 4], data_type::uint8(), 0u8)
    /// #     .build(store, "/")?;
    /// let rows = array.pyslice(s![::-2])?;
    /// assert_eq!(rows.pyslice(s![1:, 0])?.shape(), [2]); //   array[::-2][1:, 0]
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pyslice(&self, spec: impl AsSpec) -> Result<Self, Error> {
        let plan = self.plan.then(spec)?;
        Ok(ArraySlice { plan, ..self.clone() })
    }

    /// Tells a function after each part how far a read or a write has come. Threads call it at the
    /// same time.
    #[must_use]
    pub fn on_progress(mut self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// The slice on the array's shape.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The shape of the result.
    pub fn shape(&self) -> &[usize] {
        self.plan.shape()
    }

    /// The chunks, or shards, that the slice touches.
    ///
    /// # Errors
    ///
    /// Those of [`Plan::chunks`].
    pub fn chunks(&self) -> Result<Chunks<'_>, Error> {
        chunks(self.array.chunk_grid(), &self.plan)
    }

    /// The async methods have up to this many chunks, or shards, under way at a time: their
    /// requests, and their bytes in memory. It is 16 at first.
    #[cfg(feature = "async")]
    #[must_use]
    pub fn with_in_flight(mut self, chunks: NonZeroUsize) -> Self {
        self.in_flight = chunks.get();
        self
    }

    pub(crate) fn check_result(&self, found: usize) -> Result<(), SliceError> {
        let expected = self.plan.len();
        if expected != found {
            let buffer = slice_core::Buffer::Destination;
            return Err(SliceError::BufferLength { buffer, expected, found });
        }
        Ok(())
    }

    /// Where the value for each element of the slice is among `found` values of this shape.
    pub(crate) fn source(&self, found: usize, given: Option<&[usize]>) -> Result<Plan, Error> {
        let shape = given.unwrap_or(self.shape());
        // As in NumPy, axes of length 1 in front that the slice has not do not count.
        let extra = shape.len().saturating_sub(self.shape().len());
        let ones = shape.iter().take(extra).take_while(|&&n| n == 1).count();
        let source = SpecBuf::default().plan(&shape[ones..])?;
        // It has to be of this length, before anything is written.
        if source.input_len() != found {
            let (shape, slice) = (given.map(<[usize]>::to_vec), self.shape().to_vec());
            return Err(Error::Values { found, shape, slice });
        }
        Ok(source.broadcast_to(self.shape())?)
    }

    pub(crate) fn check<T: ElementOwned>(&self) -> Result<(), Error> {
        let data_type = self.array.data_type();
        T::validate_data_type(data_type).map_err(|error| match error {
            ElementError::IncompatibleElementType => {
                let (array, stored) = (self.array.path().to_string(), name(data_type));
                let fits = rust_type(&stored);
                Error::ElementType { array, stored, asked: type_name::<T>(), fits }
            }
            other => other.into(),
        })
    }
}

impl<S: ReadableStorageTraits + ?Sized + 'static> ArraySlice<'_, S> {
    /// Reads the slice.
    ///
    /// # Errors
    ///
    /// [`Error::ElementType`], [`SliceError::OutOfMemory`], and those of zarrs.
    pub fn read<T: ElementOwned + Copy + Send + Sync>(&self) -> Result<Sliced<T>, Error> {
        self.check::<T>()?;
        let mut values = filled(fill_value::<T, S>(self.array)?, self.plan.len())?;
        self.read_into(&mut values)?;
        Ok(Sliced { shape: self.shape().to_vec(), values })
    }

    /// Reads the slice of an array whose element type is known only at run time.
    ///
    /// # Errors
    ///
    /// Those of [`read`](ArraySlice::read), and [`Error::Array`] for elements that do not take 1,
    /// 2, 4, 8 or 16 bytes.
    pub fn read_bytes(&self) -> Result<SlicedBytes, Error> {
        let data_type = self.array.data_type();
        Ok(match data_type.fixed_size() {
            Some(1) => Raw::<1>::sliced(self.read()?, data_type),
            Some(2) => Raw::<2>::sliced(self.read()?, data_type),
            Some(4) => Raw::<4>::sliced(self.read()?, data_type),
            Some(8) => Raw::<8>::sliced(self.read()?, data_type),
            Some(16) => Raw::<16>::sliced(self.read()?, data_type),
            _ => return Err(no_size(data_type)),
        })
    }

    /// Reads the slice into a buffer, in C order.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if the buffer is not as long as the slice, and those of zarrs;
    /// a part of the slice can then stand in the buffer.
    pub fn read_into<T: ElementOwned + Copy + Send + Sync>(
        &self,
        result: &mut [T],
    ) -> Result<(), Error> {
        self.check_result(result.len())?;
        // Parts do not overlap, but Rust cannot know; the lock is held for one move in memory.
        let result = Mutex::new(result);
        self.for_each_part(|part: Part<T>| {
            let mut result = result.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(part.copy_to(&mut result)?)
        })
    }

    /// Reads the slice part by part, for results that are larger than memory: each chunk of the
    /// store, and each chunk in a shard, has one part. The first error, of `each` as well, ends it.
    ///
    /// # Errors
    ///
    /// Those of zarrs and those of `each`.
    pub fn for_each_part<T, E>(
        &self,
        each: impl Fn(Part<T>) -> Result<(), E> + Sync + Send,
    ) -> Result<(), E>
    where
        T: ElementOwned + Copy,
        E: From<Error> + Send,
    {
        self.check::<T>()?;
        let reader = Reader::new(self.array, &self.options, self.gap.unwrap_or(GAP), self.cache)?;
        let report = Report::new(self.progress, self.chunks()?.len(), &self.plan, size_of::<T>());
        reader.read(&self.plan, &report, each)
    }
}

impl<S: ReadableWritableStorageTraits + ?Sized + 'static> ArraySlice<'_, S> {
    /// Assigns values, with NumPy's broadcasting.
    ///
    /// # Errors
    ///
    /// [`Error::Values`] or [`SliceError::Broadcast`] if the values do not fit the slice,
    /// [`Error::ElementType`]; nothing is written then. Those of zarrs.
    pub fn assign<'v, T: ElementOwned + Copy + Send + Sync + 'v>(
        &self,
        values: impl Into<Values<'v, T>>,
    ) -> Result<(), Error> {
        let Values { values, shape } = values.into();
        let source = self.source(values.len(), shape.as_deref())?;
        self.write(|of, target, stored: &mut [T]| {
            let part = source.then_plan(target)?;
            Ok::<(), Error>(put(&part, &values, of, stored)?)
        })
    }

    /// Assigns one value to all of the slice.
    ///
    /// # Errors
    ///
    /// Those of zarrs.
    pub fn fill<T: ElementOwned + Copy + Send + Sync>(&self, value: T) -> Result<(), Error> {
        self.write(|of, _, stored: &mut [T]| Ok::<(), Error>(of.fill(stored, value)?))
    }

    /// Assigns values part by part, for those that are larger than memory: `part` writes the
    /// values of one part, in C order, to the buffer it gets, which has something in it already.
    /// The plan says where the part is in the slice. The first error, of `part` as well, ends it.
    ///
    /// # Errors
    ///
    /// Those of zarrs and those of `part`.
    pub fn assign_parts<T, E>(
        &self,
        part: impl Fn(&Plan, &mut [T]) -> Result<(), E> + Sync + Send,
    ) -> Result<(), E>
    where
        T: ElementOwned + Copy + Send + Sync,
        E: From<Error> + Send,
    {
        let fill = fill_value::<T, S>(self.array)?;
        self.write(|of, target, stored: &mut [T]| {
            let mut values = filled(fill, target.len())?;
            part(target, &mut values)?;
            Ok(of.assign(stored, &values).map_err(Error::from)?)
        })
    }

    fn write<T, E>(
        &self,
        change: impl Fn(&Plan, &Plan, &mut [T]) -> Result<(), E> + Sync + Send,
    ) -> Result<(), E>
    where
        T: ElementOwned + Copy + Send + Sync,
        E: From<Error> + Send,
    {
        self.check::<T>()?;
        let report = Report::new(self.progress, self.chunks()?.len(), &self.plan, size_of::<T>());
        write(self.array, &self.options, &self.plan, &report, change)
    }
}

impl<S: ?Sized> fmt::Debug for ArraySlice<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("ArraySlice");
        out.field("array", self.array.path()).field("plan", &self.plan).field("gap", &self.gap);
        out.finish_non_exhaustive()
    }
}
