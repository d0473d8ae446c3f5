//! error: `bool` cannot be a bound or a step of a slice; these are integers
//! under: true && n > 0
//! help: write `*x` for a reference, `x as i64` for a float or a boolean
use pyslice::*;

fn main() {
    let n = 1;
    let _ = s![::true && n > 0];
}
