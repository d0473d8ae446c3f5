//! The tables of `docs/systems.md`, rebuilt from what the systems answered (`tests/data/systems`,
//! recorded by `scripts/record/ask_constructs.py`) and from what this library answers now.
//!
//! `OVERWRITE=1 cargo test --test systems` rewrites the page.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use pyslice::{SliceError, SpecBuf, interop::tf};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The systems in the order of the page, and how it calls them.
const SYSTEMS: &[(&str, &str)] = &[
    ("numpy", "NumPy"),
    ("array_api_strict", "array-api-strict"),
    ("jax", "JAX"),
    ("mlx", "MLX"),
    ("torch", "PyTorch"),
    ("paddle", "Paddle"),
    ("tensorflow", "TensorFlow"),
    ("mindspore", "MindSpore"),
    ("litert", "LiteRT"),
    ("openvino", "OpenVINO"),
    ("tfjs", "TensorFlow.js"),
    ("onnxruntime", "ONNX Runtime"),
];

/// What a system, a page or this library says a slice is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Answer {
    /// Shape, the first values, and the sum of all, each times its place.
    Result(Vec<u64>, Vec<i64>, i64),
    Error,
    /// Values that are not the input's, a shape without its values, or a crash.
    Wrong(String),
}

impl Answer {
    fn of(json: &Value) -> Answer {
        if let Some(ok) = json.get("ok") {
            let shape =
                ok["shape"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
            return Answer::Result(shape, integers(&ok["v"]), ok["sum"].as_i64().unwrap());
        }
        if let Some(crash) = json["crash"].as_str() {
            return Answer::Wrong(
                if crash.ends_with(" 8") {
                    "a division by 0 that ends the process"
                } else {
                    "a crash"
                }
                .into(),
            );
        }
        json["undefined"].as_str().map_or(Answer::Error, |what| Answer::Wrong(what.to_owned()))
    }

    fn whole(shape: &[usize], values: &[i64]) -> Answer {
        let sum = values.iter().zip(1..).map(|(v, place)| v * place).sum();
        Answer::Result(
            shape.iter().map(|&n| n as u64).collect(),
            values.iter().copied().take(12).collect(),
            sum,
        )
    }

    fn words(&self) -> String {
        match self {
            Answer::Error => "an error".to_owned(),
            Answer::Wrong(what) => what.clone(),
            Answer::Result(shape, values, _) if shape.is_empty() => format!("{}", values[0]),
            Answer::Result(shape, values, _) => {
                let list = |v: Vec<String>| v.join(", ");
                let sizes = list(shape.iter().map(u64::to_string).collect());
                let comma = if shape.len() == 1 { "," } else { "" };
                match (values.len(), shape.iter().product::<u64>()) {
                    (0, _) => format!("nothing, ({sizes}{comma})"),
                    (n, all) if n as u64 == all && n < 9 => {
                        let values =
                            values.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
                        if shape.len() == 1 { values } else { format!("{values}, ({sizes})") }
                    }
                    _ => format!("shape ({sizes}{comma})"),
                }
            }
        }
    }
}

fn integers(json: &Value) -> Vec<i64> {
    json.as_array().unwrap().iter().map(|v| v.as_i64().unwrap()).collect()
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn cases(file: &str) -> Vec<Value> {
    serde_json::from_str(&std::fs::read_to_string(data().join(file)).unwrap()).unwrap()
}

/// The version of a system, and its answers by the name of the case.
fn answers(system: &str) -> (String, BTreeMap<String, Answer>) {
    let text = std::fs::read_to_string(data().join(format!("systems/{system}.jsonl"))).unwrap();
    let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let version = lines.next().unwrap()["version"].as_str().unwrap().to_owned();
    let name = |json: &Value| {
        json.get("construct").or(json.get("page")).unwrap().as_str().unwrap().to_owned()
    };
    (version, lines.map(|json| (name(&json), Answer::of(&json))).collect())
}

/// The slice of a case, read as its text, its masks or its axes.
fn spec(case: &Value) -> Result<SpecBuf, SliceError> {
    if let Some(text) = case["py"].as_str() {
        return text.parse();
    }
    if let Some(axes) = case.get("axes") {
        let [starts, ends, strides] = [0, 1, 2].map(|i| integers(&axes[i]));
        let axes: Vec<i64> = (0..starts.len() as i64).collect();
        return SpecBuf::from_axes(shape(case).len(), &axes, &starts, &ends, &strides);
    }
    let enc = &case["enc"];
    let [begin, end, strides, m] =
        ["begin", "end", "strides", "masks"].map(|key| integers(&enc[key]));
    SpecBuf::from_masks(&begin, &end, &strides, tf::masks(m[0], m[1], m[2], m[3], m[4])?)
}

fn shape(case: &Value) -> Vec<usize> {
    integers(&case["shape"]).into_iter().map(|n| n as usize).collect()
}

fn ours(case: &Value) -> Answer {
    let shape = shape(case);
    let input: Vec<i64> = (0..shape.iter().product::<usize>() as i64).collect();
    let run = || -> Result<Answer, SliceError> {
        let plan = spec(case)?.plan(&shape)?;
        Ok(Answer::whole(plan.shape(), &plan.copy(&input)?))
    };
    run().unwrap_or(Answer::Error)
}

/// The case as a reader of the page sees it.
fn example(case: &Value) -> String {
    let shape: Vec<String> = shape(case).iter().map(usize::to_string).collect();
    let shape = format!("({}{})", shape.join(", "), if shape.len() == 1 { "," } else { "" });
    let enc = &case["enc"];
    match case["py"].as_str() {
        Some(text) => format!("`x[{text}]`, {shape}"),
        None => {
            let masks = integers(&enc["masks"]);
            let names = ["begin", "end", "ellipsis", "new axis", "shrink"];
            let masks = names
                .iter()
                .zip(masks)
                .filter(|(_, m)| *m != 0)
                .map(|(name, m)| format!("{name} {m}"));
            let masks = masks.collect::<Vec<_>>().join(", ");
            let [begin, end, strides] =
                ["begin", "end", "strides"].map(|key| enc[key].to_string().replace(',', ", "));
            format!("`{begin}`, `{end}`, `{strides}`, masks {masks}; {shape}")
        }
    }
}

fn constructs() -> String {
    let recorded: Vec<_> = SYSTEMS.iter().map(|(file, name)| (*name, answers(file).1)).collect();
    let mut out = String::from(
        "| construct | slice, shape of the input | pyslice | the same | an error | otherwise |\n| \
         --- | --- | --- | --- | --- | --- |\n",
    );
    for case in cases("constructs.json") {
        let (name, ours) = (case["name"].as_str().unwrap(), ours(&case));
        let (mut same, mut refuse, mut other) =
            (Vec::new(), Vec::new(), BTreeMap::<Answer, Vec<&str>>::new());
        for (system, answers) in &recorded {
            match answers.get(name) {
                None => {}
                Some(answer) if *answer == ours => same.push(*system),
                Some(Answer::Error) => refuse.push(*system),
                Some(answer) => other.entry(answer.clone()).or_default().push(system),
            }
        }
        assert!(same.len() + refuse.len() + other.len() > 1, "{name}: who was asked?");
        let all = same.len() > 3 && refuse.is_empty() && other.is_empty();
        let same = if all { "all".to_owned() } else { same.join(", ") };
        let other: Vec<String> = other
            .iter()
            .map(|(answer, who)| format!("{}: {}", who.join(", "), answer.words()))
            .collect();
        let (example, refuse) = (example(&case), refuse.join(", "));
        writeln!(
            out,
            "| {name} | {example} | {} | {same} | {refuse} | {} |",
            ours.words(),
            other.join("; ")
        )
        .unwrap();
    }
    out
}

fn pages() -> String {
    let mut out = String::from(
        "| page | it says | the system does | pyslice does |\n| --- | --- | --- | --- |\n",
    );
    for case in cases("pages.json") {
        let text = |key: &str| case[key].as_str().unwrap();
        let (_, answers) = answers(text("system"));
        let (real, ours) = (&answers[text("id")], ours(&case));
        let claim = &case["claim"];
        let claim = match claim.get("v") {
            Some(v) => {
                let shape: Vec<usize> =
                    integers(&claim["shape"]).into_iter().map(|n| n as usize).collect();
                Answer::whole(&shape, &integers(v))
            }
            None => Answer::Error,
        };
        assert_ne!(claim, *real, "{}: the page is right", text("id"));
        writeln!(
            out,
            "| {} | {} | {} | {} |",
            text("page"),
            text("says"),
            real.words(),
            ours.words()
        )
        .unwrap();
    }
    out
}

fn versions() -> String {
    let one = |(file, name): &(&str, &str)| format!("{name} {}", answers(file).0);
    format!("{}.\n", SYSTEMS.iter().map(one).collect::<Vec<_>>().join(", "))
}

#[test]
fn the_page_is_what_the_records_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/systems.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let mut built = page.clone();
    for (mark, part) in [("versions", versions()), ("constructs", constructs()), ("pages", pages())]
    {
        let (from, to) = (format!("<!-- {mark} -->\n"), format!("<!-- end of {mark} -->"));
        let start = built.find(&from).unwrap_or_else(|| panic!("no {from}")) + from.len();
        let end = built.find(&to).unwrap_or_else(|| panic!("no {to}"));
        built.replace_range(start..end, &part);
    }
    if std::env::var_os("OVERWRITE").is_some_and(|value| value == "1") {
        std::fs::write(&path, &built).unwrap();
        return;
    }
    let differs = page.lines().zip(built.lines()).find(|(a, b)| a != b);
    assert_eq!(page, built, "first line that differs: {differs:#?}");
}

/// NumPy for texts and TensorFlow for masks are what this library keeps to, in every construct.
#[test]
fn ours_is_numpys_and_tensorflows() {
    let (numpy, tensorflow) = (answers("numpy").1, answers("tensorflow").1);
    for case in cases("constructs.json") {
        let name = case["name"].as_str().unwrap();
        let reference = numpy.get(name).unwrap_or_else(|| &tensorflow[name]);
        assert_eq!(ours(&case), *reference, "{name}");
    }
}
