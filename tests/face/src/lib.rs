//! `pyslice`, for the examples in slice-core's documentation: the same re-exports and `s!`.

pub use slice_core::*;
#[doc(hidden)]
pub use {slice_core as whole, slice_macros::s_impl};

/// `pyslice::s!`
#[macro_export]
macro_rules! s {
    ($($tokens:tt)*) => {
        $crate::s_impl!([$crate::whole] $($tokens)*)
    };
}
