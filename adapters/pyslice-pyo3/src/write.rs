//! To Python: a slice as a tuple of index objects.

use crate::{Subscript, to_py_err};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyEllipsis, PySlice, PyTuple};
use slice_core::{AsSpec, Entry, SliceError};

impl<'py, S: AsSpec> IntoPyObject<'py> for Subscript<S> {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let spec = self.0.as_spec();
        let items: PyResult<Vec<Bound<'py, PyAny>>> = spec
            .entries()
            .zip(spec.strides())
            .map(|(entry, &stride)| item(py, entry, stride))
            .collect();
        PyTuple::new(py, items?)
    }
}

/// An entry whose stride in the encoding is `stride`.
fn item(py: Python<'_>, entry: Entry, stride: i64) -> PyResult<Bound<'_, PyAny>> {
    match entry {
        Entry::Index(_) if stride < 0 => Err(to_py_err(SliceError::NotRepresentable {
            what: "an index with a negative stride; give 1 where the shrink bit is set",
        })),
        Entry::Index(index) => index.into_bound_py_any(py),
        Entry::NewAxis => Ok(py.None().into_bound(py)),
        Entry::Ellipsis => Ok(PyEllipsis::get(py).to_owned().into_any()),
        Entry::Range { start, stop, step } => {
            // As Python itself writes `1:4`.
            let step = (step != 1).then_some(step);
            py.get_type::<PySlice>().call1((start, stop, step))
        }
    }
}
