//! What a slice takes of an array that has strides of its own.

use crate::axis;
use crate::encoding::SpecRef;
use crate::error::SliceError;
use crate::plan::walk;
use core::mem::take;

/// What a range takes of an axis: the positions `begin`, `begin + step` and so on that lie below
/// `end`; if the step is negative, `end - 1`, `end - 1 + step` and so on that do not lie below
/// `begin`. Both are in `0..=n` on an axis of `n` positions; `end` may lie below `begin`, where
/// nothing is taken.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// The lower end.
    pub begin: isize,
    /// One past the upper end.
    pub end: isize,
    /// Never 0.
    pub step: isize,
}

/// Narrows an array of `rank` axes to what a slice takes of it, entry by entry. `len` gives the
/// length of an axis, and `cut` narrows it, unless all of it is taken; `change` takes an axis away,
/// of which it leaves the position that it is given, or puts a new one before it. `None` where the
/// planner finds a mistake ([`mistake`]).
#[inline]
#[expect(clippy::indexing_slicing, reason = "all three lists are as long as there are entries")]
pub fn narrow<A: ?Sized>(
    spec: &SpecRef<'_>,
    rank: usize,
    array: &mut A,
    len: impl Fn(&A, usize) -> usize,
    cut: impl Fn(&mut A, usize, Cut),
    change: impl Fn(&mut A, usize, Option<usize>),
) -> Option<()> {
    let (m, entries) = (&spec.masks, spec.begin.len());
    // The axis that the next entry finds in the array as it is now, and how many are left there.
    let (mut axis, mut whole) = spec.whole_axes(rank)?;
    let mut left = rank.checked_sub(axis)?;
    let (ends, steps) = (spec.end.get(..entries)?, spec.strides.get(..entries)?);
    for i in 0..entries {
        let bit = 1_u32.wrapping_shl(i as u32);
        if (m.ellipsis | m.new_axis) & bit != 0 {
            if m.ellipsis & bit != 0 {
                // A forged type may announce fewer entries than take an axis.
                left = left.checked_sub(whole)?;
                axis = axis.wrapping_add(take(&mut whole));
            } else {
                change(array, axis, None);
                axis = axis.wrapping_add(1);
            }
            continue;
        }
        let step = steps[i];
        left = left.checked_sub(1).filter(|_| step != 0)?;
        // No array has an axis longer than isize::MAX.
        let n = len(array, axis) as i64;
        if m.shrink_axis & bit != 0 {
            let at = axis::position(spec.begin[i], n).filter(|_| step > 0)?;
            change(array, axis, Some(at as usize));
            continue;
        }
        let start = if m.begin & bit != 0 { None } else { Some(spec.begin[i]) };
        let stop = if m.end & bit != 0 { None } else { Some(ends[i]) };
        if spec.strict && axis::out_of_bounds(n, start, stop, step).is_some() {
            return None;
        }
        let (start, stop) = axis::clamp(n, start, stop, step);
        // Under a negative step both lie in -1..n.
        let (low, high) =
            if step > 0 { (start, stop) } else { (stop.wrapping_add(1), start.wrapping_add(1)) };
        // A step that isize does not hold takes one position, as the longest does.
        let longest = if step < 0 { isize::MIN } else { isize::MAX };
        let step = isize::try_from(step).unwrap_or(longest);
        // `:` leaves the axis as it is.
        if (low, high, step) != (0, n, 1) {
            cut(array, axis, Cut { begin: low as isize, end: high as isize, step });
        }
        axis = axis.wrapping_add(1);
    }
    (left == whole).then_some(())
}

/// Lays out the view that a slice takes of an array of `rank` axes: `axis` gives the length and the
/// stride of one of them, and `put` takes those of the axes of the result, in order. Returns where
/// the first element of the result is, counted from the array's element `[0, 0, …]`; `None` where
/// the planner finds a mistake ([`mistake`]), or `put` returns it.
///
/// Each axis of the array is one of the result, or an index takes one position of it; a new axis
/// has one position. On every axis, the positions are inside that axis of the array: the rule of
/// `axis::run` and `axis::position`, held by exhaustive tests.
#[inline]
#[expect(clippy::indexing_slicing, reason = "all three lists are as long as there are entries")]
pub fn lay(
    spec: &SpecRef<'_>,
    rank: usize,
    axis: impl Fn(usize) -> (usize, isize),
    mut put: impl FnMut(usize, isize) -> Option<()>,
) -> Option<isize> {
    let (m, entries) = (&spec.masks, spec.begin.len());
    let (ends, steps) = (spec.end.get(..entries)?, spec.strides.get(..entries)?);
    let (before, mut spare) = spec.whole_axes(rank)?;
    let mut axes = 0..rank;
    let mut first = 0_isize;
    // Takes so many axes whole.
    macro_rules! whole {
        ($count:expr) => {
            for _ in 0..$count {
                let (n, stride) = axis(axes.next()?);
                put(n, stride)?;
            }
        };
    }
    whole!(before);
    for i in 0..entries {
        let bit = 1_u32.wrapping_shl(i as u32);
        if (m.ellipsis | m.new_axis) & bit != 0 {
            if m.ellipsis & bit != 0 {
                whole!(take(&mut spare));
            } else {
                put(1, 0)?;
            }
            continue;
        }
        let (n, stride) = axis(axes.next()?);
        // No array has an axis longer than isize::MAX.
        let (n, step) = (n as i64, steps[i]);
        let start = if m.shrink_axis & bit != 0 {
            axis::position(spec.begin[i], n).filter(|_| step > 0)?
        } else {
            let start = if m.begin & bit != 0 { None } else { Some(spec.begin[i]) };
            let stop = if m.end & bit != 0 { None } else { Some(ends[i]) };
            if step == 0 || spec.strict && axis::out_of_bounds(n, start, stop, step).is_some() {
                return None;
            }
            let run = axis::run(n, start, stop, step);
            // With two positions or more, the product is the distance of two of them.
            put(run.len, if run.len > 1 { stride.wrapping_mul(step as isize) } else { 0 })?;
            run.start
        };
        first = first.wrapping_add((start as isize).wrapping_mul(stride));
    }
    whole!(spare);
    // A forged type may announce other numbers of axes.
    if axes.next().is_some() { None } else { Some(first) }
}

/// Where the one element lies that a slice of indices takes, counted from the array's element
/// `[0, 0, …]`; `None` for other slices, and where there is a mistake.
#[inline]
pub fn position(spec: &SpecRef<'_>, shape: &[usize], strides: &[isize]) -> Option<isize> {
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

/// What is wrong with a slice that cannot be taken of an array of this shape.
#[cold]
pub fn mistake(spec: SpecRef<'_>, shape: &[usize]) -> SliceError {
    walk::mistake(spec, shape)
}

/// How many axes the result has.
///
/// # Errors
///
/// More entries than axes, or more axes than a plan has.
#[inline]
pub fn out_rank(spec: SpecRef<'_>, rank: usize) -> Result<usize, SliceError> {
    walk::out_rank(spec, rank)
}

/// How many axes are taken whole before the first entry, and how many by the ellipsis.
///
/// # Errors
///
/// More entries than axes, or an axis that is not there.
#[inline]
pub fn whole_axes(spec: SpecRef<'_>, rank: usize) -> Result<(usize, usize), SliceError> {
    spec.whole_axes(rank).ok_or_else(|| spec.misfit(rank))
}
