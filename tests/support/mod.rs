//! What the tests share: a reference too simple to be wrong, and the answers of real systems.
#![allow(dead_code, reason = "each test crate uses a part of this module")]
#![allow(unreachable_pub, reason = "a test crate has no public interface")]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

pub mod check;
pub mod entries;
pub mod generate;
pub mod naive;
pub mod recorded;
