//! The dimension type of a result: [`SliceOf`].

use crate::view;
use ndarray::{
    ArrayBase, Dim, Dimension, IntoDimension, Ix, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn, RawData,
};
use slice_core::{AsSpec, OnAxis, Rank, SliceRank, Spec, SpecBuf, SpecRef};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// A slice of an array whose dimension type is `D`.
///
/// The type of `s![...]` has its change of rank, so an array of `Ix0` to `Ix6` gives a result of
/// such a type (`IxDyn` above six axes). A slice known only at run time ([`SpecBuf`], [`SpecRef`]),
/// or an array of `IxDyn`, gives `IxDyn`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot slice an array of dimension `{D}`; a slice is the value of \
               `s![...]`, a `SpecBuf` or a `SpecRef`",
    label = "this is `{Self}`",
    note = "write `s![1:3]` instead of a Rust range or a tuple, `s![i]` for an index, \
            `text.parse::<SpecBuf>()?` for text, and `?` behind a `Result`; a `Plan` is for plain \
            slices: write the slice that it was made of",
    note = "for ndarray's own `s![a..b]`, call `slice`, or import `pyslice::s` by its name",
    note = "NumPy's `x[[0, 2]]` is `x.select(Axis(0), &[0, 2])`, `x[mask]` is `x.iter()` with a \
            `filter`, and `x[mask] = v` is `x.mapv_inplace(|a| ...)`; \
            `SpecBuf::from_entries(list)?` is `x[tuple(list)]`, an entry for each axis",
    note = "where the dimension `D` is generic, write `s![1:].on_axis(0)`, or `.on_axis(-1)` for \
            `s![..., 1:]`, which give `D` too, or bound the slice's type, as in `where Spec<1>: \
            pyslice::nd::SliceOf<D, Out = D>`, or write `s![1:].as_ref()`, which gives `IxDyn`",
    note = "where the slice is `impl AsSpec`, write `slice.as_spec()`, which gives `IxDyn`"
)]
pub trait SliceOf<D: Dimension>: AsSpec + sealed::Sealed {
    /// The dimension type of the result.
    type Out: Dimension;

    /// `Out::zeros`, of four axes or fewer if `Out` is `IxDyn`.
    #[doc(hidden)]
    #[inline]
    fn zeros(rank: usize) -> Self::Out
    where
        Self: Sized,
    {
        Self::Out::zeros(rank)
    }

    /// What the slice left of an array, as an array of the result's dimension type.
    #[doc(hidden)]
    #[inline]
    fn known<S: RawData, E: Dimension>(array: ArrayBase<S, E>) -> Option<ArrayBase<S, Self::Out>>
    where
        Self: Sized,
    {
        array.into_dimensionality().ok()
    }
}

mod sealed {
    pub trait Sealed {}
}

impl<const L: usize, const T: usize, const R: usize, const A: usize> sealed::Sealed
    for Spec<L, T, R, A>
{
}
impl<S> sealed::Sealed for OnAxis<S> {}
impl sealed::Sealed for SpecBuf {}
impl sealed::Sealed for SpecRef<'_> {}

// The compiler may name this one: it then says which rank a slice does not fit.
impl<const N: usize, const L: usize, const T: usize, const R: usize, const A: usize>
    SliceOf<Dim<[Ix; N]>> for Spec<L, T, R, A>
where
    Dim<[Ix; N]>: Dimension,
    Self: SliceRank<N, Out: DimOf>,
{
    type Out = <<Self as SliceRank<N>>::Out as DimOf>::Dim;
}
// The compiler would list these beneath the message above, and blame `str` where `&str` was given.
#[diagnostic::do_not_recommend]
impl<const L: usize, const T: usize, const R: usize, const A: usize> SliceOf<IxDyn>
    for Spec<L, T, R, A>
{
    type Out = IxDyn;

    #[inline]
    fn zeros(rank: usize) -> IxDyn {
        view::zeros(rank)
    }

    #[inline]
    fn known<S: RawData, E: Dimension>(array: ArrayBase<S, E>) -> Option<ArrayBase<S, IxDyn>> {
        Some(array.into_dyn())
    }
}
#[diagnostic::do_not_recommend]
impl<D: Dimension> SliceOf<D> for SpecBuf {
    type Out = IxDyn;

    #[inline]
    fn zeros(rank: usize) -> IxDyn {
        view::zeros(rank)
    }

    #[inline]
    fn known<S: RawData, E: Dimension>(array: ArrayBase<S, E>) -> Option<ArrayBase<S, IxDyn>> {
        Some(array.into_dyn())
    }
}
#[diagnostic::do_not_recommend]
impl<D: Dimension> SliceOf<D> for SpecRef<'_> {
    type Out = IxDyn;

    #[inline]
    fn zeros(rank: usize) -> IxDyn {
        view::zeros(rank)
    }

    #[inline]
    fn known<S: RawData, E: Dimension>(array: ArrayBase<S, E>) -> Option<ArrayBase<S, IxDyn>> {
        Some(array.into_dyn())
    }
}

/// On an axis known at run time a slice changes the rank as on any other, so the dimension of the
/// array may be generic.
macro_rules! on_axis {
    ($($drops:literal $adds:literal $out:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<D: Dimension, const L: usize, const T: usize> SliceOf<D>
            for OnAxis<Spec<L, T, $drops, $adds>>
        {
            type Out = $out;
        }
    )* };
}
on_axis! {
    0 0 D;
    1 0 D::Smaller;
    2 0 <D::Smaller as Dimension>::Smaller;
    0 1 D::Larger;
    0 2 <D::Larger as Dimension>::Larger;
    1 1 <D::Smaller as Dimension>::Larger;
}

/// A pointer to a slice is a slice, as for `AsSpec`. A `Cow` must be of a type that is `Clone`,
/// since then no code of a user runs when it is read: a slice that changes from one reading to the
/// next would give views that overlap ([`SlicesOf`](super::SlicesOf)).
macro_rules! pointers {
    ($([$($bounds:tt)*] $pointer:ty),*) => { $(
        impl<T: sealed::Sealed $($bounds)* + ?Sized> sealed::Sealed for $pointer {}
        #[diagnostic::do_not_recommend]
        impl<D: Dimension, T: SliceOf<D> $($bounds)* + ?Sized> SliceOf<D> for $pointer {
            type Out = T::Out;
        }
    )* };
}
pointers!([] &T, [] &mut T, [] Box<T>, [] Rc<T>, [] Arc<T>, [+ Clone] Cow<'_, T>);

/// The size of a window of an array of dimension `D`: a length for each axis, by value, in any form
/// that ndarray takes for a shape.
///
/// # Examples
///
/// ```
/// use ndarray::{Dim, Ix2};
/// use pyslice::nd::WindowSize;
///
/// let sizes: [Ix2; 3] = [[4, 6].into_size(), (4, 6).into_size(), Dim([4, 6]).into_size()];
/// assert_eq!(sizes, [Dim([4, 6]); 3]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the size of a window of an array of dimension `{D}`; a size has a \
               `usize` for each axis",
    label = "this is `{Self}`",
    note = "write `[9, 2]` or `(9, 2)`, not a reference, for an array with two axes; the window \
            has as many axes as the array",
    note = "where the number of axes is known only at run time (`IxDyn`), write `&[9, 2][..]` or a \
            vector"
)]
pub trait WindowSize<D: Dimension> {
    /// The lengths.
    fn into_size(self) -> D;
}

#[diagnostic::do_not_recommend]
impl<D: Dimension, S: IntoDimension<Dim = D>> WindowSize<D> for S {
    #[inline]
    fn into_size(self) -> D {
        self.into_dimension()
    }
}

/// A rank as ndarray's dimension type.
pub trait DimOf {
    /// That type.
    type Dim: Dimension;
}

macro_rules! dims {
    ($($n:literal $dim:ty),*) => { $(
        impl DimOf for Rank<$n> {
            type Dim = $dim;
        }
    )* };
}
dims!(0 Ix0, 1 Ix1, 2 Ix2, 3 Ix3, 4 Ix4, 5 Ix5, 6 Ix6);
dims!(7 IxDyn, 8 IxDyn, 9 IxDyn, 10 IxDyn, 11 IxDyn, 12 IxDyn, 13 IxDyn, 14 IxDyn, 15 IxDyn);
dims!(16 IxDyn);
