//! Finds the place in the result of an element of the input.

use super::bounded_sum::{Sum, Work, candidates};
use crate::error::SliceError;
use crate::plan::Plan;
use alloc::vec;
use alloc::vec::Vec;

/// A place in the input of a plan: an index, which is one position for each axis, counted from the
/// front (`&[1, 5]`), or the offset of an element in the buffer (`11`).
pub trait Position: sealed::Sealed {}

/// A [`Position`], in either form.
#[derive(Clone, Copy, Debug)]
pub enum At<'i> {
    Index(&'i [usize]),
    Offset(usize),
}

mod sealed {
    pub trait Sealed {
        fn at(&self) -> super::At<'_>;
    }
}

macro_rules! positions {
    ($([$($given:tt)*] $of:ty: $at:ident => $form:expr;)*) => { $(
        impl<$($given)*> Position for $of {}
        impl<$($given)*> sealed::Sealed for $of {
            fn at(&self) -> At<'_> {
                let $at = self;
                $form
            }
        }
    )* };
}
positions! {
    [] usize: offset => At::Offset(*offset);
    [] &[usize]: index => At::Index(index);
    [const N: usize] &[usize; N]: index => At::Index(*index);
    [] &Vec<usize>: index => At::Index(index);
}

impl Plan {
    /// Whether the slice takes the element of the input at an index, or at an offset.
    ///
    /// No slice takes a position outside the input.
    ///
    /// # Errors
    ///
    /// For an index, [`SliceError::RankMismatch`] if it does not have one value for each axis of
    /// the input, and [`SliceError::NeedsContiguous`] for a plan made with strides, which takes an
    /// offset. For an offset, [`SliceError::WorkLimit`], as for [`overlaps`](Plan::overlaps).
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![1, ::-2].plan(&[3, 6])?;
    /// assert!(plan.contains(&[1, 5])? && !plan.contains(&[1, 4])? && !plan.contains(&[0, 5])?);
    /// assert!(plan.contains(11)? && !plan.contains(10)?);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn contains(&self, at: impl Position) -> Result<bool, SliceError> {
        Ok(self.inverse(at)?.is_some())
    }

    /// The place in the result of the element of the input at an index, or at an offset; `None` if
    /// the slice does not take it.
    ///
    /// If strides make several places share the element, it is the first of them in C order.
    ///
    /// # Errors
    ///
    /// Those of [`contains`](Plan::contains).
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![1, None, ::-2].plan(&[3, 6])?;
    /// assert_eq!(plan.shape(), [1, 3]);
    /// assert_eq!(plan.inverse(&[1, 5])?, Some(vec![0, 0]));
    /// assert_eq!(plan.inverse(&[1, 1])?, Some(vec![0, 2]));
    /// assert_eq!(plan.inverse(&[1, 2])?, None);
    ///
    /// // Windows of length 3 over a row of 5. The first that has element 2 is window 0.
    /// let windows = s![...].plan_strided(&[3, 3], &[1, 1])?;
    /// assert_eq!(windows.inverse(2)?, Some(vec![0, 2]));
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn inverse(&self, at: impl Position) -> Result<Option<Vec<usize>>, SliceError> {
        match at.at() {
            At::Index(index) => self.inverse_index(index),
            At::Offset(offset) => self.inverse_offset(offset),
        }
    }

    #[inline]
    fn inverse_index(&self, index: &[usize]) -> Result<Option<Vec<usize>>, SliceError> {
        let (expected, found) = (self.input_shape().len(), index.len());
        if expected != found {
            return Err(SliceError::RankMismatch { expected, found });
        }
        let Some(parts) = self.parts("an index of the input")? else { return Ok(None) };
        let mut place = vec![0; self.shape().len()];
        for (part, &at) in parts.iter().zip(index) {
            if at >= part.axis_len {
                return Ok(None);
            }
            let Some(i) = part.find(at) else { return Ok(None) };
            if let Some(slot) = part.out.and_then(|a| place.get_mut(a)) {
                *slot = i;
            }
        }
        Ok(Some(place))
    }

    #[expect(
        clippy::arithmetic_side_effects,
        reason = "all are positions of one buffer, or differences of two, in i128"
    )]
    #[inline]
    fn inverse_offset(&self, offset: usize) -> Result<Option<Vec<usize>>, SliceError> {
        if self.is_empty() {
            return Ok(None);
        }
        // rests[a]: what the axes after axis a can add up to.
        let mut rests = Vec::with_capacity(self.shape().len());
        let mut rest = Sum::default();
        for axis in self.axes().rev() {
            rests.push(rest.clone());
            rest.add(axis.stride, axis.len);
        }
        let (mut left, work) = (offset as i128 - self.offset() as i128, Work::new());
        if !rest.hits(left, &work)? {
            return Ok(None);
        }
        let mut place = Vec::with_capacity(rests.len());
        for (axis, rest) in self.axes().zip(rests.iter().rev()) {
            let mut at = 0;
            if axis.stride != 0 && axis.len > 1 {
                let (coef, top) = (axis.stride as i128, axis.len as i128 - 1);
                for z in candidates(coef, top, left, rest.range(), rest.gcd()) {
                    work.step()?;
                    if rest.hits(left - coef * z, &work)? {
                        at = z;
                        break;
                    }
                }
                left -= coef * at;
            }
            place.push(at as usize);
        }
        Ok(Some(place))
    }
}
