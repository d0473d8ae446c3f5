//! Partial knowledge: whatever is hidden, nothing that is said is wrong.

use crate::case::Case;
use crate::{Outcome, operators, run};
use pyslice::Dim;

/// Hides lengths and numbers of a case in several ways, and holds what the reader says against the
/// whole truth.
pub(crate) fn check(case: &Case, truth: &Outcome, failures: &mut Vec<String>) {
    for seed in 0..16_u64 {
        let chance =
            |k: u64| (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_mul(2 * k + 1) >> 61;
        let dims: Vec<Dim> =
            case.shape.iter().enumerate().map(|(i, &n)| hidden(chance(i as u64), n)).collect();
        let hide = |k: usize| seed % 3 != 0 && chance(100 + k as u64) < 3;
        let (spec, inferred) =
            operators::with(case, hide, |op| (op.spec_if_known(&dims), op.infer(Some(&dims))));
        let mut fail =
            |why: String| failures.push(format!("{case:?}\n  on {dims:?}, seed {seed}: {why}"));
        let Ok((shape, values)) = truth else {
            // Where even the system refuses, a slice may be left; nothing is to be compared with.
            continue;
        };
        match spec {
            Ok(Some(spec)) => {
                let plan = spec.plan(&case.shape);
                let input: Vec<i64> = (0..case.shape.iter().product::<usize>() as i64).collect();
                let got = plan.map(|plan| (plan.shape().to_vec(), plan.copy(&input).unwrap()));
                if got.as_ref().ok() != Some(&(shape.clone(), values.clone())) {
                    fail(format!("`{spec}` gives {got:?}, not {truth:?}"));
                }
            }
            Ok(None) => {}
            Err(error) => fail(format!("refused: {error}")),
        }
        match inferred {
            Ok(None) => fail("not even the rank is known".to_owned()),
            Ok(Some(inferred)) => {
                let fits =
                    |(&n, dim): (&usize, &Dim)| (dim.limits().0..=dim.limits().1).contains(&n);
                if shape.len() != inferred.len() || !shape.iter().zip(inferred.iter()).all(fits) {
                    fail(format!("inferred {inferred:?}, but it is {shape:?}"));
                }
                for (at, &n) in shape.iter().enumerate() {
                    if let Some(axis) = inferred.name_source(at)
                        && case.shape[axis] != n
                    {
                        fail(format!(
                            "axis {at} of the result is said to be as long as axis {axis}"
                        ));
                    }
                }
            }
            Err(error) => fail(format!("inference refused: {error}")),
        }
    }
    // With nothing hidden, nothing waits.
    let dims: Vec<Dim> = case.shape.iter().map(|&n| Dim::Known(n)).collect();
    let whole =
        operators::with(case, |_| false, |op| (op.infer(Some(&dims)), run(op, &case.shape)));
    if let (Ok(inferred), Ok((shape, _))) = whole {
        let shape: Vec<Dim> = shape.into_iter().map(Dim::Known).collect();
        assert_eq!(inferred.as_deref(), Some(shape.as_slice()), "{case:?}");
    }
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
