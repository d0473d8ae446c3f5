//! What a plan does with a buffer: copies, assignments, updates, gradients.

pub(crate) mod assign;
#[deny(clippy::missing_inline_in_public_items)]
mod bytes;
pub(crate) mod copy;
pub(crate) mod element;
#[deny(clippy::missing_inline_in_public_items)]
pub(crate) mod in_place;
pub(crate) mod job;
pub(crate) mod loops;
#[cfg(feature = "rayon")]
mod parallel;
#[cfg(all(test, feature = "rayon"))]
mod parallel_tests;
pub(crate) mod small_calls;
pub(crate) mod update;
