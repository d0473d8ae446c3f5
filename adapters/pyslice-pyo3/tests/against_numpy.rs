//! The extension module of the examples in Python, compared with NumPy by `against_numpy.py`.

// As the file of a program that has it as a module.
#![allow(missing_docs, unreachable_pub, unnameable_test_items)]

use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::CString;
use std::io::Write;

#[path = "../examples/array_slices.rs"]
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
