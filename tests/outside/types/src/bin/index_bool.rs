//! error: `bool` cannot be an index of a slice; an index is an integer
//! under: n > 2
//! help: write `*x` for a reference, `x as i64` for a float or a boolean
use pyslice::*;

fn main() {
    let n = 3;
    let _ = s![n > 2];
}
