//! error: `std::ops::Range<usize>` cannot be an index of a slice; an index is an integer
//! under: r
use pyslice::*;

fn main() {
    let r = 1_usize..3;
    let _ = s![r];
}
