//! `const { .. }` keeps a slice constant, generic or not.
#![deny(warnings)]
use pyslice::{Spec, s};

const N: usize = 3;
const CROP: Spec<3, 2, 1> = s![const { N }:const { -3_i8 }, ..., const { N as u16 - 1 }];

const fn first<const K: usize>() -> Spec<2, 2, 1> {
    s![const { K }:, const { K - 1 }]
}

const fn wide() -> Spec<3> {
    s![const { u128::MAX }:, const { i128::MIN }:, const { u8::MAX }:]
}

fn main() {
    assert_eq!((CROP.begin(), CROP.end()), (&[3, 0, 2][..], &[-3, 0, 3][..]));
    assert_eq!(first::<4>(), s![4:, 3]);
    assert_eq!(wide().begin(), [i64::MAX, i64::MIN, 255]);
    let i = 9;
    assert_eq!(s![const { N + 1 }:i], s![4:9]);
}
