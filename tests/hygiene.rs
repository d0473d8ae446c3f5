//! The macros in crates that rename pyslice, re-export the macros, have no prelude, or enable every
//! lint.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

#[path = "outside/cargo.rs"]
mod outside;

use pyslice::s;

/// `renamed` calls pyslice `slices`; `user` has the macros from `tensor` and does not depend on
/// pyslice; `bare` has no std and no prelude, and names of its own for all that an expansion uses.
/// All three forbid unsafe code and deny every warning of rustc and of clippy's pedantic group.
#[test]
fn expansions_are_at_home_everywhere() {
    let crates = ["-p", "renamed", "-p", "tensor", "-p", "user", "-p", "bare"];
    let output = outside::cargo(&[&["clippy", "--quiet"], &crates[..]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_reexported_macro_gives_the_same_elements() {
    let output = outside::cargo(&["run", "--quiet", "-p", "user"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What a macro matched stays one value: as in Rust, `$a * 2` of `1 + 1` is 4.
#[test]
fn fragments_of_macros_keep_together() {
    macro_rules! half {
        ($e:expr) => { s![$e / 2:] };
    }
    macro_rules! negated {
        ($e:expr) => { s![-$e - 1:, -$e] };
    }
    macro_rules! method {
        ($v:expr, $k:expr) => { s![$v.len() - $k:, $v.len() as i64 - $k as i64] };
    }
    macro_rules! window {
        ($e:expr, $w:expr) => { s![$e - $w:$e, $e:10 - $e] };
    }
    macro_rules! cast {
        ($e:expr, $t:ty) => { s![$e as $t:, $e as $t] };
    }
    macro_rules! condition {
        ($a:expr, $b:block) => {
            s![
                if $a * 2 > 3 { 1 } else { 0 }:,
                match $a * 2 { 4 => 7, _ => 8 },
                if true $b else $b,
            ]
        };
    }
    macro_rules! sum {
        ($($a:expr),*) => { s![0 $(+ $a * 2)*:] };
    }
    macro_rules! matched {
        ($p:pat, $o:expr, $x:expr) => { s![match $o { $p => $x + 1 }:] };
    }
    macro_rules! passed {
        ($e:expr) => {
            half!($e)
        };
    }
    let v = [0; 4];
    assert_eq!(passed!(4 + 2), s![3:]);
    assert_eq!(half!(4 + 2), s![3:]);
    assert_eq!(negated!(5_i64 - 2), s![-4:, -3]);
    assert_eq!(method!(v, 2 + 1), s![1:, 1]);
    assert_eq!(method!(&v[1..], 1 + 1), s![1:, 1]);
    assert_eq!(window!(8, 2 + 1), s![5:8, 8:2]);
    assert_eq!(window!(4 + 1, -2), s![7:5, 5:5]);
    assert_eq!(cast!(v.len() + 1, core::primitive::i64), s![5:, 5]);
    assert_eq!(condition!(1 + 1, { 3 }), s![1:, 7, 3]);
    assert_eq!(sum!(1 + 1, 2), s![8:]);
    assert_eq!(matched!(Ok(x) | Err(x), if v.len() > 3 { Ok(2) } else { Err(1) }, x - 1), s![2:]);
}
