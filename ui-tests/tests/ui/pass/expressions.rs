//! Anything that is a number may stand where one is expected.
#![deny(warnings)]
use pyslice::s;

fn unsafe_free(n: usize) -> usize {
    n
}

fn len(x: &[usize]) -> usize {
    x.len()
}

fn slice(from: usize, to: usize) -> usize {
    from + to
}

fn main() {
    let (n, x, name) = (7usize, [4_usize, 5, 6], "abc");
    assert_eq!(s![n - 1:, n as i32:, n as usize::2, -(n as i64):], s![6:, 7:, 7::2, -7:]);
    assert_eq!(s![if n > 3 { 1 } else { 2 }:, if n < 3 { 1 } else if n < 5 { 2 } else { 3 }], s![1:, 3]);
    assert_eq!(s![match n { 7 => 1, _ => 2 }, match n { 0 | 1 => 0, k => k - 1 }:], s![1, 6:]);
    assert_eq!(s![{ let k = n; k * 2 }:, { n }, loop { break 3 }], s![14:, 7, 3]);
    assert_eq!(s![(|k: usize| k + 1)(n), (|| 3)():, x.iter().map(|k| k + 1).max():], s![8, 3:, 7:]);
    assert_eq!(s![x.iter().fold(0, |a, b| a + b), x.len() - 1, x[1], x[n % 3]:x[x.len() - 1]], s![15, 2, 5, 5:6]);
    assert_eq!(s![vec![1, 2, 3].len(), s![1, 2].len(), s![5, 6].begin()[1]:], s![3, 2, 6:]);
    assert_eq!(s![(usize::MAX & 7), (std::cmp::min(n, 3)):(i64::from(9_u8)), (size_of::<u32>())], s![7, 3:9, 4]);
    assert_eq!(s![!0, *&n, n << 1:, n >> 1, n & 3 | 8, n ^ 1, (n < 9) as u8, 2.min(3), 'a' as u32], s![-1, 7, 14:, 3, 11, 6, 1, 2, 97]);
    assert_eq!(s![name.len(), (name, 2).1:, [1, 2, 3][1], n.pow(2), 1i32 + 1, &n + &n], s![3, 2:, 2, 49, 2, 14]);
    // Functions of the user's own that have names of Python's.
    assert_eq!(s![(len(&x)), (slice(1, 2)):], s![3, 3:]);
    assert_eq!(s![(1), ((2)), { 3 }, unsafe_free(4)], s![1, 2, 3, 4]);
}
