//! Serialises slices and plans with serde. Everything that is read is checked, as untrusted input.
//!
//! - A slice is text (`"1, ..., ::-1"`) in formats that people read, and masks in the others. Text
//!   formats may have masks too. Both are read by the text parser and the mask decoder. A slice
//!   whose text would not parse back to it, such as a strict one, is always written as masks. One
//!   on an axis (`on_axis`) is written with entries from axis 0 on. Writing a slice with a step of
//!   0, which no reader accepts, is an error, and so is one on an axis that has no such entries.
//! - A plan is its axes. One that is not a slice of its input is refused, so a forged plan can do
//!   no more than any other plan for the wrong buffer.
//! - A chunk is its place in the grid and its two plans, which must fit each other.

mod chunk;
mod record;

use crate::encoding::{Entry, Masks, Spec, SpecBuf, SpecRef};
use crate::error::SliceError;
use crate::plan::axes::{Frame, OutAxis};
use crate::plan::walk::{MAX_RANK, NO_SOURCE, count};
use crate::plan::{self, FixedPlan, Plan};
use alloc::vec::Vec;
use core::fmt;
use record::record;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeStruct, Serializer};

/// The masks form, as it is read.
struct MasksIn {
    begin: Vec<i64>,
    end: Vec<i64>,
    strides: Vec<i64>,
    masks: Masks,
    strict: bool,
}
record!(MasksIn as "Spec", deny_unknown: true, { begin, end, strides, masks, strict });

impl MasksIn {
    fn decode<E: serde::de::Error>(self) -> Result<SpecBuf, E> {
        let spec = SpecBuf::from_masks(&self.begin, &self.end, &self.strides, self.masks)
            .map_err(E::custom)?;
        Ok(if self.strict { spec.strict() } else { spec })
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for SpecRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // No reader accepts a step of 0, so writing one is an error.
        if let Some(entry) =
            self.entries().position(|entry| matches!(entry, Entry::Range { step: 0, .. }))
        {
            return Err(S::Error::custom(SliceError::ZeroStep { entry }));
        }
        if self.axis() != 0 {
            return self.to_buf().expand().map_err(S::Error::custom)?.serialize(serializer);
        }
        if serializer.is_human_readable() && self.has_text() {
            return serializer.collect_str(self);
        }
        let mut out = serializer.serialize_struct("Spec", 5)?;
        out.serialize_field("begin", self.begin)?;
        out.serialize_field("end", self.end)?;
        out.serialize_field("strides", self.strides)?;
        out.serialize_field("masks", &self.masks)?;
        out.serialize_field("strict", &self.is_strict())?;
        out.end()
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for SpecBuf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().serialize(serializer)
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<const L: usize, const T: usize, const D: usize, const A: usize> Serialize
    for Spec<L, T, D, A>
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().serialize(serializer)
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for SpecBuf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SpecBuf, D::Error> {
        struct TextOrMasks;
        impl<'de> Visitor<'de> for TextOrMasks {
            type Value = SpecBuf;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "a slice as text, such as `1, ..., ::-1`, or as begin, end, strides and masks",
                )
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<SpecBuf, E> {
                text.parse().map_err(E::custom)
            }
            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<SpecBuf, M::Error> {
                MasksIn::deserialize(MapAccessDeserializer::new(map))?.decode()
            }
        }
        if deserializer.is_human_readable() {
            return deserializer.deserialize_any(TextOrMasks);
        }
        MasksIn::deserialize(deserializer)?.decode()
    }
}

/// Fails unless the slice has the counts of entries, indices, ranges and new axes that its type
/// says.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de, const L: usize, const T: usize, const D: usize, const A: usize> Deserialize<'de>
    for Spec<L, T, D, A>
{
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        let spec = SpecBuf::deserialize(deserializer)?;
        Spec::try_from(spec.as_ref()).map_err(De::Error::custom)
    }
}

/// One axis of a plan: its length, its stride in elements, and the axis of the input that feeds it.
type AxisForm = (u64, i64, Option<u8>);

/// A plan as it is written and read. `input_len` is given only for a plan made with strides;
/// otherwise it is the product of `input_shape`.
struct PlanForm {
    input_shape: Vec<u64>,
    input_len: Option<u64>,
    offset: u64,
    axes: Vec<AxisForm>,
}
record!(PlanForm as "Plan", deny_unknown: true, { input_shape, input_len, offset, axes });

#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for Plan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let source = |axis: OutAxis| (axis.source != NO_SOURCE).then_some(axis.source);
        let form = PlanForm {
            input_shape: self.input_shape().iter().map(|&n| n as u64).collect(),
            input_len: self.is_strided().then_some(self.input_len() as u64),
            offset: self.offset() as u64,
            axes: self
                .axes()
                .map(|axis| (axis.len as u64, axis.stride as i64, source(axis)))
                .collect(),
        };
        form.serialize(serializer)
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for Plan {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Plan, D::Error> {
        PlanForm::deserialize(deserializer)?.plan().map_err(D::Error::custom)
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<const IN: usize, const OUT: usize> Serialize for FixedPlan<IN, OUT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_plan().serialize(serializer)
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de, const IN: usize, const OUT: usize> Deserialize<'de> for FixedPlan<IN, OUT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        FixedPlan::try_from(&Plan::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Why a form is not a plan.
enum Fault {
    Known(SliceError),
    Forged(&'static str),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Known(e) => e.fmt(f),
            Fault::Forged(what) => write!(f, "not the plan of a slice: {what}"),
        }
    }
}

impl PlanForm {
    fn plan(&self) -> Result<Plan, Fault> {
        const LARGE: Fault = Fault::Known(SliceError::ShapeTooLarge);
        let rank = self.input_shape.len().max(self.axes.len());
        if rank > MAX_RANK {
            return Err(Fault::Known(SliceError::RankTooHigh { rank, limit: MAX_RANK }));
        }
        let size =
            |n: u64| usize::try_from(n).ok().filter(|&n| n <= isize::MAX as usize).ok_or(LARGE);
        let input_shape =
            self.input_shape.iter().map(|&n| size(n)).collect::<Result<Vec<usize>, Fault>>()?;
        let count = count(&input_shape).ok_or(LARGE)?;
        let axes = self.axes(&input_shape)?;
        let lengths: Vec<usize> = axes.iter().map(|axis| axis.len).collect();
        // The product of the lengths is exact: it is the plan's length.
        plan::walk::count(&lengths).ok_or(LARGE)?;
        if count == 0 && axes.iter().all(|axis| axis.len > 0) {
            return Err(Fault::Forged("it takes elements of an array that has none"));
        }
        let input_len = match self.input_len {
            None => count,
            Some(n) => size(n)?,
        };
        let frame = Frame {
            input_shape: &input_shape,
            input_len,
            strided: self.input_len.is_some(),
            offset: size(self.offset)?,
        };
        let plan = Plan::from_axes(frame, axes.into_iter());
        if plan.is_empty() {
            return if self.offset == 0 {
                Ok(plan)
            } else {
                Err(Fault::Forged("it is empty, but has an offset"))
            };
        }
        if !reaches_only(&plan, input_len) {
            return Err(Fault::Forged("it reaches past its input"));
        }
        if !plan.is_strided() && !walks_its_axes(&plan) {
            return Err(Fault::Forged("a stride or the offset leaves the axis it belongs to"));
        }
        Ok(plan)
    }

    /// The axes. In a slice of a C-contiguous input, new axes have at most one position, and the
    /// others are in the input's order and no longer than its axes. A plan made with strides may
    /// have any order, length and number of axes.
    fn axes(&self, input_shape: &[usize]) -> Result<Vec<OutAxis>, Fault> {
        let mut next = 0usize;
        let axis = |&(len, stride, source): &AxisForm| {
            let stride = isize::try_from(stride)
                .map_err(|_| Fault::Forged("a stride does not fit this machine's isize"))?;
            let (limit, source) = match source {
                None => (1, NO_SOURCE),
                Some(source) => {
                    let at = usize::from(source);
                    let (Some(&n), true) =
                        (input_shape.get(at), at >= next || self.input_len.is_some())
                    else {
                        return Err(Fault::Forged("its axes are not those of its input, in order"));
                    };
                    next = at.saturating_add(1);
                    (n, source)
                }
            };
            let slice = self.input_len.is_none();
            if slice && source == NO_SOURCE && stride != 0 {
                return Err(Fault::Forged("a new axis has a stride"));
            }
            match usize::try_from(len) {
                Ok(len) if len <= limit || !slice => Ok(OutAxis { len, stride, source }),
                _ => Err(Fault::Forged("an axis is longer than the one it is taken from")),
            }
        };
        self.axes.iter().map(axis).collect()
    }
}

/// Whether every position of a view that is not empty lies below `input_len`.
fn reaches_only(plan: &Plan, input_len: usize) -> bool {
    plan::extent(plan.shape(), plan.strides()).is_ok_and(|(below, span)| {
        let end = plan.offset().checked_sub(below).and_then(|low| low.checked_add(span));
        end.is_some_and(|end| end <= input_len)
    })
}

/// Whether a plan over a C-contiguous input, which is not empty and stays inside it, walks each
/// axis along that axis only.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "positions inside the input and products of its lengths, all of which fit isize, in \
              i128"
)]
fn walks_its_axes(plan: &Plan) -> bool {
    let Ok(Some(parts)) = plan.parts("a plan") else { return false };
    let mut stride = 1i128;
    for part in parts.iter().rev() {
        let out = part.out.and_then(|out| plan.axes().nth(out)).filter(|axis| axis.len > 1);
        if let Some(axis) = out {
            let last = part.start as i128 + (axis.len as i128 - 1) * part.step as i128;
            let exact = part.step as i128 * stride == axis.stride as i128;
            if !exact || part.step == 0 || last < 0 || last >= part.axis_len as i128 {
                return false;
            }
        }
        stride *= part.axis_len as i128;
    }
    true
}
