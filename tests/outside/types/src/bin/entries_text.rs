//! error: `&str` is not a list of entries; a list is an iterator, an array or a vector
//! under: "1:2"
//! help: write `text.parse::<SpecBuf>()?` for text
use pyslice::*;

fn main() {
    let _ = SpecBuf::from_entries("1:2");
}
