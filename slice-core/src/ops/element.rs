//! One element of a slice.

use super::view::Claim;
use crate::error::{Buffer, SliceError};
use crate::plan::{FixedPlan, Plan};

impl Claim<'_> {
    /// The position of the element at `index` in the buffer.
    fn offset_at(&self, index: &[usize]) -> Result<usize, SliceError> {
        let (expected, found) = (self.layout.shape.len(), index.len());
        if expected != found {
            return Err(SliceError::RankMismatch { expected, found });
        }
        let mut offset = self.layout.offset;
        let axes = self.layout.shape.iter().zip(self.layout.strides).zip(index).enumerate();
        for (axis, ((&len, &stride), &at)) in axes {
            if at >= len {
                let index = i64::try_from(at).unwrap_or(i64::MAX);
                return Err(SliceError::IndexOutOfRange { index, axis, len });
            }
            // The sum is a position of the array; on its way there it may wrap.
            offset = offset.wrapping_add((at as isize).wrapping_mul(stride) as usize);
        }
        Ok(offset)
    }

    /// The position of the only element, if `found` is the length of the array.
    fn only(&self, buffer: Buffer, found: usize) -> Result<usize, SliceError> {
        match self.layout.shape.len() {
            0 => self.check(buffer, found).map(|place| place.layout.offset),
            left => Err(SliceError::AxesLeft { left }),
        }
    }
}

impl Plan {
    /// The element that a slice of an index for each axis selects: `x[1, -1]`.
    ///
    /// # Errors
    ///
    /// [`SliceError::AxesLeft`] if the slice leaves axes; [`SliceError::BufferLength`] if `src`
    /// is not the array the plan was made for.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{SliceError, s};
    ///
    /// let x = [1, 2, 3, 4, 5, 6];
    /// assert_eq!(s![1, -1].plan(&[2, 3])?.get(&x)?, &6);
    /// assert_eq!(s![1].plan(&[2, 3])?.get(&x), Err(SliceError::AxesLeft { left: 1 }));
    /// # Ok::<(), SliceError>(())
    /// ```
    #[doc(alias = "item", alias = "index")]
    pub fn get<'a, T>(&self, src: &'a [T]) -> Result<&'a T, SliceError> {
        let at = self.claim().only(Buffer::Source, src.len())?;
        let (expected, found) = (self.input_len(), src.len());
        let wrong = SliceError::BufferLength { buffer: Buffer::Source, expected, found };
        src.get(at).ok_or(wrong)
    }

    /// [`get`](Self::get), for writing: `x[1, -1] = 7`.
    ///
    /// # Errors
    ///
    /// Those of [`get`](Self::get).
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let mut x = [1, 2, 3, 4, 5, 6];
    /// *s![0, -1].plan(&[2, 3])?.get_mut(&mut x)? += 10; // x[0, -1] += 10
    /// assert_eq!(x, [1, 2, 13, 4, 5, 6]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    pub fn get_mut<'a, T>(&self, dst: &'a mut [T]) -> Result<&'a mut T, SliceError> {
        let at = self.claim().only(Buffer::Target, dst.len())?;
        let (expected, found) = (self.input_len(), dst.len());
        let wrong = SliceError::BufferLength { buffer: Buffer::Target, expected, found };
        dst.get_mut(at).ok_or(wrong)
    }

    /// The position in the buffer, in elements, of the element of the result at `index`: one
    /// position for each axis of the result, counted from the front.
    ///
    /// [`inverse`](Plan::inverse) is the other way.
    ///
    /// # Errors
    ///
    /// [`SliceError::RankMismatch`] if `index` does not have one value for each axis of the
    /// result; [`SliceError::IndexOutOfRange`], whose axis is one of the result.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![:, ::-1].plan(&[2, 3])?;
    /// assert_eq!(plan.offset_at(&[1, 0])?, 5); // y = x[:, ::-1]; y[1, 0] is x[1, 2]
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[doc(alias = "ravel_multi_index")]
    pub fn offset_at(&self, index: &[usize]) -> Result<usize, SliceError> {
        self.claim().offset_at(index)
    }
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    /// [`Plan::get`].
    ///
    /// # Errors
    ///
    /// Those of [`Plan::get`].
    pub fn get<'a, T>(&self, src: &'a [T]) -> Result<&'a T, SliceError> {
        let at = self.claim().only(Buffer::Source, src.len())?;
        let (expected, found) = (self.input_len(), src.len());
        let wrong = SliceError::BufferLength { buffer: Buffer::Source, expected, found };
        src.get(at).ok_or(wrong)
    }
}
