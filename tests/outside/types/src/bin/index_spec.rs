//! error: `Spec<1>` cannot be an index of a slice; an index is an integer
//! under: rows
//! help: the value of `s![...]` is a slice, not an entry: pass it by itself
//! help: `let rows = Entry::range(1, 3, 1)` and write `SpecBuf::from_entries([rows, 0.into()])?`
use pyslice::*;

fn main() {
    let rows = s![1:3];
    let _ = s![rows, 0];
}
