//! Lists, by name, where a real system departs from the rules.
//!
//! A record that disagrees with us must fall under one of these, whose predicate looks only at the
//! case (the slice, the shape, the class of the refusal); anything else fails the test.

use crate::replay::Refusal;
use crate::support::naive::{self, Item};
use crate::support::recorded::{Answer, Encoding, Record};

/// Two classes for one fault: the name that some systems' records have for it, and ours.
pub struct Reason {
    /// The beginning of the records' files.
    of: &'static str,
    theirs: &'static [&'static str],
    ours: &'static str,
    /// What our words hold.
    says: &'static str,
}

impl Reason {
    pub fn holds(&self, r: &Record, ours: &Refusal, theirs: &str) -> bool {
        r.file.starts_with(self.of)
            && self.theirs.contains(&theirs)
            && self.ours == ours.class
            && ours.text.contains(self.says)
    }
}

const fn reason(
    of: &'static str,
    theirs: &'static [&'static str],
    ours: &'static str,
    says: &'static str,
) -> Reason {
    Reason { of, theirs, ours, says }
}

pub const REASONS: &[Reason] = &[
    // A number beyond i64 is refused where the text is read; the systems refuse it in many ways.
    reason(
        "",
        &["overflow", "type", "index_out_of_bounds", "too_many_indices", "other"],
        "syntax",
        "does not fit in an i64",
    ),
    reason("", &["overflow", "index_out_of_bounds", "other"], "syntax", "is too big"),
    // TensorFlow refuses to slice a scalar in words of its own.
    reason("numpy", &["too_many_indices"], "scalar_input", "but the array has 0;"),
    reason(
        "torch",
        &["too_many_indices", "index_out_of_bounds"],
        "scalar_input",
        "but the array has 0;",
    ),
    reason(
        "paddle",
        &["too_many_indices", "index_out_of_bounds", "other"],
        "scalar_input",
        "but the array has 0;",
    ),
    reason(
        "mindspore",
        &["too_many_indices", "index_out_of_bounds", "other"],
        "scalar_input",
        "but the array has 0;",
    ),
    // A step of 0 needs no shape to be refused; the systems count the axes first.
    reason("", &["too_many_indices", "scalar_input"], "zero_stride", ""),
    // Nor does a stride of 0 beside a negative one on an index, or a slice that no mask has room
    // for.
    reason("tf", &["shrink_stride"], "zero_stride", ""),
    reason("tf", &["too_many_indices"], "length_mismatch", "it can have at most 31"),
    // With too many entries, one of these is out of bounds besides.
    reason("torch", &["index_out_of_bounds"], "too_many_indices", ""),
    reason("paddle", &["index_out_of_bounds", "other"], "too_many_indices", ""),
    reason("mindspore", &["other"], "too_many_indices", ""),
    // MindSpore has one class for all that is wrong with an index.
    reason("mindspore", &["shrink_index"], "index_out_of_bounds", ""),
    reason("mindspore", &["shrink_index"], "shrink_stride", ""),
];

/// A named difference between a real system and the rules this library keeps.
pub struct Departure {
    pub name: &'static str,
    pub applies: fn(&Record) -> bool,
}

const fn named(name: &'static str, applies: fn(&Record) -> bool) -> Departure {
    Departure { name, applies }
}

/// The process died, hung, or read outside its input.
const NO_ANSWER: Departure =
    named("the system gave no answer: crash, hang or memory outside its input", |r| {
        matches!(r.answer, Answer::Nothing { .. })
    });
const RANK_LIMIT: Departure =
    named("the system's kernels stop at some rank", |r| refused_as(r, "rank_limit"));
const ADVANCED: Departure = named("booleans, lists and the like are advanced indexing", |r| {
    let text = r.py.as_deref().unwrap_or_default();
    ["True", "False", "[", "'", "."].iter().any(|mark| text.replace("...", "").contains(mark))
});
const WIDE_LITERAL: Departure =
    named("the system clamps a bound beyond i64, the text parser refuses it", |r| {
        let wide = |v: i128| i64::try_from(v).is_err();
        items(r).iter().any(|item| match *item {
            Item::Range { start, stop, step } => {
                start.is_some_and(wide) || stop.is_some_and(wide) || wide(step)
            }
            _ => false,
        })
    });

pub const NUMPY: &[Departure] = &[ADVANCED, WIDE_LITERAL];

pub const NUMPY_SET: &[Departure] =
    &[named("NumPy wants a scalar where the target is one element, not an array of one", |r| {
        refused_as(r, "broadcast")
            && r.value.as_ref().is_some_and(|v| v.iter().product::<usize>() == 1)
            && target_shape(r).is_some_and(|shape| shape.is_empty())
    })];

pub const TF_ENCODE: &[Departure] = &[
    ADVANCED,
    named("TensorFlow encodes what its kernel refuses: a step of 0, two ellipses", |r| {
        let items = items(r);
        items.iter().filter(|i| **i == Item::Ellipsis).count() > 1
            || items.iter().any(|i| matches!(i, Item::Range { step: 0, .. }))
    }),
];

pub const TF_INFER: &[Departure] = &[];

pub const TF_GETITEM: &[Departure] = &[ADVANCED];

pub const TF_RAW: &[Departure] = &[RANK_LIMIT];

pub const TF_GRAD: &[Departure] = &[NO_ANSWER, RANK_LIMIT];

pub const TF_ASSIGN: &[Departure] = &[
    RANK_LIMIT,
    named("TensorFlow takes any value for an empty target", |r| {
        target_shape(r).is_some_and(|shape| shape.contains(&0))
    }),
];

pub const TORCH: &[Departure] = &[
    ADVANCED,
    WIDE_LITERAL,
    named("torch has no negative steps", |r| {
        matches!(&r.answer, Answer::Refused { class, .. } if class == "negative_step")
            && items(r).iter().any(|i| matches!(i, Item::Range { step, .. } if *step < 0))
    }),
    named("torch accepts a second ellipsis", |r| {
        items(r).iter().filter(|i| **i == Item::Ellipsis).count() > 1
    }),
    named("torch's length overflows near a step of 2^63", |r| has_step_beyond(r, 1 << 62)),
];

pub const PADDLE: &[Departure] = &[
    NO_ANSWER,
    RANK_LIMIT,
    ADVANCED,
    named("paddle's length overflows near a step of 2^63", |r| {
        has_step_beyond(r, i64::MAX as i128 - 1)
    }),
    named("paddle moves a new axis when an index drops another", |r| {
        let count = |wanted: fn(&Item) -> bool| items(r).iter().filter(|i| wanted(i)).count();
        count(|i| *i == Item::NewAxis) > 1 && count(|i| matches!(i, Item::Index { .. })) > 0
    }),
];

pub const PADDLE_AXES: &[Departure] = &[
    NO_ANSWER,
    RANK_LIMIT,
    named("paddle.strided_slice refuses a negative axis", |r| {
        r.op == "paddle.strided_slice" && refused_as(r, "axis") && has_axis(r, |a, _| a < 0)
    }),
    named("paddle lets an axis be named twice when the result is empty", |r| {
        matches!(&r.answer, Answer::Tensor { shape, .. } if shape.contains(&0)) && repeats_axis(r)
    }),
    named("paddle.slice moves an axis that does not exist to the nearest one", |r| {
        r.op == "paddle.slice" && has_axis(r, |axis, rank| !(-rank..rank).contains(&axis))
    }),
    named("paddle's length overflows near a step of 2^63", |r| {
        r.op == "paddle.strided_slice" && has_axis_step_beyond(r, i64::MAX as i128 - 1)
    }),
];

pub const ONNX: &[Departure] = &[];

pub const MINDSPORE: &[Departure] = &[
    NO_ANSWER,
    RANK_LIMIT,
    ADVANCED,
    MS_STEP,
    MS_START_PAST_END,
    named("MindSpore loses element 0 when stop < -n and step < 0", |r| {
        any_axis(
            r,
            |n, item| matches!(item, Item::Range { stop: Some(stop), step, .. } if step < 0 && stop < -n),
        )
    }),
    named("MindSpore clamps a start < -n to 0 when step < 0", |r| {
        any_axis(
            r,
            |n, item| matches!(item, Item::Range { start: Some(start), step, .. } if step < 0 && start < -n),
        )
    }),
    named("MindSpore refuses some empty inputs", |r| {
        matches!(&r.answer, Answer::Refused { text, .. } if text.contains("should not be zero"))
            && r.dims().contains(&0)
    }),
];

pub const MINDSPORE_RAW: &[Departure] = &[
    NO_ANSWER,
    MS_STEP,
    named("MindSpore allows as many entries as axes, new axes and ellipsis included", |r| {
        refused_as(r, "length_mismatch") && entries(r) > r.dims().len()
    }),
    named("MindSpore has no limit of 31 entries", |r| entries(r) > 31),
    named("MindSpore wants a stride under an ellipsis and a new axis too", |r| {
        refused_as(r, "zero_stride") && any_entry(r, |e, at| e.stride(at) == 0)
    }),
    named("MindSpore refuses masks < 0", |r| {
        refused_as(r, "negative_mask") && r.enc.as_ref().is_some_and(|e| e.negative_mask)
    }),
    named("MindSpore refuses rank 0", |r| refused_as(r, "scalar_input") && r.dims().is_empty()),
    named("MindSpore stops reversing at rank 8", |r| r.dims().len() > 8),
    named("MindSpore lets begin_mask change an index", |r| {
        any_entry(r, |e, at| e.has(SHRINK, at) && e.has(BEGIN, at))
    }),
    named("MindSpore obeys a shrink bit on a new axis, an ellipsis or past the last entry", |r| {
        any_entry(r, |e, at| e.has(SHRINK, at) && (e.has(NEW_AXIS, at) || e.has(ELLIPSIS, at)))
            || shrinks_past_end(r)
    }),
    named("MindSpore applies what follows an ellipsis to the wrong axis", |r| {
        any_entry(r, |e, at| e.has(ELLIPSIS, at) && at + 1 < e.len())
    }),
    named("MindSpore does not skip a new axis", |r| any_entry(r, |e, at| e.has(NEW_AXIS, at))),
    named("MindSpore starts at 0 for begin_mask and a stride < 0", |r| {
        any_entry(r, |e, at| e.has(BEGIN, at) && e.stride(at) < 0)
    }),
    MS_START_PAST_END,
];

const MS_STEP: Departure =
    named("MindSpore's steps end at i32", |r| has_step_beyond(r, i128::from(i32::MAX)));
const MS_START_PAST_END: Departure = named(
    "MindSpore starts outside the axis when start >= n and step < 0",
    |r| {
        any_axis(
            r,
            |n, item| matches!(item, Item::Range { start: Some(start), step, .. } if step < 0 && start >= n),
        )
    },
);

// Places of the masks in an encoding.
const BEGIN: usize = 0;
const ELLIPSIS: usize = 2;
const NEW_AXIS: usize = 3;
const SHRINK: usize = 4;

impl Encoding {
    fn len(&self) -> usize {
        self.strides.as_ref().map_or(0, Vec::len)
    }

    fn stride(&self, at: usize) -> i64 {
        self.strides.as_ref().map_or(1, |strides| strides[at])
    }

    fn has(&self, mask: usize, at: usize) -> bool {
        at < 32 && (self.masks[mask] >> at) & 1 == 1
    }
}

fn entries(r: &Record) -> usize {
    r.enc.as_ref().map_or(0, Encoding::len)
}

fn any_entry(r: &Record, odd: fn(&Encoding, usize) -> bool) -> bool {
    r.enc.as_ref().is_some_and(|e| (0..e.len()).any(|at| odd(e, at)))
}

fn shrinks_past_end(r: &Record) -> bool {
    r.enc.as_ref().is_some_and(|e| (e.len()..32).any(|at| e.has(SHRINK, at)))
}

pub fn refused_as(r: &Record, label: &str) -> bool {
    matches!(&r.answer, Answer::Refused { class, .. } if class == label)
}

/// The entries of the case, from its text or its masks; none if they cannot be read.
pub fn items(r: &Record) -> Vec<Item> {
    match (&r.py, &r.enc) {
        (Some(text), _) => naive::from_text(text).unwrap_or_default(),
        (None, Some(enc)) => decoded(enc).unwrap_or_default(),
        (None, None) => Vec::new(),
    }
}

/// The entries an encoding stands for, where all of it is known.
pub fn decoded(enc: &Encoding) -> Option<Vec<Item>> {
    let (begin, end) = (enc.begin.as_ref()?, enc.end.as_ref()?);
    naive::from_masks(begin, end, enc.strides.as_ref()?, enc.masks).ok()
}

fn target_shape(r: &Record) -> Option<Vec<usize>> {
    naive::pick(&r.dims(), &items(r)).ok().map(|picked| picked.shape)
}

fn has_step_beyond(r: &Record, limit: i128) -> bool {
    items(r).iter().any(|i| matches!(i, Item::Range { step, .. } if step.abs() >= limit))
}

fn has_axis(r: &Record, odd: fn(i64, i64) -> bool) -> bool {
    let rank = r.dims().len() as i64;
    let axes = r.axs.as_ref().and_then(|a| a.axes.as_ref());
    axes.is_some_and(|axes| axes.iter().any(|&axis| odd(axis, rank)))
}

fn has_axis_step_beyond(r: &Record, limit: i128) -> bool {
    let steps = r.axs.as_ref().and_then(|a| a.steps.as_ref());
    steps.is_some_and(|steps| steps.iter().any(|&step| i128::from(step).abs() >= limit))
}

fn repeats_axis(r: &Record) -> bool {
    let rank = r.dims().len() as i64;
    let axes = r.axs.as_ref().and_then(|a| a.axes.clone()).unwrap_or_default();
    let mut real: Vec<i64> = axes.iter().map(|&a| if a < 0 { a + rank } else { a }).collect();
    real.sort_unstable();
    real.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether some entry that takes an axis, with that axis' length, is as asked.
fn any_axis(r: &Record, odd: fn(i128, Item) -> bool) -> bool {
    let shape = r.dims();
    let expanded = naive::expand(shape.len(), &items(r)).unwrap_or_default();
    let taking = expanded.into_iter().filter(|i| *i != Item::NewAxis);
    taking.zip(&shape).any(|(item, &n)| odd(n as i128, item))
}
