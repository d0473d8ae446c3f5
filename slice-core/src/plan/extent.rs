//! How far an array of any strides reaches, and whether it has gaps.

use crate::error::SliceError;

/// The offset of element `[0, 0, …]` from the lowest element that an array touches, and how many
/// elements it spans.
#[inline]
pub(crate) const fn extent(
    shape: &[usize],
    strides: &[isize],
) -> Result<(usize, usize), SliceError> {
    if shape.len() != strides.len() {
        return Err(SliceError::RankMismatch { expected: shape.len(), found: strides.len() });
    }
    match below_and_span(shape, strides) {
        Some(extent) => Ok(extent),
        None => Err(SliceError::ReachTooLarge),
    }
}

/// [`extent`] for a shape and strides of one length; `None` if the array is too large.
#[inline]
const fn below_and_span(mut shape: &[usize], mut strides: &[isize]) -> Option<(usize, usize)> {
    let (mut below, mut above, mut empty) = (0_usize, 0_usize, false);
    while let ([n, rest @ ..], [stride, others @ ..]) = (shape, strides) {
        (shape, strides) = (rest, others);
        let Some(last) = n.checked_sub(1) else {
            empty = true;
            continue;
        };
        let Some(reach) = last.checked_mul(stride.unsigned_abs()) else { return None };
        let side = if *stride < 0 { &mut below } else { &mut above };
        let Some(sum) = side.checked_add(reach) else { return None };
        *side = sum;
    }
    match below.checked_add(above) {
        Some(span) if span < isize::MAX as usize => {
            Some(if empty { (0, 0) } else { (below, span.wrapping_add(1)) })
        }
        _ => None,
    }
}

/// Whether the elements of a shape, which are `len`, lie one after the other.
#[inline]
pub(crate) fn is_one_run(shape: &[usize], strides: &[isize], len: usize) -> bool {
    // What an axis reaches is the length of itself and of those behind it.
    let mut inside = len;
    let mut axes = shape.iter().zip(strides).filter(|it| *it.0 != 1);
    let fits = axes.all(|(&n, &stride)| {
        let whole = n.wrapping_mul(stride as usize) == inside;
        inside = stride as usize;
        whole
    });
    len == 0 || fits && inside == 1
}
