//! Every top-level colon is a colon of the slice, and `::` is two.
#![deny(warnings)]
use pyslice::s;

fn main() {
    let (n, step, x) = (3, 2, [1, 2, 3]);
    assert_eq!(s![n::2, n::step, ::n, n::-1, n: :2], s![3:None:2, 3::2, None:None:3, 3::-1, 3::2]);
    assert_eq!(s![:, ::, 1:, :1, 1::, :1:, None:None:None], s![:, :, 1:, :1, 1:, :1, :]);
    assert_eq!(s![x.len()::2, x[0]::x[1], x.len():x.len()], s![3::2, 1::2, 3:3]);
}
