//! error: `pyslice::Entry` cannot be an index of a slice; an index is an integer
//! under: rows
//! help: `SpecBuf::from_entries([Entry::from(rows), columns.into()])?`
use pyslice::*;

fn main() {
    let rows = Entry::from(1..3);
    let _ = s![rows, 0];
}
