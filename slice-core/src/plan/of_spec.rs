//! From a slice to a plan: the methods of the three forms of a slice.

use super::Plan;
#[cfg(feature = "toolkit")]
use super::relayout::{Stride, to_isize};
use crate::axis::Bounds;
use crate::error::SliceError;
use crate::spec::{Spec, SpecBuf, SpecRef};

/// [`plan`](SpecRef::plan), which differs in how it reaches the planner.
macro_rules! plan {
    ($inline:meta, |$self:ident, $shape:ident| $e:expr) => {
        /// Plans the slice for a C-contiguous array of the given shape; range bounds are clamped.
        ///
        /// # Errors
        ///
        /// [`SliceError::IndexOutOfRange`]; [`SliceError::TooManyEntries`] if more entries take an
        /// axis than there are; [`SliceError::ZeroStep`]; [`SliceError::ShapeTooLarge`] for a shape
        /// whose element count does not fit `isize`; [`SliceError::RankTooHigh`] for more than 254
        /// axes, before or after; [`SliceError::ShrinkStride`] for an index to which masks gave a
        /// negative stride.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::{Entry, SliceError, SpecBuf};
        ///
        /// let backwards = Entry::Range { start: None, stop: None, step: -2 };
        /// let spec = SpecBuf::from_entries(&[Entry::Index(1), backwards])?;
        /// let plan = spec.plan(&[3, 5])?;
        /// assert_eq!((plan.shape(), plan.strides(), plan.offset()), (&[3][..], &[-2][..], 9));
        /// # Ok::<(), SliceError>(())
        /// ```
        ///
        /// # Source
        ///
        /// Python's rules, which are TensorFlow's; answers recorded from NumPy, TensorFlow and
        /// others hold it to them (`tests/recorded`).
        #[$inline]
        pub fn plan(&$self, $shape: &[usize]) -> Result<Plan, SliceError> {
            $e
        }
    };
}

/// The methods that reach the planner alike.
macro_rules! shared {
    ($as_ref:ident) => {
        /// [`plan`](Self::plan) with a say in what happens to range bounds outside their axis.
        ///
        /// # Errors
        ///
        /// As [`plan`](Self::plan), and [`SliceError::BoundOutOfRange`] under [`Bounds::Strict`].
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::{Bounds, SliceError, SpecBuf};
        ///
        /// let spec: SpecBuf = "2:9".parse()?;
        /// assert_eq!(spec.plan_with(&[4], Bounds::Clamp)?.shape(), [2]);
        /// let refused = spec.plan_with(&[4], Bounds::Strict).unwrap_err();
        /// assert_eq!(refused, SliceError::BoundOutOfRange { bound: 9, axis: 0, len: 4 });
        /// # Ok::<(), SliceError>(())
        /// ```
        ///
        /// # Source
        ///
        /// Python clamps. What counts as inside is what the Python array API standard lists (its
        /// page on indexing): see [`Bounds::Strict`].
        #[inline]
        pub fn plan_with(&self, shape: &[usize], bounds: Bounds) -> Result<Plan, SliceError> {
            Plan::new(self.$as_ref(), shape, bounds)
        }
        /// [`plan`](Self::plan) for an array of any layout: one stride an axis, in elements, which
        /// may be negative or 0.
        ///
        /// Offsets count from the lowest element that the array touches, so a buffer that holds
        /// just the array fits: with all strides ≥ 0 that is the element at `[0, 0, …]`. Where the
        /// array is itself a part of a buffer, `plan_strided_at` takes the place of that element.
        ///
        /// # Errors
        ///
        /// As [`plan`](Self::plan), [`SliceError::RankMismatch`] where the two slices differ in
        /// length, and [`SliceError::ShapeTooLarge`] where the array spans more than `isize::MAX`
        /// elements.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::{SliceError, SpecBuf};
        ///
        /// // A 2 by 3 array, transposed: element [i, j] lies at i + 3 j.
        /// let plan = "1:, ::-1".parse::<SpecBuf>()?.plan_strided(&[3, 2], &[1, 3])?;
        /// assert_eq!(
        ///     (plan.shape(), plan.strides(), plan.offset()),
        ///     (&[2, 2][..], &[1, -3][..], 4)
        /// );
        /// # Ok::<(), SliceError>(())
        /// ```
        ///
        /// # Source
        ///
        /// NumPy's views: the strides of the result are the array's, each times its step.
        pub fn plan_strided(&self, shape: &[usize], strides: &[isize]) -> Result<Plan, SliceError> {
            Plan::new_strided(self.$as_ref(), shape, strides, None, Bounds::Clamp)
        }
        /// [`plan_strided`](Self::plan_strided) with a say in what happens to range bounds outside
        /// their axis.
        ///
        /// # Errors
        ///
        /// As [`plan_strided`](Self::plan_strided), and [`SliceError::BoundOutOfRange`] under
        /// [`Bounds::Strict`].
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::{Bounds, SliceError, SpecBuf};
        ///
        /// let spec: SpecBuf = ":, -4:".parse()?;
        /// assert_eq!(spec.plan_strided_with(&[3, 2], &[1, 3], Bounds::Clamp)?.shape(), [3, 2]);
        /// let refused = spec.plan_strided_with(&[3, 2], &[1, 3], Bounds::Strict).unwrap_err();
        /// assert_eq!(refused, SliceError::BoundOutOfRange { bound: -4, axis: 1, len: 2 });
        /// # Ok::<(), SliceError>(())
        /// ```
        ///
        /// # Source
        ///
        /// [`plan_strided`](Self::plan_strided) and [`plan_with`](Self::plan_with), each of which
        /// it is with one argument fixed.
        pub fn plan_strided_with(
            &self,
            shape: &[usize],
            strides: &[isize],
            bounds: Bounds,
        ) -> Result<Plan, SliceError> {
            Plan::new_strided(self.$as_ref(), shape, strides, None, bounds)
        }
        /// [`plan_strided`](Self::plan_strided) for an array whose element `[0, 0, …]` lies at
        /// `first` of its buffer, and whose strides are any of the numbers that libraries keep them
        /// in ([`Stride`](crate::Stride)).
        ///
        /// Offsets count from the start of the buffer, as `first` does. So this is how a view that
        /// keeps a shape, strides and an offset is sliced again: [`offset()`](Plan::offset) of the
        /// plan is the new one, for strides of either sign.
        ///
        /// # Errors
        ///
        /// As [`plan_strided`](Self::plan_strided), and [`SliceError::BeforeBuffer`] if negative
        /// strides reach below the start of the buffer.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::{SliceError, s};
        ///
        /// // x[:, ::-1] of a 2 by 3 array, as it lies in memory: element [0, 0] is number 2.
        /// let (shape, strides, first) = ([2, 3], [3, -1], 2);
        /// let row = s![0, 1:].plan_strided_at(&shape, &strides, first)?;
        /// assert_eq!((row.shape(), row.strides(), row.offset()), (&[2][..], &[-1][..], 1));
        /// assert_eq!(row.copy(&[0, 1, 2, 3, 4, 5])?, [1, 0]);
        /// # Ok::<(), SliceError>(())
        /// ```
        ///
        /// # Source
        ///
        /// NumPy's views, whose data pointer is that of element `[0, 0, …]`.
        #[cfg(feature = "toolkit")]
        pub fn plan_strided_at<S: Stride>(
            &self,
            shape: &[usize],
            strides: &[S],
            first: usize,
        ) -> Result<Plan, SliceError> {
            Plan::new_strided(self.$as_ref(), shape, &to_isize(strides), Some(first), Bounds::Clamp)
        }
    };
}

impl<const LEN: usize, const TAKES: usize, const DROPS: usize, const ADDS: usize>
    Spec<LEN, TAKES, DROPS, ADDS>
{
    shared!(as_ref);
    // A literal slice is a constant: inlined, only the arithmetic on the shape is left of the
    // planner.
    plan!(inline(always), |self, shape| Plan::new_unrolled::<LEN, TAKES, ADDS>(
        || self.as_ref(),
        shape
    ));
}
impl SpecBuf {
    shared!(as_ref);
    plan!(inline, |self, shape| Plan::new(self.as_ref(), shape, Bounds::Clamp));
}
impl SpecRef<'_> {
    shared!(get);
    plan!(inline, |self, shape| Plan::new(*self, shape, Bounds::Clamp));
}
