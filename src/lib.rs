//! Python slice syntax for Rust tensors, at compile time.
#![cfg_attr(not(feature = "std"), no_std)]

pub use slice_core::*;

/// What the macros' expansions name; nothing here is for people.
#[doc(hidden)]
pub mod __private {
    pub use slice_core::__private::*;
    pub use slice_macros::s_impl;
}

/// A slice as Python writes it, read and encoded by the compiler.
#[macro_export]
macro_rules! s {
    ($($tokens:tt)*) => {
        $crate::__private::s_impl!([$crate] $($tokens)*)
    };
}

/// [`s!`] under a name that no other crate has.
#[macro_export]
macro_rules! py {
    ($($tokens:tt)*) => {
        $crate::__private::s_impl!([$crate] $($tokens)*)
    };
}
