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
    let (mut agreed, mut departed, mut failures) = (0, std::collections::BTreeMap::new(), Vec::new());
    let cases = Case::read(system);
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
            failures.push(format!("{case:?}\n  ours {ours:?} {}", ours.as_ref().err().map_or("", |e| class(*e))));
        }
        if case.op != "dynamic_update_slice" {
            partial::check(case, &ours, &mut failures);
        }
    }
    println!("{system}: {agreed} of {} agree, {departed:?}", cases.len());
    assert!(failures.is_empty(), "{} differ\n{}", failures.len(), failures[..failures.len().min(25)].join("\n"));
    assert!(agreed > cases.len() / 2, "{system}: {agreed} of {} agree", cases.len());
    for name in departures::names(system) {
        assert!(departed.contains_key(name), "{system}: nothing departs any more: {name}");
    }
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
