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
    check_page(overwrite);
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

/// The call in a program of one line, and the errors that go with it as (message, help).
fn row(path: &Path) -> Option<(String, Vec<(String, String)>)> {
    let program = std::fs::read_to_string(path).expect("the program");
    let call = program.lines().find_map(|line| line.strip_prefix("    let _ = "))?.strip_suffix(';')?;
    if program.lines().count() != 5 {
        return None;
    }
    let stderr = std::fs::read_to_string(path.with_extension("stderr")).expect("the messages");
    let mut errors: Vec<(String, String)> = Vec::new();
    for line in stderr.lines() {
        if let Some(message) = line.strip_prefix("error: ") {
            let (what, advice) = message.split_once("; ").unwrap_or((message, ""));
            // A rule's sentence ends with the advice; other errors have it on a line of its own.
            errors.push(if advice.contains("use ") || advice.starts_with("at most") || advice.starts_with("remove") {
                (what.into(), advice.into())
            } else {
                (message.into(), String::new())
            });
        } else if let (Some(help), Some(last)) = (line.trim().strip_prefix("help: "), errors.last_mut()) {
            last.1 = help.into();
        }
    }
    Some((call.into(), errors))
}

/// `docs/errors.md`: every refusal in one table, made of the programs and what the compiler says to them.
fn check_page(overwrite: bool) {
    let mut page = String::from(
        "# What is refused\n\nEvery mistake that `s!`, `py!` and `plan!` answer in words of their own, with the advice \
         that goes with it. All\nmistakes of one call are reported together, each under the tokens that are wrong. The \
         table is made of the\nprograms in `tests/ui`, which hold every word; `UI=overwrite cargo test --test \
         compile_fail` makes it anew.\n\nText that is parsed at run time gets the same words, in \
         `SliceError::Syntax` and from `syntax::parse_text`.\n",
    );
    let mut topic = String::new();
    for (name, path) in programs("tests/ui") {
        let Some((call, errors)) = row(&path) else { continue };
        let this = name.split('-').next().unwrap_or_default();
        if this != topic {
            this.clone_into(&mut topic);
            write!(page, "\n## {topic}\n\n| written | what is wrong | what to do |\n| --- | --- | --- |\n")
                .expect("a string takes it");
        }
        let cell = |text: &str| text.replace('|', "\\|");
        for (i, (what, advice)) in errors.iter().enumerate() {
            let call = if i == 0 { format!("`{}`", cell(&call)) } else { String::new() };
            writeln!(page, "| {call} | {} | {} |", cell(what), cell(advice)).expect("a string takes it");
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/errors.md");
    if overwrite {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("the folder");
        std::fs::write(&file, &page).expect("the page");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap_or_default(), page, "docs/errors.md is not up to date");
}
