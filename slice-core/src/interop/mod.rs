//! Other systems' encodings, in and out.

mod axes;
mod onnx;
mod ranges;
pub mod tf;

pub use axes::AxesForm;
pub(crate) use axes::{shorten, to_axes};
pub use ranges::StepRange;
