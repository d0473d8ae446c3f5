//! Copying out of a slice, into a buffer or a vector: [`Out`].

use super::small;
use super::view::{Claim, View};
use crate::error::{Buffer, SliceError};
use crate::kernel::{self, Side, Transfer};
use crate::plan::{FixedPlan, Plan};
use alloc::vec::Vec;
use core::mem::{MaybeUninit, size_of};
use sealed::{Key, Written};

/// Where a result goes: `&mut [T]` or `&mut [MaybeUninit<T>]`, which have just its length, or
/// `&mut Vec<T>`, whose contents are replaced and whose capacity is reused.
///
/// On `Ok`, all of it is initialised. On an error of a length, nothing is written; a vector may be
/// empty then.
#[diagnostic::on_unimplemented(
    message = "a result of elements `{T}` cannot be written to `{Self}`",
    label = "expected `&mut [{T}]`, `&mut Vec<{T}>` or `&mut [MaybeUninit<{T}>]`"
)]
pub trait Out<T>: sealed::Out<T> {}

pub(super) mod sealed {
    use super::{MaybeUninit, SliceError};

    /// Says that all of a slice was initialised. Only what does that makes one.
    #[derive(Debug)]
    pub struct Written(pub(in crate::ops) ());

    /// Only `ops` can make one, so nobody else calls [`Out::room`].
    #[derive(Debug)]
    pub struct Key(pub(in crate::ops) ());

    pub trait Out<T>: Sized {
        /// Room for `len` values, or as much room as there is. Only initialised values are written
        /// to it.
        fn room(&mut self, key: Key, len: usize) -> Result<&mut [MaybeUninit<T>], SliceError>;

        /// The room for `len` values was written.
        fn finish(self, _: Written, _len: usize) {}

        /// Calls `write` with the room.
        fn write(
            mut self,
            key: Key,
            len: usize,
            write: impl FnOnce(&mut [MaybeUninit<T>]) -> Result<Written, SliceError>,
        ) -> Result<(), SliceError> {
            let written = write(self.room(key, len)?)?;
            self.finish(written, len);
            Ok(())
        }
    }
}

macro_rules! outs {
    ($([$($given:tt)*] $of:ty: |$out:ident| $room:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Copy $($given)*> Out<T> for $of {}
        impl<T: Copy $($given)*> sealed::Out<T> for $of {
            #[inline]
            fn room(&mut self, _: Key, _: usize) -> Result<&mut [MaybeUninit<T>], SliceError> {
                let $out = self;
                Ok($room)
            }
        }
    )* };
}
outs! {
    [] &mut [T]: |out| as_uninit(out);
    [, const N: usize] &mut [T; N]: |out| as_uninit(*out);
    [] &mut [MaybeUninit<T>]: |out| out;
    [, const N: usize] &mut [MaybeUninit<T>; N]: |out| *out;
}

impl<T: Copy> Out<T> for &mut Vec<T> {}
impl<T: Copy> sealed::Out<T> for &mut Vec<T> {
    #[inline]
    fn room(&mut self, _: Key, len: usize) -> Result<&mut [MaybeUninit<T>], SliceError> {
        self.clear();
        kernel::memory::reserve(self, len)?;
        let no_room = SliceError::no_room(len, size_of::<T>());
        self.spare_capacity_mut().get_mut(..len).ok_or(no_room)
    }

    #[inline]
    fn finish(self, Written(()): Written, len: usize) {
        // SAFETY: `Written` is made of a room only, which was inside the capacity, and says that
        // all of it is initialised.
        unsafe { self.set_len(len) };
    }
}

/// A slice of values as a slice of values that need not be initialised. Only what calls
/// [`sealed::Out::room`] gets it, and that writes initialised values only.
fn as_uninit<T: Copy>(dst: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: MaybeUninit<T> has T's layout. Only `ops` can call `room`, for it makes the `Key`. It
    // writes elements of another slice, or defaults, so `dst` holds initialised values afterwards.
    // T is Copy, so nothing needed to be dropped.
    unsafe { &mut *(core::ptr::from_mut(dst) as *mut [MaybeUninit<T>]) }
}

impl<T: Copy> View<'_, T> {
    /// The elements of the slice as a new vector, in C order.
    ///
    /// # Errors
    ///
    /// [`SliceError::OutOfMemory`]; [`SliceError::BytesTooLarge`] if the bytes of the result do not
    /// fit `isize`.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![::-2].plan(&[3])?;
    /// assert_eq!(plan.on(&[1, 2, 3])?.to_vec()?, [3, 1]);
    /// assert_eq!(plan.bytes(2).on(b"aabbcc")?.to_vec()?, b"ccaa");
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    pub fn to_vec(&self) -> Result<Vec<T>, SliceError> {
        let mut out = Vec::new();
        self.copy_into(&mut out)?;
        Ok(out)
    }

    /// Copies the elements of the slice, in C order.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if `out` is a slice of another length than
    /// [`len()`](Self::len) ([`SliceError::ByteLength`] for bytes); those of
    /// [`to_vec`](Self::to_vec) for a vector.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![::-2].plan(&[3])?;
    /// let (mut array, mut vector) = ([0; 2], vec![0; 9]);
    /// plan.on(&[1, 2, 3])?.copy_into(&mut array)?;
    /// plan.on(&[1, 2, 3])?.copy_into(&mut vector)?;
    /// assert_eq!((array, vector), ([3, 1], vec![3, 1]));
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    pub fn copy_into(&self, out: impl Out<T>) -> Result<(), SliceError> {
        let values = SliceError::bytes(self.place.len, self.place.unit)?;
        out.write(Key(()), values, |dst| self.gather(dst))
    }

    /// Copies to all of `dst`.
    #[inline(never)]
    pub(super) fn gather(&self, dst: &mut [MaybeUninit<T>]) -> Result<Written, SliceError> {
        self.place.check_result(Buffer::Destination, dst.len())?;
        let View { place, data } = self;
        let src = Side::view(data.as_ptr().cast(), place.buffer, &place.layout);
        let dst = Side::dense(dst.as_mut_ptr().cast(), place.len);
        let job = Transfer { shape: place.layout.shape, elem: place.size::<T>(), src, dst };
        // SAFETY: every position of the place lies below the elements of `data` (`Claim::check`),
        // and it has `len` of them; `dst` has exactly as many elements, and being `&mut` it cannot
        // overlap `data`. Elements are `Copy`, so moving their bytes is moving them.
        unsafe { kernel::transfer(&job, place.how()) };
        Ok(Written(()))
    }
}

impl Claim<'_> {
    /// The elements of the slice as a new vector.
    pub(super) fn copy<T: Copy>(&self, src: &[T]) -> Result<Vec<T>, SliceError> {
        let mut out = small::room(self.len.saturating_mul(self.unit)).unwrap_or_default();
        if !small::to_vec(self, src, &mut out) {
            View::new(self, src)?.copy_into(&mut out)?;
        }
        Ok(out)
    }
}

impl Plan {
    /// Copies the elements of the slice to a new vector, in C order.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if `src` is not the array the plan was made for;
    /// [`SliceError::OutOfMemory`]; [`SliceError::BytesTooLarge`] if the bytes of the result do not
    /// fit `isize`.
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
    #[inline(never)]
    pub fn copy<T: Copy>(&self, src: &[T]) -> Result<Vec<T>, SliceError> {
        self.claim().copy(src)
    }

    /// [`copy`](Self::copy) into a buffer of [`len()`](Self::len) elements, or into a vector.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if either buffer's length does not fit the plan; for a vector,
    /// those of [`copy`](Self::copy).
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
    #[inline(never)]
    pub fn copy_into<T: Copy>(&self, src: &[T], out: impl Out<T>) -> Result<(), SliceError> {
        out.write(Key(()), self.len(), |dst| {
            if small::copy(&self.claim(), src, dst) {
                return Ok(Written(()));
            }
            self.on(src)?.gather(dst)
        })
    }
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    /// [`Plan::copy`], as straight code where the plan is a constant and small. Functions with many
    /// of these take the compiler long: from some fifty on, more than twice as long for twice as
    /// many.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if `src` is not the array the plan was made for;
    /// [`SliceError::OutOfMemory`]; [`SliceError::BytesTooLarge`] if the bytes of the result do not
    /// fit `isize`.
    #[inline]
    pub fn copy<T: Copy>(&self, src: &[T]) -> Result<Vec<T>, SliceError> {
        let mut out = Vec::new();
        self.copy_into(src, &mut out)?;
        Ok(out)
    }

    /// [`Plan::copy_into`], as straight code where the plan is a constant and small, which has its
    /// price in functions with [many of these](Self::copy).
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if either buffer's length does not fit the plan.
    #[inline(always)]
    pub fn copy_into<T: Copy>(&self, src: &[T], mut out: impl Out<T>) -> Result<(), SliceError> {
        // Not by a closure, which would be compiled once for several plans.
        let dst = out.room(Key(()), self.len())?;
        let claim = self.claim();
        let few = src.len() == claim.input_len && kernel::fixed::copy(claim.layout, src, dst);
        let written = if few { Written(()) } else { self.on(src)?.gather(dst)? };
        out.finish(written, self.len());
        Ok(())
    }
}
