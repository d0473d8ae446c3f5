//! The vector layer on x86-64.
pub(crate) mod avx2;
pub(crate) mod avx512;
mod blend;
