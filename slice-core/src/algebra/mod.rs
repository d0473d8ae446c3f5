//! What can be said about plans without touching data: composition, equality, overlap, inverse.
//!
//! Everything is closed under negative steps, and exact.

#[cfg(feature = "kernels")]
pub(crate) mod order;
mod overlap;
mod position;
pub(crate) mod runs;
mod same;
pub(crate) mod sums;
