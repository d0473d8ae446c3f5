//! Tensors and slices for the tests.

#![allow(dead_code, unreachable_pub, reason = "each file of tests uses a part")]

#[path = "../../../../tests/support/entries.rs"]
mod entries;
#[path = "../../../../tests/support/generate.rs"]
pub mod generate;
#[path = "../../../../tests/support/naive.rs"]
pub mod naive;

use burn_tensor::kind::Basic;
use burn_tensor::{Device, Element, Tensor, TensorData};
use naive::Item;
use proptest::prelude::*;
use pyslice::SpecBuf;

/// The only other backend that runs everywhere.
#[expect(deprecated, reason = "a second device is needed here, not a fast one")]
pub fn another_device() -> Device {
    Device::ndarray()
}

/// The numbers 0, 1, 2, … in that shape.
pub fn numbers<const D: usize>(shape: [usize; D], device: &Device) -> Tensor<D> {
    let n: usize = shape.iter().product();
    let values: Vec<f32> = (0..n).map(|k| k as f32).collect();
    Tensor::from_data(TensorData::new(values, shape), device)
}

pub fn elements<const D: usize, K: Basic, E: Element>(x: Tensor<D, K>) -> Vec<E> {
    x.into_data().try_to_vec().unwrap()
}

/// The slice of the reference's entries, which fit in `i64`.
pub fn spec_of(items: &[Item]) -> SpecBuf {
    entries::spec_of(items).unwrap().unwrap()
}

/// A shape of three axes and a slice that fits it.
pub fn case() -> impl Strategy<Value = ([usize; 3], Vec<Item>)> {
    [0..7_usize, 1..7, 1..7].prop_flat_map(|shape| (Just(shape), generate::slice(&shape)))
}

/// Evaluates an expression with a rank as a constant.
#[macro_export]
macro_rules! with_rank {
    ($rank:expr, $n:ident => $body:expr) => {
        $crate::with_rank!(@ $rank, $n => $body, 1 2 3 4 5 6)
    };
    (@ $rank:expr, $n:ident => $body:expr, $($literal:literal)*) => {
        match $rank {
            $($literal => {
                const $n: usize = $literal;
                $body
            })*
            rank => panic!("rank {rank}"),
        }
    };
}
