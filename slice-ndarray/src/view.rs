//! Views of an array: each axis that a slice takes is narrowed, and then the axes are regrouped, if
//! the slice drops or adds any.

use crate::SliceOf;
use ndarray::{
    ArrayRef, ArrayView, ArrayViewMut, Axis, Dimension, RawArrayView, RawArrayViewMut,
    ShapeBuilder, StrideShape,
};
use slice_core::__private::views::{Narrowed, mistake, narrow, out_rank, position, regroup};
use slice_core::{SliceError, SpecRef};

/// A view of an array: its shape and its strides as ndarray takes them, which are not negative,
/// where its lowest element is, counted from the array's element `[0, 0, …]`, and the strides with
/// their signs.
struct Laid<O: Dimension> {
    shape: StrideShape<O>,
    lowest: isize,
    signed: O,
}

/// Lays out the view that `spec` takes of an array.
///
/// What is made of it is sound:
/// - Not empty: the positions on every axis are inside that axis of the array ([`narrow`]). Each
///   axis of the array is one of the result, or has one position ([`regroup`]); a new axis has
///   one position. So every element of the view is one of the array's, and no two positions are one
///   element where none of the array's are.
/// - Empty: the start is 0, and the strides are ndarray's own for empty arrays.
#[inline(never)]
fn laid<D: Dimension, O: Dimension>(
    dim: D,
    strides: &[isize],
    spec: SpecRef<'_>,
) -> Result<Laid<O>, SliceError> {
    let wrong = || no_view::<O>(spec, dim.slice());
    let (mut lengths, mut bits) = (dim.clone(), D::zeros(dim.ndim()));
    for (bits, &stride) in slots(&mut bits).iter_mut().zip(strides) {
        *bits = stride as usize;
    }
    let Narrowed { first, same } =
        narrow(&spec, slots(&mut lengths), slots(&mut bits)).ok_or_else(wrong)?;
    let axes = if same {
        O::from_dimension(&lengths).zip(O::from_dimension(&bits))
    } else {
        let rank = O::NDIM.map_or_else(|| out_rank(spec, dim.ndim()), Ok)?;
        let (mut dim, mut signed) = (O::zeros(rank), O::zeros(rank));
        let result = (slots(&mut dim), slots(&mut signed));
        regroup(&spec, (lengths.slice(), bits.slice()), result).map(|()| (dim, signed))
    };
    let (dim, signed) = axes.ok_or_else(wrong)?;
    if dim.slice().contains(&0) {
        let signed = O::zeros(dim.ndim());
        return Ok(Laid { shape: dim.into(), lowest: 0, signed });
    }
    let (mut steps, mut lowest) = (signed.clone(), first);
    for (&n, step) in dim.slice().iter().zip(slots(&mut steps)) {
        let signed = *step as isize;
        if signed < 0 {
            *step = signed.unsigned_abs();
            // The sum stays inside the array.
            lowest = lowest.wrapping_add(signed.wrapping_mul(n.wrapping_sub(1) as isize));
        }
    }
    Ok(Laid { shape: dim.strides(steps), lowest, signed })
}

/// The lengths of a shape, to be written.
#[inline]
fn slots<O: Dimension>(dim: &mut O) -> &mut [usize] {
    dim.as_array_view_mut().into_slice().unwrap_or_default()
}

/// What is wrong with a slice that does not give a view of ndarray's type `O`.
#[cold]
#[inline(never)]
pub(crate) fn no_view<O: Dimension>(spec: SpecRef<'_>, shape: &[usize]) -> SliceError {
    match (O::NDIM, out_rank(spec, shape.len())) {
        (Some(expected), Ok(found)) if expected != found => {
            SliceError::RankMismatch { expected, found }
        }
        _ => mistake(spec, shape),
    }
}

/// A function that makes ndarray's `$View` of what `spec` takes of an array.
macro_rules! views {
    ($name:ident $View:ident $first:ident) => {
        #[inline(never)]
        pub(crate) fn $name<A, D: Dimension, O: Dimension>(
            #[allow(unused_mut, reason = "only a pointer to be written needs it")] mut array: $View<
                A,
                D,
            >,
            spec: SpecRef<'_>,
        ) -> Result<$View<A, O>, SliceError> {
            let Laid { shape, lowest, signed } =
                laid::<D, O>(array.raw_dim(), array.strides(), spec)?;
            let first = array.$first();
            // SAFETY: the lowest element of the view is one of the array's, and so are all others;
            // see `laid`.
            let mut view = unsafe { $View::from_shape_ptr(shape, first.offset(lowest)) };
            for axis in 0..signed.ndim() {
                if (signed[axis] as isize) < 0 {
                    view.invert_axis(Axis(axis));
                }
            }
            Ok(view)
        }
    };
}
views!(raw_view RawArrayView as_ptr);
views!(raw_view_mut RawArrayViewMut as_mut_ptr);

/// `array[spec]`
#[inline]
pub(crate) fn view<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayView<'a, A, I::Out>, SliceError> {
    let view = raw_view(array.raw_view(), spec.as_spec())?;
    // SAFETY: all positions of the view are the array's, which is borrowed for 'a.
    Ok(unsafe { view.deref_into_view() })
}

/// `array[spec]`, to be written.
#[inline]
pub(crate) fn view_mut<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a mut ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayViewMut<'a, A, I::Out>, SliceError> {
    let view = raw_view_mut(array.raw_view_mut(), spec.as_spec())?;
    // SAFETY: all positions of the view are the array's, which is mutably borrowed for 'a: ndarray
    // lets no two positions of such an array be one element. This is the only view that is made.
    Ok(unsafe { view.deref_into_view_mut() })
}

/// How many axes a slice leaves that should leave none.
#[cold]
fn axes_left(left: usize) -> SliceError {
    SliceError::AxesLeft { left }
}

/// `array[spec]`, one element.
#[inline]
pub(crate) fn element<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> Result<&'a A, SliceError> {
    if let Some(at) = position(&spec.as_spec(), array.shape(), array.strides()) {
        // SAFETY: this is an element of the array, which is borrowed for 'a.
        return Ok(unsafe { &*array.as_ptr().offset(at) });
    }
    let view = view(array, spec)?;
    let left = view.ndim();
    view.into_iter().next().filter(|_| left == 0).ok_or_else(|| axes_left(left))
}

/// `array[spec]`, one element to be written.
#[inline]
pub(crate) fn element_mut<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a mut ArrayRef<A, D>,
    spec: &I,
) -> Result<&'a mut A, SliceError> {
    if let Some(at) = position(&spec.as_spec(), array.shape(), array.strides()) {
        // SAFETY: this is an element of the array, which is mutably borrowed for 'a.
        return Ok(unsafe { &mut *array.as_mut_ptr().offset(at) });
    }
    let view = view_mut(array, spec)?;
    let left = view.ndim();
    view.into_iter().next().filter(|_| left == 0).ok_or_else(|| axes_left(left))
}
