//! Other systems' encodings, in and out.

mod axes;
mod onnx;
pub mod tf;

pub use axes::AxesForm;
pub(crate) use axes::{shorten, to_axes};
