//! Compares every reader with the system that it reads: answers recorded by `scripts/record` are
//! replayed whole, and once more with lengths and numbers hidden.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

/// A test of each system by `$check`.
macro_rules! systems {
    ($check:ident) => {
        systems!($check: tensorflow litert openvino stablehlo mlir aten coreml hdf5 onnx paddle);
    };
    ($check:ident: $($system:ident)*) => { $(
        #[test]
        fn $system() {
            $check(stringify!($system));
        }
    )* };
}

mod case;
mod departures;
mod formulas;
mod operators;
mod partial;
mod real;
mod written;

use case::{Answer, Case};
use pyslice::interop::InteropError;
use pyslice::{Plan, SliceError, SpecBuf};

/// A result, as the records have it.
pub(crate) type Outcome = Result<(Vec<usize>, Vec<i64>), InteropError>;

/// The slice that a graph takes: one plan for any number of operators. `seen` gets each
/// operator with the shape that it finds.
fn import(case: &Case, mut seen: impl FnMut(Case)) -> Result<Plan, InteropError> {
    let mut plan = SpecBuf::default().plan(&case.shape)?;
    for node in case.nodes() {
        seen(Case { shape: plan.shape().to_vec(), ..node.clone() });
        let spec = operators::with(node, |_| false, |op| op.to_spec(plan.shape()))?;
        plan = plan.then(&spec)?;
    }
    Ok(plan)
}

/// What a graph makes of an input that counts 0, 1, 2, ….
fn run(case: &Case, seen: impl FnMut(Case)) -> Outcome {
    let plan = import(case, seen)?;
    if case.op != "dynamic_update_slice" {
        return Ok((plan.shape().to_vec(), plan.copy(&case.input())?));
    }
    let mut data = case.input();
    let values: Vec<i64> = (0..plan.len() as i64).map(|v| 1000 + v).collect();
    plan.assign(&mut data, &values)?;
    Ok((case.shape.clone(), data))
}

/// The class that the records give a refusal.
pub(crate) fn class(error: InteropError) -> &'static str {
    let error = match error {
        InteropError::Slice(error) => error,
        InteropError::StepTooSmall { .. } => return "step",
        InteropError::WindowOutOfRange { .. } => return "window",
        _ => return "other",
    };
    match error {
        SliceError::ZeroStep { .. } => "zero_stride",
        SliceError::ShrinkStride { .. } => "step",
        SliceError::IndexOutOfRange { .. } => "index",
        SliceError::AxisOutOfRange { .. } => "axis",
        SliceError::RepeatedAxis { .. } => "repeated_axis",
        SliceError::SecondEllipsis { .. } => "two_ellipses",
        SliceError::TooManyEntries { .. } => "too_many",
        SliceError::LengthMismatch { .. } | SliceError::RankMismatch { .. } => "lengths",
        SliceError::NotRepresentable { what } if what.contains("negative axis") => "axis",
        SliceError::NotRepresentable { what } if what.contains("overlap") => "overlap",
        SliceError::NotRepresentable { .. } => "refused",
        _ => "other",
    }
}

fn replay(system: &str) {
    let (mut agreed, mut departed, mut failures) =
        (0, std::collections::BTreeMap::new(), Vec::new());
    let cases = Case::read(&format!("import_{system}"));
    for case in &cases {
        let mut seen = Vec::new();
        let ours = run(case, |node| seen.push(node));
        let same = match (&ours, &case.answer) {
            (Ok(ours), Answer::Result(shape, values)) => ours.0 == *shape && ours.1 == *values,
            (Err(error), Answer::Refused(reason)) => class(*error) == reason,
            // Its compiler contradicts itself, and we say so.
            (Err(error), Answer::Nothing) => system == "coreml" && class(*error) == "refused",
            _ => false,
        };
        // No reason is good enough for two results that differ.
        let wrong = matches!((&ours, &case.answer), (Ok(_), Answer::Result(..)));
        if same {
            agreed += 1;
        } else if wrong {
            failures.push(format!("SILENTLY WRONG {case:?}\n  ours {ours:?}"));
        } else if let Some(name) = seen.iter().find_map(|node| departures::name(system, node)) {
            *departed.entry(name).or_insert(0) += 1;
        } else {
            failures.push(format!(
                "{case:?}\n  ours {ours:?} {}",
                ours.as_ref().err().map_or("", |e| class(*e))
            ));
        }
        if case.op != "dynamic_update_slice" {
            partial::check(case, &ours, &mut failures);
        }
    }
    println!("{system}: {agreed} of {} agree, {departed:?}", cases.len());
    assert!(
        failures.is_empty(),
        "{} differ\n{}",
        failures.len(),
        failures[..failures.len().min(25)].join("\n")
    );
    assert!(agreed > cases.len() / 2, "{system}: {agreed} of {} agree", cases.len());
    for name in departures::names(system) {
        let occurs = departed.contains_key(name) || std::env::var_os("RECORDS").is_some();
        assert!(occurs, "{system}: nothing departs any more: {name}");
    }
}

/// The forms whose answers `tests/recorded` replays, once more with lengths and numbers hidden.
#[test]
fn partial_knowledge_of_masks_and_axes() {
    let mut failures = Vec::new();
    for (file, op) in [
        ("tf_strided_slice", "strided_slice"),
        ("onnx_slice", "onnx.Slice"),
        ("paddle_slice", "paddle.strided_slice"),
    ] {
        let mut compared = 0;
        for case in Case::read(file).iter().filter(|case| case.op == op && case.shape.len() < 9) {
            let ours = run(case, |_| ());
            compared += usize::from(ours.is_ok());
            partial::check(case, &ours, &mut failures);
        }
        assert!(compared > 30, "{file}: {compared}");
    }
    assert!(
        failures.is_empty(),
        "{} differ\n{}",
        failures.len(),
        failures[..failures.len().min(25)].join("\n")
    );
}

/// Shapes that the systems infer with lengths and numbers unknown: ours says the same or more.
fn infers(system: &str) {
    let (mut same, mut more, mut departed, mut failures) =
        (0, 0, std::collections::BTreeMap::new(), Vec::new());
    let cases = Case::read(&format!("infer_{system}"));
    for case in &cases {
        let ours = operators::with(case, |_| false, |op| op.infer(Some(&case.dims)));
        let ours = ours.map(|dims| dims.map(Vec::from));
        match (&ours, &case.answer) {
            (Ok(ours), Answer::Inferred(theirs)) if ours == theirs => same += 1,
            (Ok(ours), Answer::Inferred(theirs))
                if partial::says_more(ours.as_deref(), theirs.as_deref()) =>
            {
                more += 1
            }
            (Err(error), Answer::Refused(reason)) if class(*error) == reason => same += 1,
            _ => match departures::infers(system, case) {
                Some(name) => *departed.entry(name).or_insert(0) += 1,
                None => failures.push(format!("{case:?}\n  ours {ours:?}")),
            },
        }
    }
    println!("{system}: {same} the same, {more} say more, {departed:?}");
    assert!(
        failures.is_empty(),
        "{} differ\n{}",
        failures.len(),
        failures[..failures.len().min(25)].join("\n")
    );
    assert!(same > cases.len() / 6, "{system}: {same} of {} are the same", cases.len());
}

#[test]
fn shapes_that_openvino_infers() {
    infers("openvino");
}

#[test]
fn shapes_that_tensorflow_infers() {
    infers("tensorflow");
}

#[test]
fn shapes_that_pytorch_infers() {
    infers("aten");
}

#[test]
fn shapes_that_paddle_infers() {
    infers("paddle");
}

#[test]
fn shapes_that_onnx_infers() {
    infers("onnx");
}

systems!(replay);
