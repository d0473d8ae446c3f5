//! error: 3 entries take an axis, but the array has 2 axes; remove 1, or insert axes with `None` before slicing
//! under: 1, 2, ::3
use pyslice::*;
const SHAPE: [usize; 2] = [4, 6];

fn main() {
    let _ = plan!(SHAPE; 1, 2, ::3);
}
