//! The records: `tests/data/import_SYSTEM.jsonl` and `infer_SYSTEM.jsonl`.

use pyslice::Dim;
use serde_json::Value;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub(crate) enum Answer {
    Result(Vec<usize>, Vec<i64>),
    /// The class of the refusal.
    Refused(String),
    /// The shape that the system infers: the least and the most of each length; `None` where not
    /// even the rank is known.
    Inferred(Option<Vec<Dim>>),
    /// It crashed, read outside its input, or contradicted itself.
    Nothing,
}

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) op: String,
    pub(crate) shape: Vec<usize>,
    /// The shape again, some of whose lengths may be unknown.
    pub(crate) dims: Vec<Dim>,
    pub(crate) args: Value,
    pub(crate) answer: Answer,
    /// The operators that follow, in a graph of several.
    pub(crate) then: Vec<Case>,
}

impl Case {
    /// The cases of a file.
    pub(crate) fn read(file: &str) -> Vec<Case> {
        let path = path(file);
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let cases: Vec<Case> =
            text.lines().filter(|line| !line.contains("\"system\"")).map(Case::parse).collect();
        assert!(cases.len() > 50, "{}: {} cases", path.display(), cases.len());
        cases
    }

    fn parse(line: &str) -> Case {
        let json: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let Some(graph) = json.get("graph") else { return Case::node(&json, &json) };
        let mut nodes = graph.as_array().expect("nodes").iter().map(|node| Case::node(node, &json));
        let first = nodes.next().expect("a node");
        Case { then: nodes.collect(), ..first }
    }

    /// One operator of a graph.
    fn node(node: &Value, graph: &Value) -> Case {
        let sizes = |v: &Value| integers(v).into_iter().map(|n| n as usize).collect();
        let answer = match (graph.get("ok"), graph.get("err")) {
            (Some(ok), _) if ok.get("v").is_some() => {
                Answer::Result(sizes(&ok["shape"]), integers(&ok["v"]))
            }
            _ if graph.get("inferred").is_some() => Answer::Inferred(lengths(&graph["inferred"])),
            (_, Some(err)) => Answer::Refused(err["class"].as_str().expect("a class").to_owned()),
            _ => Answer::Nothing,
        };
        let args = ["args", "axs", "enc"].iter().find_map(|key| node.get(key));
        Case {
            op: node["op"].as_str().expect("an op").to_owned(),
            shape: graph.get("shape").map(sizes).unwrap_or_default(),
            dims: lengths(&graph["dims"]).unwrap_or_default(),
            args: args.expect("arguments").clone(),
            answer,
            then: Vec::new(),
        }
    }

    /// The operators of the graph, first to last.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Case> {
        std::iter::once(self).chain(&self.then)
    }

    /// How many positions the input has.
    pub(crate) fn input(&self) -> Vec<i64> {
        (0..self.shape.iter().product::<usize>() as i64).collect()
    }

    pub(crate) fn ints(&self, key: &str) -> Vec<i64> {
        integers(&self.args[key])
    }

    /// The numbers of an argument, some of which may be unknown; `None` where it is left out.
    pub(crate) fn numbers(&self, key: &str) -> Option<Vec<Option<i64>>> {
        Some(self.args[key].as_array()?.iter().map(Value::as_i64).collect())
    }
}

/// `tests/data/{file}.jsonl`, or the same in the directory that `RECORDS` names: fresh cases, made
/// by `scripts/record`.
pub(crate) fn path(file: &str) -> PathBuf {
    let name = format!("{file}.jsonl");
    let fresh = std::env::var("RECORDS").map(|fresh| Path::new(&fresh).join(&name));
    match fresh {
        Ok(fresh) if fresh.exists() => fresh,
        _ => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name),
    }
}

fn lengths(json: &Value) -> Option<Vec<Dim>> {
    let limit = |v: &Value| v.as_u64().map_or(isize::MAX as usize, |n| n as usize);
    Some(
        json.as_array()?
            .iter()
            .map(|pair| Dim::from_limits(limit(&pair[0]), limit(&pair[1])))
            .collect(),
    )
}

pub(crate) fn integers(json: &Value) -> Vec<i64> {
    let all = json.as_array().unwrap_or_else(|| panic!("{json} is not a list"));
    all.iter().map(|v| v.as_i64().unwrap_or_else(|| panic!("{v} is not an i64"))).collect()
}
