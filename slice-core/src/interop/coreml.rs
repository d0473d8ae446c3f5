//! Core ML's `slice_by_size`.

use super::operator::{Ints, sealed::Parts};
use super::window::{check, sized};
use super::write::{Form, Steps, count, start};
use crate::encoding::Entry;
use crate::error::SliceError;
use crate::infer::{Dim, Part};
use alloc::vec::Vec;

/// Writes `slice_by_size`: the vectors `begin` and `size`. It only takes adjacent positions, at
/// least one on each axis.
pub const SLICE_BY_SIZE: Form<2> = Form {
    steps: Steps::One,
    empty: false,
    largest: i32::MAX as i64,
    ..Form::new("Core ML's `slice_by_size`", [start, count])
};

/// `slice_by_size`, made by [`slice_by_size()`].
#[derive(Clone, Copy, Debug)]
pub struct SliceBySize<'a> {
    begin: Ints<'a>,
    size: Ints<'a>,
}

/// Reads `slice_by_size`: on each axis `size` positions from `begin`, which counts from the end if
/// negative; a size of -1 means the rest.
///
/// # Errors
///
/// [`to_spec`](crate::interop::Operator::to_spec) returns an error for vectors that are not as long
/// as the input has axes; [`SliceError::WindowOutOfRange`] for a window that leaves its axis;
/// [`SliceError::NotRepresentable`] where Core ML's own compiler contradicts itself: for a size of
/// 0 or below -1, and for the rest from a negative begin.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, coreml};
///
/// assert_eq!(
///     coreml::slice_by_size(&[1, 0], &[-1, 2]).to_spec(&[3, 4])?.to_string(),
///     "1:, 0:2"
/// );
/// # Ok::<(), pyslice::SliceError>(())
/// ```
///
/// # Source
///
/// The type and value inference of coremltools 9.0, where they agree (recorded answers,
/// `import_coreml`).
#[inline]
pub fn slice_by_size<'a>(begin: impl Into<Ints<'a>>, size: impl Into<Ints<'a>>) -> SliceBySize<'a> {
    SliceBySize { begin: begin.into(), size: size.into() }
}

impl Parts for SliceBySize<'_> {
    #[inline]
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, SliceError> {
        let SliceBySize { begin, size } = self;
        size.expect("size", begin.len())?;
        let part = |(i, &dim): (usize, &Dim)| one(i, dim, begin.get(i), size.get(i));
        shape.iter().enumerate().map(part).collect()
    }

    #[inline]
    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(self.begin)
    }
}

#[inline]
fn one(axis: usize, dim: Dim, begin: Option<i64>, size: Option<i64>) -> Result<Part, SliceError> {
    const SIZE: SliceError = SliceError::NotRepresentable {
        what: "a size of 0 or below -1 in Core ML's slice_by_size, whose compiler gives it one \
               shape and other values",
    };
    const REST: SliceError = SliceError::NotRepresentable {
        what: "the rest from a negative begin in Core ML's slice_by_size, whose compiler gives it \
               one shape and other values; count the begin from the front",
    };
    match (begin, size) {
        (_, Some(0 | ..=-2)) => return Err(SIZE),
        (Some(..0), Some(-1)) => return Err(REST),
        (Some(begin @ ..0), Some(size)) => {
            let longest = i128::try_from(dim.limits().1).unwrap_or(i128::MAX);
            let start = longest.saturating_add(begin.into());
            check(axis, dim, start, start.saturating_add(size.into()))?;
            let stop = begin.saturating_add(size);
            let entry =
                Entry::Range { start: Some(begin), stop: (stop < 0).then_some(stop), step: 1 };
            return Ok(Part::Window(entry, Dim::Known(usize::try_from(size).unwrap_or(0))));
        }
        (None, Some(size @ 0..)) => {
            return Ok(Part::Later(Dim::Known(usize::try_from(size).unwrap_or(0))));
        }
        (None, _) | (Some(..0), None) => {
            return Ok(Part::Later(Dim::from_limits(0, dim.limits().1)));
        }
        _ => {}
    }
    sized(axis, dim, begin, size)
}
