//! error: bound 9 is outside axis 1 of length 6; use -6 to 6 (under a negative step, -6 to 5 as a start and -7 to 5 as a stop), leave the bound out, or slice without strict bounds, which clamps it
//! under: :, 2:9
use pyslice::*;
const SHAPE: [usize; 2] = [4, 6];

fn main() {
    let _ = plan!(SHAPE; :, 2:9; strict);
}
