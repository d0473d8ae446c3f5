//! The records: `tests/data/import_SYSTEM.jsonl`.

use serde_json::Value;
use std::path::Path;

#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Result(Vec<usize>, Vec<i64>),
    /// The class of the refusal.
    Refused(String),
    /// It crashed, read outside its input, or contradicted itself.
    Nothing,
}

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) op: String,
    pub(crate) shape: Vec<usize>,
    pub(crate) args: Value,
    pub(crate) answer: Answer,
}

impl Case {
    pub(crate) fn read(system: &str) -> Vec<Case> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/import_{system}.jsonl"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let cases: Vec<Case> = text.lines().skip(1).map(Case::parse).collect();
        assert!(cases.len() > 50, "{}: {} cases", path.display(), cases.len());
        cases
    }

    fn parse(line: &str) -> Case {
        let json: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let sizes = |v: &Value| integers(v).into_iter().map(|n| n as usize).collect();
        let answer = match (json.get("ok"), json.get("err")) {
            (Some(ok), _) => Answer::Result(sizes(&ok["shape"]), integers(&ok["v"])),
            (_, Some(err)) => Answer::Refused(err["class"].as_str().expect("a class").to_owned()),
            _ => Answer::Nothing,
        };
        Case {
            op: json["op"].as_str().expect("an op").to_owned(),
            shape: sizes(&json["shape"]),
            args: json["args"].clone(),
            answer,
        }
    }

    pub(crate) fn ints(&self, key: &str) -> Vec<i64> {
        integers(&self.args[key])
    }
}

pub(crate) fn integers(json: &Value) -> Vec<i64> {
    let all = json.as_array().unwrap_or_else(|| panic!("{json} is no list"));
    all.iter().map(|v| v.as_i64().unwrap_or_else(|| panic!("{v} is no i64"))).collect()
}
