//! error: `&i64` cannot be a bound or a step of a slice; these are integers
//! under: to
//! help: `x as i64` for a float or a boolean
use pyslice::*;

fn main() {
    let to = &3_i64;
    let _ = s![1:to];
}
