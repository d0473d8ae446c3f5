//! Runs cargo on the crates beside this file and on ones like them, in a target directory of their
//! own.
#![allow(dead_code, reason = "each test uses what it needs")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Where they are built.
pub(crate) fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside")
}

/// `cargo <arguments>` in the folder of this file.
pub(crate) fn cargo(arguments: &[&str]) -> Output {
    cargo_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outside"), arguments)
}

/// `cargo <arguments>` in any folder.
pub(crate) fn cargo_in(folder: &Path, arguments: &[&str]) -> Output {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| env!("CARGO").into());
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(folder).env("CARGO_TARGET_DIR", target());
    // What the outer cargo wants of its own crates is not meant for these.
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET"] {
        command.env_remove(name);
    }
    command.output().expect("cargo runs")
}
