//! The slicing operators of other systems, in and out, for
//! [`pyslice`](https://docs.rs/pyslice), which re-exports this crate as `pyslice::interop` with its
//! feature `interop`.
//!
//! ```
//! use pyslice::Dim;
//! use pyslice::interop::{InteropError, Operator, hlo, onnx};
//!
//! // ONNX: Slice(starts=[-1], ends=[INT64_MAX], axes=[1], steps=[-1])
//! let op = onnx::slice(&[-1], &[i64::MAX]).axes(&[1]).steps(&[-1]);
//! let spec = op.to_spec(&[2, 5])?;
//! assert_eq!(spec.to_string(), ":, -1::-1");
//! // The same for an input whose first axis has any length.
//! let dims = op.infer(Some(&[Dim::Unknown, Dim::Known(5)]))?;
//! assert_eq!(*dims.unwrap(), [Dim::Unknown, Dim::Known(5)]);
//!
//! // StableHLO's `slice` has no negative steps, and says so.
//! let refused = hlo::SLICE.write(&spec.plan(&[2, 5])?).unwrap_err().to_string();
//! assert!(refused.starts_with("step -1 on axis 1 is not supported by StableHLO's `slice`;"));
//! # Ok::<(), InteropError>(())
//! ```
//!
//! Each module reads the slicing operators of one system, by that system's own rules. Its functions
//! return an [`Operator`], whose methods give a slice, or as much of the result's shape as is
//! known. In the other direction, a [`Form`] [writes](Form::write) a plan as the numbers that the
//! operator carries. [Systems] describes how the systems differ; "recorded answers" are those of
//! the systems themselves, which the repository's tests compare with.
//!
//! What several systems share is in slice-core: masks ([`SpecBuf::from_masks`]), the axes form
//! ([`SpecBuf::from_axes`], [`AxesForm`]), stepped ranges ([`StepRange`]).
//!
//! [Systems]: https://github.com/pyslice/pyslice/blob/main/docs/systems.md
//! [`SpecBuf::from_masks`]: slice_core::SpecBuf::from_masks
//! [`SpecBuf::from_axes`]: slice_core::SpecBuf::from_axes
//! [`AxesForm`]: slice_core::AxesForm
//! [`StepRange`]: slice_core::StepRange
//! [`Plan::to_spec`]: slice_core::Plan::to_spec
//! [`Plan::to_axes`]: slice_core::Plan::to_axes
//! [`Plan::to_step_ranges`]: slice_core::Plan::to_step_ranges
//!
//! | system | operator | read by | written by |
//! | --- | --- | --- | --- |
//! | TensorFlow | `StridedSlice` | [`SpecBuf::from_masks`], [`tf::strided_slice`] | [`Plan::to_spec`] |
//! | MindSpore | `StridedSlice` | the same | [`Plan::to_axes`]: its kernel gives other values for some new axes |
//! | TensorFlow | `Slice` | [`tf::slice`] | [`tf::SLICE`] |
//! | TFLite, LiteRT | `STRIDED_SLICE` (with `offset`) | [`tflite::strided_slice`] | [`tflite::STRIDED_SLICE`] |
//! | TFLite, LiteRT | `SLICE` | [`tflite::slice`] | [`tflite::SLICE`] |
//! | ONNX | `Slice` | [`onnx::slice`] | [`Plan::to_axes`] |
//! | PaddlePaddle | `strided_slice` | [`SpecBuf::from_axes`], [`paddle::strided_slice`] | [`Plan::to_axes`] |
//! | OpenVINO | `StridedSlice` | [`openvino::strided_slice`] | [`openvino::STRIDED_SLICE`] |
//! | OpenVINO | `Slice` (opset 8) | [`openvino::slice`] | [`Plan::to_axes`] |
//! | XLA, StableHLO | `slice` | [`hlo::slice`] | [`hlo::SLICE`] |
//! | XLA, StableHLO | `dynamic_slice`, `dynamic_update_slice` | [`hlo::dynamic_slice`] | [`hlo::DYNAMIC_SLICE`] |
//! | MLIR | `tensor.extract_slice`, `memref.subview` | [`mlir::extract_slice`] | [`mlir::EXTRACT_SLICE`] |
//! | PyTorch | `slice.Tensor`, `select.int`, `unsqueeze` | [`aten::chain`] | [`aten::steps`] |
//! | Core ML | `slice_by_index` | [`coreml::slice_by_index`] | [`coreml::SLICE_BY_INDEX`] |
//! | Core ML | `slice_by_size` | [`coreml::slice_by_size`] | [`coreml::SLICE_BY_SIZE`] |
//! | DirectML | `SLICE1`, `SLICE` | [`directml::slice1`], [`directml::slice`] | [`directml::SLICE1`], [`directml::SLICE`] |
//! | TensorRT | `ISliceLayer` | [`tensorrt::slice`] | [`tensorrt::SLICE`] |
//! | C++ | `submdspan` | [`mdspan::submdspan`] | [`mdspan::slices`] |
//! | HDF5 | hyperslabs | [`hdf5::hyperslab`] | [`hdf5::HYPERSLAB`] |
//! | ndarray, burn | `start..end;step` | [`StepRange`] | [`Plan::to_step_ranges`] |
#![no_std]
#![forbid(unsafe_code)]
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

// A module for each system.
pub mod aten;
pub mod coreml;
pub mod directml;
pub mod hdf5;
pub mod hlo;
pub mod mdspan;
pub mod mlir;
pub mod onnx;
pub mod openvino;
pub mod paddle;
pub mod tensorrt;
pub mod tf;
pub mod tflite;

// What the readers and the writer share.
mod entries;
mod error;
mod operator;
mod python_range;
mod window;
mod write;

pub use error::{InteropError, Unwritable};
pub use operator::{Ints, Operator};
pub use python_range::Bound;
pub use write::{Form, Written};

/// Runs the example of the README, which registries show, with those of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
