//! Writing through a plan: assign, fill, add and gradient. Each method checks the plan against its
//! buffers.

use crate::algebra::repeats;
use crate::error::{Buffer, SliceError};
use crate::kernel::{self, How, Side, Transfer, View};
use crate::ops::copy::{as_uninit, refill};
use crate::ops::job::Job;
use crate::ops::small_calls::{assign_small, one_way, one_way_for_each_rank};
use crate::plan::walk::count;
use crate::plan::{FixedPlan, Plan};
use alloc::vec;
use alloc::vec::Vec;
use core::mem::{MaybeUninit, size_of};
use core::ops::AddAssign;

impl Job<'_> {
    #[inline(never)]
    pub(crate) fn assign<T: Copy>(
        &self,
        dst: &mut [T],
        values: &[T],
        how: How,
    ) -> Result<(), SliceError> {
        if dst.len() == self.input_len && assign_small(self.view, dst, values) {
            return Ok(());
        }
        self.check_array(Buffer::Target, dst.len())?;
        self.check_result(Buffer::Values, values.len())?;
        // SAFETY: check_array found every position of the view inside `dst`, and the view to have
        // `len` positions; `values` has exactly as many elements, and `dst`, being `&mut`,
        // cannot overlap it.
        unsafe {
            let from = (values.as_ptr().cast(), values.len());
            let to = (dst.as_mut_ptr().cast(), dst.len());
            kernel::scatter(self.view, size_of::<T>(), from, to, how);
        }
        Ok(())
    }

    /// The strides that read `found` values of a shape in the order of the view. They give as many
    /// positions as the view has, each of them below `found`.
    #[inline]
    pub(crate) fn check_values(
        &self,
        values_shape: &[usize],
        found: usize,
    ) -> Result<Vec<isize>, SliceError> {
        let View { shape, .. } = self.view;
        let strides = broadcast_from(shape, values_shape, None)?;
        let count = count(values_shape);
        // An empty slice takes any values that broadcast to it, and reads none of them.
        let fits = View { shape, strides: &strides, offset: 0 }.fits(found) == Some(self.len);
        if count != Some(found) || !fits {
            let expected = count.unwrap_or(usize::MAX);
            let buffer = Buffer::BroadcastValues;
            return Err(SliceError::BufferLength { buffer, expected, found });
        }
        Ok(strides)
    }

    #[inline]
    fn assign_broadcast<T: Copy>(
        &self,
        dst: &mut [T],
        values: &[T],
        values_shape: &[usize],
    ) -> Result<(), SliceError> {
        self.check_array(Buffer::Target, dst.len())?;
        let strides = self.check_values(values_shape, values.len())?;
        let source = View { shape: self.view.shape, strides: &strides, offset: 0 };
        // SAFETY: both views have the same shape of `len` positions; every position of this one
        // lies inside `dst` (check_array), every position of the other inside `values`
        // (check_values); `dst`, being `&mut`, cannot overlap `values`.
        unsafe {
            let (from, to) = (values.as_ptr().cast(), dst.as_mut_ptr().cast());
            let (src, dst) =
                (Side::view(from, values.len(), &source), Side::view(to, dst.len(), &self.view));
            let job = Transfer { shape: self.view.shape, elem: size_of::<T>(), src, dst };
            kernel::transfer(&job, How::chosen());
        }
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn fill<T: Copy>(
        &self,
        dst: &mut [T],
        value: T,
        how: How,
    ) -> Result<(), SliceError> {
        self.check_array(Buffer::Target, dst.len())?;
        let one = core::ptr::from_ref(&value).cast();
        // SAFETY: check_array found every position of the view inside `dst`; `one` points at one
        // element.
        unsafe {
            kernel::fill(self.view, size_of::<T>(), one, dst.as_mut_ptr().cast(), dst.len(), how)
        };
        Ok(())
    }

    #[inline]
    fn add_assign<T: Copy + AddAssign>(
        &self,
        dst: &mut [T],
        values: &[T],
    ) -> Result<(), SliceError> {
        self.check_array(Buffer::Target, dst.len())?;
        self.check_result(Buffer::Values, values.len())?;
        // SAFETY: check_array found every position of the view inside `dst`, and the view to have
        // `len` positions, as many as `values` has elements; `dst`, being `&mut`, cannot
        // overlap `values`.
        unsafe { kernel::add(self.view, values.as_ptr(), dst.as_mut_ptr()) };
        Ok(())
    }

    #[inline]
    pub(crate) fn grad_into<T: Copy + Default>(
        &self,
        dy: &[T],
        dx: &mut [MaybeUninit<T>],
        how: How,
    ) -> Result<(), SliceError> {
        self.check_array(Buffer::Destination, dx.len())?;
        self.check_result(Buffer::Gradient, dy.len())?;
        self.check_no_repeats()?;
        let (elem, zero) = (size_of::<T>(), T::default());
        let one = core::ptr::from_ref(&zero).cast();
        let (from, to) = (dy.as_ptr().cast(), dx.as_mut_ptr().cast());
        // SAFETY: `dx` and `dy` were just checked; `dx`, being `&mut`, overlaps neither `dy` nor
        // `zero`, one element.
        unsafe { self.grad_checked(elem, one, from, to, dx.len(), how) };
        Ok(())
    }

    /// Checks that the slice reads no element more than once, so that its gradient is not a sum.
    #[inline]
    pub(crate) fn check_no_repeats(&self) -> Result<(), SliceError> {
        // With as many positions as elements, only the copy initialises the result.
        if (self.strided || self.len == self.input_len)
            && repeats(self.view.shape, self.view.strides)?
        {
            return Err(SliceError::Repeats);
        }
        Ok(())
    }

    /// Writes `zero` to all of `dx`, of elements of `elem` bytes, and `dy` to the view's positions.
    ///
    /// # Safety
    ///
    /// [`check_array`](Self::check_array) has accepted the `dx_len` elements at `dx`, which can be
    /// written, [`check_result`](Self::check_result) those at `dy`, and
    /// [`check_no_repeats`](Self::check_no_repeats) the slice; `zero` is one element. Neither
    /// overlaps `dx`.
    #[inline]
    pub(crate) unsafe fn grad_checked(
        &self,
        elem: usize,
        zero: *const u8,
        dy: *const u8,
        dx: *mut u8,
        dx_len: usize,
        how: How,
    ) {
        // SAFETY: check_array found every position of the view inside `dx`, and the view to have
        // `len` positions, as many as `dy` has elements; `all` is all of `dx`. Without repeats,
        // `dx_len` positions are all of `dx`, too. The rest is the caller's promise. `How` names a
        // set the CPU has.
        unsafe {
            let whole = self.len == dx_len;
            if whole || !kernel::grad(self.view, elem, zero, dy, dx, dx_len, how) {
                if !whole {
                    let all = View { shape: &[dx_len], strides: &[1], offset: 0 };
                    kernel::fill(all, elem, zero, dx, dx_len, how);
                }
                kernel::scatter(self.view, elem, (dy, self.len), (dx, dx_len), how);
            }
        }
    }

    #[inline]
    pub(crate) fn grad<T: Copy + Default>(&self, dy: &[T], how: How) -> Result<Vec<T>, SliceError> {
        self.check_result(Buffer::Gradient, dy.len())?;
        let mut out = Vec::new();
        // SAFETY: grad_into writes all of `dx`.
        unsafe { refill(&mut out, self.input_len, |dx| self.grad_into(dy, dx, how))? };
        Ok(out)
    }
}

/// The strides that read values of one shape in the order of another, by NumPy's broadcasting. The
/// values are C-contiguous, unless their strides are `given`.
///
/// # Source
///
/// NumPy's assignment (recorded answers, `numpy_setitem`): extra leading axes of length 1 are
/// allowed.
#[inline]
pub(crate) fn broadcast_from(
    shape: &[usize],
    values: &[usize],
    given: Option<&[isize]>,
) -> Result<Vec<isize>, SliceError> {
    let mut strides = vec![0isize; shape.len()];
    let mut running = 1usize;
    let mut axes = shape.iter().zip(&mut strides).rev();
    for (i, &n) in values.iter().rev().enumerate() {
        let (slice, stride) = match axes.next() {
            Some((&d, s)) => (d, Some(s)),
            None => (1, None),
        };
        if n != slice && n != 1 {
            return Err(SliceError::broadcast(i.saturating_add(1), values, shape));
        }
        if let (Some(s), true) = (stride, n != 1) {
            // A product only wraps if no buffer is that large, which the caller finds, or if the
            // values are empty, and are never read.
            *s = match given {
                None => running as isize,
                Some(given) => given.iter().rev().nth(i).copied().unwrap_or(0),
            };
        }
        running = running.wrapping_mul(n);
    }
    Ok(strides)
}

/// The methods that `Plan` and `FixedPlan` share.
macro_rules! assigns {
    ($ways:ident) => {
        /// Assigns: `dst[spec] = values`, where `values` has the shape of the slice, in C order.
        ///
        /// If the plan was made with strides by which positions share an element, the last value
        /// wins.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if either buffer's length does not fit the plan; nothing is
        /// written then.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let plan = s![::2].plan(&[5])?;
        /// let mut data = [0, 1, 2, 3, 4];
        /// plan.assign(&mut data, &[7, 8, 9])?;
        /// assert_eq!(data, [7, 1, 8, 3, 9]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[doc(alias = "scatter", alias = "setitem", alias = "slice_scatter")]
        #[cfg_attr(not(debug_assertions), inline(always))]
        pub fn assign<T: Copy>(&self, dst: &mut [T], values: &[T]) -> Result<(), SliceError> {
            $ways!(self, RANK => {
                // Not a closure: some are not inlined, and the plan would have to be in memory.
                if let Some(view) = self.small_view::<RANK>(dst.len())
                    && assign_small(view, dst, values)
                {
                    return Ok(());
                }
                self.with_job(|job| job.assign(dst, values, How::chosen()))
            })
        }

        /// [`assign`](Self::assign) with NumPy's broadcasting: `values` has the shape
        /// `values_shape`, in C order.
        ///
        /// # Errors
        ///
        /// [`SliceError::Broadcast`] if that shape does not broadcast to the slice's (an empty
        /// slice is not an exception, as in NumPy); [`SliceError::BufferLength`].
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let plan = s![..., 1:].plan(&[2, 3])?;
        /// let mut data = [0; 6];
        /// plan.assign_broadcast(&mut data, &[7, 8], &[2, 1])?;
        /// assert_eq!(data, [0, 7, 7, 0, 8, 8]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
        pub fn assign_broadcast<T: Copy>(
            &self,
            dst: &mut [T],
            values: &[T],
            values_shape: &[usize],
        ) -> Result<(), SliceError> {
            self.job().assign_broadcast(dst, values, values_shape)
        }

        /// Fills: `dst[spec] = value`.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if `dst` is not the array the plan was made for.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let plan = s![-1].plan(&[2, 2])?;
        /// let mut data = [1.0, 2.0, 3.0, 4.0];
        /// plan.fill(&mut data, 0.0)?;
        /// assert_eq!(data, [1.0, 2.0, 0.0, 0.0]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
        pub fn fill<T: Copy>(&self, dst: &mut [T], value: T) -> Result<(), SliceError> {
            self.job().fill(dst, value, How::chosen())
        }

        /// Adds: `dst[spec] += values`, where `values` has the shape of the slice, in C order.
        ///
        /// If the plan was made with strides by which positions share an element, every value is
        /// added.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if either buffer's length does not fit the plan; nothing is
        /// written then.
        ///
        /// # Panics
        ///
        /// Panics if the element's `+=` does, as that of integers on overflow in debug builds. Sums
        /// before it stay. Use [`core::num::Wrapping`] for sums that wrap.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let plan = s![::-1].plan(&[3])?;
        /// let mut data = [10, 20, 30];
        /// plan.add_assign(&mut data, &[1, 2, 3])?;
        /// assert_eq!(data, [13, 22, 31]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
        pub fn add_assign<T: Copy + AddAssign>(
            &self,
            dst: &mut [T],
            values: &[T],
        ) -> Result<(), SliceError> {
            self.job().add_assign(dst, values)
        }

        /// The gradient of the slice: an array of the input's length, with `dy` at the elements
        /// that the slice took and `T::default()` elsewhere.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if `dy` does not have [`len()`](Self::len) elements;
        /// [`SliceError::OutOfMemory`]; [`SliceError::Repeats`] if strides make the slice read an
        /// element more than once: its gradient is then a sum, which
        /// [`add_assign`](Self::add_assign) to zeros gives.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let plan = s![1::2].plan(&[5])?;
        /// assert_eq!(plan.grad(&[1.0, 2.0])?, [0.0, 1.0, 0.0, 2.0, 0.0]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        ///
        /// # Source
        ///
        /// TensorFlow's StridedSliceGrad (recorded answers, `tf_grad`).
        #[doc(alias = "backward")]
        #[inline]
        pub fn grad<T: Copy + Default>(&self, dy: &[T]) -> Result<Vec<T>, SliceError> {
            self.job().grad(dy, How::chosen())
        }

        /// [`grad`](Self::grad) into a buffer of [`input_len()`](Self::input_len) elements, all of
        /// which are written.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if either buffer's length does not fit the plan;
        /// [`SliceError::Repeats`] as for [`grad`](Self::grad). Nothing is written then.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let mut dx = [9.0; 5];
        /// s![1::2].plan(&[5])?.grad_into(&[1.0, 2.0], &mut dx)?;
        /// assert_eq!(dx, [0.0, 1.0, 0.0, 2.0, 0.0]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
        pub fn grad_into<T: Copy + Default>(
            &self,
            dy: &[T],
            dx: &mut [T],
        ) -> Result<(), SliceError> {
            // SAFETY: only elements of `dy` and defaults are written.
            self.job().grad_into(dy, unsafe { as_uninit(dx) }, How::chosen())
        }
    };
}

impl Plan {
    assigns!(one_way_for_each_rank);
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    assigns!(one_way);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A job is not trusted: all of a result may only be left to the copy if it writes all of it.
    #[test]
    fn a_gradient_of_shared_places_is_refused_whatever_the_job_says() {
        let view = View { shape: &[2], strides: &[0], offset: 0 };
        for strided in [false, true] {
            let job = Job { view, len: 2, input_len: 2, strided };
            assert_eq!(job.grad(&[1u32, 2], How::chosen()), Err(SliceError::Repeats));
        }
    }
}
