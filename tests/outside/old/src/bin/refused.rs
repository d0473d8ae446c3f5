//! error: `0..2` is a Rust range, not a slice
//! help: help: write `0:2`
//! under: 0..2
#[macro_use]
extern crate pyslice;

fn main() {
    let _ = s![0..2];
}
