//! Assigning, filling and gradients for tensors whose element type is known only at run time:
//! buffers are bytes, and the size of an element is a number. No alignment is assumed.

use crate::assign::broadcast_strides;
use crate::copy::Job;
use crate::error::{Buffer, SliceError};
use crate::kernel::{self, How, Side, Transfer, View};
use crate::plan::walk::count;
use crate::plan::{FixedPlan, Plan};

impl Job<'_> {
    fn assign_bytes(&self, size: usize, dst: &mut [u8], values: &[u8]) -> Result<(), SliceError> {
        let count = self.check_array_bytes(Buffer::Target, size, dst.len())?;
        self.check_result_bytes(Buffer::Values, size, values.len())?;
        if self.is_idle(size) {
            return Ok(());
        }
        // SAFETY: check_array_bytes found every position of the view below the `count` elements of
        // `dst`; `values` has as many elements as the view, and `dst`, being `&mut`, cannot
        // overlap it.
        unsafe {
            kernel::scatter(
                self.view,
                size,
                values.as_ptr(),
                dst.as_mut_ptr(),
                count,
                How::chosen(),
            )
        };
        Ok(())
    }

    #[expect(clippy::arithmetic_side_effects, reason = "check_array_bytes refused a size of 0")]
    fn assign_broadcast_bytes(
        &self,
        size: usize,
        dst: &mut [u8],
        values: &[u8],
        values_shape: &[usize],
    ) -> Result<(), SliceError> {
        let room = self.check_array_bytes(Buffer::Target, size, dst.len())?;
        let strides = broadcast_strides(self.view.shape, values_shape)?;
        let expected = count(values_shape).and_then(|n| n.checked_mul(size)).unwrap_or(usize::MAX);
        let source = View { shape: self.view.shape, strides: &strides, offset: 0 };
        if values.len() != expected || source.fits(values.len() / size) != Some(self.len) {
            return Err(SliceError::BufferLength {
                buffer: Buffer::Values,
                expected,
                found: values.len(),
            });
        }
        if self.is_idle(size) {
            return Ok(());
        }
        // SAFETY: both views have the same shape of `len` positions; every position of this one
        // lies inside `dst` (check_array_bytes), every position of the other inside
        // `values` (`fits`, just above); `dst`, being `&mut`, cannot overlap `values`.
        unsafe {
            let src = Side::view(values.as_ptr(), values.len() / size, &source);
            let dst = Side::view(dst.as_mut_ptr(), room, &self.view);
            kernel::transfer(
                &Transfer { shape: self.view.shape, elem: size, src, dst },
                How::chosen(),
            );
        }
        Ok(())
    }

    fn fill_bytes(&self, dst: &mut [u8], value: &[u8]) -> Result<(), SliceError> {
        let count = self.check_array_bytes(Buffer::Target, value.len(), dst.len())?;
        if self.is_idle(value.len()) {
            return Ok(());
        }
        // SAFETY: check_array_bytes found every position of the view below the `count` elements of
        // `dst`; `value` is one element, and `dst`, being `&mut`, cannot overlap it.
        unsafe {
            kernel::fill(
                self.view,
                value.len(),
                value.as_ptr(),
                dst.as_mut_ptr(),
                count,
                How::chosen(),
            )
        };
        Ok(())
    }
}

/// The methods that `Plan` and `FixedPlan` share.
macro_rules! bytes {
    () => {
        /// [`assign`](Self::assign) for elements of `size` bytes; both buffers are bytes.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] (in bytes), [`SliceError::ZeroElementSize`], or
        /// [`SliceError::BytesTooLarge`]; nothing is written then.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let plan = s![::-2].plan(&[3])?;
        /// let mut data = *b"aabbcc";
        /// plan.assign_bytes(2, &mut data, b"1122")?;
        /// assert_eq!(&data, b"22bb11");
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        pub fn assign_bytes(
            &self,
            size: usize,
            dst: &mut [u8],
            values: &[u8],
        ) -> Result<(), SliceError> {
            self.job().assign_bytes(size, dst, values)
        }

        /// [`assign_broadcast`](Self::assign_broadcast) for elements of `size` bytes; both buffers
        /// are bytes.
        ///
        /// # Errors
        ///
        /// Those of [`assign_bytes`](Self::assign_bytes), and [`SliceError::Broadcast`].
        pub fn assign_broadcast_bytes(
            &self,
            size: usize,
            dst: &mut [u8],
            values: &[u8],
            values_shape: &[usize],
        ) -> Result<(), SliceError> {
            self.job().assign_broadcast_bytes(size, dst, values, values_shape)
        }

        /// [`fill`](Self::fill) with the element whose bytes are `value`, whose length is the size
        /// of an element.
        ///
        /// # Errors
        ///
        /// Those of [`assign_bytes`](Self::assign_bytes).
        pub fn fill_bytes(&self, dst: &mut [u8], value: &[u8]) -> Result<(), SliceError> {
            self.job().fill_bytes(dst, value)
        }
    };
}

impl Plan {
    bytes!();
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    bytes!();
}
