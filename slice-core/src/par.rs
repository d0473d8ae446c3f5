//! The same operations on rayon's current pool, wherever there is enough to do.

use crate::copy::{Job, as_uninit};
use crate::error::{Buffer, SliceError};
use crate::kernel::{self, How, Transfer};
use crate::plan::{FixedPlan, Plan};
use alloc::vec::Vec;
use core::mem::{MaybeUninit, size_of};
use core::ops::AddAssign;

impl Job<'_> {
    /// Slices in the way `how`. `T` need not be `Send`: its bits are moved while the caller waits, nothing of it is called.
    pub(crate) fn spread_into<T: Copy>(
        &self,
        src: &[T],
        dst: &mut [MaybeUninit<T>],
        how: How,
    ) -> Result<(), SliceError> {
        self.check_array(Buffer::Source, src.len())?;
        self.check_result(Buffer::Destination, dst.len())?;
        if self.is_idle(size_of::<T>()) {
            return Ok(());
        }
        let (from, to) = ((src.as_ptr().cast(), src.len()), (dst.as_mut_ptr().cast(), dst.len()));
        // SAFETY: check_array found every position of the view inside `src`, and the view to have `len` positions; `dst` has
        // exactly as many elements and, being `&mut`, does not overlap `src`. Elements are `Copy`, so moving their bytes is
        // moving them.
        unsafe { self.spread(size_of::<T>(), from, to, how) };
        Ok(())
    }

    /// Slices elements of `elem` bytes in the way `how`; `src` and `dst` are places and how many elements they have.
    ///
    /// # Safety
    ///
    /// Every position of the view lies in `src`, which can be read. `dst` can be written, has as many elements as the view has
    /// positions, and does not overlap `src`.
    pub(crate) unsafe fn spread(&self, elem: usize, src: (*const u8, usize), dst: (*mut u8, usize), how: How) {
        let mut strides = alloc::vec![0isize; self.view.shape.len()];
        let mut step = 1isize;
        for (stride, &n) in strides.iter_mut().zip(self.view.shape).rev() {
            *stride = step;
            // The length of the result fits isize.
            step = step.wrapping_mul(n as isize);
        }
        let job = Transfer {
            view: kernel::View { shape: self.view.shape, strides: &strides, offset: 0 },
            elem,
            src: src.0,
            src_len: src.1,
            first: self.view.offset,
            strides: Some(self.view.strides),
            dst: dst.0,
            dst_len: dst.1,
        };
        // SAFETY: the caller's promise; the strides count through `dst`. `How` names a set the CPU has.
        unsafe { kernel::transfer_by(&job, how) };
    }

    fn par_copy_into_vec<T: Copy>(&self, src: &[T], out: &mut Vec<T>) -> Result<(), SliceError> {
        self.check_array(Buffer::Source, src.len())?;
        out.clear();
        kernel::memory::reserve(out, self.len)?;
        let Some(dst) = out.spare_capacity_mut().get_mut(..self.len) else {
            return Err(SliceError::OutOfMemory { bytes: self.len.saturating_mul(size_of::<T>()) });
        };
        self.spread_into(src, dst, How::spread())?;
        // SAFETY: the capacity is at least `len` (the range above was inside it), and spread_into has written all of it.
        unsafe { out.set_len(self.len) };
        Ok(())
    }

    fn par_put<T: Copy>(&self, dst: &mut [T], values: &[T], strides: Option<&[isize]>) -> Result<(), SliceError> {
        self.check_array(Buffer::Target, dst.len())?;
        if strides.is_none() {
            self.check_result(Buffer::Values, values.len())?;
        }
        if self.is_idle(size_of::<T>()) || values.is_empty() {
            return Ok(());
        }
        let job = Transfer {
            view: self.view,
            elem: size_of::<T>(),
            src: values.as_ptr().cast(),
            src_len: values.len(),
            first: 0,
            // Strides that are given are left out altogether: all 0.
            strides: strides.map(|_| &[][..]),
            dst: dst.as_mut_ptr().cast(),
            dst_len: dst.len(),
        };
        // SAFETY: check_array found every position of the view inside `dst`, and the view to have `len` positions; `values` has
        // as many elements, or one that is read for all of them, and `dst`, being `&mut`, cannot overlap it.
        unsafe { kernel::transfer_by(&job, How::spread()) };
        Ok(())
    }

    fn par_add_assign<T>(&self, dst: &mut [T], values: &[T]) -> Result<(), SliceError>
    where
        T: Copy + AddAssign + Send + Sync,
    {
        self.check_array(Buffer::Target, dst.len())?;
        self.check_result(Buffer::Values, values.len())?;
        if self.is_idle(1) {
            return Ok(());
        }
        // SAFETY: check_array found every position of the view inside `dst`, and the view to have `len` positions, as
        // many as `values` has elements; `dst`, being `&mut`, cannot overlap `values`.
        unsafe { kernel::add_spread(self.view, values.as_ptr(), dst.as_mut_ptr()) };
        Ok(())
    }
}

/// The methods that `Plan` and `FixedPlan` share.
macro_rules! spreads {
    () => {
        /// [`copy`](Self::copy) by all threads of rayon's current pool.
        ///
        /// Below 4 MiB of output, and in a pool of one thread, the calling thread does all of it; so it is with all of these
        /// methods. They do not ask [`kernel::parallel_threshold`], which is for the plain ones. The calling thread, in the pool or
        /// not, takes its share, and does all of it while the pool is busy with something else.
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
        pub fn par_copy<T: Copy + Send + Sync>(&self, src: &[T]) -> Result<Vec<T>, SliceError> {
            let mut out = Vec::new();
            self.job().par_copy_into_vec(src, &mut out)?;
            Ok(out)
        }

        /// [`copy_into`](Self::copy_into) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`copy_into`](Self::copy_into).
        pub fn par_copy_into<T: Copy + Send + Sync>(&self, src: &[T], dst: &mut [T]) -> Result<(), SliceError> {
            self.job().spread_into(src, as_uninit(dst), How::spread())
        }

        /// [`copy_into_uninit`](Self::copy_into_uninit) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`copy_into`](Self::copy_into).
        pub fn par_copy_into_uninit<T: Copy + Send + Sync>(
            &self,
            src: &[T],
            dst: &mut [MaybeUninit<T>],
        ) -> Result<(), SliceError> {
            self.job().spread_into(src, dst, How::spread())
        }

        /// [`copy_into_vec`](Self::copy_into_vec) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`copy_into_vec`](Self::copy_into_vec).
        pub fn par_copy_into_vec<T: Copy + Send + Sync>(&self, src: &[T], out: &mut Vec<T>) -> Result<(), SliceError> {
            self.job().par_copy_into_vec(src, out)
        }

        /// [`assign`](Self::assign) by all threads of rayon's current pool.
        ///
        /// Where positions share an element, one thread does it all, so that the last value wins here too.
        ///
        /// # Errors
        ///
        /// Those of [`assign`](Self::assign).
        pub fn par_assign<T: Copy + Send + Sync>(&self, dst: &mut [T], values: &[T]) -> Result<(), SliceError> {
            self.job().par_put(dst, values, None)
        }

        /// [`fill`](Self::fill) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`fill`](Self::fill).
        pub fn par_fill<T: Copy + Send + Sync>(&self, dst: &mut [T], value: T) -> Result<(), SliceError> {
            self.job().par_put(dst, core::slice::from_ref(&value), Some(&[]))
        }

        /// [`add_assign`](Self::add_assign) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`add_assign`](Self::add_assign).
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
        pub fn par_grad<T: Copy + Default + Send + Sync>(&self, dy: &[T]) -> Result<Vec<T>, SliceError> {
            self.job().grad(dy, How::spread())
        }

        /// [`grad_into`](Self::grad_into) by all threads of rayon's current pool.
        ///
        /// # Errors
        ///
        /// Those of [`grad_into`](Self::grad_into).
        pub fn par_grad_into<T: Copy + Default + Send + Sync>(&self, dy: &[T], dx: &mut [T]) -> Result<(), SliceError> {
            self.job().grad_into(dy, as_uninit(dx), How::spread())
        }
    };
}

impl Plan {
    spreads!();
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    spreads!();
}
