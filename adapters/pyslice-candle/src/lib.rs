//! Python slices of [candle]'s tensors: the extension trait [`PySlice`].
//!
//! ```
//! use candle_core::{Device, Result, Tensor, Var};
//! use pyslice::s;
//! use pyslice_candle::PySlice;
//!
//! fn main() -> Result<()> {
//!     let x = Tensor::arange(0f32, 24., &Device::Cpu)?.reshape((2, 3, 4))?;
//!     let y = x.pyslice(s![1, ::-1, 1:3])?; //                        x[1, ::-1, 1:3]
//!     assert_eq!(y.to_vec2::<f32>()?, [[21., 22.], [17., 18.], [13., 14.]]);
//!
//!     x.pyslice_assign(s![..., -1], &Tensor::new(&[7f32, 8., 9.], x.device())?)?;
//!     assert_eq!(x.pyslice(s![0, :, 3])?.to_vec1::<f32>()?, [7., 8., 9.]);
//!
//!     let w = Var::new(&[1f32, 2., 3., 4.], &Device::Cpu)?;
//!     let grads = w.pyslice(s![::-2])?.sqr()?.sum_all()?.backward()?; // of sum(w[::-2] ** 2)
//!     assert_eq!(grads.get(&w).unwrap().to_vec1::<f32>()?, [0., 4., 0., 8.]);
//!     Ok(())
//! }
//! ```
//!
//! # What it does not do
//!
//! On CUDA and Metal, reading goes through candle's own operators, and what writes is an error.
//! Types of less than a byte (`F4`, `F6E2M3`, `F6E3M2`) have views only.
//!
//! [candle]: https://docs.rs/candle-core

mod dtype;
mod read;
mod within;
mod write;

use candle_core::{Error, Layout, Result, Tensor, WithDType};
use slice_core::{AsSpec, Plan, SliceError, SpecRef};

/// Python's slices of candle's tensors.
///
/// | NumPy | here |
/// | --- | --- |
/// | `x[1, None, ..., ::-1]` | `x.pyslice(s![1, None, ..., ::-1])?` |
/// | `x[1:3].copy()` | `x.pyslice_copy(s![1:3])?` |
/// | `x[1:3] = y` | `x.pyslice_assign(s![1:3], &y)?`, with broadcasting |
/// | `x[1:3] = 0` | `x.pyslice_fill(s![1:3], 0f32)?` |
/// | `z = x.copy(); z[1:3] = y` | `let z = x.pyslice_scatter(s![1:3], &y)?`, with gradients |
///
/// `spec` is what `s![...]` gives, or a [`SpecBuf`](slice_core::SpecBuf) or [`SpecRef`], by value
/// or by reference.
///
/// # Errors
///
/// A slice that does not fit the tensor is [`Error::Wrapped`], with the text of [`SliceError`]. To
/// match on the error itself, call `spec.plan(x.dims())` first.
///
/// # Examples
///
/// ```
/// use candle_core::{DType, Device, Tensor};
/// use pyslice::s;
/// use pyslice_candle::PySlice;
///
/// let x = Tensor::zeros((3, 4), DType::F32, &Device::Cpu)?;
/// let error = x.pyslice(s![:, 4]).unwrap_err().to_string();
/// assert!(error.starts_with("index 4 is outside axis 1 of length 4; use -4 to 3, or a range"));
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait PySlice {
    /// `x[spec]`: a view where candle has one, otherwise a copy.
    ///
    /// A view is made in no time and used more slowly: candle walks it element by element unless
    /// it is contiguous, and its gradient takes a pass for each axis. Where the slice is used more
    /// than once, or has a gradient, [`pyslice_copy`](Self::pyslice_copy) is faster.
    ///
    /// Indices, `None`, `...` and ranges of step 1 always make a view, which shares the tensor's
    /// storage. So does a step of 2 or more if no gradient is tracked ([`Tensor::track_op`]) and
    /// the axis has at most 2^24 positions. candle has no negative strides, so a negative step
    /// makes a copy, in one pass over the elements, for any strides of the tensor. So does a step
    /// where a gradient is tracked.
    ///
    /// Both have gradients. The gradient of a copy is made in one pass, too; candle makes the
    /// gradient of a view, with a pass for each axis that is cut.
    ///
    /// On CUDA and Metal a copy is candle's `index_select`, once for each axis with a step.
    ///
    /// # Errors
    ///
    /// An index out of range, a step of 0, more entries than axes.
    ///
    /// # Examples
    ///
    /// ```
    /// use candle_core::{Device, Tensor};
    /// use pyslice::s;
    /// use pyslice_candle::PySlice;
    ///
    /// let x = Tensor::arange(0u32, 12, &Device::Cpu)?.reshape((3, 4))?;
    /// let view = x.pyslice(s![1:, ::3])?; //  x[1:, ::3]
    /// assert_eq!((view.dims(), view.stride()), (&[2, 2][..], &[4, 3][..]));
    /// let copy = x.pyslice(s![::-1, 0])?; //  x[::-1, 0]
    /// assert_eq!(copy.to_vec1::<u32>()?, [8, 4, 0]);
    /// # Ok::<(), candle_core::Error>(())
    /// ```
    fn pyslice(&self, spec: impl AsSpec) -> Result<Tensor>;

    /// `x[spec].copy()`: a new tensor in C order, copied in one pass.
    ///
    /// # Errors
    ///
    /// Those of [`pyslice`](Self::pyslice).
    ///
    /// # Examples
    ///
    /// ```
    /// use candle_core::{Device, Tensor};
    /// use pyslice::s;
    /// use pyslice_candle::PySlice;
    ///
    /// let x = Tensor::arange(0i64, 6, &Device::Cpu)?.reshape((2, 3))?;
    /// let y = x.t()?.pyslice_copy(s![1:])?; // x.T[1:].copy()
    /// assert_eq!(y.to_vec2::<i64>()?, [[1, 4], [2, 5]]);
    /// assert!(y.is_contiguous());
    /// # Ok::<(), candle_core::Error>(())
    /// ```
    fn pyslice_copy(&self, spec: impl AsSpec) -> Result<Tensor>;

    /// A copy of `x` with `values` in place of `x[spec]`, broadcast as NumPy does. Gradients go to
    /// both.
    ///
    /// # Errors
    ///
    /// Those of [`pyslice`](Self::pyslice), values that do not broadcast, or of another type, and
    /// any device but the CPU.
    ///
    /// # Examples
    ///
    /// ```
    /// use candle_core::{Device, Tensor};
    /// use pyslice::s;
    /// use pyslice_candle::PySlice;
    ///
    /// let x = Tensor::zeros((2, 3), candle_core::DType::U8, &Device::Cpu)?;
    /// let y = Tensor::new(&[7u8, 8], &Device::Cpu)?;
    /// let z = x.pyslice_scatter(s![:, ::-2], &y)?; // z = x.copy(); z[:, ::-2] = y
    /// assert_eq!(z.to_vec2::<u8>()?, [[8, 0, 7], [8, 0, 7]]);
    /// # Ok::<(), candle_core::Error>(())
    /// ```
    fn pyslice_scatter(&self, spec: impl AsSpec, values: &Tensor) -> Result<Tensor>;

    /// `x[spec] = values` in place, broadcast as NumPy does. Every tensor that shares the storage
    /// sees it. `values` may be a view of the same storage: they are written as if all of them were
    /// read first.
    ///
    /// # Errors
    ///
    /// Those of [`pyslice_scatter`](Self::pyslice_scatter). A tensor that repeats its elements, as
    /// `broadcast_as` makes them. A tensor or values that have a gradient, which would be wrong or
    /// lost afterwards: a variable, and what was computed from one. Nothing is written then.
    ///
    /// # Examples
    ///
    /// ```
    /// use candle_core::{Device, Tensor};
    /// use pyslice::s;
    /// use pyslice_candle::PySlice;
    ///
    /// let x = Tensor::arange(0u32, 6, &Device::Cpu)?;
    /// x.pyslice_assign(s![1:], &x.pyslice(s![:-1])?)?; // x[1:] = x[:-1]
    /// assert_eq!(x.to_vec1::<u32>()?, [0, 0, 1, 2, 3, 4]);
    /// # Ok::<(), candle_core::Error>(())
    /// ```
    fn pyslice_assign(&self, spec: impl AsSpec, values: &Tensor) -> Result<()>;

    /// `x[spec] = value` in place. Every tensor that shares the storage sees it.
    ///
    /// # Errors
    ///
    /// Those of [`pyslice_assign`](Self::pyslice_assign); the value must be of the tensor's type.
    ///
    /// # Examples
    ///
    /// ```
    /// use candle_core::{DType, Device, Tensor};
    /// use pyslice::s;
    /// use pyslice_candle::PySlice;
    ///
    /// let x = Tensor::zeros(5, DType::F32, &Device::Cpu)?;
    /// x.pyslice_fill(s![1::2], 7f32)?; // x[1::2] = 7
    /// assert_eq!(x.to_vec1::<f32>()?, [0., 7., 0., 7., 0.]);
    /// # Ok::<(), candle_core::Error>(())
    /// ```
    fn pyslice_fill<T: WithDType>(&self, spec: impl AsSpec, value: T) -> Result<()>;
}

impl PySlice for Tensor {
    fn pyslice(&self, spec: impl AsSpec) -> Result<Tensor> {
        read::slice(self, spec.as_spec())
    }

    fn pyslice_copy(&self, spec: impl AsSpec) -> Result<Tensor> {
        read::copy(self, spec.as_spec())
    }

    fn pyslice_scatter(&self, spec: impl AsSpec, values: &Tensor) -> Result<Tensor> {
        self.apply_op2(values, write::Scatter(spec.as_spec().to_buf()))
    }

    fn pyslice_assign(&self, spec: impl AsSpec, values: &Tensor) -> Result<()> {
        within::assign(self, spec.as_spec(), values)
    }

    fn pyslice_fill<T: WithDType>(&self, spec: impl AsSpec, value: T) -> Result<()> {
        within::fill(self, spec.as_spec(), T::to_cpu_storage_owned(vec![value]))
    }
}

/// An error of ours as one of candle's, with its text.
fn wrap(error: SliceError) -> Error {
    Error::wrap(error)
}

/// Where the elements that `spec` takes from a tensor lie in its storage.
fn plan(spec: SpecRef<'_>, layout: &Layout) -> Result<Plan> {
    spec.plan_strided_at(layout.dims(), layout.stride(), layout.start_offset()).map_err(wrap)
}

/// Where all elements of a tensor lie in its storage.
fn whole(layout: &Layout) -> Result<Plan> {
    plan(slice_core::SpecBuf::default().as_ref(), layout)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
