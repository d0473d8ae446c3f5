//! The methods of [`PySlice`](super::PySlice) that change the elements of a slice, and what they
//! share.

use super::{SliceOf, view};
use crate::error::SliceError;
use crate::ops::assign::broadcast_from;
use ::ndarray::{ArrayRef, ArrayView, Axis, Dimension, Ix0, IxDyn};

/// Calls `f` with the values broadcast to `dim`, as NumPy does it.
#[inline]
pub(super) fn broadcast<B, E: Dimension, O: Dimension, R>(
    values: ArrayView<'_, B, E>,
    dim: O,
    f: impl FnOnce(ArrayView<'_, B, O>) -> R,
) -> Result<R, SliceError> {
    if let Some(values) = values.broadcast(dim.clone()) {
        return Ok(f(values));
    }
    broadcast_from(dim.slice(), values.shape(), None)?;
    // Unlike NumPy's, ndarray's own broadcasting refuses extra leading axes of length 1.
    let mut values = values.into_dyn();
    while values.ndim() > dim.ndim() {
        values = values.index_axis_move(Axis(0), 0);
    }
    let wrong = SliceError::RankMismatch { expected: dim.ndim(), found: values.ndim() };
    values.broadcast(dim).map(f).ok_or(wrong)
}

/// Calls `f` with each element of the slice and the value for it.
pub(super) fn zip<A, B, D: Dimension, I: SliceOf<D>, E: Dimension>(
    array: &mut ArrayRef<A, D>,
    spec: &I,
    values: ArrayView<'_, B, E>,
    f: impl FnMut(&mut A, &B),
) -> Result<(), SliceError> {
    let mut target = view::view_mut(array, spec)?;
    if values.ndim() == 0 {
        target.zip_mut_with(&values, f);
        return Ok(());
    }
    let dim = target.raw_dim();
    broadcast(values, dim, |values| target.zip_mut_with(&values, f))
}

/// The dimension type of a slice that may leave one element: no axes, or a number of them that is
/// known at run time.
#[diagnostic::on_unimplemented(
    message = "this slice gives a view with axes (`{Self}`), not one element",
    label = "expected an index for each axis",
    note = "`pyslice` and `pyslice_mut` give a view"
)]
pub trait OneElement: Dimension {}
impl OneElement for Ix0 {}
impl OneElement for IxDyn {}

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
            Self::Elem: Clone + core::ops::$op,
            I: SliceOf<Self::Dim>,
            V: Values<Self::Elem>,
        {
            update::zip(self.write(), &spec, values.values(), |place, value| {
                core::ops::$op::$method(place, value.clone());
            })
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
            Self::Elem: Clone + core::ops::$op,
            I: SliceOf<Self::Dim>,
            V: Values<Self::Elem>,
        {
            panic_on_error(self.$try_form(spec, values));
        }
    };
}
pub(super) use operation;

/// The methods of `PySlice` that change elements in place, or look at one.
macro_rules! methods {
    () => {
        $crate::nd::update::operation!(
            "+=",
            try_pyslice_add_assign,
            pyslice_add_assign,
            AddAssign::add_assign,
            "1.",
            "[[10., 6., 8.], [5., 5., 11.]]"
        );
        $crate::nd::update::operation!(
            "-=",
            try_pyslice_sub_assign,
            pyslice_sub_assign,
            SubAssign::sub_assign,
            "1.",
            "[[6., 6., 0.], [-1., 3., 1.]]"
        );
        $crate::nd::update::operation!(
            "*=",
            try_pyslice_mul_assign,
            pyslice_mul_assign,
            MulAssign::mul_assign,
            "3.",
            "[[16., 6., 16.], [12., 12., 72.]]"
        );
        $crate::nd::update::operation!(
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
            update::zip(self.write(), &spec, values.view(), f)
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
            Self::Elem: Clone + core::ops::AddAssign,
            I: SliceOf<Self::Dim>,
            J: SliceOf<Self::Dim>,
        {
            self.try_pyslice_zip_within(from, to, |place, value| {
                core::ops::AddAssign::add_assign(place, value.clone());
            })
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
            Self::Elem: Clone + core::ops::AddAssign,
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
        fn try_pyslice_zip_within<I, J, F>(
            &mut self,
            from: I,
            to: J,
            f: F,
        ) -> Result<(), SliceError>
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
        #[cfg_attr(not(debug_assertions), inline(always))]
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
        #[cfg_attr(not(debug_assertions), inline(always))]
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
    };
}
pub(super) use methods;
