//! error: `[bool; 2]` cannot be an index of a slice; an index is an integer
//! under: mask
//! help: for an array of positions or a mask, take the slices one by one
use pyslice::*;

fn main() {
    let mask = [true, false];
    let _ = s![mask];
}
