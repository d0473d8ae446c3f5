//! Views of an array: slice-core lays out their axes, and ndarray's views are made of these.
//!
//! What takes a slice stands behind a call, so that a use of it costs the compiler little, and is
//! generic over its type, which says how many entries there are.

use crate::SliceOf;
use ndarray::{
    ArrayRef, ArrayView, ArrayViewMut, Axis, Dimension, IxDyn, LayoutRef, RawArrayView,
    RawArrayViewMut, ShapeBuilder, Slice, StrideShape,
};
use slice_core::__private::views::{self, Cut, lay, mistake, out_rank, position};
use slice_core::{SliceError, SpecRef};

/// Narrows each axis to what `spec`, which keeps them all, takes of it.
#[inline(never)]
pub(crate) fn narrow<A, D: Dimension, I: SliceOf<D>>(
    array: &mut LayoutRef<A, D>,
    spec: &I,
) -> Option<()> {
    narrow_by(array, spec.as_spec(), |_, _, _| None)
}

/// Takes `spec` of an array in place, where the number of axes may change.
#[inline(never)]
pub(crate) fn take<A, D: Dimension, I: SliceOf<D>>(
    array: &mut LayoutRef<A, IxDyn>,
    spec: &I,
) -> Option<()> {
    let spec = spec.as_spec();
    let left = out_rank(spec, array.ndim()).ok()?;
    narrow_by(array, spec, |array, axis, index| {
        match index {
            Some(at) => array.index_axis_inplace(Axis(axis), at),
            None => array.insert_axis_inplace(Axis(axis)),
        }
        Some(())
    })?;
    // A forged type may announce others.
    (array.ndim() == left).then_some(())
}

/// Both of them: `change` drops an axis, or inserts one.
#[inline]
fn narrow_by<A, D: Dimension>(
    array: &mut LayoutRef<A, D>,
    spec: SpecRef<'_>,
    change: impl Fn(&mut LayoutRef<A, D>, usize, Option<usize>) -> Option<()>,
) -> Option<()> {
    let len = |array: &LayoutRef<A, D>, axis| array.len_of(Axis(axis));
    let cut = |array: &mut LayoutRef<A, D>, axis, Cut { begin, end, step }: Cut| {
        array.slice_axis_inplace(Axis(axis), Slice::new(begin, Some(end), step));
    };
    views::narrow(&spec, array.ndim(), array, len, cut, change)
}

/// Whether the slice leaves every axis and adds none; a forged type may count others.
#[inline]
pub(crate) fn keeps_axes(spec: SpecRef<'_>) -> bool {
    spec.masks().shrink_axis | spec.masks().new_axis == 0 && spec.drops() == spec.adds()
}

/// The lengths of a shape, to be written.
#[inline]
pub(crate) fn slots<O: Dimension>(dim: &mut O) -> &mut [usize] {
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

/// Functions that make ndarray's `$View` of what `spec` takes of an array; `None` where there is no
/// such view.
macro_rules! views {
    ($name:ident $laid:ident $View:ident $first:ident) => {
        #[inline]
        pub(crate) fn $name<A, D: Dimension, I: SliceOf<D>>(
            mut array: $View<A, D>,
            spec: &I,
        ) -> Option<$View<A, I::Out>> {
            if keeps_axes(spec.as_spec()) {
                narrow(array.as_mut(), spec)?;
                I::keep(array)
            } else if I::Out::NDIM.is_none() {
                let mut array = array.into_dyn();
                take::<A, D, I>(array.as_mut(), spec)?;
                array.into_dimensionality().ok()
            } else {
                $laid(array, spec)
            }
        }

        /// A view with other axes.
        #[inline(never)]
        fn $laid<A, D: Dimension, I: SliceOf<D>>(
            #[allow(unused_mut, reason = "only a pointer to be written needs it")] mut array: $View<
                A,
                D,
            >,
            spec: &I,
        ) -> Option<$View<A, I::Out>> {
            let Laid { shape, lowest, turned } = laid(array.as_ref(), spec)?;
            let first = array.$first().wrapping_offset(lowest);
            // SAFETY: the positions of the view are the array's; see `laid`.
            let mut view = unsafe { $View::from_shape_ptr(shape, first) };
            for (axis, &stride) in turned.iter().flat_map(Dimension::slice).enumerate() {
                if (stride as isize) < 0 {
                    view.invert_axis(Axis(axis));
                }
            }
            Some(view)
        }
    };
}
views!(raw_view laid_view RawArrayView as_ptr);
views!(raw_view_mut laid_view_mut RawArrayViewMut as_mut_ptr);

/// A view as ndarray takes it: its shape, its strides without signs, and where its lowest element
/// is, counted from the array's element `[0, 0, …]`. If a stride is negative, the strides with their
/// signs are there, too.
struct Laid<O: Dimension> {
    shape: StrideShape<O>,
    lowest: isize,
    turned: Option<O>,
}

/// Lays out the view that `spec` takes of an array.
///
/// What is made of it is sound:
/// - Not empty: [`lay`] takes each axis of the array once, and only positions inside it. So every
///   element of the view is one of the array's, and no two positions are one element where none of
///   the array's are.
/// - Empty: the start is 0, and the strides are ndarray's own for empty arrays.
#[inline]
#[expect(clippy::indexing_slicing, reason = "only the axes of the array are asked for")]
fn laid<A, D: Dimension, I: SliceOf<D>>(array: &LayoutRef<A, D>, spec: &I) -> Option<Laid<I::Out>> {
    let rank = I::Out::NDIM?;
    let (mut shape, mut steps) = (I::Out::zeros(rank), I::Out::zeros(rank));
    let (lengths, strides) = (array.shape(), array.strides());
    let axis = |axis: usize| (lengths[axis], strides[axis]);
    let mut places = slots(&mut shape).iter_mut().zip(slots(&mut steps));
    let mut lowest = lay(&spec.as_spec(), lengths.len(), axis, |n, stride| {
        let (length, step) = places.next()?;
        (*length, *step) = (n, stride as usize);
        Some(())
    })?;
    if places.next().is_some() {
        return None;
    }
    if shape.slice().contains(&0) {
        return Some(Laid { shape: shape.into(), lowest: 0, turned: None });
    }
    let mut turned = None;
    if steps.slice().iter().any(|&stride| (stride as isize) < 0) {
        turned = Some(steps.clone());
        for (&n, step) in shape.slice().iter().zip(slots(&mut steps)) {
            let signed = *step as isize;
            if signed < 0 {
                *step = signed.unsigned_abs();
                // The sum stays inside the array.
                lowest = lowest.wrapping_add(signed.wrapping_mul(n.wrapping_sub(1) as isize));
            }
        }
    }
    Some(Laid { shape: shape.strides(steps), lowest, turned })
}

/// `array[spec]`
#[inline]
pub(crate) fn view<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayView<'a, A, I::Out>, SliceError> {
    match raw_view(array.raw_view(), spec) {
        // SAFETY: all positions of the view are the array's, which is borrowed for 'a.
        Some(view) => Ok(unsafe { view.deref_into_view() }),
        None => Err(no_view::<I::Out>(spec.as_spec(), array.shape())),
    }
}

/// `array[spec]`, to be written.
#[inline]
pub(crate) fn view_mut<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a mut ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayViewMut<'a, A, I::Out>, SliceError> {
    match raw_view_mut(array.raw_view_mut(), spec) {
        // SAFETY: all positions of the view are the array's, which is mutably borrowed for 'a:
        // ndarray lets no two positions of such an array be one element. This is the only view that
        // is made.
        Some(view) => Ok(unsafe { view.deref_into_view_mut() }),
        None => Err(no_view::<I::Out>(spec.as_spec(), array.shape())),
    }
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
