//! `?`, `return` inside of braces and labels of the user work: no closure is put around a value.
#![deny(warnings)]
use pyslice::{Spec, s};

fn parsed(text: &str) -> Result<Spec<2, 2, 1>, std::num::ParseIntError> {
    let mut calls = 0;
    let spec = s![(text.parse::<i64>()?):, { calls += 1; text.trim().parse::<usize>()? }];
    assert_eq!(calls, 1);
    Ok(spec)
}

fn early(n: Option<i64>) -> i64 {
    let spec = s![{ let Some(n) = n else { return 0 }; n }];
    spec.begin()[0]
}

fn first<A, B>() -> usize {
    size_of::<A>() + size_of::<B>()
}

fn blocks(n: i64) {
    let word = size_of::<usize>();
    // Semicolons, ranges, commas and colons inside of brackets are Rust's.
    assert_eq!(s![{ let r = 0..3; r.end }, { let (a, b) = (1, 2); a + b }:], s![3, 3:]);
    assert_eq!(s!['a: { if n > 3 { break 'a 1; } 2 }, { 'b: loop { break 'b 4 } }:, 'c: loop { break 'c 5 }:], s![1, 4:, 5:]);
    'all: for i in 0..3_i64 {
        assert_eq!(s![(i, i < 1 || continue 'all).0], s![0]);
    }
    assert_eq!(s![(first::<u8, u16>()), 1 + (first::<u8, Box<Box<u8>>>()):, { first::<u8, u16>() }], s![3, word + 2:, 3]);
    assert_eq!(s![(|a: i64, b: i64| a | b)(n, 1), (n | 1):, [(1, 2)].len(), (3, 4).1], s![5, 5:, 1, 4]);
}

fn main() {
    blocks(4);
    assert_eq!(parsed("3"), Ok(s![3:, 3]));
    assert!(parsed("x").is_err());
    assert_eq!(early(None), 0);
    assert_eq!(early(Some(2)), 2);
}
