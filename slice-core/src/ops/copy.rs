//! Copying a slice: the safe entry points. Each checks the plan against its buffers, then calls a
//! kernel.

use crate::error::{Buffer, SliceError};
use crate::kernel::{self, How};
use crate::ops::job::Job;
use crate::ops::small_calls::{copy_small, one_way, one_way_for_each_rank};
use crate::plan::{FixedPlan, Plan};
use alloc::vec::Vec;
use core::mem::{MaybeUninit, size_of};

impl Job<'_> {
    #[inline(never)]
    pub(crate) fn copy_into<T: Copy>(
        &self,
        src: &[T],
        dst: &mut [MaybeUninit<T>],
        how: How,
    ) -> Result<(), SliceError> {
        if src.len() == self.input_len && copy_small(self.view, src, dst) {
            return Ok(());
        }
        self.check_array(Buffer::Source, src.len())?;
        self.check_result(Buffer::Destination, dst.len())?;
        // SAFETY: it was just checked.
        unsafe { self.copy_checked(src, dst, how) }
        Ok(())
    }

    #[inline(never)]
    fn copy<T: Copy>(&self, src: &[T]) -> Result<Vec<T>, SliceError> {
        // Only ranks that are known at compile time were tried before.
        if src.len() == self.input_len
            && let Some(few) = kernel::small::to_vec(self.view, self.len, src)
        {
            return Ok(few);
        }
        self.copied(src, How::chosen())
    }

    /// The slice as a new vector, by the kernels for more than a few elements.
    pub(crate) fn copied<T: Copy>(&self, src: &[T], how: How) -> Result<Vec<T>, SliceError> {
        self.check_array(Buffer::Source, src.len())?;
        let mut out = Vec::new();
        let write = |dst: &mut [MaybeUninit<T>]| {
            // SAFETY: the array was just checked, and the room has the length of the result.
            unsafe { self.copy_checked(src, dst, how) }
            Ok(())
        };
        // SAFETY: all of the room is written.
        unsafe { refill(&mut out, self.len, write)? };
        Ok(out)
    }

    pub(crate) fn copy_into_vec<T: Copy>(
        &self,
        src: &[T],
        out: &mut Vec<T>,
        how: How,
    ) -> Result<(), SliceError> {
        self.check_array(Buffer::Source, src.len())?;
        let write = |dst: &mut [MaybeUninit<T>]| {
            if !copy_small(self.view, src, dst) {
                // SAFETY: the array was just checked, and the room has the length of the result.
                unsafe { self.copy_checked(src, dst, how) }
            }
            Ok(())
        };
        // SAFETY: all of the room is written.
        unsafe { refill(out, self.len, write) }
    }

    /// Copies from `src` to all of `dst`.
    ///
    /// # Safety
    ///
    /// [`check_array`](Self::check_array) has accepted `src`, and
    /// [`check_result`](Self::check_result) accepts `dst`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn copy_checked<T: Copy>(&self, src: &[T], dst: &mut [MaybeUninit<T>], how: How) {
        let from = (src.as_ptr().cast(), src.len());
        let to = (dst.as_mut_ptr().cast(), dst.len());
        // SAFETY: check_array found every position of the view inside `src`, and the view to have
        // `len` positions; `dst` has exactly as many elements, and being `&mut` it cannot
        // overlap `src`. Elements are `Copy`, so moving their bytes is moving them.
        unsafe { kernel::gather(self.view, size_of::<T>(), from, to, how) };
    }
}

/// Replaces the contents of a vector by `len` elements that `write` makes.
///
/// # Safety
///
/// If `write` returns `Ok`, it has written all of its slice.
pub(crate) unsafe fn refill<T: Copy>(
    out: &mut Vec<T>,
    len: usize,
    write: impl FnOnce(&mut [MaybeUninit<T>]) -> Result<(), SliceError>,
) -> Result<(), SliceError> {
    out.clear();
    kernel::memory::reserve(out, len)?;
    let Some(room) = out.spare_capacity_mut().get_mut(..len) else {
        return Err(SliceError::OutOfMemory { bytes: len.saturating_mul(size_of::<T>()) });
    };
    write(room)?;
    // SAFETY: the capacity is at least `len` (the range above was inside it), and the caller
    // promises that all of it is written.
    unsafe { out.set_len(len) };
    Ok(())
}

/// A slice of elements as a slice of elements that need not be initialised.
///
/// # Safety
///
/// Only initialised elements are written through it.
#[inline]
pub(crate) unsafe fn as_uninit<T: Copy>(dst: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: MaybeUninit<T> has T's layout, and by the caller's promise `dst` holds initialised
    // elements afterwards; T is Copy, so nothing needed to be dropped.
    unsafe { &mut *(core::ptr::from_mut(dst) as *mut [MaybeUninit<T>]) }
}

/// The methods that `Plan` and `FixedPlan` share.
macro_rules! copies {
    ($ways:ident) => {
        /// Copies the elements of the slice to a new vector, in C order.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if `src` is not the array the plan was made for;
        /// [`SliceError::OutOfMemory`].
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let plan = s![:, ::-1].plan(&[2, 3])?;
        /// assert_eq!(plan.copy(&[0, 1, 2, 3, 4, 5])?, [2, 1, 0, 5, 4, 3]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[doc(alias = "gather")]
        #[cfg_attr(not(debug_assertions), inline(always))]
        pub fn copy<T: Copy>(&self, src: &[T]) -> Result<Vec<T>, SliceError> {
            $ways!(self, RANK => {
                if let Some(out) = self.copied_if_small::<RANK, T>(src) {
                    return Ok(out);
                }
                self.with_job(|job| job.copy(src))
            })
        }

        /// [`copy`](Self::copy) into a buffer of [`len()`](Self::len) elements.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if either buffer's length does not fit the plan.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let mut out = [0; 2];
        /// s![::-2].plan(&[4])?.copy_into(&[1, 2, 3, 4], &mut out)?;
        /// assert_eq!(out, [4, 2]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[cfg_attr(not(debug_assertions), inline(always))]
        pub fn copy_into<T: Copy>(&self, src: &[T], dst: &mut [T]) -> Result<(), SliceError> {
            // SAFETY: only elements of `src` are written.
            self.copy_into_uninit(src, unsafe { as_uninit(dst) })
        }

        /// [`copy_into`](Self::copy_into) for memory that is not initialised yet. On `Ok`, all of
        /// it is initialised.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if either buffer's length does not fit the plan.
        ///
        /// # Examples
        ///
        /// ```
        /// let mut out = Vec::with_capacity(2);
        /// let plan = pyslice::s![::-2].plan(&[4])?;
        /// plan.copy_into_uninit(&[1, 2, 3, 4], out.spare_capacity_mut())?;
        /// // SAFETY: on `Ok`, both elements are initialised.
        /// unsafe { out.set_len(2) };
        /// assert_eq!(out, [4, 2]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[cfg_attr(not(debug_assertions), inline(always))]
        pub fn copy_into_uninit<T: Copy>(
            &self,
            src: &[T],
            dst: &mut [MaybeUninit<T>],
        ) -> Result<(), SliceError> {
            $ways!(self, RANK => {
                if self.copy_if_small::<RANK, T>(src, dst) {
                    return Ok(());
                }
                self.with_job(|job| job.copy_into(src, dst, How::chosen()))
            })
        }

        /// [`copy`](Self::copy) into a vector, whose contents are replaced and whose capacity is
        /// reused.
        ///
        /// # Errors
        ///
        /// Those of [`copy`](Self::copy); the vector may then be empty.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let mut out = vec![9; 7];
        /// s![1:].plan(&[3])?.copy_into_vec(&[1, 2, 3], &mut out)?;
        /// assert_eq!(out, [2, 3]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        pub fn copy_into_vec<T: Copy>(
            &self,
            src: &[T],
            out: &mut Vec<T>,
        ) -> Result<(), SliceError> {
            self.job().copy_into_vec(src, out, How::chosen())
        }
    };
}

impl Plan {
    copies!(one_way_for_each_rank);
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    copies!(one_way);
}
