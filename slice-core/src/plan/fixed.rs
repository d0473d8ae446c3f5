//! [`FixedPlan`]: a plan whose shapes are known at compile time.

use super::Plan;
use super::walk::{self, Axes, Input};
use crate::encoding::SpecRef;
use crate::error::SliceError;

/// A plan whose input has `IN` axes and whose result has `OUT`, with all its numbers known to the
/// compiler. `plan!` makes one.
///
/// It moves elements as [`Plan`] does, by `copy`, `copy_into`, `assign`, `fill`, `get`, `on` and
/// `on_mut`: up to 512 bytes, and six axes, by moves that are written out where the plan is a
/// constant. For everything else, such as [`then`](Plan::then) and [`chunks`](Plan::chunks), take
/// [`to_plan()`](Self::to_plan).
///
/// # Units
///
/// Strides and offsets count elements, not bytes; strides may be negative or 0.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "kernels")] {
/// use pyslice::{FixedPlan, s};
///
/// let plan = FixedPlan::<2, 1>::new(s![1, ::-1].as_ref(), [2, 3])?;
/// let x = [0, 1, 2, 3, 4, 5];
/// assert_eq!(plan.copy(&x)?, [5, 4, 3]);
/// assert_eq!(plan.to_plan().then(s![1:])?.copy(&x)?, [4, 3]);
/// # }
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FixedPlan<const IN: usize, const OUT: usize> {
    pub(super) axes: Axes<IN, OUT>,
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    /// Plans `spec` for a C-contiguous array of the given shape; range bounds are clamped.
    ///
    /// # Errors
    ///
    /// Those of [`Spec::plan`](crate::Spec::plan), and [`SliceError::RankMismatch`] if the result
    /// does not have `OUT` axes.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{FixedPlan, s};
    ///
    /// let spec = s![1, ..., ::2];
    /// let plan = FixedPlan::<3, 2>::new(spec.as_ref(), [4, 6, 8])?;
    /// assert_eq!((plan.shape(), plan.offset()), (&[6, 4], 48));
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    pub const fn new(spec: SpecRef<'_>, shape: [usize; IN]) -> Result<Self, SliceError> {
        let rank = match walk::out_rank(spec, IN) {
            Ok(rank) => rank,
            Err(e) => return Err(e),
        };
        if rank != OUT {
            return Err(SliceError::RankMismatch { expected: OUT, found: rank });
        }
        let mut axes = Axes::ZERO;
        if walk::walk::<IN, OUT, true>(&spec, &Input::dense(&shape), &mut axes) {
            Ok(FixedPlan { axes })
        } else {
            Err(walk::mistake(spec, &shape))
        }
    }

    /// The shape of the result.
    #[inline]
    pub const fn shape(&self) -> &[usize; OUT] {
        &self.axes.shape
    }

    /// The strides of the result as a view of the input, in elements.
    #[inline]
    pub const fn strides(&self) -> &[isize; OUT] {
        &self.axes.strides
    }

    /// Where the first element of the result lies in the input, in elements; 0 if the result is
    /// empty.
    #[inline]
    pub const fn offset(&self) -> usize {
        self.axes.offset
    }

    /// How many elements the result has.
    #[inline]
    pub const fn len(&self) -> usize {
        self.axes.len
    }

    /// Whether the result has no elements.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.axes.len == 0
    }

    /// How many elements the input has.
    #[inline]
    pub const fn input_len(&self) -> usize {
        self.axes.input_len
    }

    /// The shape of the input.
    #[inline]
    pub const fn input_shape(&self) -> &[usize; IN] {
        &self.axes.input_shape
    }

    /// The same plan. The caller knows that its ranks are `IN` and `OUT` and that it is not
    /// strided.
    pub(super) fn from_plan(plan: &Plan) -> Self {
        let mut axes = Axes::ZERO;
        axes.room().fill(plan.input_shape(), plan.axes());
        (axes.offset, axes.len, axes.input_len) = (plan.offset(), plan.len(), plan.input_len());
        FixedPlan { axes }
    }
}
