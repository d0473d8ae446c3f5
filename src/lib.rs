//! Python slice syntax for Rust tensors, at compile time.
#![cfg_attr(not(feature = "std"), no_std)]

pub use slice_core::*;
