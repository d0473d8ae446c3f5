//! error: `()` cannot be used in a slice; a slice takes integers
//! under: { }
//! help: use any primitive integer
use pyslice::*;

fn main() {
    let _ = s![const { }:];
}
