//! A plan bound to its buffer: [`View`] and [`ViewMut`].
//!
//! Every operation goes through one of the two, and [`Claim::check`] is the only way to make one.
//! It finds every position of the plan inside the very buffer that is bound. All `unsafe` code in
//! `ops` rests on it.

use crate::error::{Buffer, SliceError};
use crate::kernel;
use crate::loops::{Layout, Loop};
use crate::plan::{FixedPlan, Plan, is_one_run};
use core::mem::size_of;
use core::ops::Range;

/// What a plan says of its buffer. None of it is trusted before [`check`](Claim::check).
#[derive(Clone, Copy)]
pub(crate) struct Claim<'a> {
    pub(crate) layout: kernel::View<'a>,
    pub(crate) len: usize,
    pub(crate) input_len: usize,
    pub(crate) strided: bool,
    /// How many values of the buffer an element is: 1, or its bytes if the buffer is bytes.
    pub(crate) unit: usize,
}

/// Positions that were found inside the buffer beside which they are kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(super) layout: kernel::View<'a>,
    pub(super) len: usize,
    /// How many elements the buffer has.
    pub(super) buffer: usize,
    pub(super) unit: usize,
    /// Whether rayon's pool shares the work.
    #[cfg_attr(not(feature = "rayon"), allow(dead_code, reason = "one thread"))]
    pub(super) parallel: bool,
}

impl<'a> Claim<'a> {
    /// Checks that a buffer of `found` values is the one that the plan was made for, and that every
    /// position of the view lies in it.
    #[inline]
    pub(crate) fn check(&self, buffer: Buffer, found: usize) -> Result<Place<'a>, SliceError> {
        let &Claim { layout, len, unit, .. } = self;
        match self.fits(found) {
            // It is made here, as one that a call returns is moved and waits to have been written.
            Some(buffer) => Ok(Place { layout, len, buffer, unit, parallel: false }),
            None => Err(self.refused(buffer, found)),
        }
    }

    /// How many elements a buffer of `found` values has, if all that is claimed holds there.
    #[inline(never)]
    fn fits(&self, found: usize) -> Option<usize> {
        let elements = self.elements(found)?;
        (self.layout.fits(elements) == Some(self.len)).then_some(elements)
    }

    /// The error where it does not.
    #[cold]
    fn refused(&self, buffer: Buffer, found: usize) -> SliceError {
        match self.unit {
            0 => SliceError::ZeroElementSize,
            unit => wrong_length(buffer, unit, self.input_len, found),
        }
    }

    /// Where the elements lie in a buffer of `found` values, if one follows the other and the plan
    /// was made for as many.
    #[inline]
    pub(super) fn run(&self, found: usize) -> Option<Range<usize>> {
        self.elements(found).and_then(|_| run(&self.layout, self.len, self.unit))
    }

    /// How many elements a buffer of `found` values has, if the plan was made for as many.
    #[inline]
    pub(super) fn elements(&self, found: usize) -> Option<usize> {
        let &Claim { input_len, strided, unit, .. } = self;
        // A division takes long.
        let elements = if unit == 1 { found } else { found.checked_div(unit)? };
        let fits = if strided {
            elements >= input_len
        } else {
            elements == input_len && elements.checked_mul(unit) == Some(found)
        };
        fits.then_some(elements)
    }
}

/// Where the `len` elements of a view lie, if one follows the other: then they are a slice of their
/// buffer.
#[inline]
fn run(layout: &kernel::View<'_>, len: usize, unit: usize) -> Option<Range<usize>> {
    let first = layout.offset.wrapping_mul(unit);
    is_one_run(layout.shape, layout.strides, len)
        .then(|| first..first.wrapping_add(len.wrapping_mul(unit)))
}

/// The error for a buffer of `found` values where `expected` elements of `unit` values belong.
#[cold]
pub(super) fn wrong_length(
    buffer: Buffer,
    unit: usize,
    expected: usize,
    found: usize,
) -> SliceError {
    if unit == 1 {
        return SliceError::BufferLength { buffer, expected, found };
    }
    match SliceError::bytes(expected, unit) {
        Ok(expected) => SliceError::ByteLength { buffer, expected, found, size: unit },
        Err(error) => error,
    }
}

impl Place<'_> {
    /// Checks that `found` values are just as many as the elements need.
    pub(super) fn check_result(&self, buffer: Buffer, found: usize) -> Result<(), SliceError> {
        if self.len.checked_mul(self.unit) == Some(found) {
            return Ok(());
        }
        Err(wrong_length(buffer, self.unit, self.len, found))
    }

    /// Where the elements lie, if one follows the other.
    #[inline]
    pub(super) fn run(&self) -> Option<Range<usize>> {
        run(&self.layout, self.len, self.unit)
    }

    /// The place as one loop over its values, which reads nothing, if it is one.
    #[inline]
    pub(super) fn one_loop(&self) -> Option<Loop> {
        let (unit, shape, strides) = self.parts();
        let mut all = Loop { n: unit, src: 0, dst: 1 };
        for (&n, by) in shape.iter().zip(strides).rev().filter(|it| *it.0 != 1) {
            let it = Loop { n, src: 0, dst: by.wrapping_mul(unit as isize) };
            all = if all.n == 1 { it } else { it.merged(all)? };
        }
        Some(all)
    }

    /// The first value of the first element, in a buffer of which every position was found inside.
    pub(super) fn first(&self) -> usize {
        self.layout.offset.wrapping_mul(self.unit)
    }

    /// What loops over the elements are found for.
    pub(super) fn parts(&self) -> Layout<'_> {
        (self.unit, self.layout.shape, self.layout.strides)
    }

    /// The bytes of an element that is made of values of `T`.
    pub(super) fn size<T>(&self) -> usize {
        size_of::<T>().wrapping_mul(self.unit)
    }
}

/// A slice of a buffer, to be read: a plan and a buffer that were checked against each other.
///
/// [`Plan::on`] makes one, and so does [`Bytes::on`](super::Bytes::on), whose elements are runs of
/// bytes. A view copies nothing until it is asked to.
///
/// # Examples
///
/// ```
/// use pyslice::s;
///
/// let x = [0, 1, 2, 3, 4, 5];
/// let plan = s![:, ::-1].plan(&[2, 3])?;
/// let view = plan.on(&x)?; //                    x.reshape(2, 3)[:, ::-1]
/// assert_eq!(view.iter().max(), Some(&5));
/// assert_eq!(view.to_vec()?, [2, 1, 0, 5, 4, 3]);
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[derive(Debug)]
pub struct View<'a, T> {
    pub(super) place: Place<'a>,
    pub(super) data: &'a [T],
}

impl<T> Clone for View<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for View<'_, T> {}

/// A slice of a buffer, to be written: a plan and a buffer that were checked against each other.
///
/// [`Plan::on_mut`] makes one, and so does [`Bytes::on_mut`](super::Bytes::on_mut), whose elements
/// are runs of bytes.
///
/// # Examples
///
/// ```
/// use pyslice::{Shaped, s};
///
/// let mut x = [0; 6];
/// let plan = s![:, 1:].plan(&[2, 3])?;
/// let mut place = plan.on_mut(&mut x)?; //       x.reshape(2, 3)[:, 1:]
/// place.assign(Shaped(&[1, 2], &[2, 1]))?; //    = [[1], [2]]
/// place.zip(10, |a, b| *a *= b)?; //             *= 10
/// assert_eq!(x, [0, 10, 10, 0, 20, 20]);
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[derive(Debug)]
pub struct ViewMut<'a, T> {
    pub(super) place: Place<'a>,
    pub(super) data: &'a mut [T],
}

impl Plan {
    #[inline]
    pub(crate) fn claim(&self) -> Claim<'_> {
        Claim {
            layout: kernel::View {
                shape: self.shape(),
                strides: self.strides(),
                offset: self.offset(),
            },
            len: self.len(),
            input_len: self.input_len(),
            strided: self.is_strided(),
            unit: 1,
        }
    }

    /// Binds the plan to the buffer that it slices, to be read: `x[spec]`.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if `src` is not the array that the plan was made for.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![1:].plan(&[3])?;
    /// assert_eq!(plan.on(&["a", "b", "c"])?.iter().copied().collect::<String>(), "bc");
    /// assert!(plan.on(&[1, 2]).is_err());
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn on<'a, T>(&'a self, src: &'a [T]) -> Result<View<'a, T>, SliceError> {
        View::new(&self.claim(), src)
    }

    /// Binds the plan to the buffer that it slices, to be written: `x[spec] = …`.
    ///
    /// The values come from elsewhere: for `x[a] = x[b]`, there is
    /// [`move_within`](Plan::move_within).
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if `dst` is not the array that the plan was made for.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let mut x = [1, 2, 3];
    /// s![1:].plan(&[3])?.on_mut(&mut x)?.for_each(|a| *a = -*a);
    /// assert_eq!(x, [1, -2, -3]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn on_mut<'a, T>(&'a self, dst: &'a mut [T]) -> Result<ViewMut<'a, T>, SliceError> {
        ViewMut::new(&self.claim(), dst)
    }
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    #[inline]
    pub(super) fn claim(&self) -> Claim<'_> {
        Claim {
            layout: kernel::View {
                shape: self.shape(),
                strides: self.strides(),
                offset: self.offset(),
            },
            len: self.len(),
            input_len: self.input_len(),
            strided: false,
            unit: 1,
        }
    }

    /// [`Plan::on`].
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if `src` is not the array that the plan was made for.
    #[inline]
    pub fn on<'a, T>(&'a self, src: &'a [T]) -> Result<View<'a, T>, SliceError> {
        View::new(&self.claim(), src)
    }

    /// [`Plan::on_mut`].
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] if `dst` is not the array that the plan was made for.
    #[inline]
    pub fn on_mut<'a, T>(&'a self, dst: &'a mut [T]) -> Result<ViewMut<'a, T>, SliceError> {
        ViewMut::new(&self.claim(), dst)
    }
}

impl<'a, T> View<'a, T> {
    #[inline]
    pub(super) fn new(claim: &Claim<'a>, data: &'a [T]) -> Result<Self, SliceError> {
        Ok(View { place: claim.check(Buffer::Source, data.len())?, data })
    }

    /// The shape of the slice, in elements.
    #[must_use]
    pub fn shape(&self) -> &'a [usize] {
        self.place.layout.shape
    }

    /// How many elements the slice has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.place.len
    }

    /// Whether the slice has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.place.len == 0
    }
}

impl<'a, T> ViewMut<'a, T> {
    #[inline]
    pub(super) fn new(claim: &Claim<'a>, data: &'a mut [T]) -> Result<Self, SliceError> {
        Ok(ViewMut { place: claim.check(Buffer::Target, data.len())?, data })
    }

    /// The shape of the slice, in elements.
    #[must_use]
    pub fn shape(&self) -> &'a [usize] {
        self.place.layout.shape
    }

    /// How many elements the slice has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.place.len
    }

    /// Whether the slice has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.place.len == 0
    }

    /// The same slice, to be read.
    #[must_use]
    pub fn view(&self) -> View<'_, T> {
        View { place: self.place, data: self.data }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This check is the last one before the kernels, so it does not trust a plan.
    #[test]
    fn a_view_that_leaves_its_buffer_is_refused() {
        let refused = |shape: &[usize], strides: &[isize], offset, len| {
            let layout = kernel::View { shape, strides, offset };
            let claim = Claim { layout, len, input_len: 4, strided: false, unit: 1 };
            assert!(claim.check(Buffer::Source, 4).is_err());
            let bytes = Claim { unit: 3, ..claim };
            assert!(bytes.check(Buffer::Source, 12).is_err());
        };
        refused(&[4], &[1], 1, 4);
        refused(&[2], &[-1], 0, 2);
        refused(&[4], &[1], 0, 5);
        refused(&[usize::MAX, 2], &[0, 0], 0, usize::MAX - 1);
    }
}
