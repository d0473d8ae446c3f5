//! Other systems' encodings, in and out.
//!
//! Each module reads the slicing operators of one system, by that system's own rules. Its functions
//! return an [`Operator`], whose methods give a slice, or as much of the result's shape as is
//! known. In the other direction, [`Plan::write`](crate::Plan::write) takes a [`Form`] and returns
//! the numbers that the operator carries. [Systems] describes how the systems differ; "recorded
//! answers" are those of the systems themselves, which the repository's tests compare with.
//!
//! [Systems]: https://github.com/pyslice/pyslice/blob/main/docs/systems.md
//!
//! | system | operator | read by | written by |
//! | --- | --- | --- | --- |
//! | TensorFlow | `StridedSlice` | [`SpecBuf::from_masks`](crate::SpecBuf::from_masks), [`tf::strided_slice`] | [`Plan::to_spec`](crate::Plan::to_spec) |
//! | MindSpore | `StridedSlice` | the same | [`Plan::to_axes`](crate::Plan::to_axes): its kernel gives other values for some new axes |
//! | TensorFlow | `Slice` | [`tf::slice`] | [`tf::SLICE`] |
//! | TFLite, LiteRT | `STRIDED_SLICE` (with `offset`) | [`tflite::strided_slice`] | [`tflite::STRIDED_SLICE`] |
//! | TFLite, LiteRT | `SLICE` | [`tflite::slice`] | [`tflite::SLICE`] |
//! | ONNX | `Slice` | [`SpecBuf::from_onnx`](crate::SpecBuf::from_onnx), [`onnx::slice`] | [`Plan::to_axes`](crate::Plan::to_axes) |
//! | PaddlePaddle | `strided_slice` | [`SpecBuf::from_axes`](crate::SpecBuf::from_axes), [`paddle::strided_slice`] | [`Plan::to_axes`](crate::Plan::to_axes) |
//! | OpenVINO | `StridedSlice` | [`openvino::strided_slice`] | [`openvino::STRIDED_SLICE`] |
//! | XLA, StableHLO | `slice` | [`hlo::slice`] | [`hlo::SLICE`] |
//! | XLA, StableHLO | `dynamic_slice`, `dynamic_update_slice` | [`hlo::dynamic_slice`] | [`hlo::DYNAMIC_SLICE`] |
//! | MLIR | `tensor.extract_slice`, `memref.subview` | [`mlir::extract_slice`] | [`mlir::EXTRACT_SLICE`] |
//! | PyTorch | `slice.Tensor`, `select.int`, `unsqueeze` | [`aten::chain`] | [`aten::steps`] |
//! | Core ML | `slice_by_size` | [`coreml::slice_by_size`] | [`coreml::SLICE_BY_SIZE`] |
//! | DirectML | `SLICE1`, `SLICE` | [`directml::slice1`], [`directml::slice`] | [`directml::SLICE1`], [`directml::SLICE`] |
//! | TensorRT | `ISliceLayer` | [`tensorrt::slice`] | [`tensorrt::SLICE`] |
//! | C++ | `submdspan` | [`mdspan::submdspan`] | [`mdspan::slices`] |
//! | HDF5 | hyperslabs | [`hdf5::hyperslab`] | [`hdf5::HYPERSLAB`] |
//! | ndarray, burn | `start..end;step` | [`StepRange`] | [`Plan::to_step_ranges`](crate::Plan::to_step_ranges) |

pub mod aten;
mod axes;
pub mod coreml;
pub mod directml;
pub mod hdf5;
pub mod hlo;
pub mod mdspan;
pub mod mlir;
pub mod onnx;
pub mod openvino;
mod operator;
pub mod paddle;
mod ranges;
pub mod tensorrt;
pub mod tf;
pub mod tflite;
mod walk;
mod window;
mod write;

pub use axes::AxesForm;
pub use operator::{Ints, Operator};
pub use ranges::{Bound, StepRange};
pub use write::{Form, Written};
