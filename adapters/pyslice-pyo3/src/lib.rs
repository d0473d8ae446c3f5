//! Python's index objects as slices, and back, for extension modules written with [PyO3].
//!
//! Python passes what is between the brackets of `x[1, ::-2, None]` to `__getitem__`.
//! [`Subscript`] reads it as an argument of a Rust function, and refuses with the exception type
//! that NumPy raises.
//!
//! ```
//! use pyo3::{prelude::*, types::PyDict};
//! use pyslice_pyo3::{Subscript, to_py_err};
//!
//! /// `range(24)` in the shape `(2, 3, 4)`.
//! #[pyclass]
//! struct Numbers(Vec<i64>);
//!
//! #[pymethods]
//! impl Numbers {
//!     fn __getitem__(&self, key: Subscript) -> PyResult<(Vec<usize>, Vec<i64>)> {
//!         let plan = key.0.plan(&[2, 3, 4]).map_err(to_py_err)?;
//!         Ok((plan.shape().to_vec(), plan.copy(&self.0).map_err(to_py_err)?))
//!     }
//! }
//!
//! Python::attach(|py| {
//!     let names = PyDict::new(py);
//!     names.set_item("x", Bound::new(py, Numbers((0..24).collect()))?)?;
//!     let answer = py.eval(c"x[1, ::-2, None, 0]", Some(&names), None)?;
//!     assert_eq!(answer.extract::<(Vec<usize>, Vec<i64>)>()?, (vec![2, 1], vec![20, 12]));
//!
//!     let refused = py.eval(c"x[2]", Some(&names), None).unwrap_err();
//!     assert!(refused.to_string().starts_with("IndexError: index 2 is outside axis 0"));
//!     Ok::<(), PyErr>(())
//! })
//! # .unwrap();
//! ```
//!
//! With feature `numpy`, [`PySlice`] slices NumPy's arrays of any element type: as views, as copies
//! and in assignments. `array-slices` in the repository is an extension module made with it.
//!
//! # What it does not do
//!
//! It reads basic indices only. Lists, arrays, and booleans between the commas are an `IndexError`.
//! A slice has at most 31 entries.
//!
//! [PyO3]: https://docs.rs/pyo3

#[cfg(feature = "numpy")]
mod array;
mod error;
mod read;
mod write;

#[cfg(feature = "numpy")]
pub use array::PySlice;
pub use error::to_py_err;

use slice_core::SpecBuf;

/// What stands between the brackets of `x[...]` in Python.
///
/// It is an argument of a Python function through `FromPyObject`, and a result through
/// `IntoPyObject`. Reading always gives a [`SpecBuf`]. Every type that is
/// [`AsSpec`](slice_core::AsSpec), such as `s![...]`, can be returned, and is a tuple in Python.
///
/// | in Python | the entry |
/// | --- | --- |
/// | an integer: `int`, NumPy's integers, and every other object with `__index__`, except `bool` | an index |
/// | `slice(start, stop, step)` of integers and `None` | a range; integers are clamped to `i64` |
/// | `None` | a new axis |
/// | `...` | an ellipsis |
/// | a tuple of these | all of them |
///
/// # Errors
///
/// Reading raises what NumPy raises: `IndexError` for an object of another type, a second `...` and
/// more than 31 entries; `TypeError` for a bound or a step that is not an integer; `ValueError` for
/// a step of 0. An index that does not fit in `i64` is an `IndexError`, as from Python's lists;
/// NumPy has an `OverflowError`. What an `__index__` method raises otherwise comes through.
///
/// A slice decoded from masks can have an index with a negative stride, which no array takes.
/// Writing it is a `ValueError`. Python has no strict slices: a slice made `strict()` comes out as
/// a plain one.
///
/// # Examples
///
/// ```
/// use pyo3::prelude::*;
/// use pyslice::s;
/// use pyslice_pyo3::Subscript;
///
/// Python::attach(|py| {
///     let key = Subscript(s![1, ::-2, None, ...]).into_pyobject(py)?;
///     assert_eq!(key.to_string(), "(1, slice(None, None, -2), None, Ellipsis)");
///     let read: Subscript = key.extract()?;
///     assert_eq!(read.0, s![1, ::-2, None, ...].to_buf());
///     Ok::<(), PyErr>(())
/// })
/// # .unwrap();
/// ```
///
/// # Source
///
/// NumPy's basic indexing; the tests compare values and exception types with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subscript<S = SpecBuf>(pub S);

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
