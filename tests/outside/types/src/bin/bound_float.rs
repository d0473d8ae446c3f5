//! error: `f32` cannot be a bound or a step of a slice; these are integers
//! under: x as f32
//! help: `x as i64` for a float or a boolean
use pyslice::*;

fn main() {
    let x = 1;
    let _ = s![x as f32:];
}
