//! error: `(usize, usize)` is not a shape for `plan!`; a shape is an array of `usize`
//! under: SHAPE
//! help: write the lengths, as in `plan!([4, 6]; 1, ::2)`
use pyslice::*;
const SHAPE: (usize, usize) = (4, 6);

fn main() {
    let _ = plan!(SHAPE; 0);
}
