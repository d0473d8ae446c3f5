//! Elements whose type is known only at run time: a buffer is bytes, and the size of an element is
//! a number. No alignment is assumed.

use super::copy::Out;
use super::view::{Claim, View, ViewMut};
use crate::error::SliceError;
use crate::plan::Plan;
use alloc::vec::Vec;

/// A plan over a buffer of bytes, of elements whose size is known only at run time. [`Plan::bytes`]
/// makes it.
///
/// Sums need the type of the elements. Where it is known, `as_chunks` makes elements of the bytes:
/// `plan.on_mut(bytes.as_chunks_mut::<4>().0)?.zip(..)`.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'p> {
    plan: &'p Plan,
    size: usize,
}

impl Plan {
    /// The same plan for bytes: an element is `size` of them. No alignment is assumed.
    ///
    /// Its [`View`] and [`ViewMut`] have the same methods, but values are bytes: `assign` takes the
    /// bytes of as many elements, and [`Shaped`](crate::Shaped) counts elements in its shape.
    /// `zip`, `for_each` and `iter` visit each byte.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{Shaped, s};
    ///
    /// let mut x = *b"aabbcc"; // three elements of 2 bytes
    /// let plan = s![::-2].plan(&[3])?;
    /// assert_eq!(plan.bytes(2).on(&x)?.to_vec()?, b"ccaa");
    /// plan.bytes(2).on_mut(&mut x)?.assign(b"1122")?; // x[::-2] = ["11", "22"]
    /// assert_eq!(&x, b"22bb11");
    /// plan.bytes(2).on_mut(&mut x)?.assign(Shaped(b"00", &[]))?; // x[::-2] = "00"
    /// assert_eq!(&x, b"00bb00");
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn bytes(&self, size: usize) -> Bytes<'_> {
        Bytes { plan: self, size }
    }
}

impl<'p> Bytes<'p> {
    #[inline]
    fn claim(&self) -> Claim<'p> {
        Claim { unit: self.size, ..self.plan.claim() }
    }

    /// [`Plan::on`] for bytes.
    ///
    /// # Errors
    ///
    /// [`SliceError::ByteLength`] if `src` is not the array that the plan was made for;
    /// [`SliceError::ZeroElementSize`].
    #[inline]
    pub fn on<'a>(&self, src: &'a [u8]) -> Result<View<'a, u8>, SliceError>
    where
        'p: 'a,
    {
        View::new(&self.claim(), src)
    }

    /// [`Plan::on_mut`] for bytes.
    ///
    /// # Errors
    ///
    /// Those of [`on`](Self::on).
    #[inline]
    pub fn on_mut<'a>(&self, dst: &'a mut [u8]) -> Result<ViewMut<'a, u8>, SliceError>
    where
        'p: 'a,
    {
        ViewMut::new(&self.claim(), dst)
    }

    /// [`Plan::grad`] for bytes. All bits of an element's zero are 0, as those of integers, floats
    /// and complex numbers are.
    ///
    /// # Errors
    ///
    /// [`SliceError::ByteLength`] if `dy` does not have as many elements as the slice;
    /// [`SliceError::ZeroElementSize`]; [`SliceError::BytesTooLarge`]; [`SliceError::Repeats`] and
    /// [`SliceError::OutOfMemory`] as for [`Plan::grad`].
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![::-2].plan(&[3])?;
    /// assert_eq!(plan.bytes(2).grad(&[1, 2, 3, 4])?, [3, 4, 0, 0, 1, 2]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn grad(&self, dy: &[u8]) -> Result<Vec<u8>, SliceError> {
        let mut dx = Vec::new();
        self.grad_into(dy, &mut dx)?;
        Ok(dx)
    }

    /// [`Plan::grad_into`] for bytes.
    ///
    /// # Errors
    ///
    /// Those of [`grad`](Self::grad), and [`SliceError::ByteLength`] if `dx` is not the array that
    /// the plan was made for.
    #[inline]
    pub fn grad_into(&self, dy: &[u8], dx: impl Out<u8>) -> Result<(), SliceError> {
        self.claim().grad_into(dy, dx)
    }

    /// [`Plan::move_within`] for bytes.
    ///
    /// # Errors
    ///
    /// Those of [`Plan::move_within`], with [`SliceError::ByteLength`] for the buffer, and
    /// [`SliceError::ZeroElementSize`].
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let mut data = *b"aabbcc";
    /// // x[:] = x[::-1]
    /// s![::-1].plan(&[3])?.bytes(2).move_within(&s![:].plan(&[3])?, &mut data)?;
    /// assert_eq!(&data, b"ccbbaa");
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn move_within(&self, to: &Plan, data: &mut [u8]) -> Result<(), SliceError> {
        self.plan.check_same_buffer(to)?;
        super::within::move_within(&self.claim(), &to.bytes(self.size).claim(), data)
    }
}
