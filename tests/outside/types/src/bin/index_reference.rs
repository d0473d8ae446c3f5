//! error: `&usize` cannot be an index of a slice; an index is an integer
//! under: i
//! help: `*x` for a reference, `x as i64` for a float or a boolean
use pyslice::*;

fn main() {
    for i in &[1_usize] {
        let _ = s![i];
    }
}
