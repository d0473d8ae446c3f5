//! error: `std::ops::Range<{integer}>` cannot be taken as a slice; a slice is what `s![...]` gives, a `SpecBuf` or a `SpecRef`
//! under: 1..3
//! help: write `s![1:3]` for a range of Rust or a tuple, `s![i]` for an index
use pyslice::*;

struct Tensor;

impl Tensor {
    fn slice(&self, _: impl AsSpec) {}
}

fn main() {
    Tensor.slice(1..3);
}
