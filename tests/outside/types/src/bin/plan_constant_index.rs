//! error: index 7 is outside axis 1 of length 6; use -6 to 5, or a range, which is clamped
//! under: 1, 7
use pyslice::*;
const SHAPE: [usize; 2] = [4, 6];

fn main() {
    let _ = plan!(SHAPE; 1, 7);
}
