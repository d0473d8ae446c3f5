//! error: `{float}` cannot be an index of a slice; an index is an integer
//! under: x * y
//! help: `*x` for a reference, `x as i64` for a float or a boolean
use pyslice::*;

fn main() {
    let (x, y) = (1.5, 2.0);
    let _ = s![1, x * y];
}
