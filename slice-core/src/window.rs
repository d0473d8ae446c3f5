//! A window that may begin before an array or end behind it: [`window`].

use crate::encoding::{SliceIndex, SpecBuf};
use crate::error::SliceError;
use crate::plan::Plan;
use core::ops::Range;

/// Plans a window of `size` positions from `begin` on, on each axis of an array of shape `shape`:
/// what is taken of the array, and where it goes in an array of shape `size`. What lies outside the
/// array is for the caller to fill.
///
/// A negative `begin` is that many positions before the array. It does not count from the end, as it
/// does in a slice, where `x[-5:295]` is empty, or another part of `x`.
///
/// # Units and shapes
///
/// All numbers are positions on an axis. Both plans have the same shape, which is `size` where the
/// window lies inside the array.
///
/// # Errors
///
/// [`SliceError::RankMismatch`] if `begin` or `size` does not have a number for each axis,
/// [`SliceError::ShapeTooLarge`] if the window has more elements than `isize::MAX`, and
/// [`SliceError::TooLong`] for more than 31 axes.
///
/// # Examples
///
/// A crop that hangs over the upper edge of a picture:
///
/// ```
/// use pyslice::window;
///
/// let photo: Vec<u8> = (1..=12).collect(); // 3 rows of 4
/// let (take, place) = window(&[3, 4], &[-1, 2], &[3, 2])?;
/// let mut crop = vec![0; 6];
/// place.assign(&mut crop, take.on(&photo)?)?;
/// assert_eq!(crop, [0, 0, 3, 4, 7, 8]);
/// # Ok::<(), pyslice::SliceError>(())
/// ```
///
/// # Source
///
/// SciPy's and PyTorch's constant padding of a crop; NumPy has no such function.
#[doc(alias = "pad", alias = "crop")]
#[inline]
pub fn window(
    shape: &[usize],
    begin: &[impl SliceIndex + Copy],
    size: &[usize],
) -> Result<(Plan, Plan), SliceError> {
    let (take, place) = slices(shape, begin, size)?;
    Ok((take.plan(shape)?, place.plan(size)?))
}

/// The slices that [`window`] plans.
#[inline]
fn slices(
    shape: &[usize],
    begin: &[impl SliceIndex + Copy],
    size: &[usize],
) -> Result<(SpecBuf, SpecBuf), SliceError> {
    let (mut take, mut place) = (SpecBuf::default(), SpecBuf::default());
    for [taken, placed] in ranges(shape, begin, size)? {
        take.push(taken.into())?;
        place.push(placed.into())?;
    }
    Ok((take, place))
}

/// On each axis, what is taken of the array, and where it goes in the window.
#[inline]
pub(crate) fn ranges(
    shape: &[usize],
    begin: &[impl SliceIndex + Copy],
    size: &[usize],
) -> Result<impl Iterator<Item = [Range<usize>; 2]>, SliceError> {
    for found in [begin.len(), size.len()] {
        if found != shape.len() {
            return Err(SliceError::RankMismatch { expected: shape.len(), found });
        }
    }
    Ok(shape.iter().zip(begin).zip(size).map(|((&len, &begin), &size)| {
        // Numbers of 64 bits, and sums of two of them, fit an i128.
        let (begin, len) = (i128::from(begin.to_index()), len as i128);
        let first = begin.clamp(0, len);
        let last = begin.saturating_add(size as i128).clamp(first, len);
        // Where nothing is taken, any place will do.
        let way = if first == last { first } else { begin };
        [0, way].map(|origin| {
            first.saturating_sub(origin) as usize..last.saturating_sub(origin) as usize
        })
    }))
}
