//! Python slices of [burn]'s tensors: the extension trait [`PySlice`].
//!
//! ```
//! use burn_tensor::{Int, Tensor}; // burn::tensor has the same
//! use pyslice::s;
//! use pyslice_burn::{Error, PySlice};
//!
//! fn main() -> Result<(), Error> {
//!     let x = Tensor::<1, Int>::arange(0..12, &Default::default()).reshape([3, 4]);
//!     let y = x.pyslice(s![..., ::-2])?; //                 x[..., ::-2]
//!     y.into_data().assert_eq(&[[3i64, 1], [7, 5], [11, 9]].into(), false);
//!     let row: Tensor<1, Int> = x.pyslice(s![1])?; //       x[1]: the type has an axis less
//!     row.into_data().assert_eq(&[4i64, 5, 6, 7].into(), false);
//!
//!     let x = x.pyslice_fill(s![1:, ::3], 0)?; //           x[1:, ::3] = 0
//!     x.into_data().assert_eq(&[[0i64, 1, 2, 3], [0, 5, 6, 0], [0, 9, 10, 0]].into(), false);
//!     Ok(())
//! }
//! ```
//!
//! # What it does not do
//!
//! It moves no elements itself: burn does that, on any device, with gradients. Quantized tensors are
//! read only.
//!
//! [burn]: https://docs.rs/burn

mod error;
mod rank;

pub use error::Error;
pub use rank::SliceTo;

use burn_tensor::kind::Basic;
use burn_tensor::{DType, Element, Shape, Slice, Tensor};
use slice_core::{AsSpec, Plan, SliceError, SpecBuf, StepRange};
use std::any::Any;

/// Python's slices of burn's tensors, of any kind.
///
/// | NumPy | here |
/// | --- | --- |
/// | `x[1, None, ..., ::-1]` | `x.pyslice(s![1, None, ..., ::-1])?` |
/// | `x[1:3] = y` | `let x = x.pyslice_assign(s![1:3], y)?`, with broadcasting |
/// | `x[1:3] = 0` | `let x = x.pyslice_fill(s![1:3], 0)?` |
///
/// A slice is what `s![...]` gives, or a [`SpecBuf`] or [`SpecRef`](slice_core::SpecRef), by value
/// or by reference. As burn's own `slice_assign` does, what writes takes the tensor and returns it,
/// and copies it first if it has clones.
pub trait PySlice<const D: usize, K: Basic>: Sized {
    /// `x[spec]`.
    ///
    /// The rank of the result follows from the type of `s![...]`; a slice that takes more axes than
    /// the tensor has does not compile. For a slice that is known only at run time, the type of the
    /// result says which rank is expected.
    ///
    /// A single element is a tensor of shape `[1]`, as burn's `sum` makes it: there are no tensors
    /// without axes on all of its backends.
    ///
    /// burn makes a view or a copy, as for its own `slice`. A dropped or a new axis costs a
    /// `reshape` more, which is free where the result is contiguous.
    ///
    /// # Errors
    ///
    /// An index out of range, a step of 0; for a slice known only at run time, more entries than
    /// axes, and [`SliceError::RankMismatch`].
    ///
    /// # Examples
    ///
    /// ```
    /// use burn_tensor::Tensor;
    /// use pyslice::{SliceError, SpecBuf, s};
    /// use pyslice_burn::{Error, PySlice};
    ///
    /// let x = Tensor::<2>::from([[0., 1., 2.], [3., 4., 5.]]);
    /// let y = x.pyslice(s![:, None, ::-1])?; // x[:, None, ::-1]
    /// y.into_data().assert_eq(&[[[2f32, 1., 0.]], [[5., 4., 3.]]].into(), false);
    ///
    /// let typed: SpecBuf = "-1, :2".parse()?;
    /// let y: Tensor<1> = x.pyslice(&typed)?; // x[-1, :2]
    /// y.into_data().assert_eq(&[3f32, 4.].into(), false);
    /// let wrong = x.pyslice::<3>(&typed).unwrap_err();
    /// assert_eq!(wrong, Error::Slice(SliceError::RankMismatch { expected: 3, found: 1 }));
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// ```compile_fail,E0277
    /// use burn_tensor::Tensor;
    /// use pyslice::s;
    /// use pyslice_burn::PySlice;
    ///
    /// let x = Tensor::<1>::from([0., 1., 2.]);
    /// let _ = x.pyslice(s![0, 1]); // "the slice takes more axes (2) than an array of …"
    /// ```
    fn pyslice<const OUT: usize>(
        &self,
        spec: impl SliceTo<D, OUT>,
    ) -> Result<Tensor<OUT, K>, Error>;

    /// `x[spec] = values`, broadcast as NumPy does. Gradients go to both.
    ///
    /// # Errors
    ///
    /// An index out of range, a step of 0, more entries than axes, and [`SliceError::Broadcast`].
    /// [`Error::ElementType`] and [`Error::Device`] if the values are of another element type or on
    /// another device; [`Error::Quantized`]. The tensor is dropped then.
    ///
    /// # Examples
    ///
    /// ```
    /// use burn_tensor::Tensor;
    /// use pyslice::s;
    /// use pyslice_burn::PySlice;
    ///
    /// let x = Tensor::<2>::zeros([2, 3], &Default::default());
    /// let x = x.pyslice_assign(s![:, ::-2], Tensor::<1>::from([7., 8.]))?; // x[:, ::-2] = [7, 8]
    /// x.into_data().assert_eq(&[[8f32, 0., 7.], [8., 0., 7.]].into(), false);
    /// # Ok::<(), pyslice_burn::Error>(())
    /// ```
    fn pyslice_assign<const V: usize>(
        self,
        spec: impl AsSpec,
        values: Tensor<V, K>,
    ) -> Result<Self, Error>;

    /// `x[spec] = value`. burn converts the value to the tensor's element type.
    ///
    /// # Errors
    ///
    /// An index out of range, a step of 0, more entries than axes; [`Error::Quantized`]. The tensor
    /// is dropped then.
    ///
    /// # Examples
    ///
    /// ```
    /// use burn_tensor::{Bool, Tensor};
    /// use pyslice::s;
    /// use pyslice_burn::PySlice;
    ///
    /// let mask = Tensor::<1, Bool>::from([false; 4]).pyslice_fill(s![1::2], true)?;
    /// mask.into_data().assert_eq(&[false, true, false, true].into(), false);
    /// # Ok::<(), pyslice_burn::Error>(())
    /// ```
    fn pyslice_fill(self, spec: impl AsSpec, value: impl Element) -> Result<Self, Error>;
}

impl<const D: usize, K: Basic + 'static> PySlice<D, K> for Tensor<D, K> {
    fn pyslice<const OUT: usize>(
        &self,
        spec: impl SliceTo<D, OUT>,
    ) -> Result<Tensor<OUT, K>, Error> {
        let plan = spec.as_spec().plan(&self.dims())?;
        let shape = if plan.shape().is_empty() { &[1] } else { plan.shape() };
        let ranks = SliceError::RankMismatch { expected: OUT, found: shape.len() };
        let shape = <[usize; OUT]>::try_from(shape).map_err(|_| ranks)?;
        Ok(reshape(self.clone().slice(&slices(&plan)?), shape))
    }

    fn pyslice_assign<const V: usize>(
        self,
        spec: impl AsSpec,
        values: Tensor<V, K>,
    ) -> Result<Self, Error> {
        let (tensor, of_values) = (self.dtype(), values.dtype());
        if tensor != of_values {
            return Err(Error::ElementType { tensor, values: of_values });
        }
        if self.device() != values.device() {
            return Err(Error::Device);
        }
        let plan = spec.as_spec().plan(&self.dims())?;
        put(self, &plan, values)
    }

    fn pyslice_fill(self, spec: impl AsSpec, value: impl Element) -> Result<Self, Error> {
        let plan = spec.as_spec().plan(&self.dims())?;
        writable(&self)?;
        let value = Tensor::<1, K>::full([1], value, (&self.device(), self.dtype()));
        put(self, &plan, value)
    }
}

/// burn makes no tensors of a quantized type, and writes into none.
fn writable<const D: usize, K: Basic>(x: &Tensor<D, K>) -> Result<(), Error> {
    match x.dtype() {
        DType::QFloat(_) => Err(Error::Quantized),
        _ => Ok(()),
    }
}

/// `x[plan] = values`.
fn put<const D: usize, const V: usize, K: Basic + 'static>(
    x: Tensor<D, K>,
    plan: &Plan,
    values: Tensor<V, K>,
) -> Result<Tensor<D, K>, Error> {
    writable(&x)?;
    let dims = values.dims();
    // Leading axes of length 1 that the slice does not have.
    let surplus = V.saturating_sub(plan.shape().len());
    let leading = dims.iter().take(surplus).take_while(|&&n| n == 1).count();
    let own = dims.get(leading..).unwrap_or(&[]);
    SpecBuf::default().plan(own)?.broadcast_to(plan.shape())?;
    if plan.is_empty() {
        return Ok(x);
    }

    // A slice of burn's has all axes of the tensor and no others: an axis that was dropped is of
    // length 1 there, and one that was added is not there.
    let form = plan.to_axes()?;
    let of_burns = |shape: &[usize]| {
        let missing = plan.shape().len().saturating_sub(shape.len());
        let all = std::iter::repeat_n(&1, missing).chain(shape).enumerate();
        let mut kept = all.filter(|(axis, _)| !form.add.contains(axis)).map(|(_, &n)| n);
        std::array::from_fn::<_, D, _>(|axis| {
            if form.drop.contains(&axis) { 1 } else { kept.next().unwrap_or(1) }
        })
    };
    let wanted = Shape::from(of_burns(plan.shape()));
    let values: Tensor<D, K> = reshape(values, of_burns(own)).expand(wanted);
    Ok(x.slice_assign(&slices(plan)?, values))
}

/// The same elements in a shape that has as many.
fn reshape<const D: usize, const OUT: usize, K: Basic + 'static>(
    x: Tensor<D, K>,
    shape: [usize; OUT],
) -> Tensor<OUT, K> {
    // burn would copy a view that is not contiguous; but the type is the same then.
    if x.dims()[..] == shape[..]
        && let Some(same) = (&x as &dyn Any).downcast_ref::<Tensor<OUT, K>>()
    {
        return same.clone();
    }
    if shape.contains(&0) {
        // In burn's reshape, a length of 0 keeps the axis as it was.
        return Tensor::empty(shape, (&x.device(), x.dtype()));
    }
    x.reshape(shape)
}

/// burn's slices, one for each axis of the tensor: a negative step starts at the end of the range.
fn slices(plan: &Plan) -> Result<Vec<Slice>, SliceError> {
    let isize = |v: i64| {
        let what = "a bound or step beyond isize, which is what burn's slices hold";
        isize::try_from(v).map_err(|_| SliceError::NotRepresentable { what })
    };
    let ranges = plan.to_step_ranges()?.into_iter();
    ranges
        .map(|StepRange { start, end, step }| {
            Ok(Slice::new(isize(start)?, end.map(isize).transpose()?, isize(step)?))
        })
        .collect()
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
