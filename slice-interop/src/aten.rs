//! ATen: chains of `slice.Tensor`, `select.int` and `unsqueeze`, as `torch.export` writes an
//! indexing expression.

use crate::error::InteropError;
use crate::operator::{possible, sealed::Parts};
use crate::python_range::{Bound, length, range};
use crate::write::{Form, Steps, start, step, stop};
use alloc::vec::Vec;
use slice_core::__private::interop::{Part, position, range_length, resolve};
use slice_core::{Dim, Entry, Plan, SliceError, SpecBuf};

/// One operator of a chain. A dimension is one of the tensor that the operators before it return,
/// counted from the end if negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// `aten.slice.Tensor(x, dim, start, end, step)`; `None` is [`Bound::Open`], and an end of
    /// `i64::MAX` is not special.
    Slice {
        /// The dimension that is sliced.
        dim: i64,
        /// The first position; bounds are clamped, as in Python.
        start: Bound,
        /// The position before which to stop.
        end: Bound,
        /// The step, 1 or more.
        step: i64,
    },
    /// `aten.select.int(x, dim, index)`: takes one position and drops the dimension.
    Select {
        /// The dimension that is dropped.
        dim: i64,
        /// The position; [`Bound::Open`] counts as not known.
        index: Bound,
    },
    /// `aten.unsqueeze(x, dim)`: adds a dimension of length 1, so that it stands at `dim`.
    Unsqueeze {
        /// Where it stands, in the result.
        dim: i64,
    },
}

/// A chain, made by [`chain()`].
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a>(&'a [Step]);

/// Reads operators applied one after the other, and folds them into one slice.
///
/// # Errors
///
/// [`to_spec`](crate::Operator::to_spec) returns an error for a dimension that does not
/// exist, a step below 1, an index outside its axis, and [`SliceError::NotRepresentable`] for an
/// added axis that a later operator empties.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{
///     Bound, Operator,
///     aten::{Step, chain},
/// };
///
/// // x[:, 1, None, 2:]
/// let steps = [
///     Step::Select { dim: 1, index: Bound::At(1) },
///     Step::Unsqueeze { dim: 1 },
///     Step::Slice { dim: -1, start: Bound::At(2), end: Bound::At(i64::MAX), step: 1 },
/// ];
/// assert_eq!(chain(&steps).to_spec(&[4, 3, 6])?.to_string(), ":, 1, None, 2:");
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
///
/// # Source
///
/// PyTorch 2.15 (recorded answers, `import_aten`).
pub const fn chain(steps: &[Step]) -> Chain<'_> {
    Chain(steps)
}

const SLICES: Form<3> =
    Form { steps: Steps::Forward, ..Form::new("ATen's `slice.Tensor`", [start, stop, step]) };

/// Writes a slice as a chain: a `slice.Tensor` for each axis that is not taken whole, then a
/// `select.int` for each that is dropped, then an `unsqueeze` for each that is added.
///
/// # Errors
///
/// Those of [`Form::write`]; no step is negative.
///
/// # Examples
///
/// ```
/// use pyslice::interop::{Bound, Operator, aten::{self, Step}};
/// use pyslice::s;
///
/// let steps = aten::steps(&s![:, 1, None, 2:].plan(&[4, 3, 6])?)?;
/// assert_eq!(steps, [
///     Step::Slice { dim: 2, start: Bound::At(2), end: Bound::At(6), step: 1 },
///     Step::Select { dim: 1, index: Bound::At(1) },
///     Step::Unsqueeze { dim: 1 },
/// ]);
/// assert_eq!(aten::chain(&steps).to_spec(&[4, 3, 6])?.to_string(), ":, 1, None, 2:6");
/// # Ok::<(), pyslice::interop::InteropError>(())
/// ```
pub fn steps(plan: &Plan) -> Result<Vec<Step>, InteropError> {
    let written = SLICES.write(plan)?;
    let [starts, stops, strides] = &written.vectors;
    let (mut slices, mut selects) = (Vec::new(), Vec::new());
    let axes = starts.iter().zip(stops).zip(strides).zip(plan.input_shape());
    for (axis, (((&start, &stop), &step), &len)) in axes.enumerate() {
        let dim = axis as i64;
        if written.drop.contains(&axis) {
            selects.push(Step::Select { dim, index: Bound::At(start) });
        } else if (start, stop, step) != (0, len as i64, 1) {
            slices.push(Step::Slice { dim, start: Bound::At(start), end: Bound::At(stop), step });
        }
    }
    // The last axis first, so that those before it stay where they are.
    slices.extend(selects.into_iter().rev());
    slices.extend(written.add.iter().map(|&at| Step::Unsqueeze { dim: at as i64 }));
    Ok(slices)
}

/// An axis of the chain's result so far, or one that was dropped.
#[derive(Clone, Copy)]
struct Slot {
    part: Part,
    /// Its length in the result so far; `None` where it has been dropped.
    len: Option<Dim>,
    /// The length of the input's axis; `None` for an axis that the chain added.
    axis: Option<Dim>,
}

impl Parts for Chain<'_> {
    fn parts(&self, shape: &[Dim]) -> Result<Vec<Part>, InteropError> {
        let whole =
            |&dim: &Dim| Slot { part: Part::Entry(Entry::FULL), len: Some(dim), axis: Some(dim) };
        let mut slots: Vec<Slot> = shape.iter().map(whole).collect();
        for (entry, &step) in self.0.iter().enumerate() {
            let rank = slots.iter().filter(|slot| slot.len.is_some()).count();
            match step {
                Step::Unsqueeze { dim } => {
                    let at = resolve(dim, possible(rank.saturating_add(1))?)?;
                    let place = place(&slots, at).unwrap_or(slots.len());
                    slots.insert(
                        place,
                        Slot {
                            part: Part::Entry(Entry::NewAxis),
                            len: Some(Dim::Known(1)),
                            axis: None,
                        },
                    );
                }
                Step::Slice { step, .. } if step < 1 => {
                    return Err(InteropError::StepTooSmall { step, entry });
                }
                Step::Slice { dim, start, end, step } => {
                    let at = resolve(dim, rank)?;
                    let end = if end == Bound::At(i64::MAX) { Bound::Open } else { end };
                    let Some((slot, len)) = kept(&mut slots, at) else { continue };
                    slice(slot, len, range(len, start, end, Some(step)))?;
                }
                Step::Select { dim, index } => {
                    let at = resolve(dim, rank)?;
                    let new = place(&slots, at)
                        .filter(|&p| slots.get(p).is_some_and(|slot| slot.axis.is_none()));
                    let Some((slot, len)) = kept(&mut slots, at) else { continue };
                    select(slot, len, index, at)?;
                    // An axis that was added and dropped again was never there.
                    if let Some(new) = new {
                        slots.remove(new);
                    }
                }
            }
        }
        Ok(slots.into_iter().map(|slot| slot.part).collect())
    }
}

/// The slot of axis `at` of the result.
fn place(slots: &[Slot], at: usize) -> Option<usize> {
    let kept = slots.iter().enumerate().filter(|(_, slot)| slot.len.is_some());
    kept.map(|(place, _)| place).nth(at)
}

fn kept(slots: &mut [Slot], at: usize) -> Option<(&mut Slot, Dim)> {
    let place = place(slots, at)?;
    let slot = slots.get_mut(place)?;
    let len = slot.len?;
    Some((slot, len))
}

/// Slices the `len` positions that are left in a slot by a range, which may be unknown.
fn slice(slot: &mut Slot, len: Dim, by: Part) -> Result<(), InteropError> {
    let length = length(len, by);
    slot.len = Some(length);
    let Some(axis) = slot.axis else {
        slot.part =
            if length == Dim::Known(1) { Part::Entry(Entry::NewAxis) } else { Part::Added(length) };
        return Ok(());
    };
    let now = match (slot.part, by) {
        (Part::Entry(Entry::FULL), by) => by,
        (_, Part::Entry(Entry::Range { start, stop, step }))
            if range_length(len, start, stop, step).1 =>
        {
            slot.part
        }
        (Part::Entry(first), Part::Entry(second)) => match axis {
            Dim::Known(n) => {
                let plan = SpecBuf::from_entries([first])?
                    .plan(&[n])?
                    .then(&SpecBuf::from_entries([second])?)?;
                Part::Entry(plan.to_spec()?.as_ref().entries().next().unwrap_or(Entry::FULL))
            }
            _ => Part::Later(length),
        },
        _ => Part::Later(length),
    };
    slot.part = now;
    Ok(())
}

/// Takes one of the `len` positions that are left in a slot.
fn select(slot: &mut Slot, len: Dim, index: Bound, at: usize) -> Result<(), InteropError> {
    let most = len.limits().1;
    slot.len = None;
    let index = match index {
        Bound::Open | Bound::Later => {
            slot.part = Part::LaterIndex;
            return Ok(());
        }
        Bound::At(index) => index,
    };
    let longest = i64::try_from(most).unwrap_or(i64::MAX);
    if position(index, longest).is_none() {
        return Err(SliceError::IndexOutOfRange { index, axis: at, len: most }.into());
    }
    slot.part = match (slot.part, slot.axis) {
        (Part::Entry(Entry::FULL), _) => Part::Entry(Entry::Index(index)),
        (Part::Entry(first @ Entry::Range { .. }), Some(Dim::Known(n))) => {
            let plan = SpecBuf::from_entries([first])?
                .plan(&[n])?
                .then(&SpecBuf::from_entries([Entry::Index(index)])?)?;
            Part::Entry(Entry::Index(i64::try_from(plan.offset()).unwrap_or(i64::MAX)))
        }
        _ => Part::LaterIndex,
    };
    Ok(())
}
