//! Converts between the two kinds of plan, and elements to bytes.

use super::axes::{Frame, OutAxis};
use super::{FixedPlan, Plan};
use crate::error::SliceError;

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    /// The same plan as a [`Plan`], whose ranks are known only at run time.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{FixedPlan, s};
    ///
    /// let every_second = s![::2];
    /// let fixed = FixedPlan::<1, 1>::new(every_second.as_ref(), [5])?;
    /// assert_eq!(fixed.to_plan(), every_second.plan(&[5])?);
    /// assert_eq!(FixedPlan::<1, 1>::try_from(&fixed.to_plan())?, fixed);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn to_plan(&self) -> Plan {
        let frame = Frame {
            input_shape: self.input_shape(),
            input_len: self.input_len(),
            strided: false,
            offset: self.offset(),
        };
        let sizes = self.axes.shape.iter().zip(&self.axes.strides).zip(&self.axes.source);
        Plan::from_axes(
            frame,
            sizes.map(|((&len, &stride), &source)| OutAxis { len, stride, source }),
        )
    }
}

impl<const IN: usize, const OUT: usize> From<&FixedPlan<IN, OUT>> for Plan {
    #[inline]
    fn from(fixed: &FixedPlan<IN, OUT>) -> Plan {
        fixed.to_plan()
    }
}

/// Fails with [`SliceError::RankMismatch`] if a rank differs, and with
/// [`SliceError::NeedsContiguous`] if the plan was made for an array with strides.
impl<const IN: usize, const OUT: usize> TryFrom<&Plan> for FixedPlan<IN, OUT> {
    type Error = SliceError;

    #[inline]
    fn try_from(plan: &Plan) -> Result<Self, SliceError> {
        for (expected, found) in [(IN, plan.input_shape().len()), (OUT, plan.shape().len())] {
            if expected != found {
                return Err(SliceError::RankMismatch { expected, found });
            }
        }
        if plan.is_strided() {
            return Err(SliceError::NeedsContiguous { what: "a plan of fixed rank" });
        }
        Ok(FixedPlan::from_plan(plan))
    }
}

impl Plan {
    /// [`offset()`](Plan::offset) in bytes, for elements of `size` bytes.
    ///
    /// # Errors
    ///
    /// [`SliceError::ZeroElementSize`]; [`SliceError::BytesTooLarge`] if the input takes more than
    /// `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![1, ::-2].plan(&[2, 5])?;
    /// assert_eq!((plan.offset(), plan.strides()), (9, &[-2][..]));
    /// assert_eq!(plan.byte_offset(4)?, 36);
    /// assert_eq!(plan.byte_strides(4)?.collect::<Vec<_>>(), [-8]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn byte_offset(&self, size: usize) -> Result<usize, SliceError> {
        self.check_bytes(size)?;
        // The offset is below the input's length, whose bytes fit.
        Ok(self.offset().wrapping_mul(size))
    }

    /// [`strides()`](Plan::strides) in bytes, for elements of `size` bytes. If an axis of at most
    /// one element has a stride whose bytes do not fit, it is clamped; such a stride is never used.
    ///
    /// # Errors
    ///
    /// Those of [`byte_offset`](Plan::byte_offset).
    #[inline]
    pub fn byte_strides(
        &self,
        size: usize,
    ) -> Result<impl ExactSizeIterator<Item = isize> + '_, SliceError> {
        self.check_bytes(size)?;
        Ok(self.strides().iter().map(move |s| s.saturating_mul(size as isize)))
    }

    #[inline]
    fn check_bytes(&self, size: usize) -> Result<(), SliceError> {
        if size == 0 {
            return Err(SliceError::ZeroElementSize);
        }
        match self.input_len().checked_mul(size) {
            Some(n) if n <= isize::MAX as usize && size <= isize::MAX as usize => Ok(()),
            _ => Err(SliceError::BytesTooLarge { elements: self.input_len(), size }),
        }
    }
}
