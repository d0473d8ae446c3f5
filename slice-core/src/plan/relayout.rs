//! Plans that no slice can make: axes in another order, repeated, split and merged.

use super::axes::{Frame, OutAxis};
use super::walk::{MAX_RANK, NO_SOURCE, count};
use super::{INLINE, Plan};
use crate::encoding::SpecBuf;
use crate::error::SliceError;
use smallvec::SmallVec;

/// An integer type that libraries use for strides.
/// [`plan_strided_at`](crate::Spec::plan_strided_at) takes slices of it.
///
/// It is implemented for `isize`, `usize`, `i64` and `i32`.
pub trait Stride: Copy + sealed::Sealed {
    /// The stride as an `isize`, saturated where it does not fit.
    ///
    /// Such a stride is refused on an axis of two positions or more
    /// ([`SliceError::ReachTooLarge`]), and does not matter on a shorter one. A negative stride
    /// that was wrapped into a `usize`, as `-1_isize as usize`, does not fit: cast it back first.
    fn to_isize(self) -> isize;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! strides {
    ($($t:ty)*) => { $(
        impl sealed::Sealed for $t {}
        impl Stride for $t {
            #[inline]
            fn to_isize(self) -> isize {
                #[allow(unused_comparisons, reason = "unsigned types are never below zero")]
                let far = if self < 0 { isize::MIN } else { isize::MAX };
                isize::try_from(self).unwrap_or(far)
            }
        }
    )* };
}
strides!(isize usize i64 i32);

/// Converts strides to the planner's type.
#[inline]
pub(crate) fn to_isize<S: Stride>(strides: &[S]) -> SmallVec<[isize; INLINE]> {
    strides.iter().map(|s| s.to_isize()).collect()
}

impl Plan {
    /// The same view with its axes in another order: axis `i` of the result is axis `order[i]` of
    /// this one, as NumPy's `transpose` has it. The storage stays as it is.
    ///
    /// [`input_shape()`](Plan::input_shape) stays too; in [`source_axes()`](Plan::source_axes) the
    /// axes come in the new order. Unless the order stays the same, the plan counts as
    /// [strided](Plan::is_strided), since no slice produces it.
    ///
    /// # Errors
    ///
    /// [`SliceError::RankMismatch`] if `order` does not have one entry for each axis,
    /// [`SliceError::AxisOutOfRange`] and [`SliceError::RepeatedAxis`] if it is not a permutation.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{SliceError, s};
    ///
    /// let x = [0, 1, 2, 3, 4, 5]; //                              x = np.arange(6).reshape(2, 3)
    /// let plan = s![:, ::-1].plan(&[2, 3])?.permute(&[1, 0])?; // x[:, ::-1].T
    /// assert_eq!((plan.shape(), plan.copy(&x)?), (&[3, 2][..], vec![2, 5, 1, 4, 0, 3]));
    /// let column = plan.then(s![:, 1])?; //                       x[:, ::-1].T[:, 1]
    /// assert_eq!(column.copy(&x)?, [5, 4, 3]);
    /// # Ok::<(), SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// NumPy's `transpose`; the property test `chains_of_views_are_numpys` compares with indexing.
    #[doc(alias = "transpose", alias = "swapaxes", alias = "moveaxis")]
    #[inline]
    pub fn permute(&self, order: &[usize]) -> Result<Plan, SliceError> {
        let rank = self.shape().len();
        if order.len() != rank {
            return Err(SliceError::RankMismatch { expected: rank, found: order.len() });
        }
        // A bit for each axis.
        let mut named = [0_u64; MAX_RANK.div_ceil(64)];
        for &axis in order {
            let bit = 1_u64.wrapping_shl(axis as u32);
            let Some(seen) = named.get_mut(axis / 64).filter(|_| axis < rank) else {
                return Err(SliceError::AxisOutOfRange {
                    axis: i64::try_from(axis).unwrap_or(i64::MAX),
                    rank,
                });
            };
            if *seen & bit != 0 {
                return Err(SliceError::RepeatedAxis { axis });
            }
            *seen |= bit;
        }
        let stays = order.iter().enumerate().all(|(to, &from)| to == from);
        // Each names an axis, so no other is made.
        let none = OutAxis { len: 1, stride: 0, source: NO_SOURCE };
        let axes = order.iter().map(|&axis| self.axes().nth(axis).unwrap_or(none));
        Ok(if stays { self.clone() } else { self.with_axes(axes) })
    }

    /// Broadcasts the view to a larger shape: axes of length 1, and axes added in front, get stride
    /// 0.
    ///
    /// Such a plan can be read through as any other. Writing through it writes an element several
    /// times: [`assign`](Plan::assign) leaves the last value there,
    /// [`add_assign`](Plan::add_assign) adds all of them. NumPy makes such views read-only; a
    /// library that wants the same can check [`repeats`](Plan::repeats). [`grad`](Plan::grad)
    /// refuses such a plan: the gradient of an element that was read several times is a sum, which
    /// `add_assign` to zeros gives.
    ///
    /// # Errors
    ///
    /// [`SliceError::Broadcast`], with both shapes, if an axis is neither of length 1 nor as long
    /// as the new axis; [`SliceError::ShapeTooLarge`] if the new shape has more than `isize::MAX`
    /// elements; [`SliceError::RankTooHigh`] if it has more than 254 axes.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{SliceError, s};
    ///
    /// let rows = s![::-1].plan(&[3])?.broadcast_to(&[2, 3])?; // np.broadcast_to(x[::-1], (2, 3))
    /// assert_eq!(rows.strides(), [0, -1]);
    /// assert_eq!(rows.copy(&[7, 8, 9])?, [9, 8, 7, 9, 8, 7]);
    ///
    /// let mut dx = [0; 3];
    /// rows.add_assign(&mut dx, &[1, 2, 3, 10, 20, 30])?; //      the gradient
    /// assert_eq!(dx, [33, 22, 11]);
    /// # Ok::<(), SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// NumPy's `broadcast_to`; the property test `chains_of_views_are_numpys` compares with
    /// indexing.
    #[doc(alias = "expand")]
    #[inline]
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Plan, SliceError> {
        let rank = shape.len();
        if rank > MAX_RANK {
            return Err(SliceError::RankTooHigh { rank, limit: MAX_RANK });
        }
        count(shape).ok_or(SliceError::ShapeTooLarge)?;
        let mut axes = Axes::new();
        let mut own = self.axes().rev();
        for (i, &len) in shape.iter().rev().enumerate() {
            axes.push(match own.next() {
                Some(axis) if axis.len == len => axis,
                Some(axis) if axis.len == 1 => OutAxis { len, stride: 0, ..axis },
                Some(_) => {
                    return Err(SliceError::broadcast(i.saturating_add(1), self.shape(), shape));
                }
                None => OutAxis { len, stride: 0, source: NO_SOURCE },
            });
        }
        if own.next().is_some() {
            return Err(SliceError::broadcast(rank.saturating_add(1), self.shape(), shape));
        }
        axes.reverse();
        Ok(if shape == self.shape() { self.clone() } else { self.with_axes(axes.into_iter()) })
    }

    /// The same elements, in C order, in another shape, if that needs no copy: axes are split,
    /// merged, added and dropped.
    ///
    /// A plan of the [whole input](Plan::is_identity) becomes a plan of the whole of an input of
    /// the new shape. Any other plan becomes [strided](Plan::is_strided), and an axis that was not
    /// one before has no [source](Plan::source_axes).
    ///
    /// # Errors
    ///
    /// [`SliceError::ElementCount`] if the new shape does not have [`len()`](Plan::len) elements.
    /// [`SliceError::NeedsCopy`] if the elements along a new axis would not be equally far apart:
    /// copy first, and plan for the copy. [`SliceError::ShapeTooLarge`] and
    /// [`SliceError::RankTooHigh`] as for [`plan`](crate::Spec::plan).
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{SliceError, s};
    ///
    /// let plan = s![1:, ::2].plan(&[3, 4])?; // x = np.arange(12).reshape(3, 4); y = x[1:, ::2]
    /// // y.reshape(4): elements 4, 6, 8, 10 are equally far apart.
    /// assert_eq!((plan.reshape(&[4])?.offset(), plan.reshape(&[4])?.strides()), (4, &[2][..]));
    /// // y.T.reshape(4) would be 4, 8, 6, 10.
    /// assert_eq!(plan.permute(&[1, 0])?.reshape(&[4]), Err(SliceError::NeedsCopy));
    /// # Ok::<(), SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// NumPy's `reshape` with `copy=False`; the property test `chains_of_views_are_numpys` compares
    /// with indexing.
    #[doc(alias = "view", alias = "ravel", alias = "flatten")]
    #[inline]
    pub fn reshape(&self, shape: &[usize]) -> Result<Plan, SliceError> {
        let (rank, found) = (shape.len(), count(shape).ok_or(SliceError::ShapeTooLarge)?);
        if rank > MAX_RANK {
            return Err(SliceError::RankTooHigh { rank, limit: MAX_RANK });
        }
        if found != self.len() {
            return Err(SliceError::ElementCount { expected: self.len(), found });
        }
        if shape == self.shape() {
            return Ok(self.clone());
        }
        if self.is_identity() && !self.is_strided() {
            return Plan::new(SpecBuf::default().as_ref(), shape);
        }
        let axes = if self.is_empty() {
            shape.iter().map(|&len| OutAxis { len, stride: 0, source: NO_SOURCE }).collect()
        } else {
            self.regrouped(shape).ok_or(SliceError::NeedsCopy)?
        };
        Ok(self.with_axes(axes.into_iter()))
    }

    /// The axes of the new shape, which has as many elements as this plan, and at least one. `None`
    /// if they need a copy.
    ///
    /// Axes longer than 1 are taken from both shapes until their products agree. The plan's axes
    /// must then merge into one, which is split into the axes of the new shape.
    #[inline]
    fn regrouped(&self, shape: &[usize]) -> Option<Axes> {
        let mut own = self.axes().rev().filter(|axis| axis.len > 1);
        let mut axes = Axes::new();
        // How many positions are left of this plan's axes that were taken, and the stride between
        // them.
        let (mut left, mut stride, mut source) = (1usize, 0isize, NO_SOURCE);
        for &len in shape.iter().rev() {
            if len == 1 {
                axes.push(OutAxis { len, stride: 0, source: NO_SOURCE });
                continue;
            }
            if left == 1 {
                let axis = own.next()?;
                (left, stride, source) = (axis.len, axis.stride, axis.source);
            }
            let whole = left == len;
            while left.checked_rem(len) != Some(0) {
                let axis = own.next()?;
                if stride.checked_mul(left as isize) != Some(axis.stride) {
                    return None;
                }
                left = left.checked_mul(axis.len)?;
                source = NO_SOURCE;
            }
            axes.push(OutAxis { len, stride, source: if whole { source } else { NO_SOURCE } });
            left = left.checked_div(len)?;
            source = NO_SOURCE;
            // If there is a next position, this is a distance inside the view.
            stride = stride.wrapping_mul(len as isize);
        }
        axes.reverse();
        Some(axes)
    }

    /// The same buffer and first element, other axes.
    #[inline]
    fn with_axes(&self, axes: impl ExactSizeIterator<Item = OutAxis>) -> Plan {
        Plan::from_axes(Frame { strided: true, ..self.frame() }, axes)
    }
}

type Axes = SmallVec<[OutAxis; INLINE]>;
