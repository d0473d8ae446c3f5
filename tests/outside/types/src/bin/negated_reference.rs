//! error: `&usize` cannot be negated to a bound or a step of a slice; these are integers
//! under: -n
//! help: write `-*x` for a reference
use pyslice::*;

fn main() {
    for n in &[1_usize] {
        let _ = s![-n:];
    }
}
