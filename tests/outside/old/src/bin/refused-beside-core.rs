//! error: `1.5` is a float; a slice takes integers
//! under: 1.5
#[macro_use]
extern crate pyslice;

/// In the way.
mod core {}

fn main() {
    let _ = s![const { 2 }, 1.5];
}
