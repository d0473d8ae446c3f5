//! error: `bool` cannot be an index of a slice; an index is an integer
//! under: big
//! help: `*x` for a reference, `x as i64` for a float or a boolean
use pyslice::*;

fn main() {
    let big = 3 > 2;
    let _ = s![big];
}
