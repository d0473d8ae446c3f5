//! The load example, briefly: threads share plans and specs, and memory stays where it was.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(unreachable_pub, reason = "the example is a program, not a module")]
#[path = "../examples/stress.rs"]
mod stress;

#[test]
fn memory_stays_constant_under_load() {
    let report = stress::run(std::time::Duration::from_millis(300)).unwrap();
    assert!(report.plans >= 1000 && report.moved > 0, "{report:?}");
    assert!(stress::is_constant(&report), "{report:?}");
}
