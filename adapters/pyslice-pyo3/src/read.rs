//! From Python: an index object as entries.

use crate::{Subscript, to_py_err};
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PySlice, PyString, PyTuple};
use slice_core::{Entry, MAX_ENTRIES, SliceError, SpecBuf};

impl<'py> FromPyObject<'_, 'py> for Subscript {
    type Error = PyErr;

    fn extract(key: Borrowed<'_, 'py, PyAny>) -> PyResult<Subscript> {
        let Ok(tuple) = key.cast::<PyTuple>() else {
            return spec([entry(0, &key)?]);
        };
        // Before the entries are read, each of which may run code of the user's.
        if tuple.len() > MAX_ENTRIES {
            return Err(to_py_err(SliceError::TooLong { entries: tuple.len() }));
        }
        let mut failed = Ok(());
        let entries = tuple
            .iter_borrowed()
            .enumerate()
            .map_while(|(at, item)| entry(at, &item).map_err(|error| failed = Err(error)).ok());
        let spec = spec(entries);
        failed.and(spec)
    }
}

fn spec(entries: impl IntoIterator<Item = Entry>) -> PyResult<Subscript> {
    SpecBuf::from_entries(entries).map(Subscript).map_err(to_py_err)
}

/// Entry number `at`.
fn entry(at: usize, item: &Bound<'_, PyAny>) -> PyResult<Entry> {
    if item.is_none() {
        return Ok(Entry::NewAxis);
    }
    if item.is_instance_of::<PyEllipsis>() {
        return Ok(Entry::Ellipsis);
    }
    if let Ok(slice) = item.cast::<PySlice>() {
        let py = item.py();
        let part = |name: &Bound<'_, PyString>| -> PyResult<Option<i64>> {
            let value = slice.getattr(name)?;
            if value.is_none() { Ok(None) } else { bound(at, name, &value).map(Some) }
        };
        return Ok(Entry::Range {
            start: part(intern!(py, "start"))?,
            stop: part(intern!(py, "stop"))?,
            step: part(intern!(py, "step"))?.unwrap_or(1),
        });
    }
    // `True` is an integer for Python, but a mask for NumPy.
    if item.is_instance_of::<PyBool>() {
        return Err(no_entry(at, item)?);
    }
    item.extract().map(Entry::Index).or_else(|error| {
        let py = item.py();
        let ours = if error.is_instance_of::<PyTypeError>(py) {
            no_entry(at, item)?
        } else if error.is_instance_of::<PyOverflowError>(py) {
            PyIndexError::new_err(format!(
                "the index at entry {at} does not fit in 64 bits; no axis is that long"
            ))
        } else {
            return Err(error);
        };
        ours.set_cause(py, Some(error));
        Err(ours)
    })
}

/// The exception for an object that cannot be an entry.
fn no_entry(at: usize, item: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    Ok(PyIndexError::new_err(format!(
        "entry {at} of the slice is of type {}; use an integer, a slice, `...` or `None`, and \
         take the positions of a list, an array or a mask one by one",
        item.get_type().name()?
    )))
}

/// The start, stop or step of entry `at`, clamped to `i64`.
fn bound(at: usize, name: &Bound<'_, PyString>, value: &Bound<'_, PyAny>) -> PyResult<i64> {
    let py = value.py();
    value.extract().or_else(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(py) {
            let int = py.import("operator")?.call_method1("index", (value,))?;
            return Ok(if int.lt(0)? { i64::MIN } else { i64::MAX });
        }
        if !error.is_instance_of::<PyTypeError>(py) {
            return Err(error);
        }
        let ours = PyTypeError::new_err(format!(
            "the {name} at entry {at} of the slice is of type {}; use an integer or `None`",
            value.get_type().name()?
        ));
        ours.set_cause(py, Some(error));
        Err(ours)
    })
}
