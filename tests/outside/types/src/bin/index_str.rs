//! error: `&str` cannot be an index of a slice; an index is an integer
//! under: name
//! help: `*x` for a reference, `x as i64` for a float or a boolean
use pyslice::*;

fn main() {
    let name = "rows";
    let _ = s![name];
}
