//! error: `Option<&usize>` cannot be a bound or a step of a slice; these are integers
//! under: xs.first()
//! help: `x.copied()` for an `Option` of one
use pyslice::*;

fn main() {
    let xs = [1_usize];
    let _ = s![xs.first():];
}
