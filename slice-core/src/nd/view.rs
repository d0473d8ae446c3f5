//! Makes ndarray's views of plans.

use super::SliceOf;
use crate::encoding::SpecRef;
use crate::error::SliceError;
use crate::plan::Plan;
use crate::plan::view_plan::{Lines, ViewPlan};
use ::ndarray::{
    ArrayBase, ArrayRef, ArrayView, ArrayViewMut, Axis, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4,
    RawArrayView, RawArrayViewMut, RawData, ShapeBuilder, StrideShape,
};
use alloc::boxed::Box;
use core::ops::Deref;

/// An error if the view has other axes than ndarray's type for its shape.
#[cfg_attr(not(debug_assertions), inline(always))]
fn check_rank<O: Dimension>(lines: Lines<'_>) -> Result<(), SliceError> {
    match O::NDIM {
        Some(expected) if expected != lines.shape.len() => {
            Err(SliceError::RankMismatch { expected, found: lines.shape.len() })
        }
        _ => Ok(()),
    }
}

/// A shape as ndarray's type for it; they have the same rank ([`check_rank`]).
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn dim<O: Dimension>(shape: &[usize]) -> O {
    let mut dim = O::zeros(shape.len());
    for (axis, &n) in shape.iter().enumerate() {
        dim[axis] = n;
    }
    dim
}

/// Whether an axis of the view moves the pointer at all.
#[cfg_attr(not(debug_assertions), inline(always))]
fn moves(lines: Lines<'_>, n: usize) -> bool {
    n > 1 && lines.len != 0
}

/// The view that `lines`, planned for an array, stand for: its shape and strides, all of them made
/// positive, and where its lowest element is, counted from the array's element `[0, 0, …]`.
///
/// What the functions below rely on:
/// - Not empty: the planner walks, on every axis, positions inside that axis of the array (its
///   rule, held by exhaustive tests), each axis once (it refuses a slice whose type or counts say
///   otherwise: `Walk::finish`, the only way to a plan); so every element of the view is one of the
///   array's, whose extent in elements and in bytes fits `isize`.
/// - Empty: one of the lengths is 0, since the lengths are all the axes that the planner
///   multiplied; the start is 0, and ndarray's own strides for empty arrays are 0.
/// - The product of the lengths was checked by the planner.
/// - `O` has as many axes as the view: [`sliced`] and [`Planned::set`] compare them.
#[cfg_attr(not(debug_assertions), inline(always))]
fn layout<O: Dimension>(lines: Lines<'_>) -> (StrideShape<O>, isize) {
    let dim = dim::<O>(lines.shape);
    if lines.len == 0 {
        return (dim.into(), 0);
    }
    let (mut steps, mut start) = (O::zeros(lines.shape.len()), lines.offset);
    for (axis, (&n, &s)) in lines.shape.iter().zip(lines.strides).enumerate() {
        if moves(lines, n) {
            steps[axis] = s.unsigned_abs();
            // The sum stays inside the array.
            start = start.wrapping_add(s.min(0).wrapping_mul(n.wrapping_sub(1) as isize));
        }
    }
    (dim.strides(steps), start)
}

/// Reverses the axes that are walked backwards, whose strides [`layout`] made positive.
#[cfg_attr(not(debug_assertions), inline(always))]
fn flip<S: RawData, O: Dimension>(mut view: ArrayBase<S, O>, lines: Lines<'_>) -> ArrayBase<S, O> {
    for (axis, (&n, &s)) in lines.shape.iter().zip(lines.strides).enumerate() {
        if s < 0 && moves(lines, n) {
            view.invert_axis(Axis(axis));
        }
    }
    view
}

/// A function that makes ndarray's `$View` of an array whose element `[0, 0, …]` is `first`.
///
/// A view of `IxDyn` is made at its rank first, which takes a third of the time.
macro_rules! raw_views {
    ($name:ident $View:ident $pointer:ty) => {
        /// # Safety
        ///
        /// `lines` were planned for the array; for a view to be written, no two positions of the
        /// array are one element.
        #[cfg_attr(not(debug_assertions), inline(always))]
        unsafe fn $name<A, O: Dimension>(first: $pointer, lines: Lines<'_>) -> $View<A, O> {
            /// # Safety
            ///
            /// As the function around it.
            #[cfg_attr(not(debug_assertions), inline(always))]
            unsafe fn make<A, O: Dimension>(first: $pointer, lines: Lines<'_>) -> $View<A, O> {
                let (shape, start) = layout(lines);
                // SAFETY: the lowest element of the view is one of the array's, and so are all
                // others; see `layout`. Each axis walks an axis of its own, or is a new one of
                // length 1, so no two positions are one element where none of the array are.
                flip(unsafe { $View::from_shape_ptr(shape, first.offset(start)) }, lines)
            }
            macro_rules! at_rank {
                ($rank:ty) => {
                    // SAFETY: the caller's promise.
                    unsafe { make::<A, $rank>(first, lines) }.into_dimensionality().ok()
                };
            }
            if O::NDIM.is_some() {
                // SAFETY: the caller's promise.
                return unsafe { make(first, lines) };
            }
            let known = match lines.shape.len() {
                0 => at_rank!(Ix0),
                1 => at_rank!(Ix1),
                2 => at_rank!(Ix2),
                3 => at_rank!(Ix3),
                4 => at_rank!(Ix4),
                _ => None,
            };
            // SAFETY: the caller's promise.
            known.unwrap_or_else(|| unsafe { make(first, lines) })
        }
    };
}
raw_views!(raw_view RawArrayView *const A);
raw_views!(raw_view_mut RawArrayViewMut *mut A);

/// A slice planned for an array as it lies in memory.
#[expect(clippy::large_enum_variant, reason = "it is made in place, and not moved")]
pub(super) enum Planned {
    Small(ViewPlan),
    /// With where it starts, counted from the array's element `[0, 0, …]`.
    Large(Box<Plan>, isize),
}

impl Planned {
    /// A place for a plan, which [`set`](Self::set) makes.
    pub(super) const NOTHING: Planned = Planned::Small(ViewPlan::NOWHERE);

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn set<A, D: Dimension, I: SliceOf<D>>(
        &mut self,
        array: &ArrayRef<A, D>,
        spec: &I,
    ) -> Result<(), SliceError> {
        let (shape, strides) = (array.shape(), array.strides());
        let here = match self {
            Planned::Small(small) => spec.plan_here(shape, strides, small),
            Planned::Large(..) => false,
        };
        if !here {
            self.set_general(spec.as_spec(), shape, strides)?;
        }
        check_rank::<I::Out>(self.lines())
    }

    /// Plans in place, because moving a plan costs as much as making it.
    #[inline(never)]
    fn set_general(
        &mut self,
        spec: SpecRef<'_>,
        shape: &[usize],
        strides: &[isize],
    ) -> Result<(), SliceError> {
        if let Planned::Small(small) = self
            && small.set(spec, shape, strides)?
        {
            return Ok(());
        }
        let plan = spec.plan_strided(shape, strides)?;
        let offset = plan.lines(shape, strides)?.offset;
        *self = Planned::Large(Box::new(plan), offset);
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn lines(&self) -> Lines<'_> {
        match self {
            Planned::Small(plan) => plan.lines(),
            Planned::Large(plan, offset) => Lines {
                shape: plan.shape(),
                strides: plan.strides(),
                len: plan.len(),
                offset: *offset,
            },
        }
    }
}

/// An array, by reference, and a slice planned for just this array.
pub(super) struct Sliced<'l, P> {
    array: P,
    lines: Lines<'l>,
}

impl<'l, P> Sliced<'l, P> {
    /// The lengths, strides and offset of the view.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn lines(&self) -> Lines<'l> {
        self.lines
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn into_array(self) -> P {
        self.array
    }

    /// Plans in `room` with code for only this kind of slice, or returns the array.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn here<A, D, I>(array: P, spec: &I, room: &'l mut ViewPlan) -> Result<Self, P>
    where
        D: Dimension,
        P: Deref<Target = ArrayRef<A, D>>,
        I: SliceOf<D>,
    {
        if spec.plan_here(array.shape(), array.strides(), room)
            && check_rank::<I::Out>(room.lines()).is_ok()
        {
            Ok(Sliced { array, lines: room.lines() })
        } else {
            Err(array)
        }
    }
}

/// Calls `$f` with the array and the slice planned for it.
///
/// Each planner has its own copy of `$f`, so that a small slice stays in registers, which it would
/// not if it could also be a large one. This is a macro, because nothing makes the compiler inline
/// a closure.
macro_rules! sliced {
    ($array:expr, $spec:expr, $f:expr) => {
        match Sliced::here($array, $spec, &mut { ViewPlan::NOWHERE }) {
            Ok(sliced) => $f(sliced),
            Err(array) => general::<A, D, _, I::Out, _>(array, $spec.as_spec(), $f),
        }
    };
}

/// Calls `f` with the array and the slice planned for it.
#[inline]
pub(super) fn sliced<A, D, P, I, R>(
    array: P,
    spec: &I,
    f: impl FnOnce(Sliced<'_, P>) -> Result<R, SliceError>,
) -> Result<R, SliceError>
where
    D: Dimension,
    P: Deref<Target = ArrayRef<A, D>>,
    I: SliceOf<D>,
{
    sliced!(array, spec, f)
}

/// [`sliced`] with the general planner, in a function of its own, so that the rest is small enough
/// to be inlined.
#[inline(never)]
fn general<A, D, P, O, R>(
    array: P,
    spec: SpecRef<'_>,
    f: impl FnOnce(Sliced<'_, P>) -> Result<R, SliceError>,
) -> Result<R, SliceError>
where
    D: Dimension,
    P: Deref<Target = ArrayRef<A, D>>,
    O: Dimension,
{
    let mut planned = Planned::NOTHING;
    planned.set_general(spec, array.shape(), array.strides())?;
    check_rank::<O>(planned.lines())?;
    f(Sliced { array, lines: planned.lines() })
}

/// The view that is sliced.
#[cfg_attr(not(debug_assertions), inline(always))]
fn view_of<'a, A, D: Dimension, O: Dimension>(
    Sliced { array, lines }: Sliced<'_, &'a ArrayRef<A, D>>,
) -> Result<ArrayView<'a, A, O>, SliceError> {
    // SAFETY: the lines were planned for `array`, which is borrowed for 'a.
    Ok(unsafe { raw_view(array.as_ptr(), lines).deref_into_view() })
}

/// The view that is sliced, to be written.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn view_mut_of<'a, A, D: Dimension, O: Dimension>(
    Sliced { array, lines }: Sliced<'_, &'a mut ArrayRef<A, D>>,
) -> Result<ArrayViewMut<'a, A, O>, SliceError> {
    // SAFETY: this is the only view that is made, and the lines were planned for the array.
    Ok(unsafe { SplitArray::new(array).view_mut(lines) })
}

/// An error if the slice does not take one element.
#[cfg_attr(not(debug_assertions), inline(always))]
fn check_one(lines: Lines<'_>) -> Result<(), SliceError> {
    match lines.shape.len() {
        0 => Ok(()),
        left => Err(SliceError::AxesLeft { left }),
    }
}

/// The one element that is sliced.
#[cfg_attr(not(debug_assertions), inline(always))]
fn element_of<'a, A, D: Dimension>(
    Sliced { array, lines }: Sliced<'_, &'a ArrayRef<A, D>>,
) -> Result<&'a A, SliceError> {
    check_one(lines)?;
    // SAFETY: a view without axes is one element of the array, which is borrowed for 'a.
    Ok(unsafe { &*array.as_ptr().offset(lines.offset) })
}

/// The one element that is sliced, to be written.
#[cfg_attr(not(debug_assertions), inline(always))]
fn element_mut_of<'a, A, D: Dimension>(
    Sliced { array, lines }: Sliced<'_, &'a mut ArrayRef<A, D>>,
) -> Result<&'a mut A, SliceError> {
    check_one(lines)?;
    // SAFETY: a view without axes is one element of the array, which is mutably borrowed for 'a.
    Ok(unsafe { &mut *array.as_mut_ptr().offset(lines.offset) })
}

/// `array[spec]`
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn view<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayView<'a, A, I::Out>, SliceError> {
    sliced!(array, spec, view_of)
}

/// `array[spec]`, to be written.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn view_mut<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a mut ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayViewMut<'a, A, I::Out>, SliceError> {
    sliced!(array, spec, view_mut_of)
}

/// `array[spec]`, one element.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn element<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> Result<&'a A, SliceError> {
    sliced!(array, spec, element_of)
}

/// `array[spec]`, one element to be written.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn element_mut<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a mut ArrayRef<A, D>,
    spec: &I,
) -> Result<&'a mut A, SliceError> {
    sliced!(array, spec, element_mut_of)
}

/// An array of which several mutable views are made.
pub(super) struct SplitArray<'a, A, D> {
    pub(super) array: &'a ArrayRef<A, D>,
    first: *mut A,
}

impl<'a, A, D: Dimension> SplitArray<'a, A, D> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(array: &'a mut ArrayRef<A, D>) -> Self {
        let first = array.as_mut_ptr();
        SplitArray { array, first }
    }

    /// The view that `lines`, planned for just this array, stand for.
    ///
    /// # Safety
    ///
    /// No element is in two of the views that are made of one `SplitArray`; `lines` were planned
    /// for the array.
    #[inline]
    pub(super) unsafe fn view_mut<O: Dimension>(&self, lines: Lines<'_>) -> ArrayViewMut<'a, A, O> {
        // SAFETY: the lines were planned for the array (the caller), which can be written: ndarray
        // lets no two positions of such an array be one element.
        let raw = unsafe { raw_view_mut(self.first, lines) };
        // SAFETY: all elements of the view are elements of the array, which was mutably borrowed
        // for 'a when `first` was taken, and which nothing else reads or writes than such
        // views, each of which has elements of its own (the caller).
        unsafe { raw.deref_into_view_mut() }
    }
}
