//! The rank of a result, known to the compiler: [`SliceRank`].

use crate::encoding::{AsSpec, OnAxis, Spec};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::sync::Arc;
use core::fmt;

/// A number of axes as a type, so that the rank of a result can be named before the array exists.
///
/// No value of it is ever made: `Out = Rank<OUT>` in a bound lets the compiler find `OUT`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Rank<const N: usize>;

impl<const N: usize> fmt::Debug for Rank<N> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rank<{N}>")
    }
}

/// A slice that gives a result of known rank on an array of `IN` axes, for ranks up to 16.
///
/// The rank is `IN - indices + new axes`, which the compiler computes from the type of `s![...]`. A
/// slice that names more axes than the array has does not compile. Slices known only at run time
/// ([`SpecBuf`](crate::SpecBuf), [`SpecRef`](crate::SpecRef)) have no such rank; take those through
/// [`AsSpec`] and return a result of dynamic rank.
///
/// # Examples
///
/// A tensor type of your own whose rank is a const generic: one method, and `OUT` is inferred.
///
/// ```
/// use pyslice::{Rank, SliceError, SliceRank, s};
///
/// struct View<'a, const N: usize> {
///     data: &'a [f32],
///     shape: [usize; N],
///     strides: [isize; N],
///     offset: usize,
/// }
///
/// impl<'a, const N: usize> View<'a, N> {
///     fn slice<S, const OUT: usize>(&self, spec: S) -> Result<View<'a, OUT>, SliceError>
///     where
///         S: SliceRank<N, Out = Rank<OUT>>,
///     {
///         let plan = spec.as_spec().plan_strided_at(&self.shape, &self.strides, self.offset)?;
///         let ranks = SliceError::RankMismatch { expected: OUT, found: plan.shape().len() };
///         Ok(View {
///             data: self.data,
///             shape: plan.shape().try_into().map_err(|_| ranks)?,
///             strides: plan.strides().try_into().map_err(|_| ranks)?,
///             // Where element [0, 0, …] is, in `data`: the next slice starts from there.
///             offset: plan.offset(),
///         })
///     }
/// }
///
/// let data = [0., 1., 2., 3., 4., 5.];
/// let matrix = View { data: &data, shape: [2, 3], strides: [3, 1], offset: 0 };
/// let row: View<2> = matrix.slice(s![1, None, 1:])?; // the annotation can be left out
/// assert_eq!((row.shape, row.strides, row.offset), ([1, 2], [0, 1], 4));
/// assert_eq!(row.data[row.offset], 4.0);
/// // x[:, ::-1][0, 1:]
/// let end = matrix.slice(s![:, ::-1])?.slice(s![0, 1:])?;
/// assert_eq!((end.shape, end.strides, end.offset), ([2], [-1], 1));
/// # Ok::<(), SliceError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a slice from which the compiler knows the rank of the result; \
               `s![...]` is",
    label = "this is `{Self}`",
    note = "write `s![1:3]` instead of a Rust range or a tuple, `s![i]` for an index; for a slice \
            known only at run time (`SpecBuf`, `SpecRef`), use the form of this call that gives a \
            result of dynamic rank"
)]
pub trait SliceRank<const IN: usize>: AsSpec {
    /// [`Rank<OUT>`](Rank), where `OUT` is the number of axes of the result.
    type Out;
}

impl<const IN: usize, const LEN: usize, const TAKES: usize, const DROPS: usize, const ADDS: usize>
    SliceRank<IN> for Spec<LEN, TAKES, DROPS, ADDS>
where
    Rank<IN>: AtMost16,
    <Rank<IN> as AtMost16>::Rank: HasAxes<TAKES>,
    <<Rank<IN> as AtMost16>::Rank as HasAxes<TAKES>>::Rank: Minus<DROPS>,
    Left<IN, TAKES, DROPS>: Plus<ADDS>,
{
    type Out = <Left<IN, TAKES, DROPS> as Plus<ADDS>>::Out;
}

#[diagnostic::do_not_recommend]
impl<S: SliceRank<IN>, const IN: usize> SliceRank<IN> for OnAxis<S>
where
    OnAxis<S>: AsSpec,
{
    type Out = S::Out;
}

/// What is left of the axes. Each step names the one before, so that the compiler speaks only of
/// the first that fails.
type Left<const IN: usize, const TAKES: usize, const DROPS: usize> =
    <<<Rank<IN> as AtMost16>::Rank as HasAxes<TAKES>>::Rank as Minus<DROPS>>::Out;

macro_rules! pointers {
    ($([$($bounds:tt)*] $pointer:ty),*) => { $(
        #[diagnostic::do_not_recommend]
        impl<const IN: usize, T: SliceRank<IN> $($bounds)*> SliceRank<IN> for $pointer {
            type Out = T::Out;
        }
    )* };
}
pointers!([] &T, [] &mut T, [] Box<T>, [] Rc<T>, [] Arc<T>, [+ Clone] Cow<'_, T>);

/// A rank that the compiler can calculate with.
#[diagnostic::on_unimplemented(
    message = "the compiler cannot tell the rank of a slice of an array of `{Self}`",
    label = "`{Self}` is above 16, or generic",
    note = "the compiler knows ranks from 0 to 16; where the rank is generic, bound the slice's \
            type, as in `Spec<1>: SliceRank<N, Out = Rank<M>>`"
)]
pub trait AtMost16 {
    /// That rank.
    type Rank;
}

/// A rank of at least `N`: what a slice that takes `N` axes needs.
#[diagnostic::on_unimplemented(
    message = "the slice takes more axes ({N}) than an array of `{Self}` is known to have",
    label = "too many indices and ranges for `{Self}`",
    note = "each index and each range takes one axis of the array; `None` and `...` take none",
    note = "remove entries, or insert axes with `None` in a slice before this one; where the rank \
            is generic, bound the slice's type, as in `Spec<1>: SliceRank<N, Out = Rank<M>>`"
)]
pub trait HasAxes<const N: usize> {
    /// That rank.
    type Rank;
}
#[diagnostic::do_not_recommend]
impl<const M: usize, const N: usize> HasAxes<N> for Rank<M>
where
    Rank<M>: Minus<N>,
{
    type Rank = Rank<M>;
}

/// The rank that is left when `N` axes are dropped.
pub trait Minus<const N: usize> {
    /// That rank.
    type Out;
}

/// The rank of the result when `N` axes are added.
#[diagnostic::on_unimplemented(
    message = "the result of this slice has more than 16 axes: `{Self}` and {N} new ones",
    label = "too many new axes",
    note = "the compiler knows ranks from 0 to 16; beyond that, slice with a `SpecBuf`"
)]
pub trait Plus<const N: usize> {
    /// That rank.
    type Out;
}

/// One row of the addition table, in both directions: `Rank<m> + n = Rank<o>`. It is written out
/// because the compiler takes three times as long for `Rank<{ m + n }>`.
macro_rules! sums {
    ($m:literal: $($n:literal)* => $($o:literal)*) => {
        #[diagnostic::do_not_recommend]
        impl AtMost16 for Rank<$m> {
            type Rank = Rank<$m>;
        }
        $(
        #[diagnostic::do_not_recommend]
        impl Plus<$n> for Rank<$m> {
            type Out = Rank<$o>;
        }
        #[diagnostic::do_not_recommend]
        impl Minus<$n> for Rank<$o> {
            type Out = Rank<$m>;
        }
        )*
    };
}
sums!(0: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 => 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
sums!(1: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 => 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
sums!(2: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 => 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
sums!(3: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 => 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
sums!(4: 0 1 2 3 4 5 6 7 8 9 10 11 12 => 4 5 6 7 8 9 10 11 12 13 14 15 16);
sums!(5: 0 1 2 3 4 5 6 7 8 9 10 11 => 5 6 7 8 9 10 11 12 13 14 15 16);
sums!(6: 0 1 2 3 4 5 6 7 8 9 10 => 6 7 8 9 10 11 12 13 14 15 16);
sums!(7: 0 1 2 3 4 5 6 7 8 9 => 7 8 9 10 11 12 13 14 15 16);
sums!(8: 0 1 2 3 4 5 6 7 8 => 8 9 10 11 12 13 14 15 16);
sums!(9: 0 1 2 3 4 5 6 7 => 9 10 11 12 13 14 15 16);
sums!(10: 0 1 2 3 4 5 6 => 10 11 12 13 14 15 16);
sums!(11: 0 1 2 3 4 5 => 11 12 13 14 15 16);
sums!(12: 0 1 2 3 4 => 12 13 14 15 16);
sums!(13: 0 1 2 3 => 13 14 15 16);
sums!(14: 0 1 2 => 14 15 16);
sums!(15: 0 1 => 15 16);
sums!(16: 0 => 16);
