//! Answers questions about plans without touching data: equality, overlap, inverse, order of moves.
//!
//! Every answer is exact, also for negative steps.

pub(crate) mod bounded_sum;
mod canonical;
mod forwards;
mod index_of;
#[cfg(feature = "kernels")]
pub(crate) mod move_order;
mod overlap;
#[cfg(feature = "kernels")]
pub(crate) use overlap::repeats;
pub(crate) mod runs;

pub use index_of::Position;
