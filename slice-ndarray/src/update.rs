//! What the methods of [`PySlice`](crate::PySlice) that change elements share: broadcasting and
//! zipping.

use crate::elements::Elements;
use crate::places::{Places, few};
use crate::plain::FEW;
use crate::{SliceOf, view};
use ndarray::{ArrayRef, ArrayView, ArrayViewMut, Axis, Dimension, Ix0, IxDyn, aview0};
use slice_core::__private::views::{broadcast_from, zip_places};
use slice_core::SliceError;

/// Calls `f` with the values broadcast to `dim`, as NumPy does it.
#[inline]
pub(crate) fn broadcast<B, E: Dimension, O: Dimension, R>(
    values: &ArrayRef<B, E>,
    dim: O,
    f: impl FnOnce(ArrayView<'_, B, O>) -> R,
) -> Result<R, SliceError> {
    if let Some(values) = values.broadcast(dim.clone()) {
        return Ok(f(values));
    }
    broadcast_from(dim.slice(), values.shape(), None)?;
    // Unlike NumPy's, ndarray's own broadcasting refuses extra leading axes of length 1.
    let mut values = values.view().into_dyn();
    while values.ndim() > dim.ndim() {
        values = values.index_axis_move(Axis(0), 0);
    }
    let wrong = SliceError::RankMismatch { expected: dim.ndim(), found: values.ndim() };
    values.broadcast(dim).map(f).ok_or(wrong)
}

/// Calls `f` with each element of the slice and the value for it.
pub(crate) fn zip<A, B, D: Dimension, I: SliceOf<D>, E: Dimension>(
    array: &mut ArrayRef<A, D>,
    spec: &I,
    values: &ArrayRef<B, E>,
    f: impl FnMut(&mut A, &B),
) -> Result<(), SliceError> {
    if const { I::Out::NDIM.is_none() }
        && let Some(elements) = Elements::room().find(array, spec)
    {
        let to = elements.at(array.as_mut_ptr());
        // SAFETY: these are elements of the array, which is mutably borrowed, no two of them are
        // one, and `values` are not its.
        return unsafe { zip_at(to, Places::of(values), f) };
    }
    zip_view(view::view_mut(array, spec)?, values, f)
}

/// Calls `f` with each element of a view and the value for it, broadcast as NumPy does.
pub(crate) fn zip_view<A, B, O: Dimension, E: Dimension>(
    mut target: ArrayViewMut<'_, A, O>,
    values: &ArrayRef<B, E>,
    f: impl FnMut(&mut A, &B),
) -> Result<(), SliceError> {
    let to = target.raw_view_mut();
    // SAFETY: all elements of the view, which is mutably borrowed; `values` are not its.
    unsafe { zip_at(Places::of_raw(&to), Places::of(values), f) }
}

/// Calls `f` with each element of `to` and the value for it, broadcast as NumPy does.
///
/// # Safety
///
/// The elements of `to` may be written, no two of them are one, and nothing else refers to them.
/// Those of `from` may be read, and are none of `to`.
#[inline]
pub(crate) unsafe fn zip_at<A, B>(
    to: Places<'_, A>,
    from: Places<'_, B>,
    mut f: impl FnMut(&mut A, &B),
) -> Result<(), SliceError> {
    let spread;
    let strides = if from.shape == to.shape || from.shape.is_empty() {
        from.strides
    } else {
        spread = broadcast_from(to.shape, from.shape, Some(from.strides))?;
        &spread
    };
    if to.shape.len() <= 2 && to.len() <= FEW {
        // SAFETY: the caller's promise. By these strides, the values are elements of `from`: its
        // own, or the first of an axis that has but one.
        few(to.shape, (to.first, to.strides), (from.first, strides), |place, value| unsafe {
            f(&mut *place, &*value);
        });
        return Ok(());
    }
    // SAFETY: the same.
    unsafe { zip_places(to.shape, (to.first, to.strides), (from.first, strides), f) };
    Ok(())
}

/// Applies an operator to each element of the slice and the value for it.
#[inline]
pub(crate) fn apply<A: Clone, D: Dimension, I: SliceOf<D>, E: Dimension>(
    array: &mut ArrayRef<A, D>,
    spec: &I,
    values: &ArrayRef<A, E>,
    operator: impl Fn(&mut A, A),
) -> Result<(), SliceError> {
    if values.ndim() == 0
        && let Some(one) = values.first()
    {
        // A value that no place can be stays in a register.
        let one = one.clone();
        if const { I::Out::NDIM.is_none() } {
            let mut by_one = by_one(operator, one);
            return zip(array, spec, &*aview0(&()), |place, ()| by_one(place));
        }
        view::view_mut(array, spec)?.map_inplace(by_one(operator, one));
        return Ok(());
    }
    zip(array, spec, values, by_value(operator))
}

/// The operator with the value that it is given. Not a closure of a function that is generic over
/// slices: loops would be compiled for each type of slice.
pub(crate) fn by_value<A: Clone>(operator: impl Fn(&mut A, A)) -> impl Fn(&mut A, &A) {
    move |place, value| operator(place, value.clone())
}

/// The operator with this value.
fn by_one<A: Clone>(operator: impl Fn(&mut A, A), one: A) -> impl FnMut(&mut A) {
    move |place| operator(place, one.clone())
}

/// The dimension type of a slice that may leave one element: no axes, or a number of them that is
/// known at run time.
#[diagnostic::on_unimplemented(
    message = "this slice gives a view with axes (`{Self}`), not one element",
    label = "expected an index for each axis",
    note = "`pyslice` and `pyslice_mut` give a view"
)]
pub trait OneElement: Dimension {}
impl OneElement for Ix0 {}
impl OneElement for IxDyn {}
