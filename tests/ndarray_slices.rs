//! Conversions between ndarray's own slices and ours, in both directions; several slices at once;
//! random slices of random layouts.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/layouts.rs"]
mod layouts;
mod support;

use layouts::{layouts, numbered};
use ndarray::{
    Array1, Array2, ArrayD, Axis, Ix2, Ix3, Slice, SliceInfo, SliceInfoElem, array, s as nd,
};
use proptest::prelude::*;
use pyslice::nd::{from_slice_info, slice_elems, slice_info};
use pyslice::{Entry, PySlice, SliceError, SpecBuf, StepRange, s};
use std::collections::HashSet;
use support::{check, generate, naive};

/// Every bound that lies on an axis of `n` elements, from either side.
fn bounds(n: i64) -> impl Iterator<Item = i64> + Clone {
    -n..=n
}

#[test]
fn ndarrays_ranges_mean_the_same_in_pythons_words() {
    let mut seen = 0;
    for n in 0..7 {
        let x: Array1<i64> = (0..n).collect();
        for start in bounds(n) {
            for end in bounds(n).map(Some).chain([None]) {
                for step in (-8..=8).filter(|&step| step != 0) {
                    let theirs = x.slice_axis(
                        Axis(0),
                        Slice::new(start as isize, end.map(|e| e as isize), step as isize),
                    );
                    let entry = StepRange { start, end, step }.to_entry().unwrap();
                    let spec = SpecBuf::from_entries([entry]).unwrap();
                    assert_eq!(
                        x.pyslice(&spec),
                        theirs.into_dyn(),
                        "{start}..{end:?};{step} of {n} as {entry}"
                    );
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 5000);
}

#[test]
fn pythons_ranges_mean_the_same_in_ndarrays_words() {
    let odd = [i64::MIN, i64::MIN + 1, -9, 9, i64::MAX];
    for n in 0..7_i64 {
        let x: Array1<i64> = (0..n).collect();
        let all: Vec<Option<i64>> = bounds(n + 1).chain(odd).map(Some).chain([None]).collect();
        for &start in &all {
            for &stop in &all {
                for step in (-4..=4).chain(odd).filter(|&step| step != 0) {
                    let StepRange { start: a, end, step: c } =
                        StepRange::from_entry(start, stop, step, n as usize).unwrap();
                    let slice = Slice::new(a as isize, end.map(|e| e as isize), c as isize);
                    let wanted: Vec<i64> = naive::positions(
                        n.into(),
                        start.map(Into::into),
                        stop.map(Into::into),
                        step.into(),
                    )
                    .into_iter()
                    .map(|at| at as i64)
                    .collect();
                    assert_eq!(
                        x.slice_axis(Axis(0), slice).to_vec(),
                        wanted,
                        "{start:?}:{stop:?}:{step} of {n}"
                    );
                }
            }
        }
    }
}

#[test]
fn what_has_no_counterpart_is_refused() {
    assert_eq!(
        StepRange { start: 0, end: None, step: 0 }.to_entry(),
        Err(SliceError::ZeroStep { entry: 0 })
    );
    assert_eq!(StepRange::from_entry(None, None, 0, 3), Err(SliceError::ZeroStep { entry: 0 }));
    let low = StepRange { start: i64::MIN, end: None, step: -1 }.to_entry();
    assert!(matches!(low, Err(SliceError::NotRepresentable { .. })), "{low:?}");
    assert_eq!(StepRange::from_entry(None, None, 1, usize::MAX), Err(SliceError::ShapeTooLarge));
    let many = vec![SliceInfoElem::NewAxis; 32];
    assert_eq!(from_slice_info(&many), Err(SliceError::TooLong { entries: 32 }));
    assert_eq!(
        slice_elems(s![0, 7], &[2, 3]),
        Err(SliceError::IndexOutOfRange { index: 7, axis: 1, len: 3 })
    );
    let zero = [SliceInfoElem::NewAxis, SliceInfoElem::Slice { start: 0, end: None, step: 0 }];
    assert_eq!(from_slice_info(zero), Err(SliceError::ZeroStep { entry: 1 }));
}

#[test]
fn the_table_of_differences() {
    // The rows of the table in the documentation of `StepRange`.
    let x = array![0, 1, 2, 3, 4];
    let row = |theirs: SliceInfo<[SliceInfoElem; 1], ndarray::Ix1, ndarray::Ix1>,
               python: &str,
               gives: &[i32]| {
        assert_eq!(x.slice(theirs).to_vec(), gives, "ndarray's {theirs:?}");
        assert_eq!(
            x.pyslice(&python.parse::<SpecBuf>().unwrap()),
            Array1::from(gives.to_vec()).into_dyn(),
            "{python}"
        );
        assert_eq!(from_slice_info(theirs).unwrap().to_string(), python);
    };
    row(ndarray::s![..;-1], "::-1", &[4, 3, 2, 1, 0]);
    row(ndarray::s![0..5;-1], "4::-1", &[4, 3, 2, 1, 0]);
    row(ndarray::s![1..4;-1], "3:0:-1", &[3, 2, 1]);
    row(ndarray::s![1..4;-2], "3:0:-2", &[3, 1]);
    row(ndarray::s![2..;-1], ":1:-1", &[4, 3, 2]);
    row(ndarray::s![..3;-1], "2::-1", &[2, 1, 0]);
    row(ndarray::s![-3..-1;-1], "-2:-4:-1", &[3, 2]);
    row(ndarray::s![1..4;2], "1:4:2", &[1, 3]);
    let python = |text: &str| {
        x.pyslice(&text.parse::<SpecBuf>().unwrap()).iter().copied().collect::<Vec<_>>()
    };
    assert!(python("0:5:-1").is_empty());
    assert_eq!(python("2::-1"), [2, 1, 0]);
    assert_eq!(python(":3:-1"), [4]);
    assert_eq!((python("3:9"), python("-7:")), (vec![3, 4], vec![0, 1, 2, 3, 4]));
    for (start, end) in [(3, Some(9)), (-7, None)] {
        let theirs =
            std::panic::catch_unwind(|| x.slice_axis(Axis(0), Slice::new(start, end, 1)).len());
        assert!(theirs.is_err(), "ndarray clamps {start}..{end:?} by now");
    }
}

#[test]
fn whole_slices_go_to_ndarray_and_back() {
    let x = ndarray::Array3::from_shape_fn((3, 4, 5), |(i, j, k)| 100 * i + 10 * j + k);
    let info = slice_info(s![1, None, ..., ::-2], x.raw_dim()).unwrap();
    let theirs: ndarray::ArrayView3<'_, usize> = x.slice(&info);
    assert_eq!(theirs, x.pyslice(s![1, None, ..., ::-2]));
    assert_eq!(
        *info,
        [
            SliceInfoElem::Index(1),
            SliceInfoElem::NewAxis,
            SliceInfoElem::Slice { start: 0, end: None, step: 1 },
            SliceInfoElem::Slice { start: 0, end: Some(5), step: -2 },
        ]
    );
    let back = from_slice_info(&info).unwrap();
    assert_eq!(x.pyslice(&back), theirs.into_dyn());
    let dynamic = slice_info(s![-1], x.view().into_dyn().raw_dim()).unwrap();
    assert_eq!(x.view().into_dyn().slice(&dynamic), x.pyslice(s![-1]).into_dyn());
    let typed = slice_info::<Ix3, _>(&back, x.raw_dim()).unwrap();
    assert_eq!(x.slice(typed), x.pyslice(&back));
}

#[test]
fn several_views_at_once() {
    let mut x = Array2::<i32>::zeros((4, 6));
    let (mut left, mut right) = x.pyslice_many_mut((s![:, 0], s![::-2, 1::2]));
    left.fill(1);
    right.fill(2);
    assert_eq!((left.ndim(), right.shape()), (1, &[2, 3][..]));
    assert_eq!(
        x,
        array![[1, 0, 0, 0, 0, 0], [1, 2, 0, 2, 0, 2], [1, 0, 0, 0, 0, 0], [1, 2, 0, 2, 0, 2]]
    );

    let thirds: [_; 3] = x.pyslice_many_mut([s![:, ::3], s![:, 1::3], s![:, -1::-3]]);
    for (mut third, n) in thirds.into_iter().zip([10, 20, 30]) {
        third.fill(n);
    }
    assert_eq!(x.row(0), array![10, 20, 30, 10, 20, 30]);
    let rows: Vec<SpecBuf> = (0..4).map(|i| SpecBuf::builder().index(i).build().unwrap()).collect();
    for (n, mut row) in x.pyslice_many_mut(rows.iter().collect::<Vec<_>>()).into_iter().enumerate()
    {
        row.fill(n as i32);
    }
    assert_eq!(x.column(5), array![0, 1, 2, 3]);

    assert_eq!(
        x.try_pyslice_many_mut((s![0], s![1:3], s![-2, 0])).map(|_| ()),
        Err(SliceError::Overlap { first: 1, second: 2 })
    );
    assert_eq!(
        x.try_pyslice_many_mut([s![9]]).map(|_| ()),
        Err(SliceError::IndexOutOfRange { index: 9, axis: 0, len: 4 })
    );
    // Empty slices overlap nothing, not even themselves.
    let [a, b] = x.pyslice_many_mut([s![2:2], s![2:2]]);
    assert_eq!((a.len(), b.len()), (0, 0));
    let mut six =
        x.pyslice_many_mut((s![0, 0], s![0, 1], s![0, 2:], s![1], s![2:, ::2], s![2:, 1::2]));
    six.0.fill(-1);
    assert_eq!(six.4.shape(), [2, 3]);
}

/// The first slice that meets an earlier one, and that one: every pair is looked at.
fn first_overlap(shape: &[usize], slices: &[Vec<naive::Item>]) -> Option<(usize, usize)> {
    let taken: Vec<HashSet<usize>> = slices
        .iter()
        .map(|items| naive::pick(shape, items).unwrap().from.into_iter().collect())
        .collect();
    (0..taken.len())
        .find_map(|b| (0..b).find(|&a| !taken[a].is_disjoint(&taken[b])).map(|a| (a, b)))
}

#[test]
fn thousands_of_views_at_once() {
    let (n, side) = (64_usize, 5);
    let mut x = Array2::<u16>::zeros((n * side, n * side));
    let tile = |t: usize| {
        let (i, j) = (t / n * side, t % n * side);
        s![i:i + side, j:j + side]
    };
    let tiles: Vec<_> = (0..n * n).map(tile).collect();
    for (t, mut view) in x.pyslice_many_mut(tiles.clone()).into_iter().enumerate() {
        view.fill(t as u16);
    }
    assert!(x.indexed_iter().all(|((i, j), &v)| usize::from(v) == i / side * n + j / side));
    // One more slice touches a corner of the last one and of an earlier one.
    let mut more = tiles;
    let last = (n - 1) * side;
    more.push(s![last - 1:last + 1, n * side - 1:n * side]);
    let met = SliceError::Overlap { first: n * n - n - 1, second: n * n };
    assert_eq!(x.try_pyslice_many_mut(more).map(|_| ()), Err(met));

    // Every 1000th column, and backwards: any two of them reach over the same rows and columns.
    let mut x = Array2::<u16>::zeros((3, 3000));
    let comb = |t: i64| if t % 2 == 0 { s![::-1, t::1000] } else { s![:, t - 1000::-1000] };
    for (t, mut view) in
        x.pyslice_many_mut((0..1000).map(comb).collect::<Vec<_>>()).into_iter().enumerate()
    {
        assert_eq!(view.dim(), (3, 3));
        view.fill(t as u16);
    }
    assert!(x.indexed_iter().all(|((_, j), &v)| usize::from(v) == j % 1000));
}

proptest! {
    #![proptest_config(generate::config(300))]

    /// Many slices of one array: refused for the pair that all sets of indices name, or all of them
    /// written.
    #[test]
    fn overlap_of_many_is_exact(
        (shape, slices) in generate::shape(3, 100).prop_flat_map(|shape| {
            let slices = proptest::collection::vec(generate::slice(&shape), 1..14);
            (Just(shape), slices)
        })
    ) {
        let slices: Vec<_> = slices.into_iter().filter(|items| check::planned(&shape, items).is_some()).collect();
        // Small ones, so that not every list has a clash at its head.
        let small: Vec<_> =
            slices.iter().filter(|items| naive::pick(&shape, items).unwrap().from.len() < 6).cloned().collect();
        for slices in [slices, small] {
            let specs: Vec<SpecBuf> = slices.iter().map(|items| check::spec_of(items).unwrap().unwrap()).collect();
            let wanted = first_overlap(&shape, &slices);
            for (layout, mut x) in layouts(&numbered(&shape, |_| 0_usize), 1) {
                match x.try_pyslice_many_mut(specs.iter().collect::<Vec<_>>()) {
                    Ok(views) => {
                        prop_assert_eq!(wanted, None, "{}", layout);
                        let mut total = 0;
                        for mut view in views {
                            total += view.len();
                            view.map_inplace(|v| *v += 1);
                        }
                        prop_assert_eq!((x.sum(), x.iter().all(|&v| v < 2)), (total, true), "{}", layout);
                    }
                    Err(e) => prop_assert_eq!(
                        Some(e), wanted.map(|(first, second)| SliceError::Overlap { first, second }), "{}", layout
                    ),
                }
            }
        }
    }

    /// Views, copies and writes in every layout, element by element with ndarray's own indexing.
    #[test]
    fn random_slices_of_random_layouts((shape, items) in generate::case(7, 300)) {
        let Some((plan, picked)) = check::planned(&shape, &items) else { return Ok(()) };
        let spec = check::spec_of(&items).unwrap().unwrap();
        let base = numbered(&shape, |k| k as i32);
        let wanted = ArrayD::from_shape_vec(plan.shape(), picked.from.iter().map(|&at| at as i32).collect()).unwrap();
        let values = numbered(plan.shape(), |k| 10_000 + k as i32);
        let (mut assigned, mut filled) = (base.clone(), base.clone());
        for (k, &at) in picked.from.iter().enumerate() {
            assigned.as_slice_mut().unwrap()[at] = 10_000 + k as i32;
            filled.as_slice_mut().unwrap()[at] = -5;
        }
        for (layout, x) in layouts(&base, -1) {
            prop_assert_eq!(x.pyslice(&spec), wanted.view(), "{}", layout);
            prop_assert_eq!(x.pyslice_copy(&spec), wanted.view(), "{}", layout);
            prop_assert_eq!(x.map(i32::to_string).pyslice_copy(&spec), wanted.map(i32::to_string), "{}", layout);
            prop_assert_eq!(x.clone().pyslice_move(&spec), wanted.view(), "{}", layout);
            prop_assert_eq!(x.slice(slice_elems(&spec, &shape).unwrap().as_slice()), wanted.view(), "{}", layout);
            let mut y = x.clone();
            y.pyslice_mut(&spec).assign(&values);
            prop_assert_eq!(&y, &assigned, "{}", layout);
            for (_, values) in layouts(&values, -2) {
                let mut y = x.clone();
                y.pyslice_assign(&spec, &values);
                prop_assert_eq!(&y, &assigned, "{}", layout);
            }
            let mut y = x.clone();
            y.pyslice_fill(&spec, -5);
            prop_assert_eq!(&y, &filled, "{}", layout);
        }
    }

    /// Slices overlap if their sets of indices do, in every layout, and views that are not refused
    /// are the slices.
    #[test]
    fn overlap_is_exact(
        (shape, (first, second)) in generate::shape(4, 200).prop_flat_map(|shape| {
            let two = (generate::slice(&shape), generate::slice(&shape));
            (Just(shape), two)
        })
    ) {
        let (Some((_, a)), Some((_, b))) = (check::planned(&shape, &first), check::planned(&shape, &second)) else {
            return Ok(());
        };
        let specs = [&first, &second].map(|items| check::spec_of(items).unwrap().unwrap());
        let common = a.from.iter().collect::<HashSet<_>>().intersection(&b.from.iter().collect()).count();
        for (layout, mut x) in layouts(&numbered(&shape, |k| k as i32), -1) {
            match x.try_pyslice_many_mut([&specs[0], &specs[1]]) {
                Ok([mut one, mut two]) => {
                    prop_assert_eq!(common, 0, "{}", layout);
                    one.fill(-3);
                    two.fill(-4);
                    let (ones, twos) = (x.iter().filter(|&&v| v == -3).count(), x.iter().filter(|&&v| v == -4).count());
                    prop_assert_eq!((ones, twos), (a.from.len(), b.from.len()), "{}", layout);
                }
                Err(e) => {
                    prop_assert_eq!(e, SliceError::Overlap { first: 0, second: 1 });
                    prop_assert!(common > 0, "{}", layout);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(generate::config(200))]

    /// Arrays whose last axes lie in one piece and the others do not: pictures cut out of larger
    /// ones.
    #[test]
    fn random_slices_of_parts_of_larger_arrays(
        (shape, items) in generate::rows(),
        (gap, whole_axes) in (1..4_usize, 1..3_usize),
    ) {
        let Some((plan, picked)) = check::planned(&shape, &items) else { return Ok(()) };
        let spec = check::spec_of(&items).unwrap().unwrap();
        let mut wide = shape.clone();
        let outer = shape.len().saturating_sub(whole_axes);
        wide.iter_mut().take(outer).for_each(|n| *n += gap);
        let mut big = ArrayD::from_elem(wide, 0_u16);
        for (axis, &n) in shape.iter().enumerate() {
            big.slice_axis_inplace(Axis(axis), Slice::from(..n));
        }
        big.assign(&numbered(&shape, |k| k as u16));
        for layout in 0..1 << outer {
            // Each of the outer axes forwards or backwards in memory.
            let mut part = big.clone();
            for axis in (0..outer).filter(|axis| layout >> axis & 1 == 1) {
                part.invert_axis(Axis(axis));
            }
            part.assign(&numbered(&shape, |k| k as u16));
            let wanted: Vec<u16> = picked.from.iter().map(|&at| at as u16).collect();
            let copy = part.pyslice_copy(&spec);
            prop_assert_eq!(copy.shape(), plan.shape());
            prop_assert_eq!(copy.as_slice().unwrap(), &wanted);
        }
    }
}

#[test]
fn entries_go_round() {
    for entry in
        [Entry::Index(3), Entry::NewAxis, Entry::Range { start: Some(1), stop: Some(4), step: 2 }]
    {
        let spec = SpecBuf::from_entries([entry]).unwrap();
        let elems =
            slice_elems(&spec, &[9][..if entry == Entry::NewAxis { 0 } else { 1 }]).unwrap();
        assert_eq!(from_slice_info(elems).unwrap().entries().next(), Some(entry));
    }
}

/// Memory between the elements of a view belongs to others. Writing through a view has ndarray's
/// result, for sizes that kernels take and values in every layout.
#[test]
#[expect(clippy::reversed_empty_ranges, reason = "to ndarray, an end of -1 counts from the end")]
fn nothing_between_the_elements_of_a_view_is_written() {
    fn check<T: Copy + PartialEq + std::fmt::Debug>(make: impl Fn(usize) -> T) {
        let wide = numbered(&[40, 60], &make).into_dimensionality::<Ix2>().unwrap();
        let parts = [nd![1..-1, 2..-3], nd![..;2, ..;3], nd![..;-1, 5..;-2], nd![3.., ..;1]];
        let slices = [
            ("...", nd![..;1, ..;1]),
            ("::-1, ::2", nd![..;-1, ..;2]),
            ("1:-1:3, ::-1", nd![1..-1;3, ..;-1]),
            ("2:5", nd![2..5;1, ..;1]),
        ];
        for (part, (text, slice)) in parts.iter().flat_map(|a| slices.iter().map(move |b| (a, b))) {
            let spec: SpecBuf = text.parse().unwrap();
            let source = wide.slice(part);
            let (rows, columns) = source.slice(slice).dim();
            assert_eq!(source.pyslice_copy(&spec), source.slice(slice).into_dyn(), "{text}");
            for shape in [[rows, columns], [1, columns], [rows, 1]] {
                let values = numbered(&shape, |k| make(k + 7));
                for (layout, values) in layouts(&values, make(3)) {
                    let (mut ours, mut theirs) = (wide.clone(), wide.clone());
                    ours.slice_mut(part).pyslice_assign(&spec, &values);
                    theirs.slice_mut(part).slice_mut(slice).assign(&values);
                    assert_eq!(ours, theirs, "[{part:?}][{text}] = {shape:?}, {layout}");
                }
            }
            let (mut ours, mut theirs) = (wide.clone(), wide.clone());
            ours.slice_mut(part).pyslice_fill(&spec, make(5));
            theirs.slice_mut(part).slice_mut(slice).fill(make(5));
            assert_eq!(ours, theirs, "[{part:?}][{text}] = a value");
        }
    }
    check(|k| k as u8);
    check(|k| k as f32);
    check(|k| [k as u8, 1, 2]);
    check(|k| [k as f64, 0.5]);
    // Not one of the types that kernels move.
    check(|k| Some(k as u8));
}
