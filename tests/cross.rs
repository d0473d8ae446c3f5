//! Tests `scripts/cross` without a network.
#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// What the script looks for, and says, when each download never ends.
#[test]
fn downloads_that_hang_are_given_up() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cross");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, does) in [
        ("rustc", "echo /nowhere"),
        ("rustup", "exec sleep 600"),
        ("apt-get", "exec sleep 600"),
        ("dpkg", "echo amd64"),
    ] {
        let file = folder.join(name);
        std::fs::write(&file, format!("#!/bin/sh\n{does}\n")).expect("a program");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).expect("its mode");
    }
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("a PATH"));
    let begin = Instant::now();
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/cross"))
        .args(["s390x", "--no-run"])
        .env("PATH", path)
        .env("CROSS_DIR", folder.join("unpacked"))
        .env("CROSS_PATIENCE", "2")
        .output()
        .expect("the script runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(77), "{said}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.starts_with("skipped: ") && last.contains("took more than 2 seconds"), "{said}");
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}
