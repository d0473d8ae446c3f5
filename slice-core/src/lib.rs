//! Entries, encoding, planner and kernels of Python slices for Rust tensors.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

#[cfg(feature = "kernels")]
pub mod kernel;
