//! `start..end;step`, the stepped range of ndarray's and burn's `s!`, which is not Python's where
//! the step is negative.

use crate::axis::axis_run;
use crate::encoding::{Entry, SpecBuf};
use crate::error::SliceError;

/// `start..end;step` as the `s!` of ndarray and of burn read it: the range is taken first, then the
/// step walks it, from its start if positive and **from its end** if negative.
///
/// Python walks from `start` towards `stop` and never reaches `stop`, so with a negative step the
/// bounds swap sides and both move by one:
///
/// | on 5 elements | gives | Python |
/// | --- | --- | --- |
/// | `..;-1` | 4 3 2 1 0 | `::-1` |
/// | `0..5;-1` | 4 3 2 1 0 | `4::-1`; Python's `0:5:-1` is empty |
/// | `1..4;-1` | 3 2 1 | `3:0:-1` |
/// | `1..4;-2` | 3 1 | `3:0:-2` |
/// | `2..;-1` | 4 3 2 | `:1:-1`; Python's `2::-1` is 2 1 0 |
/// | `..3;-1` | 2 1 0 | `2::-1`; Python's `:3:-1` is 4 |
/// | `-3..-1;-1` | 3 2 | `-2:-4:-1` |
/// | `1..4;2` | 1 3 | `1:4:2`, the same |
/// | `3..9`, `-7..` | a panic | `3:9` is 3 4, `-7:` is all: Python clamps |
///
/// # Examples
///
/// ```
/// use pyslice::Entry;
/// use pyslice::StepRange;
///
/// let theirs = StepRange { start: 1, end: Some(4), step: -2 };
/// assert_eq!(theirs.to_entry()?.to_string(), "3:0:-2");
/// assert_eq!(
///     StepRange::from_entry(Some(3), None, -2, 5)?,
///     StepRange { start: 1, end: Some(4), step: -2 }
/// );
/// # Ok::<(), pyslice::SliceError>(())
/// ```
///
/// # Source
///
/// ndarray 0.17 itself: the tests go through all small ranges and compare. burn documents the same
/// reading (`0..5;-1` is 4, 3, 2, 1, 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StepRange {
    /// The first position of the range, counted from the end of the axis if negative.
    pub start: i64,
    /// The position before which the range ends, counted from the end of the axis if negative;
    /// `None` is the end of the axis.
    pub end: Option<i64>,
    /// The distance between positions, from the start of the range if positive, from its end if
    /// negative; never 0.
    pub step: i64,
}

impl StepRange {
    /// Converts Python's `start:stop:step` on an axis of `len` elements. Every range has a
    /// counterpart, whose bounds are never negative or past the end, so nothing is left to clamp.
    ///
    /// # Errors
    ///
    /// [`SliceError::ZeroStep`], naming entry 0; [`SliceError::ShapeTooLarge`] if `len` does not
    /// fit `isize`.
    #[inline]
    pub fn from_entry(
        start: Option<i64>,
        stop: Option<i64>,
        step: i64,
        len: usize,
    ) -> Result<StepRange, SliceError> {
        let run = axis_run(len, start, stop, step)?;
        // A run that is not empty starts and ends on the axis, so neither the sum nor the product
        // overflows.
        let last = (run.len as i64).wrapping_sub(1).wrapping_mul(run.step).wrapping_add(run.start);
        Ok(match run.len {
            0 => StepRange { start: 0, end: Some(0), step: 1 },
            1 => StepRange { start: run.start, end: Some(run.start.wrapping_add(1)), step: 1 },
            _ if step > 0 => StepRange { start: run.start, end: Some(last.wrapping_add(1)), step },
            _ => StepRange { start: last, end: Some(run.start.wrapping_add(1)), step },
        })
    }

    /// The slice that takes these ranges, one for each axis.
    ///
    /// # Errors
    ///
    /// Those of [`to_entry`](StepRange::to_entry), which names entry 0 for every range, and
    /// [`SliceError::TooLong`] for more than 31 ranges.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::StepRange;
    ///
    /// // ndarray's s![..;-1, 1..4;-2]
    /// let ranges = [
    ///     StepRange { start: 0, end: None, step: -1 },
    ///     StepRange { start: 1, end: Some(4), step: -2 },
    /// ];
    /// assert_eq!(StepRange::to_spec(&ranges)?.to_string(), "::-1, 3:0:-2");
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn to_spec(ranges: &[StepRange]) -> Result<SpecBuf, SliceError> {
        let mut spec = SpecBuf::default();
        for range in ranges {
            spec.push(range.to_entry()?)?;
        }
        Ok(spec)
    }

    /// The range in Python's terms. It takes the same elements if both bounds lie on the axis. (If
    /// not, ndarray panics and Python clamps.)
    ///
    /// # Errors
    ///
    /// [`SliceError::ZeroStep`], naming entry 0; [`SliceError::NotRepresentable`] for a bound of
    /// `i64::MIN` under a negative step, since Python's bound is one less.
    #[inline]
    pub fn to_entry(self) -> Result<Entry, SliceError> {
        const LOW: SliceError = SliceError::NotRepresentable {
            what: "a bound of i64::MIN, which Python's slice would need one lower",
        };
        let StepRange { start, end, step } = self;
        match step {
            0 => Err(SliceError::ZeroStep { entry: 0 }),
            1.. => Ok(Entry::Range { start: (start != 0).then_some(start), stop: end, step }),
            // An end of 0 leaves nothing, and no position before it can be the start.
            _ if end == Some(0) => Ok(Entry::Range { start: Some(0), stop: Some(0), step }),
            _ => {
                let before = |bound: i64| bound.checked_sub(1).ok_or(LOW);
                Ok(Entry::Range {
                    start: end.map(before).transpose()?,
                    stop: if start == 0 { None } else { Some(before(start)?) },
                    step,
                })
            }
        }
    }
}
