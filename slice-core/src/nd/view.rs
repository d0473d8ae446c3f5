//! Views of an array: each axis that a slice takes is narrowed, and then the axes are regrouped, if
//! the slice drops or adds any.

use super::SliceOf;
use crate::axis;
use crate::encoding::SpecRef;
use crate::error::SliceError;
use crate::plan::walk;
use ::ndarray::{
    ArrayRef, ArrayView, ArrayViewMut, Axis, Dimension, RawArrayView, RawArrayViewMut,
    ShapeBuilder, StrideShape,
};
use core::mem::take;

/// What is left of an array: where its first element is, counted from that of the whole array,
/// and whether its axes are those of the result.
struct Narrowed {
    first: isize,
    same: bool,
}

/// Narrows the lengths and the strides (in bits of `isize`) of an array to what `spec` takes of each
/// axis; of an axis that an index takes, one position is left. `None` where the planner finds a
/// mistake ([`walk::mistake`]).
///
/// On every axis, the positions are inside that axis of the array: the rule of `axis::run` and
/// `axis::position`, held by exhaustive tests.
#[inline(never)]
fn narrow(spec: &SpecRef<'_>, lengths: &mut [usize], strides: &mut [usize]) -> Option<Narrowed> {
    let (m, rank, entries) = (&spec.masks, lengths.len(), spec.begin.len());
    let (mut axis, mut whole) = spec.whole_axes(rank)?;
    let (ends, steps) = (spec.end.get(..entries)?, spec.strides.get(..entries)?);
    let (mut bit, mut same, mut first) = (1_u32, true, 0_isize);
    for ((&begin, &end), &step) in spec.begin.iter().zip(ends).zip(steps) {
        if (m.ellipsis | m.new_axis) & bit != 0 {
            if m.ellipsis & bit != 0 {
                axis = axis.wrapping_add(take(&mut whole));
            } else {
                same = false;
            }
        } else {
            let (length, stride) = (lengths.get_mut(axis)?, strides.get_mut(axis)?);
            // No array has an axis longer than isize::MAX.
            let (n, by) = (*length as i64, *stride as isize);
            let start = if m.shrink_axis & bit != 0 {
                same = false;
                *length = 1;
                axis::position(begin, n).filter(|_| step > 0)?
            } else {
                let start = if m.begin & bit != 0 { None } else { Some(begin) };
                let stop = if m.end & bit != 0 { None } else { Some(end) };
                if step == 0 || spec.strict && axis::out_of_bounds(n, start, stop, step).is_some() {
                    return None;
                }
                let run = axis::run(n, start, stop, step);
                *length = run.len;
                // With two positions or more, the product is the distance of two of them.
                *stride = if run.len > 1 { by.wrapping_mul(step as isize) as usize } else { 0 };
                run.start
            };
            first = first.wrapping_add((start as isize).wrapping_mul(by));
            axis = axis.wrapping_add(1);
        }
        bit = bit.wrapping_shl(1);
    }
    (axis.wrapping_add(whole) == rank).then_some(Narrowed { first, same })
}

/// The lengths and strides of the result, of those that [`narrow`] left: without the axes that
/// indices take, and with new ones. `None` if they are not as many as `O` has.
#[inline(never)]
fn regrouped<O: Dimension>(
    spec: &SpecRef<'_>,
    lengths: &[usize],
    strides: &[usize],
) -> Option<(O, O)> {
    let m = &spec.masks;
    let (before, mut whole) = spec.whole_axes(lengths.len())?;
    let rank = O::NDIM.or_else(|| walk::out_rank(*spec, lengths.len()).ok())?;
    let (mut dim, mut signed) = (O::zeros(rank), O::zeros(rank));
    let mut places = slots(&mut dim).iter_mut().zip(slots(&mut signed));
    let mut put = |(&n, &stride): (&usize, &usize)| {
        let (length, step) = places.next()?;
        (*length, *step) = (n, stride);
        Some(())
    };
    let mut axes = lengths.iter().zip(strides);
    axes.by_ref().take(before).try_for_each(&mut put)?;
    for bit in (0..spec.len()).map(|entry| 1_u32.wrapping_shl(entry as u32)) {
        if m.ellipsis & bit != 0 {
            axes.by_ref().take(take(&mut whole)).try_for_each(&mut put)?;
        } else if m.new_axis & bit != 0 {
            put((&1, &0))?;
        } else {
            let axis = axes.next()?;
            if m.shrink_axis & bit == 0 {
                put(axis)?;
            }
        }
    }
    axes.try_for_each(&mut put)?;
    let all = places.next().is_none();
    all.then_some((dim, signed))
}

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
///   axis of the array is one of the result, or has one position ([`regrouped`]); a new axis has
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
    let (dim, signed) = if same {
        O::from_dimension(&lengths).zip(O::from_dimension(&bits))
    } else {
        regrouped::<O>(&spec, lengths.slice(), bits.slice())
    }
    .ok_or_else(wrong)?;
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
pub(super) fn no_view<O: Dimension>(spec: SpecRef<'_>, shape: &[usize]) -> SliceError {
    match (O::NDIM, walk::out_rank(spec, shape.len())) {
        (Some(expected), Ok(found)) if expected != found => {
            SliceError::RankMismatch { expected, found }
        }
        _ => walk::mistake(spec, shape),
    }
}

/// A function that makes ndarray's `$View` of what `spec` takes of an array.
macro_rules! views {
    ($name:ident $View:ident $first:ident) => {
        #[inline(never)]
        pub(super) fn $name<A, D: Dimension, O: Dimension>(
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
pub(super) fn view<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayView<'a, A, I::Out>, SliceError> {
    let view = raw_view(array.raw_view(), spec.as_spec())?;
    // SAFETY: all positions of the view are the array's, which is borrowed for 'a.
    Ok(unsafe { view.deref_into_view() })
}

/// `array[spec]`, to be written.
#[inline]
pub(super) fn view_mut<'a, A, D: Dimension, I: SliceOf<D>>(
    array: &'a mut ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayViewMut<'a, A, I::Out>, SliceError> {
    let view = raw_view_mut(array.raw_view_mut(), spec.as_spec())?;
    // SAFETY: all positions of the view are the array's, which is mutably borrowed for 'a: ndarray
    // lets no two positions of such an array be one element. This is the only view that is made.
    Ok(unsafe { view.deref_into_view_mut() })
}

/// Where the one element lies that a slice of indices takes, counted from the array's element
/// `[0, 0, …]`; `None` for other slices, and where there is a mistake.
#[inline]
fn position(spec: &SpecRef<'_>, shape: &[usize], strides: &[isize]) -> Option<isize> {
    let m = &spec.masks;
    let entries = 1_u32.wrapping_shl(shape.len() as u32).wrapping_sub(1);
    let indices = m.shrink_axis & !(m.ellipsis | m.new_axis);
    if spec.axis != 0
        || spec.begin.len() != shape.len()
        || shape.len() >= 32
        || entries & !indices != 0
    {
        return None;
    }
    let (axes, entries) = (shape.iter().zip(strides), spec.begin.iter().zip(spec.strides));
    let mut offset = 0_isize;
    for ((&n, &stride), (&index, &step)) in axes.zip(entries) {
        let at = axis::position(index, n as i64).filter(|_| step > 0)?;
        offset = offset.wrapping_add((at as isize).wrapping_mul(stride));
    }
    Some(offset)
}

/// How many axes a slice leaves that should leave none.
#[cold]
fn axes_left(left: usize) -> SliceError {
    SliceError::AxesLeft { left }
}

/// `array[spec]`, one element.
#[inline]
pub(super) fn element<'a, A, D: Dimension, I: SliceOf<D>>(
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
pub(super) fn element_mut<'a, A, D: Dimension, I: SliceOf<D>>(
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
