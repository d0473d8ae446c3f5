//! Zarr arrays for Python, with all of its slices: `ZarrArray(folder, "/path")[::-1, 5, ::100]` is
//! a NumPy array. zarr-python has no negative steps.

use numpy::PyArray1;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyslice_pyo3::{Subscript, to_py_err};
use pyslice_zarrs::{Error, FileStore, PyArray};
use std::path::PathBuf;
use std::sync::Arc;
use zarrs::array::Array;
use zarrs::plugin::ExtensionName;

#[pyclass(frozen)]
struct ZarrArray(Array<FileStore>);

fn failed(error: impl ToString) -> PyErr {
    PyOSError::new_err(error.to_string())
}

#[pymethods]
impl ZarrArray {
    #[new]
    fn new(folder: PathBuf, path: &str) -> PyResult<ZarrArray> {
        let store = Arc::new(FileStore::new(folder).map_err(failed)?);
        Ok(ZarrArray(Array::open(store, path).map_err(failed)?))
    }

    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.shape())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: Subscript) -> PyResult<Bound<'py, PyAny>> {
        let read = py.detach(|| self.0.py_bytes(&key.0)).map_err(|error| match error {
            Error::Slice(error) => to_py_err(error),
            error => failed(error),
        })?;
        let dtype = read.data_type().name_v3().unwrap_or_default();
        let shape = PyTuple::new(py, read.shape())?;
        // NumPy takes over the bytes: nothing is copied.
        let bytes = PyArray1::from_vec(py, read.into_bytes());
        py.import("numpy")?.call_method1("ndarray", (shape, dtype, bytes))
    }
}

/// The module.
#[pymodule]
fn zarr_slices(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ZarrArray>()
}
