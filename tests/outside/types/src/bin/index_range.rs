//! error: `std::ops::Range<usize>` cannot be an index of a slice; an index is an integer
//! under: r
//! help: write `r.start:r.end` for a range
use pyslice::*;

fn main() {
    let r = 1_usize..3;
    let _ = s![r];
}
