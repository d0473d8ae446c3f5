//! `start:stop:step` and an index on one axis: the only file that knows Python's clamping.

use crate::error::SliceError;

/// The positions that a range selects on one axis: `start`, `start + step`, … (`len` of them).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AxisRun {
    /// The first position. Where `len` is 0 it is the clamped start, which may be one past either
    /// end.
    pub start: i64,
    /// The step; never 0.
    pub step: i64,
    /// How many positions there are.
    pub len: usize,
}

/// Finds the positions that `start:stop:step` selects on an axis of `len` elements.
///
/// A bound left out (`None`) is the first or the last position in the direction of travel; a
/// negative one counts from the end. Bounds past either end are clamped, never an error.
///
/// # Units and shapes
///
/// Everything counts elements along one axis, not bytes. A run that selects nothing has `len == 0`.
///
/// # Errors
///
/// [`SliceError::ZeroStep`] if `step` is 0 (with `entry: 0`), [`SliceError::ShapeTooLarge`] if
/// `len` exceeds `isize::MAX`.
///
/// # Examples
///
/// ```
/// use pyslice::{AxisRun, axis_run};
///
/// // `:-3:-1` on 10 elements walks 9, 8.
/// let run = axis_run(10, None, Some(-3), -1)?;
/// assert_eq!(run, AxisRun { start: 9, step: -1, len: 2 });
/// # Ok::<(), pyslice::SliceError>(())
/// ```
///
/// # Source
///
/// CPython's `PySlice_AdjustIndices`; the recorded answers of NumPy and TensorFlow agree.
pub const fn axis_run(
    len: usize,
    start: Option<i64>,
    stop: Option<i64>,
    step: i64,
) -> Result<AxisRun, SliceError> {
    if step == 0 {
        return Err(SliceError::ZeroStep { entry: 0 });
    }
    if len > isize::MAX as usize {
        return Err(SliceError::ShapeTooLarge);
    }
    Ok(run(len as i64, start, stop, step))
}

/// An index or a bound counted from the front: a negative one has the length added once.
#[inline]
const fn from_front(v: i64, n: i64) -> i64 {
    // `v < 0 <= n`, so the sum lies between them and cannot overflow.
    if v < 0 { v.wrapping_add(n) } else { v }
}

/// Where a bound lies, clamped; `open` if it is left out.
#[inline]
const fn bound(v: Option<i64>, n: i64, open: i64, lo: i64, hi: i64) -> i64 {
    let v = match v {
        Some(v) => from_front(v, n),
        None => return open,
    };
    let v = if v < lo { lo } else { v };
    if v > hi { hi } else { v }
}

/// Where a range of a positive step starts and stops, clamped to `0..=n`.
#[inline]
const fn forwards(n: i64, start: Option<i64>, stop: Option<i64>) -> (i64, i64) {
    (bound(start, n, 0, 0, n), bound(stop, n, n, 0, n))
}

/// Where a range of a negative step starts and stops, clamped to `-1..=n - 1`.
#[inline]
const fn backwards(n: i64, start: Option<i64>, stop: Option<i64>) -> (i64, i64) {
    // For n = 0 the last position is -1, which is also the floor: the range is empty.
    let last = n.wrapping_sub(1);
    (bound(start, n, last, -1, last), bound(stop, n, -1, -1, last))
}

/// Where a range starts and stops, clamped; `n`, the length, is in `0..=isize::MAX`, and `step` is
/// not 0.
#[cfg(feature = "kernels")]
#[inline]
pub(crate) const fn clamp(n: i64, start: Option<i64>, stop: Option<i64>, step: i64) -> (i64, i64) {
    if step > 0 { forwards(n, start, stop) } else { backwards(n, start, stop) }
}

/// [`axis_run`] where `n`, the length, is in `0..=isize::MAX`, and `step` is not 0.
#[inline]
pub(crate) const fn run(n: i64, start: Option<i64>, stop: Option<i64>, step: i64) -> AxisRun {
    if step > 0 {
        let (start, stop) = forwards(n, start, stop);
        // Both lie in 0..=n, so the difference cannot overflow.
        AxisRun { start, step, len: steps(stop.wrapping_sub(start), step as u64) }
    } else {
        let (start, stop) = backwards(n, start, stop);
        AxisRun { start, step, len: steps(start.wrapping_sub(stop), step.unsigned_abs()) }
    }
}

/// How many steps a range has whose ends are `span` apart in the direction of travel.
#[inline]
const fn steps(span: i64, step: u64) -> usize {
    match step {
        _ if span <= 0 => 0,
        1 => span as usize,
        _ => count(span as u64, step),
    }
}

/// `ceil(span / step)` for `span, step >= 1`. It divides in 32 bits where that is enough, since
/// this is much cheaper on older CPUs.
#[inline]
const fn count(span: u64, step: u64) -> usize {
    let whole = span.wrapping_sub(1);
    // A step of 0 was refused. Where the compiler cannot see that, `checked_div` avoids a panic.
    let q = if (whole | step) >> 32 == 0 {
        match (whole as u32).checked_div(step as u32) {
            Some(q) => q as u64,
            None => 0,
        }
    } else {
        match whole.checked_div(step) {
            Some(q) => q,
            None => 0,
        }
    };
    // The quotient is below span <= isize::MAX.
    q.wrapping_add(1) as usize
}

/// The position of an index, or `None` outside `-n..n`.
#[inline]
pub(crate) const fn position(index: i64, n: i64) -> Option<i64> {
    let v = from_front(index, n);
    if v >= 0 && v < n { Some(v) } else { None }
}

/// The first bound of a range that is not among those that the array API standard lists.
#[inline]
pub(crate) const fn out_of_bounds(
    n: i64,
    start: Option<i64>,
    stop: Option<i64>,
    step: i64,
) -> Option<i64> {
    match (start, stop) {
        (Some(start), _) if !start_in_bounds(start, n, step) => Some(start),
        (_, Some(stop)) if !stop_in_bounds(stop, n, step) => Some(stop),
        _ => None,
    }
}

/// The last position; 0 where there is none.
const fn last(n: i64) -> i64 {
    if n > 0 { n.wrapping_sub(1) } else { 0 }
}

/// Whether a start names a position, or for a positive step the end.
const fn start_in_bounds(start: i64, n: i64, step: i64) -> bool {
    // n is at most isize::MAX, so its negation exists.
    start >= n.wrapping_neg() && start <= if step > 0 { n } else { last(n) }
}

/// Whether a stop names a position, or for a positive step the end, or for a negative step the
/// position before the first.
const fn stop_in_bounds(stop: i64, n: i64, step: i64) -> bool {
    if step > 0 {
        stop >= n.wrapping_neg() && stop <= n
    } else {
        stop >= before_front(n) && stop <= last(n)
    }
}

/// The stop of a range that runs down to position 0 under a negative step. It cannot be -1, which
/// is the last position.
pub(crate) const fn before_front(n: i64) -> i64 {
    n.wrapping_neg().wrapping_sub(1)
}
