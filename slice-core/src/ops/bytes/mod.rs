//! The operations for tensors whose element type is known only at run time: buffers are bytes, and
//! the size of an element is a number. No alignment is assumed.
//!
//! All checks are those of the typed methods, by [`in_bytes`]; the kernels know only sizes anyway.

mod methods;
#[cfg(feature = "rayon")]
mod par;

use crate::error::{Buffer, SliceError};
use crate::kernel::{self, How, Side, Transfer, View};
use crate::ops::copy::refill;
use crate::ops::job::Job;
use alloc::vec::Vec;
use core::mem::MaybeUninit;

/// The zero of all elements of up to this many bytes: 0 has no bits set in any type of number.
static ZERO: [u8; 64] = [0; 64];

/// `elements * size` bytes, where that fits `isize`.
#[inline]
fn bytes(elements: usize, size: usize) -> Result<usize, SliceError> {
    match elements.checked_mul(size) {
        Some(n) if n <= isize::MAX as usize => Ok(n),
        _ => Err(SliceError::BytesTooLarge { elements, size }),
    }
}

/// Checks a buffer of `found` bytes as one of elements of `size` bytes. Where a check counts
/// elements, the error counts bytes. If `exact`, no bytes may be left over.
#[expect(clippy::arithmetic_side_effects, reason = "a size of 0 is refused")]
#[inline]
fn in_bytes<R>(
    buffer: Buffer,
    size: usize,
    found: usize,
    exact: bool,
    check: impl FnOnce(usize) -> Result<R, SliceError>,
) -> Result<R, SliceError> {
    if size == 0 {
        return Err(SliceError::ZeroElementSize);
    }
    let (elements, over) = (found / size, found % size);
    match check(elements) {
        Ok(_) if exact && over > 0 => {
            Err(SliceError::ByteLength { buffer, expected: found - over, found, size })
        }
        Err(SliceError::BufferLength { buffer, expected, .. }) => {
            Err(SliceError::ByteLength { buffer, expected: bytes(expected, size)?, found, size })
        }
        done => done,
    }
}

impl Job<'_> {
    /// [`check_array`](Job::check_array) for a buffer of `found` bytes that holds elements of
    /// `size` bytes. Returns how many there are.
    #[inline]
    pub(crate) fn check_array_bytes(
        &self,
        buffer: Buffer,
        size: usize,
        found: usize,
    ) -> Result<usize, SliceError> {
        // A strided array may be longer than the plan needs, by bytes too.
        let check = |n| self.check_array(buffer, n).map(|()| n);
        in_bytes(buffer, size, found, !self.strided, check)
    }

    /// [`check_result`](Job::check_result) for a buffer of `found` bytes that holds elements of
    /// `size` bytes.
    #[inline]
    fn check_result_bytes(
        &self,
        buffer: Buffer,
        size: usize,
        found: usize,
    ) -> Result<(), SliceError> {
        in_bytes(buffer, size, found, true, |n| self.check_result(buffer, n))
    }

    #[inline]
    fn copy_bytes(
        &self,
        size: usize,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        how: How,
    ) -> Result<(), SliceError> {
        let count = self.check_array_bytes(Buffer::Source, size, src.len())?;
        self.check_result_bytes(Buffer::Destination, size, dst.len())?;
        let (from, to) = ((src.as_ptr(), count), (dst.as_mut_ptr().cast(), self.len));
        // SAFETY: check_array_bytes found every position of the view below the `count` elements of
        // `src`, and `dst` has room for all of its `len` elements of `size` bytes; being `&mut`,
        // it cannot overlap `src`.
        unsafe { kernel::gather(self.view, size, from, to, how) };
        Ok(())
    }

    #[inline]
    fn copy_bytes_into_vec(
        &self,
        size: usize,
        src: &[u8],
        out: &mut Vec<u8>,
        how: How,
    ) -> Result<(), SliceError> {
        self.check_array_bytes(Buffer::Source, size, src.len())?;
        let len = bytes(self.len, size)?;
        // SAFETY: copy_bytes writes all of `dst`.
        unsafe { refill(out, len, |dst| self.copy_bytes(size, src, dst, how)) }
    }

    #[inline]
    fn assign_bytes(
        &self,
        size: usize,
        dst: &mut [u8],
        values: &[u8],
        how: How,
    ) -> Result<(), SliceError> {
        let count = self.check_array_bytes(Buffer::Target, size, dst.len())?;
        self.check_result_bytes(Buffer::Values, size, values.len())?;
        let (from, to) = ((values.as_ptr(), self.len), (dst.as_mut_ptr(), count));
        // SAFETY: check_array_bytes found every position of the view below the `count` elements of
        // `dst`; `values` has as many elements as the view, and `dst`, being `&mut`, cannot
        // overlap it.
        unsafe { kernel::scatter(self.view, size, from, to, how) };
        Ok(())
    }

    #[inline]
    fn assign_broadcast_bytes(
        &self,
        size: usize,
        dst: &mut [u8],
        values: &[u8],
        values_shape: &[usize],
    ) -> Result<(), SliceError> {
        let room = self.check_array_bytes(Buffer::Target, size, dst.len())?;
        let check = |n| self.check_values(values_shape, n).map(|strides| (strides, n));
        let (strides, count) = in_bytes(Buffer::BroadcastValues, size, values.len(), true, check)?;
        let source = View { shape: self.view.shape, strides: &strides, offset: 0 };
        // SAFETY: both views have the same shape of `len` positions; every position of this one
        // lies inside `dst` (check_array_bytes), every position of the other inside the `count`
        // elements of `values` (check_values); `dst`, being `&mut`, cannot overlap `values`.
        unsafe {
            let src = Side::view(values.as_ptr(), count, &source);
            let dst = Side::view(dst.as_mut_ptr(), room, &self.view);
            let job = Transfer { shape: self.view.shape, elem: size, src, dst };
            kernel::transfer(&job, How::chosen());
        }
        Ok(())
    }

    #[inline]
    fn fill_bytes(&self, dst: &mut [u8], value: &[u8], how: How) -> Result<(), SliceError> {
        let count = self.check_array_bytes(Buffer::Target, value.len(), dst.len())?;
        let (one, to) = (value.as_ptr(), dst.as_mut_ptr());
        // SAFETY: check_array_bytes found every position of the view below the `count` elements of
        // `dst`; `value` is one element, and `dst`, being `&mut`, cannot overlap it.
        unsafe { kernel::fill(self.view, value.len(), one, to, count, how) };
        Ok(())
    }

    #[inline]
    fn grad_bytes(
        &self,
        size: usize,
        dy: &[u8],
        dx: &mut [MaybeUninit<u8>],
        how: How,
    ) -> Result<(), SliceError> {
        let count = self.check_array_bytes(Buffer::Destination, size, dx.len())?;
        self.check_result_bytes(Buffer::Gradient, size, dy.len())?;
        self.check_no_repeats()?;
        let to = dx.as_mut_ptr().cast();
        if let Some(zero) = ZERO.get(..size) {
            // SAFETY: `dx` and `dy` were just checked; `zero` is one element, and `dx`, being
            // `&mut`, overlaps neither.
            unsafe { self.grad_checked(size, zero.as_ptr(), dy.as_ptr(), to, count, how) };
            // A strided array may end within an element.
            let whole = count.saturating_mul(size);
            dx.get_mut(whole..).into_iter().for_each(|over| over.fill(MaybeUninit::new(0)));
            return Ok(());
        }
        dx.fill(MaybeUninit::new(0));
        // SAFETY: check_array_bytes found every position of the view below the `count` elements of
        // `dx`, all of which were just written; `dy` has as many elements as the view, and `dx`,
        // being `&mut`, cannot overlap it.
        unsafe { kernel::scatter(self.view, size, (dy.as_ptr(), self.len), (to, count), how) };
        Ok(())
    }

    #[inline]
    fn grad_bytes_to_vec(&self, size: usize, dy: &[u8], how: How) -> Result<Vec<u8>, SliceError> {
        self.check_result_bytes(Buffer::Gradient, size, dy.len())?;
        let (len, mut out) = (bytes(self.input_len, size)?, Vec::new());
        // SAFETY: grad_bytes writes all of `dx`.
        unsafe { refill(&mut out, len, |dx| self.grad_bytes(size, dy, dx, how))? };
        Ok(out)
    }

    #[inline]
    fn zip_mut_with_bytes<const N: usize>(
        &self,
        dst: &mut [u8],
        values: &[u8],
        f: impl FnMut(&mut [u8; N], &[u8; N]),
    ) -> Result<(), SliceError> {
        self.check_array_bytes(Buffer::Target, N, dst.len())?;
        self.check_result_bytes(Buffer::Values, N, values.len())?;
        self.zip_mut_with(dst.as_chunks_mut().0, values.as_chunks().0, f)
    }
}
