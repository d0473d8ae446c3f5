//! What plans say about each other, compared with sets of positions that are listed one by one.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;
use pyslice::{Dim, Entry, Plan, SliceError, SpecBuf, s};
use support::naive::{self, Item, Picked};
use support::{check, generate};

fn set(from: &[usize]) -> HashSet<usize> {
    from.iter().copied().collect()
}

/// Two slices of one shape.
fn two(rank: usize, limit: usize) -> impl Strategy<Value = (Vec<usize>, Vec<Item>, Vec<Item>)> {
    generate::shape(rank, limit).prop_flat_map(|shape| {
        let slices = (generate::slice(&shape), generate::slice(&shape));
        (Just(shape), slices).prop_map(|(shape, (a, b))| (shape, a, b))
    })
}

/// A slice, a slice of it, and a slice of that.
fn chain() -> impl Strategy<Value = (Vec<usize>, [Vec<Item>; 3])> {
    let shape_after = |shape: &[usize], items: &[Item]| naive::pick(shape, items).unwrap().shape;
    generate::case(5, 1500).prop_flat_map(move |(shape, first)| {
        let one = shape_after(&shape, &first);
        (Just((shape, first)), generate::slice(&one), Just(one)).prop_flat_map(
            move |(given, second, one)| {
                let third = generate::slice(&shape_after(&one, &second));
                (Just(given), Just(second), third).prop_map(|((shape, a), b, c)| (shape, [a, b, c]))
            },
        )
    })
}

/// The plan and the listed positions of slices one after the other.
fn chained(shape: &[usize], slices: &[Vec<Item>]) -> (Plan, Picked) {
    let (mut plan, mut picked) = check::planned(shape, &slices[0]).unwrap();
    for items in &slices[1..] {
        plan = plan.then(check::spec_of(items).unwrap().unwrap()).unwrap();
        let next = naive::pick(&picked.shape, items).unwrap();
        picked = Picked {
            shape: next.shape,
            from: next.from.iter().map(|&at| picked.from[at]).collect(),
        };
    }
    (plan, picked)
}

/// A layout of any strides, small enough to list.
fn layout() -> impl Strategy<Value = (Vec<usize>, Vec<isize>)> {
    let axis = prop_oneof![
        8 => (1..6_usize, -12..13_isize),
        1 => (1..3_usize, prop_oneof![Just(0), Just(1), -200..200_isize]),
        1 => (0..2_usize, any::<bool>().prop_map(isize::from)),
    ];
    vec(axis, 0..5).prop_map(|axes| axes.into_iter().unzip())
}

/// A slice of a strided layout, and the positions listed.
fn strided() -> impl Strategy<Value = (Plan, Picked)> {
    layout().prop_flat_map(|(shape, strides)| {
        generate::slice(&shape).prop_map(move |items| {
            let plan =
                check::spec_of(&items).unwrap().unwrap().plan_strided(&shape, &strides).unwrap();
            let wide: Vec<i128> = strides.iter().map(|&s| s as i128).collect();
            let (out, from) = naive::pick_strided(&shape, &wide, &items).unwrap();
            // Offsets count from the lowest element of the whole layout.
            let lowest: i128 =
                shape.iter().zip(&wide).map(|(&n, &s)| (s * (n as i128 - 1)).min(0)).sum();
            (
                plan,
                Picked {
                    shape: out,
                    from: from.iter().map(|&at| (at - lowest) as usize).collect(),
                },
            )
        })
    })
}

proptest! {
    #![proptest_config(generate::config(800))]

    #[test]
    fn three_slices_are_one_plan((shape, slices) in chain()) {
        let (plan, picked) = chained(&shape, &slices);
        prop_assert_eq!(plan.shape(), &picked.shape[..]);
        prop_assert_eq!(check::walk(&plan), picked.from);
        prop_assert_eq!(plan.input_shape(), &shape[..]);
        prop_assert_eq!(plan.input_len(), shape.iter().product::<usize>());
        match plan.to_spec() {
            Ok(spec) => prop_assert!(plan.selects_same(&spec.plan(&shape).unwrap()), "{spec}"),
            Err(SliceError::NotRepresentable { .. }) => prop_assert!(plan.is_empty()),
            Err(e) => panic!("{e}"),
        }
    }

    #[test]
    fn forwards_and_then_turned_is_the_slice((shape, slices) in chain()) {
        let (plan, picked) = chained(&shape, &slices);
        let (read, turn) = plan.forwards().unwrap();
        // Every axis is kept, and elements come in the order of the input, each once.
        prop_assert_eq!(read.shape().len(), shape.len());
        prop_assert!(read.source_axes().eq((0..shape.len()).map(Some)));
        let forwards = check::walk(&read);
        prop_assert!(forwards.is_sorted_by(|a, b| a < b));
        prop_assert_eq!((read.input_shape(), turn.input_shape()), (&shape[..], read.shape()));
        prop_assert_eq!(turn.shape(), &picked.shape[..]);
        let turned: Vec<usize> = check::walk(&turn).iter().map(|&at| forwards[at]).collect();
        prop_assert_eq!(turned, picked.from);
        // What goes forwards is not changed, and is turned by nothing but its axes.
        let (again, same) = read.forwards().unwrap();
        prop_assert!(again.selects_same(&read) && same.is_identity());
    }

    #[test]
    fn a_plan_of_a_plan_is_one_plan((shape, slices) in chain()) {
        let (first, _) = chained(&shape, &slices[..1]);
        let later = chained(first.shape(), &slices[1..]).0;
        let both = first.then_plan(&later).unwrap();
        let picked = chained(&shape, &slices).1;
        prop_assert_eq!(both.shape(), &picked.shape[..]);
        prop_assert_eq!(check::walk(&both), picked.from);
        prop_assert_eq!((both.input_shape(), both.is_strided()), (&shape[..], false));
        // The sources are the input's.
        prop_assert!(both.to_spec().is_ok() || both.is_empty());
    }

    #[test]
    fn overlap_is_a_shared_position((shape, a, b) in two(5, 1500)) {
        let (a, from_a) = check::planned(&shape, &a).unwrap();
        let (b, from_b) = check::planned(&shape, &b).unwrap();
        let shared = !set(&from_a.from).is_disjoint(&set(&from_b.from));
        prop_assert_eq!(a.overlaps(&b).unwrap(), shared);
        prop_assert_eq!(b.overlaps(&a).unwrap(), shared);
        prop_assert_eq!(a.disjoint(&b).unwrap(), !shared);
    }

    #[test]
    fn overlap_of_composed_plans((shape, slices) in chain(), swap in any::<bool>()) {
        let (a, from_a) = chained(&shape, &slices[..2]);
        let (b, from_b) = if swap { chained(&shape, &slices) } else { chained(&shape, &slices[..1]) };
        prop_assert_eq!(a.overlaps(&b).unwrap(), !set(&from_a.from).is_disjoint(&set(&from_b.from)));
    }

    /// Plans of one buffer that was given two shapes.
    #[test]
    fn overlap_of_reshaped_arrays(
        (a, b) in (1..7_usize, 1..7_usize, 1..7_usize).prop_flat_map(|(x, y, z)| {
            let (one, two) = (vec![x * y, z], vec![y, z, x]);
            let slices = (generate::slice(&one), generate::slice(&two));
            slices.prop_map(move |(p, q)| ((one.clone(), p), (two.clone(), q)))
        })
    ) {
        let (a, from_a) = check::planned(&a.0, &a.1).unwrap();
        let (b, from_b) = check::planned(&b.0, &b.1).unwrap();
        prop_assert_eq!(a.overlaps(&b).unwrap(), !set(&from_a.from).is_disjoint(&set(&from_b.from)));
    }

    #[test]
    fn overlap_of_any_strides((a, from_a) in strided(), (b, from_b) in strided()) {
        prop_assert_eq!(check::walk(&a), from_a.from.clone());
        let shared = !set(&from_a.from).is_disjoint(&set(&from_b.from));
        prop_assert_eq!(a.overlaps(&b).unwrap(), shared, "{:?} {:?}", a, b);
        prop_assert_eq!(b.overlaps(&a).unwrap(), shared);
    }

    #[test]
    fn inverse_of_every_position((shape, slices) in chain(), twice in any::<bool>()) {
        let (plan, picked) = chained(&shape, &slices[..if twice { 3 } else { 1 }]);
        for at in 0..plan.input_len() {
            let index = unravel(at, &shape);
            let place = picked.from.iter().position(|&from| from == at).map(|i| unravel(i, &picked.shape));
            prop_assert_eq!(plan.contains(&index).unwrap(), place.is_some());
            prop_assert_eq!(plan.inverse(&index).unwrap(), place.clone());
            prop_assert_eq!(plan.contains(at).unwrap(), place.is_some());
            prop_assert_eq!(plan.inverse(at).unwrap(), place);
        }
        prop_assert_eq!(plan.inverse(plan.input_len() + 1), Ok(None));
        prop_assert_eq!(plan.contains(&shape), Ok(shape.is_empty() && !plan.is_empty()));
    }

    #[test]
    fn inverse_is_the_first_place_that_shares((plan, picked) in strided()) {
        for at in 0..plan.input_len() + 2 {
            let place = picked.from.iter().position(|&from| from == at).map(|i| unravel(i, &picked.shape));
            prop_assert_eq!(plan.contains(at).unwrap(), place.is_some());
            prop_assert_eq!(plan.inverse(at).unwrap(), place);
        }
    }

    /// On small shapes many pairs select the same.
    #[test]
    fn canonical_forms_are_equal_where_selections_are((shape, a, b) in two(3, 6)) {
        let (spec_a, spec_b) = (check::spec_of(&a).unwrap().unwrap(), check::spec_of(&b).unwrap().unwrap());
        let same = naive::pick(&shape, &a).unwrap() == naive::pick(&shape, &b).unwrap();
        prop_assert_eq!(spec_a.same_on(&spec_b, &shape).unwrap(), same);
        let (one, two) = (spec_a.canonical_on(&shape).unwrap(), spec_b.canonical_on(&shape).unwrap());
        prop_assert_eq!(one == two, same, "{} and {} from {} and {}", one, two, spec_a, spec_b);
        prop_assert!(one.same_on(&spec_a, &shape).unwrap(), "{one} is not {spec_a}");
        prop_assert_eq!(&one.canonical_on(&shape).unwrap(), &one);
    }
}

/// The multi-index of position `at` in C order.
fn unravel(mut at: usize, shape: &[usize]) -> Vec<usize> {
    let mut index: Vec<usize> = shape
        .iter()
        .rev()
        .map(|&n| {
            let i = at % n;
            at /= n;
            i
        })
        .collect();
    index.reverse();
    index
}

/// All ranges of one axis up to 5 long, each against each.
#[test]
fn every_pair_of_ranges() {
    for n in 0..=5_i64 {
        let bounds = || (-n - 1..=n).map(Some).chain([None]);
        let mut all: Vec<(SpecBuf, Plan, Vec<i128>)> = Vec::new();
        for (start, stop) in bounds().flat_map(|a| bounds().map(move |b| (a, b))) {
            for step in [-3, -2, -1, 1, 2, 3] {
                let spec = SpecBuf::from_entries([Entry::Range { start, stop, step }]).unwrap();
                let plan = spec.plan(&[n as usize]).unwrap();
                let listed = naive::positions(
                    n.into(),
                    start.map(i128::from),
                    stop.map(i128::from),
                    step.into(),
                );
                all.push((spec, plan, listed));
            }
        }
        for (_, a, from_a) in &all {
            for (_, b, from_b) in &all {
                assert_eq!(a.overlaps(b).unwrap(), from_a.iter().any(|at| from_b.contains(at)));
                assert_eq!(a.selects_same(b), from_a == from_b);
            }
        }
        let canonical = all.iter().map(|(spec, _, _)| spec.canonical_on(&[n as usize]).unwrap());
        let forms: HashSet<SpecBuf> = canonical.collect();
        let meanings: HashSet<&Vec<i128>> = all.iter().map(|(_, _, from)| from).collect();
        assert_eq!(forms.len(), meanings.len());
    }
}

fn range(start: i64, stop: i64, step: i64) -> Entry {
    Entry::Range { start: Some(start), stop: Some(stop), step }
}

/// Arrays that nobody could list: the answers are number theory.
#[test]
fn overlap_in_arrays_too_large_to_list() {
    let n = isize::MAX as usize;
    let one = |start, stop, step| {
        SpecBuf::from_entries([range(start, stop, step)]).unwrap().plan(&[n]).unwrap()
    };
    let all = i64::MAX;
    // 6i = 10j + 1 has no solution modulo 2; 6i = 10j + 4 is first solved at 24.
    assert!(!one(0, all, 6).overlaps(&one(1, all, 10)).unwrap());
    assert!(one(0, all, 6).overlaps(&one(4, all, 10)).unwrap());
    assert!(one(0, 25, 6).overlaps(&one(4, all, 10)).unwrap());
    assert!(!one(0, 24, 6).overlaps(&one(4, 54, 10)).unwrap());
    // Two large primes: p·i = q·j first meets 0 and then p·q, which is on the axis.
    let (p, q) = if usize::BITS > 32 { (1_000_000_007, 998_244_353) } else { (32_771, 32_749) };
    assert!(!one(p, p * q, p).overlaps(&one(0, all, q)).unwrap());
    assert!(one(p, p * q + 1, p).overlaps(&one(0, all, q)).unwrap());
    assert!(one(p * q, 0, -p).overlaps(&one(q, all, q)).unwrap());
    assert!(!one(p * q - p, 0, -p).overlaps(&one(q, all, q)).unwrap());

    // The same on each of three axes: they overlap where they do on all axes.
    let side = 1 << (usize::BITS / 3 - 1);
    let cube = |a: Entry, b: Entry, c: Entry| {
        SpecBuf::from_entries([a, b, c]).unwrap().plan(&[side; 3]).unwrap()
    };
    let (even, odd) = (range(0, side as i64, 2), range(-1, i64::MIN, -2));
    assert!(cube(even, even, odd).overlaps(&cube(even, even, odd)).unwrap());
    for differ in 1..8 {
        let pick = |i: usize| if differ >> i & 1 == 1 { odd } else { even };
        assert!(!cube(pick(0), pick(1), pick(2)).overlaps(&cube(even, even, even)).unwrap());
    }
    let threes = range(-2, i64::MIN, -3);
    assert!(cube(threes, even, threes).overlaps(&cube(odd, threes, even)).unwrap());
}

/// The rank does not make it slow either: 40 axes of 2, or 20, and steps both ways.
#[test]
fn overlap_in_many_axes() {
    let shape = [2; usize::BITS as usize * 5 / 8];
    let last =
        |entry| SpecBuf::from_entries([Entry::Ellipsis, entry]).unwrap().plan(&shape).unwrap();
    assert!(!last(Entry::Index(0)).overlaps(&last(Entry::Index(1))).unwrap());
    assert!(last(Entry::Index(0)).overlaps(&last(range(-1, i64::MIN, -1))).unwrap());
    let first = SpecBuf::from_entries([Entry::Index(1)]).unwrap().plan(&shape).unwrap();
    assert!(last(Entry::Index(0)).overlaps(&first).unwrap());
}

/// Strides made to be hard: the answer is right or there is none, but there is an end.
#[test]
fn strides_made_to_be_hard_come_to_an_end() {
    let all = SpecBuf::default();
    // 25 switches of odd strides near 2⁴⁰, or 2²⁶ on 32 bits, twice: a subset sum of 50 numbers.
    let spare = if usize::BITS > 32 { 24 } else { 38 };
    let strides = |seed: u64| -> Vec<isize> {
        let mut state = seed;
        (0..25)
            .map(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                ((state >> spare) | 1) as isize
            })
            .collect()
    };
    let plan = |seed| {
        all.plan_strided(&[2; 25], &strides(seed))
            .unwrap()
            .then(SpecBuf::builder().index(1).build().unwrap())
    };
    let (a, b) = (plan(1).unwrap(), plan(2).unwrap());
    match a.overlaps(&b) {
        Ok(shared) => {
            let (from_a, from_b) = (set(&check::walk(&a)), check::walk(&b));
            assert_eq!(shared, from_b.iter().any(|at| from_a.contains(at)));
        }
        Err(e) => assert_eq!(e, SliceError::WorkLimit),
    }
}

#[test]
fn an_answer_that_cannot_be_is_an_error() {
    let all = SpecBuf::default();
    let (six, eight) = (all.plan(&[6]).unwrap(), all.plan(&[2, 4]).unwrap());
    let strided = all.plan_strided(&[2, 3], &[3, 1]).unwrap();
    let different = SliceError::DifferentBuffers { first: 6, second: 8 };
    assert_eq!(six.overlaps(&eight), Err(different));
    assert_eq!(
        different.to_string(),
        "one plan is for 6 elements and the other for 8, so they cannot share a buffer; make both \
         plans for the same array"
    );
    // A strided array may lie in a longer buffer.
    assert_eq!(strided.overlaps(&eight), Ok(true));
    assert_eq!(six.contains(&[1, 2]), Err(SliceError::RankMismatch { expected: 1, found: 2 }));
    let needs = SliceError::NeedsContiguous { what: "an index of the input" };
    assert_eq!(strided.contains(&[1, 2]), Err(needs));
    assert_eq!(
        needs.to_string(),
        "an index of the input needs a slice of a C-contiguous array, but this plan was made with \
         strides, permuted, broadcast or reshaped; use `plan` and `then`"
    );
    let added = SpecBuf::builder().new_axis().build().unwrap().plan(&[5]).unwrap();
    let cut = added.then(SpecBuf::builder().range(0, 0, 1).build().unwrap()).unwrap();
    assert_eq!(cut.shape(), [0, 5]);
    assert_eq!(
        cut.to_spec().unwrap_err().to_string(),
        "not representable: an axis that was added has length 0; slice in two steps"
    );
    assert_eq!(
        SliceError::WorkLimit.to_string(),
        "it would take too long to find out whether elements are shared; slice arrays whose \
         strides nest, or copy one slice first"
    );
}

/// Equal plans compare equal, even if a slice on the way to one of them had more than 8 axes.
#[test]
fn two_plans_go_together_only_where_shapes_do() {
    let first = spec("::-2").plan(&[10, 3]).unwrap();
    let refused = first.then_plan(&spec("0").plan(&[5]).unwrap());
    assert_eq!(refused, Err(SliceError::RankMismatch { expected: 2, found: 1 }));
    let refused = first.then_plan(&spec("0").plan(&[3, 5]).unwrap()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "not representable: a plan of another shape; plan the later slice for `shape()` of this \
         plan"
    );
    let strided = spec("").plan_strided(&[5, 3], &[1, 5]).unwrap();
    let refused = |what| Err(SliceError::NeedsContiguous { what });
    assert_eq!(first.then_plan(&strided), refused("`then_plan`"));
    assert_eq!(strided.forwards(), Err(SliceError::NeedsContiguous { what: "`forwards`" }));
    // The first may have strides: here the axes are swapped.
    let swapped = strided.then_plan(&spec("::-1, 1").plan(&[5, 3]).unwrap()).unwrap();
    assert_eq!(check::walk(&swapped), [9, 8, 7, 6, 5]);
}

#[test]
fn more_axes_than_a_slice_has_entries() {
    let (shape, cuts) = (vec![2; 60], vec![vec![1, 1]; 60]);
    let plan = spec("::-1").plan(&shape).unwrap();
    let last = plan.chunks_of_lengths(&cuts).unwrap().nth((1 << 60) - 1).unwrap();
    assert!(last.target().to_spec().is_err());
    let (read, turn) = plan.then_plan(last.target()).unwrap().forwards().unwrap();
    // The last element, which is in the first row of the slice.
    assert_eq!(last.target().offset(), (1 << 59) - 1);
    assert_eq!((read.offset(), read.len(), turn.len()), ((1 << 60) - 1, 1, 1));
}

#[test]
fn axes_added_and_dropped_again_leave_no_trace() {
    let ten = SpecBuf::from_entries([Entry::NewAxis; 10]).unwrap();
    let back = SpecBuf::from_entries([Entry::Index(0); 10]).unwrap();
    let all = SpecBuf::default();
    let plan = all.plan(&[3, 4]).unwrap();
    let round = plan.then(&ten).unwrap().then(&back).unwrap();
    assert_eq!(round, plan);
    assert_eq!(round.source_axes().collect::<Vec<_>>(), [Some(0), Some(1)]);
    // And the other way: 10 axes in, 2 out.
    let high = SpecBuf::from_entries([Entry::Index(1); 8]).unwrap().plan(&[2; 10]).unwrap();
    let in_two = SpecBuf::from_entries([Entry::Index(1); 4]).unwrap();
    assert_eq!(in_two.plan(&[2; 10]).unwrap().then(&in_two).unwrap(), high);
    assert_eq!(high.source_axes().collect::<Vec<_>>(), [Some(8), Some(9)]);
}

/// Texts worked out by hand from Python's rules.
#[test]
fn canonical_texts() {
    let text = |spec: &str, shape: &[usize]| {
        let items = naive::from_text(spec).unwrap();
        check::spec_of(&items).unwrap().unwrap().canonical_on(shape).unwrap().to_string()
    };
    assert_eq!(text("0:10:1, :", &[10, 3]), "()");
    assert_eq!(text("-10:20:3", &[10]), "::3");
    assert_eq!(text("1:10:3", &[10]), "1::3");
    assert_eq!(text("1:7:3", &[10]), "1:5:3");
    assert_eq!(text("::-1", &[10]), "::-1");
    assert_eq!(text("9:0:-1", &[10]), ":0:-1");
    assert_eq!(text("8:0:-4", &[10]), "8:3:-4");
    assert_eq!(text("7:7", &[10]), ":0");
    assert_eq!(text("3, None, ..., -1", &[5, 4, 3]), "3:4, :, 2");
    assert_eq!(text("..., 1", &[5, 4]), ":, 1");
    assert_eq!(text("::-1", &[1]), "()");
    assert_eq!(text("None, None, 1", &[2]), "1:, None");
}

/// The bounds that the array API standard lists, and no others.
#[test]
fn strict_bounds_are_the_standards() {
    let strict = |text: &str, n: usize| {
        text.parse::<SpecBuf>().unwrap().strict().plan(&[n]).map(|plan| plan.len())
    };
    for (text, n, len) in [
        ("3:-5:-1", 4, 4),
        ("-1:-5:-2", 4, 2),
        ("4:", 4, 0),
        (":4", 4, 4),
        ("0:-1:-1", 0, 0),
        ("0:0", 0, 0),
    ] {
        assert_eq!(strict(text, n), Ok(len), "{text} of {n}");
    }
    for (text, n) in [
        ("4::-1", 4),
        (":4:-1", 4),
        ("-5::-1", 4),
        (":-6:-1", 4),
        (":5", 4),
        ("-5:", 4),
        (":-1", 0),
        ("1:", 0),
    ] {
        assert!(
            matches!(strict(text, n), Err(SliceError::BoundOutOfRange { .. })),
            "{text} of {n}"
        );
    }
}

/// A strict slice is strict wherever it goes: plans, chains, strides, fixed ranks, inferred shapes,
/// other forms of itself.
#[test]
fn a_strict_slice_is_strict_everywhere() {
    use pyslice::{Dim, FixedPlan, Spec, s};
    let outside = SliceError::BoundOutOfRange { bound: 9, axis: 1, len: 4 };
    let spec = s![1, 2:9].strict();
    let whole = s![].plan(&[3, 4]).unwrap();
    assert_eq!(spec.plan(&[3, 4]), Err(outside));
    assert_eq!(spec.as_ref().plan(&[3, 4]), Err(outside));
    assert_eq!(spec.to_buf().plan(&[3, 4]), Err(outside));
    assert_eq!(spec.plan_strided(&[3, 4], &[1, 3]), Err(outside));
    assert_eq!(spec.plan_strided_at(&[3, 4], &[1, 3], 5), Err(outside));
    assert_eq!(whole.then(spec), Err(outside));
    assert_eq!(FixedPlan::<2, 1>::new(spec.as_ref(), [3, 4]), Err(outside));
    assert_eq!(spec.to_axes(&[3, 4]), Err(outside));
    assert_eq!(
        Spec::<2, 2, 1>::try_from(spec.to_buf().as_ref()).map(|spec| spec.is_strict()),
        Ok(true)
    );
    for (dim, refused) in [
        (Dim::Known(4), true),
        (Dim::Between(2, 4), true),
        (Dim::Between(2, 9), false),
        (Dim::Unknown, false),
    ] {
        assert_eq!(spec.infer_shape(&[Dim::Known(3), dim]).is_err(), refused, "{dim:?}");
    }
    assert_eq!(spec.plan(&[3, 9]), s![1, 2:9].plan(&[3, 9]));
    assert!(spec != s![1, 2:9] && !s![1, 2:9].is_strict());
    const CROP: Spec<2> = s![1:-1, 1:-1].strict();
    assert!(CROP.is_strict() && "2:9".parse::<SpecBuf>().unwrap().strict().plan(&[4]).is_err());
    let mut x = ndarray::Array2::<u8>::zeros((3, 4));
    assert_eq!(pyslice::PySlice::try_pyslice(&x, spec).map(|view| view.len()), Err(outside));
    assert_eq!(
        pyslice::PySlice::try_pyslice_copy(&x, spec.as_ref()).map(|out| out.len()),
        Err(outside)
    );
    assert_eq!(
        pyslice::PySlice::try_pyslice_move(x.clone(), spec).map(|out| out.len()),
        Err(outside)
    );
    assert_eq!(pyslice::PySlice::try_pyslice_fill(&mut x, spec, 1), Err(outside));
}

fn spec(text: &str) -> SpecBuf {
    text.parse().unwrap()
}

#[test]
fn bounds_behind_an_ellipsis_are_checked_on_their_axis() {
    let dims = [Dim::Known(9), Dim::Known(9), Dim::Known(3)];
    let refused = SliceError::BoundOutOfRange { bound: 5, axis: 2, len: 3 };
    assert_eq!(spec("..., 5:").strict().infer_shape(&dims), Err(refused));
    // The first mistake is the one that planning names.
    let two = spec("9:, 7").strict();
    let named = SliceError::BoundOutOfRange { bound: 9, axis: 0, len: 3 };
    assert_eq!(two.plan(&[3, 4]), Err(named));
    assert_eq!(two.infer_shape(&[Dim::Known(3), Dim::Known(4)]), Err(named));
}

/// Graphs write `-i64::MAX` for "to the front". Only an axis of isize::MAX would lose an element to
/// it, and no memory holds one.
#[test]
fn a_stop_that_no_axis_reaches_keeps_length_and_name() {
    let near = isize::MIN as i64 + 1;
    for text in [
        format!("-1:{near}:-1"),
        format!(":{near}:-1"),
        format!("{near}:"),
        format!(":{}", -near - 1),
    ] {
        let dims = spec(&text).infer_shape(&[Dim::Unknown, Dim::Between(2, 9)]).unwrap();
        assert_eq!((dims[0], dims.name_source(0)), (Dim::Unknown, Some(0)), "{text}");
        let known = spec(&text).infer_shape(&[Dim::Between(3, 8)]).unwrap();
        assert_eq!((known[0], known.name_source(0)), (Dim::Between(3, 8), Some(0)), "{text}");
    }
    let written = s![-1:-9223372036854775807:-1].infer_shape(&[Dim::Unknown]).unwrap();
    assert_eq!((written[0], written.name_source(0)), (Dim::Unknown, Some(0)));
    // One nearer, and a shorter axis loses one.
    let reached = spec(&format!("-1:{}:-1", near + 1)).infer_shape(&[Dim::Unknown]).unwrap();
    assert_eq!(reached.name_source(0), None);
    // What is known to be shorter than the bound keeps its name, too.
    let short = spec(&format!("-1:{}:-1", i32::MIN)).infer_shape(&[Dim::Between(0, 9)]).unwrap();
    assert_eq!((short[0], short.name_source(0)), (Dim::Between(0, 9), Some(0)));
}

#[test]
fn strides_that_interleave_may_repeat_nothing() {
    let repeats = |shape: &[usize]| spec("...").plan_strided(shape, &[3, 2]).unwrap().repeats();
    assert_eq!(repeats(&[2, 4]), Ok(false));
    assert_eq!(repeats(&[3, 4]), Ok(true));
}
