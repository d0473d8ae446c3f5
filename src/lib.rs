//! Python slice syntax for Rust tensors, parsed, checked and encoded at compile time.
//!
//! With feature `ndarray`, the trait `PySlice` slices ndarray's arrays and views:
//!
//! ```
//! use ndarray::{Array3, ArrayView2};
//! use pyslice::{PySlice, s};
//!
//! let mut photo = Array3::<u8>::zeros((600, 512, 3));
//! let red: ArrayView2<u8> = photo.pyslice(s![:, ::-1, 0]); //  photo[:, ::-1, 0]
//! assert_eq!(red.dim(), (600, 512));
//!
//! photo.pyslice_fill(s![-10:], 255); //                        photo[-10:] = 255
//! let (top, left) = (40, 136);
//! let face = photo.pyslice(s![top:top + 300, left:left + 256]);
//! assert_eq!(face.dim(), (300, 256, 3));
//! ```
//!
//! Without an array library, a slice is planned for a shape, and the plan moves elements:
//!
//! ```
//! use pyslice::s;
//!
//! let x: Vec<i32> = (0..24).collect(); //                  x = np.arange(24).reshape(2, 3, 4)
//! let plan = s![1, ::-1, 1:3].plan(&[2, 3, 4])?; //        x[1, ::-1, 1:3]
//! assert_eq!(plan.shape(), [3, 2]);
//! assert_eq!(plan.copy(&x)?, [21, 22, 17, 18, 13, 14]);
//! # Ok::<(), pyslice::SliceError>(())
//! ```
//!
//! A slice goes through three stages. Each stage is a value that you can keep, compare and reuse:
//!
//! 1. [`s!`] makes a [`Spec`]: begin, end, strides and five masks, as in TensorFlow's StridedSlice.
//!    It is a constant unless it contains values known only at run time. Text makes a [`SpecBuf`]
//!    (`"1, ::2".parse()`), and so do other systems' encodings ([`SpecBuf::from_masks`],
//!    [`from_axes`](SpecBuf::from_axes), feature `interop`) and a [builder](SpecBuf::builder).
//!    [`SpecRef`] borrows any of them.
//! 2. [`plan`](Spec::plan) makes a [`Plan`] for one shape: the shape of the result, strides and
//!    offset. Python's rules hold: negative positions count from the end, ranges are clamped,
//!    indices are not. [`plan!`] does it at compile time.
//! 3. The plan's methods move elements: [`copy`](Plan::copy), [`assign`](Plan::assign),
//!    [`fill`](Plan::fill), [`add_assign`](Plan::add_assign), [`grad`](Plan::grad) and others.
//!    [`then`](Plan::then) slices a slice, [`chunks`](Plan::chunks) cuts one along a grid,
//!    [`overlaps`](Plan::overlaps) compares two.
//!
//! [NumPy to pyslice](https://github.com/pyslice/pyslice/blob/main/docs/numpy.md) has every form of
//! NumPy's slices with its result, and NumPy's assignments and functions.
//!
//! # For library authors
//!
//! Take `impl AsSpec` ([`AsSpec`]) where your users write a slice, and plan it with
//! [`plan_strided_at`](Spec::plan_strided_at) against your shape, strides and offset: the plan has
//! those of the view. Or keep the plan itself, which is sliced, permuted, broadcast and reshaped
//! again ([`then`](Plan::then), [`permute`](Plan::permute), [`broadcast_to`](Plan::broadcast_to),
//! [`reshape`](Plan::reshape)), and moves elements of any type, or bytes
//! ([`bytes`](Plan::bytes)). [`SliceRank`] gives the rank of the result at compile time.
//! `pub use pyslice::s;` re-exports the macro under your own crate's name, and your users need not
//! depend on this one. [`library_authors`] goes from the argument to the gradient.
//!
//! ```
//! use pyslice::{AsSpec, SliceError, s};
//!
//! /// A view: what a tensor library keeps of a slice.
//! struct View {
//!     offset: usize,
//!     shape: Vec<usize>,
//!     strides: Vec<isize>,
//! }
//!
//! impl View {
//!     fn slice(&self, spec: impl AsSpec) -> Result<View, SliceError> {
//!         let plan = spec.as_spec().plan_strided_at(&self.shape, &self.strides, self.offset)?;
//!         let (shape, strides) = (plan.shape().to_vec(), plan.strides().to_vec());
//!         Ok(View { offset: plan.offset(), shape, strides })
//!     }
//! }
//!
//! let matrix = View { offset: 0, shape: vec![3, 5], strides: vec![5, 1] };
//! let view = matrix.slice(s![-1, None, ::-2])?;
//! assert_eq!((view.offset, view.shape.as_slice()), (14, &[1, 3][..]));
//! assert_eq!(view.strides, [0, -2]);
//! assert_eq!(view.slice(s![0, 1:])?.offset, 12);
//! # Ok::<(), SliceError>(())
//! ```
//!
//! # What it does not do
//!
//! Only basic slicing is supported: lists, arrays and boolean masks as indices are compile errors.
//! The crate has no array type; feature `ndarray` adds methods to ndarray's. A slice has at most 31
//! entries.
//!
//! # Features
//!
//! - `std` (default): kernels are chosen by the CPU at run time. Without it the crate is `no_std`
//!   and needs `alloc`.
//! - `ndarray`: the extension trait `PySlice` for ndarray 0.17.
//! - `interop`: the module `interop`, which reads and writes the slicing operators of TensorFlow,
//!   ONNX, OpenVINO, PyTorch and others.
//! - `serde`: serialises slices, plans and chunks; what is read is checked.
//! - `avx512` (on by default): kernels for AVX-512, used where the CPU has it.
//! - `rayon`: `par` of [`View`] and [`ViewMut`], on rayon's current pool. Other calls stay on one
//!   thread unless the program calls `kernel::set_parallel_threshold`.
//!
//! The crate needs Rust 1.89 or later.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// Features of slice-core that this crate always enables, and does not have itself.
#![cfg_attr(docsrs, allow(unexpected_cfgs))]
#![cfg_attr(docsrs, doc(auto_cfg(hide(feature = "kernels", feature = "toolkit"))))]

pub use slice_core::*;
// Modules, and not crates under another name, so that the compiler's suggestions are paths that
// exist. Their pages are those of the crates.
/// The crate `slice-interop`.
#[cfg(all(feature = "interop", not(doc)))]
pub mod interop {
    pub use slice_interop::*;
}
#[cfg(all(feature = "interop", doc))]
#[cfg_attr(docsrs, doc(auto_cfg = false), doc(cfg(feature = "interop")))]
#[doc(inline)]
pub use slice_interop as interop;
/// The crate `slice-ndarray`.
#[cfg(all(feature = "ndarray", not(doc)))]
pub mod nd {
    pub use slice_ndarray::*;
}
#[cfg(all(feature = "ndarray", doc))]
#[cfg_attr(docsrs, doc(auto_cfg = false), doc(cfg(feature = "ndarray")))]
#[doc(inline)]
pub use slice_ndarray as nd;
// By its name, so that the compiler can name the feature to those who have not enabled it.
#[cfg(feature = "ndarray")]
pub use slice_ndarray::PySlice;

/// Names that the macros' expansions use. They are not public.
#[doc(hidden)]
pub mod __private {
    pub use slice_core::__private::*;
    pub use slice_macros::{plan_impl, s_impl};
}

/// Makes a slice from Python's syntax, at compile time.
///
/// Entries are separated by commas; every `:` outside of brackets separates start, stop and step,
/// so a path stands in parentheses.
///
/// | entry | what it does |
/// | --- | --- |
/// | `3`, `-1` | takes an axis and drops it |
/// | `a:b`, `a:b:c`, `:`, `::-1`, `a:`, `:b` | a range of an axis; a bound left out (or `None`) reaches to the end of the axis |
/// | `None`, `newaxis`, `np.newaxis`, `numpy.newaxis`, `tf.newaxis` | adds an axis of length 1 |
/// | `...`, `Ellipsis` | as many whole axes as needed |
/// | `n`, `-n:`, `n - 1:`, `x.len():`, `{ n }:` | any integer known at run time; as a bound or a step also an `Option` of one |
/// | `const { N }` | an integer known to the compiler |
///
/// A minus sign before a value works for every integer type, unsigned ones too, alone and at the
/// beginning of a sum: `-n`, `-x.len() - 1`. Other calculations follow Rust's rules.
///
/// A slice without values known only at run time is a constant of type [`Spec`]. It can be used in
/// `const` and `static`, and no code runs for it. Paths and generic calls need parentheses, because
/// their `::` would be two colons: `(usize::MAX)`.
///
/// # Errors
///
/// Anything that is not a slice does not compile. All mistakes in a call are reported, each with
/// what to write instead. Only a step of 0 that is the value of a constant, as in
/// `s![::const { STEP }]`, passes `cargo check` and is refused by `cargo build`: `STEP` may be a
/// generic parameter, and then the compiler evaluates it no sooner. Without a name that could be
/// one, as in `const { 1 - 1 }`, both refuse it.
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
/// // `as_ref()` or `to_buf()` gives slices of different types one type.
/// let either = if row == 1 { s![1:].as_ref() } else { s![0].as_ref() };
/// assert_eq!(either.plan(&[2, 3])?.copy(&pixels)?, [4, 5, 6]);
/// assert_eq!(s![row, ::-1].plan(&[2, 3])?.copy(&pixels)?, [6, 5, 4]);
/// assert_eq!(CROP.plan(&[2, 3])?.shape(), [0, 1]);
/// assert_eq!(VIEWS[0].plan(&[2, 3])?.copy(&pixels)?, [1, 2, 3]);
/// # Ok::<(), pyslice::SliceError>(())
/// ```
///
/// # Source
///
/// Python's grammar of subscripts; the encoding is TensorFlow's StridedSlice.
#[doc(alias = "s_", alias = "index_exp", alias = "slice")]
#[macro_export]
macro_rules! s {
    ($($tokens:tt)*) => {
        $crate::__private::s_impl!([$crate] $($tokens)*)
    };
}

/// The same macro as [`s!`], under a name that does not clash with ndarray's and burn's.
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

/// Makes a plan at compile time, from a shape, a semicolon, and a slice as in [`s!`].
///
/// Range bounds outside their axis are clamped. With `; strict` after the slice they are compile
/// errors, as they are errors at run time for `s![...].strict()`.
///
/// The result is a constant of type [`FixedPlan<IN, OUT>`](FixedPlan). The shape is written out, or
/// is a constant of type `[usize; IN]`; values in the slice are literals or `const { N }`.
///
/// # Errors
///
/// An index outside its axis, more entries than axes, and a shape that is too large do not compile.
/// With `strict`, a bound outside its axis does not compile either.
///
/// `cargo check` and editors see this where every length and value is a literal, the shape is one
/// constant, or no name could be a generic parameter (`const { config::PAD + 1 }`). `[4, N]` and
/// `const { N }` may be generic, and the compiler evaluates them when it generates code: what is
/// wrong only by the value of `N` is refused by `cargo build`.
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
/// ```compile_fail
/// # use pyslice::plan;
/// assert_eq!(plan!([4, 6]; :, 2:9).shape(), &[4, 4]);
/// // bound 9 is outside axis 1 of length 6
/// plan!([4, 6]; :, 2:9; strict);
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

#[cfg(any(doc, doctest))]
#[doc = include_str!("../docs/library-authors.md")]
pub mod library_authors {}
