//! error: step is 0 on entry 1; a step must be 1 or more, or -1 or less
//! under: const { N }
use pyslice::*;
const N: i32 = 0;
const A: Spec<2> = s![:, ::const { N }];

fn main() {
    let _ = A;
}
