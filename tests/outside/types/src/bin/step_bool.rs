//! error: `bool` cannot be a bound or a step of a slice; these are integers
//! under: !flag
//! help: `x as i64` for a float or a boolean
use pyslice::*;

fn main() {
    let flag = true;
    let _ = s![::!flag];
}
