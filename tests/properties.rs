//! Random shapes and slices: plan and every operation agree with the reference, on every kernel.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use ndarray::{Array, ArrayD};
use proptest::prelude::*;
use pyslice::interop::{InteropError, Operator, onnx};
use pyslice::nd::slice_info;
use pyslice::{AxesForm, Dim, FixedPlan, Masks, Plan, PySlice, SliceError, SpecBuf, StepRange};
use support::naive::{self, Fault, Item};
use support::{check, entries::spec_of, generate};

proptest! {
    #![proptest_config(generate::config(400))]

    #[test]
    fn every_operation_agrees_up_to_rank_9((shape, items) in generate::case(9, 600)) {
        if let Some((plan, picked)) = check::planned(&shape, &items) {
            check::on_every_kernel(|| check::everything(&plan, &picked.from));
        }
    }
}

proptest! {
    #![proptest_config(generate::config(200))]

    #[test]
    fn every_operation_agrees_on_long_rows((shape, items) in generate::rows()) {
        if let Some((plan, picked)) = check::planned(&shape, &items) {
            check::on_every_kernel(|| check::everything(&plan, &picked.from));
        }
    }
}

proptest! {
    #![proptest_config(generate::config(3000))]

    /// Valid or not: both plan, or both refuse; and the reason is the same where only one applies.
    #[test]
    fn any_entries_on_any_shape((shape, items) in generate::wild()) {
        check::planned(&shape, &items);
    }

    /// A slice of the axes behind others, which are counted from the front or from the end.
    #[test]
    fn a_slice_goes_to_another_axis(
        before in generate::shape(2, 6),
        (behind, items) in generate::case(4, 200),
    ) {
        let Some(spec) = spec_of(&items) else { return Ok(()) };
        let spec = spec.unwrap();
        let shape = [before.clone(), behind.clone()].concat();
        let whole = [vec![naive::FULL; before.len()], items.clone()].concat();
        let theirs = naive::pick(&shape, &whole).unwrap();
        let from_front = spec.clone().on_axis(before.len());
        let plan = from_front.plan(&shape).unwrap();
        prop_assert_eq!((plan.shape(), check::walk(&plan)), (&theirs.shape[..], theirs.from));
        prop_assert_eq!(from_front.expand().unwrap().plan(&shape).unwrap(), plan.clone());
        let numbers = (0..plan.input_len()).collect();
        let array = ArrayD::from_shape_vec(shape.clone(), numbers).unwrap();
        let elements = plan.copy(array.as_slice().unwrap()).unwrap();
        let taken = Array::from_shape_vec(plan.shape(), elements).unwrap();
        let known: Vec<Dim> = shape.iter().map(|&n| Dim::Known(n)).collect();
        let lengths: Vec<Dim> = plan.shape().iter().map(|&n| Dim::Known(n)).collect();
        for spec in [from_front, spec.on_axis(-(behind.len() as i64))] {
            if spec.axis() == 0 && !before.is_empty() {
                continue; // No axis lies behind: -0 is 0.
            }
            prop_assert_eq!(spec.plan(&shape).unwrap(), plan.clone());
            prop_assert_eq!(array.pyslice(&spec), taken.view());
            prop_assert_eq!(array.clone().pyslice_move(&spec), taken.view());
            prop_assert_eq!(&*spec.infer_shape(&known).unwrap(), &lengths[..]);
            let info = slice_info(&spec, array.raw_dim()).unwrap();
            prop_assert_eq!(array.slice(info), taken.view());
            // As text, and through serde, it says what it takes, if text can.
            if let Ok(entries) = spec.expand() {
                prop_assert_eq!(spec.to_string(), entries.to_string());
                let read: SpecBuf =
                    serde_json::from_str(&serde_json::to_string(&spec).unwrap()).unwrap();
                prop_assert_eq!(read, entries);
            } else {
                let ellipsis = items.contains(&Item::Ellipsis);
                prop_assert!(ellipsis && serde_json::to_string(&spec).is_err());
            }
        }
    }

    /// Masks made at random: decoding agrees with the reference, and so do plans.
    #[test]
    fn masks_decode(
        shape in generate::shape(4, 500),
        entries in proptest::collection::vec((-7..7_i64, -7..7_i64, -3..4_i64), 0..7),
        masks in proptest::array::uniform5(prop_oneof![3 => Just(0), 5 => 0..200_u32, 1 => any::<u32>()]),
    ) {
        let begin: Vec<i64> = entries.iter().map(|e| e.0).collect();
        let end: Vec<i64> = entries.iter().map(|e| e.1).collect();
        let strides: Vec<i64> = entries.iter().map(|e| e.2).collect();
        let [b, e, l, n, s] = masks;
        let given = Masks { begin: b, end: e, ellipsis: l, new_axis: n, shrink_axis: s };
        let ours = SpecBuf::from_masks(&begin, &end, &strides, given);
        let theirs = naive::from_masks(&begin, &end, &strides, masks);
        let ours = ours.and_then(|spec| {
            // Decoding gives the canonical form, so decoding that again changes nothing.
            let m = spec.masks();
            let again = SpecBuf::from_masks(spec.begin(), spec.end(), spec.strides(), m);
            assert_eq!(again.as_ref(), Ok(&spec));
            assert_eq!(m.shrink_axis & (m.new_axis | m.ellipsis), 0);
            assert_eq!((m.begin | m.end) & (m.new_axis | m.ellipsis | m.shrink_axis), 0);
            spec.plan(&shape)
        });
        match (ours, theirs.and_then(|items| naive::pick(&shape, &items))) {
            (Ok(plan), Ok(picked)) => {
                prop_assert_eq!(plan.shape(), &picked.shape[..]);
                prop_assert_eq!(check::walk(&plan), picked.from);
            }
            (Err(_), Err(_)) => {}
            (ours, theirs) => panic!("ours {ours:?}, reference {theirs:?}"),
        }
    }

    /// Axes form, forwards and back.
    #[test]
    fn axes_form_goes_around((shape, items) in generate::case(6, 2000)) {
        let spec = check::spec_of(&items).unwrap().unwrap();
        let plan = spec.plan(&shape).unwrap();
        let form = spec.to_axes(&shape).unwrap();
        let rebuilt = SpecBuf::from_axes(shape.len(), &form.axes, &form.starts, &form.ends, &form.strides);
        let sliced = naive::pick(&shape, &naive::from_axes(
            shape.len(), &form.axes, &form.starts, &form.ends, &form.strides).unwrap()).unwrap();
        prop_assert_eq!(&sliced.from, &check::walk(&plan));
        let rebuilt = rebuilt.unwrap();
        // No bound of it is outside its axis, and none is one that other systems take for "not
        // known".
        prop_assert!(rebuilt.clone().strict().plan(&shape).is_ok(), "{form:?}");
        prop_assert_eq!(&plan.to_axes(), &Ok(form.clone()));
        let again = rebuilt.plan(&shape).unwrap();
        let ranges = StepRange::to_spec(&plan.to_step_ranges().unwrap()).unwrap().plan(&shape).unwrap();
        prop_assert!(ranges.selects_same(&again), "{ranges:?}");
        prop_assert_eq!(again.shape(), &sliced.shape[..]);
        prop_assert_eq!(check::walk(&again), sliced.from);
        let mut squeezed = Vec::new();
        for (axis, &n) in sliced.shape.iter().enumerate() {
            if form.drop.contains(&axis) {
                prop_assert_eq!(n, 1);
            } else {
                squeezed.push(n);
            }
        }
        for &at in &form.add {
            squeezed.insert(at, 1);
        }
        prop_assert_eq!(squeezed, plan.shape());
        prop_assert!(form.starts.iter().all(|&start| start >= 0), "{form:?}");
        let whole = form.to_spec(&shape).unwrap().plan(&shape).unwrap();
        prop_assert_eq!(whole.shape(), plan.shape());
        prop_assert_eq!(check::walk(&whole), check::walk(&plan));
    }

    /// Where ONNX's own rules do not come in, Python's give the same slice without the shape.
    #[test]
    fn onnx_needs_the_shape_for_negative_starts_under_negative_steps_alone(
        shape in generate::shape(4, 2000),
        ranges in proptest::collection::vec((onnx_bound(), onnx_bound(), -4..5_i64), 4),
    ) {
        let axes: Vec<i64> = (0..shape.len() as i64).collect();
        let rule = |&(start, _, step): &(i64, i64, i64)| step != 0 && (step > 0 || start >= 0);
        let ruled = |r: (i64, i64, i64)| if rule(&r) { r } else { (1, r.1, 1) };
        let ranges: Vec<_> = ranges.into_iter().take(shape.len()).map(ruled).collect();
        let starts: Vec<i64> = ranges.iter().map(|r| r.0).collect();
        let ends: Vec<i64> = ranges.iter().map(|r| r.1).collect();
        let steps: Vec<i64> = ranges.iter().map(|r| r.2).collect();
        let onnx = onnx::slice(&starts, &ends).steps(&steps).to_spec(&shape);
        let to_the_end = |&(_, end, step): &(i64, i64, i64)| match end == i64::MAX || end == i64::from(i32::MAX) {
            true if step < 0 => i64::MIN,
            true => i64::MAX,
            false => end,
        };
        let ends: Vec<i64> = ranges.iter().map(to_the_end).collect();
        let axes = SpecBuf::from_axes(shape.len(), &axes, &starts, &ends, &steps);
        prop_assert_eq!(
            onnx.and_then(|spec| Ok(spec.plan(&shape)?)),
            axes.and_then(|spec| spec.plan(&shape)).map_err(InteropError::from)
        );
    }

    /// A plan of fixed rank and the same plan of any rank convert to each other if the ranks agree.
    #[test]
    fn fixed_plans_go_around((shape, items) in generate::case(3, 2000)) {
        let spec = check::spec_of(&items).unwrap().unwrap();
        let (plan, picked) = check::planned(&shape, &items).unwrap();
        macro_rules! ranks {
            ($(($in:literal $out:literal))*) => { $({
                let fixed = FixedPlan::<$in, $out>::try_from(&plan);
                let expected = [($in, shape.len()), ($out, picked.shape.len())];
                match expected.iter().find(|(wanted, found)| wanted != found) {
                    Some(&(expected, found)) => {
                        prop_assert_eq!(fixed, Err(SliceError::RankMismatch { expected, found }));
                    }
                    None => {
                        let fixed = fixed.unwrap();
                        let made = FixedPlan::new(spec.as_ref(), shape[..].try_into().unwrap()).unwrap();
                        prop_assert_eq!(fixed, made);
                        prop_assert_eq!(&fixed.shape()[..], &picked.shape[..]);
                        prop_assert_eq!(&fixed.input_shape()[..], &shape[..]);
                        let again = fixed.to_plan();
                        prop_assert_eq!(check::walk(&again), picked.from.clone());
                        prop_assert_eq!(&again, &plan);
                        prop_assert_eq!(Plan::from(&fixed), again);
                    }
                }
                let strides: Vec<isize> = naive::row_major(&shape).into_iter().map(|s| s as isize).collect();
                if let (Ok(strided), true) = (spec.plan_strided(&shape, &strides), fixed.is_ok()) {
                    let refused = FixedPlan::<$in, $out>::try_from(&strided);
                    prop_assert!(matches!(refused, Err(SliceError::NeedsContiguous { .. })), "{refused:?}");
                }
            })* };
        }
        ranks!((0 0) (0 1) (1 0) (1 1) (1 2) (2 0) (2 1) (2 2) (2 3) (3 0) (3 1) (3 2) (3 3) (3 4));
    }

    /// A slice of a slice is one plan over the first input.
    #[test]
    fn then_is_slicing_twice(
        (shape, first, second) in generate::case(5, 2000).prop_flat_map(|(shape, first)| {
            let between = naive::pick(&shape, &first).map(|p| p.shape).unwrap_or_default();
            let second = generate::slice(&between);
            (Just(shape), Just(first), second)
        })
    ) {
        let (plan, picked) = check::planned(&shape, &first).unwrap();
        let spec = check::spec_of(&second).unwrap().unwrap();
        let both = plan.then(&spec).unwrap();
        let again = naive::pick(&picked.shape, &second).unwrap();
        prop_assert_eq!(both.shape(), &again.shape[..]);
        prop_assert_eq!(both.input_len(), plan.input_len());
        let through: Vec<usize> = again.from.iter().map(|&at| picked.from[at]).collect();
        prop_assert_eq!(check::walk(&both), through.clone());
        check::moves::<u16>(&both, &through);
        refuses_bounds_outside(plan.then(spec.clone().strict()), &both, &picked.shape, &second);
    }

    /// Other layouts: axes in any order, some reversed, gaps between rows.
    #[test]
    fn strided_inputs(
        (shape, items) in generate::case(5, 300),
        seed in any::<u64>(),
    ) {
        let strides = layout(&shape, seed);
        check_layout(&shape, &strides, &items, true);
    }

    /// Broadcast layouts: some strides are 0, so positions repeat.
    #[test]
    fn broadcast_inputs(
        (shape, items) in generate::case(5, 300),
        seed in any::<u64>(),
    ) {
        let mut strides = layout(&shape, seed);
        for (axis, stride) in strides.iter_mut().enumerate() {
            if (seed >> (axis + 40)) & 1 == 1 {
                *stride = 0;
            }
        }
        check_layout(&shape, &strides, &items, false);
    }
}

fn onnx_bound() -> impl Strategy<Value = i64> {
    prop_oneof![
        6 => -9..10_i64,
        1 => prop::sample::select(vec![i64::MIN, i64::from(i32::MIN), i64::from(i32::MAX), i64::MAX]),
    ]
}

/// A plan of a strict slice is the clamped one where every bound lies inside its axis, else
/// refused.
fn refuses_bounds_outside(
    strict: Result<Plan, SliceError>,
    clamped: &Plan,
    shape: &[usize],
    items: &[Item],
) {
    let expanded = naive::expand(shape.len(), items).unwrap();
    let mut lengths = shape.iter().map(|&n| n as i128);
    let inside = expanded.iter().all(|&item| match item {
        Item::Index { .. } => lengths.next().is_some(),
        Item::Range { start, stop, step } => {
            naive::is_strict(lengths.next().unwrap(), start, stop, step)
        }
        Item::NewAxis | Item::Ellipsis => true,
    });
    match strict {
        Ok(plan) => assert!(inside && plan == *clamped, "{items:?} on {shape:?}"),
        Err(SliceError::BoundOutOfRange { axis, len, .. }) => {
            assert!(!inside && shape[axis] == len, "{items:?} on {shape:?}")
        }
        Err(other) => panic!("{items:?} on {shape:?}: {other:?}"),
    }
}

/// Strides of an array whose axes lie in some order, with gaps, some of them backwards.
fn layout(shape: &[usize], seed: u64) -> Vec<isize> {
    let mut order: Vec<usize> = (0..shape.len()).collect();
    order.sort_by_key(|&axis| (seed >> (axis * 4)) & 15);
    let (mut strides, mut reach) = (vec![0; shape.len()], 1_isize);
    for &axis in &order {
        let gap = (seed >> (axis + 20)) & 1;
        let stride = reach + gap as isize;
        strides[axis] = if (seed >> (axis + 30)) & 1 == 1 { -stride } else { stride };
        reach = stride * shape[axis].max(1) as isize;
    }
    strides
}

fn check_layout(shape: &[usize], strides: &[isize], items: &[Item], distinct: bool) {
    let spec = check::spec_of(items).unwrap().unwrap();
    let plan = spec.plan_strided(shape, strides).unwrap();
    refuses_bounds_outside(spec.strict().plan_strided(shape, strides), &plan, shape, items);
    let wide: Vec<i128> = strides.iter().map(|&s| s as i128).collect();
    let (out, from) = naive::pick_strided(shape, &wide, items).unwrap();
    assert_eq!(plan.shape(), out);
    // Offsets count from the lowest element that the array touches.
    let lowest: i128 =
        shape.iter().zip(&wide).map(|(&n, &s)| s.min(0) * (n as i128 - 1).max(0)).sum();
    let from: Vec<usize> = from.into_iter().map(|at| (at - lowest) as usize).collect();
    assert_eq!(check::walk(&plan), from);
    let reach = from.iter().max().map_or(0, |&at| at + 1);
    assert!(plan.input_len() >= reach);
    if distinct {
        check::moves::<u32>(&plan, &from);
        check::moves::<[u8; 3]>(&plan, &from);
    } else {
        let data: Vec<u64> = (0..plan.input_len() as u64).collect();
        let wanted: Vec<u64> = from.iter().map(|&at| at as u64).collect();
        assert_eq!(plan.copy(&data).unwrap(), wanted);
        // Where positions repeat, the last value stays and every value is added.
        let values: Vec<u64> = (1000..).take(from.len()).collect();
        let (mut dst, mut last) = (data.clone(), data.clone());
        plan.assign(&mut dst, &values).unwrap();
        from.iter().zip(&values).for_each(|(&at, &v)| last[at] = v);
        assert_eq!(dst, last);
        let (mut dst, mut sum) = (data.clone(), data);
        plan.add_assign(&mut dst, &values).unwrap();
        from.iter().zip(&values).for_each(|(&at, &v)| sum[at] += v);
        assert_eq!(dst, sum);
    }
}

#[test]
fn reference_walks_and_divides_alike() {
    for n in 0..8_i128 {
        for start in (-9..=9).map(Some).chain([None]) {
            for stop in (-9..=9).map(Some).chain([None]) {
                for step in [-5, -2, -1, 1, 2, 5] {
                    let walked = naive::positions(n, start, stop, step);
                    let (first, count) = naive::first_and_count(n, start, stop, step);
                    assert_eq!(walked.len() as i128, count);
                    assert!(walked.first().is_none_or(|&at| at == first));
                }
            }
        }
    }
    assert_eq!(naive::broadcast(&[2, 2], &[1, 1, 2]), Ok(vec![0, 1, 0, 1]));
    assert_eq!(naive::broadcast(&[2], &[3]), Err(Fault::Broadcast));
}

/// An axis with nothing to reverse is taken whole, since a start on an empty axis could only be
/// negative. If nothing is taken at all, that is every axis of the right length.
#[test]
fn an_axes_form_leaves_out_axes_of_at_most_one_element() {
    let spec: SpecBuf = "::-1, ::-1, ::-1".parse().unwrap();
    let form = spec.to_axes(&[1, 1, 2]).unwrap();
    assert_eq!(
        (form.axes, form.starts, form.ends, form.strides),
        (vec![2], vec![1], vec![-3], vec![-1])
    );
    assert_eq!(spec.to_axes(&[0, 1, 2]).unwrap(), AxesForm::default());
}
