//! Python slices for Rust tensors: the grammar, encoding, planner and kernels behind
//! [`pyslice`](https://docs.rs/pyslice), without its macros.
//!
//! ```
//! # #[cfg(all(feature = "toolkit", feature = "kernels"))] {
//! use pyslice::s;
//!
//! let x: Vec<i32> = (0..24).collect(); //                  x = np.arange(24).reshape(2, 3, 4)
//! let plan = s![1, ::-1, 1:3].plan(&[2, 3, 4])?; //        x[1, ::-1, 1:3]
//! assert_eq!(plan.shape(), [3, 2]);
//! assert_eq!(plan.copy(&x)?, [21, 22, 17, 18, 13, 14]);
//! # }
//! # Ok::<(), pyslice::SliceError>(())
//! ```
//!
//! Most programs depend on `pyslice`, as this one does. It re-exports all of this crate and adds
//! the macros. Without them, a slice comes from text, from masks, or from another system:
//!
//! ```
//! use slice_core::{SliceError, SpecBuf};
//!
//! let spec: SpecBuf = "1, ::-1, 1:3".parse()?;
//! let plan = spec.plan(&[2, 3, 4])?;
//! assert_eq!((plan.shape(), plan.strides(), plan.offset()), (&[3, 2][..], &[-4, 1][..], 21));
//! # Ok::<(), SliceError>(())
//! ```
//!
//! # Where things are
//!
//! | what you have | what you want | where |
//! | --- | --- | --- |
//! | text, masks, axes | a slice | [`SpecBuf`]: `parse`, [`from_masks`], [`from_axes`], [`builder`] |
//! | a function of any slice | the type of its argument | [`AsSpec`]; [`SliceRank`] has the rank of the result |
//! | a slice, a shape, strides | a view: shape, strides, offset | [`plan`], [`plan_strided`], [`byte_strides`] |
//! | a view: shape, strides, where its first element lies | a slice of it | [`plan_strided_at`] |
//! | a plan | its axes in another order, repeated, split or merged | [`permute`], [`broadcast_to`], [`reshape`] |
//! | bounds that must lie inside | an error instead of clamping | [`strict`] |
//! | a shape that is not fully known | the shape of the result | [`infer_shape`] |
//! | another system's operator, some numbers not known | a slice, or what is known of the shape | the crate [slice-interop] |
//! | a plan and `Copy` elements | to move them | [`Plan`]'s `copy`, `assign`, `fill`, `grad` and so on |
//! | a plan and a buffer | both in one value, to read or to write | [`View`], [`ViewMut`] |
//! | a plan and `Clone` elements | to clone them, or their positions | [`View::iter`], [`offsets`], [`runs`] |
//! | a plan and bytes | the same operations | [`Plan::bytes`] |
//! | a plan and another slice | one plan for both | [`then`] |
//! | two plans over one buffer | whether they share an element | [`overlaps`], [`disjoint`] |
//! | a slice of an index for each axis | its element | [`Plan`]'s `get`, `get_mut` |
//! | a position of the result | its place in the buffer | [`Plan`]'s `offset_at` |
//! | a position of the input | its place in the result | [`inverse`] |
//! | a window that may hang over an edge | what is taken, and where it goes | [`window`](window()) |
//! | an array stored in chunks | the chunks that a slice touches | [`chunks`], [`chunks_of_lengths`] |
//! | a store that reads only forwards | what to read, and how to turn it in memory | [`Plan::forwards`] |
//! | a slice | another system's encoding | [`masks`], [`to_axes`], `Display`; the crate [slice-interop] |
//! | what [`to_axes`] gave | the slice again | [`AxesForm::to_spec`] |
//! | text with mistakes | all of them, with their positions | [`syntax::parse_text`] |
//!
//! [`from_masks`]: SpecBuf::from_masks
//! [`from_axes`]: SpecBuf::from_axes
//! [`builder`]: SpecBuf::builder
//! [`plan`]: Spec::plan
//! [`plan_strided`]: Spec::plan_strided
//! [`byte_strides`]: Plan::byte_strides
//! [`plan_strided_at`]: Spec::plan_strided_at
//! [`permute`]: Plan::permute
//! [`broadcast_to`]: Plan::broadcast_to
//! [`reshape`]: Plan::reshape
//! [`strict`]: Spec::strict
//! [`infer_shape`]: Spec::infer_shape
//! [`then`]: Plan::then
//! [`overlaps`]: Plan::overlaps
//! [`disjoint`]: Plan::disjoint
//! [`inverse`]: Plan::inverse
//! [`masks`]: Spec::masks
//! [`to_axes`]: Spec::to_axes
//! [`offsets`]: Plan::offsets
//! [`runs`]: Plan::runs
//! [`chunks`]: Plan::chunks
//! [`chunks_of_lengths`]: Plan::chunks_of_lengths
//! [slice-interop]: https://docs.rs/slice-interop
//!
//! # What it does not do
//!
//! Only basic slicing is supported: no lists, arrays or boolean masks as indices. A slice has at
//! most 31 entries, as in TensorFlow. A shape, slice or buffer that does not fit gives a
//! [`SliceError`], which carries the numbers. Only these can panic: an element's own operator, a
//! function of yours, and the plain methods for ndarray's arrays.
//!
//! # Features
//!
//! - `std` (default): kernels are chosen by the CPU at run time. Without it the crate is `no_std`
//!   and needs `alloc`.
//! - `kernels` (default): everything that moves elements. Without it there is no unsafe code.
//! - `toolkit` (default, part of `kernels`): the builder, [`FixedPlan`], algebra, chunks, unknown
//!   shapes, the axes form. Without it, only the grammar, the encoding and the planner
//!   are left; the macros are built on these.
//! - `serde`: serialises slices as text or masks, plans as axes, and chunks as plans; what is read
//!   is checked.
//! - `avx512` (on by default): kernels for AVX-512, used where the CPU has it.
//! - `rayon`: `par` of [`View`] and [`ViewMut`], on rayon's current pool. Other calls stay on one
//!   thread unless the program calls `kernel::set_parallel_threshold`.
//!
//! Without features there is one dependency, `smallvec`, which has none of its own. The crate needs
//! Rust 1.89 or later.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "kernels"), forbid(unsafe_code))]
// Nothing may panic. Code that looks as if it could says why it cannot.
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used,
        clippy::expect_used
    )
)]

extern crate alloc;
// Tests always have `std`.
#[cfg(all(test, not(feature = "std")))]
extern crate std;

// From text and numbers to a slice, and from a slice and a shape to a plan.
// One axis: `start:stop:step` and indices by Python's rules.
mod axis;
// Entries, and the numbers and masks that they become: `Spec` and its like.
mod encoding;
// `SliceError`, its fields and its words.
mod error;
// The words of mistakes, and what to write instead.
mod messages;
// All axes: offset, shape and strides.
mod plan;
// The grammar, and what is wrong with a slice that does not follow it.
// `missing_inline_in_public_items`, here and below: what few programs call is `#[inline]`, private
// functions included, so that only these programs compile it.
#[deny(clippy::missing_inline_in_public_items)]
pub mod syntax;

// What can be asked of slices and plans.
#[cfg(feature = "toolkit")]
#[doc(hidden)]
pub mod __private;
// Equality, overlap, inverse, order of moves.
#[cfg(feature = "toolkit")]
#[deny(clippy::missing_inline_in_public_items)]
mod algebra;
// A slice along the grid of a chunked array.
#[cfg(feature = "toolkit")]
#[deny(clippy::missing_inline_in_public_items)]
mod chunks;
// The axes form, and ranges as other systems count them.
#[cfg(feature = "toolkit")]
#[deny(clippy::missing_inline_in_public_items)]
mod forms;
// Shapes that are not fully known.
#[cfg(feature = "toolkit")]
#[deny(clippy::missing_inline_in_public_items)]
mod infer;
// The positions that a plan takes, one by one and in runs.
#[cfg(feature = "toolkit")]
#[deny(clippy::missing_inline_in_public_items)]
mod offsets;
// The rank of a result, in types.
#[cfg(feature = "toolkit")]
mod rank;
// Methods of slices that need modules of this feature.
#[cfg(feature = "toolkit")]
#[deny(clippy::missing_inline_in_public_items)]
mod spec_methods;
// Crops that hang over an edge.
#[cfg(feature = "toolkit")]
#[deny(clippy::missing_inline_in_public_items)]
mod window;

// What moves elements.
#[cfg(feature = "kernels")]
pub mod kernel;
// A loop over two arrays, and the fewest that visit all positions.
#[cfg(feature = "kernels")]
mod loops;
#[cfg(feature = "kernels")]
mod ops;
// Slices of arrays that have strides of their own: what the crate slice-ndarray builds on.
#[cfg(feature = "kernels")]
mod views;
// Plans, slices and chunks through serde.
#[cfg(feature = "serde")]
mod serialise;

pub use axis::{AxisRun, axis_run};
pub use encoding::{
    AsSpec, Entries, Entry, IntoEntries, IntoEntry, MAX_ENTRIES, Masks, Spec, SpecBuf, SpecRef,
};
pub use error::{Buffer, Lengths, SliceError};
#[cfg(feature = "kernels")]
pub use ops::{Bytes, Iter, Out, Shaped, Values, View, ViewMut};
pub use plan::Plan;

#[cfg(feature = "toolkit")]
pub use {
    algebra::Position,
    chunks::{Chunk, Chunks},
    encoding::{OnAxis, SliceAxis, SliceBound, SliceIndex, SpecBuilder},
    forms::{AxesForm, StepRange},
    infer::{Dim, Dims},
    offsets::{Offsets, Runs},
    plan::FixedPlan,
    plan::relayout::Stride,
    rank::{Rank, SliceRank},
    window::window,
};

/// Runs the example of the README, which registries show, with those of the documentation.
#[cfg(all(doctest, feature = "kernels"))]
#[doc = include_str!("../README.md")]
struct Readme;
