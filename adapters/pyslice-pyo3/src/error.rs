//! Which exception an error is in Python.

use pyo3::PyErr;
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyValueError};
use slice_core::SliceError;

/// The exception that NumPy raises for this error, with our text.
///
/// An index, a bound or an axis that the array does not have, too many entries and a second `...`
/// are `IndexError`. A result that does not fit in memory is `MemoryError`. Every other error is
/// `ValueError`.
///
/// # Examples
///
/// ```
/// use pyo3::Python;
/// use pyslice::s;
/// use pyslice_pyo3::to_py_err;
///
/// let error = s![7].plan(&[3]).unwrap_err();
/// Python::attach(|_| {
///     assert_eq!(to_py_err(error).to_string(), format!("IndexError: {error}"));
/// });
/// ```
pub fn to_py_err(error: SliceError) -> PyErr {
    use SliceError::*;
    let text = error.to_string();
    match error {
        IndexOutOfRange { .. }
        | BoundOutOfRange { .. }
        | AxisOutOfRange { .. }
        | TooManyEntries { .. }
        | TooLong { .. }
        | SecondEllipsis { .. } => PyIndexError::new_err(text),
        OutOfMemory { .. } => PyMemoryError::new_err(text),
        _ => PyValueError::new_err(text),
    }
}
