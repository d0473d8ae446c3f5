//! Python slices of Zarr arrays, through [zarrs]: the chunks that a slice needs and no others, and
//! of those the parts.
//!
//! ```
//! use pyslice::s;
//! use pyslice_zarrs::PyArray;
//! use std::sync::Arc;
//! use zarrs::array::{ArrayBuilder, data_type};
//! use zarrs::storage::store::MemoryStore;
//!
//! let store = Arc::new(MemoryStore::new());
//! let array = ArrayBuilder::new(vec![6, 8], vec![2, 4], data_type::float32(), 0.0f32)
//!     .build(store, "/")?;
//! array.py_fill(s![::2], 1.0f32)?; //                          array[::2] = 1
//! array.py_assign(s![-1, 1:4], &[5.0f32, 6.0, 7.0])?; //       array[-1, 1:4] = [5, 6, 7]
//! let part = array.py::<f32>(s![::-5, 2:4])?; //               array[::-5, 2:4]
//! assert_eq!(part.shape(), [2, 2]);
//! assert_eq!(part.values(), [6.0, 7.0, 1.0, 1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "async")]
mod async_slice;
mod codecs;
mod error;
#[cfg(feature = "filesystem")]
mod file_store;
#[cfg(feature = "async")]
mod held;
mod layout;
mod part;
#[cfg(feature = "object_store")]
mod range_store;
mod raw;
mod read;
mod selection;
mod shards;
mod slice;
mod stored;
mod values;
mod walk;
mod write;

pub use error::Error;
#[cfg(feature = "filesystem")]
pub use file_store::FileStore;
pub use part::{Part, Progress, Sliced};
#[cfg(feature = "object_store")]
pub use range_store::RangeStore;
pub use raw::SlicedBytes;
pub use selection::Selection;
pub use slice::ArraySlice;
pub use values::Values;

use slice_core::AsSpec;
use zarrs::array::{Array, ElementOwned};
#[cfg(feature = "async")]
use zarrs::storage::{AsyncReadableStorageTraits, AsyncReadableWritableStorageTraits};
use zarrs::storage::{ReadableStorageTraits, ReadableWritableStorageTraits};

/// Python slices of zarrs' [`Array`].
pub trait PyArray<S: ?Sized>: private::Sealed {
    /// Plans a slice, to read or to write it with more say in how.
    ///
    /// # Errors
    ///
    /// Those of [`Spec::plan`](slice_core::Spec::plan).
    fn pyslice(&self, spec: impl AsSpec) -> Result<ArraySlice<'_, S>, Error>;

    /// Reads a slice.
    ///
    /// # Errors
    ///
    /// Those of [`pyslice`](PyArray::pyslice) and [`ArraySlice::read`].
    fn py<T: ElementOwned + Copy + Send + Sync>(
        &self,
        spec: impl AsSpec,
    ) -> Result<Sliced<T>, Error>
    where
        S: ReadableStorageTraits + 'static,
    {
        self.pyslice(spec)?.read()
    }

    /// Reads a slice of an array whose element type is known only at run time.
    ///
    /// # Errors
    ///
    /// Those of [`pyslice`](PyArray::pyslice) and [`ArraySlice::read_bytes`].
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    /// use pyslice_zarrs::PyArray;
    /// use std::sync::Arc;
    /// use zarrs::array::{ArrayBuilder, data_type};
    /// use zarrs::storage::store::MemoryStore;
    ///
    /// let array = ArrayBuilder::new(vec![3, 2], vec![3, 2], data_type::uint16(), 0u16)
    ///     .build(Arc::new(MemoryStore::new()), "/")?;
    /// array.py_assign(s![...], &[0x0201u16, 2, 0x0403, 4, 0x0605, 6])?;
    /// let read = array.py_bytes(s![::-1, 0])?;
    /// assert_eq!((read.shape(), read.data_type()), (&[3][..], array.data_type()));
    /// assert_eq!(read.bytes(), [0x0605u16, 0x0403, 0x0201].map(u16::to_ne_bytes).as_flattened());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn py_bytes(&self, spec: impl AsSpec) -> Result<SlicedBytes, Error>
    where
        S: ReadableStorageTraits + 'static,
    {
        self.pyslice(spec)?.read_bytes()
    }

    /// Assigns values to a slice, with NumPy's broadcasting.
    ///
    /// # Errors
    ///
    /// Those of [`pyslice`](PyArray::pyslice) and [`ArraySlice::assign`].
    fn py_assign<'v, T: ElementOwned + Copy + Send + Sync + 'v>(
        &self,
        spec: impl AsSpec,
        values: impl Into<Values<'v, T>>,
    ) -> Result<(), Error>
    where
        S: ReadableWritableStorageTraits + 'static,
    {
        self.pyslice(spec)?.assign(values)
    }

    /// Assigns one value to all of a slice.
    ///
    /// # Errors
    ///
    /// Those of [`pyslice`](PyArray::pyslice) and [`ArraySlice::fill`].
    fn py_fill<T: ElementOwned + Copy + Send + Sync>(
        &self,
        spec: impl AsSpec,
        value: T,
    ) -> Result<(), Error>
    where
        S: ReadableWritableStorageTraits + 'static,
    {
        self.pyslice(spec)?.fill(value)
    }

    /// Async variant of [`py`](PyArray::py).
    ///
    /// # Errors
    ///
    /// Those of `py`.
    #[cfg(feature = "async")]
    fn async_py<T: ElementOwned + Copy + Send + Sync>(
        &self,
        spec: impl AsSpec,
    ) -> impl Future<Output = Result<Sliced<T>, Error>> + Send
    where
        S: AsyncReadableStorageTraits + 'static,
    {
        let slice = self.pyslice(spec);
        async move { slice?.async_read().await }
    }

    /// Async variant of [`py_bytes`](PyArray::py_bytes).
    ///
    /// # Errors
    ///
    /// Those of `py_bytes`.
    #[cfg(feature = "async")]
    fn async_py_bytes(
        &self,
        spec: impl AsSpec,
    ) -> impl Future<Output = Result<SlicedBytes, Error>> + Send
    where
        S: AsyncReadableStorageTraits + 'static,
    {
        let slice = self.pyslice(spec);
        async move { slice?.async_read_bytes().await }
    }

    /// Async variant of [`py_assign`](PyArray::py_assign).
    ///
    /// # Errors
    ///
    /// Those of [`pyslice`](PyArray::pyslice) and [`ArraySlice::async_assign`].
    #[cfg(feature = "async")]
    fn async_py_assign<'v, T: ElementOwned + Copy + Send + Sync + 'v>(
        &self,
        spec: impl AsSpec,
        values: impl Into<Values<'v, T>>,
    ) -> impl Future<Output = Result<(), Error>> + Send
    where
        S: AsyncReadableWritableStorageTraits + 'static,
    {
        let (slice, values) = (self.pyslice(spec), values.into());
        async move { slice?.async_assign(values).await }
    }

    /// Async variant of [`py_fill`](PyArray::py_fill).
    ///
    /// # Errors
    ///
    /// Those of [`pyslice`](PyArray::pyslice) and [`ArraySlice::async_fill`].
    #[cfg(feature = "async")]
    fn async_py_fill<T: ElementOwned + Copy + Send + Sync>(
        &self,
        spec: impl AsSpec,
        value: T,
    ) -> impl Future<Output = Result<(), Error>> + Send
    where
        S: AsyncReadableWritableStorageTraits + 'static,
    {
        let slice = self.pyslice(spec);
        async move { slice?.async_fill(value).await }
    }
}

impl<S: ?Sized> PyArray<S> for Array<S> {
    fn pyslice(&self, spec: impl AsSpec) -> Result<ArraySlice<'_, S>, Error> {
        Ok(ArraySlice::new(self, spec.as_spec().plan(&selection::to_usize(self.shape())?)?))
    }
}

/// The examples of the README are run as they stand.
#[cfg(all(doctest, feature = "filesystem"))]
#[doc = include_str!("../README.md")]
struct Readme;

mod private {
    pub trait Sealed {}
    impl<S: ?Sized> Sealed for super::Array<S> {}
}
