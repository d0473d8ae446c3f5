//! error: `Spec<1>` cannot be an entry of a slice
//! help: keep `let rows = Entry::range(1, 3, 1)`
use pyslice::*;

fn main() {
    let _ = SpecBuf::from_entries([s![1:2]]);
}
