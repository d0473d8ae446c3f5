//! error: cannot be an index of a slice; an index is an integer
//! under: "1".parse::<i64>()
//! help: `x?` for a `Result`, `x.get()` for a `NonZero`
use pyslice::*;

fn main() {
    let _ = s![("1".parse::<i64>())];
}
