//! error: in_a_const_write_const_braces_and_in_a_const_fn_only_constants
//! under: n
use pyslice::*;
const fn f(n: usize) -> Spec<1> {
    s![n:]
}

fn main() {
    let _ = f(1);
}
