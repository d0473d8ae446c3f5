//! Every small case of the planner against the reference.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use pyslice::interop::{Operator, onnx};
use pyslice::{Dim, Entry, SliceError, SpecBuf, axis_run};
use support::naive;

/// Every bound from -11 to 11, and none.
fn bounds() -> impl Iterator<Item = Option<i64>> + Clone {
    std::iter::once(None).chain((-11..=11).map(Some))
}

fn wide(bound: Option<i64>) -> Option<i128> {
    bound.map(i128::from)
}

fn range(start: Option<i64>, stop: Option<i64>, step: i64) -> Result<SpecBuf, SliceError> {
    SpecBuf::from_entries([Entry::Range { start, stop, step }])
}

#[test]
fn every_short_range_is_pythons() {
    let mut compared = 0;
    for n in 0..=9_usize {
        let data: Vec<usize> = (0..n).collect();
        for start in bounds() {
            for stop in bounds() {
                assert_eq!(axis_run(n, start, stop, 0), Err(SliceError::ZeroStep { entry: 0 }));
                assert_eq!(range(start, stop, 0), Err(SliceError::ZeroStep { entry: 0 }));
                for step in (-11..=11).filter(|&step| step != 0) {
                    let wanted = naive::positions(n as i128, wide(start), wide(stop), step.into());
                    let wanted: Vec<usize> = wanted.into_iter().map(|at| at as usize).collect();
                    let text = || format!("{start:?}:{stop:?}:{step} on {n}");

                    let run = axis_run(n, start, stop, step).unwrap();
                    assert_eq!(run.len, wanted.len(), "{}", text());
                    let walked = (0..run.len as i64).map(|k| (run.start + k * run.step) as usize);
                    assert!(walked.eq(wanted.iter().copied()), "{}: {run:?}", text());

                    let spec = range(start, stop, step).unwrap();
                    let plan = spec.plan(&[n]).unwrap();
                    assert_eq!(plan.shape(), [wanted.len()], "{}", text());
                    assert_eq!(plan.input_len(), n);
                    assert_eq!(plan.copy(&data).unwrap(), wanted, "{}", text());

                    let strict = naive::is_strict(n as i128, wide(start), wide(stop), step.into());
                    match spec.strict().plan(&[n]) {
                        Ok(same) => assert!(strict && same == plan, "{}", text()),
                        Err(SliceError::BoundOutOfRange { bound, axis: 0, len }) => {
                            assert!(!strict && len == n, "{}", text());
                            assert!([start, stop].contains(&Some(bound)), "{}", text());
                        }
                        Err(other) => panic!("{}: {other:?}", text()),
                    }
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 10 * 24 * 24 * 22);
}

#[test]
fn every_short_index_is_pythons() {
    for n in 0..=9_usize {
        for at in -12..=12_i64 {
            let spec = SpecBuf::from_entries([Entry::Index(at)]).unwrap();
            let items = [naive::Item::Index { at: at.into(), stride: 1 }];
            let wanted = naive::pick(&[n], &items);
            for spec in [spec.clone(), spec.strict()] {
                match (spec.plan(&[n]), &wanted) {
                    (Ok(plan), Ok(picked)) => {
                        assert!(plan.shape().is_empty());
                        assert_eq!((plan.offset(), plan.len()), (picked.from[0], 1));
                    }
                    (Err(error), Err(_)) => {
                        assert_eq!(
                            error,
                            SliceError::IndexOutOfRange { index: at, axis: 0, len: n }
                        )
                    }
                    (ours, theirs) => panic!("{at} on {n}: {ours:?}, reference {theirs:?}"),
                }
            }
        }
    }
}

/// The ends that mean "to the end" do so for axes that are longer than they, and their neighbours
/// do not.
#[test]
fn onnx_ends_on_axes_of_any_length() {
    const INT: i64 = i32::MAX as i64;
    let near = INT as usize;
    let lengths =
        [0, 1, 5, near - 1, near, near.wrapping_add(1), 3_000_000_000, isize::MAX as usize];
    for n in lengths.into_iter().filter(|&n| n <= isize::MAX as usize) {
        for end in [0, 3, -1, INT - 1, INT, INT + 1, i64::MAX - 1, i64::MAX, i64::MIN] {
            for start in [0, 1, -1, INT, INT + 1, i64::MIN, i64::MAX] {
                for step in [1, 2, -1, -2, INT, i64::MAX, i64::MIN] {
                    let (starts, ends, steps) = (&[start], &[end], &[step]);
                    let items = naive::from_onnx(&[n], None, starts, ends, Some(steps)).unwrap();
                    let [naive::Item::Range { start: from, stop, step: by }] = items[..] else {
                        panic!("{items:?}")
                    };
                    let (first, count) = naive::first_and_count(n as i128, from, stop, by);
                    let spec = onnx::slice(starts, ends).steps(steps).to_spec(&[n]).unwrap();
                    let plan = spec.plan(&[n]).unwrap();
                    assert_eq!(
                        (plan.offset() as i128, plan.len() as i128),
                        (if count == 0 { 0 } else { first }, count),
                        "{start}:{end}:{step} on {n}"
                    );
                }
            }
        }
    }
    // Without steps they are 1.
    let longest = isize::MAX as usize;
    let whole = onnx::slice(&[0], &[INT]).to_spec(&[longest]).unwrap();
    assert_eq!(whole.plan(&[longest]).unwrap().shape(), [longest]);
}

#[test]
fn inferred_lengths_are_exact_for_every_short_axis() {
    for low in 0..=7_usize {
        for high in low..=7 {
            for start in (-8..=8).map(Some).chain([None]) {
                for stop in (-8..=8).map(Some).chain([None]) {
                    for step in [-9, -3, -2, -1, 1, 2, 3, 9] {
                        let lengths = (low..=high).map(|n| {
                            naive::first_and_count(n as i128, wide(start), wide(stop), step.into())
                                .1
                        });
                        let keeps = lengths.clone().eq((low..=high).map(|n| n as i128));
                        let least = lengths.clone().min().unwrap() as usize;
                        let most = lengths.max().unwrap() as usize;
                        let wanted = if least == most {
                            Dim::Known(least)
                        } else {
                            Dim::Between(least, most)
                        };
                        let spec = range(start, stop, step).unwrap();
                        let inferred = spec.infer_shape(&[Dim::Between(low, high)]).unwrap();
                        let text = format!("{start:?}:{stop:?}:{step} on {low}..={high}");
                        assert_eq!(*inferred, [wanted], "{text}");
                        assert_eq!(inferred.name_source(0).is_some(), keeps, "{text}");
                    }
                }
            }
        }
    }
}
