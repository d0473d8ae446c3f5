//! error: `Vec<usize>` cannot be an index of a slice; an index is an integer
//! under: rows
//! help: for an array of positions, use an iterator, or ndarray's `select`; for a mask, `filter`
use pyslice::*;

fn main() {
    let rows = vec![0_usize, 2];
    let _ = s![rows];
}
