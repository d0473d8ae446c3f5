//! From a slice to a plan: the methods of the three forms of a slice.

use super::Plan;
#[cfg(feature = "toolkit")]
use super::relayout::{Stride, to_isize};
#[cfg(feature = "toolkit")]
use crate::encoding::OnAxis;
use crate::encoding::{Spec, SpecBuf, SpecRef};
use crate::error::SliceError;

/// The methods of all three forms.
macro_rules! shared {
    ($as_ref:ident) => {
        /// Plans the slice for a C-contiguous array of the given shape; range bounds are clamped.
        ///
        /// # Errors
        ///
        /// [`SliceError::IndexOutOfRange`]; [`SliceError::TooManyEntries`] if more entries take an
        /// axis than there are axes; [`SliceError::ZeroStep`]; [`SliceError::ShapeTooLarge`] for a
        /// shape whose element count does not fit `isize`; [`SliceError::RankTooHigh`] for more
        /// than 254 axes, in the array or in the result; [`SliceError::ShrinkStride`] for an index
        /// to which masks gave a negative stride; [`SliceError::AxisOutOfRange`] if the axis that
        /// the slice was put on is missing; [`SliceError::BoundOutOfRange`] if the slice is
        /// [`strict`](Self::strict).
        ///
        /// # Examples
        ///
        /// ```
        /// # #[cfg(feature = "toolkit")] {
        /// use pyslice::s;
        ///
        /// let plan = s![1, ::-2].plan(&[3, 5])?;
        /// assert_eq!((plan.shape(), plan.strides(), plan.offset()), (&[3][..], &[-2][..], 9));
        /// # }
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        ///
        /// # Source
        ///
        /// Python's rules, which are TensorFlow's. They are tested against answers recorded from
        /// NumPy, TensorFlow and others (recorded answers).
        #[inline]
        pub fn plan(&self, shape: &[usize]) -> Result<Plan, SliceError> {
            Plan::new(self.$as_ref(), shape)
        }

        /// [`plan`](Self::plan) for an array of any layout: one stride for each axis, in elements,
        /// which may be negative or 0.
        ///
        /// Offsets count from the lowest element that the array touches, so they fit a buffer that
        /// holds only the array. With all strides ≥ 0 that is the element at `[0, 0, …]`. If the
        /// array is part of a larger buffer, use `plan_strided_at`, which takes the position of
        /// that element.
        ///
        /// # Errors
        ///
        /// Those of [`plan`](Self::plan), [`SliceError::RankMismatch`] if `shape` and `strides`
        /// differ in length, and [`SliceError::ReachTooLarge`] if the array spans more than
        /// `isize::MAX` elements.
        ///
        /// # Examples
        ///
        /// ```
        /// # #[cfg(feature = "toolkit")] {
        /// use pyslice::s;
        ///
        /// // A 2 by 3 array, transposed: element [i, j] lies at i + 3 j.
        /// let plan = s![1:, ::-1].plan_strided(&[3, 2], &[1, 3])?;
        /// assert_eq!((plan.shape(), plan.strides()), (&[2, 2][..], &[1, -3][..]));
        /// assert_eq!(plan.offset(), 4);
        /// # }
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        ///
        /// # Source
        ///
        /// NumPy's views: the strides of the result are the array's, each times its step.
        #[doc(alias = "as_strided", alias = "sliding_window_view")]
        pub fn plan_strided(&self, shape: &[usize], strides: &[isize]) -> Result<Plan, SliceError> {
            Plan::new_strided(self.$as_ref(), shape, strides, None)
        }

        /// [`plan_strided`](Self::plan_strided) for an array whose element `[0, 0, …]` lies at
        /// position `first` of its buffer. The strides may be of any integer type that libraries
        /// keep them in ([`Stride`](crate::Stride)).
        ///
        /// Offsets count from the start of the buffer, as `first` does. So a view that keeps a
        /// shape, strides and an offset can be sliced again: [`offset()`](Plan::offset) of the plan
        /// is its new offset, for strides of either sign.
        ///
        /// # Errors
        ///
        /// Those of [`plan_strided`](Self::plan_strided), and [`SliceError::BeforeBuffer`] if
        /// negative strides reach below the start of the buffer.
        ///
        /// # Examples
        ///
        /// ```
        /// # #[cfg(feature = "toolkit")] {
        /// use pyslice::s;
        ///
        /// // The view x[:, ::-1] of a 2 by 3 array: its element [0, 0] is element 2 of the buffer.
        /// let (shape, strides, first) = ([2, 3], [3, -1], 2);
        /// let row = s![0, 1:].plan_strided_at(&shape, &strides, first)?;
        /// assert_eq!((row.shape(), row.strides(), row.offset()), (&[2][..], &[-1][..], 1));
        /// assert_eq!(row.copy(&[0, 1, 2, 3, 4, 5])?, [1, 0]);
        /// # }
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        ///
        /// # Source
        ///
        /// NumPy's views, whose data pointer points to element `[0, 0, …]`.
        #[cfg(feature = "toolkit")]
        pub fn plan_strided_at<S: Stride>(
            &self,
            shape: &[usize],
            strides: &[S],
            first: usize,
        ) -> Result<Plan, SliceError> {
            Plan::new_strided(self.$as_ref(), shape, &to_isize(strides), Some(first))
        }
    };
}

impl<const LEN: usize, const TAKES: usize, const DROPS: usize, const ADDS: usize>
    Spec<LEN, TAKES, DROPS, ADDS>
{
    shared!(as_ref);
}
impl SpecBuf {
    shared!(as_ref);
}
impl SpecRef<'_> {
    shared!(get);
}
#[cfg(feature = "toolkit")]
impl<const L: usize, const T: usize, const D: usize, const A: usize> OnAxis<Spec<L, T, D, A>> {
    shared!(as_ref);
}
