//! The code blocks of `docs/other-crates.md`, compiled and run with the tests.

#[cfg(doctest)]
#[doc = include_str!("../../../docs/other-crates.md")]
struct OtherCrates;
