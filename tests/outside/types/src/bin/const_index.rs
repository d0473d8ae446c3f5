//! error: in_a_const_write_const_braces_and_in_a_const_fn_only_constants
//! under: N
use pyslice::*;
const N: usize = 1;
const A: Spec<1, 1, 1> = s![N];

fn main() {
    let _ = A;
}
