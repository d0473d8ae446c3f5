//! error: `Option<{integer}>` cannot be an entry of a slice
//! help: `Entry::NewAxis` for a new axis
use pyslice::*;

fn main() {
    let _ = SpecBuf::builder().entry(Some(1));
}
