//! error: `Option<usize>` cannot be an index of a slice; an index is an integer
//! under: xs.iter().position(|&x| x == 2)
//! help: `x.unwrap_or(0)` for an `Option`
use pyslice::*;

fn main() {
    let xs = [1, 2];
    let _ = s![xs.iter().position(|&x| x == 2), 1];
}
