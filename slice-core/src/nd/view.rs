//! From a plan to ndarray's view: the only place of the adapter where pointers are made.

use crate::error::SliceError;
use crate::plan::{Plan, span};
use crate::spec::SpecRef;
use ::ndarray::{
    ArrayBase, ArrayRef, ArrayView, ArrayViewMut, Axis, Dimension, RawArrayView, RawArrayViewMut, RawData,
    ShapeBuilder, StrideShape,
};

/// Plans `spec` for the array as it lies in memory. Offsets count from the lowest element that the array touches.
pub(super) fn plan<A, D: Dimension>(array: &ArrayRef<A, D>, spec: SpecRef<'_>) -> Result<Plan, SliceError> {
    spec.plan_strided(array.shape(), array.strides())
}

/// Whether an axis of the view moves the pointer at all.
fn moves(plan: &Plan, n: usize) -> bool {
    n > 1 && !plan.is_empty()
}

/// The view of an array of this shape and these strides that `plan`, made by [`plan`] for just that array, stands for:
/// its shape and strides, all of them turned positive, and where its lowest element is, counted from the array's element
/// `[0, 0, …]`.
///
/// What the two functions below rely on:
/// - Not empty: the planner walks, on every axis, positions inside that axis of the array (its rule, held by exhaustive
///   tests), each axis once; so every element of the view is one of the array's, whose extent in elements and in bytes
///   fits `isize`.
/// - Empty: the start is 0, and ndarray's own strides for empty arrays are 0.
/// - The product of the lengths was checked by the planner.
fn layout<O: Dimension>(
    plan: &Plan,
    shape: &[usize],
    strides: &[isize],
) -> Result<(StrideShape<O>, isize), SliceError> {
    let rank = plan.shape().len();
    if let Some(expected) = O::NDIM
        && expected != rank
    {
        return Err(SliceError::RankMismatch { expected, found: rank });
    }
    let mut dim = O::zeros(rank);
    for (to, &n) in dim.as_array_view_mut().iter_mut().zip(plan.shape()) {
        *to = n;
    }
    if plan.is_empty() {
        return Ok((dim.into(), 0));
    }
    let mut steps = O::zeros(rank);
    // Both sums stay inside the array.
    let mut start = (plan.offset() as isize).wrapping_sub(span(shape, strides)?.0 as isize);
    for (to, (&n, &s)) in steps.as_array_view_mut().iter_mut().zip(plan.shape().iter().zip(plan.strides())) {
        if moves(plan, n) {
            *to = s.unsigned_abs();
            start = start.wrapping_add(s.min(0).wrapping_mul(n.wrapping_sub(1) as isize));
        }
    }
    Ok((dim.strides(steps), start))
}

/// Turns the axes round that the plan walks backwards, which [`layout`] left to do.
fn flip<S: RawData, O: Dimension>(mut view: ArrayBase<S, O>, plan: &Plan) -> ArrayBase<S, O> {
    for (axis, (&n, &s)) in plan.shape().iter().zip(plan.strides()).enumerate() {
        if s < 0 && moves(plan, n) {
            view.invert_axis(Axis(axis));
        }
    }
    view
}

/// The view of `array` that `plan`, made by [`plan`] for just this array, stands for.
pub(super) fn view<'a, A, D: Dimension, O: Dimension>(
    array: &'a ArrayRef<A, D>,
    plan: &Plan,
) -> Result<ArrayView<'a, A, O>, SliceError> {
    let (shape, start) = layout(plan, array.shape(), array.strides())?;
    // SAFETY: the lowest element of the view is one of the array's, and so are all others; see `layout`.
    let raw = unsafe { RawArrayView::from_shape_ptr(shape, array.as_ptr().offset(start)) };
    // SAFETY: all elements of the view are elements of `array`, which is borrowed for 'a.
    Ok(unsafe { flip(raw, plan).deref_into_view() })
}

/// The mutable view of `array` that `plan`, made by [`plan`] for just this array, stands for.
pub(super) fn view_mut<'a, A, D: Dimension, O: Dimension>(
    array: &'a mut ArrayRef<A, D>,
    plan: &Plan,
) -> Result<ArrayViewMut<'a, A, O>, SliceError> {
    // SAFETY: this is the only view that is made.
    unsafe { Whole::new(array).view_mut(plan) }
}

/// An array of which several mutable views are made.
pub(super) struct Whole<'a, A, D> {
    array: &'a ArrayRef<A, D>,
    first: *mut A,
}

impl<'a, A, D: Dimension> Whole<'a, A, D> {
    pub(super) fn new(array: &'a mut ArrayRef<A, D>) -> Self {
        let first = array.as_mut_ptr();
        Whole { array, first }
    }

    /// The view that `plan`, made by [`plan`] for just this array, stands for.
    ///
    /// # Safety
    ///
    /// No element is in two of the views that are made of one `Whole`.
    pub(super) unsafe fn view_mut<O: Dimension>(&self, plan: &Plan) -> Result<ArrayViewMut<'a, A, O>, SliceError> {
        let (shape, start) = layout(plan, self.array.shape(), self.array.strides())?;
        // SAFETY: the lowest element of the view is one of the array's, and so are all others; see `layout`. No two
        // positions are one element: no two of the array are (ndarray's rule for arrays that can be written), each axis of
        // the plan walks an axis of its own, and a new axis has length 1.
        let raw = unsafe { RawArrayViewMut::from_shape_ptr(shape, self.first.offset(start)) };
        // SAFETY: all elements of the view are elements of the array, which was mutably borrowed for 'a when `first` was
        // taken, and which nothing else reads or writes than such views, each of which has elements of its own (the
        // caller).
        Ok(unsafe { flip(raw, plan).deref_into_view_mut() })
    }
}
