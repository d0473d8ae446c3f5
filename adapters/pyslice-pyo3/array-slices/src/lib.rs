//! An extension module for Python: NumPy arrays, sliced by pyslice.
//!
//! ```python
//! import array_slices, numpy
//!
//! x = array_slices.Array(numpy.arange(24.0).reshape(2, 3, 4))
//! x[1, ::-2, None]          # a view of the array that x was made from
//! x[1, 2, 3]                # numpy.float64(23.0)
//! x.copy(slice(1, None))    # a new array, made by pyslice's kernels
//! x[..., 0] = -1            # written to that array by them
//! ```

use numpy::{PyArray1, PyArrayDescr, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyTuple};
use pyslice_pyo3::{PySlice, Subscript};

/// A NumPy array of any element type and strides. It is shared, not copied.
#[pyclass(frozen)]
struct Array(Py<PyUntypedArray>);

#[pymethods]
impl Array {
    #[new]
    fn new(array: Bound<'_, PyUntypedArray>) -> Array {
        Array(array.unbind())
    }

    /// The squares below `n * n`: what Rust has computed becomes an array without a copy.
    #[staticmethod]
    fn squares(py: Python<'_>, n: u32) -> Array {
        let values: Vec<f64> = (0..n).map(|i| f64::from(i) * f64::from(i)).collect();
        Array(PyArray1::from_vec(py, values).as_untyped().clone().unbind())
    }

    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.bind(py).shape())
    }

    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> Bound<'py, PyArrayDescr> {
        self.0.bind(py).dtype()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let first = self.0.bind(py).shape().first().copied();
        first.ok_or_else(|| PyTypeError::new_err("an array of rank 0 has no length"))
    }

    /// What `numpy.asarray(x)` calls.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = [("copy", copy)].into_py_dict(py)?;
        options.set_item("dtype", dtype)?;
        py.import("numpy")?.call_method("array", (&self.0,), Some(&options))
    }

    /// `x[key]`: a scalar for indices only, otherwise a view.
    fn __getitem__<'py>(&self, py: Python<'py>, key: Subscript) -> PyResult<Bound<'py, PyAny>> {
        self.0.bind(py).pyslice_item(key.0)
    }

    /// `x[key]` as a new array.
    fn copy<'py>(&self, py: Python<'py>, key: Subscript) -> PyResult<Bound<'py, PyUntypedArray>> {
        self.0.bind(py).pyslice_copy(key.0)
    }

    /// `x[key] = values`, cast and broadcast as NumPy does.
    fn __setitem__(
        &self,
        py: Python<'_>,
        key: Subscript,
        values: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.0.bind(py).pyslice_assign(key.0, values)
    }
}

/// What is read of an index object, as Python gets it back.
#[pyfunction]
fn read(key: Subscript) -> Subscript {
    key
}

/// The module. Slices are moved while Python's lock keeps other threads from the arrays.
#[pymodule(gil_used = true)]
pub fn array_slices(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Array>()?;
    module.add_function(wrap_pyfunction!(read, module)?)
}
