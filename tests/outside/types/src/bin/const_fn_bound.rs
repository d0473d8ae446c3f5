//! error: in_a_const_write_const_braces_around_it
//! under: n
use pyslice::*;
const fn f(n: usize) -> Spec<1> {
    s![n:]
}

fn main() {
    let _ = f(1);
}
