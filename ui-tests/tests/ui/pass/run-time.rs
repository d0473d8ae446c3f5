//! Values of every primitive type, and options of them as bounds and steps.
#![deny(warnings)]
use pyslice::s;

fn main() {
    let i = 2;
    let (a, b, c, d, e, f) = (1_u8, 2_i8, 3_u16, 4_i16, 5_u32, 6_i32);
    let (g, h, j, k, l, m) = (7_u64, 8_i64, 9_u128, 10_i128, 11_usize, 12_isize);
    assert_eq!(s![i, i:, :i, ::i, -i:], s![2, 2:, :2, ::2, -2:]);
    assert_eq!(s![a, b, c, d, e, f, g, h, j, k, l, m], s![1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    let (some, none) = (Some(5_u8), None::<i64>);
    assert_eq!(s![some:none, none:some, ::none, none::some, Some(3):], s![5:, :5, :, ::5, 3:]);
    assert_eq!(s![None::i, None::none, None::-i, None::(i)], s![::2, :, ::-2, ::2]);
    let (wide, narrow) = (u128::MAX, i128::MIN);
    assert_eq!(s![wide, narrow:wide].begin(), [i64::MAX, i64::MIN]);
    assert!(s![wide].plan(&[usize::MAX >> 1]).is_err());
}
