//! error: `{float}` cannot be an index of a slice; an index is an integer
//! under: x * 2.0
//! help: `*x` for a reference, `x as i64` for a float or a boolean
use pyslice::*;

fn main() {
    let x = 1.5;
    let _ = s![1, x * 2.0];
}
