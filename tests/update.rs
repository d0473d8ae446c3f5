//! Changes elements through a slice: plans and arrays of every layout, compared with a loop over
//! single elements.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/layouts.rs"]
mod layouts;
mod support;

use layouts::{layouts, numbered};
use ndarray::{Array, Array1, Array2, ArrayD, ArrayRef, Ix1, array};
use proptest::prelude::*;
use pyslice::{Buffer, FixedPlan, PySlice, Shaped, SliceError, SpecBuf, plan, s};
use support::{check, generate, naive};

type Op = fn(i64, i64) -> i64;
type OnElement = fn(&mut i64, &i64);
type OnArray = fn(&mut ArrayD<i64>, &SpecBuf, &ArrayD<i64>) -> Result<(), SliceError>;

/// Each of the four operations: on numbers, on elements through a plan, and on arrays.
const OPERATIONS: [(&str, Op, OnElement, OnArray); 4] = [
    ("+=", |a, b| a + b, |a, b| *a += b, |x, s, v| x.try_pyslice_add_assign(s, v)),
    ("-=", |a, b| a - b, |a, b| *a -= b, |x, s, v| x.try_pyslice_sub_assign(s, v)),
    ("*=", |a, b| a * b, |a, b| *a *= b, |x, s, v| x.try_pyslice_mul_assign(s, v)),
    ("/=", |a, b| a / b, |a, b| *a /= b, |x, s, v| x.try_pyslice_div_assign(s, v)),
];

/// Shapes that broadcast to `shape`, and some that do not: axes of length 1 by the bits of `ones`,
/// axes left out in front, axes added there.
fn values_shape(shape: &[usize], ones: usize, out: usize, added: usize) -> Vec<usize> {
    let kept = shape.iter().enumerate().map(|(axis, &n)| if ones >> axis & 1 == 1 { 1 } else { n });
    let kept: Vec<usize> = kept.skip(out).collect();
    [vec![1; added], kept].concat()
}

/// Into arrays that exist, of every layout, and what lies between their elements stays.
#[test]
fn copies_into_an_array() {
    let slices = ["...", "::2, 1:", "..., ::-1", ":, 3", "1, None", "::-1, ::-3"];
    for (side, spec) in [4_usize, 40].into_iter().flat_map(|n| slices.map(|text| (n, text))) {
        let spec: SpecBuf = spec.parse().unwrap();
        let base = numbered(&[side, side + 1], |k| k as i64);
        let wanted = base.pyslice(&spec).to_owned();
        let zeros = numbered(wanted.shape(), |_| 0);
        for (from, x) in layouts(&base, -1) {
            for (into, mut y) in layouts(&zeros, -7) {
                x.pyslice_copy_into(&spec, &mut y);
                assert_eq!(y, wanted, "{spec} from {from} into {into}");
            }
        }
        // Broadcast, as by an assignment.
        let mut twice = numbered(&[&[2], wanted.shape()].concat(), |_| 0);
        base.pyslice_copy_into(&spec, &mut twice);
        assert!(twice.outer_iter().all(|one| one == wanted));
        let mut other = numbered(&[side + 9, side + 9], |_| 0);
        assert!(base.try_pyslice_copy_into(&spec, &mut other).is_err());
    }
    let mut room = Array1::from_elem(8, -7);
    array![[1, 2], [3, 4], [5, 6]].pyslice_copy_into(s![:, 1], &mut room.pyslice_mut(s![1:6:2]));
    assert_eq!(room, array![-7, 2, -7, 4, -7, 6, -7, -7]);
}

/// In whichever order the axes are, values go to their elements in the order of the memory. Where
/// positions share elements, the order of the slice decides what stays.
#[test]
fn values_come_in_the_order_of_the_memory() {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for text in ["...", "::-1, :, ::-1", "1:, ::-2, :4", ":, 1:2, ::-1", "::-1, ::-1, ::-1"] {
        for order in orders {
            let spec: SpecBuf = text.parse().unwrap();
            let plan = spec.plan(&[3, 4, 6]).unwrap().permute(&order).unwrap();
            let places = plan.copy(&(0..72).collect::<Vec<usize>>()).unwrap();
            let values: Vec<usize> = (100..100 + plan.len()).collect();
            let (mut data, mut seen) = ([0; 72], Vec::new());
            let mut put = |v: &mut usize, to: usize| {
                seen.push(to - 100);
                *v = to;
            };
            plan.on_mut(&mut data).unwrap().zip(&values, |v, &to| put(v, to)).unwrap();
            assert!(seen.iter().is_sorted_by_key(|&k| places[k]), "{text} {order:?}: {seen:?}");
            assert!(
                places.iter().map(|&at| data[at]).eq(100..100 + plan.len()),
                "{text} {order:?}"
            );
            plan.add_assign(&mut data, &values).unwrap();
            let twice = (100..100 + plan.len()).map(|value| 2 * value);
            assert!(places.iter().map(|&at| data[at]).eq(twice), "{text} {order:?}");
        }
    }
    let windows = s![:, ::-1].plan_strided(&[4, 3], &[1, 1]).unwrap();
    let (mut data, mut seen) = ([0; 6], Vec::new());
    let values: Vec<usize> = (1..13).collect();
    let mut put = |v: &mut usize, &value: &usize| {
        seen.push(value);
        *v = value;
    };
    windows.on_mut(&mut data).unwrap().zip(&values, &mut put).unwrap();
    assert_eq!((seen, data), (values, [3, 6, 9, 12, 11, 10]));
}

/// Values that lie across long rows are taken in blocks: each element has its own, once.
#[test]
fn values_across_long_rows() {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for shape in [[2, 3, 700], [257, 4, 3], [3, 320, 2], [300, 20, 1]] {
        for (to, from) in orders.iter().flat_map(|to| orders.map(|from| (to, from))) {
            // An array that has this shape when its axes are in this order.
            let plan = |text: &str, order: &[usize; 3]| {
                let mut whole = [0; 3];
                order.iter().zip(shape).for_each(|(&axis, n)| whole[axis] = n);
                let axes: Vec<&str> = text.split(' ').collect();
                let mut entries = [""; 3];
                order.iter().zip(axes).for_each(|(&axis, entry)| entries[axis] = entry);
                let spec: SpecBuf = entries.join(", ").parse().unwrap();
                spec.plan(&whole).unwrap().permute(order).unwrap()
            };
            let (to, from) = (plan("::-1 : :", to), plan(": :: ::-1", &from));
            let values: Vec<u32> = (1..=from.input_len() as u32).collect();
            let mut data = vec![0_u64; to.input_len()];
            let view = from.on(&values).unwrap();
            to.on_mut(&mut data).unwrap().zip(view, |a, &b: &u32| *a += u64::from(b)).unwrap();
            let wanted: Vec<u64> = view.iter().map(|&b| u64::from(b)).collect();
            assert_eq!(to.copy(&data).unwrap(), wanted, "{to:?} and {from:?}");
            let (a, b) = (&mut vec![0_u32; to.input_len()], view.to_vec().unwrap());
            to.add_assign(a, view).unwrap();
            assert_eq!(to.copy(a).unwrap(), b, "{to:?} and {from:?}");
        }
    }
}

/// Rows of any length, forwards and backwards, without gaps and with them: each element once, with
/// its own value.
#[test]
fn rows_come_in_order() {
    for n in [1_usize, 2, 3, 4, 5, 15, 16, 17, 40] {
        for text in [":", "::-1", "1:", "::2", "::-2", "..., ::-1", "..., 1:", "::-1, ::-1"] {
            let (plan, wanted) = check::planned(&[3, n], &naive::from_text(text).unwrap()).unwrap();
            let mut data: Vec<usize> = (0..3 * n).collect();
            let mut seen = Vec::new();
            plan.on_mut(&mut data).unwrap().for_each(|v| seen.push(*v));
            let mut places = wanted.from.clone();
            places.sort_unstable();
            assert_eq!(seen, places, "{text} of rows of {n}");
            let values: Vec<usize> = (100..100 + plan.len()).collect();
            plan.on_mut(&mut data).unwrap().zip(&values, |v, &to| *v = to).unwrap();
            assert!(wanted.from.iter().map(|&at| data[at]).eq(100..100 + plan.len()), "{text}");
        }
    }
}

proptest! {
    #![proptest_config(generate::config(400))]

    /// Plans and arrays do to each element what the operator does, with values that broadcast as
    /// NumPy's do.
    #[test]
    fn operations_are_those_of_the_elements(
        (shape, items) in generate::case(6, 300),
        (ones, out, added) in (0..64_usize, 0..3_usize, 0..3_usize),
        odd in proptest::option::weighted(0.1, 2..9_usize),
    ) {
        let Some((plan, picked)) = check::planned(&shape, &items) else { return Ok(()) };
        let spec = check::spec_of(&items).unwrap().unwrap();
        let mut given = values_shape(plan.shape(), ones, out, added);
        if let Some(odd) = odd {
            given.push(odd);
        }
        let values: Vec<i64> = (0..given.iter().product::<usize>()).map(|k| k as i64 * 7 + 2).collect();
        let data: Vec<i64> = (0..shape.iter().product::<usize>()).map(|k| 1000 - 3 * k as i64).collect();
        let array = ArrayD::from_shape_vec(shape.clone(), data.clone()).unwrap();
        let value_array = ArrayD::from_shape_vec(given.clone(), values.clone()).unwrap();
        let which = naive::broadcast(plan.shape(), &given);
        for (sign, op, on_element, on_array) in OPERATIONS {
            let mut wanted = data.clone();
            if let Ok(which) = &which {
                for (&at, &i) in picked.from.iter().zip(which) {
                    wanted[at] = op(wanted[at], values[i]);
                }
            }
            let mut found = data.clone();
            let done = plan.on_mut(&mut found).unwrap().zip(Shaped(&values, &given), on_element);
            prop_assert_eq!(done.is_ok(), which.is_ok(), "{} {:?} to {:?}: {:?}", sign, &given, plan.shape(), done);
            prop_assert_eq!(&found, &wanted, "{} {:?}", sign, &plan);
            // Rows of elements that fill vectors are walked in another way.
            let two = |of: &[i64]| of.iter().map(|&v| [v, v]).collect::<Vec<_>>();
            let on_two = |a: &mut [i64; 2], b: &[i64; 2]| {
                on_element(&mut a[0], &b[0]);
                on_element(&mut a[1], &b[1]);
            };
            let (mut found, pairs) = (two(&data), two(&values));
            let given = Shaped(&pairs, &given);
            let done = plan.on_mut(&mut found).unwrap().zip(given, on_two);
            prop_assert_eq!(done.is_ok(), which.is_ok(), "{:?}", done);
            prop_assert_eq!(&found, &two(&wanted), "{} {:?}", sign, &plan);
            if pairs.len() == plan.len() && done.is_ok() {
                found = two(&data);
                plan.on_mut(&mut found).unwrap().zip(&pairs, on_two).unwrap();
                prop_assert_eq!(&found, &two(&wanted), "{} {:?}", sign, &plan);
            }
            let wanted = ArrayD::from_shape_vec(shape.clone(), wanted).unwrap();
            for (layout, x) in layouts(&array, -1) {
                for (value_layout, values) in layouts(&value_array, 1) {
                    let mut x = x.clone();
                    let done = on_array(&mut x, &spec, &values);
                    prop_assert_eq!(done.is_ok(), which.is_ok(), "{:?}", done);
                    prop_assert_eq!(&x, &wanted, "{} {} {}", sign, layout, value_layout);
                }
            }
        }
    }

    /// Each element comes once, in the order of the memory: by itself, and with its own value.
    #[test]
    fn elements_come_in_order((shape, items) in generate::case(6, 300)) {
        let Some((plan, picked)) = check::planned(&shape, &items) else { return Ok(()) };
        let mut data: Vec<usize> = (0..shape.iter().product::<usize>()).collect();
        let mut seen = Vec::new();
        plan.on_mut(&mut data).unwrap().for_each(|v| { seen.push(*v); *v += 1 });
        prop_assert!(seen.is_sorted() && seen.len() == plan.len(), "{:?}", seen);
        let values: Vec<String> = (0..plan.len()).map(|k| k.to_string()).collect();
        seen.clear();
        let mut parse = |v: &mut usize, text: &String| {
            seen.push(*v - 1);
            *v = text.parse().unwrap();
        };
        plan.on_mut(&mut data).unwrap().zip(&values, &mut parse).unwrap();
        prop_assert!(seen.is_sorted() && seen.len() == plan.len(), "{:?}", seen);
        let mut wanted: Vec<usize> = (0..data.len()).collect();
        picked.from.iter().enumerate().for_each(|(k, &at)| wanted[at] = k);
        prop_assert_eq!(data, wanted);
    }

    /// `x[to] = x[from]` and `x[to] += x[from]` as if all of the source were read first, in every
    /// layout.
    #[test]
    fn slices_of_one_array_may_meet(
        (shape, (from, to)) in generate::shape(4, 200).prop_flat_map(|shape| {
            let two = (generate::slice(&shape), generate::slice(&shape));
            (Just(shape), two)
        }),
        alike in any::<bool>(),
    ) {
        let to = if alike { from.clone() } else { to };
        let (Some((a, read)), Some((b, written))) = (check::planned(&shape, &from), check::planned(&shape, &to)) else {
            return Ok(());
        };
        let specs = [&from, &to].map(|items| check::spec_of(items).unwrap().unwrap());
        let base = numbered(&shape, |k| k as i64 * 5 + 1);
        let (mut moved, mut added) = (base.clone(), base.clone());
        let which = naive::broadcast(b.shape(), a.shape());
        if let Ok(which) = &which {
            for (&at, &i) in written.from.iter().zip(which) {
                let value = base.as_slice().unwrap()[read.from[i]];
                moved.as_slice_mut().unwrap()[at] = value;
                added.as_slice_mut().unwrap()[at] += value;
            }
        }
        let mut data = base.as_slice().unwrap().to_vec();
        prop_assert_eq!(a.zip_within(&b, &mut data, |a, b| *a += b).is_ok(), which.is_ok());
        prop_assert_eq!(&data[..], added.as_slice().unwrap());
        for (layout, x) in layouts(&base, -1) {
            let mut y = x.clone();
            prop_assert_eq!(y.try_pyslice_move_within(&specs[0], &specs[1]).is_ok(), which.is_ok());
            prop_assert_eq!(&y, &moved, "{}", layout);
            let mut y = x.clone();
            prop_assert_eq!(y.try_pyslice_add_within(&specs[0], &specs[1]).is_ok(), which.is_ok());
            prop_assert_eq!(&y, &added, "{}", layout);
            let mut y = x.map(i64::to_string);
            prop_assert_eq!(y.try_pyslice_move_within(&specs[0], &specs[1]).is_ok(), which.is_ok());
            prop_assert_eq!(&y, &moved.map(i64::to_string), "{}", layout);
        }
    }
}

#[test]
fn every_plain_size_moves_within() {
    fn shift<T: Clone + PartialEq + std::fmt::Debug>(make: impl Fn(usize) -> T) {
        let mut x: Array1<T> = (0..40).map(&make).collect();
        x.pyslice_move_within(s![:-3], s![3:]);
        assert!(
            x.iter().enumerate().all(|(k, v)| *v == make(if k < 3 { k } else { k - 3 })),
            "{x:?}"
        );
        x.pyslice_move_within(s![::-1], s![:]);
        assert_eq!(
            x.to_vec(),
            (0..40).rev().map(|k| make(if k < 3 { k } else { k - 3 })).collect::<Vec<_>>()
        );
    }
    shift(|k| k as u8);
    shift(|k| k % 3 == 0);
    shift(|k| char::from_u32(k as u32 + 0x3b1).unwrap());
    shift(|k| k as f32);
    shift(|k| k as i128 - 9);
    shift(|k| [k as u8; 3]);
    shift(|k| [k as u16; 3]);
    shift(|k| [k as u32; 3]);
    shift(|k| [k as u64; 3]);
    shift(|k| [k as u64; 4]);
    shift(|k| [k as u128; 3]);
    shift(|k| [k as u128; 4]);
    shift(|k| [k as u8; 7]);
    shift(|k| Some(k as u8));
    shift(Box::new);
}

#[test]
fn what_numpy_takes_can_be_assigned() {
    let mut x = Array2::<f64>::zeros((2, 3));
    let row = array![1., 2., 3.];
    fn by_reference(x: &mut Array2<f64>, row: &ArrayRef<f64, Ix1>) {
        x.pyslice_assign(s![1], row);
    }
    let mut rows = Vec::new();
    macro_rules! takes {
        ($($values:expr),* $(,)?) => { $(
            x.fill(0.);
            x.pyslice_assign(s![1], $values);
            rows.push(x.row(1).to_vec());
        )* };
    }
    takes!(
        row.clone(),
        &row,
        row.view(),
        &row.view(),
        row.to_shared(),
        &mut row.clone(),
        row.clone().view_mut()
    );
    takes!(
        [1., 2., 3.],
        &[1., 2., 3.],
        vec![1., 2., 3.],
        &vec![1., 2., 3.],
        &[1., 2., 3.][..],
        [[1., 2., 3.]]
    );
    takes!(array![[1., 2., 3.]], row.clone().into_dyn(), ndarray::CowArray::from(&row));
    by_reference(&mut x, &row);
    rows.push(x.row(1).to_vec());
    assert_eq!(rows, vec![vec![1., 2., 3.]; 17]);
    // One element for all places, for elements of any type.
    x.pyslice_assign(s![:, 1], 5.);
    assert_eq!(x.column(1), array![5., 5.]);
    let mut words = Array1::from_elem(3, String::new());
    words.pyslice_assign(s![1:], "a".to_owned());
    assert_eq!(words.map(String::len), array![0, 1, 1]);
    let mut pixels = Array2::from_elem((2, 2), [0_u8; 3]);
    pixels.pyslice_assign(s![0], [1, 2, 3]);
    pixels.pyslice_assign(s![1], [[7, 8, 9], [4, 5, 6]]);
    assert_eq!(
        pixels.iter().flatten().copied().collect::<Vec<_>>(),
        [1, 2, 3, 1, 2, 3, 7, 8, 9, 4, 5, 6]
    );
    // From the array itself: the copy is made before the array is borrowed to be written.
    x.pyslice_assign(s![0], x.pyslice_copy(s![1, ::-1]));
    assert_eq!(x.row(0), array![3., 5., 1.]);
    x.pyslice_sub_assign(s![0], 1.);
    x.pyslice_add_assign(s![:, :2], [[10., 20.], [30., 40.]]);
    x.pyslice_mul_assign(s![1], vec![2., 2., 2.]);
    x.pyslice_div_assign(s![..., -1], &array![2., 3.]);
    assert_eq!(x, array![[12., 24., 0.], [62., 90., 2.]]);
}

#[test]
fn one_element_is_read_and_written() {
    let mut x = Array2::from_shape_fn((3, 4), |(i, j)| (10 * i + j) as i32);
    assert_eq!((*x.pyslice_get(s![-1, -2]), *x.pyslice_get(s![..., 1, 0])), (22, 10));
    *x.pyslice_get_mut(s![0, -1]) += 100;
    assert_eq!(x[(0, 3)], 103);
    let outside = SliceError::IndexOutOfRange { index: 4, axis: 1, len: 4 };
    assert_eq!(x.try_pyslice_get(s![0, 4]), Err(outside));
    assert_eq!(x.try_pyslice_get_mut(s![0, 4]), Err(outside));
    // Where the rank is known only at run time, so is a mistake in it.
    let known_later: SpecBuf = "0, 1".parse().unwrap();
    assert_eq!(x.pyslice_get(&known_later), &1);
    let row: SpecBuf = "0".parse().unwrap();
    let left = SliceError::AxesLeft { left: 1 };
    assert_eq!(x.try_pyslice_get(&row), Err(left));
    assert_eq!(
        left.to_string(),
        "the slice leaves 1 axis, but one element is asked for; give an index for each axis"
    );
    assert_eq!(x.clone().into_dyn().try_pyslice_get_mut(s![0]), Err(left));
    assert_eq!(*Array::from_elem((), 7).pyslice_get(s![]), 7);
    // A reference outlives the call, not the array.
    let longest = |words: &Array1<String>| words.pyslice_get(s![-1]).len();
    assert_eq!(longest(&array!["a".to_owned(), "bcd".to_owned()]), 3);
}

#[test]
fn buffers_and_shapes_that_do_not_fit_change_nothing() {
    const FIXED: FixedPlan<2, 2> = plan!([2, 3]; :, 1:);
    let mut x = [0, 1, 2, 3, 4, 5];
    let place = &mut FIXED.on_mut(&mut x).unwrap();
    place.zip(&[1, 2, 3, 4], |a, b| *a *= b).unwrap();
    place.zip(Shaped(&[1], &[]), |a, b| *a -= b).unwrap();
    assert_eq!(x, [0, 0, 3, 3, 11, 19]);
    let before = x;
    let values =
        |buffer, expected, found| Err(SliceError::BufferLength { buffer, expected, found });
    let target = SliceError::BufferLength { buffer: Buffer::Target, expected: 6, found: 5 };
    assert_eq!(FIXED.on_mut(&mut x[..5]).err(), Some(target));
    let place = &mut FIXED.on_mut(&mut x).unwrap();
    assert_eq!(place.zip(&[1, 2, 3], |a, b| *a /= b), values(Buffer::Values, 4, 3));
    assert_eq!(
        place.zip(Shaped(&[1, 2, 3], &[2]), |a, b| *a += b),
        values(Buffer::BroadcastValues, 2, 3)
    );
    assert!(matches!(
        place.zip(Shaped(&[1, 2, 3], &[3]), |a, b| *a += b),
        Err(SliceError::Broadcast { .. })
    ));
    assert_eq!(x, before);
    let mut y = Array2::<i32>::zeros((2, 3));
    assert!(matches!(y.try_pyslice_add_assign(s![0], [1, 2]), Err(SliceError::Broadcast { .. })));
    assert!(matches!(
        y.try_pyslice_move_within(s![0, :2], s![1]),
        Err(SliceError::Broadcast { .. })
    ));
    assert!(matches!(
        y.try_pyslice_zip_mut_with(s![0, 9], &y.clone(), |_, _| ()),
        Err(SliceError::IndexOutOfRange { .. })
    ));
    assert_eq!(y, Array2::<i32>::zeros((2, 3)));
}

#[test]
fn positions_that_share_an_element_are_each_changed() {
    // Three windows of two elements.
    let windows = s![].plan_strided(&[3, 2], &[1, 1]).unwrap();
    let mut x = [10, 20, 30, 40];
    windows.add_assign(&mut x, 1).unwrap();
    assert_eq!(x, [11, 22, 32, 41]);
    let place = &mut windows.on_mut(&mut x).unwrap();
    place.zip(&[1, 2, 3, 4, 5, 6], |a, b: &i32| *a = *a * 10 + b).unwrap();
    assert_eq!(x, [111, 2223, 3245, 416]);
    let repeated = s![].plan_strided(&[4], &[0]).unwrap();
    repeated.on_mut(&mut x).unwrap().for_each(|v| *v += 1);
    assert_eq!(x[0], 115);
}

/// A strided array may be longer than the slice reaches. Its gradient covers all of it.
#[test]
fn a_gradient_clears_what_is_behind_the_slice() {
    let plan = s![::-1].plan_strided(&[3], &[1]).unwrap();
    assert_eq!((plan.len(), plan.input_len()), (3, 3));
    let mut dx = [9_u32; 5];
    plan.grad_into(&[1, 2, 3], &mut dx).unwrap();
    assert_eq!(dx, [3, 2, 1, 0, 0]);
}
