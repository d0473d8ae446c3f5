//! Nodes of real models (`tests/data/real_nodes.jsonl`): what exporters write, on the shapes that
//! the files say, and with every known axis made unknown.

use crate::case::{Answer, Case};
use crate::operators;
use crate::partial::says_more;
use pyslice::{Dim, Dims, SpecBuf};

/// Lengths around everything that exporters write, up to lengths that no tensor has.
const TRIED: [u64; 19] = [
    0,
    1,
    2,
    3,
    7,
    40,
    128,
    300,
    310,
    1000,
    44_000,
    999_999_999,
    1_000_000_001,
    2_147_483_646,
    2_147_483_647,
    2_147_483_648,
    3_000_000_000,
    1 << 40,
    1 << 62,
];

fn infer(case: &Case, dims: &[Dim]) -> Option<Dims> {
    operators::with(case, |_| false, |op| op.infer(Some(dims))).ok().flatten()
}

fn slice(case: &Case, dims: &[Dim]) -> Option<SpecBuf> {
    operators::with(case, |_| false, |op| op.spec_if_known(dims)).unwrap()
}

#[test]
fn real_nodes_say_what_their_files_say() {
    let cases = Case::read("real_nodes");
    for case in &cases {
        let Answer::Inferred(Some(theirs)) = &case.answer else { panic!("{case:?}") };
        let ours = infer(case, &case.dims).unwrap_or_else(|| panic!("{case:?}"));
        assert!(says_more(Some(&ours), Some(theirs)), "{case:?}: {ours:?}");
        let numbers = |dims: &[Dim]| -> Option<Vec<usize>> {
            let known = |dim: &Dim| if let Dim::Known(n) = dim { Some(*n) } else { None };
            dims.iter().map(known).collect()
        };
        if let Some(shape) = numbers(&case.dims) {
            let spec = operators::with(case, |_| false, |op| op.to_spec(&shape)).unwrap();
            assert_eq!(Some(spec.plan(&shape).unwrap().shape()), numbers(theirs).as_deref());
        }
    }
    assert!(cases.len() > 300);
}

#[test]
fn no_length_and_no_name_is_lost_where_an_axis_is_unknown() {
    let (mut named, mut known) = (0, 0);
    for case in &Case::read("real_nodes") {
        let whole = slice(case, &case.dims);
        let unknown = vec![Dim::Unknown; case.dims.len()];
        let all = infer(case, &unknown).unwrap_or_else(|| panic!("{case:?}"));
        let Answer::Inferred(Some(theirs)) = &case.answer else { panic!("{case:?}") };
        assert!(says_more(Some(theirs), Some(&all)), "{case:?}: {all:?}");
        // None of these slices waits for a length.
        assert_eq!(slice(case, &unknown).is_some(), whole.is_some(), "{case:?}");
        for axis in 0..case.dims.len() {
            let with = |dim: Dim| {
                let mut dims = case.dims.clone();
                dims[axis] = dim;
                dims
            };
            let inferred = infer(case, &with(Dim::Unknown)).unwrap();
            let spec = slice(case, &with(Dim::Unknown));
            assert_eq!(spec, whole, "{case:?} with axis {axis} unknown");
            let one = |n| Some((n, infer(case, &with(Dim::Known(n)))?));
            let possible = TRIED.into_iter().flat_map(isize::try_from).map(isize::unsigned_abs);
            let results: Vec<_> = possible.filter_map(one).collect();
            for (at, dim) in inferred.iter().enumerate() {
                let lengths = || results.iter().map(|(n, dims)| (*n, dims[at]));
                let text = || format!("{case:?}, axis {axis} unknown: {inferred:?}");
                assert!(lengths().all(|(_, n)| says_more(Some(&[n]), Some(&[*dim]))), "{}", text());
                let first = results[0].1[at];
                if lengths().all(|(_, n)| n == first) {
                    assert_eq!(*dim, first, "{}", text());
                    known += 1;
                }
                if lengths().all(|(n, found)| found == Dim::Known(n)) {
                    assert_eq!((*dim, inferred.name_source(at)), (Dim::Unknown, Some(axis)));
                    named += 1;
                }
            }
        }
    }
    println!("{named} names and {known} lengths kept");
    assert!(named > 600 && known > 2000, "{named} and {known}");
}

/// A reversal as PyTorch exports it, in five of six files of silero-vad.
#[test]
fn a_reversal_of_an_unknown_axis_is_known() {
    use pyslice::interop::{Operator, onnx, openvino};
    for stop in [-i64::MAX, i64::MIN, i64::from(i32::MIN)] {
        let (start, stop, step) = ([-1], [stop], [-1]);
        let short = [Dim::Between(0, 9)];
        for op in [
            &onnx::slice(&start, &stop).steps(&step) as &dyn Operator,
            &openvino::slice(&start, &stop, &step),
            &openvino::strided_slice(&start, &stop).strides(&step),
        ] {
            let spec = op.spec_if_known(&[Dim::Unknown]).unwrap().unwrap();
            for n in [0, 1, 2, 9] {
                assert_eq!(op.to_spec(&[n]).unwrap().plan(&[n]), spec.plan(&[n]), "{spec}");
                assert_eq!(spec.plan(&[n]).unwrap().len(), n);
            }
            let dims = op.infer(Some(&short)).unwrap().unwrap();
            assert_eq!((dims[0], dims.name_source(0)), (short[0], Some(0)));
            if stop[0] < i64::from(i32::MIN) {
                let dims = op.infer(Some(&[Dim::Unknown])).unwrap().unwrap();
                assert_eq!((dims[0], dims.name_source(0)), (Dim::Unknown, Some(0)));
            }
        }
    }
}

/// A start before a short axis matters only if the range goes on past position 0.
#[test]
fn a_range_that_stops_on_every_axis_is_known() {
    use pyslice::interop::{Operator, onnx, openvino};
    for (start, stop, dim, known) in [
        (-2, 0, Dim::Unknown, true),
        (-5, 3, Dim::Unknown, true),
        (-4, -1, Dim::Unknown, true),
        (-4, -2, Dim::Unknown, true),
        (-2, -4, Dim::Unknown, false),
        (-2, -4, Dim::Between(2, 9), true),
        (-4, -6, Dim::Between(3, 9), false),
        (-4, -6, Dim::Between(3, 4), true),
        (-4, i64::MIN, Dim::Unknown, false),
    ] {
        let (start, stop, step) = ([start], [stop], [-2]);
        for op in [
            &onnx::slice(&start, &stop).steps(&step) as &dyn Operator,
            &openvino::slice(&start, &stop, &step),
        ] {
            let spec = op.spec_if_known(&[dim]).unwrap();
            assert_eq!(spec.is_some(), known, "{start:?}:{stop:?} on {dim:?}");
            let (least, most) = dim.limits();
            for n in spec.iter().flat_map(|_| least..=most.min(9)) {
                let (all, one) = (spec.clone().unwrap(), op.to_spec(&[n]).unwrap());
                assert_eq!(all.plan(&[n]), one.plan(&[n]), "{all} and {one}");
            }
        }
    }
}
