//! Python slice syntax for Rust tensors, at compile time.
#![cfg_attr(not(feature = "std"), no_std)]

pub use slice_core::*;

/// What the macros' expansions name; nothing here is for people.
#[doc(hidden)]
pub mod __private {
    pub use slice_core::__private::*;
    pub use slice_macros::{plan_impl, s_impl};
}

/// A slice, written as in Python and read by the compiler.
///
/// Entries are separated by commas; every `:` outside of brackets is a colon of the slice.
///
/// | entry | what it does |
/// | --- | --- |
/// | `3`, `-1` | takes an axis and drops it |
/// | `a:b`, `a:b:c`, `:`, `::-1`, `a:`, `:b` | a range of an axis; a bound left out (or `None`) is the end that the step comes from or goes to |
/// | `None`, `newaxis`, `np.newaxis` | adds an axis of length 1 |
/// | `...`, `Ellipsis` | as many whole axes as are needed |
/// | `n`, `n - 1:`, `x.len():`, `{ n }:` | any integer known at run time; as a bound or a step also an `Option` of one |
/// | `const { N }` | an integer known to the compiler |
///
/// A slice without values of run time is a constant of type [`Spec`], usable in `const` and `static`; no code runs
/// for it. Paths and generic calls need parentheses, because their `::` would be two colons: `(usize::MAX)`.
///
/// # Errors
///
/// What is no slice does not compile. Every mistake of a call is reported, with what to write instead.
///
/// # Examples
///
/// ```
/// use pyslice::{Spec, SpecRef, s};
///
/// const CROP: Spec<2> = s![1:-1, 1:-1];
/// static VIEWS: [SpecRef<'static>; 2] = [s![0, ...].as_ref(), s![..., ::-1].as_ref()];
///
/// let pixels = [1, 2, 3, 4, 5, 6];
/// let row = 1;
/// assert_eq!(s![row, ::-1].plan(&[2, 3])?.copy(&pixels)?, [6, 5, 4]);
/// assert_eq!(CROP.plan(&[2, 3])?.shape(), [0, 1]);
/// assert_eq!(VIEWS[0].plan(&[2, 3])?.copy(&pixels)?, [1, 2, 3]);
/// # Ok::<(), pyslice::SliceError>(())
/// ```
///
/// # Source
///
/// Python's grammar of subscripts; the encoding is TensorFlow's StridedSlice.
#[macro_export]
macro_rules! s {
    ($($tokens:tt)*) => {
        $crate::__private::s_impl!([$crate] $($tokens)*)
    };
}

/// [`s!`] under a name that ndarray and burn do not have.
///
/// # Examples
///
/// ```
/// use pyslice::{py, s};
///
/// assert_eq!(py![1, ::2], s![1, ::2]);
/// ```
#[macro_export]
macro_rules! py {
    ($($tokens:tt)*) => {
        $crate::__private::s_impl!([$crate] $($tokens)*)
    };
}

/// A plan worked out by the compiler: a shape, a semicolon, and a slice as in [`s!`].
///
/// The result is a constant of type [`FixedPlan<IN, OUT>`](FixedPlan). The shape is written out, or is a constant of type
/// `[usize; IN]`; values in the slice are literals or `const { N }`.
///
/// # Errors
///
/// An index outside of its axis, more entries than axes and a shape too large do not compile.
///
/// # Examples
///
/// ```
/// use pyslice::{FixedPlan, plan};
///
/// const P: FixedPlan<3, 2> = plan!([4, 6, 8]; 1, ..., ::2);
/// assert_eq!((P.shape(), P.strides(), P.offset()), (&[6, 4], &[8, 2], 48));
/// ```
///
/// ```compile_fail
/// # use pyslice::plan;
/// // index 7 is outside axis 1 of length 6; use -6 to 5, or a range, which is clamped
/// plan!([4, 6, 8]; 1, 7, ::2);
/// ```
///
/// # Source
///
/// The planner of [`Spec::plan`], evaluated at compile time.
#[macro_export]
macro_rules! plan {
    ($($tokens:tt)*) => {
        $crate::__private::plan_impl!([$crate] $($tokens)*)
    };
}
