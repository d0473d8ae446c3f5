//! Slices on their way to Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyslice::{Entry, Masks, SpecBuf, s};
use pyslice_pyo3::Subscript;

#[test]
fn every_kind_of_slice_is_a_tuple_and_reads_back() {
    Python::attach(|py| {
        let spec = s![-1, 2:, None, ..., :-3:-1, :];
        let shown = "(-1, slice(2, None, None), None, Ellipsis, slice(None, -3, -1), slice(None, \
                     None, None))";
        let buf = spec.to_buf();
        for tuple in [
            Subscript(spec).into_pyobject(py).unwrap(),
            Subscript(spec.as_ref()).into_pyobject(py).unwrap(),
            Subscript(&buf).into_pyobject(py).unwrap(),
            Subscript(buf.clone()).into_pyobject(py).unwrap(),
        ] {
            assert_eq!(tuple.to_string(), shown);
            assert_eq!(tuple.extract::<Subscript>().unwrap().0, buf);
        }
    });
}

#[test]
fn all_numbers_of_i64_survive() {
    Python::attach(|py| {
        for n in [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX] {
            let step = if n == 0 { 1 } else { n };
            let entries = [Entry::Index(n), Entry::Range { start: Some(n), stop: Some(n), step }];
            let buf = SpecBuf::from_entries(entries).unwrap();
            let tuple = Subscript(&buf).into_pyobject(py).unwrap();
            assert_eq!(tuple.extract::<Subscript>().unwrap().0, buf);
        }
    });
}

#[test]
fn an_index_that_no_array_takes_is_not_written() {
    let masks = Masks { shrink_axis: 1, ..Masks::default() };
    let spec = SpecBuf::from_masks(&[1], &[2], &[-1], masks).unwrap();
    assert!(spec.plan(&[3]).is_err());
    Python::attach(|py| {
        let error = Subscript(spec).into_pyobject(py).unwrap_err();
        assert!(error.is_instance_of::<PyValueError>(py));
        assert!(error.to_string().contains("an index with a negative stride"));
    });
}
