//! ndarray, with each entry handed over as it is written: `a:b:c` as `a..b;c`.

use ndarray::{ArrayD, IxDyn, SliceInfoElem};
use slice_conformance::{Entry, Reply, System, entries, run};

struct NdArray;

fn elements(shape: &[usize], text: &str) -> Option<Vec<SliceInfoElem>> {
    let entries = entries(text)?;
    let taking = entries.iter().filter(|e| matches!(e, Entry::Index(_) | Entry::Range(..))).count();
    let mut elements = Vec::new();
    for entry in &entries {
        elements.push(match *entry {
            Entry::Index(at) => SliceInfoElem::Index(isize::try_from(at).ok()?),
            Entry::Range(start, stop, step) => SliceInfoElem::Slice {
                start: isize::try_from(start.unwrap_or(0)).ok()?,
                end: stop.map(isize::try_from).transpose().ok()?,
                step: isize::try_from(step).ok()?,
            },
            Entry::NewAxis => SliceInfoElem::NewAxis,
            // It has none.
            Entry::Ellipsis => return None,
        });
    }
    // It requires an element for each axis.
    for _ in taking..shape.len() {
        elements.push(SliceInfoElem::Slice { start: 0, end: None, step: 1 });
    }
    Some(elements)
}

impl System for NdArray {
    fn name(&self) -> String {
        "ndarray 0.17".to_owned()
    }

    fn getitem(&self, shape: &[usize], text: &str) -> Reply {
        let Some(elements) = elements(shape, text) else { return Reply::Unsupported };
        let count = shape.iter().product::<usize>() as i64;
        let x = ArrayD::from_shape_vec(IxDyn(shape), (0..count).collect()).expect("as many values");
        let y = x.slice(elements.as_slice());
        Reply::Tensor(y.shape().to_vec(), y.iter().copied().collect())
    }
}

fn main() {
    print!("{}", run(&NdArray));
}
