//! `pyslice`, for the examples in slice-core's documentation: the same re-exports and `s!`.

pub use slice_core::*;

#[doc(hidden)]
pub mod __private {
    pub use slice_core::__private::*;
    pub use slice_macros::s_impl;
}

/// `pyslice::s!`
#[macro_export]
macro_rules! s {
    ($($tokens:tt)*) => {
        $crate::__private::s_impl!([$crate] $($tokens)*)
    };
}
