//! error: `std::ops::Range<{integer}>` cannot be used as a slice; a slice is the value of `s![...]`, a `SpecBuf` or a `SpecRef`
//! under: 1..3
//! help: write `s![1:3]` instead of a Rust range or a tuple, `s![i]` for an index
use pyslice::*;

struct Tensor;

impl Tensor {
    fn slice(&self, _: impl AsSpec) {}
}

fn main() {
    Tensor.slice(1..3);
}
