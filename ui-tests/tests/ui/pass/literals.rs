//! Every way to write a number; signs as in Python.
#![deny(warnings)]
use pyslice::s;

fn main() {
    assert_eq!(s![0x10, 0o17, 0b11, 1_000, 007], s![16, 15, 3, 1000, 7]);
    assert_eq!(s![+2, - 1, --3, -+4, -0], s![2, -1, 3, -4, 0]);
    assert_eq!(s![-9223372036854775808:9223372036854775807].begin(), [i64::MIN]);
    assert_eq!(s![9223372036854775806].end(), [i64::MAX]);
}
