//! Other systems' encodings, in and out.
//!
//! Each module reads the slicing operators of one system, by that system's own rules; the functions
//! make an [`Operator`], which is asked for a slice, or for as much of the result's shape as is
//! known. `docs/systems.md` tells how the systems differ.
//!
//! | system | operator | read by |
//! | --- | --- | --- |
//! | TensorFlow | `StridedSlice`, `Slice` | [`SpecBuf::from_masks`](crate::SpecBuf::from_masks), [`tf::strided_slice`], [`tf::slice`] |
//! | TFLite, LiteRT | `STRIDED_SLICE` (with `offset`), `SLICE` | [`tflite::strided_slice`], [`tflite::slice`] |
//! | ONNX | `Slice` | [`SpecBuf::from_onnx`](crate::SpecBuf::from_onnx), [`onnx::slice`] |
//! | PaddlePaddle | `strided_slice` | [`SpecBuf::from_axes`](crate::SpecBuf::from_axes), [`paddle::strided_slice`] |
//! | OpenVINO | `StridedSlice` | [`openvino::strided_slice`] |
//! | XLA, StableHLO | `slice`, `dynamic_slice`, `dynamic_update_slice` | [`hlo::slice`], [`hlo::dynamic_slice`] |
//! | MLIR | `tensor.extract_slice`, `memref.subview` | [`mlir::extract_slice`] |
//! | PyTorch | `slice.Tensor`, `select.int`, `unsqueeze` | [`aten::chain`] |
//! | Core ML | `slice_by_size` | [`coreml::slice_by_size`] |
//! | DirectML | `SLICE1`, `SLICE` | [`directml::slice1`], [`directml::slice`] |
//! | TensorRT | `ISliceLayer` | [`tensorrt::slice`] |
//! | C++ | `submdspan` | [`mdspan::submdspan`] |
//! | HDF5 | hyperslabs | [`hdf5::hyperslab`] |
//! | ndarray, burn | `start..end;step` | [`StepRange`] |

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

pub use axes::AxesForm;
pub use operator::{Ints, Operator};
pub use ranges::{Bound, StepRange};
