//! error: `{float}` cannot be an entry of a slice; an entry is an integer, a Rust range or an `Entry`
//! help: write `x as i64` for a float
use pyslice::*;

fn main() {
    let _ = SpecBuf::from_entries([1.0]);
}
