//! error: `&str` cannot be negated to a bound or a step of a slice; these are integers
//! under: -x.trim()
use pyslice::*;

fn main() {
    let x = "a";
    let _ = s![-x.trim():];
}
