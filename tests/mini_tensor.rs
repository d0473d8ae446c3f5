//! The small tensor library of `examples/mini_tensor`, index by index.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(dead_code, unreachable_pub, unused_imports, missing_docs, missing_debug_implementations)]
#[path = "../examples/mini_tensor/lib.rs"]
mod mini_tensor;
mod support;

use mini_tensor::{DType, Element, Error, Ranked, Tape, Tensor, Var, at};
use proptest::prelude::*;
use pyslice::{SliceError, SpecBuf};
use support::{check, generate, naive};

fn ints(shape: &[usize]) -> Tensor {
    Tensor::arange::<i64>(shape).unwrap()
}

#[test]
fn slices_share_storage_and_copies_do_not() {
    let x = ints(&[3, 4]);
    let view = x.slice(at![::-1, 1:3]).unwrap();
    assert!(view.shares_storage_with(&x) && !view.contiguous().unwrap().shares_storage_with(&x));
    assert_eq!((view.shape(), view.byte_strides().unwrap()), (&[3, 2][..], vec![-32, 8]));
    assert_eq!(view.to_vec::<i64>().unwrap(), [9, 10, 5, 6, 1, 2]);
    let again = view.slice(at![None, 0, ..., ::-1]).unwrap();
    assert!(again.shares_storage_with(&x));
    assert_eq!((again.shape(), again.to_vec::<i64>().unwrap()), (&[1, 2][..], vec![10, 9]));
}

#[test]
fn every_form_of_a_slice_is_an_argument() {
    let x = ints(&[3, 4]);
    let buf: SpecBuf = "1, ::2".parse().unwrap();
    let want = vec![4, 6];
    assert_eq!(x.slice(at![1, ::2]).unwrap().to_vec::<i64>().unwrap(), want);
    assert_eq!(x.slice(&buf).unwrap().to_vec::<i64>().unwrap(), want);
    assert_eq!(x.slice(buf.as_ref()).unwrap().to_vec::<i64>().unwrap(), want);
    let row = 1_u8;
    assert_eq!(x.slice(at![row, ::2]).unwrap().to_vec::<i64>().unwrap(), want);
}

#[test]
fn bounds_are_clamped_or_refused_by_policy() {
    let x = ints(&[3, 4]);
    assert_eq!(x.slice(at![:, 2:9]).unwrap().shape(), [3, 2]);
    let refused = SliceError::BoundOutOfRange { bound: 9, axis: 1, len: 4 };
    assert_eq!(x.slice_strict(at![:, 2:9]).unwrap_err(), Error::Slice(refused));
    assert_eq!(x.slice_strict(at![:, 2:]).unwrap().shape(), [3, 2]);
}

#[test]
fn all_element_types_by_size_alone() {
    fn check<T: Element + PartialEq + std::fmt::Debug>() {
        let mut x = Tensor::arange::<T>(&[2, 3, 4]).unwrap();
        let at = |n: usize| T::from_count(n);
        let corner = x.slice(at![..., 1, ::-3]).unwrap();
        assert_eq!(corner.to_vec::<T>().unwrap(), [at(7), at(4), at(19), at(16)]);
        x.slice_mut(at![1, :, 0]).unwrap().fill(at(99)).unwrap();
        x.slice_mut(at![0, ::2])
            .unwrap()
            .assign(&Tensor::new(&[2, 1], &[at(50), at(60)]).unwrap())
            .unwrap();
        let want = [
            50, 50, 50, 50, 4, 5, 6, 7, 60, 60, 60, 60, 99, 13, 14, 15, 99, 17, 18, 19, 99, 21, 22,
            23,
        ];
        assert_eq!(x.to_vec::<T>().unwrap(), want.map(at));
    }
    check::<u8>();
    check::<i64>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn writing_leaves_other_tensors_alone() {
    let x = ints(&[4]);
    let mut y = x.slice(at![::-1]).unwrap();
    y.slice_mut(at![0]).unwrap().fill(100_i64).unwrap();
    assert_eq!(
        (x.to_vec::<i64>().unwrap(), y.to_vec::<i64>().unwrap()),
        (vec![0, 1, 2, 3], vec![100, 2, 1, 0])
    );
    // If nothing shares its storage, it is written in place.
    let before = y.slice(at![:]).unwrap();
    drop(before);
    y.slice_mut(at![-1]).unwrap().fill(200_i64).unwrap();
    assert_eq!(y.to_vec::<i64>().unwrap(), [100, 2, 1, 200]);
    // A transposed view is written through its strides.
    let mut t = ints(&[2, 3]).permute(&[1, 0]).unwrap();
    t.slice_mut(at![1]).unwrap().assign(&Tensor::new(&[2], &[7_i64, 8]).unwrap()).unwrap();
    assert_eq!(t.to_vec::<i64>().unwrap(), [0, 3, 7, 8, 2, 5]);
}

#[test]
fn views_of_views_share_storage_until_a_copy_is_needed() {
    let x = ints(&[2, 3, 4]);
    let permuted = x.slice(at![:, ::-1]).unwrap().permute(&[2, 0, 1]).unwrap();
    assert_eq!(permuted.slice(at![1]).unwrap().to_vec::<i64>().unwrap(), [9, 5, 1, 21, 17, 13]);
    let split = permuted.reshape(&[2, 2, 2, 3]).unwrap();
    assert!(split.shares_storage_with(&x));
    let row = split.reshape(&[24]).unwrap();
    assert!(!row.shares_storage_with(&x));
    assert_eq!(row.to_vec::<i64>().unwrap(), permuted.to_vec::<i64>().unwrap());
    assert_eq!(
        x.reshape(&[5]).unwrap_err(),
        SliceError::ElementCount { expected: 24, found: 5 }.into()
    );
}

#[test]
fn mistakes_are_errors() {
    let mut x = ints(&[2, 3]);
    let err = |r: mini_tensor::Result<Tensor>| r.unwrap_err();
    assert_eq!(
        err(x.slice(at![2])),
        SliceError::IndexOutOfRange { index: 2, axis: 0, len: 2 }.into()
    );
    assert_eq!(err(x.slice(at![0, 0, 0])), SliceError::TooManyEntries { takes: 3, rank: 2 }.into());
    assert_eq!(err(x.permute(&[0, 0])), SliceError::RepeatedAxis { axis: 0 }.into());
    assert_eq!(err(x.permute(&[0, 2])), SliceError::AxisOutOfRange { axis: 2, rank: 2 }.into());
    assert_eq!(err(x.broadcast_to(&[4, 3])), SliceError::broadcast(2, &[2, 3], &[4, 3]).into());
    assert_eq!(err(x.add(&ints(&[2]))), SliceError::broadcast(1, &[2], &[2, 3]).into());
    assert_eq!(err(Tensor::new(&[2], &[1_u8])), Error::Count { expected: 2, found: 1 });
    assert_eq!(
        err(Tensor::zeros(DType::F64, &[isize::MAX as usize])).to_string().split(';').count(),
        2
    );
    assert_eq!(
        x.to_vec::<u8>().unwrap_err(),
        Error::DType { expected: DType::U8, found: DType::I64 }
    );
    assert_eq!(
        x.slice_mut(at![0]).unwrap().fill(1.0).unwrap_err().to_string(),
        "elements are F64 where I64 is needed"
    );
    let wide = x.slice_mut(at![0]).unwrap().assign(&ints(&[2])).unwrap_err();
    assert_eq!(wide, SliceError::broadcast(1, &[2], &[3]).into());
    let mut repeated = ints(&[1, 3]).broadcast_to(&[2, 3]).unwrap();
    assert_eq!(repeated.slice_mut(at![0]).map(|_| ()).unwrap_err(), Error::ReadOnly);
    assert_eq!(Tape::default().var(x).map(|_| ()).unwrap_err(), Error::NoGradient(DType::I64));
}

#[test]
fn the_rank_is_in_the_type() {
    let x: Ranked<3> = Ranked::new(ints(&[2, 3, 4])).unwrap();
    let one: Ranked<1> = x.slice(at![0, 1]).unwrap();
    let [n] = one.shape();
    assert_eq!(n, 4);
    assert_eq!(x.slice(at![None, ..., ::2]).unwrap().shape(), [1, 2, 3, 2]);
    assert_eq!(x.slice(at![0, 0, 0]).unwrap().into_tensor().item::<i64>().unwrap(), 0);
    assert!(Ranked::<2>::new(ints(&[2])).is_err());
}

#[test]
fn arithmetic_broadcasts_both_ways() {
    let (a, b) = (ints(&[2, 1, 3]), ints(&[4, 1]));
    let sum = a.add(&b).unwrap();
    assert_eq!(sum.shape(), [2, 4, 3]);
    let want: Vec<i64> =
        (0..2).flat_map(|i| (0..4).flat_map(move |j| (0..3).map(move |k| 3 * i + k + j))).collect();
    assert_eq!(sum.to_vec::<i64>().unwrap(), want);
    assert_eq!(sum.sum().unwrap().item::<i64>().unwrap(), want.iter().sum::<i64>());
    let back = sum.sum_to(&[4, 1]).unwrap();
    let want: Vec<i64> =
        (0..4).map(|j| (0..2).flat_map(|i| (0..3).map(move |k| 3 * i + k + j)).sum()).collect();
    assert_eq!((back.shape(), back.to_vec::<i64>().unwrap()), (&[4, 1][..], want));
    let empty = ints(&[0, 3]);
    assert_eq!(empty.mul(&ints(&[3])).unwrap().shape(), [0, 3]);
    assert_eq!(empty.sum_to(&[3]).unwrap().to_vec::<i64>().unwrap(), [0, 0, 0]);
}

/// Something that uses every step of the tape, slices with steps of both signs among them.
fn energy(tape: &Tape, x: &Tensor, w: &Tensor) -> (Var, Var, Var) {
    let (x, w) = (tape.var(x.clone()).unwrap(), tape.var(w.clone()).unwrap());
    let product = x.slice(at![1:, ::-1]).unwrap().mul(&x.slice(at![:-1]).unwrap()).unwrap();
    let weighted = product.mul(&w).unwrap().add(&x.slice(at![-1, None]).unwrap()).unwrap();
    let patched = weighted.set(at![..., ::-2], &x.slice(at![0:1, 1:2]).unwrap()).unwrap();
    let out = patched.mul(&patched).unwrap().sum().unwrap();
    (x, w, out)
}

#[test]
fn gradients_agree_with_differences() {
    let numbers = |n: usize, f: f64| (0..n).map(|k| (k as f64 * f).sin()).collect::<Vec<_>>();
    let (xs, ws) = (numbers(12, 1.3), numbers(4, 0.7));
    let tensors = |xs: &[f64], ws: &[f64]| {
        (Tensor::new(&[3, 4], xs).unwrap(), Tensor::new(&[4], ws).unwrap())
    };
    let value = |xs: &[f64], ws: &[f64]| {
        let (x, w) = tensors(xs, ws);
        energy(&Tape::default(), &x, &w).2.value().item::<f64>().unwrap()
    };
    let (x, w) = tensors(&xs, &ws);
    let (x, w, out) = energy(&Tape::default(), &x, &w);
    let grads = out.gradients(&[&x, &w]).unwrap();
    assert_eq!((grads[0].shape(), grads[1].shape()), (&[3, 4][..], &[4][..]));
    let h = 1e-6;
    let slope = |which: usize, k: usize| {
        let shifted = |by: f64| {
            let (mut xs, mut ws) = (xs.clone(), ws.clone());
            if which == 0 {
                xs[k] += by
            } else {
                ws[k] += by
            }
            value(&xs, &ws)
        };
        (shifted(h) - shifted(-h)) / (2.0 * h)
    };
    for (which, grad) in grads.iter().enumerate() {
        for (k, &g) in grad.to_vec::<f64>().unwrap().iter().enumerate() {
            assert!(
                (g - slope(which, k)).abs() < 1e-6,
                "{which} {k}: {g} against {}",
                slope(which, k)
            );
        }
    }
}

#[test]
fn a_slice_sends_its_gradient_where_it_came_from() {
    let tape = Tape::default();
    let x = tape.var(Tensor::zeros(DType::F32, &[2, 3]).unwrap()).unwrap();
    let y = x.slice(at![1, ::-2]).unwrap();
    assert_eq!(
        y.gradients(&[&x]).unwrap()[0].to_vec::<f32>().unwrap(),
        [0.0, 0.0, 0.0, 1.0, 0.0, 1.0]
    );
    let twice = y.add(&y).unwrap();
    assert_eq!(
        twice.gradients(&[&x]).unwrap()[0].to_vec::<f32>().unwrap(),
        [0.0, 0.0, 0.0, 2.0, 0.0, 2.0]
    );
    // What came later on the tape gets nothing.
    assert_eq!(y.gradients(&[&twice]).unwrap()[0].to_vec::<f32>().unwrap(), [0.0, 0.0]);
}

proptest! {
    #![proptest_config(generate::config(300))]

    /// Two slices one after the other, of a tensor whose axes were reversed, read and written.
    #[test]
    fn slices_of_slices_of_reversed_tensors(
        (shape, first, second) in generate::case(5, 300).prop_flat_map(|(shape, first)| {
            let then = naive::shape_of(&shape, &first).unwrap_or_default();
            (Just(shape), Just(first), generate::slice(&then))
        })
    ) {
        let Some((plan, _)) = check::planned(&shape, &first) else { return Ok(()) };
        // The tensor is made with its axes reversed, and then transposed: its strides are in
        // Fortran order.
        let reversed: Vec<usize> = shape.iter().rev().copied().collect();
        let order: Vec<usize> = (0..shape.len()).rev().collect();
        let x = ints(&reversed).permute(&order).unwrap();
        let strides: Vec<i128> = naive::row_major(&reversed).into_iter().rev().collect();
        let (_, from) = naive::pick_strided(&shape, &strides, &first).unwrap();
        let view = x.slice(check::spec_of(&first).unwrap().unwrap()).unwrap();
        prop_assert_eq!(view.shape(), plan.shape());
        prop_assert_eq!(view.to_vec::<i64>().unwrap(), from.iter().map(|&at| at as i64).collect::<Vec<_>>());
        let then = check::spec_of(&second).unwrap().unwrap();
        let Ok(picked) = naive::pick(view.shape(), &second) else {
            prop_assert!(view.slice(&then).is_err());
            return Ok(());
        };
        let twice = view.slice(&then).unwrap();
        prop_assert_eq!(twice.shape(), &picked.shape);
        let want: Vec<i64> = picked.from.iter().map(|&at| from[at] as i64).collect();
        prop_assert_eq!(twice.to_vec::<i64>().unwrap(), want);

        let mut written = view.clone();
        let ones = Tensor::new(twice.shape(), &vec![-1_i64; twice.count()]).unwrap();
        written.slice_mut(&then).unwrap().assign(&ones).unwrap();
        let mut want: Vec<i64> = from.iter().map(|&at| at as i64).collect();
        picked.from.iter().for_each(|&at| want[at] = -1);
        prop_assert_eq!(written.to_vec::<i64>().unwrap(), want);
        prop_assert_eq!(view.to_vec::<i64>().unwrap().len(), from.len());
    }
}
