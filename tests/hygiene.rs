//! The macros in crates that rename pyslice, re-export the macros, have no prelude, or enable every
//! lint.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

#[path = "outside/cargo.rs"]
mod outside;

/// `renamed` calls pyslice `slices`; `user` has the macros from `tensor` and does not depend on
/// pyslice; `bare` has no std and no prelude, and names of its own for all that an expansion uses.
/// All three forbid unsafe code and deny every warning of rustc and of clippy's pedantic group.
#[test]
fn expansions_are_at_home_everywhere() {
    let crates = ["-p", "renamed", "-p", "tensor", "-p", "user", "-p", "bare"];
    let output = outside::cargo(&[&["clippy", "--quiet"], &crates[..]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_reexported_macro_gives_the_same_elements() {
    let output = outside::cargo(&["run", "--quiet", "-p", "user"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
