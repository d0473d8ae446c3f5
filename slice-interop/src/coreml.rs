//! Core ML's `slice_by_index` and `slice_by_size`.

use crate::entries::Taking;
use crate::error::{InteropError, not_representable};
use crate::operator::{Ints, sealed::Parts};
use crate::python_range::{Bound, range};
use crate::window::{check, sized};
use crate::write::{Form, Steps, count, start, step, stop, to_front};
use alloc::vec::Vec;
use slice_core::__private::interop::Part;
use slice_core::{Dim, Entry, SliceError, axis_run};

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
/// [`to_spec`](crate::Operator::to_spec) returns an error for vectors that are not as long
/// as the input has axes; [`InteropError::WindowOutOfRange`] for a window that leaves its axis;
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
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// The type and value inference of coremltools 9.0, where they agree (recorded answers,
/// `import_coreml`).
pub fn slice_by_size<'a>(begin: impl Into<Ints<'a>>, size: impl Into<Ints<'a>>) -> SliceBySize<'a> {
    SliceBySize { begin: begin.into(), size: size.into() }
}

impl Parts for SliceBySize<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let SliceBySize { begin, size } = self;
        size.expect("size", begin.len())?;
        let part = |(i, &dim): (usize, &Dim)| one(i, dim, begin.get(i), size.get(i));
        shape.iter().enumerate().map(part).collect()
    }

    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(self.begin)
    }
}

fn one(axis: usize, dim: Dim, begin: Option<i64>, size: Option<i64>) -> Result<Part, InteropError> {
    const SIZE: InteropError = not_representable(
        "a size of 0 or below -1 in Core ML's slice_by_size, whose compiler gives it one \
               shape and other values",
    );
    const REST: InteropError = not_representable(
        "the rest from a negative begin in Core ML's slice_by_size, whose compiler gives it \
               one shape and other values; count the begin from the front",
    );
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

/// Writes `slice_by_index`: the vectors `begin`, `end` and `stride`, and `end_mask` as numbers,
/// which has a 1 where a negative stride runs down to position 0. The other masks are all false.
pub const SLICE_BY_INDEX: Form<4> = Form {
    largest: i32::MAX as i64,
    ..Form::new("Core ML's `slice_by_index`", [start, stop, step, to_front])
};

/// `slice_by_index`, made by [`slice_by_index()`].
#[derive(Clone, Copy, Debug)]
pub struct SliceByIndex<'a> {
    begin: Ints<'a>,
    end: Ints<'a>,
    stride: Option<Ints<'a>>,
    masks: [&'a [bool]; 3],
}

/// Reads `slice_by_index`, which coremltools writes for `x[a:b:c]`: a begin and an end for each
/// axis. A mask has one flag for each axis; one that is left out is all false.
///
/// It follows Python's rules, except that a negative bound before the axis becomes position 0. This
/// matters under a negative stride: a range runs down to position 0 only if the end mask is set.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns an error for vectors and masks that are not as
/// long as the input has axes, a stride of 0, and an index outside its axis;
/// [`SliceError::NotRepresentable`] where Core ML's own compiler infers one length and computes
/// values of another. This happens for some bounds outside the axis, and for some ranges that end
/// before they begin, which it refuses.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Operator, coreml};
///
/// // x[1, ::-1, 2:]
/// let op = coreml::slice_by_index(&[1, 0, 2], &[0, 0, 0])
///     .stride(&[1, -1, 1])
///     .begin_mask(&[false, true, false])
///     .end_mask(&[false, true, true])
///     .squeeze_mask(&[true, false, false]);
/// assert_eq!(op.to_spec(&[2, 3, 4])?.to_string(), "1, ::-1, 2:");
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// The type and value inference of coremltools 9.0, where they agree (recorded answers,
/// `import_coreml`): what it converts runs only on Apple's systems.
pub fn slice_by_index<'a>(
    begin: impl Into<Ints<'a>>,
    end: impl Into<Ints<'a>>,
) -> SliceByIndex<'a> {
    SliceByIndex { begin: begin.into(), end: end.into(), stride: None, masks: [&[]; 3] }
}

impl<'a> SliceByIndex<'a> {
    /// Sets the strides. The default is 1 on each axis.
    pub fn stride(mut self, stride: impl Into<Ints<'a>>) -> Self {
        self.stride = Some(stride.into());
        self
    }

    /// Sets the begin mask. A range under `true` begins at the first position in the direction of
    /// its stride; an index under `true` becomes 0.
    pub fn begin_mask(mut self, mask: &'a [bool]) -> Self {
        self.masks[0] = mask;
        self
    }

    /// Sets the end mask. A range under `true` runs to the last position in the direction of its
    /// stride.
    pub fn end_mask(mut self, mask: &'a [bool]) -> Self {
        self.masks[1] = mask;
        self
    }

    /// Sets the squeeze mask. An axis under `true` is dropped: the position `begin` is taken, and
    /// `end` and the stride do not count.
    pub fn squeeze_mask(mut self, mask: &'a [bool]) -> Self {
        self.masks[2] = mask;
        self
    }
}

impl Parts for SliceByIndex<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let SliceByIndex { begin, end, stride, masks } = self;
        end.expect("end", begin.len())?;
        stride.map_or(Ok(()), |v| v.expect("stride", begin.len()))?;
        if let Some(mask) = masks.iter().find(|mask| !mask.is_empty() && mask.len() != begin.len())
        {
            let (found, expected) = (mask.len(), begin.len());
            return Err(SliceError::LengthMismatch { what: "a mask", found, expected }.into());
        }
        let [begin_mask, end_mask, squeeze] =
            masks.map(|mask| move |i: usize| mask.get(i).copied().unwrap_or(false));
        let part = |(i, &dim): (usize, &Dim)| {
            let stride = stride.map_or(Some(1), |v| v.get(i));
            let start = if begin_mask(i) { Bound::Open } else { begin.get(i).into() };
            let stop = if end_mask(i) { Bound::Open } else { end.get(i).into() };
            if squeeze(i) {
                let at = Taking { entry: i, index: true, axis: i, dim };
                return match start {
                    Bound::Open => at.at(0),
                    Bound::At(index) => at.at(index),
                    Bound::Later => Ok(Part::LaterIndex),
                };
            }
            if stride == Some(0) {
                return Err(SliceError::ZeroStep { entry: i }.into());
            }
            let part = range(dim, start, stop, stride);
            let Part::Entry(Entry::Range { start, stop, step }) = part else { return Ok(part) };
            let (least, most) = dim.limits();
            let before =
                |v: Option<i64>| v.is_some_and(|v| v < 0 && v.unsigned_abs() > least as u64);
            match dim {
                Dim::Known(n) => typed(n, start, stop, step),
                // The length decides what the bound means.
                _ if step < 0 && (before(start) || before(stop)) => {
                    Ok(Part::Later(Dim::from_limits(0, most)))
                }
                _ => Ok(part),
            }
        };
        shape.iter().enumerate().map(part).collect()
    }

    fn each_axis(&self) -> Option<Ints<'_>> {
        Some(self.begin)
    }
}

/// A range on an axis of `n` positions, if coremltools' type and value inference agree about it.
/// Type inference is `solve_slice_by_index_shape`. For both, it also moves bounds before the axis
/// to position 0, unless it finds the length without them.
fn typed(n: usize, start: Option<i64>, stop: Option<i64>, step: i64) -> Result<Part, InteropError> {
    let size = i128::from(step.unsigned_abs());
    let count = |span: i128| {
        span.saturating_add(size).saturating_sub(1).checked_div_euclid(size).unwrap_or(0).max(0)
    };
    let span = |start: i64, stop: i64| {
        i128::from(stop).saturating_sub(start.into()).saturating_mul(step.signum().into())
    };
    let at_once = match (start, stop) {
        (None, None) => Some(count(n as i128)),
        (Some(start), Some(stop)) if (start < 0, stop < 0) == (step < 0, step < 0) => {
            if span(start, stop) < 0 {
                return Err(not_representable(
                    "a range of Core ML's slice_by_index that ends before it begins, which its \
                     compiler refuses; give two equal bounds",
                ));
            }
            Some(count(span(start, stop))).filter(|&few| few < 2)
        }
        (Some(0), None) if step < 0 => Some(1),
        (Some(-1), None) if step > 0 => Some(1),
        _ => None,
    };
    let length = n as i64;
    let (inferred, start, stop) = match at_once.or((n == 1).then_some(1)) {
        Some(inferred) => (inferred, start, stop),
        None => {
            let floored = |v: i64| if v < 0 { v.saturating_add(length).max(0) } else { v };
            let (start, stop) = (start.map(floored), stop.map(floored));
            let (low, high) = if step > 0 { (0, length) } else { (-1, length.saturating_sub(1)) };
            let (first, last) = if step > 0 { (start, stop) } else { (stop, start) };
            let last = last.map_or(high, |v| v.min(high));
            let positions = i128::from(last).saturating_sub(first.unwrap_or(low).into());
            (count(positions), start, stop)
        }
    };
    if inferred != axis_run(n, start, stop, step)?.len as i128 {
        return Err(not_representable(
            "a range of Core ML's slice_by_index of which its compiler gives one length and other \
             values; give bounds from 0 to the length of the axis, or set their masks",
        ));
    }
    Ok(Part::Entry(Entry::Range { start, stop, step }))
}
