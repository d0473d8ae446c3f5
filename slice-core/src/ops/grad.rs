//! The gradient of a slice: zeros, and the upstream gradient where the slice took elements.

use super::copy::Out;
use super::copy::sealed::{Key, Out as _, Written};
use super::view::{Claim, Place, ViewMut};
use crate::algebra::repeats;
use crate::error::{Buffer, SliceError};
use crate::kernel::{self, How, Side, Transfer};
use crate::plan::Plan;
use alloc::vec::Vec;
use core::mem::{MaybeUninit, size_of, size_of_val};
use smallvec::SmallVec;

impl Claim<'_> {
    /// Writes the gradient to all of `dx`.
    #[inline(never)]
    fn grad_to<T: Copy + Default>(
        &self,
        dy: &[T],
        dx: &mut [MaybeUninit<T>],
        how: How,
    ) -> Result<Written, SliceError> {
        let place = self.check(Buffer::Destination, dx.len())?;
        place.check_result(Buffer::Gradient, dy.len())?;
        let kernel::View { shape, strides, .. } = place.layout;
        // With as many positions as elements, only the copy initialises the result.
        if (self.strided || self.len == self.input_len) && repeats(shape, strides)? {
            return Err(SliceError::Repeats);
        }
        let elements = place.buffer;
        let (dx, rest) = dx.split_at_mut(elements.saturating_mul(self.unit).min(dx.len()));
        // A strided array may be longer by a part of an element.
        rest.fill(MaybeUninit::new(T::default()));
        if elements == 0 {
            return Ok(Written(()));
        }
        // The zero of an element of several values is as many zeros.
        let (one, many): (T, SmallVec<[T; 64]>);
        one = T::default();
        let zero = if self.unit == 1 {
            core::ptr::from_ref(&one)
        } else {
            many = SmallVec::from_elem(one, self.unit);
            many.as_ptr()
        };
        // Zeros of bytes are not written element by element if no vector holds a number of these.
        let odd = self.unit != 1 && 16_usize.checked_rem(self.unit) != Some(0);
        let odd = odd && size_of_val(dx) < how.streamed;
        if odd {
            dx.fill(MaybeUninit::new(one));
        }
        let (dy, dx) = (dy.as_ptr().cast(), dx.as_mut_ptr().cast());
        let (src, dst) = (Side::dense(dy, self.len), Side::view(dx, elements, &place.layout));
        let job = Transfer { shape, elem: place.size::<T>(), src, dst };
        // SAFETY: every position of the place lies below the `elements` of `dx` (`Claim::check`),
        // and `dy` has an element for each. `zero` is one element. `dx`, being `&mut`, overlaps
        // neither. If there are as many positions as elements, none repeats.
        unsafe {
            if odd {
                kernel::transfer(&job, how);
            } else {
                kernel::gradient::grad(&job, zero.cast(), how);
            }
        }
        Ok(Written(()))
    }

    /// The gradient, into a result of [`input_len`](Claim::input_len) elements.
    pub(super) fn grad_into<T: Copy + Default>(
        &self,
        dy: &[T],
        dx: impl Out<T>,
    ) -> Result<(), SliceError> {
        let (elements, size) = (self.input_len, self.unit.saturating_mul(size_of::<T>()));
        SliceError::bytes(elements, size)?;
        let len = elements.saturating_mul(self.unit);
        dx.write(Key(()), len, |dx| self.grad_to(dy, dx, How::chosen()))
    }
}

impl<T: Copy + Default> ViewMut<'_, T> {
    /// The gradient of the slice, into all of the buffer: `dy` at the elements that the slice
    /// takes, and zero, which is `T::default()`, everywhere else.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] ([`SliceError::ByteLength`] for bytes) if `dy` does not have
    /// [`len()`](Self::len) elements; [`SliceError::Repeats`] if strides make the slice read an
    /// element more than once: its gradient is then a sum, which adding to zeros gives. Nothing is
    /// written then.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let mut dx = [9.0; 5];
    /// s![1::2].plan(&[5])?.on_mut(&mut dx)?.grad(&[1.0, 2.0])?;
    /// assert_eq!(dx, [0.0, 1.0, 0.0, 2.0, 0.0]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    pub fn grad(&mut self, dy: &[T]) -> Result<(), SliceError> {
        let place = self.place;
        let Place { layout, len, buffer: input_len, unit, .. } = place;
        let claim = Claim { layout, len, input_len, strided: true, unit };
        let found = self.data.len();
        self.data.write(Key(()), found, |dx| claim.grad_to(dy, dx, place.how()))
    }
}

impl Plan {
    /// The gradient of the slice: an array of the input's length, with `dy` at the elements that
    /// the slice took and `T::default()` elsewhere.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if `dy` does not have [`len()`](Self::len) elements;
    /// [`SliceError::OutOfMemory`]; [`SliceError::BytesTooLarge`] if the bytes of the result do not
    /// fit `isize`; [`SliceError::Repeats`] if strides make the slice read an element more than
    /// once: its gradient is then a sum, which [`add_assign`](Self::add_assign) to zeros gives.
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
    pub fn grad<T: Copy + Default>(&self, dy: &[T]) -> Result<Vec<T>, SliceError> {
        let mut dx = Vec::new();
        self.grad_into(dy, &mut dx)?;
        Ok(dx)
    }

    /// [`grad`](Self::grad) into a buffer of [`input_len()`](Self::input_len) elements, or more for
    /// a [strided](Self::is_strided) plan, all of which are written, or into a vector.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if either buffer's length does not fit the plan; those of
    /// [`grad`](Self::grad). Nothing is written then.
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
    pub fn grad_into<T: Copy + Default>(
        &self,
        dy: &[T],
        dx: impl Out<T>,
    ) -> Result<(), SliceError> {
        self.claim().grad_into(dy, dx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A claim is not trusted: all of a result may only be left to the copy if it writes all of it.
    #[test]
    fn a_gradient_of_shared_places_is_refused_whatever_the_claim_says() {
        let layout = kernel::View { shape: &[2], strides: &[0], offset: 0 };
        for strided in [false, true] {
            let claim = Claim { layout, len: 2, input_len: 2, strided, unit: 1 };
            let mut dx = Vec::new();
            assert_eq!(claim.grad_into(&[1u32, 2], &mut dx), Err(SliceError::Repeats));
        }
    }
}
