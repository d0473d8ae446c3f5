//! error: the slice needs 3 axes, but the array has 2; remove 1 entry, or insert axes with `None` in a slice before this one
//! under: 1, 2, ::3
use pyslice::*;
const SHAPE: [usize; 2] = [4, 6];

fn main() {
    let _ = plan!(SHAPE; 1, 2, ::3);
}
