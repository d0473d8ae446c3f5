//! error: `()` cannot be an index of a slice; an index is an integer
//! under: main()
use pyslice::*;

fn main() {
    let _ = s![main()];
}
