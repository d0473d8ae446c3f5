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

fn main() {
    assert_eq!(parsed("3"), Ok(s![3:, 3]));
    assert!(parsed("x").is_err());
    assert_eq!(early(None), 0);
    assert_eq!(early(Some(2)), 2);
}
