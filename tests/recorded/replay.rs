//! One loop for all files: ask ours, ask the reference, compare both with the record.

use std::collections::BTreeMap;

use crate::departures::{self, Departure};
use pyslice::SliceError;
use pyslice::interop::InteropError;

use crate::support::recorded::{self, Answer, Record};

/// A tensor of the recorded element type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    pub shape: Vec<usize>,
    pub values: Vec<i64>,
}

/// A result, or why it was refused.
pub type Outcome = Result<Tensor, Refusal>;

/// Why we refuse a case: the class that the records have for it, and our words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub class: &'static str,
    pub text: String,
}

impl From<SliceError> for Refusal {
    fn from(error: SliceError) -> Refusal {
        let class = match error {
            SliceError::ZeroStep { .. } => "zero_stride",
            SliceError::SecondEllipsis { .. } | SliceError::EllipsisBit { .. } => {
                "multiple_ellipsis"
            }
            SliceError::IndexOutOfRange { .. } => "index_out_of_bounds",
            SliceError::ShrinkStride { .. } => "shrink_stride",
            SliceError::TooManyEntries { rank: 0, .. } => "scalar_input",
            SliceError::TooManyEntries { .. } => "too_many_indices",
            SliceError::LengthMismatch { .. } | SliceError::TooLong { .. } => "length_mismatch",
            SliceError::AxisOutOfRange { .. } => "axis",
            SliceError::RepeatedAxis { .. } => "repeated_axis",
            SliceError::Broadcast { .. } => "broadcast",
            SliceError::BufferLength { .. } => "dy_shape",
            SliceError::Syntax { .. } => "syntax",
            _ => "other",
        };
        Refusal { class, text: error.to_string() }
    }
}

impl From<InteropError> for Refusal {
    fn from(error: InteropError) -> Refusal {
        match error {
            InteropError::Slice(error) => error.into(),
            error => Refusal { class: "other", text: error.to_string() },
        }
    }
}

/// Replays a file; every record must agree with `ours`, or fall under one of `departures`.
/// `reference` must agree with `ours` on every record, departing or not.
pub fn replay(
    file: &str,
    ours: fn(&Record) -> Outcome,
    reference: fn(&Record) -> Outcome,
    departures: &[Departure],
) {
    let mut tally = Tally::default();
    for r in recorded::read(file) {
        let (ours, reference) = (ours(&r), reference(&r));
        let same = match (&ours, &reference) {
            (Ok(ours), Ok(reference)) => ours == reference,
            (Err(_), Err(_)) => true,
            _ => false,
        };
        if !same {
            tally.fail(&r, format!("ours {ours:?}\n  reference {reference:?}"));
        } else if agrees(&r, &ours) {
            tally.agreed += 1;
        } else {
            tally.depart(&r, departures, || format!("{ours:?}"));
        }
    }
    tally.finish(file, departures);
}

fn agrees(r: &Record, ours: &Outcome) -> bool {
    match (ours, &r.answer) {
        (Ok(ours), Answer::Tensor { shape, values }) => {
            ours.shape == *shape && recorded::same_values(&ours.values, values)
        }
        (Err(ours), Answer::Refused { class, .. }) => same_reason(r, ours, class),
        _ => false,
    }
}

/// The refusal has the reason that the system gives.
pub fn same_reason(r: &Record, ours: &Refusal, class: &str) -> bool {
    ours.class == class || departures::REASONS.iter().any(|reason| reason.holds(r, ours, class))
}

/// Counts, and the first failures in words.
#[derive(Default)]
pub struct Tally {
    pub agreed: usize,
    pub departed: BTreeMap<&'static str, usize>,
    failures: Vec<String>,
}

impl Tally {
    pub fn fail(&mut self, r: &Record, why: String) {
        let slice = match (&r.py, &r.enc, &r.axs) {
            (Some(py), _, _) => py.clone(),
            (_, Some(enc), _) => format!("{enc:?}"),
            _ => format!("{:?}", r.axs),
        };
        self.failures.push(format!(
            "{} {} on {:?}, value {:?}, dy {:?}\n  {}\n  recorded {:?}",
            r.id, r.op, r.shape, r.value, r.dy, slice, r.answer
        ));
        if let Some(last) = self.failures.last_mut() {
            last.push_str("\n  ");
            last.push_str(&why);
        }
    }

    /// Counts the record under the first departure that applies, or fails it.
    pub fn depart(&mut self, r: &Record, known: &[Departure], why: impl Fn() -> String) {
        match known.iter().find(|departure| (departure.applies)(r)) {
            Some(departure) => *self.departed.entry(departure.name).or_default() += 1,
            None => self.fail(r, why()),
        }
    }

    pub fn finish(self, file: &str, known: &[Departure]) {
        println!("{file}: {} agree", self.agreed);
        for (name, count) in &self.departed {
            println!("  {count} depart: {name}");
        }
        let shown = self.failures.iter().take(60).cloned().collect::<Vec<_>>().join("\n");
        assert!(self.failures.is_empty(), "{file}: {} differ\n{shown}", self.failures.len());
        assert!(self.agreed > 0, "{file}: nothing was compared");
        if recorded::whole_collection().is_some() {
            for departure in known {
                let used = self.departed.contains_key(departure.name);
                assert!(used, "{file}: nothing departs any more: {}", departure.name);
            }
        }
    }
}
