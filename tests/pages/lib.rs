//! The code blocks of the user documentation, compiled and run with the tests.

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../docs/numpy.md")]
struct NumPy;

#[cfg(doctest)]
#[doc = include_str!("../../docs/differences.md")]
struct Differences;
