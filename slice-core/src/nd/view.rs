//! From a plan to ndarray's view: the only place of the adapter where pointers are made.

use super::SliceOf;
use crate::error::SliceError;
use crate::plan::Plan;
use crate::plan::view_plan::{Lines, ViewPlan};
use crate::spec::SpecRef;
use ::ndarray::{
    ArrayBase, ArrayRef, ArrayView, ArrayViewMut, Axis, Dimension, RawArrayView, RawArrayViewMut,
    RawData, ShapeBuilder, StrideShape,
};
use alloc::boxed::Box;

/// Plans `spec` for the array as it lies in memory. Offsets count from the lowest element that the
/// array touches.
pub(super) fn plan<A, D: Dimension>(
    array: &ArrayRef<A, D>,
    spec: SpecRef<'_>,
) -> Result<Plan, SliceError> {
    spec.plan_strided(array.shape(), array.strides())
}

/// A shape as ndarray's type for it.
#[inline(always)]
pub(super) fn dim<O: Dimension>(shape: &[usize]) -> Result<O, SliceError> {
    if let Some(expected) = O::NDIM
        && expected != shape.len()
    {
        return Err(SliceError::RankMismatch { expected, found: shape.len() });
    }
    let mut dim = O::zeros(shape.len());
    for (axis, &n) in shape.iter().enumerate() {
        dim[axis] = n;
    }
    Ok(dim)
}

/// Whether an axis of the view moves the pointer at all.
#[inline(always)]
fn moves(lines: Lines<'_>, n: usize) -> bool {
    n > 1 && lines.len != 0
}

/// The view that `lines`, planned for an array, stand for: its shape and strides, all of them
/// turned positive, and where its lowest element is, counted from the array's element `[0, 0, …]`.
///
/// What the functions below rely on:
/// - Not empty: the planner walks, on every axis, positions inside that axis of the array (its
///   rule, held by exhaustive tests), each axis once (it refuses a slice whose type or counts say
///   otherwise: `Walk::finish`, the only way to a plan); so every element of the view is one of the
///   array's, whose extent in elements and in bytes fits `isize`.
/// - Empty: one of the lengths is 0, since the lengths are all the axes that the planner
///   multiplied; the start is 0, and ndarray's own strides for empty arrays are 0.
/// - The product of the lengths was checked by the planner.
#[inline(always)]
fn layout<O: Dimension>(lines: Lines<'_>) -> Result<(StrideShape<O>, isize), SliceError> {
    let dim = dim::<O>(lines.shape)?;
    let (mut steps, mut start) = (O::zeros(lines.shape.len()), lines.offset);
    if lines.len == 0 {
        return Ok((dim.into(), 0));
    }
    for (axis, (&n, &s)) in lines.shape.iter().zip(lines.strides).enumerate() {
        if moves(lines, n) {
            steps[axis] = s.unsigned_abs();
            // The sum stays inside the array.
            start = start.wrapping_add(s.min(0).wrapping_mul(n.wrapping_sub(1) as isize));
        }
    }
    Ok((dim.strides(steps), start))
}

/// Turns the axes round that are walked backwards, which [`layout`] left to do.
#[inline(always)]
fn flip<S: RawData, O: Dimension>(mut view: ArrayBase<S, O>, lines: Lines<'_>) -> ArrayBase<S, O> {
    for (axis, (&n, &s)) in lines.shape.iter().zip(lines.strides).enumerate() {
        if s < 0 && moves(lines, n) {
            view.invert_axis(Axis(axis));
        }
    }
    view
}

/// A slice planned for an array as it lies in memory, in place.
pub(super) struct Planned {
    small: ViewPlan,
    /// Beside where it starts, counted from the array's element `[0, 0, …]`.
    large: Option<(Box<Plan>, isize)>,
}

impl Planned {
    /// Room for one.
    pub(super) const NOTHING: Planned = Planned { small: ViewPlan::NOWHERE, large: None };

    #[inline(always)]
    pub(super) fn set<A, D: Dimension, I: SliceOf<D>>(
        &mut self,
        array: &ArrayRef<A, D>,
        spec: &I,
    ) -> Result<(), SliceError> {
        let (shape, strides) = (array.shape(), array.strides());
        if !spec.lay(shape, strides, &mut self.small)? {
            let plan = plan(array, spec.as_spec())?;
            let offset = plan.lines(shape, strides)?.offset;
            self.large = Some((Box::new(plan), offset));
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn lines(&self) -> Lines<'_> {
        match &self.large {
            None => self.small.lines(),
            Some((plan, offset)) => Lines {
                shape: plan.shape(),
                strides: plan.strides(),
                len: plan.len(),
                offset: *offset,
            },
        }
    }
}

/// Gives `f` what `spec` stands for on `array`.
///
/// A closure, so that a small slice stays in registers, as it does not where it may also be a large
/// one.
#[inline(always)]
pub(super) fn with_lines<A, D: Dimension, I: SliceOf<D>, R>(
    array: &ArrayRef<A, D>,
    spec: &I,
    f: impl FnOnce(Lines<'_>) -> Result<R, SliceError>,
) -> Result<R, SliceError> {
    let (shape, strides) = (array.shape(), array.strides());
    let mut small = ViewPlan::NOWHERE;
    if spec.lay(shape, strides, &mut small)? {
        f(small.lines())
    } else {
        f(plan(array, spec.as_spec())?.lines(shape, strides)?)
    }
}

/// `array[spec]`
#[inline]
pub(super) fn view<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayView<'a, A, I::Out>, SliceError> {
    with_lines(array, spec, |lines| view_of(array, lines))
}

/// The view of `array` that `lines`, planned for just this array, stand for.
#[inline]
pub(super) fn view_of<'a, A, D: Dimension, O: Dimension>(
    array: &'a ArrayRef<A, D>,
    lines: Lines<'_>,
) -> Result<ArrayView<'a, A, O>, SliceError> {
    let (shape, start) = layout(lines)?;
    // SAFETY: the lowest element of the view is one of the array's, and so are all others; see
    // `layout`.
    let raw = unsafe { RawArrayView::from_shape_ptr(shape, array.as_ptr().offset(start)) };
    // SAFETY: all elements of the view are elements of `array`, which is borrowed for 'a.
    Ok(unsafe { flip(raw, lines).deref_into_view() })
}

/// `array[spec]`, to be written.
#[inline]
pub(super) fn view_mut<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a mut ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayViewMut<'a, A, I::Out>, SliceError> {
    let whole = Whole::new(array);
    // SAFETY: this is the only view that is made.
    with_lines(whole.array, spec, |lines| unsafe { whole.view_mut(lines) })
}

/// An array of which several mutable views are made.
pub(super) struct Whole<'a, A, D> {
    pub(super) array: &'a ArrayRef<A, D>,
    first: *mut A,
}

impl<'a, A, D: Dimension> Whole<'a, A, D> {
    #[inline(always)]
    pub(super) fn new(array: &'a mut ArrayRef<A, D>) -> Self {
        let first = array.as_mut_ptr();
        Whole { array, first }
    }

    /// The view that `lines`, planned for just this array, stand for.
    ///
    /// # Safety
    ///
    /// No element is in two of the views that are made of one `Whole`.
    #[inline]
    pub(super) unsafe fn view_mut<O: Dimension>(
        &self,
        lines: Lines<'_>,
    ) -> Result<ArrayViewMut<'a, A, O>, SliceError> {
        let (shape, start) = layout(lines)?;
        // SAFETY: the lowest element of the view is one of the array's, and so are all others; see
        // `layout`. No two positions are one element: no two of the array are (ndarray's
        // rule for arrays that can be written), each axis of the view walks an axis of its
        // own, and a new axis has length 1.
        let raw = unsafe { RawArrayViewMut::from_shape_ptr(shape, self.first.offset(start)) };
        // SAFETY: all elements of the view are elements of the array, which was mutably borrowed
        // for 'a when `first` was taken, and which nothing else reads or writes than such
        // views, each of which has elements of its own (the caller).
        Ok(unsafe { flip(raw, lines).deref_into_view_mut() })
    }
}
