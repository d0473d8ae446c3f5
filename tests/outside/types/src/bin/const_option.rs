//! error: `Option<{integer}>` cannot be used in a slice; a slice takes integers
//! under: { Some(1) }
//! help: leave the bound out for `None`
use pyslice::*;

fn main() {
    let _ = s![const { Some(1) }:];
}
