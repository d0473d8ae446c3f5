//! Partial knowledge: every answer is right for all values of what is hidden.

use crate::case::Case;
use crate::{Outcome, operators};
use pyslice::interop::InteropError;
use pyslice::{Dim, Dims, Plan, SpecBuf};

/// Hides lengths and numbers of a case in several ways, and compares what the reader says with the
/// whole answer.
pub(crate) fn check(case: &Case, truth: &Outcome, failures: &mut Vec<String>) {
    for seed in 0..16_u64 {
        let chance =
            |k: u64| (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_mul(2 * k + 1) >> 61;
        let dims: Vec<Dim> =
            case.shape.iter().enumerate().map(|(i, &n)| hidden(chance(i as u64), n)).collect();
        let hide = |k: usize| seed % 3 != 0 && chance(100 + k as u64) < 3;
        let (plan, inferred) = import(case, hide, &dims);
        let mut fail =
            |why: String| failures.push(format!("{case:?}\n  on {dims:?}, seed {seed}: {why}"));
        let Ok((shape, values)) = truth else {
            // If even the system refuses, the reader may have a slice, and there is nothing to
            // compare it with.
            continue;
        };
        match plan {
            Ok(Some(plan)) => {
                let got =
                    plan.map(|plan| (plan.shape().to_vec(), plan.copy(&case.input()).unwrap()));
                if got.as_ref().ok() != Some(&(shape.clone(), values.clone())) {
                    fail(format!("gives {got:?}, not {truth:?}"));
                }
            }
            Ok(None) => {}
            Err(error) => fail(format!("refused: {error}")),
        }
        match inferred {
            Ok(None) => fail("not even the rank is known".to_owned()),
            Ok(Some((inferred, names))) => {
                let fits =
                    |(&n, dim): (&usize, &Dim)| (dim.limits().0..=dim.limits().1).contains(&n);
                if shape.len() != inferred.len() || !shape.iter().zip(inferred.iter()).all(fits) {
                    fail(format!("inferred {inferred:?}, but it is {shape:?}"));
                }
                for (at, (&n, &name)) in shape.iter().zip(&names).enumerate() {
                    if let Some(axis) = name
                        && case.shape[axis] != n
                    {
                        fail(format!(
                            "axis {at} is said to be as long as axis {axis} of the input"
                        ));
                    }
                }
            }
            Err(error) => fail(format!("inference refused: {error}")),
        }
    }
    // If nothing is hidden, everything is known.
    let dims: Vec<Dim> = case.shape.iter().map(|&n| Dim::Known(n)).collect();
    if let (Ok(inferred), Ok((shape, _))) = (import(case, |_| false, &dims).1, truth) {
        let shape: Vec<Dim> = shape.iter().copied().map(Dim::Known).collect();
        assert_eq!(inferred.map(|(dims, _)| dims), Some(shape), "{case:?}");
    }
}

/// Lengths, and for each the axis of the graph's input that is as long.
type Lengths = (Vec<Dim>, Vec<Option<usize>>);

/// The slice of a graph on an input of these lengths, planned for the case's own shape, and the
/// lengths of its result; as far as they are known.
#[expect(clippy::type_complexity, reason = "two answers, each of which may wait or be refused")]
fn import(
    case: &Case,
    hide: impl Fn(usize) -> bool,
    dims: &[Dim],
) -> (Result<Option<Result<Plan, InteropError>>, InteropError>, Result<Option<Lengths>, InteropError>)
{
    let mut plan = Ok(Some(SpecBuf::default().plan(&case.shape).map_err(InteropError::from)));
    let mut lengths = Ok(Some((dims.to_vec(), (0..dims.len()).map(Some).collect::<Vec<_>>())));
    for node in case.nodes() {
        let Ok(Some((dims, names))) = &lengths else { break };
        let (spec, inferred) =
            operators::with(node, &hide, |op| (op.spec_if_known(dims), op.infer(Some(dims))));
        plan = match (plan, spec) {
            (Ok(Some(plan)), Ok(Some(spec))) => {
                Ok(Some(plan.and_then(|plan| Ok(plan.then(&spec)?))))
            }
            (Err(error), _) | (_, Err(error)) => Err(error),
            _ => Ok(None),
        };
        let through = |inferred: Dims| {
            let name = |at| inferred.name_source(at).and_then(|axis| names[axis]);
            let names = (0..inferred.len()).map(name).collect();
            (inferred.into(), names)
        };
        lengths = inferred.map(|inferred| inferred.map(through));
    }
    (plan, lengths)
}

/// Whether every length that `ours` allows is one that `theirs` allows.
pub(crate) fn says_more(ours: Option<&[Dim]>, theirs: Option<&[Dim]>) -> bool {
    let within = |(ours, theirs): (&Dim, &Dim)| {
        let (a, b) = (ours.limits(), theirs.limits());
        a.0 >= b.0 && a.1 <= b.1
    };
    match (ours, theirs) {
        (_, None) => true,
        (Some(ours), Some(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(within)
        }
        (None, Some(_)) => false,
    }
}

fn hidden(chance: u64, n: usize) -> Dim {
    match chance {
        0..3 => Dim::Known(n),
        3..5 => Dim::Unknown,
        5 => Dim::Between(n.saturating_sub(1), n + 2),
        6 => Dim::Between(0, n),
        _ => Dim::Between(n, n + 40),
    }
}
