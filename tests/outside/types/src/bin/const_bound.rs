//! error: in_a_const_write_const_braces_around_it
//! under: N + 1
use pyslice::*;
const N: usize = 1;
static A: Spec<1> = s![N + 1:];

fn main() {
    let _ = A;
}
