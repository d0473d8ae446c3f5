//! The extension module of the examples in Python, compared with NumPy by `against_numpy.py`.

// As the file of a program that has it as a module.
#![allow(missing_docs, unreachable_pub, unnameable_test_items)]

use numpy::{BorrowError, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyslice::s;
use pyslice_pyo3::PySlice;
use std::ffi::CString;
use std::io::Write;

#[path = "../array-slices/src/lib.rs"]
mod example;
use example::array_slices;

/// Says why there is nothing to compare with. `PYSLICE_NEEDS_NUMPY` makes it a failure.
fn skipped(why: &PyErr) {
    assert!(std::env::var_os("PYSLICE_NEEDS_NUMPY").is_none(), "{why}");
    #[expect(clippy::explicit_write, reason = "the runner hides what a passing test prints")]
    writeln!(std::io::stderr(), "skipped: {why}").unwrap();
}

#[test]
fn indices_typed_in_python_select_what_numpy_selects() {
    pyo3::append_to_inittab!(array_slices);
    Python::attach(|py| {
        if let Err(why) = py.import("numpy") {
            return skipped(&why);
        }
        let names = PyDict::new(py);
        let code = CString::new(include_str!("against_numpy.py")).unwrap();
        if let Err(error) = py.run(&code, Some(&names), None) {
            error.display(py);
            panic!("{error}");
        }
        let indices: usize = names.get_item("indices").unwrap().unwrap().extract().unwrap();
        let refused: usize = names.get_item("refused").unwrap().unwrap().extract().unwrap();
        println!("{indices} indices, {refused} of them refused, agree with NumPy");
        assert!(indices - refused >= 400 && refused >= 50);
    });
}

#[test]
fn memory_that_rust_has_borrowed_is_refused() {
    Python::attach(|py| {
        if let Err(why) = py.import("numpy") {
            return skipped(&why);
        }
        let x = PyArray2::<f64>::zeros(py, [3, 4], false);
        let (whole, rows) = (x.as_untyped(), x.as_untyped().pyslice(s![1:]).unwrap());
        let one = 1.0f64.into_pyobject(py).unwrap();
        let is_borrowed =
            |error: PyErr| error.to_string().contains(&BorrowError::AlreadyBorrowed.to_string());

        let reading = rows.cast::<PyArray2<f64>>().unwrap().readonly();
        assert!(is_borrowed(whole.pyslice_assign(s![..., 0], &one).unwrap_err()));
        assert!(is_borrowed(whole.pyslice_assign(s![2, 3], &one).unwrap_err()));
        whole.pyslice_assign(s![0, 3], &one).unwrap();
        assert_eq!(whole.pyslice_copy(s![1]).unwrap().to_string(), "[0. 0. 0. 0.]");
        whole.pyslice_assign(s![0], &one).unwrap();
        drop(reading);

        let writing = rows.cast::<PyArray2<f64>>().unwrap().readwrite();
        assert!(is_borrowed(whole.pyslice_copy(s![1:2]).unwrap_err()));
        drop(writing);
        whole.pyslice_assign(s![..., 0], &one).unwrap();

        let objects = PyArray1::from_vec(py, vec![py.None(), py.None()]);
        let reading = objects.readonly();
        assert!(is_borrowed(objects.as_untyped().pyslice_assign(s![:], &one).unwrap_err()));
        drop(reading);
        objects.as_untyped().pyslice_assign(s![:], &one).unwrap();
        assert_eq!(whole.pyslice_copy(s![:, 0]).unwrap().to_string(), "[1. 1. 1.]");
    });
}
