//! ndarray's arrays, sliced with Python's slices: the extension trait [`PySlice`]. Programs have it
//! from [`pyslice`](https://docs.rs/pyslice), with its feature `ndarray`.
//!
//! The planner gets an array's shape and strides, and its plan becomes a view.
//!
//! | NumPy | here |
//! | --- | --- |
//! | `x[1, None, ..., ::-1]` | `x.pyslice(s![1, None, ..., ::-1])`, a view; `pyslice_mut` to write through it |
//! | `x[1:3].copy()` | `x.pyslice_copy(s![1:3])` |
//! | `y[...] = x[1:3]` | `x.pyslice_copy_into(s![1:3], &mut y)` |
//! | `x[1:3] = y` | `x.pyslice_assign(s![1:3], &y)`, with broadcasting |
//! | `x[1:3] = 0` | `x.pyslice_fill(s![1:3], 0)` |
//! | `x = x[1:3]` | `x.pyslice_move(s![1:3])` |
//! | | `x.pyslice_window(&[-1, 2], [3, 2], 0)`, a crop that may hang over an edge |
//! | | `x.pyslice_many_mut([s![::2], s![1::2]])`, several views to write through at once |
//!
//! Each has a `try_` form that returns [`SliceError`]; the plain form panics with the same text and
//! the caller's location, as ndarray's own methods do. Where an operator of the elements panics,
//! such as `/=` of integers by 0, both forms do, with Rust's own text and location.
//!
//! ndarray's own slices count differently where the step is negative: see [`slice_info`] and
//! [`from_slice_info`].
//!
//! # Cost
//!
//! Taking a view costs about as much as with ndarray's own slices. It does not allocate, except for
//! `IxDyn` of more than four axes. A slice with `on_axis` takes 1.6 to 2 times as long as ndarray's
//! `slice_axis`. Copies and assignments of numbers, `bool`, `char`, complex numbers and arrays of
//! up to four of them go through this crate's kernels in every layout; up to 64 elements, and few
//! rows, are copied directly. Where an array has gaps in memory, nothing between its elements is
//! read or written. Elements of other types are cloned, whole rows at a time where rows are
//! contiguous.
//!
//! A copy is in C order. `x.pyslice(s![...]).to_owned()` keeps the order of the elements in memory,
//! if they have no gaps; this is faster for arrays that are in Fortran's order or reversed.
//! `pyslice_move_within` and the other `_within` methods copy the source first only if the slices
//! share elements, or if their elements alternate so that a quick test cannot separate them. Even
//! then, shifts and reversals need no copy.
#![cfg_attr(docsrs, feature(doc_cfg))]
// Nothing may panic but the plain methods. Code that looks as if it could says why it cannot.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used,
        clippy::expect_used
    )
)]

mod array;
mod dim;
mod elements;
mod in_place;
mod info;
mod many;
mod places;
mod plain;
mod update;
mod values;
mod view;

/// Runs the example of the README, which registries show, with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use dim::{SliceOf, WindowSize};
pub use info::{from_slice_info, slice_elems, slice_info};
pub use many::SlicesOf;
pub use update::OneElement;
pub use values::Values;

use elements::Elements;
use ndarray::{Array, ArrayRef, ArrayView, ArrayViewMut, Data, DataMut, Dimension, RawData};
use slice_core::SliceError;
use slice_core::SliceIndex;

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

/// The two forms of one of `+=`, `-=`, `*=`, `/=`.
macro_rules! operation {
    (
        $sign:literal, $try_form:ident, $plain:ident, $op:ident::$method:ident, $given:literal,
        $gives:literal
    ) => {
        #[doc = concat!("`x[spec] ", $sign, " values`, broadcast as NumPy does.")]
        ///
        /// # Errors
        ///
        /// Those of [`try_pyslice_assign`](PySlice::try_pyslice_assign); nothing is written then.
        ///
        /// # Panics
        ///
        /// Panics if the operator of the elements does, as that of integers does on overflow where
        /// overflow checks are on. Elements before that one are changed.
        fn $try_form<I, V>(&mut self, spec: I, values: V) -> Result<(), SliceError>
        where
            Self::Storage: DataMut,
            Self::Elem: Clone + std::ops::$op,
            I: SliceOf<Self::Dim>,
            V: Values<Self::Elem>,
        {
            values.with(|values| update::apply(self.write(), &spec, values, std::ops::$op::$method))
        }

        #[doc = concat!("`x[spec] ", $sign, " values`, broadcast as NumPy does.")]
        ///
        /// # Panics
        ///
        #[doc = concat!(
            "Panics with the text of the error if [`", stringify!($try_form), "`](PySlice::",
            stringify!($try_form), ") returns"
        )]
        /// one, and if the operator of the elements panics, as that of integers may.
        ///
        /// # Examples
        ///
        /// ```
        /// use ndarray::array;
        /// use pyslice::{PySlice, s};
        ///
        /// let mut x = array![[8., 6., 4.], [2., 4., 6.]];
        #[doc = concat!(
            "x.", stringify!($plain), "(s![:, ::2], &array![2., 4.]); // x[:, ::2] ", $sign,
            " [2, 4]"
        )]
        #[doc = concat!("x.", stringify!($plain), "(s![1], ", $given, "); // x[1] ", $sign, " ", $given)]
        #[doc = concat!("assert_eq!(x, array!", $gives, ");")]
        /// ```
        #[track_caller]
        fn $plain<I, V>(&mut self, spec: I, values: V)
        where
            Self::Storage: DataMut,
            Self::Elem: Clone + std::ops::$op,
            I: SliceOf<Self::Dim>,
            V: Values<Self::Elem>,
        {
            panic_on_error(self.$try_form(spec, values));
        }
    };
}

/// Python's slices on ndarray's arrays and views, of every storage and dimension type.
///
/// A slice is what `s![...]` gives, or a [`SpecBuf`](slice_core::SpecBuf) or
/// [`SpecRef`](slice_core::SpecRef), by value or by reference. The dimension type of the result
/// follows from the slice and the array ([`SliceOf`]); a slice that takes more axes than the array
/// has does not compile. Range bounds are clamped, indices are not.
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
    /// in a [`strict`](slice_core::Spec::strict) slice; an index to which masks gave a negative
    /// stride; an axis of `on_axis` that the array does not have; for `IxDyn` arrays, slices with
    /// `on_axis`, and slices known only at run time, more entries than axes.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{PySlice, SliceError, s};
    ///
    /// let error = ndarray::arr1(&[1, 2, 3]).try_pyslice(s![7]).unwrap_err();
    /// assert_eq!(error, SliceError::IndexOutOfRange { index: 7, axis: 0, len: 3 });
    /// ```
    #[inline(never)]
    fn try_pyslice<I, O>(&self, spec: I) -> Result<ArrayView<'_, Self::Elem, O>, SliceError>
    where
        Self::Storage: Data,
        I: SliceOf<Self::Dim, Out = O>,
        O: Dimension,
    {
        let array = self.read();
        match Elements::room().few(array, &spec) {
            // SAFETY: they were found in this array.
            Some(few) => Ok(unsafe { view::of_few(array, few, &spec) }),
            None => view::view(array, &spec),
        }
    }

    /// `x[spec]` as a view to write through.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice`](PySlice::try_pyslice).
    #[inline(never)]
    fn try_pyslice_mut<I, O>(
        &mut self,
        spec: I,
    ) -> Result<ArrayViewMut<'_, Self::Elem, O>, SliceError>
    where
        Self::Storage: DataMut,
        I: SliceOf<Self::Dim, Out = O>,
        O: Dimension,
    {
        let array = self.write();
        match Elements::room().few(array, &spec) {
            // SAFETY: they were found in this array.
            Some(few) => Ok(unsafe { view::of_few_mut(array, few, &spec) }),
            None => view::view_mut(array, &spec),
        }
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

    /// `out[...] = x[spec]`, broadcast as NumPy does: into an array that exists. It reads the slice
    /// as [`try_pyslice_copy`](PySlice::try_pyslice_copy) does, which a view of it may not.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice`](PySlice::try_pyslice), and [`SliceError::Broadcast`]; nothing is
    /// written then.
    fn try_pyslice_copy_into<I, E>(
        &self,
        spec: I,
        out: &mut ArrayRef<Self::Elem, E>,
    ) -> Result<(), SliceError>
    where
        Self::Storage: Data,
        Self::Elem: Clone,
        I: SliceOf<Self::Dim>,
        E: Dimension,
    {
        array::copy_into(self.read(), &spec, out)
    }

    /// A window of `size` positions from `begin` on, on each axis, as a new array. Where it hangs
    /// over an edge of the array it is `fill`.
    ///
    /// A negative `begin` is that many positions before the array; it does not count from the end.
    ///
    /// # Errors
    ///
    /// Those of [`window`](slice_core::window()), apart from its limit of 31 axes, and
    /// [`SliceError::OutOfMemory`].
    fn try_pyslice_window<B, S>(
        &self,
        begin: &[B],
        size: S,
        fill: Self::Elem,
    ) -> Result<Array<Self::Elem, Self::Dim>, SliceError>
    where
        Self::Storage: Data,
        Self::Elem: Clone,
        B: SliceIndex + Copy,
        S: WindowSize<Self::Dim>,
    {
        array::window(self.read(), begin, size.into_size(), fill)
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
        values.with(|values| array::assign(self.write(), &spec, values))
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
    /// first slice that shares an element with an earlier one, and that earlier one.
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
    #[inline(never)]
    #[track_caller]
    fn pyslice<I, O>(&self, spec: I) -> ArrayView<'_, Self::Elem, O>
    where
        Self::Storage: Data,
        I: SliceOf<Self::Dim, Out = O>,
        O: Dimension,
    {
        let array = self.read();
        match Elements::room().few(array, &spec) {
            // SAFETY: they were found in this array.
            Some(few) => unsafe { view::of_few(array, few, &spec) },
            None => panic_on_error(view::view(array, &spec)),
        }
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
    #[inline(never)]
    #[track_caller]
    fn pyslice_mut<I, O>(&mut self, spec: I) -> ArrayViewMut<'_, Self::Elem, O>
    where
        Self::Storage: DataMut,
        I: SliceOf<Self::Dim, Out = O>,
        O: Dimension,
    {
        let array = self.write();
        match Elements::room().few(array, &spec) {
            // SAFETY: they were found in this array.
            Some(few) => unsafe { view::of_few_mut(array, few, &spec) },
            None => panic_on_error(view::view_mut(array, &spec)),
        }
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

    /// `out[...] = x[spec]`, broadcast as NumPy does: into an array that exists.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if
    /// [`try_pyslice_copy_into`](PySlice::try_pyslice_copy_into) returns one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::{Array1, array};
    /// use pyslice::{PySlice, s};
    ///
    /// let x = array![[0, 1, 2], [3, 4, 5]];
    /// let mut y = Array1::zeros(2);
    /// x.pyslice_copy_into(s![:, 1], &mut y); // y[...] = x[:, 1]
    /// assert_eq!(y, array![1, 4]);
    /// ```
    #[track_caller]
    fn pyslice_copy_into<I, E>(&self, spec: I, out: &mut ArrayRef<Self::Elem, E>)
    where
        Self::Storage: Data,
        Self::Elem: Clone,
        I: SliceOf<Self::Dim>,
        E: Dimension,
    {
        panic_on_error(self.try_pyslice_copy_into(spec, out));
    }

    /// A window of `size` positions from `begin` on, on each axis, as a new array. Where it hangs
    /// over an edge of the array it is `fill`.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if [`try_pyslice_window`](PySlice::try_pyslice_window)
    /// returns one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use pyslice::PySlice;
    ///
    /// let photo = array![[1, 2, 3], [4, 5, 6]];
    /// // In a slice, -1 is the last row; here it is the row above the first.
    /// let crop = photo.pyslice_window(&[-1, 1], [2, 3], 0);
    /// assert_eq!(crop, array![[0, 0, 0], [2, 3, 0]]);
    /// ```
    #[track_caller]
    fn pyslice_window<B, S>(
        &self,
        begin: &[B],
        size: S,
        fill: Self::Elem,
    ) -> Array<Self::Elem, Self::Dim>
    where
        Self::Storage: Data,
        Self::Elem: Clone,
        B: SliceIndex + Copy,
        S: WindowSize<Self::Dim>,
    {
        panic_on_error(self.try_pyslice_window(begin, size, fill))
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

    operation!(
        "+=",
        try_pyslice_add_assign,
        pyslice_add_assign,
        AddAssign::add_assign,
        "1.",
        "[[10., 6., 8.], [5., 5., 11.]]"
    );
    operation!(
        "-=",
        try_pyslice_sub_assign,
        pyslice_sub_assign,
        SubAssign::sub_assign,
        "1.",
        "[[6., 6., 0.], [-1., 3., 1.]]"
    );
    operation!(
        "*=",
        try_pyslice_mul_assign,
        pyslice_mul_assign,
        MulAssign::mul_assign,
        "3.",
        "[[16., 6., 16.], [12., 12., 72.]]"
    );
    operation!(
        "/=",
        try_pyslice_div_assign,
        pyslice_div_assign,
        DivAssign::div_assign,
        "2.",
        "[[4., 6., 1.], [0.5, 2., 0.75]]"
    );

    /// Calls `f` with every element of `x[spec]` and the value that NumPy's broadcasting pairs
    /// it with, as ndarray's `zip_mut_with` does.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice_assign`](PySlice::try_pyslice_assign); nothing is called then.
    fn try_pyslice_zip_mut_with<I, B, E, F>(
        &mut self,
        spec: I,
        values: &ArrayRef<B, E>,
        f: F,
    ) -> Result<(), SliceError>
    where
        Self::Storage: DataMut,
        I: SliceOf<Self::Dim>,
        E: Dimension,
        F: FnMut(&mut Self::Elem, &B),
    {
        update::zip(self.write(), &spec, values, f)
    }

    /// Calls `f` with every element of `x[spec]` and the value that NumPy's broadcasting pairs
    /// it with, as ndarray's `zip_mut_with` does.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if
    /// [`try_pyslice_zip_mut_with`](PySlice::try_pyslice_zip_mut_with) returns one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use pyslice::{PySlice, s};
    ///
    /// let mut x = array![[1_u8, 2, 3], [4, 5, 6]];
    /// // x[:, 1:] = np.maximum(x[:, 1:], [4, 0])
    /// x.pyslice_zip_mut_with(s![:, 1:], &array![4, 0], |a, &b| *a = (*a).max(b));
    /// assert_eq!(x, array![[1, 4, 3], [4, 5, 6]]);
    /// ```
    #[track_caller]
    fn pyslice_zip_mut_with<I, B, E, F>(&mut self, spec: I, values: &ArrayRef<B, E>, f: F)
    where
        Self::Storage: DataMut,
        I: SliceOf<Self::Dim>,
        E: Dimension,
        F: FnMut(&mut Self::Elem, &B),
    {
        panic_on_error(self.try_pyslice_zip_mut_with(spec, values, f));
    }

    /// `x[to] = x[from]`, broadcast as NumPy does, and as if all of the source were read before
    /// anything is written.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice_assign`](PySlice::try_pyslice_assign); nothing is written then.
    /// [`SliceError::OutOfMemory`] if memory for a copy of the source runs out. Some elements
    /// may have been written then.
    fn try_pyslice_move_within<I, J>(&mut self, from: I, to: J) -> Result<(), SliceError>
    where
        Self::Storage: DataMut,
        Self::Elem: Clone,
        I: SliceOf<Self::Dim>,
        J: SliceOf<Self::Dim>,
    {
        in_place::assign(self.write(), &from, &to)
    }

    /// `x[to] = x[from]`, broadcast as NumPy does, and as if all of the source were read before
    /// anything is written.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if
    /// [`try_pyslice_move_within`](PySlice::try_pyslice_move_within) returns one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use pyslice::{PySlice, s};
    ///
    /// let mut x = array![1, 2, 3, 4, 5];
    /// x.pyslice_move_within(s![:-1], s![1:]); // x[1:] = x[:-1]
    /// assert_eq!(x, array![1, 1, 2, 3, 4]);
    /// ```
    #[track_caller]
    fn pyslice_move_within<I, J>(&mut self, from: I, to: J)
    where
        Self::Storage: DataMut,
        Self::Elem: Clone,
        I: SliceOf<Self::Dim>,
        J: SliceOf<Self::Dim>,
    {
        panic_on_error(self.try_pyslice_move_within(from, to));
    }

    /// `x[to] += x[from]`, broadcast as NumPy does, and as if all of the source were read
    /// before anything is written.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice_assign`](PySlice::try_pyslice_assign), and
    /// [`SliceError::OutOfMemory`] if memory for a copy of the source runs out; nothing is
    /// written then.
    ///
    /// # Panics
    ///
    /// Panics if `+=` of the elements does, as it may for integers. Elements before that one
    /// are changed.
    fn try_pyslice_add_within<I, J>(&mut self, from: I, to: J) -> Result<(), SliceError>
    where
        Self::Storage: DataMut,
        Self::Elem: Clone + std::ops::AddAssign,
        I: SliceOf<Self::Dim>,
        J: SliceOf<Self::Dim>,
    {
        let add = update::by_value(std::ops::AddAssign::add_assign);
        self.try_pyslice_zip_within(from, to, add)
    }

    /// `x[to] += x[from]`, broadcast as NumPy does, and as if all of the source were read
    /// before anything is written.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if
    /// [`try_pyslice_add_within`](PySlice::try_pyslice_add_within) returns one, and if the
    /// operator of the elements panics, as that of integers may.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use pyslice::{PySlice, s};
    ///
    /// let mut x = array![1, 2, 3, 4, 5];
    /// x.pyslice_add_within(s![:-1], s![1:]); // x[1:] += x[:-1]
    /// assert_eq!(x, array![1, 3, 5, 7, 9]);
    /// ```
    #[track_caller]
    fn pyslice_add_within<I, J>(&mut self, from: I, to: J)
    where
        Self::Storage: DataMut,
        Self::Elem: Clone + std::ops::AddAssign,
        I: SliceOf<Self::Dim>,
        J: SliceOf<Self::Dim>,
    {
        panic_on_error(self.try_pyslice_add_within(from, to));
    }

    /// Calls `f` with every element of `x[to]` and the one of `x[from]` that NumPy's
    /// broadcasting pairs it with, as if all of the source were read before anything is
    /// written.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice_add_within`](PySlice::try_pyslice_add_within); nothing is called
    /// then.
    fn try_pyslice_zip_within<I, J, F>(&mut self, from: I, to: J, f: F) -> Result<(), SliceError>
    where
        Self::Storage: DataMut,
        Self::Elem: Clone,
        I: SliceOf<Self::Dim>,
        J: SliceOf<Self::Dim>,
        F: FnMut(&mut Self::Elem, &Self::Elem),
    {
        in_place::zip(self.write(), &from, &to, f)
    }

    /// Calls `f` with every element of `x[to]` and the one of `x[from]` that NumPy's
    /// broadcasting pairs it with, as if all of the source were read before anything is
    /// written.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if
    /// [`try_pyslice_zip_within`](PySlice::try_pyslice_zip_within) returns one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use pyslice::{PySlice, s};
    ///
    /// let mut x = array![1, 3, 5, 7, 9];
    /// x.pyslice_zip_within(s![:-1], s![1:], |a, b| *a -= b); // x[1:] -= x[:-1]
    /// assert_eq!(x, array![1, 2, 2, 2, 2]);
    /// ```
    #[track_caller]
    fn pyslice_zip_within<I, J, F>(&mut self, from: I, to: J, f: F)
    where
        Self::Storage: DataMut,
        Self::Elem: Clone,
        I: SliceOf<Self::Dim>,
        J: SliceOf<Self::Dim>,
        F: FnMut(&mut Self::Elem, &Self::Elem),
    {
        panic_on_error(self.try_pyslice_zip_within(from, to, f));
    }

    /// `x[spec]` for a slice that takes one element: an index for each axis.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice`](PySlice::try_pyslice), and [`SliceError::AxesLeft`] if a slice
    /// known only at run time leaves an axis.
    #[inline]
    fn try_pyslice_get<I>(&self, spec: I) -> Result<&Self::Elem, SliceError>
    where
        Self::Storage: Data,
        I: SliceOf<Self::Dim, Out: OneElement>,
    {
        view::element(self.read(), &spec)
    }

    /// `x[spec]` for a slice that takes one element: an index for each axis.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if [`try_pyslice_get`](PySlice::try_pyslice_get)
    /// returns one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use pyslice::{PySlice, s};
    ///
    /// let x = array![[0, 1, 2], [3, 4, 5]];
    /// assert_eq!(*x.pyslice_get(s![-1, -2]), 4); // x[-1, -2]
    /// ```
    #[inline]
    #[track_caller]
    fn pyslice_get<I>(&self, spec: I) -> &Self::Elem
    where
        Self::Storage: Data,
        I: SliceOf<Self::Dim, Out: OneElement>,
    {
        panic_on_error(self.try_pyslice_get(spec))
    }

    /// [`try_pyslice_get`](PySlice::try_pyslice_get), for writing.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice_get`](PySlice::try_pyslice_get).
    #[inline]
    fn try_pyslice_get_mut<I>(&mut self, spec: I) -> Result<&mut Self::Elem, SliceError>
    where
        Self::Storage: DataMut,
        I: SliceOf<Self::Dim, Out: OneElement>,
    {
        view::element_mut(self.write(), &spec)
    }

    /// [`pyslice_get`](PySlice::pyslice_get), for writing.
    ///
    /// # Panics
    ///
    /// Panics with the text of the error if
    /// [`try_pyslice_get_mut`](PySlice::try_pyslice_get_mut) returns one.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use pyslice::{PySlice, s};
    ///
    /// let mut x = array![[0, 1, 2], [3, 4, 5]];
    /// *x.pyslice_get_mut(s![-1, -2]) += 10; // x[-1, -2] += 10
    /// assert_eq!(x, array![[0, 1, 2], [3, 14, 5]]);
    /// ```
    #[inline]
    #[track_caller]
    fn pyslice_get_mut<I>(&mut self, spec: I) -> &mut Self::Elem
    where
        Self::Storage: DataMut,
        I: SliceOf<Self::Dim, Out: OneElement>,
    {
        panic_on_error(self.try_pyslice_get_mut(spec))
    }
}
