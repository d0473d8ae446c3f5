//! Every reader against the system that it reads: answers recorded by `scripts/record`, replayed
//! whole, and once more with lengths and numbers hidden.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod case;
mod departures;
mod formulas;
mod operators;
mod partial;

use case::{Answer, Case};
use pyslice::SliceError;
use pyslice::interop::Operator;

/// A result, as the records have it.
pub(crate) type Outcome = Result<(Vec<usize>, Vec<i64>), SliceError>;

/// What the slice of an operator takes of an input that counts 0, 1, 2, ….
fn run(op: &dyn Operator, shape: &[usize]) -> Outcome {
    let plan = op.to_spec(shape)?.plan(shape)?;
    let input: Vec<i64> = (0..shape.iter().product::<usize>() as i64).collect();
    Ok((plan.shape().to_vec(), plan.copy(&input)?))
}

/// The same, put back where it came from: `dynamic_update_slice`.
fn update(op: &dyn Operator, shape: &[usize]) -> Outcome {
    let plan = op.to_spec(shape)?.plan(shape)?;
    let mut data: Vec<i64> = (0..shape.iter().product::<usize>() as i64).collect();
    let values: Vec<i64> = (0..plan.len() as i64).map(|v| 1000 + v).collect();
    plan.assign(&mut data, &values)?;
    Ok((shape.to_vec(), data))
}

/// The class that the records give a refusal.
pub(crate) fn class(error: SliceError) -> &'static str {
    match error {
        SliceError::ZeroStep { .. } => "zero_stride",
        SliceError::StepTooSmall { .. } | SliceError::ShrinkStride { .. } => "step",
        SliceError::WindowOutOfRange { .. } => "window",
        SliceError::IndexOutOfRange { .. } => "index",
        SliceError::AxisOutOfRange { .. } => "axis",
        SliceError::SecondEllipsis { .. } => "two_ellipses",
        SliceError::TooManyEntries { .. } => "too_many",
        SliceError::LengthMismatch { .. } | SliceError::RankMismatch { .. } => "lengths",
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
        let ours = operators::with(
            case,
            |_| false,
            |op| match case.op.as_str() {
                "dynamic_update_slice" => update(op, &case.shape),
                _ => run(op, &case.shape),
            },
        );
        let same = match (&ours, &case.answer) {
            (Ok(ours), Answer::Result(shape, values)) => ours.0 == *shape && ours.1 == *values,
            (Err(error), Answer::Refused(reason)) => class(*error) == reason,
            _ => false,
        };
        if same {
            agreed += 1;
        } else if let Some(name) = departures::name(system, case, &ours) {
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
        assert!(departed.contains_key(name), "{system}: nothing departs any more: {name}");
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
            let ours = operators::with(case, |_| false, |op| run(op, &case.shape));
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
    for case in Case::read(&format!("infer_{system}")) {
        let ours = operators::with(&case, |_| false, |op| op.infer(Some(&case.dims)));
        let ours = ours.map(|dims| dims.map(Vec::from));
        match (&ours, &case.answer) {
            (Ok(ours), Answer::Inferred(theirs)) if ours == theirs => same += 1,
            (Ok(ours), Answer::Inferred(theirs))
                if partial::says_more(ours.as_deref(), theirs.as_deref()) =>
            {
                more += 1
            }
            (Err(error), Answer::Refused(reason)) if class(*error) == reason => same += 1,
            _ => match departures::infers(system, &case) {
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
    assert!(same > 40, "{system}: {same} are the same");
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
fn shapes_that_onnx_infers() {
    infers("onnx");
}

macro_rules! systems {
    ($($system:ident),*) => { $(
        #[test]
        fn $system() {
            replay(stringify!($system));
        }
    )* };
}
systems!(tensorflow, litert, openvino, stablehlo, mlir, aten, coreml, hdf5);
