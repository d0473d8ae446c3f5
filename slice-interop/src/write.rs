//! Writes slices as the numbers that other systems' operators carry.

use crate::error::{InteropError, Unwritable};
use alloc::vec::Vec;
use slice_core::__private::interop::{AxisPart, MAX_RANK, takings};
use slice_core::{MAX_ENTRIES, Masks, Plan, SliceError};

/// What an operator of another system can express, and its `N` vectors, in the order in which the
/// system's reader takes them.
///
/// The module of a system has a constant of this type for each operator. Its method
/// [`write`](Form::write) takes a plan.
#[derive(Clone, Copy, Debug)]
pub struct Form<const N: usize> {
    pub(crate) operator: &'static str,
    pub(crate) vectors: [Number; N],
    pub(crate) steps: Steps,
    /// Whether it can take nothing of an axis.
    pub(crate) empty: bool,
    /// Whether it adds and drops axes itself: each added axis has its own entry, and masks say
    /// which entries add and which drop.
    pub(crate) entries: bool,
    /// The largest number that its vectors hold.
    pub(crate) largest: i64,
    /// How many axes its input has, at least and at most.
    pub(crate) ranks: (usize, usize),
}

/// One number of a vector, as a function of an axis.
pub(crate) type Number = fn(Place) -> i64;

/// The steps that an operator supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// Only step 1.
    One,
    /// Steps of 1 and more.
    Forward,
    Any,
}

/// What one position of the vectors describes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// What is taken of an axis of the input.
    Axis(AxisPart),
    /// The new axis of the result with this number.
    New(usize),
}

impl Place {
    /// What is taken. Of a new axis, this is its only position.
    fn part(self) -> AxisPart {
        match self {
            Place::Axis(part) => part,
            Place::New(out) => AxisPart { axis_len: 1, start: 0, step: 1, len: 1, out: Some(out) },
        }
    }

    fn is_new(self) -> bool {
        matches!(self, Place::New(_))
    }

    fn is_dropped(self) -> bool {
        self.part().out.is_none()
    }
}

/// The first position.
pub(crate) fn start(at: Place) -> i64 {
    at.part().start as i64
}

/// How many positions the result has.
pub(crate) fn count(at: Place) -> i64 {
    at.part().len as i64
}

/// The step.
pub(crate) fn step(at: Place) -> i64 {
    at.part().step as i64
}

/// The position before which to stop, as Python counts it.
pub(crate) fn stop(at: Place) -> i64 {
    at.part().stop()
}

/// 1 where the stop lies before position 0.
pub(crate) fn to_front(at: Place) -> i64 {
    i64::from(stop(at) < 0)
}

/// The lowest position.
pub(crate) fn low(at: Place) -> i64 {
    at.part().low()
}

/// The position after the highest.
pub(crate) fn high(at: Place) -> i64 {
    at.part().high()
}

/// How many positions lie from the lowest to the highest.
pub(crate) fn span(at: Place) -> i64 {
    high(at).saturating_sub(low(at))
}

/// 1 for an axis that is added.
pub(crate) fn adds(at: Place) -> i64 {
    i64::from(at.is_new())
}

/// 1 for an axis that is dropped.
pub(crate) fn drops(at: Place) -> i64 {
    i64::from(at.is_dropped())
}

/// A slice in the numbers of an operator: what [`Form::write`] makes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Written<const N: usize> {
    /// The operator's vectors, in the order in which its reader takes them.
    pub vectors: [Vec<i64>; N],
    /// The axes of the input to drop after the operator, ascending. Each has length 1 then.
    pub drop: Vec<usize>,
    /// The positions in the final shape at which an axis of length 1 is added, ascending.
    pub add: Vec<usize>,
    /// For an operator that drops and adds axes itself: its masks. `drop` and `add` are empty.
    pub masks: Masks,
}

impl<const N: usize> Form<N> {
    /// Writes the slice of a plan as the numbers that the operator carries.
    ///
    /// They are computed from the plan. Only steps, and the end of a range that runs down to the
    /// front, can be negative; nothing is left to clamp; axes that the slice takes whole are
    /// written out. Most operators neither drop nor add axes. A squeeze or a reshape after them
    /// does that, and [`Written::drop`] and [`Written::add`] list its axes.
    ///
    /// # Errors
    ///
    /// [`InteropError::Unwritable`], which names the operator, if the operator cannot do what the
    /// slice does on an axis, such as a negative step. [`SliceError::NeedsContiguous`] for a plan
    /// made with strides, permuted, broadcast or reshaped. [`SliceError::TooLong`] for more entries
    /// than masks have bits. [`SliceError::NotRepresentable`] for an axis that was added and then
    /// emptied.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::interop::{Operator, hlo};
    /// use pyslice::s;
    ///
    /// let written = hlo::SLICE.write(&s![1, ::3].plan(&[4, 8])?)?;
    /// let [start, limit, strides] = &written.vectors;
    /// assert_eq!((&start[..], &limit[..], &strides[..]), (&[1, 0][..], &[2, 7][..], &[1, 3][..]));
    /// assert_eq!(written.drop, [0]);
    /// // The reader reads it back.
    /// assert_eq!(hlo::slice(start, limit, strides).to_spec(&[4, 8])?.to_string(), "1:2, 0:7:3");
    ///
    /// let refused = hlo::SLICE.write(&s![1, ::-3].plan(&[4, 8])?).unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "step -3 on axis 1 is not supported by StableHLO's `slice`; \
    ///      `Plan::forwards` splits the plan into one that goes forwards and one that turns its \
    ///      result"
    /// );
    /// # Ok::<(), pyslice::interop::InteropError>(())
    /// ```
    ///
    /// # Source
    ///
    /// Each system's reader, which reads the written vectors back, and the systems themselves
    /// (recorded answers, `written`).
    pub fn write(self, plan: &Plan) -> Result<Written<N>, InteropError> {
        let parts = takings(plan, self.operator)?;
        let (operator, rank) = (self.operator, parts.len());
        if !(self.ranks.0..=self.ranks.1).contains(&rank) {
            return Err(InteropError::Unwritable {
                operator,
                axis: 0,
                why: Unwritable::Rank(rank),
            });
        }
        for (axis, part) in parts.iter().enumerate() {
            self.check(axis, part)?;
        }
        let (places, mut drop, mut add) = (places_of(plan, &parts), Vec::new(), Vec::new());
        let mut masks = Masks::default();
        if self.entries {
            if places.len() > MAX_ENTRIES {
                return Err(SliceError::TooLong { entries: places.len() }.into());
            }
            let bits = |set: fn(Place) -> bool| {
                places.iter().rev().fold(0_u32, |bits, &at| bits << 1 | u32::from(set(at)))
            };
            masks.new_axis = bits(Place::is_new);
            masks.shrink_axis = bits(Place::is_dropped);
        } else {
            drop.extend(
                (0..parts.len()).filter(|&a| parts.get(a).is_some_and(|p| p.out.is_none())),
            );
            let sources = plan.source_axes().enumerate();
            add.extend(sources.filter(|(_, from)| from.is_none()).map(|(at, _)| at));
        }
        let said = |number: Number| -> Vec<i64> {
            let told = places.iter().filter(|at| self.entries || !at.is_new());
            told.map(|&at| number(at)).collect()
        };
        Ok(Written { vectors: self.vectors.map(said), drop, add, masks })
    }

    /// An operator that can express everything about each axis, and that leaves dropping and adding
    /// axes to other operators.
    pub(crate) const fn new(operator: &'static str, vectors: [Number; N]) -> Form<N> {
        Form {
            operator,
            vectors,
            steps: Steps::Any,
            empty: true,
            entries: false,
            largest: i64::MAX,
            ranks: (0, MAX_RANK),
        }
    }

    /// An error if the operator cannot express what is taken of an axis.
    fn check(&self, axis: usize, part: &AxisPart) -> Result<(), InteropError> {
        let step = part.step as i64;
        let why = match self.steps {
            _ if part.len == 0 && !self.empty => Unwritable::Empty,
            Steps::One if step != 1 => Unwritable::Step(step),
            Steps::Forward if step < 1 => Unwritable::Step(step),
            _ => {
                let mut numbers = self.vectors.iter().map(|number| number(Place::Axis(*part)));
                let least = self.largest.saturating_neg().saturating_sub(1);
                match numbers.find(|v| !(least..=self.largest).contains(v)) {
                    Some(number) => Unwritable::Number(number),
                    None => return Ok(()),
                }
            }
        };
        Err(InteropError::Unwritable { operator: self.operator, axis, why })
    }
}

/// The axes of the input, and between them those that are new, in the order of the result.
fn places_of(plan: &Plan, parts: &[AxisPart]) -> Vec<Place> {
    let (mut places, mut axes) = (Vec::new(), parts.iter().copied());
    for (out, from) in plan.source_axes().enumerate() {
        if from.is_none() {
            places.push(Place::New(out));
            continue;
        }
        // Those that are dropped stand before the one that is kept.
        for part in axes.by_ref() {
            places.push(Place::Axis(part));
            if part.out == Some(out) {
                break;
            }
        }
    }
    places.extend(axes.map(Place::Axis));
    places
}
