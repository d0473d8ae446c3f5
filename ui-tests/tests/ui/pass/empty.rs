//! The empty index of Python, `x[()]`, and the trailing comma.
#![deny(warnings)]
use pyslice::{Spec, s};

fn main() {
    const EMPTY: Spec<0> = s![];
    assert_eq!(EMPTY, s![()]);
    assert!(EMPTY.is_empty());
    assert_eq!(s![1, 2,], s![1, 2]);
}
