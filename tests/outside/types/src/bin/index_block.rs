//! error: `&str` cannot be an index of a slice; an index is an integer
//! under: { "a" }
use pyslice::*;

fn main() {
    let _ = s![{ "a" }];
}
