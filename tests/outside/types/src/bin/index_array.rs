//! error: `[bool; 2]` cannot be an index of a slice; an index is an integer
//! under: mask
//! help: for an array of positions, use an iterator, or ndarray's `select`; for a mask, `filter`
use pyslice::*;

fn main() {
    let mask = [true, false];
    let _ = s![mask];
}
