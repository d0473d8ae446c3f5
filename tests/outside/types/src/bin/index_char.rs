//! error: `char` cannot be an index of a slice; an index is an integer
//! under: c
//! help: `*x` for a reference, `x as i64` for a float or a boolean
use pyslice::*;

fn main() {
    let c = 'a';
    let _ = s![..., c];
}
