//! Random slices of random tensors, and the index-by-index reference of the whole project.
#![allow(dead_code, unreachable_pub, reason = "each test crate uses a part of this module")]

#[path = "../../../../tests/support/entries.rs"]
pub mod entries;
#[path = "../../../../tests/support/generate.rs"]
pub mod generate;
#[path = "../../../../tests/support/naive.rs"]
pub mod naive;

use candle_core::{DType, Device, Result, Storage, Tensor};
use naive::Item;
use proptest::prelude::*;
use proptest::sample::Index;
use pyslice::SpecBuf;

/// The numbers 0, 1, 2, … in that shape and type, as far as the type has them.
pub fn numbers(shape: &[usize], dtype: DType) -> Result<Tensor> {
    let n = shape.iter().product::<usize>();
    let few = if dtype.size_in_bytes() == 1 { 8 } else { 256 };
    let values: Vec<f64> = (0..n).map(|k| (k % few) as f64).collect();
    Tensor::from_vec(values, shape, &Device::Cpu)?.to_dtype(dtype)
}

/// All elements, in C order.
pub fn elements(x: &Tensor) -> Result<Vec<f64>> {
    // candle panics on an empty view that begins behind its storage.
    if x.elem_count() == 0 {
        return Ok(Vec::new());
    }
    // candle overflows the stack where it makes `F64` of `F8E4M3` at once.
    let x = if x.dtype() == DType::F8E4M3 { &x.to_dtype(DType::F32)? } else { x };
    x.to_dtype(DType::F64)?.flatten_all()?.to_vec1()
}

/// Whether two tensors share their storage.
pub fn share(a: &Tensor, b: &Tensor) -> bool {
    let place = |x: &Tensor| -> *const Storage { &*x.storage_and_layout().0 };
    place(a) == place(b)
}

/// The slice of the reference's entries, which fit in `i64`.
pub fn spec_of(items: &[Item]) -> SpecBuf {
    entries::spec_of(items).unwrap().unwrap()
}

/// How the elements of a tensor lie in a larger one: its axes in any order, some cut out of longer
/// ones.
#[derive(Clone, Debug)]
pub struct Laid {
    /// Shape of the larger one.
    pub long: Vec<usize>,
    /// Where each of its axes is cut, and how long the rest is.
    cuts: Vec<(usize, usize)>,
    /// Which of its axes each axis of the tensor is.
    axes: Vec<usize>,
}

impl Laid {
    fn new(shape: &[usize], order: &[Index], margins: &[(usize, usize)]) -> Laid {
        let mut left: Vec<usize> = (0..shape.len()).collect();
        let axes: Vec<usize> =
            shape.iter().zip(order).map(|(_, at)| left.remove(at.index(left.len()))).collect();
        let mut laid = Laid { long: vec![0; shape.len()], cuts: vec![(0, 0); shape.len()], axes };
        for ((&axis, &n), &(before, after)) in laid.axes.iter().zip(shape).zip(margins) {
            laid.long[axis] = before + n + after;
            laid.cuts[axis] = (before, n);
        }
        laid
    }

    /// The tensor in this larger one.
    pub fn of(&self, base: &Tensor) -> Result<Tensor> {
        let mut x = base.clone();
        for (axis, &(start, n)) in self.cuts.iter().enumerate() {
            x = x.narrow(axis, start, n)?;
        }
        x.permute(&self.axes[..])
    }
}

/// A shape, how a tensor of it lies in memory, and a slice that fits it.
pub fn case() -> impl Strategy<Value = (Vec<usize>, Laid, Vec<Item>)> {
    let order = proptest::collection::vec(any::<Index>(), 4);
    let margins = proptest::collection::vec((0..3_usize, 0..2_usize), 4);
    (generate::case(4, 500), order, margins).prop_map(|((shape, items), order, margins)| {
        let laid = Laid::new(&shape, &order, &margins);
        (shape, laid, items)
    })
}
