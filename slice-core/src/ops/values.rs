//! What can be written into a slice: [`Values`].

use super::view::{Place, View, ViewMut, wrong_length};
use crate::error::{Buffer, SliceError};
use crate::kernel;
use crate::loops::Steps;
use crate::plan::walk::count;
use alloc::vec::Vec;
use core::slice;
use smallvec::SmallVec;

/// Values for a slice whose elements are `T`: one element, a slice of as many elements in C order,
/// [`Shaped`] values that broadcast, or a [`View`] of another buffer, which broadcasts too.
///
/// # Examples
///
/// ```
/// use pyslice::{Shaped, s};
///
/// let plan = s![:, 1:].plan(&[2, 3])?;
/// let mut x = [0; 6];
/// plan.assign(&mut x, 7)?;
/// assert_eq!(x, [0, 7, 7, 0, 7, 7]);
/// plan.assign(&mut x, &[1, 2, 3, 4])?;
/// assert_eq!(x, [0, 1, 2, 0, 3, 4]);
/// plan.assign(&mut x, Shaped(&[5, 6], &[2]))?;
/// assert_eq!(x, [0, 5, 6, 0, 5, 6]);
/// plan.assign(&mut x, s![::-1].plan(&[2])?.on(&[8, 9])?)?;
/// assert_eq!(x, [0, 9, 8, 0, 9, 8]);
/// # Ok::<(), pyslice::SliceError>(())
/// ```
///
/// # Source
///
/// NumPy's assignment (recorded answers, `numpy_setitem`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written into a slice whose elements are `{T}`",
    label = "expected one `{T}`, a slice of them, `Shaped(&values, &shape)`, or a `View`",
    note = "one element is given by value, several by reference (`&values`), and a view without its \
            `Result` (`plan.on(&x)?`)",
    note = "elements are not converted: write `5.0` instead of `5` where they are floats"
)]
pub trait Values<T>: sealed::Values<T> {}

/// Values in C order that have a shape of their own, which broadcasts as NumPy's does: `&values`
/// and `&shape`, in elements.
///
/// Axes of length 1 are repeated, and axes that are missing in front. Extra leading axes of length
/// 1 are ignored. A single element whose bytes are `b` is `Shaped(b, &[])`.
#[derive(Clone, Copy, Debug)]
pub struct Shaped<'a, T>(pub &'a [T], pub &'a [usize]);

/// Values, in one of the forms that they can have.
#[derive(Debug)]
pub enum Source<'v, T> {
    One(&'v T),
    All(&'v [T]),
    Shaped(&'v [T], &'v [usize]),
    View(View<'v, T>),
}

pub(super) mod sealed {
    use super::Source;

    pub trait Values<T> {
        fn source(&self) -> Source<'_, T>;
    }
}

macro_rules! values {
    ($([$($given:tt)*] $of:ty: $values:ident => $source:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T $($given)*> Values<T> for $of {}
        impl<T $($given)*> sealed::Values<T> for $of {
            #[inline]
            fn source(&self) -> Source<'_, T> {
                let $values = self;
                $source
            }
        }
    )* };
}
values! {
    [] T: one => Source::One(one);
    [] &[T]: values => Source::All(values);
    [] &mut [T]: values => Source::All(values);
    [, const N: usize] &[T; N]: values => Source::All(*values);
    [, const N: usize] &mut [T; N]: values => Source::All(*values);
    [] &Vec<T>: values => Source::All(values);
    [] &mut Vec<T>: values => Source::All(values);
    [] Shaped<'_, T>: values => Source::Shaped(values.0, values.1);
    [] View<'_, T>: view => Source::View(*view);
    [] &View<'_, T>: view => Source::View(**view);
    [] ViewMut<'_, T>: view => Source::View(view.view());
    [] &ViewMut<'_, T>: view => Source::View(view.view());
}

/// Values as a place takes them: an offset and strides that give one value for each position of the
/// place, each of them inside `data`, which has `len` elements.
pub(super) struct Reading<'v, 's, T> {
    pub(super) data: &'v [T],
    pub(super) len: usize,
    pub(super) offset: usize,
    pub(super) steps: Steps<'s>,
}

impl Place<'_> {
    /// Checks values for this place. Strides that broadcast are kept in `room`.
    pub(super) fn reading<'v, 's, T>(
        &self,
        values: Source<'v, T>,
        room: &'s mut SmallVec<[isize; 8]>,
    ) -> Result<Reading<'v, 's, T>, SliceError> {
        let (shape, unit) = (self.layout.shape, self.unit);
        let (data, len, offset) = match values {
            Source::One(one) if unit == 1 => {
                let data = slice::from_ref(one);
                return Ok(Reading { data, len: 1, offset: 0, steps: Steps::Still });
            }
            Source::One(_) => return Err(wrong_length(Buffer::Values, unit, 1, 1)),
            Source::All(data) => {
                self.check_result(Buffer::Values, data.len())?;
                return Ok(Reading { data, len: self.len, offset: 0, steps: Steps::Dense });
            }
            Source::Shaped(data, values) => {
                *room = broadcast_from(shape, values, None)?;
                let count = count(values);
                if count.and_then(|n| n.checked_mul(unit)) != Some(data.len()) {
                    let expected = count.unwrap_or(usize::MAX);
                    return Err(wrong_length(Buffer::BroadcastValues, unit, expected, data.len()));
                }
                (data, count.unwrap_or(0), 0)
            }
            Source::View(view) => {
                let kernel::View { shape: values, strides, offset } = view.place.layout;
                if view.place.unit != unit {
                    let (expected, found) = (unit, view.place.unit);
                    return Err(SliceError::ElementSizes { expected, found });
                }
                *room = broadcast_from(shape, values, Some(strides))?;
                (view.data, view.place.buffer, offset)
            }
        };
        // An empty slice takes any values that broadcast to it, and reads none of them.
        let reads = kernel::View { shape, strides: room, offset };
        if reads.fits(len) != Some(self.len) {
            return Err(wrong_length(Buffer::BroadcastValues, unit, self.len, data.len()));
        }
        Ok(Reading { data, len, offset, steps: Steps::Given(room) })
    }
}

/// The strides that read values of one shape in the order of another, by NumPy's broadcasting. The
/// values are C-contiguous, unless their strides are `given`.
///
/// # Source
///
/// NumPy's assignment (recorded answers, `numpy_setitem`): extra leading axes of length 1 are
/// allowed.
pub fn broadcast_from(
    shape: &[usize],
    values: &[usize],
    given: Option<&[isize]>,
) -> Result<SmallVec<[isize; 8]>, SliceError> {
    let mut strides = SmallVec::from_elem(0isize, shape.len());
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
