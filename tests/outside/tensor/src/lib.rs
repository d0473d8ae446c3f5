//! A tensor library that hands pyslice's macros on under its own name.

use pyslice::{AsSpec, SliceError};
pub use pyslice::{plan, s};

/// A tensor of two axes.
#[derive(Debug)]
pub struct Matrix(pub [i32; 6]);

impl Matrix {
    /// The elements that a slice selects.
    ///
    /// # Errors
    ///
    /// If the slice does not fit.
    pub fn get(&self, spec: impl AsSpec) -> Result<Vec<i32>, SliceError> {
        spec.as_spec().plan(&[2, 3])?.copy(&self.0)
    }
}
