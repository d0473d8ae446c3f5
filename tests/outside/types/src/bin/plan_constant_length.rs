//! error: index 4 is outside axis 0 of length 4; use -4 to 3, or a range, which is clamped
//! under: 4, 0
use pyslice::*;
const N: usize = 4;
const P: FixedPlan<2, 0> = plan!([N, 6]; 4, 0);

fn main() {
    let _ = P;
}
