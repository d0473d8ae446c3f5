//! An extension module for Python: NumPy arrays, sliced by pyslice's kernels.
//!
//! ```python
//! import array_slices, numpy
//!
//! x = array_slices.Array(numpy.arange(24.0).reshape(2, 3, 4))
//! x[1, ::-2, None]          # a new NumPy array
//! x[..., 0] = -1            # written to the array that x was made from
//! ```

use numpy::ndarray::ArrayD;
use numpy::{IntoPyArray, PyArrayDyn, PyArrayLikeDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyslice::PySlice;
use pyslice_pyo3::{Subscript, to_py_err};

/// A NumPy array of `float64` with any strides. It is shared, not copied.
#[pyclass(frozen)]
struct Array(Py<PyArrayDyn<f64>>);

#[pymethods]
impl Array {
    #[new]
    fn new(values: Bound<'_, PyArrayDyn<f64>>) -> Array {
        Array(values.unbind())
    }

    #[getter]
    fn shape(&self, py: Python<'_>) -> Vec<usize> {
        self.0.bind(py).shape().to_vec()
    }

    /// `x[key]` as a new array.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: Subscript,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let array = self.0.bind(py).try_readonly()?;
        let copy = array.as_array().try_pyslice_copy(key.0).map_err(to_py_err)?;
        Ok(copy.into_pyarray(py))
    }

    /// `x[key] = values`, with NumPy's broadcasting.
    fn __setitem__(
        &self,
        py: Python<'_>,
        key: Subscript,
        values: PyArrayLikeDyn<'_, f64>,
    ) -> PyResult<()> {
        let mut array = self.0.bind(py).try_readwrite()?;
        let mut nothing;
        let mut target = if array.is_empty() {
            // NumPy may give an empty array strides of 0, which ndarray's `ArrayViewMut` refuses.
            nothing = ArrayD::default(array.shape().to_vec());
            nothing.view_mut()
        } else {
            array.as_array_mut()
        };
        target.try_pyslice_assign(key.0, &values.as_array()).map_err(to_py_err)
    }
}

/// What is read of an index object, as Python gets it back.
#[pyfunction]
fn read(key: Subscript) -> Subscript {
    key
}

/// The module.
#[pymodule]
pub fn array_slices(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Array>()?;
    module.add_function(wrap_pyfunction!(read, module)?)
}
