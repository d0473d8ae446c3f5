//! Arithmetic, with broadcasting both ways.

use super::dtype::with_type;
use super::{Element, Result, Tensor, at};
use pyslice::SliceError;

/// The shape to which both broadcast.
fn common_shape(a: &[usize], b: &[usize]) -> Result<Vec<usize>> {
    let rank = a.len().max(b.len());
    let from_back = |shape: &[usize], i: usize| shape.iter().rev().nth(i).copied().unwrap_or(1);
    let axis = |i: usize| match (from_back(a, i), from_back(b, i)) {
        (n, m) if n == m || m == 1 => Ok(n),
        (1, m) => Ok(m),
        _ => Err(SliceError::broadcast(i + 1, b, a).into()),
    };
    (0..rank).rev().map(axis).collect()
}

impl Tensor {
    fn zip<T: Element>(&self, other: &Tensor, f: impl Fn(T, T) -> T) -> Result<Tensor> {
        other.expect(self.dtype())?;
        let shape = common_shape(self.shape(), other.shape())?;
        let (a, b) =
            (self.broadcast_to(&shape)?.to_vec::<T>()?, other.broadcast_to(&shape)?.to_vec::<T>()?);
        Tensor::new(&shape, &a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect::<Vec<T>>())
    }

    /// `x + y`
    pub fn add(&self, other: &Tensor) -> Result<Tensor> {
        with_type!(self.dtype(), T => self.zip::<T>(other, |a, b| a + b))
    }

    /// `x * y`
    pub fn mul(&self, other: &Tensor) -> Result<Tensor> {
        with_type!(self.dtype(), T => self.zip::<T>(other, |a, b| a * b))
    }

    /// The sum of all elements, of rank 0.
    pub fn sum(&self) -> Result<Tensor> {
        self.sum_to(&[])
    }

    /// The way back from [`broadcast_to`](Tensor::broadcast_to): sums what it repeated.
    pub fn sum_to(&self, shape: &[usize]) -> Result<Tensor> {
        let mut out = Tensor::zeros(self.dtype(), shape)?.to_bytes()?;
        if self.count() > 0 {
            // The small tensor, read as the large one: adding to that layout adds every value to
            // the element it came from.
            let plan = at![].plan(shape)?.broadcast_to(self.shape())?;
            with_type!(self.dtype(), T => {
                let (values, add) = (self.to_bytes()?, |sum: &mut _, &value: &_| {
                    *sum = (T::from_ne_bytes(*sum) + T::from_ne_bytes(value)).to_ne_bytes();
                });
                plan.on_mut(out.as_chunks_mut().0)?.zip(values.as_chunks().0, add)?;
            });
        }
        Tensor::from_bytes(self.dtype(), shape, out)
    }
}
