//! error: `[bool; 2]` cannot be an index of a slice; an index is an integer
//! under: mask
//! help: for an array of positions or a mask, use an iterator, or ndarray's `select`
use pyslice::*;

fn main() {
    let mask = [true, false];
    let _ = s![mask];
}
