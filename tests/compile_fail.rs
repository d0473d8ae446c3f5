//! What must not compile, and what the compiler says then; and what is odd but must compile and run.
//!
//! `tests/ui/<topic>-<case>.rs` holds one mistake, `.stderr` beside it every word of the answer. Only
//! messages that are worded here are pinned that way; those of the compiler's own, about types, are in
//! `types.rs`. After a change of words, `UI=overwrite cargo test --test compile_fail` writes the files
//! anew, to be read as a user would.
//!
//! The layout is trybuild's. That crate was tried first: it builds all development dependencies of this
//! package a second time, which takes minutes, while one cargo call on a package that has nothing but
//! these programs takes seconds.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

#[path = "outside/cargo.rs"]
mod outside;

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs in a folder, by name.
fn programs(folder: &str) -> BTreeMap<String, PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path());
    let programs = files.filter(|path| path.extension().is_some_and(|e| e == "rs"));
    programs.map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), path)).collect()
}

/// Makes a package of the programs and returns its folder.
fn package(name: &str, programs: &BTreeMap<String, PathBuf>) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut manifest = format!(
        "[workspace]\n[package]\nname = \"{name}\"\nedition = \"2024\"\n[dependencies]\npyslice = {{ path = {root:?} }}\n"
    );
    for (name, path) in programs {
        write!(manifest, "[[bin]]\nname = \"{name}\"\npath = {path:?}\n").expect("a string takes it");
    }
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("the manifest");
    // With the versions of this repository, cargo has no need to look any up.
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
    folder
}

/// What the compiler says, with the path as it is in the repository.
fn normal(rendered: &str) -> String {
    let mut text = String::new();
    for line in rendered.trim_end().lines() {
        match (line.split_once("--> "), line.rfind("tests/ui/")) {
            (Some((before, _)), Some(path)) => writeln!(text, "{before}--> {}", &line[path..]),
            _ => writeln!(text, "{}", line.trim_end()),
        }
        .expect("a string takes it");
    }
    text
}

#[test]
fn every_mistake_is_refused_in_our_words() {
    let programs = programs("tests/ui");
    assert!(programs.len() >= 80, "only {} programs", programs.len());
    let folder = package("ui", &programs);
    let output = outside::cargo_in(&folder, &["check", "--quiet", "--bins", "--keep-going", "--message-format=json"]);
    let mut said: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line).expect("a line of JSON");
        // The last one counts the others and stands nowhere.
        let placed = message["message"]["spans"].as_array().is_some_and(|spans| !spans.is_empty());
        if message["reason"] == "compiler-message" && placed {
            let name = message["target"]["name"].as_str().unwrap_or_default().to_owned();
            let rendered = message["message"]["rendered"].as_str().unwrap_or_default();
            said.entry(name).or_default().push(normal(rendered));
        }
    }
    let overwrite = std::env::var_os("UI").is_some_and(|value| value == "overwrite");
    let mut wrong = String::new();
    for (name, path) in &programs {
        let found = said.remove(name).unwrap_or_default().join("\n");
        let expected = path.with_extension("stderr");
        if overwrite {
            std::fs::write(&expected, &found).expect("the file");
        }
        let expected = std::fs::read_to_string(expected).unwrap_or_default();
        if found.is_empty() || found != expected {
            write!(wrong, "\n{name} says\n{found}\nand should say\n{expected}").expect("a string takes it");
        }
    }
    assert!(wrong.is_empty(), "{wrong}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.is_empty(), "messages elsewhere: {said:?}");
}

#[test]
fn what_is_odd_but_legal_compiles_and_runs() {
    let programs = programs("tests/ui/pass");
    assert!(programs.len() >= 10, "only {} programs", programs.len());
    let folder = package("ui-pass", &programs);
    let output =
        outside::cargo_in(&folder, &["build", "--quiet", "--bins", "--config", "build.rustflags=['-Dwarnings']"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for name in programs.keys() {
        let program = outside::target().join("debug").join(name);
        let output = Command::new(program).output().expect("the program runs");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
