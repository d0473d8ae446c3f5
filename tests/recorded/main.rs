//! The recorded answers of NumPy, TensorFlow, PyTorch, PaddlePaddle, MindSpore and ONNX Runtime,
//! replayed through the public API.
//!
//! Every record is compared. Where a system departs from the rules this library keeps, the
//! departure has a name and a predicate in `departures.rs`; there our own answer is still compared
//! with the index-by-index reference, as it is everywhere else.
#![allow(unreachable_pub, reason = "a test crate has no public interface")]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod departures;
mod infer;
mod ours;
mod reference;
mod replay;

use std::path::Path;

use departures as known;
use replay::{Tally, replay};
use support::recorded::{self, Answer};

#[test]
fn numpy_getitem_1d() {
    replay("numpy_getitem_1d.jsonl", ours::get, reference::get, &[]);
}

#[test]
fn numpy_getitem() {
    replay("numpy_getitem.jsonl", ours::get, reference::get, known::NUMPY);
}

#[test]
fn numpy_setitem() {
    replay("numpy_setitem.jsonl", ours::set, reference::set, known::NUMPY_SET);
}

#[test]
fn tf_getitem() {
    replay("tf_getitem.jsonl", ours::get, reference::get, known::TF_GETITEM);
}

#[test]
fn tf_strided_slice() {
    replay("tf_strided_slice.jsonl", ours::get, reference::get, known::TF_RAW);
}

#[test]
fn tf_grad() {
    replay("tf_grad.jsonl", ours::grad, reference::grad, known::TF_GRAD);
}

#[test]
fn tf_assign() {
    replay("tf_assign.jsonl", ours::set, reference::set, known::TF_ASSIGN);
}

#[test]
fn onnx_slice() {
    replay("onnx_slice.jsonl", ours::get, reference::get, known::ONNX);
}

#[test]
fn torch_index() {
    replay("torch_index.jsonl", ours::any, reference::any, known::TORCH);
}

#[test]
fn paddle_slice() {
    replay("paddle_slice.jsonl", ours::get, reference::get, known::PADDLE_AXES);
}

#[test]
fn paddle_getitem() {
    replay("paddle_getitem.jsonl", ours::get, reference::get, known::PADDLE);
}

#[test]
fn mindspore_getitem() {
    replay("mindspore_getitem.jsonl", ours::get, reference::get, known::MINDSPORE);
}

#[test]
fn mindspore_strided_slice() {
    replay("mindspore_strided_slice.jsonl", ours::get, reference::get, known::MINDSPORE_RAW);
}

/// Texts and the encodings TensorFlow's front end really hands to its kernel.
#[test]
fn tf_encode() {
    let file = "tf_encode.jsonl";
    let mut tally = Tally::default();
    for r in recorded::read(file) {
        match (&ours::spec(&r), &r.answer) {
            // `spec` has compared the encoding with the record's.
            (Ok(_), Answer::Encoded) => tally.agreed += 1,
            (Err(ours), Answer::Refused { class, .. }) if replay::same_reason(&r, ours, class) => {
                tally.agreed += 1
            }
            (ours, _) => tally.depart(&r, known::TF_ENCODE, || format!("{ours:?}")),
        }
    }
    tally.finish(file, known::TF_ENCODE);
}

/// The sample that travels with the repository is taken from the whole collection as it is now,
/// and holds the example every reader of TensorFlow's page knows.
#[test]
fn sample_has_the_worked_example() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let worked = "1, 2:4, None, ..., :-3:-1, :";
    for file in ["numpy_getitem.jsonl", "tf_encode.jsonl", "tf_getitem.jsonl"] {
        let records = recorded::read_from(&data.join(file));
        let found = records.iter().find(|r| r.py.as_deref() == Some(worked));
        let found = found.unwrap_or_else(|| panic!("{file}: no worked example"));
        let enc = found.enc.as_ref().expect("it has its encoding");
        assert_eq!(enc.masks, [48, 32, 8, 4, 1]);
    }
}
