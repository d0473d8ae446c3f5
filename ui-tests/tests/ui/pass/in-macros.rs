//! Values that come through macros of the user.
#![deny(warnings)]
use pyslice::s;

macro_rules! between {
    ($from:expr, $to:expr) => {
        s![$from:$to]
    };
}

macro_rules! pick {
    ($axis:ident, $a:literal, $b:literal) => {
        s![$axis, $a, $b]
    };
}

macro_rules! all {
    ($($tokens:tt)*) => {
        s![$($tokens)*]
    };
}

fn main() {
    assert_eq!(between!(1, 3), s![1:3]);
    assert_eq!(between!(-2, 1 + 2), s![-2:3]);
    assert_eq!(pick!(None, 4, -1), s![None, 4, -1]);
    const FIXED: pyslice::Spec<1> = between!(1, -1);
    assert_eq!(FIXED, s![1:-1]);
    assert_eq!(all!(1, ::2, ...), s![1, ::2, ...]);
}
