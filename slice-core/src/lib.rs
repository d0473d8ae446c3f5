//! Entries, encoding, planner and kernels of Python slices for Rust tensors.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(not(feature = "kernels"), forbid(unsafe_code))]

extern crate alloc;

#[doc(hidden)]
pub mod __private;
mod algebra;
mod axis;
mod chunks;
mod error;
mod infer;
pub mod interop;
mod plan;
mod rank;
mod spec;
pub mod syntax;
mod words;

#[cfg(feature = "kernels")]
mod assign;
#[cfg(feature = "kernels")]
mod bytes;
#[cfg(feature = "kernels")]
mod copy;
#[cfg(feature = "kernels")]
pub mod kernel;
#[cfg(feature = "ndarray")]
pub mod nd;
#[cfg(feature = "serde")]
mod serialise;
#[cfg(feature = "kernels")]
mod within;

pub use axis::{AxisRun, Bounds, axis_run};
pub use chunks::{Chunk, Chunks};
pub use error::{Buffer, SliceError};
pub use infer::{Dim, Dims};
pub use interop::AxesForm;
#[cfg(feature = "ndarray")]
pub use nd::PySlice;
pub use plan::{FixedPlan, Plan};
pub use rank::{Rank, SliceRank};
pub use spec::{
    AsSpec, Entries, Entry, MAX_ENTRIES, Masks, SliceBound, SliceIndex, Spec, SpecBuf, SpecBuilder, SpecRef,
};
