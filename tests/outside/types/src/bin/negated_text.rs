//! error: `&str` cannot be negated to give a bound or a step; these are integers
//! under: -x.trim()
use pyslice::*;

fn main() {
    let x = "a";
    let _ = s![-x.trim():];
}
