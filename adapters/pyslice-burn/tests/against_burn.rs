//! Slices converted both ways, and what burn makes of them.

#![allow(dead_code, unreachable_pub, reason = "a part of what the project's tests share is used")]

#[path = "../../../tests/support/entries.rs"]
mod entries;
#[path = "../../../tests/support/generate.rs"]
mod generate;
#[path = "../../../tests/support/naive.rs"]
mod naive;

use burn_tensor::{DType, Device, Slice, Tensor, TensorData};
use naive::Item;
use proptest::collection::vec;
use proptest::prelude::*;
use pyslice::{SliceError, SpecBuf, s};
use pyslice_burn::{from_slices, to_slices, to_slices_and_shape};
use slice_interop::{InteropError, Unwritable};

/// The numbers 0, 1, 2, … in that shape.
fn numbers<const D: usize>(shape: [usize; D]) -> Tensor<D> {
    let n: usize = shape.iter().product();
    let values: Vec<f32> = (0..n).map(|k| k as f32).collect();
    Tensor::from_data(TensorData::new(values, shape), &Device::default())
}

fn elements<const D: usize>(x: Tensor<D>) -> Vec<f32> {
    let data = x.into_data();
    assert_eq!(data.dtype(), DType::F32);
    data.try_to_vec().unwrap()
}

/// The slice of the reference's entries, which fit in `i64`.
fn spec_of(items: &[Item]) -> SpecBuf {
    entries::spec_of(items).unwrap().unwrap()
}

/// A shape of three axes and a slice that fits it.
fn case() -> impl Strategy<Value = ([usize; 3], Vec<Item>)> {
    [0..7_usize, 1..7, 1..7].prop_flat_map(|shape| (Just(shape), generate::slice(&shape)))
}

/// Any slice of burn's.
fn theirs() -> impl Strategy<Value = Slice> {
    let step = prop_oneof![Just(1_isize), 2..5_isize, -4..0_isize];
    (-9..9_isize, proptest::option::of(-9..9_isize), step)
        .prop_map(|(start, end, step)| Slice::new(start, end, step))
}

/// burn's tensor, which is not empty, in a shape whose rank is known only here.
fn reshaped(x: Tensor<3>, shape: burn_tensor::Shape) -> TensorData {
    macro_rules! ranks {
        ($($n:literal)*) => {
            match shape.num_dims() {
                $($n => x.reshape::<$n, _>(shape).into_data(),)*
                rank => panic!("rank {rank}"),
            }
        };
    }
    ranks!(0 1 2 3 4 5 6)
}

proptest! {
    #![proptest_config(generate::config(2000))]

    #[test]
    fn burn_takes_what_the_reference_takes((shape, items) in case()) {
        let (x, spec) = (numbers(shape), spec_of(&items));
        let picked = naive::pick(&shape, &items).unwrap();
        let (slices, after) = to_slices_and_shape(&spec, &shape).unwrap();
        let taken = x.clone().slice(&slices);
        let wanted: Vec<f32> = picked.from.iter().map(|&at| at as f32).collect();
        prop_assert_eq!(elements(taken.clone()), wanted, "{} is {:?}", spec, slices);
        prop_assert_eq!(after.to_vec(), picked.shape.clone());
        if !picked.from.is_empty() {
            prop_assert_eq!(reshaped(taken.clone(), after).shape().to_vec(), picked.shape);
        }

        let changes = |item: &Item| matches!(item, Item::Index { .. } | Item::NewAxis);
        match to_slices(&spec, &shape) {
            Ok(same) => prop_assert!(same == slices && !items.iter().any(changes)),
            Err(InteropError::Unwritable { operator: "burn's `slice`", why, .. }) => {
                let drops = items.iter().any(|item| matches!(item, Item::Index { .. }));
                prop_assert_eq!(why == Unwritable::DroppedAxis, drops);
                prop_assert!(drops || (why == Unwritable::NewAxis && items.iter().any(changes)));
            }
            Err(error) => panic!("{error}"),
        }

        let values = taken.clone().neg() - 1.;
        let mut wanted = elements(x.clone());
        picked.from.iter().for_each(|&at| wanted[at] = -1. - at as f32);
        prop_assert_eq!(elements(x.slice_assign(&slices, values)), wanted);
    }

    #[test]
    fn burns_slices_take_the_same_elements_as_ours(
        shape in [0..7_usize, 1..7, 1..7],
        slices in vec(theirs(), 0..4),
    ) {
        let taken = numbers(shape).slice(&slices);
        let spec = from_slices(&slices).unwrap();
        let plan = spec.plan(&shape).unwrap();
        let data: Vec<f32> = (0..plan.input_len()).map(|k| k as f32).collect();
        prop_assert_eq!(&taken.dims()[..], plan.shape(), "{:?} is {}", slices, spec);
        prop_assert_eq!(elements(taken), plan.copy(&data).unwrap(), "{:?} is {}", slices, spec);

        // There and back it is the same slice of this shape.
        let back = from_slices(&to_slices(&spec, &shape).unwrap()).unwrap();
        prop_assert!(back.same_on(&spec, &shape).unwrap());
    }
}

#[test]
fn what_burns_macro_writes_is_read() {
    let read = |slices: &[Slice]| from_slices(slices).unwrap().to_string();
    assert_eq!(read(&burn_tensor::s![.., 2.., ..=3]), ":, 2:, :4");
    assert_eq!(read(&burn_tensor::s![..;-1, -3..-1;2, 5]), "::-1, -3:-1:2, 5:6");
    assert_eq!(read(&[burn_tensor::s![2..8;-2]]), "7:1:-2");
}

#[test]
fn errors_name_what_is_wrong() {
    let zero = Slice { start: 0, end: None, step: 0 };
    assert_eq!(from_slices(&[Slice::full(), zero]), Err(SliceError::ZeroStep { entry: 1 }));
    assert_eq!(from_slices(&[Slice::full(); 32]), Err(SliceError::TooLong { entries: 32 }));
    let low = from_slices(&[Slice::new(0, Some(isize::MIN), -1)]);
    assert!(matches!(low, Err(SliceError::NotRepresentable { .. })), "{low:?}");

    let error = to_slices(s![:, 9], &[2, 3]).unwrap_err();
    assert_eq!(error, SliceError::IndexOutOfRange { index: 9, axis: 1, len: 3 }.into());
    let error = to_slices(s![:, None], &[2, 3]).unwrap_err().to_string();
    assert!(error.starts_with("axis 1 of the result is new, but burn's `slice` cannot"), "{error}");
}
