//! error: `Vec<pyslice::Entry>` cannot be used as a slice; a slice is the value of `s![...]`, a `SpecBuf` or a `SpecRef`
//! under: entries
//! help: `SpecBuf::from_entries(list)?` is Python's `x[tuple(list)]`
use pyslice::*;

struct Tensor;

impl Tensor {
    fn slice(&self, _: impl AsSpec) {}
}

fn main() {
    let entries = vec![Entry::Index(0)];
    Tensor.slice(entries);
}
