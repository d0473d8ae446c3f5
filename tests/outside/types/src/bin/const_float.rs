//! error: `f64` cannot be used in a slice; a slice takes integers
//! under: { X }
//! help: write `*x` for a reference, `x as i64` for a float or a boolean
use pyslice::*;
const X: f64 = 1.0;

fn main() {
    let _ = s![const { X }:];
}
