//! Python slices as [burn]'s slices, and back.
//!
//! ```
//! use burn_tensor::Tensor;
//! use pyslice::s;
//! use pyslice_burn::{InteropError, to_slices, to_slices_and_shape};
//!
//! fn main() -> Result<(), InteropError> {
//!     let x = Tensor::<2>::from([[0., 1., 2., 3.], [4., 5., 6., 7.]]);
//!
//!     let slices = to_slices(s![..., ::-2], &x.dims())?;
//!     let y = x.clone().slice(&slices); //                          x[..., ::-2]
//!     y.into_data().assert_eq(&[[3f32, 1.], [7., 5.]].into(), false);
//!
//!     // burn keeps every axis, and adds none. A reshape does the rest.
//!     let (slices, shape) = to_slices_and_shape(s![1, None, 1:3], &x.dims())?;
//!     let y: Tensor<2> = x.slice(&slices).reshape(shape); //        x[1, None, 1:3]
//!     y.into_data().assert_eq(&[[5f32, 6.]].into(), false);
//!     Ok(())
//! }
//! ```
//!
//! The slices are for burn's `slice` and `slice_assign`, on any device.
//!
//! # What it does not do
//!
//! It converts slices and moves no elements: burn does that. The kernels of pyslice are for memory
//! that a program holds itself.
//!
//! [burn]: https://docs.rs/burn

use burn_std::{Shape, Slice};
use slice_core::{AsSpec, Plan, SliceError, SpecBuf, StepRange};
use slice_interop::Unwritable;

pub use slice_interop::InteropError;

/// `x[spec]` as burn's slices, one for each axis of `x`, which has the shape `shape`.
///
/// No bound is negative or past the end. A negative step starts at the end of the range, which is
/// burn's rule.
///
/// # Errors
///
/// [`InteropError::Unwritable`] if the slice drops an axis by an index, or adds one by `None`, which
/// burn's slices cannot: [`to_slices_and_shape`] has what to reshape to afterwards. An index out of
/// range, a step of 0, more entries than axes.
///
/// # Examples
///
/// ```
/// use burn_tensor::Slice;
/// use pyslice::s;
/// use pyslice_burn::to_slices;
///
/// let slices = to_slices(s![1:3, ::-1], &[4, 6])?; // burn's s![1..3, 0..6;-1]
/// assert_eq!(slices, [Slice::new(1, Some(3), 1), Slice::new(0, Some(6), -1)]);
///
/// let refused = to_slices(s![1, ::-1], &[4, 6]).unwrap_err().to_string();
/// assert!(refused.starts_with("the slice drops axis 0, but burn's `slice` keeps every axis; drop"));
/// # Ok::<(), pyslice_burn::InteropError>(())
/// ```
///
/// # Source
///
/// burn 0.22: the tests compare with its own results.
pub fn to_slices(spec: impl AsSpec, shape: &[usize]) -> Result<Vec<Slice>, InteropError> {
    let plan = spec.as_spec().plan(shape)?;
    let form = plan.to_axes()?;
    let dropped = form.drop.first().map(|&axis| (axis, Unwritable::DroppedAxis));
    let added = form.add.first().map(|&axis| (axis, Unwritable::NewAxis));
    match dropped.or(added) {
        Some((axis, why)) => {
            Err(InteropError::Unwritable { operator: "burn's `slice`", axis, why })
        }
        None => Ok(slices(&plan)?),
    }
}

/// `x[spec]` as burn's slices, and the shape to give their result afterwards.
///
/// An axis that the slice drops has length 1 until then, and one that it adds is not there. Values
/// for `slice_assign` are reshaped the other way first, to the shape of `x.slice(&slices)`.
///
/// burn's `reshape` reads a length of 0 as "as it was". Where the shape has one, so that there are
/// no elements, make a tensor with `Tensor::empty(shape, &device)` instead.
///
/// # Errors
///
/// An index out of range, a step of 0, more entries than axes.
///
/// # Examples
///
/// ```
/// use burn_tensor::{Shape, Slice};
/// use pyslice::s;
/// use pyslice_burn::to_slices_and_shape;
///
/// let (slices, shape) = to_slices_and_shape(s![-1, None, ::2], &[4, 6])?;
/// assert_eq!(slices, [Slice::new(3, Some(4), 1), Slice::new(0, Some(5), 2)]);
/// assert_eq!(shape, Shape::from([1, 3]));
/// # Ok::<(), pyslice::SliceError>(())
/// ```
///
/// # Source
///
/// burn 0.22: the tests compare with its own results.
pub fn to_slices_and_shape(
    spec: impl AsSpec,
    shape: &[usize],
) -> Result<(Vec<Slice>, Shape), SliceError> {
    let plan = spec.as_spec().plan(shape)?;
    Ok((slices(&plan)?, Shape::from(plan.shape().to_vec())))
}

/// burn's slices as Python's: what burn's `x.slice(slices)` takes is `x[spec]`.
///
/// No shape is needed: both clamp their bounds. burn's single index `s![1]` keeps its axis, and
/// becomes the range `1:2`.
///
/// # Errors
///
/// A step of 0, more than 31 slices, and [`SliceError::NotRepresentable`] for a bound of `i64::MIN`
/// under a negative step.
///
/// # Examples
///
/// ```
/// use burn_tensor::s;
/// use pyslice_burn::from_slices;
///
/// assert_eq!(from_slices(&s![1..4;-1, -2, ..])?.to_string(), "3:0:-1, -2:-1, :");
/// # Ok::<(), pyslice::SliceError>(())
/// ```
///
/// # Source
///
/// burn 0.22: the tests compare with its own results.
pub fn from_slices(slices: &[Slice]) -> Result<SpecBuf, SliceError> {
    let entries = slices.iter().enumerate().map(|(entry, slice)| match slice.step {
        0 => Err(SliceError::ZeroStep { entry }),
        step => StepRange {
            start: slice.start as i64,
            end: slice.end.map(|end| end as i64),
            step: step as i64,
        }
        .to_entry(),
    });
    SpecBuf::from_entries(&entries.collect::<Result<Vec<_>, _>>()?)
}

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
