//! Other ways to write a slice down, which several systems share: masks, the axes form, stepped
//! ranges. What a single system does with them is in the crate slice-interop.

pub(crate) mod axes;
mod masks;
mod step_range;

pub use axes::AxesForm;
pub use step_range::StepRange;
