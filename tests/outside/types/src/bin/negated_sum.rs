//! error: `&usize` cannot be negated to give a bound or a step; these are integers
//! under: -n + 1
//! help: write `-*x` for a reference
use pyslice::*;

fn main() {
    for n in &[1_usize] {
        let _ = s![-n + 1:];
    }
}
