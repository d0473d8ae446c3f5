//! ndarray's arrays, sliced with Python's slices: the extension trait [`PySlice`].
//!
//! The planner gets an array's shape and strides, and its plan becomes a view.
//!
//! | NumPy | here |
//! | --- | --- |
//! | `x[1, None, ..., ::-1]` | `x.pyslice(s![1, None, ..., ::-1])`, a view; `pyslice_mut` to write through it |
//! | `x[1:3].copy()` | `x.pyslice_copy(s![1:3])` |
//! | `x[1:3] = y` | `x.pyslice_assign(s![1:3], &y)`, with broadcasting |
//! | `x[1:3] = 0` | `x.pyslice_fill(s![1:3], 0)` |
//! | `x = x[1:3]` | `x.pyslice_move(s![1:3])` |
//! | | `x.pyslice_many_mut([s![::2], s![1::2]])`, several views to write through at once |
//!
//! Each has a `try_` form that returns [`SliceError`]; the plain form panics with the same text and
//! the caller's location, as ndarray's own methods do. ndarray's own slices count differently where
//! the step is negative: see [`slice_info`] and [`from_slice_info`].
//!
//! # Cost
//!
//! Taking a view costs about as much as with ndarray's own slices, and allocates nothing up to rank
//! 4 (`IxDyn` beyond that does). Copies and assignments of numbers, `bool`, `char`, complex numbers
//! and arrays of up to four of them go through this crate's kernels in every layout, if there are
//! more than a few. Where an array has gaps in memory, nothing between its elements is read or
//! written. Elements of other types are cloned, whole rows at a time where rows are contiguous.

mod array;
mod dim;
mod disjoint;
mod in_place;
mod info;
mod many;
mod plain;
mod strided;
mod update;
mod values;
mod view;

pub use dim::SliceOf;
pub use info::{from_slice_info, slice_elems, slice_info};
pub use many::SlicesOf;
pub use update::OneElement;
pub use values::Values;

use crate::error::SliceError;
use ::ndarray::{Array, ArrayRef, ArrayView, ArrayViewMut, Data, DataMut, Dimension, RawData};

/// Turns an error into the panic that the plain forms promise, at the caller's line.
#[track_caller]
#[inline]
fn panic_on_error<T>(result: Result<T, SliceError>) -> T {
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn fail(e: SliceError) -> ! {
        panic!("{e}")
    }
    match result {
        Ok(v) => v,
        Err(e) => fail(e),
    }
}

/// Python's slices on ndarray's arrays and views, of every storage and dimension type.
///
/// A slice is what `s![...]` gives, or a [`SpecBuf`](crate::SpecBuf) or
/// [`SpecRef`](crate::SpecRef), by value or by reference. The dimension type of the result follows
/// from the slice and the array ([`SliceOf`]); a slice that takes more axes than the array has does
/// not compile. Range bounds are clamped, indices are not.
///
/// # Examples
///
/// ```
/// use ndarray::{Array2, array};
/// use pyslice::{PySlice, SpecBuf, s};
///
/// let x = array![[0, 1, 2], [3, 4, 5]];
/// assert_eq!(x.pyslice(s![..., ::-1]), array![[2, 1, 0], [5, 4, 3]]);
///
/// // A slice that is known only at run time gives a result of a rank known only at run time.
/// let typed: SpecBuf = "0, ::2".parse()?;
/// assert_eq!(x.pyslice(&typed), array![0, 2].into_dyn());
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[cfg_attr(docsrs, doc(cfg(feature = "ndarray")))]
pub trait PySlice {
    /// The element type.
    type Elem;
    /// The dimension type.
    type Dim: Dimension;
    /// The storage of the elements, which says what is possible: [`Data`] to read, [`DataMut`] to
    /// write.
    type Storage: RawData<Elem = Self::Elem>;
    /// The same storage under another dimension type.
    type Moved<E: Dimension>
    where
        Self: Sized;

    /// The array, to be read.
    #[doc(hidden)]
    fn read(&self) -> &ArrayRef<Self::Elem, Self::Dim>
    where
        Self::Storage: Data;

    /// The array, to be written; shared elements are copied first.
    #[doc(hidden)]
    fn write(&mut self) -> &mut ArrayRef<Self::Elem, Self::Dim>
    where
        Self::Storage: DataMut;

    /// `x[spec]` as a view; nothing is copied.
    ///
    /// # Errors
    ///
    /// An index out of range; a step of 0 that is known only at run time; a bound outside its axis
    /// in a [`strict`](crate::Spec::strict) slice; for `IxDyn` arrays, and slices known only at run
    /// time, more entries than axes.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{PySlice, SliceError, s};
    ///
    /// let error = ndarray::arr1(&[1, 2, 3]).try_pyslice(s![7]).unwrap_err();
    /// assert_eq!(error, SliceError::IndexOutOfRange { index: 7, axis: 0, len: 3 });
    /// ```
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn try_pyslice<I, O>(&self, spec: I) -> Result<ArrayView<'_, Self::Elem, O>, SliceError>
    where
        Self::Storage: Data,
        I: SliceOf<Self::Dim, Out = O>,
        O: Dimension,
    {
        view::view(self.read(), &spec)
    }

    /// `x[spec]` as a view to write through.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice`](PySlice::try_pyslice).
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn try_pyslice_mut<I, O>(
        &mut self,
        spec: I,
    ) -> Result<ArrayViewMut<'_, Self::Elem, O>, SliceError>
    where
        Self::Storage: DataMut,
        I: SliceOf<Self::Dim, Out = O>,
        O: Dimension,
    {
        view::view_mut(self.write(), &spec)
    }

    /// `x[spec]`, keeping the storage: an owned array stays owned, a view keeps its lifetime.
    /// Elements outside the slice stay in memory.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice`](PySlice::try_pyslice); the array is dropped then.
    fn try_pyslice_move<I, O>(self, spec: I) -> Result<Self::Moved<O>, SliceError>
    where
        Self: Sized,
        I: SliceOf<Self::Dim, Out = O>,
        O: Dimension;

    /// `x[spec].copy()`: a new array in standard layout.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice`](PySlice::try_pyslice), and [`SliceError::OutOfMemory`].
    fn try_pyslice_copy<I, O>(&self, spec: I) -> Result<Array<Self::Elem, O>, SliceError>
    where
        Self::Storage: Data,
        Self::Elem: Clone,
        I: SliceOf<Self::Dim, Out = O>,
        O: Dimension,
    {
        array::copy(self.read(), &spec)
    }

    /// `x[spec] = values`, broadcast as NumPy does: axes are matched from the last, those of length
    /// 1 repeat, and extra leading axes of length 1 are dropped.
    ///
    /// `values` is an array, a view, a vector, a Rust slice or a Rust array, by reference or by
    /// value, or one element for all places ([`Values`]).
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice`](PySlice::try_pyslice), and [`SliceError::Broadcast`]; nothing is
    /// written then.
    fn try_pyslice_assign<I, V>(&mut self, spec: I, values: V) -> Result<(), SliceError>
    where
        Self::Storage: DataMut,
        Self::Elem: Clone,
        I: SliceOf<Self::Dim>,
        V: Values<Self::Elem>,
    {
        array::assign(self.write(), &spec, values.values())
    }

    /// `x[spec] = value`.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice`](PySlice::try_pyslice); nothing is written then.
    fn try_pyslice_fill<I: SliceOf<Self::Dim>>(
        &mut self,
        spec: I,
        value: Self::Elem,
    ) -> Result<(), SliceError>
    where
        Self::Storage: DataMut,
        Self::Elem: Clone,
    {
        array::fill(self.write(), &spec, value)
    }

    /// Several views to write through at once: an array or a vector of slices of one type, or a
    /// tuple of up to six slices of any types.
    ///
    /// Whether two of them share an element is decided exactly, also for steps and negative steps.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice`](PySlice::try_pyslice), and [`SliceError::Overlap`], which names the
    /// first two slices that share an element.
    fn try_pyslice_many_mut<M: SlicesOf<Self::Dim>>(
        &mut self,
        specs: M,
    ) -> Result<M::Views<'_, Self::Elem>, SliceError>
    where
        Self::Storage: DataMut,
    {
        specs.views(self.write())
    }

    /// `x[spec]` as a view; nothing is copied.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if [`try_pyslice`](PySlice::try_pyslice) returns one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::{ArrayView2, array};
    /// use pyslice::{PySlice, s};
    ///
    /// let x = array![[0, 1, 2], [3, 4, 5]];
    /// assert_eq!(x.pyslice(s![-1, ::-1]), array![5, 4, 3]); //   x[-1, ::-1]
    /// let column: ArrayView2<i32> = x.pyslice(s![:, 1, None]); // x[:, 1, None]
    /// assert_eq!(column, array![[1], [4]]);
    /// ```
    #[inline]
    #[track_caller]
    fn pyslice<I, O>(&self, spec: I) -> ArrayView<'_, Self::Elem, O>
    where
        Self::Storage: Data,
        I: SliceOf<Self::Dim, Out = O>,
        O: Dimension,
    {
        panic_on_error(self.try_pyslice(spec))
    }

    /// `x[spec]` as a view to write through.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if [`try_pyslice_mut`](PySlice::try_pyslice_mut) returns
    /// one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use pyslice::{PySlice, s};
    ///
    /// let mut x = array![[0, 1, 2], [3, 4, 5]];
    /// x.pyslice_mut(s![:, 1:]).map_inplace(|v| *v = -*v);
    /// assert_eq!(x, array![[0, -1, -2], [3, -4, -5]]);
    /// ```
    #[inline]
    #[track_caller]
    fn pyslice_mut<I, O>(&mut self, spec: I) -> ArrayViewMut<'_, Self::Elem, O>
    where
        Self::Storage: DataMut,
        I: SliceOf<Self::Dim, Out = O>,
        O: Dimension,
    {
        panic_on_error(self.try_pyslice_mut(spec))
    }

    /// `x[spec]`, keeping the storage.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if [`try_pyslice_move`](PySlice::try_pyslice_move) returns
    /// one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::{ArrayView1, ArrayView2, array};
    /// use pyslice::{PySlice, s};
    ///
    /// /// A view that is sliced again keeps the lifetime of the array.
    /// fn last(x: ArrayView2<'_, i32>) -> ArrayView1<'_, i32> {
    ///     x.pyslice_move(s![-1])
    /// }
    ///
    /// let x = array![[0, 1, 2], [3, 4, 5]];
    /// assert_eq!(last(x.view()), array![3, 4, 5]);
    /// assert_eq!(x.pyslice_move(s![:, ::2]), array![[0, 2], [3, 5]]);
    /// ```
    #[inline]
    #[track_caller]
    fn pyslice_move<I, O>(self, spec: I) -> Self::Moved<O>
    where
        Self: Sized,
        I: SliceOf<Self::Dim, Out = O>,
        O: Dimension,
    {
        panic_on_error(self.try_pyslice_move(spec))
    }

    /// `x[spec].copy()`: a new array in standard layout.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if [`try_pyslice_copy`](PySlice::try_pyslice_copy) returns
    /// one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use pyslice::{PySlice, s};
    ///
    /// let x = array![[0, 1, 2], [3, 4, 5]];
    /// let y = x.pyslice_copy(s![::-1, ::2]); // y = x[::-1, ::2].copy()
    /// assert_eq!(y, array![[3, 5], [0, 2]]);
    /// assert!(y.is_standard_layout());
    /// ```
    #[inline]
    #[track_caller]
    fn pyslice_copy<I, O>(&self, spec: I) -> Array<Self::Elem, O>
    where
        Self::Storage: Data,
        Self::Elem: Clone,
        I: SliceOf<Self::Dim, Out = O>,
        O: Dimension,
    {
        panic_on_error(self.try_pyslice_copy(spec))
    }

    /// `x[spec] = values`, broadcast as NumPy does.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if [`try_pyslice_assign`](PySlice::try_pyslice_assign)
    /// returns one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use pyslice::{PySlice, s};
    ///
    /// let mut x = array![[0, 1, 2], [3, 4, 5]];
    /// x.pyslice_assign(s![:, ::2], &array![7, 8]); // x[:, ::2] = [7, 8]
    /// x.pyslice_assign(s![0, 1], 9); //               x[0, 1] = 9
    /// assert_eq!(x, array![[7, 9, 8], [7, 4, 8]]);
    /// ```
    #[track_caller]
    fn pyslice_assign<I, V>(&mut self, spec: I, values: V)
    where
        Self::Storage: DataMut,
        Self::Elem: Clone,
        I: SliceOf<Self::Dim>,
        V: Values<Self::Elem>,
    {
        panic_on_error(self.try_pyslice_assign(spec, values));
    }

    /// `x[spec] = value`.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if [`try_pyslice_fill`](PySlice::try_pyslice_fill) returns
    /// one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use pyslice::{PySlice, s};
    ///
    /// let mut x = array![[0, 1, 2], [3, 4, 5]];
    /// x.pyslice_fill(s![..., -1], 0); // x[..., -1] = 0
    /// assert_eq!(x, array![[0, 1, 0], [3, 4, 0]]);
    /// ```
    #[inline]
    #[track_caller]
    fn pyslice_fill<I: SliceOf<Self::Dim>>(&mut self, spec: I, value: Self::Elem)
    where
        Self::Storage: DataMut,
        Self::Elem: Clone,
    {
        panic_on_error(self.try_pyslice_fill(spec, value));
    }

    /// Several views to write through at once.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if [`try_pyslice_many_mut`](PySlice::try_pyslice_many_mut)
    /// returns one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use pyslice::{PySlice, s};
    ///
    /// let mut x = array![1, 2, 3, 4, 5, 6];
    /// let (mut even, odd) = x.pyslice_many_mut((s![::2], s![1::2]));
    /// even += &odd; // x[::2] += x[1::2]
    /// assert_eq!(x, array![3, 2, 7, 4, 11, 6]);
    /// ```
    #[track_caller]
    fn pyslice_many_mut<M: SlicesOf<Self::Dim>>(&mut self, specs: M) -> M::Views<'_, Self::Elem>
    where
        Self::Storage: DataMut,
    {
        panic_on_error(self.try_pyslice_many_mut(specs))
    }

    update::methods!();
}
