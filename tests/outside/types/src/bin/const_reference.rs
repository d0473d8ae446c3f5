//! error: `&{integer}` cannot be used in a slice; a slice takes integers
//! under: { &3 }
//! help: write `*x` for a reference
use pyslice::*;

fn main() {
    let _ = s![const { &3 }:];
}
