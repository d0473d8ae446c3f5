//! The operations over bytes on rayon's current pool, where there is enough work.

use crate::error::SliceError;
use crate::kernel::How;
use crate::ops::copy::as_uninit;
use crate::plan::{FixedPlan, Plan};
use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// The methods that `Plan` and `FixedPlan` share: each does what the one without `par_` does.
macro_rules! parallel_bytes {
    () => {
        /// [`copy_bytes`](Self::copy_bytes) by all threads of rayon's current pool, where
        /// [`par_copy`](Self::par_copy) uses them.
        ///
        /// # Errors
        ///
        /// Those of [`copy_bytes`](Self::copy_bytes).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        #[inline]
        pub fn par_copy_bytes(
            &self,
            size: usize,
            src: &[u8],
            dst: &mut [u8],
        ) -> Result<(), SliceError> {
            // SAFETY: only bytes of `src` are written.
            self.job().copy_bytes(size, src, unsafe { as_uninit(dst) }, How::parallel())
        }

        /// [`copy_bytes_uninit`](Self::copy_bytes_uninit) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`copy_bytes`](Self::copy_bytes).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        #[inline]
        pub fn par_copy_bytes_uninit(
            &self,
            size: usize,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
        ) -> Result<(), SliceError> {
            self.job().copy_bytes(size, src, dst, How::parallel())
        }

        /// [`copy_bytes_to_vec`](Self::copy_bytes_to_vec) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`copy_bytes_to_vec`](Self::copy_bytes_to_vec).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        #[inline]
        pub fn par_copy_bytes_to_vec(
            &self,
            size: usize,
            src: &[u8],
        ) -> Result<Vec<u8>, SliceError> {
            let mut out = Vec::new();
            self.job().copy_bytes_into_vec(size, src, &mut out, How::parallel())?;
            Ok(out)
        }

        /// [`copy_bytes_into_vec`](Self::copy_bytes_into_vec) by all threads of rayon's current
        /// pool.
        ///
        /// # Errors
        ///
        /// Those of [`copy_bytes_into_vec`](Self::copy_bytes_into_vec).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        #[inline]
        pub fn par_copy_bytes_into_vec(
            &self,
            size: usize,
            src: &[u8],
            out: &mut Vec<u8>,
        ) -> Result<(), SliceError> {
            self.job().copy_bytes_into_vec(size, src, out, How::parallel())
        }

        /// [`assign_bytes`](Self::assign_bytes) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`assign_bytes`](Self::assign_bytes).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        #[inline]
        pub fn par_assign_bytes(
            &self,
            size: usize,
            dst: &mut [u8],
            values: &[u8],
        ) -> Result<(), SliceError> {
            self.job().assign_bytes(size, dst, values, How::parallel())
        }

        /// [`fill_bytes`](Self::fill_bytes) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`fill_bytes`](Self::fill_bytes).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        #[inline]
        pub fn par_fill_bytes(&self, dst: &mut [u8], value: &[u8]) -> Result<(), SliceError> {
            self.job().fill_bytes(dst, value, How::parallel())
        }

        /// [`grad_bytes`](Self::grad_bytes) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`grad_bytes`](Self::grad_bytes).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        #[inline]
        pub fn par_grad_bytes(
            &self,
            size: usize,
            dy: &[u8],
            dx: &mut [u8],
        ) -> Result<(), SliceError> {
            // SAFETY: only bytes of `dy` and zeros are written.
            self.job().grad_bytes(size, dy, unsafe { as_uninit(dx) }, How::parallel())
        }

        /// [`grad_bytes_uninit`](Self::grad_bytes_uninit) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`grad_bytes`](Self::grad_bytes).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        #[inline]
        pub fn par_grad_bytes_uninit(
            &self,
            size: usize,
            dy: &[u8],
            dx: &mut [MaybeUninit<u8>],
        ) -> Result<(), SliceError> {
            self.job().grad_bytes(size, dy, dx, How::parallel())
        }

        /// [`grad_bytes_to_vec`](Self::grad_bytes_to_vec) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`grad_bytes_to_vec`](Self::grad_bytes_to_vec).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        #[inline]
        pub fn par_grad_bytes_to_vec(&self, size: usize, dy: &[u8]) -> Result<Vec<u8>, SliceError> {
            self.job().grad_bytes_to_vec(size, dy, How::parallel())
        }
    };
}

impl Plan {
    parallel_bytes!();
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    parallel_bytes!();
}
