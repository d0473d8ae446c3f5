//! error: `f64` cannot be negated to give an index; an index is an integer
//! under: -x
//! help: `-(x as i64)` for a float or a boolean
use pyslice::*;

fn main() {
    let x = 1.5_f64;
    let _ = s![..., -x];
}
