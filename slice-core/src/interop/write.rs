//! Writes slices as the numbers that other systems' operators carry.

use crate::algebra::runs::{AxisPart, EMPTY_NEW_AXIS};
use crate::encoding::{MAX_ENTRIES, Masks};
use crate::error::SliceError;
use crate::error::Unwritable;
use crate::plan::Plan;
use crate::plan::walk::MAX_RANK;
use alloc::vec::Vec;

/// What an operator of another system can express, and its `N` vectors, in the order in which the
/// system's reader takes them.
///
/// The modules of [`interop`](crate::interop) have one for each operator; [`Plan::write`] takes it.
#[derive(Clone, Copy, Debug)]
pub struct Form<const N: usize> {
    pub(super) operator: &'static str,
    pub(super) vectors: [Number; N],
    pub(super) steps: Steps,
    /// Whether it can take nothing of an axis.
    pub(super) empty: bool,
    /// Whether it adds and drops axes itself: each added axis has an entry of its own, and masks
    /// tell which entries add and which drop.
    pub(super) entries: bool,
    /// The largest number that its vectors hold.
    pub(super) largest: i64,
    /// How many axes its input has, at least and at most.
    pub(super) ranks: (usize, usize),
}

/// One number of a vector, as a function of an axis.
pub(super) type Number = fn(Place) -> i64;

/// The steps that an operator supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steps {
    /// Only step 1.
    One,
    /// Steps of 1 and more.
    Forward,
    Any,
}

/// What one position of the vectors describes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// What is taken of an axis of the input.
    Axis(AxisPart),
    /// The new axis of the result with this number.
    New(usize),
}

impl Place {
    /// What is taken. Of a new axis, this is its only position.
    #[inline]
    fn part(self) -> AxisPart {
        match self {
            Place::Axis(part) => part,
            Place::New(out) => AxisPart { axis_len: 1, start: 0, step: 1, len: 1, out: Some(out) },
        }
    }

    #[inline]
    fn is_new(self) -> bool {
        matches!(self, Place::New(_))
    }

    #[inline]
    fn is_dropped(self) -> bool {
        self.part().out.is_none()
    }
}

/// The first position.
#[inline]
pub(super) fn start(at: Place) -> i64 {
    at.part().start as i64
}

/// How many positions the result has.
#[inline]
pub(super) fn count(at: Place) -> i64 {
    at.part().len as i64
}

/// The step.
#[inline]
pub(super) fn step(at: Place) -> i64 {
    at.part().step as i64
}

/// The position before which to stop, as Python counts it.
#[inline]
pub(super) fn stop(at: Place) -> i64 {
    at.part().stop()
}

/// The lowest position.
#[inline]
pub(super) fn low(at: Place) -> i64 {
    at.part().low()
}

/// The position after the highest.
#[inline]
pub(super) fn high(at: Place) -> i64 {
    at.part().high()
}

/// How many positions lie from the lowest to the highest.
#[inline]
pub(super) fn span(at: Place) -> i64 {
    high(at).saturating_sub(low(at))
}

/// 1 for an axis that is added.
#[inline]
pub(super) fn adds(at: Place) -> i64 {
    i64::from(at.is_new())
}

/// 1 for an axis that is dropped.
#[inline]
pub(super) fn drops(at: Place) -> i64 {
    i64::from(at.is_dropped())
}

/// A slice in the numbers of an operator: what [`Plan::write`] makes.
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

impl Plan {
    /// Writes the slice as the numbers that an operator of another system carries.
    ///
    /// They are computed from the plan. Only steps, and the end of a range that runs down to the
    /// front, can be negative; nothing is left to clamp; axes that the slice takes whole are
    /// written out. Most operators neither drop nor add axes. A squeeze or a reshape after them
    /// does, and [`Written::drop`] and [`Written::add`] have its axes.
    ///
    /// # Errors
    ///
    /// [`SliceError::Unwritable`], which names the operator, if the operator cannot do what the
    /// slice does on an axis, such as a negative step. [`SliceError::NeedsContiguous`] for a plan
    /// made with strides, permuted, broadcast or reshaped. [`SliceError::TooLong`] for more entries
    /// than masks have bits. [`SliceError::NotRepresentable`] for an axis that was added and then
    /// emptied.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::interop::{Operator, hlo};
    /// use pyslice::{SliceError, s};
    ///
    /// let written = s![1, ::3].plan(&[4, 8])?.write(hlo::SLICE)?;
    /// let [start, limit, strides] = &written.vectors;
    /// assert_eq!((&start[..], &limit[..], &strides[..]), (&[1, 0][..], &[2, 7][..], &[1, 3][..]));
    /// assert_eq!(written.drop, [0]);
    /// // The reader reads it back.
    /// assert_eq!(hlo::slice(start, limit, strides).to_spec(&[4, 8])?.to_string(), "1:2, 0:7:3");
    ///
    /// let refused = s![1, ::-3].plan(&[4, 8])?.write(hlo::SLICE).unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "step -3 on axis 1 is not supported by StableHLO's `slice`; \
    ///      take the positions in ascending order, and reverse the axis with a second operator"
    /// );
    /// # Ok::<(), SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// Each system's reader, which reads back what was written, and the systems themselves
    /// (recorded answers, `written`).
    #[inline]
    pub fn write<const N: usize>(&self, form: Form<N>) -> Result<Written<N>, SliceError> {
        let parts = self.takings(form.operator)?;
        let (operator, rank) = (form.operator, parts.len());
        if !(form.ranks.0..=form.ranks.1).contains(&rank) {
            return Err(SliceError::Unwritable { operator, axis: 0, why: Unwritable::Rank(rank) });
        }
        for (axis, part) in parts.iter().enumerate() {
            form.check(axis, part)?;
        }
        let (places, mut drop, mut add) = (self.places_of(&parts), Vec::new(), Vec::new());
        let mut masks = Masks::default();
        if form.entries {
            if places.len() > MAX_ENTRIES {
                return Err(SliceError::TooLong { entries: places.len() });
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
            add.extend(self.added());
        }
        let said = |number: Number| -> Vec<i64> {
            let told = places.iter().filter(|at| form.entries || !at.is_new());
            told.map(|&at| number(at)).collect()
        };
        Ok(Written { vectors: form.vectors.map(said), drop, add, masks })
    }

    /// The axes of the result that are new.
    #[inline]
    pub(super) fn added(&self) -> impl Iterator<Item = usize> {
        self.source_axes().enumerate().filter(|(_, from)| from.is_none()).map(|(at, _)| at)
    }

    /// What the slice takes on each axis of the input. If it takes nothing of an axis, any part of
    /// the right length works, so the first positions are taken.
    #[inline]
    pub(super) fn takings(&self, what: &'static str) -> Result<Vec<AxisPart>, SliceError> {
        if let Some(parts) = self.parts(what)? {
            return Ok(parts);
        }
        let shape = self.input_shape().iter();
        let mut parts: Vec<AxisPart> = shape
            .map(|&axis_len| AxisPart { axis_len, start: 0, step: 1, len: 1, out: None })
            .collect();
        for (out, axis) in self.axes().enumerate() {
            match parts.get_mut(usize::from(axis.source)) {
                Some(part) => (part.len, part.out) = (axis.len, Some(out)),
                None if axis.len == 1 => {}
                None => return Err(EMPTY_NEW_AXIS),
            }
        }
        Ok(parts)
    }

    /// The axes of the input, and between them those that are new, in the order of the result.
    #[inline]
    fn places_of(&self, parts: &[AxisPart]) -> Vec<Place> {
        let (mut places, mut axes) = (Vec::new(), parts.iter().copied());
        for (out, from) in self.source_axes().enumerate() {
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
}

impl<const N: usize> Form<N> {
    /// An operator that can express everything about each axis, and that leaves dropping and adding
    /// axes to other operators.
    #[inline]
    pub(super) const fn new(operator: &'static str, vectors: [Number; N]) -> Form<N> {
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
    #[inline]
    fn check(&self, axis: usize, part: &AxisPart) -> Result<(), SliceError> {
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
        Err(SliceError::Unwritable { operator: self.operator, axis, why })
    }
}
