//! How far an array of any strides reaches.

use crate::error::SliceError;

/// The offset of element `[0, 0, …]` from the lowest element that an array touches, and how many
/// elements it spans.
#[inline]
pub(crate) const fn extent(
    mut shape: &[usize],
    mut strides: &[isize],
) -> Result<(usize, usize), SliceError> {
    if shape.len() != strides.len() {
        return Err(SliceError::RankMismatch { expected: shape.len(), found: strides.len() });
    }
    let (mut below, mut above, mut empty) = (0_usize, 0_usize, false);
    while let (Some((&n, rest)), Some((&s, more))) = (shape.split_first(), strides.split_first()) {
        (shape, strides) = (rest, more);
        if n == 0 {
            empty = true;
            continue;
        }
        // n is at least 1 here.
        let Some(reach) = n.wrapping_sub(1).checked_mul(s.unsigned_abs()) else {
            return Err(SliceError::ShapeTooLarge);
        };
        let side = if s < 0 { &mut below } else { &mut above };
        match side.checked_add(reach) {
            Some(v) => *side = v,
            None => return Err(SliceError::ShapeTooLarge),
        }
    }
    match below.checked_add(above) {
        Some(v) if v < isize::MAX as usize => {
            if empty {
                Ok((0, 0))
            } else {
                Ok((below, v.wrapping_add(1)))
            }
        }
        _ => Err(SliceError::ShapeTooLarge),
    }
}
