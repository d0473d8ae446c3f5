//! Reads the recorded answers of real systems, one JSON object a line.
//!
//! The whole collection stands beside the repository (`../shared/conformance`) where it was made;
//! `tests/data` holds an even sample of it, so that a clone tests the same things.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// A shape in which an axis, or the whole of it, may be unknown.
pub type PartShape = Option<Vec<Option<usize>>>;

/// `begin`, `end` and `strides` (each `None` if the record says its values are not known) and
/// masks.
#[derive(Clone, Debug)]
pub struct Encoding {
    pub begin: Option<Vec<i64>>,
    pub end: Option<Vec<i64>>,
    pub strides: Option<Vec<i64>>,
    /// begin, end, ellipsis, new axis, shrink axis.
    pub masks: [u32; 5],
    /// A mask was written as a negative number (all of its bits from some place on).
    pub negative_mask: bool,
}

/// Axes form: `None` where the input was left out.
#[derive(Clone, Debug)]
pub struct Axes {
    pub axes: Option<Vec<i64>>,
    pub starts: Vec<i64>,
    pub ends: Vec<i64>,
    pub steps: Option<Vec<i64>>,
}

/// What the system answered.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A tensor: shape and a digest of its values.
    Tensor { shape: Vec<usize>, values: Values },
    /// A static shape.
    Shape(PartShape),
    /// An encoding (it stands in [`Record::enc`]).
    Encoded,
    /// Refused; our label of the reason and the system's own words.
    Refused { class: String, text: String },
    /// The process died, hung, or read outside its input: nothing to match.
    Nothing { what: String },
}

/// Values of a tensor, all of them or their fingerprint.
#[derive(Clone, Debug)]
pub enum Values {
    All(Vec<i64>),
    Digest { count: usize, head: Vec<i64>, tail: Vec<i64>, fnv: String },
}

/// One recorded case.
#[derive(Clone, Debug)]
pub struct Record {
    pub file: String,
    pub id: String,
    pub op: String,
    pub source: String,
    pub shape: PartShape,
    pub py: Option<String>,
    pub enc: Option<Encoding>,
    pub axs: Option<Axes>,
    /// Number of entries where no vector of the encoding is known.
    pub entries: Option<usize>,
    pub value: Option<Vec<usize>>,
    pub dy: Option<Vec<usize>>,
    pub answer: Answer,
}

impl Record {
    /// The input shape, for the operations in which all of it is known.
    pub fn dims(&self) -> Vec<usize> {
        let known = self.shape.iter().flatten().copied().collect::<Option<Vec<usize>>>();
        known.unwrap_or_else(|| panic!("{}: the shape is not fully known", self.id))
    }
}

/// The values of a tensor agree with the record.
pub fn same_values(ours: &[i64], recorded: &Values) -> bool {
    match recorded {
        Values::All(all) => ours == all,
        Values::Digest { count, head, tail, fnv } => {
            ours.len() == *count
                && ours.starts_with(head)
                && ours.ends_with(tail)
                && format!("{:016x}", fnv1a(ours)) == *fnv
        }
    }
}

/// 64-bit FNV-1a over the values as little-endian `i64`.
pub fn fnv1a(values: &[i64]) -> u64 {
    let bytes = values.iter().flat_map(|v| v.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Where the whole collection is, if it is here.
pub fn whole_collection() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let beside = root.join("../shared/conformance");
    let chosen = std::env::var_os("PYSLICE_CONFORMANCE").map_or(beside, PathBuf::from);
    chosen.is_dir().then_some(chosen)
}

/// Every record of `file` (a name such as `tf_grad.jsonl`), from the whole collection or the
/// sample.
pub fn read(file: &str) -> Vec<Record> {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let folder = whole_collection().unwrap_or_else(|| {
        println!("{file}: the whole collection is not here; the committed sample is used");
        sample
    });
    read_from(&folder.join(file))
}

/// Every record of the file at `path`.
pub fn read_from(path: &Path) -> Vec<Record> {
    let text = std::fs::read_to_string(path)
        .unwrap_or_else(|e| panic!("{} cannot be read: {e}", path.display()));
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let records: Vec<Record> = text.lines().map(|line| record(&name, line)).collect();
    assert!(!records.is_empty(), "{} has no records", path.display());
    records
}

fn record(file: &str, line: &str) -> Record {
    let json: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{file}: {e}: {line}"));
    let text = |key: &str| json[key].as_str().map(str::to_owned);
    Record {
        file: file.to_owned(),
        id: text("id").unwrap_or_default(),
        op: text("op").unwrap_or_default(),
        source: text("source").unwrap_or_default(),
        shape: part_shape(&json["shape"]),
        py: text("py"),
        enc: json.get("enc").map(encoding),
        axs: json.get("axs").map(axes),
        entries: json["m"].as_u64().map(|m| m as usize),
        value: json.get("value").map(|v| shape(&v["shape"])),
        dy: json.get("dy").map(|v| shape(&v["shape"])),
        answer: answer(&json),
    }
}

fn answer(json: &Value) -> Answer {
    if let Some(ok) = json.get("ok") {
        if json["op"] == "infer_shape" {
            return Answer::Shape(part_shape(&ok["shape"]));
        }
        let values = match ok.get("v") {
            Some(all) => Values::All(integers(all).unwrap_or_default()),
            None => Values::Digest {
                count: ok["n"].as_u64().unwrap_or(0) as usize,
                head: integers(&ok["head"]).unwrap_or_default(),
                tail: integers(&ok["tail"]).unwrap_or_default(),
                fnv: ok["fnv"].as_str().unwrap_or_default().to_owned(),
            },
        };
        return Answer::Tensor { shape: shape(&ok["shape"]), values };
    }
    if let Some(err) = json.get("err") {
        let text = |key: &str| err[key].as_str().unwrap_or_default().to_owned();
        return Answer::Refused { class: text("class"), text: text("msg") };
    }
    for what in ["crash", "timeout", "undefined"] {
        if let Some(how) = json.get(what) {
            return Answer::Nothing { what: format!("{what}: {how}") };
        }
    }
    assert_eq!(json["op"], "encode", "a record without a result: {json}");
    Answer::Encoded
}

fn encoding(json: &Value) -> Encoding {
    let masks = integers(&json["masks"]).unwrap_or_default();
    let masks: [i64; 5] = masks.try_into().expect("an encoding has five masks");
    Encoding {
        begin: integers(&json["begin"]),
        end: integers(&json["end"]),
        strides: integers(&json["strides"]),
        masks: masks.map(|mask| mask as u32),
        negative_mask: masks.iter().any(|&mask| mask < 0),
    }
}

fn axes(json: &Value) -> Axes {
    Axes {
        axes: integers(&json["axes"]),
        starts: integers(&json["starts"]).unwrap_or_default(),
        ends: integers(&json["ends"]).unwrap_or_default(),
        steps: integers(&json["steps"]),
    }
}

fn integers(json: &Value) -> Option<Vec<i64>> {
    let one = |v: &Value| v.as_i64().unwrap_or_else(|| panic!("{v} is not an i64"));
    json.as_array().map(|values| values.iter().map(one).collect())
}

fn shape(json: &Value) -> Vec<usize> {
    part_shape(json).into_iter().flatten().map(|n| n.expect("a known axis")).collect()
}

fn part_shape(json: &Value) -> PartShape {
    let one = |v: &Value| v.as_u64().map(|n| n as usize);
    json.as_array().map(|axes| axes.iter().map(one).collect())
}
