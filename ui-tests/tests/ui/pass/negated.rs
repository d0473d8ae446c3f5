//! `-n` for every primitive type, unsigned ones too, and for every other type that Rust negates to
//! an integer.
#![deny(warnings)]
use pyslice::{SpecBuf, s};
use std::ops::Neg;

macro_rules! of_expression {
    ($e:expr) => {
        s![$e:, ..., $e]
    };
}

macro_rules! of_value {
    ($e:expr, $i:ident, $l:literal) => {
        s![-$e:-$i:-$l]
    };
}

macro_rules! of_sum {
    ($e:expr, $i:ident) => {
        s![-$e - 1:-$i - 1]
    };
}

macro_rules! two {
    () => {
        2_usize
    };
}

#[derive(Clone, Copy)]
struct Back(u8);

impl Neg for Back {
    type Output = i16;

    fn neg(self) -> i16 {
        -i16::from(self.0)
    }
}

impl Back {
    fn by(&self, n: usize) -> usize {
        usize::from(self.0) + n
    }
}

fn checked(n: Option<usize>) -> Option<SpecBuf> {
    Some(s![-n?:].to_buf())
}

mod m {
    pub const FOUR: usize = 4;
}

fn main() {
    assert!(compare().is_none());
}

fn checked_sum(n: usize) -> Option<usize> {
    Some(n + 1)
}

fn compare() -> Option<()> {
    let (a, b, c, d, e, f) = (1_u8, 2_i8, 3_u16, 4_i16, 5_u32, 6_i32);
    let (g, h, j, k, l, m) = (7_u64, 8_i64, 9_u128, 10_i128, 11_usize, 12_isize);
    assert_eq!(s![-a, -b, -c, -d, -e, -f], s![-1, -2, -3, -4, -5, -6]);
    assert_eq!(s![(-m::FOUR):(-usize::MIN)], s![-4:0]);
    assert_eq!(s![-g, -h, -j, -k, -l, -m], s![-7, -8, -9, -10, -11, -12]);
    assert_eq!(s![-a:-b, :-c:-d, ::-e, -f:], s![-1:-2, :-3:-4, ::-5, -6:]);
    assert_eq!(s![-g:-h, :-j:-k, ::-l, -m:], s![-7:-8, :-9:-10, ::-11, -12:]);

    // An unsuffixed variable is an i32, unless it is used as something else.
    let (alone, index, length) = (3, 2, 4);
    assert_eq!(s![-alone:, -index, ::-length], s![-3:, -2, ::-4]);
    assert_eq!([0; 5][index], 0);
    assert_eq!(Vec::<u8>::with_capacity(length).len(), 0);
    assert_eq!(size_of_val(&alone), 4);

    // What does not fit saturates, without an overflow on the way.
    assert_eq!(s![-{ i8::MIN }:-(i64::MIN):-(i128::MIN)].strides(), [i64::MAX]);
    assert_eq!(s![-{ i8::MIN }:-(i64::MIN):-(i128::MIN)].begin(), [128]);
    assert_eq!(s![-(u64::MAX), -(u128::MAX), -(i128::MAX)].begin(), [i64::MIN; 3]);
    let zero = 0_usize;
    assert_eq!(s![-zero:], s![0:]);

    // Whatever is one value: calls, fields, methods, indices, `?`, parentheses, blocks, macros.
    let (x, pair, back) = (vec![1_usize, 2], (3_u8, (4_u32, 5_u64)), Back(6));
    let add = |a: usize, b: usize| a + b;
    assert_eq!(s![-x.len():-x[1]:-add(1, 2)], s![-2:-2:-3]);
    assert_eq!(s![-pair.0, -pair.1.1, -back.0:-back.by(1)], s![-3, -5, -6:-7]);
    assert_eq!(s![-(l - 1), -{ l }, (-l), -two!(), -"abc".len():], s![-10, -11, -11, -2, -3:]);
    let (by_ref, nested) = (&l, &&b);
    assert_eq!(s![-*by_ref:-**nested, -*x.last().unwrap()], s![-11:-2, -2]);
    assert_eq!(s![-if l > 3 { l } else { 1_usize }:, -if l > 99 { l } else if l > 9 { 5 } else { 6 }], s![-11:, -5]);
    assert_eq!(s![-match a { 1 => l, _ => 0 }, -loop { break l }:-match a { 1 => x.clone(), _ => vec![] }.len()], s![-11, -11:-2]);
    assert_eq!(checked(Some(2)), Some(s![-2:].to_buf()));
    assert_eq!(checked(None), None);

    // Through another macro.
    assert_eq!(of_expression!(-l), s![-11:, ..., -11]);
    assert_eq!(of_value!(l + 1, a, 3), s![-12:-1:-3]);

    // Not integers, but Rust negates them to one.
    let (borrowed, twice) = (&h, &3);
    assert_eq!(s![-borrowed, -back:-twice], s![-8, -6:-3]);

    // A sum that begins with it may leave the range of its type.
    assert_eq!(s![-a - 1, -b - b, -c + c, -d - 1 - d, -e + 1, -f - 1], s![-2, -4, 0, -9, -4, -7]);
    assert_eq!(s![-g - 1:-h - 1:-j - 1, -k - 1, -l - a as usize, -m - 1], s![-8:-9:-10, -11, -12, -13]);
    assert_eq!(s![(-u8::MAX - u8::MAX), (-b - i8::MAX)].begin(), [-510, -129]);
    assert_eq!(s![(-u64::MAX + 1), (-u64::MAX + u64::MAX)].begin(), [i64::MIN, 0]);
    assert_eq!(s![(-u128::MAX + 1), (-i128::MAX - i128::MAX)].begin(), [i64::MIN; 2]);
    assert_eq!(s![-x.len() - 1:-x[1] + 1, -(l - 1) - 1:-1 - l, -{ l } - two!()], s![-3:-1, -11:-12, -13]);
    assert_eq!(s![-l - l * 2 + l / 2 - 3 % 2, -l + 2 * 3 - x.len(), (-l - 1)], s![-29, -7, -12]);
    assert_eq!(s![-*by_ref - 1, -l - by_ref, -*borrowed - &h, -back - 1, -b * -1 - 1], s![-12, -22, -16, -7, 1]);
    assert_eq!(s![-k - -k, -add(1, 2) - add(3, 4):, -checked_sum(l)? - 1], s![0, -10:, -13]);
    // The types of unsuffixed numbers are found as in any sum.
    let (pad, offset, left) = (2, 3_i64, 5);
    assert_eq!(s![-pad - offset:, -left - 1, -(1) - l, -2 - 1], s![-5:, -6, -12, -3]);
    assert_eq!((size_of_val(&pad), size_of_val(&left)), (8, 4));
    assert_eq!(of_sum!(l - 1, pad), s![-11:-3]);

    // Other calculations are Rust's own business.
    assert_eq!(s![-f * 2, -f * 2 - 1:-f / 4, -f as i64 - 1, -f & 7], s![-12, -13:-1, -7, 2]);
    assert_eq!(s![-2_i64.pow(2), -(-f), (-128_i8), -d - 1 << 1], s![-4, 6, -128, -10]);
    None
}
