//! error: is not a list of entries; a list is an iterator, an array or a vector
//! under: (0..3, 1)
//! help: write `[Entry::from(rows), columns.into()]` for a tuple
use pyslice::*;

fn main() {
    let _ = SpecBuf::from_entries((0..3, 1));
}
