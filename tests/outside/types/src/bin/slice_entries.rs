//! error: `Vec<pyslice::Entry>` cannot be used as a slice; a slice is the value of `s![...]`, a `SpecBuf` or a `SpecRef`
//! under: entries
//! help: write `SpecBuf::from_entries(list)?` for a list of entries or ranges, and `?` behind a `Result`
use pyslice::*;

struct Tensor;

impl Tensor {
    fn slice(&self, _: impl AsSpec) {}
}

fn main() {
    let entries = vec![Entry::Index(0)];
    Tensor.slice(entries);
}
