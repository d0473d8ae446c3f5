//! Shapes that are not fully known: we never know less than TensorFlow, and are never wrong.

use pyslice::interop::tf;
use pyslice::{Dim, Masks, SpecBuf};

use crate::departures;
use crate::replay::{Refusal, Tally, same_reason};
use crate::support::naive;
use crate::support::recorded::{self, Answer, PartShape, Record};

#[test]
fn tf_infer_shape() {
    let file = "tf_infer_shape.jsonl";
    let mut tally = Tally::default();
    for r in recorded::read(file) {
        match (&ours(&r), &r.answer) {
            (Ok(ours), Answer::Shape(theirs)) if knows(ours, theirs) => {
                match contradiction(&r, ours) {
                    Some(why) => tally.fail(&r, why),
                    None => tally.agreed += 1,
                }
            }
            (Err(ours), Answer::Refused { class, .. }) if same_reason(&r, ours, class) => {
                tally.agreed += 1
            }
            (ours, _) => tally.depart(&r, departures::TF_INFER, || format!("{ours:?}")),
        }
    }
    tally.finish(file, departures::TF_INFER);
}

/// `None` is a shape of unknown rank. Where everything but lengths is known, both ways are asked.
fn ours(r: &Record) -> Result<Option<Vec<Dim>>, Refusal> {
    let enc = r.enc.as_ref().expect("a case with an encoding");
    let [b, e, l, n, s] = enc.masks;
    let masks = Masks { begin: b, end: e, ellipsis: l, new_axis: n, shrink_axis: s };
    let dim = |n: &Option<usize>| n.map_or(Dim::Unknown, Dim::Known);
    let shape: Option<Vec<Dim>> = r.shape.as_ref().map(|shape| shape.iter().map(dim).collect());
    let (begin, end) = (enc.begin.as_deref(), enc.end.as_deref());
    let strides = enc.strides.as_deref();
    let partial = tf::infer_partial(begin, end, strides, masks, shape.as_deref());
    let partial = partial.map(|dims| dims.map(Vec::from)).map_err(Refusal::from);
    if let (Some(begin), Some(end), Some(strides), Some(shape)) = (begin, end, strides, shape) {
        let spec = SpecBuf::from_masks(begin, end, strides, masks);
        let whole = spec.and_then(|spec| spec.infer_shape(&shape).map(|dims| dims.to_vec()));
        assert_eq!(partial.as_ref().ok(), whole.ok().map(Some).as_ref(), "{}", r.id);
    }
    partial
}

/// Everything TensorFlow knows, we know.
fn knows(ours: &Option<Vec<Dim>>, theirs: &PartShape) -> bool {
    match (ours, theirs) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(ours), Some(theirs)) => {
            ours.len() == theirs.len()
                && ours.iter().zip(theirs).all(|(ours, theirs)| match theirs {
                    Some(n) => *ours == Dim::Known(*n),
                    None => true,
                })
        }
    }
}

/// Tries values for all that is unknown; a true result outside what was inferred is a
/// contradiction.
fn contradiction(r: &Record, ours: &Option<Vec<Dim>>) -> Option<String> {
    let (ours, shape, enc) = (ours.as_ref()?, r.shape.as_ref()?, r.enc.as_ref()?);
    let strides = enc.strides.as_ref()?;
    for seed in 0..24_usize {
        let length = |axis: usize| [0, 1, 2, 3, 4, 5, 7, 12][(seed + axis * (seed / 8 * 3)) % 8];
        let tried: Vec<usize> =
            shape.iter().enumerate().map(|(axis, n)| n.unwrap_or(length(axis))).collect();
        let values = |known: &Option<Vec<i64>>, salt: usize| {
            let value = |at| ((seed * (salt + at) + at) % 15) as i64 - 7;
            known.clone().unwrap_or_else(|| (0..strides.len()).map(value).collect())
        };
        let (begin, end) = (values(&enc.begin, 3), values(&enc.end, 5));
        let items = naive::from_masks(&begin, &end, strides, enc.masks);
        let Ok(truth) = items.and_then(|items| naive::shape_of(&tried, &items)) else { continue };
        let fits = truth.len() == ours.len()
            && truth.iter().zip(ours).all(|(&n, dim)| match *dim {
                Dim::Known(k) => n == k,
                Dim::Between(low, high) => (low..=high).contains(&n),
                Dim::Unknown => true,
            });
        if !fits {
            return Some(format!(
                "inferred {ours:?}, but {begin:?} and {end:?} on {tried:?} give {truth:?}"
            ));
        }
    }
    None
}
