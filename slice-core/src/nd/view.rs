//! Makes ndarray's views of plans.

use super::SliceOf;
use crate::encoding::SpecRef;
use crate::error::SliceError;
use crate::plan::Plan;
use crate::plan::view_plan::{Lines, ViewPlan, lay, position};
use crate::plan::walk;
use ::ndarray::{
    ArrayBase, ArrayRef, ArrayView, ArrayViewMut, Axis, Dimension, RawArrayView, RawArrayViewMut,
    RawData, ShapeBuilder, StrideShape,
};
use alloc::boxed::Box;
use core::ops::Deref;

/// An error if the view has other axes than ndarray's type for its shape.
#[inline]
fn check_rank<O: Dimension>(lines: Lines<'_>) -> Result<(), SliceError> {
    match O::NDIM {
        Some(expected) if expected != lines.shape.len() => {
            Err(SliceError::RankMismatch { expected, found: lines.shape.len() })
        }
        _ => Ok(()),
    }
}

/// A shape as ndarray's type for it; they have the same rank ([`check_rank`]).
#[inline]
pub(super) fn dim<O: Dimension>(shape: &[usize]) -> O {
    let mut dim = O::zeros(shape.len());
    for (axis, &n) in shape.iter().enumerate() {
        dim[axis] = n;
    }
    dim
}

/// Whether an axis of the view moves the pointer at all.
#[inline]
fn moves(lines: Lines<'_>, n: usize) -> bool {
    n > 1 && lines.len != 0
}

/// The view that `lines`, planned for an array, stand for: its shape and strides, all of them made
/// positive, and where its lowest element is, counted from the array's element `[0, 0, …]`.
///
/// What the functions below rely on:
/// - Not empty: the planner walks, on every axis, positions inside that axis of the array (its
///   rule, held by exhaustive tests), each axis once (it refuses a slice whose type or counts say
///   otherwise, in `walk::entries` and in `lay`); so every element of the view is one of the
///   array's, whose extent in elements and in bytes fits `isize`.
/// - Empty: one of the lengths is 0, since the lengths are all the axes that the planner
///   multiplied; the start is 0, and ndarray's own strides for empty arrays are 0.
/// - The product of the lengths was checked by the planner.
/// - `O` has as many axes as the view: [`laid`] and [`Planned::set`] compare them.
#[inline]
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
#[inline]
fn flip<S: RawData, O: Dimension>(mut view: ArrayBase<S, O>, lines: Lines<'_>) -> ArrayBase<S, O> {
    for (axis, (&n, &s)) in lines.shape.iter().zip(lines.strides).enumerate() {
        if s < 0 && moves(lines, n) {
            view.invert_axis(Axis(axis));
        }
    }
    view
}

/// ndarray's view, to be written, of an array whose element `[0, 0, …]` is `first`.
///
/// # Safety
///
/// `lines` were planned for the array, no two positions of which are one element.
#[inline]
unsafe fn raw_view_mut<A, O: Dimension>(first: *mut A, lines: Lines<'_>) -> RawArrayViewMut<A, O> {
    let (shape, start) = layout(lines);
    // SAFETY: the lowest element of the view is one of the array's, and so are all others; see
    // `layout`. Each axis walks an axis of its own, or is a new one of length 1, so no two positions
    // are one element, as none of the array are.
    flip(unsafe { RawArrayViewMut::from_shape_ptr(shape, first.offset(start)) }, lines)
}

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

    /// Plans a slice of an array, whose result has the dimension `O`.
    #[inline(never)]
    pub(super) fn set<O: Dimension>(
        &mut self,
        spec: SpecRef<'_>,
        shape: &[usize],
        strides: &[isize],
    ) -> Result<(), SliceError> {
        self.set_general(spec, shape, strides)?;
        check_rank::<O>(self.lines())
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

    #[inline]
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

/// A view laid out for an array: shape, strides as ndarray takes them, which are not negative, and
/// where the lowest element is, counted from the array's element `[0, 0, …]`; and the strides with
/// their signs.
struct Laid<O: Dimension> {
    shape: StrideShape<O>,
    start: isize,
    signed: O,
}

/// Lays out the view that `spec` takes of an array of this shape and these strides. What makes it
/// sound is what [`layout`] relies on.
#[inline(never)]
fn laid<O: Dimension>(
    spec: SpecRef<'_>,
    shape: &[usize],
    strides: &[isize],
) -> Result<Laid<O>, SliceError> {
    let rank = match O::NDIM {
        Some(rank) => rank,
        None => walk::out_rank(spec, shape.len())?,
    };
    let (mut dim, mut signed) = (O::zeros(rank), O::zeros(rank));
    let places = (slots(&mut dim), slots(&mut signed));
    let Some(offset) = lay(&spec, shape, strides, places) else {
        return Err(no_view::<O>(spec, shape));
    };
    let (mut steps, mut start, mut some) = (signed.clone(), offset, true);
    for (&mut n, step) in slots(&mut dim.clone()).iter_mut().zip(slots(&mut steps)) {
        let signed = *step as isize;
        *step = signed.unsigned_abs();
        // The sum stays inside the array.
        start = start.wrapping_add(signed.min(0).wrapping_mul(n.wrapping_sub(1) as isize));
        some &= n != 0;
    }
    if some {
        return Ok(Laid { shape: dim.strides(steps), start, signed });
    }
    Ok(Laid { shape: dim.into(), start: 0, signed: O::zeros(rank) })
}

/// The lengths of a shape, to be written.
#[inline]
fn slots<O: Dimension>(dim: &mut O) -> &mut [usize] {
    dim.as_array_view_mut().into_slice().unwrap_or_default()
}

/// What is wrong with a slice that cannot be laid out for ndarray's type `O`.
#[cold]
#[inline(never)]
fn no_view<O: Dimension>(spec: SpecRef<'_>, shape: &[usize]) -> SliceError {
    match (O::NDIM, walk::out_rank(spec, shape.len())) {
        (Some(expected), Ok(found)) if expected != found => {
            SliceError::RankMismatch { expected, found }
        }
        _ => walk::mistake(spec, shape),
    }
}

/// An array, by reference, and a slice planned for just this array.
pub(super) struct Sliced<'l, P> {
    array: P,
    lines: Lines<'l>,
}

impl<'l, P> Sliced<'l, P> {
    /// The lengths, strides and offset of the view.
    #[inline]
    pub(super) fn lines(&self) -> Lines<'l> {
        self.lines
    }

    #[inline]
    pub(super) fn into_array(self) -> P {
        self.array
    }
}

/// Calls `f` with the array and the plan of a slice of it.
#[inline(never)]
pub(super) fn sliced<A, D, P, O, R>(
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
    planned.set::<O>(spec, array.shape(), array.strides())?;
    f(Sliced { array, lines: planned.lines() })
}

/// A function that makes ndarray's `$View` of the view that `spec` takes of an array whose element
/// `[0, 0, …]` is `first`.
macro_rules! direct_views {
    ($name:ident $View:ident $pointer:ty) => {
        /// # Safety
        ///
        /// The array has this shape and these strides; for a view to be written, no two positions
        /// of the array are one element.
        #[inline(never)]
        unsafe fn $name<A, O: Dimension>(
            first: $pointer,
            spec: SpecRef<'_>,
            shape: &[usize],
            strides: &[isize],
        ) -> Result<$View<A, O>, SliceError> {
            let Laid { shape, start, signed } = laid::<O>(spec, shape, strides)?;
            // SAFETY: the lowest element of the view is one of the array's, and so are all others;
            // see `layout`. Each axis walks an axis of its own, or is a new one of length 1, so no
            // two positions are one element where none of the array are.
            let mut view = unsafe { $View::from_shape_ptr(shape, first.offset(start)) };
            for axis in 0..signed.ndim() {
                if (signed[axis] as isize) < 0 {
                    view.invert_axis(Axis(axis));
                }
            }
            Ok(view)
        }
    };
}
direct_views!(direct RawArrayView *const A);
direct_views!(direct_mut RawArrayViewMut *mut A);

/// `array[spec]`
#[inline]
pub(super) fn view<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayView<'a, A, I::Out>, SliceError> {
    let (shape, strides) = (array.shape(), array.strides());
    // SAFETY: shape and strides are the array's, which is borrowed for 'a.
    unsafe { Ok(direct(array.as_ptr(), spec.as_spec(), shape, strides)?.deref_into_view()) }
}

/// `array[spec]`, to be written.
#[inline]
pub(super) fn view_mut<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a mut ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayViewMut<'a, A, I::Out>, SliceError> {
    let first = array.as_mut_ptr();
    let (shape, strides) = (array.shape(), array.strides());
    // SAFETY: shape and strides are the array's, which is mutably borrowed for 'a: ndarray lets no
    // two positions of such an array be one element. This is the only view that is made.
    unsafe { Ok(direct_mut(first, spec.as_spec(), shape, strides)?.deref_into_view_mut()) }
}

/// Where the one element lies that is sliced, counted from the array's element `[0, 0, …]`.
#[inline(never)]
fn place(spec: SpecRef<'_>, shape: &[usize], strides: &[isize]) -> Result<isize, SliceError> {
    match position(&spec, shape, strides) {
        Some(at) => Ok(at),
        None => general_place(spec, shape, strides),
    }
}

/// [`place`] for slices that are not just an index for each axis, and for mistakes.
#[cold]
#[inline(never)]
fn general_place(
    spec: SpecRef<'_>,
    shape: &[usize],
    strides: &[isize],
) -> Result<isize, SliceError> {
    match walk::out_rank(spec, shape.len())? {
        0 => {
            lay(&spec, shape, strides, (&mut [], &mut [])).ok_or_else(|| walk::mistake(spec, shape))
        }
        // The slice itself may be wrong.
        left => {
            spec.plan_strided(shape, strides)?;
            Err(SliceError::AxesLeft { left })
        }
    }
}

/// `array[spec]`, one element.
#[inline]
pub(super) fn element<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> Result<&'a A, SliceError> {
    let at = place(spec.as_spec(), array.shape(), array.strides())?;
    // SAFETY: this is an element of the array, which is borrowed for 'a.
    Ok(unsafe { &*array.as_ptr().offset(at) })
}

/// `array[spec]`, one element to be written.
#[inline]
pub(super) fn element_mut<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a mut ArrayRef<A, D>,
    spec: &I,
) -> Result<&'a mut A, SliceError> {
    let at = place(spec.as_spec(), array.shape(), array.strides())?;
    // SAFETY: this is an element of the array, which is mutably borrowed for 'a.
    Ok(unsafe { &mut *array.as_mut_ptr().offset(at) })
}

/// An array of which several mutable views are made.
pub(super) struct SplitArray<'a, A, D> {
    pub(super) array: &'a ArrayRef<A, D>,
    first: *mut A,
}

impl<'a, A, D: Dimension> SplitArray<'a, A, D> {
    #[inline]
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
