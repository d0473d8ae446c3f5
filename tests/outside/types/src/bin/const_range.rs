//! error: `std::ops::Range<{integer}>` cannot be used in a slice; a slice takes integers
//! under: { 1..3 }
//! help: use any primitive integer
use pyslice::*;

fn main() {
    let _ = s![const { 1..3 }:];
}
