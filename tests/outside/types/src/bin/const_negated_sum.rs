//! error: in_a_const_write_const_braces_and_in_a_const_fn_only_constants
//! under: -N - 1
use pyslice::*;
const N: usize = 1;
static A: Spec<1> = s![-N - 1:];

fn main() {
    let _ = A;
}
