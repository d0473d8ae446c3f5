//! Writing into a slice: `x[spec] = values`.

use super::small;
use super::values::{Reading, Source, Values};
use super::view::{Claim, ViewMut};
use crate::error::SliceError;
use crate::kernel::fixed::put;
use crate::kernel::small::{FILL, SCATTER};
use crate::kernel::{self, Side, Transfer};
use crate::loops::Steps;
use crate::plan::{FixedPlan, Plan};
use core::slice::from_ref;
use smallvec::SmallVec;

/// Bytes of a row up to which it is filled as it is: choosing a kernel takes longer.
const ROW: usize = 1 << 10;

impl<T: Copy> ViewMut<'_, T> {
    /// Assigns: `x[spec] = values`, where `values` is one element, a slice of as many elements in C
    /// order, [`Shaped`](crate::Shaped) values or a [`View`](crate::View), which broadcast.
    ///
    /// If the plan's strides make positions share an element, the last value wins.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] ([`SliceError::ByteLength`] for bytes) if the number of values
    /// does not fit; [`SliceError::Broadcast`] if their shape does not (an empty slice is not an
    /// exception, as in NumPy); [`SliceError::ElementSizes`] if the elements of a view have another
    /// size. Nothing is written then.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{Shaped, s};
    ///
    /// let plan = s![..., 1:].plan(&[2, 3])?;
    /// let mut x = [0; 6];
    /// plan.on_mut(&mut x)?.assign(Shaped(&[7, 8], &[2, 1]))?;
    /// assert_eq!(x, [0, 7, 7, 0, 8, 8]);
    ///
    /// let mut bytes = *b"aabbcc"; // three elements of 2 bytes
    /// s![::-2].plan(&[3])?.bytes(2).on_mut(&mut bytes)?.assign(b"1122")?;
    /// assert_eq!(&bytes, b"22bb11");
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// NumPy's assignment (recorded answers, `numpy_setitem`).
    pub fn assign(&mut self, values: impl Values<T>) -> Result<(), SliceError> {
        self.put(values.source())
    }

    /// Fills: `x[spec] = value`, as [`assign`](Self::assign) does with one element.
    ///
    /// # Errors
    ///
    /// [`SliceError::ByteLength`] for elements that are several bytes: assign `Shaped(&element, &[])`
    /// to these. Nothing is written then.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{Shaped, s};
    ///
    /// let mut x = [1, 2, 3];
    /// s![:2].plan(&[3])?.on_mut(&mut x)?.fill(0)?;
    /// assert_eq!(x, [0, 0, 3]);
    ///
    /// let mut bytes = *b"aabbcc";
    /// s![1:].plan(&[3])?.bytes(2).on_mut(&mut bytes)?.assign(Shaped(b"12", &[]))?;
    /// assert_eq!(&bytes, b"aa1212");
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    pub fn fill(&mut self, value: T) -> Result<(), SliceError> {
        self.put(Source::One(&value))
    }

    #[inline(never)]
    pub(super) fn put(&mut self, values: Source<'_, T>) -> Result<(), SliceError> {
        let (mut room, place) = (SmallVec::new(), &self.place);
        let Reading { data, len, offset, steps } = place.reading(values, &mut room)?;
        let strides = match steps {
            Steps::Dense => None,
            Steps::Still => Some(&[][..]),
            Steps::Given(strides) => Some(strides),
        };
        let src = Side { start: data.as_ptr().cast(), len, offset, strides, whole: true };
        let dst = Side::view(self.data.as_mut_ptr().cast(), place.buffer, &place.layout);
        let job = Transfer { shape: place.layout.shape, elem: place.size::<T>(), src, dst };
        // SAFETY: every position of the place lies below the elements of `self.data`
        // (`Claim::check`), and the values have one for each of them, inside `data`
        // (`Place::reading`). `self.data`, being `&mut`, cannot overlap `data`. Elements are `Copy`.
        unsafe { kernel::transfer(&job, place.how()) };
        Ok(())
    }
}

impl Claim<'_> {
    /// Assigns values to the slice.
    #[inline(never)]
    pub(super) fn assign<T: Copy>(
        &self,
        dst: &mut [T],
        values: Source<'_, T>,
    ) -> Result<(), SliceError> {
        if let Source::One(value) = values
            && let Some(row) = self.run(dst.len()).and_then(|run| dst.get_mut(run))
            && size_of_val(row) <= ROW
        {
            row.fill(*value);
            return Ok(());
        }
        if small::put(self, dst, &values) {
            return Ok(());
        }
        ViewMut::new(self, dst)?.put(values)
    }
}

impl Plan {
    /// Assigns: `dst[spec] = values`, where `values` is one element, a slice of as many elements in
    /// C order, [`Shaped`](crate::Shaped) values or a [`View`](crate::View), which broadcast.
    ///
    /// If the plan was made with strides by which positions share an element, the last value wins.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if either buffer's length does not fit the plan;
    /// [`SliceError::Broadcast`] if the shape of the values does not. Nothing is written then.
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
    #[inline(never)]
    pub fn assign<T: Copy>(&self, dst: &mut [T], values: impl Values<T>) -> Result<(), SliceError> {
        self.claim().assign(dst, values.source())
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
    pub fn fill<T: Copy>(&self, dst: &mut [T], value: T) -> Result<(), SliceError> {
        self.claim().assign(dst, Source::One(&value))
    }
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    /// [`Plan::assign`], as straight code where the plan is a constant and small, which has its
    /// price in functions with [many of these](Self::copy).
    ///
    /// # Errors
    ///
    /// Those of [`Plan::assign`].
    #[inline(always)]
    pub fn assign<T: Copy>(&self, dst: &mut [T], values: impl Values<T>) -> Result<(), SliceError> {
        let claim @ Claim { layout, len, input_len, .. } = self.claim();
        let done = dst.len() == input_len
            && match values.source() {
                Source::All(values) => put::<T, SCATTER>(layout, values, len, dst),
                Source::One(value) => put::<T, FILL>(layout, from_ref(value), len, dst),
                _ => false,
            };
        if done { Ok(()) } else { claim.assign(dst, values.source()) }
    }

    /// [`Plan::fill`], as [`assign`](Self::assign) does it.
    ///
    /// # Errors
    ///
    /// Those of [`Plan::fill`].
    #[inline]
    pub fn fill<T: Copy>(&self, dst: &mut [T], value: T) -> Result<(), SliceError> {
        self.assign(dst, value)
    }
}
