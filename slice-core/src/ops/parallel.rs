//! The same operations on rayon's current pool, where there is enough work.

use crate::error::{Buffer, SliceError};
use crate::kernel::{self, How};
use crate::ops::copy::as_uninit;
use crate::ops::job::Job;
use crate::plan::{FixedPlan, Plan};
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ops::AddAssign;

impl Job<'_> {
    fn par_add_assign<T>(&self, dst: &mut [T], values: &[T]) -> Result<(), SliceError>
    where
        T: Copy + AddAssign + Send + Sync,
    {
        self.check_array(Buffer::Target, dst.len())?;
        self.check_result(Buffer::Values, values.len())?;
        // SAFETY: check_array found every position of the view inside `dst`, and the view to have
        // `len` positions, as many as `values` has elements; `dst`, being `&mut`, cannot
        // overlap `values`.
        unsafe { kernel::par_add(self.view, values.as_ptr(), dst.as_mut_ptr()) };
        Ok(())
    }
}

/// The methods that `Plan` and `FixedPlan` share.
macro_rules! parallel_methods {
    () => {
        /// [`copy`](Self::copy) by all threads of rayon's current pool.
        ///
        /// Below 4 MiB of output, in a pool of one thread, and where no pool can be started, the
        /// calling thread does all of it; this holds for all `par_` methods. They ignore
        /// [`kernel::parallel_threshold`], which is for plain methods. The calling thread, in the
        /// pool or not, takes its share, and does all of it while the pool is busy with something
        /// else.
        ///
        /// # Errors
        ///
        /// Those of [`copy`](Self::copy).
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let plan = s![::-1].plan(&[1 << 20])?;
        /// let data: Vec<u32> = (0..1 << 20).collect();
        /// let out = plan.par_copy(&data)?;
        /// assert!(out.iter().eq(data.iter().rev()));
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        pub fn par_copy<T: Copy + Send + Sync>(&self, src: &[T]) -> Result<Vec<T>, SliceError> {
            self.job().copied(src, How::parallel())
        }

        /// [`copy_into`](Self::copy_into) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`copy_into`](Self::copy_into).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        pub fn par_copy_into<T: Copy + Send + Sync>(
            &self,
            src: &[T],
            dst: &mut [T],
        ) -> Result<(), SliceError> {
            // SAFETY: only elements of `src` are written.
            self.job().copy_into(src, unsafe { as_uninit(dst) }, How::parallel())
        }

        /// [`copy_into_uninit`](Self::copy_into_uninit) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`copy_into`](Self::copy_into).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        pub fn par_copy_into_uninit<T: Copy + Send + Sync>(
            &self,
            src: &[T],
            dst: &mut [MaybeUninit<T>],
        ) -> Result<(), SliceError> {
            self.job().copy_into(src, dst, How::parallel())
        }

        /// [`copy_into_vec`](Self::copy_into_vec) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`copy_into_vec`](Self::copy_into_vec).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        pub fn par_copy_into_vec<T: Copy + Send + Sync>(
            &self,
            src: &[T],
            out: &mut Vec<T>,
        ) -> Result<(), SliceError> {
            self.job().copy_into_vec(src, out, How::parallel())
        }

        /// [`assign`](Self::assign) by all threads of rayon's current pool.
        ///
        /// If positions share an element, one thread does everything, so that the last value wins
        /// here too.
        ///
        /// # Errors
        ///
        /// Those of [`assign`](Self::assign).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        pub fn par_assign<T: Copy + Send + Sync>(
            &self,
            dst: &mut [T],
            values: &[T],
        ) -> Result<(), SliceError> {
            self.job().assign(dst, values, How::parallel())
        }

        /// [`fill`](Self::fill) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`fill`](Self::fill).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        pub fn par_fill<T: Copy + Send + Sync>(
            &self,
            dst: &mut [T],
            value: T,
        ) -> Result<(), SliceError> {
            self.job().fill(dst, value, How::parallel())
        }

        /// [`add_assign`](Self::add_assign) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`add_assign`](Self::add_assign).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        pub fn par_add_assign<T>(&self, dst: &mut [T], values: &[T]) -> Result<(), SliceError>
        where
            T: Copy + AddAssign + Send + Sync,
        {
            self.job().par_add_assign(dst, values)
        }

        /// [`grad`](Self::grad) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`grad`](Self::grad).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        pub fn par_grad<T: Copy + Default + Send + Sync>(
            &self,
            dy: &[T],
        ) -> Result<Vec<T>, SliceError> {
            self.job().grad(dy, How::parallel())
        }

        /// [`grad_into`](Self::grad_into) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`grad_into`](Self::grad_into).
        #[cfg_attr(docsrs, doc(cfg(feature = "rayon")))]
        pub fn par_grad_into<T: Copy + Default + Send + Sync>(
            &self,
            dy: &[T],
            dx: &mut [T],
        ) -> Result<(), SliceError> {
            // SAFETY: only elements of `dy` and defaults are written.
            self.job().grad_into(dy, unsafe { as_uninit(dx) }, How::parallel())
        }
    };
}

impl Plan {
    parallel_methods!();
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    parallel_methods!();
}
