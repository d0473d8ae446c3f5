//! `pyslice`, for the examples in slice-core's documentation: the same re-exports and `s!`.

pub use slice_core::*;
#[doc(hidden)]
pub use slice_macros::s_impl;

/// `pyslice::s!`. What it expands to is named from slice-core, which every example has: the hidden
/// parts of it that are named are not there without features, and neither are the examples.
#[macro_export]
macro_rules! s {
    ($($tokens:tt)*) => {
        $crate::s_impl!([slice_core] $($tokens)*)
    };
}
