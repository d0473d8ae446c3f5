//! burn's flex backend, below the checks of burn's tensor type, with each entry handed over as it
//! is written: `a:b:c` as `a..b;c`.

use burn_backend::TensorData;
use burn_flex::{FlexTensor, ops::slice::slice};
use burn_std::Slice;
use slice_conformance::{Entry, Reply, System, entries, run};

struct Burn;

/// The slices, and which axes an index drops; burn keeps these with length 1.
fn slices(text: &str) -> Option<(Vec<Slice>, Vec<bool>)> {
    let (mut slices, mut dropped) = (Vec::new(), Vec::new());
    for entry in entries(text)? {
        let (start, stop, step) = match entry {
            Entry::Index(-1) => (-1, None, 1),
            Entry::Index(at) => (at, Some(at.checked_add(1)?), 1),
            Entry::Range(start, stop, step) => (start.unwrap_or(0), stop, step),
            // It has neither.
            Entry::NewAxis | Entry::Ellipsis => return None,
        };
        let narrow = |v: i64| isize::try_from(v).ok();
        slices.push(Slice {
            start: narrow(start)?,
            end: stop.map(isize::try_from).transpose().ok()?,
            step: narrow(step)?,
        });
        dropped.push(matches!(entry, Entry::Index(_)));
    }
    Some((slices, dropped))
}

impl System for Burn {
    fn name(&self) -> String {
        "burn-flex 0.22".to_owned()
    }

    fn getitem(&self, shape: &[usize], text: &str) -> Reply {
        let Some((slices, dropped)) = slices(text) else { return Reply::Unsupported };
        if slices.len() > shape.len() {
            return Reply::Refused("more slices than axes".to_owned());
        }
        let count = shape.iter().product::<usize>() as i64;
        let x = FlexTensor::from_data(TensorData::new(
            (0..count).collect::<Vec<i64>>(),
            shape.to_vec(),
        ));
        let y = slice(x, &slices).to_contiguous().into_data();
        let kept =
            y.shape().iter().enumerate().filter(|(axis, _)| dropped.get(*axis) != Some(&true));
        let kept = kept.map(|(_, &n)| n).collect();
        match y.as_slice::<i64>() {
            Ok(values) => Reply::Tensor(kept, values.to_vec()),
            Err(error) => Reply::Refused(format!("{error:?}")),
        }
    }
}

fn main() {
    print!("{}", run(&Burn));
}
