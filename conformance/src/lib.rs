//! Recorded answers to slices, and a runner that scores a library against them.
//!
//! Implement [`System`] for the library, as many of the six methods as it has operations, and
//! [`run`](run()) it. The answers come from NumPy 2.4 (`x[...]` and `x[...] = y`), TensorFlow 2.21
//! (StridedSlice, its gradient, its static shapes) and ONNX Runtime 1.31 (`Slice`).
//!
//! ```
//! use slice_conformance::{Reply, System, run};
//!
//! struct Nothing;
//!
//! impl System for Nothing {
//!     fn name(&self) -> String {
//!         "a library without slices".to_owned()
//!     }
//! }
//!
//! let score = run(&Nothing);
//! assert_eq!((score.right(), score.asked()), (0, 0));
//! assert!(score.unsupported() > 1000);
//! ```
//!
//! # Outside
//!
//! There are no questions about what only NumPy has: lists, booleans and arrays as indices,
//! `x[()]`, and bounds that do not fit in `i64`.

mod entry;
mod run;
mod vectors;

pub use entry::{Entry, entries};
pub use run::{Kind, Score, run};
pub use vectors::{Axes, Masks, PartShape, Question, Vector, vectors};

/// What a library answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A tensor: its shape and its values in row-major order.
    Tensor(Vec<usize>, Vec<i64>),
    /// A shape, as far as it is known; `None` where not even the rank is.
    Shape(PartShape),
    /// It refuses, in these words.
    Refused(String),
    /// It has no way to say this.
    Unsupported,
}

/// A library under test. An operation that it does not have stays [`Reply::Unsupported`].
///
/// The input counts 0, 1, 2, … in row-major order.
pub trait System {
    /// The library, and its version.
    fn name(&self) -> String;

    /// `x[text]`, where `text` is what stands between Python's brackets; [`entries`] reads it.
    fn getitem(&self, shape: &[usize], text: &str) -> Reply {
        let _ = (shape, text);
        Reply::Unsupported
    }

    /// `x` after `x[text] = y`, where `y` has the shape `value` and counts from 1000.
    fn setitem(&self, shape: &[usize], text: &str, value: &[usize]) -> Reply {
        let _ = (shape, text, value);
        Reply::Unsupported
    }

    /// TensorFlow's StridedSlice.
    fn strided_slice(&self, shape: &[usize], masks: &Masks) -> Reply {
        let _ = (shape, masks);
        Reply::Unsupported
    }

    /// Its gradient: zeros of the input's shape, with `dy` at the selected places. `dy` counts from
    /// 1.
    fn strided_slice_grad(&self, shape: &[usize], masks: &Masks, dy: &[usize]) -> Reply {
        let _ = (shape, masks, dy);
        Reply::Unsupported
    }

    /// Its static shape, where lengths and whole vectors may be unknown. It may know more than
    /// TensorFlow does, but not less.
    fn infer_shape(&self, shape: &PartShape, masks: &Masks) -> Reply {
        let _ = (shape, masks);
        Reply::Unsupported
    }

    /// ONNX's `Slice`.
    fn slice(&self, shape: &[usize], axes: &Axes) -> Reply {
        let _ = (shape, axes);
        Reply::Unsupported
    }
}
