//! Windows that must lie inside their axis, given by offset and size or in similar ways.

use crate::error::InteropError;
use slice_core::__private::interop::Part;
use slice_core::{Dim, Entry};

/// The largest length of an axis.
fn most(dim: Dim) -> i128 {
    dim.limits().1 as i128
}

/// An error unless `start..stop` may lie on an axis of length `dim`.
pub(crate) fn check(axis: usize, dim: Dim, start: i128, stop: i128) -> Result<(), InteropError> {
    if 0 <= start && start <= stop && stop <= most(dim) {
        return Ok(());
    }
    let narrow = |v: i128| v.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    Err(InteropError::WindowOutOfRange {
        start: narrow(start),
        stop: narrow(stop),
        axis,
        len: dim.limits().1,
    })
}

/// A length between 0 and `n`.
pub(crate) fn up_to(n: i128) -> Dim {
    Dim::from_limits(0, usize::try_from(n.max(0)).unwrap_or(usize::MAX))
}

/// A length that is not below 0.
fn known(n: i128) -> Dim {
    Dim::Known(usize::try_from(n.max(0)).unwrap_or(usize::MAX))
}

/// `count` positions from `first`, `step` apart, all of which must lie on the axis. For 0 or 1
/// positions the step does not matter.
pub(crate) fn counted(
    axis: usize,
    dim: Dim,
    first: Option<i64>,
    count: Option<i64>,
    step: Option<i64>,
) -> Result<Part, InteropError> {
    if count.is_some_and(|n| n < 0) {
        let first = i128::from(first.unwrap_or(0));
        check(axis, dim, first, first.saturating_add(count.unwrap_or(0).into()))?;
    }
    if let Some(first) = first {
        let first = i128::from(first);
        let one = i128::from(count.is_some_and(|n| n > 0));
        check(axis, dim, first, first.saturating_add(one))?;
    }
    let (Some(first), Some(count), Some(step)) = (first, count, step) else {
        return Ok(Part::Later(count.map_or_else(|| up_to(most(dim)), |n| known(n.into()))));
    };
    if count < 2 {
        let stop = first.saturating_add(count);
        return Ok(window_part(dim, first, stop, 1, count.into()));
    }
    if step == 0 {
        const REPEATS: &str =
            "a stride of 0 for two positions or more, which repeats one; take it and broadcast";
        return Ok(Part::Never(known(count.into()), REPEATS));
    }
    // Neither product nor sums overflow in i128.
    let last = i128::from(first)
        .saturating_add(i128::from(count).saturating_sub(1).saturating_mul(step.into()));
    let (low, high) = (last.min(first.into()), last.max(first.into()));
    check(axis, dim, low, high.saturating_add(1))?;
    let stop = last.saturating_add(step.signum().into());
    Ok(window_part(dim, first, i64::try_from(stop).unwrap_or(i64::MAX), step, count.into()))
}

/// The part for positions from `start` to before `stop`, `step` apart. Both bounds lie on the axis
/// or next to it.
pub(crate) fn window_part(dim: Dim, start: i64, stop: i64, step: i64, count: i128) -> Part {
    if step == 1 && start == 0 && dim == known(count) {
        return Part::Entry(Entry::FULL);
    }
    // -1 would mean the last position.
    let stop = (stop >= 0).then_some(stop);
    Part::Window(Entry::Range { start: Some(start), stop, step }, known(count))
}

/// `start..stop` with every `step`-th position, both bounds on the axis, and the step above 0.
pub(crate) fn limited(
    axis: usize,
    dim: Dim,
    start: Option<i64>,
    stop: Option<i64>,
    step: Option<i64>,
) -> Result<Part, InteropError> {
    if let Some(step) = step
        && step < 1
    {
        return Err(InteropError::StepTooSmall { step, entry: axis });
    }
    let (low, high) = (start.map_or(0, i128::from), stop.map_or(most(dim), i128::from));
    if start.is_some() || stop.is_some() {
        check(axis, dim, low, high)?;
    }
    let span = high.saturating_sub(low);
    let len = |step: i64| {
        span.saturating_add(i128::from(step).saturating_sub(1))
            .checked_div(step.into())
            .unwrap_or(0)
    };
    match (start, stop, step) {
        (Some(start), Some(stop), Some(step)) => Ok(window_part(dim, start, stop, step, len(step))),
        _ => Ok(Part::Later(up_to(len(step.unwrap_or(1))))),
    }
}

/// `size` positions from `start`; a size of -1 means the rest of the axis.
pub(crate) fn sized(
    axis: usize,
    dim: Dim,
    start: Option<i64>,
    size: Option<i64>,
) -> Result<Part, InteropError> {
    match (start, size) {
        (_, Some(-1)) => {
            let Some(start) = start else { return Ok(Part::Later(up_to(most(dim)))) };
            check(axis, dim, start.into(), most(dim).max(start.into()))?;
            let entry = Entry::Range { start: (start != 0).then_some(start), stop: None, step: 1 };
            Ok(Part::Entry(entry))
        }
        (Some(start), Some(size)) => {
            let stop = i128::from(start).saturating_add(size.into());
            check(axis, dim, start.into(), stop)?;
            Ok(window_part(dim, start, i64::try_from(stop).unwrap_or(i64::MAX), 1, size.into()))
        }
        (None, Some(size)) => {
            check(axis, dim, 0, size.into())?;
            Ok(Part::Later(known(size.into())))
        }
        (Some(start), None) => {
            check(axis, dim, start.into(), most(dim).max(start.into()))?;
            Ok(Part::Later(up_to(most(dim).saturating_sub(start.into()))))
        }
        (None, None) => Ok(Part::Later(up_to(most(dim)))),
    }
}
