//! The recorded answers: one JSON object a line, as README.md describes.

use crate::{Reply, entries};
use serde_json::Value;

/// A shape in which lengths (`None`), or all of it, may be unknown.
pub type PartShape = Option<Vec<Option<usize>>>;

/// StridedSlice's vectors, each `None` where its values are not known, and its five masks.
#[derive(Clone, Debug)]
pub struct Masks {
    /// The first position of each entry.
    pub begin: Option<Vec<i64>>,
    /// Where each ends.
    pub end: Option<Vec<i64>>,
    /// The step of each.
    pub strides: Option<Vec<i64>>,
    /// begin, end, ellipsis, new axis, shrink axis.
    pub masks: [u32; 5],
}

/// The inputs of ONNX's `Slice`; `None` where one is left out.
#[derive(Clone, Debug)]
pub struct Axes {
    /// The axes that are sliced.
    pub axes: Option<Vec<i64>>,
    /// The first position on each.
    pub starts: Vec<i64>,
    /// Where to stop on each.
    pub ends: Vec<i64>,
    /// The step on each.
    pub steps: Option<Vec<i64>>,
}

/// What is asked.
#[derive(Clone, Debug)]
pub enum Question {
    /// [`System::getitem`](crate::System::getitem)
    GetItem(String),
    /// [`System::setitem`](crate::System::setitem), with the shape of the value.
    SetItem(String, Vec<usize>),
    /// [`System::strided_slice`](crate::System::strided_slice)
    StridedSlice(Masks),
    /// [`System::strided_slice_grad`](crate::System::strided_slice_grad), with the shape of `dy`.
    Grad(Masks, Vec<usize>),
    /// [`System::infer_shape`](crate::System::infer_shape), with the shape of the input.
    InferShape(PartShape, Masks),
    /// [`System::slice`](crate::System::slice)
    Slice(Axes),
}

/// A question, the shape of the input, and the recorded answer.
#[derive(Clone, Debug)]
pub struct Vector {
    /// Its name in the records.
    pub id: String,
    /// The shape of the input; empty for [`Question::InferShape`], which has its own.
    pub shape: Vec<usize>,
    /// What is asked.
    pub question: Question,
    /// What the reference answers.
    pub answer: Reply,
}

const FILES: [&str; 6] = [
    include_str!("../vectors/numpy_getitem.jsonl"),
    include_str!("../vectors/numpy_setitem.jsonl"),
    include_str!("../vectors/tf_strided_slice.jsonl"),
    include_str!("../vectors/tf_grad.jsonl"),
    include_str!("../vectors/tf_infer_shape.jsonl"),
    include_str!("../vectors/onnx_slice.jsonl"),
];

/// All vectors, but for those that are outside: see the front page.
pub fn vectors() -> Vec<Vector> {
    FILES.iter().flat_map(|file| file.lines()).filter_map(vector).collect()
}

fn vector(line: &str) -> Option<Vector> {
    let json: Value = serde_json::from_str(line).expect("the records are JSON");
    let text = || {
        json["py"]
            .as_str()
            .map(str::to_owned)
            .filter(|text| text != "()" && entries(text).is_some())
    };
    let sizes = |v: &Value| -> Option<Vec<usize>> { part(v)?.into_iter().collect() };
    let question = match json["op"].as_str()? {
        "getitem" => Question::GetItem(text()?),
        "setitem" => Question::SetItem(text()?, sizes(&json["value"]["shape"])?),
        "strided_slice" => Question::StridedSlice(masks(&json["enc"])),
        "grad" => Question::Grad(masks(&json["enc"]), sizes(&json["dy"]["shape"])?),
        "infer_shape" if json.get("enc").is_some() => {
            Question::InferShape(part(&json["shape"]), masks(&json["enc"]))
        }
        "onnx.Slice" => {
            let axs = &json["axs"];
            Question::Slice(Axes {
                axes: integers(&axs["axes"]),
                starts: integers(&axs["starts"])?,
                ends: integers(&axs["ends"])?,
                steps: integers(&axs["steps"]),
            })
        }
        _ => return None,
    };
    let answer = match (json.get("ok"), json.get("err")) {
        (Some(ok), _) if matches!(question, Question::InferShape(..)) => {
            Reply::Shape(part(&ok["shape"]))
        }
        // Longer results are recorded by a digest; the short ones are enough here.
        (Some(ok), _) => Reply::Tensor(sizes(&ok["shape"])?, integers(&ok["v"])?),
        // A limit of a kernel is not a rule.
        (_, Some(err)) if err["class"] == "rank_limit" => return None,
        (_, Some(err)) => Reply::Refused(err["msg"].as_str().unwrap_or_default().to_owned()),
        _ => return None,
    };
    let shape = if matches!(question, Question::InferShape(..)) {
        Vec::new()
    } else {
        sizes(&json["shape"])?
    };
    Some(Vector { id: json["id"].as_str()?.to_owned(), shape, question, answer })
}

fn masks(json: &Value) -> Masks {
    let masks = integers(&json["masks"]).expect("five masks");
    Masks {
        begin: integers(&json["begin"]),
        end: integers(&json["end"]),
        strides: integers(&json["strides"]),
        masks: std::array::from_fn(|i| masks[i] as u32),
    }
}

fn integers(json: &Value) -> Option<Vec<i64>> {
    json.as_array()?.iter().map(Value::as_i64).collect()
}

fn part(json: &Value) -> PartShape {
    Some(json.as_array()?.iter().map(|n| n.as_u64().map(|n| n as usize)).collect())
}
