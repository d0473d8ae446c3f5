//! error: the values of this sum have different types
//! help: write a conversion of each value that has another type, as in `-(n as i64) + m`
use pyslice::*;

fn main() {
    let (n, m) = (3_usize, 2_i64);
    let _ = s![-n - m:];
}
