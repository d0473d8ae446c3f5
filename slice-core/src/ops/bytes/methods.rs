//! The methods over bytes that `Plan` and `FixedPlan` share.

use crate::error::SliceError;
use crate::kernel::How;
use crate::ops::copy::as_uninit;
use crate::plan::{FixedPlan, Plan};
use alloc::vec::Vec;
use core::mem::MaybeUninit;

macro_rules! bytes {
    () => {
        /// [`copy_into`](Self::copy_into) for a tensor whose element type is known only at run
        /// time: `size` is the size of one element in bytes, and both buffers are bytes. No
        /// alignment is assumed.
        ///
        /// # Errors
        ///
        /// [`SliceError::ByteLength`], [`SliceError::ZeroElementSize`], or
        /// [`SliceError::BytesTooLarge`]; nothing is written then.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let plan = s![::-2].plan(&[3])?;
        /// let mut out = [0; 4];
        /// plan.copy_bytes(2, b"aabbcc", &mut out)?;
        /// assert_eq!(&out, b"ccaa");
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
        pub fn copy_bytes(
            &self,
            size: usize,
            src: &[u8],
            dst: &mut [u8],
        ) -> Result<(), SliceError> {
            // SAFETY: only bytes of `src` are written.
            self.job().copy_bytes(size, src, unsafe { as_uninit(dst) }, How::chosen())
        }

        /// [`copy_bytes`](Self::copy_bytes) into memory that is not initialised yet. On `Ok`, all
        /// of it is initialised.
        ///
        /// # Errors
        ///
        /// Those of [`copy_bytes`](Self::copy_bytes).
        #[inline]
        pub fn copy_bytes_uninit(
            &self,
            size: usize,
            src: &[u8],
            dst: &mut [MaybeUninit<u8>],
        ) -> Result<(), SliceError> {
            self.job().copy_bytes(size, src, dst, How::chosen())
        }

        /// [`copy`](Self::copy) for elements of `size` bytes: the bytes of the result as a new
        /// vector.
        ///
        /// # Errors
        ///
        /// Those of [`copy_bytes`](Self::copy_bytes), and [`SliceError::OutOfMemory`].
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let plan = s![1:].plan(&[3])?;
        /// assert_eq!(plan.copy_bytes_to_vec(2, b"aabbcc")?, b"bbcc");
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
        pub fn copy_bytes_to_vec(&self, size: usize, src: &[u8]) -> Result<Vec<u8>, SliceError> {
            let mut out = Vec::new();
            self.job().copy_bytes_into_vec(size, src, &mut out, How::chosen())?;
            Ok(out)
        }

        /// [`copy_bytes`](Self::copy_bytes) into a vector, whose contents are replaced and whose
        /// capacity is reused.
        ///
        /// # Errors
        ///
        /// Those of [`copy_bytes`](Self::copy_bytes), and [`SliceError::OutOfMemory`]; the vector
        /// may then be empty.
        #[inline]
        pub fn copy_bytes_into_vec(
            &self,
            size: usize,
            src: &[u8],
            out: &mut Vec<u8>,
        ) -> Result<(), SliceError> {
            self.job().copy_bytes_into_vec(size, src, out, How::chosen())
        }

        /// [`assign`](Self::assign) for elements of `size` bytes; both buffers are bytes.
        ///
        /// # Errors
        ///
        /// Those of [`copy_bytes`](Self::copy_bytes).
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
        #[inline]
        pub fn assign_bytes(
            &self,
            size: usize,
            dst: &mut [u8],
            values: &[u8],
        ) -> Result<(), SliceError> {
            self.job().assign_bytes(size, dst, values, How::chosen())
        }

        /// [`assign_broadcast`](Self::assign_broadcast) for elements of `size` bytes; both buffers
        /// are bytes.
        ///
        /// # Errors
        ///
        /// Those of [`copy_bytes`](Self::copy_bytes), and [`SliceError::Broadcast`].
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let mut data = *b"aabbccdd"; // 2 by 2 elements of 2 bytes
        /// s![:].plan(&[2, 2])?.assign_broadcast_bytes(2, &mut data, b"1122", &[2])?;
        /// assert_eq!(&data, b"11221122");
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
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
        /// Those of [`copy_bytes`](Self::copy_bytes).
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let mut data = *b"aabbcc";
        /// s![1:].plan(&[3])?.fill_bytes(&mut data, b"00")?;
        /// assert_eq!(&data, b"aa0000");
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
        pub fn fill_bytes(&self, dst: &mut [u8], value: &[u8]) -> Result<(), SliceError> {
            self.job().fill_bytes(dst, value, How::chosen())
        }

        /// [`grad_into`](Self::grad_into) for elements of `size` bytes, whose zero has no bits set,
        /// as that of all integers, floats and complex numbers; both buffers are bytes.
        ///
        /// # Errors
        ///
        /// Those of [`copy_bytes`](Self::copy_bytes), and [`SliceError::Repeats`], as for
        /// [`grad`](Self::grad).
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let plan = s![::-2].plan(&[3])?;
        /// let mut dx = [9; 6];
        /// plan.grad_bytes(2, &[1, 2, 3, 4], &mut dx)?;
        /// assert_eq!(dx, [3, 4, 0, 0, 1, 2]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
        pub fn grad_bytes(&self, size: usize, dy: &[u8], dx: &mut [u8]) -> Result<(), SliceError> {
            // SAFETY: only bytes of `dy` and zeros are written.
            self.job().grad_bytes(size, dy, unsafe { as_uninit(dx) }, How::chosen())
        }

        /// [`grad_bytes`](Self::grad_bytes) into memory that is not initialised yet. On `Ok`, all
        /// of it is initialised.
        ///
        /// # Errors
        ///
        /// Those of [`grad_bytes`](Self::grad_bytes).
        #[inline]
        pub fn grad_bytes_uninit(
            &self,
            size: usize,
            dy: &[u8],
            dx: &mut [MaybeUninit<u8>],
        ) -> Result<(), SliceError> {
            self.job().grad_bytes(size, dy, dx, How::chosen())
        }

        /// [`grad_bytes`](Self::grad_bytes) as a new vector.
        ///
        /// # Errors
        ///
        /// Those of [`grad_bytes`](Self::grad_bytes), and [`SliceError::OutOfMemory`].
        #[inline]
        pub fn grad_bytes_to_vec(&self, size: usize, dy: &[u8]) -> Result<Vec<u8>, SliceError> {
            self.job().grad_bytes_to_vec(size, dy, How::chosen())
        }

        /// [`zip_mut_with`](Self::zip_mut_with) for elements of `N` bytes; both buffers are bytes.
        ///
        /// A sum needs the type of the elements, which their size does not tell, and tensors have
        /// types that Rust does not have (`bf16`, numbers in the other byte order). So the
        /// operation is a closure, which reads and writes elements as bytes. It runs as fast as on
        /// aligned elements.
        ///
        /// # Errors
        ///
        /// Those of [`copy_bytes`](Self::copy_bytes).
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::{Plan, SliceError, s};
        ///
        /// enum DType { F32, U16BigEndian }
        ///
        /// /// `dst[spec] += y`
        /// fn add(plan: &Plan, dtype: DType, dst: &mut [u8], y: &[u8]) -> Result<(), SliceError> {
        ///     match dtype {
        ///         DType::F32 => plan.zip_mut_with_bytes(dst, y, |a, &b| {
        ///             *a = (f32::from_ne_bytes(*a) + f32::from_ne_bytes(b)).to_ne_bytes();
        ///         }),
        ///         DType::U16BigEndian => plan.zip_mut_with_bytes(dst, y, |a, &b| {
        ///             *a = (u16::from_be_bytes(*a) + u16::from_be_bytes(b)).to_be_bytes();
        ///         }),
        ///     }
        /// }
        ///
        /// let mut data = [0, 1, 0, 255, 0, 3];
        /// add(&s![:0:-1].plan(&[3])?, DType::U16BigEndian, &mut data, &[0, 10, 0, 20])?;
        /// assert_eq!(data, [0, 1, 1, 19, 0, 13]);
        /// # let mut floats = 1.5_f32.to_ne_bytes();
        /// # add(&s![..., None].plan(&[])?, DType::F32, &mut floats, &2_f32.to_ne_bytes())?;
        /// # assert_eq!(f32::from_ne_bytes(floats), 3.5);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[inline]
        pub fn zip_mut_with_bytes<const N: usize>(
            &self,
            dst: &mut [u8],
            values: &[u8],
            f: impl FnMut(&mut [u8; N], &[u8; N]),
        ) -> Result<(), SliceError> {
            self.job().zip_mut_with_bytes(dst, values, f)
        }
    };
}

impl Plan {
    bytes!();
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    bytes!();
}
