//! Narrows the axes of an array to what a slice takes of them.

use crate::axis;
use crate::encoding::SpecRef;
use crate::error::SliceError;
use crate::plan::walk;
use core::mem::take;

/// What is left of an array: where its first element is, counted from that of the whole array,
/// and whether its axes are those of the result.
#[derive(Debug)]
pub struct Narrowed {
    /// In elements.
    pub first: isize,
    /// Whether no axis is dropped and none is added.
    pub same: bool,
}

/// Narrows the lengths and the strides (in bits of `isize`) of an array to what `spec` takes of each
/// axis; of an axis that an index takes, one position is left. `None` where the planner finds a
/// mistake ([`mistake`]).
///
/// On every axis, the positions are inside that axis of the array: the rule of `axis::run` and
/// `axis::position`, held by exhaustive tests.
#[inline(never)]
pub fn narrow(
    spec: &SpecRef<'_>,
    lengths: &mut [usize],
    strides: &mut [usize],
) -> Option<Narrowed> {
    let (m, rank, entries) = (&spec.masks, lengths.len(), spec.begin.len());
    let (mut axis, mut whole) = spec.whole_axes(rank)?;
    let (ends, steps) = (spec.end.get(..entries)?, spec.strides.get(..entries)?);
    let (mut bit, mut drops, mut adds, mut first) = (1_u32, 0_u8, 0_u8, 0_isize);
    for ((&begin, &end), &step) in spec.begin.iter().zip(ends).zip(steps) {
        if (m.ellipsis | m.new_axis) & bit != 0 {
            if m.ellipsis & bit != 0 {
                axis = axis.wrapping_add(take(&mut whole));
            } else {
                adds = adds.wrapping_add(1);
            }
        } else {
            let (length, stride) = (lengths.get_mut(axis)?, strides.get_mut(axis)?);
            // No array has an axis longer than isize::MAX.
            let (n, by) = (*length as i64, *stride as isize);
            let start = if m.shrink_axis & bit != 0 {
                drops = drops.wrapping_add(1);
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
    // The result has the rank that the slice announced; a forged type may count other entries.
    let counted = drops.wrapping_add(spec.counts.adds) == adds.wrapping_add(spec.counts.drops);
    let same = drops == 0 && adds == 0;
    (counted && axis.wrapping_add(whole) == rank).then_some(Narrowed { first, same })
}

/// The lengths and strides of the result, of those that [`narrow`] left: without the axes that
/// indices take, and with new ones. They go to `result`, which has room for as many as the result
/// has; `None` if these are not as many.
#[inline(never)]
pub fn regroup(
    spec: &SpecRef<'_>,
    (lengths, strides): (&[usize], &[usize]),
    (result_lengths, result_strides): (&mut [usize], &mut [usize]),
) -> Option<()> {
    let m = &spec.masks;
    let (before, mut whole) = spec.whole_axes(lengths.len())?;
    let mut places = result_lengths.iter_mut().zip(result_strides);
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
    if places.next().is_some() { None } else { Some(()) }
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
