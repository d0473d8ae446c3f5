//! The last table of `docs/errors.md`: the compiler says what the page says, and takes what the
//! page says to write. Cargo checks two programs with a function for each row, in a folder of its
//! own.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

#[path = "support/page.rs"]
#[allow(dead_code, reason = "other tests need more of it")]
mod page;

use std::path::Path;
use std::process::Command;

/// A program that has this code of each row, on a line of its own.
fn program<'a>(code: impl Iterator<Item = &'a str>) -> String {
    let functions = code.enumerate().map(|(i, code)| {
        // A row that names where `s!` comes from is about just that.
        let names = if code.starts_with("use ") { "" } else { "s, Entry, SpecBuf, " };
        format!(
            "pub mod row{i} {{ use ndarray::{{Array1, Array2}}; use pyslice::{{{names}Plan, PySlice, \
             SliceError}}; pub fn f(mut x: Array2<f64>, v: Vec<f64>, plan: Plan) -> Result<(), \
             SliceError> {{ {code} Ok(()) }} }}"
        )
    });
    functions.collect::<Vec<_>>().join("\n")
}

/// What the compiler says to the program, an error on each line.
fn errors(name: &str, program: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiler_errors");
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"rows\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nndarray = \
         \"0.17\"\npyslice = {{ path = {root:?}, features = [\"ndarray\"] }}\n"
    );
    let put = |file: &str, text: &str| std::fs::write(folder.join(file), text).expect("a file");
    put("Cargo.toml", &manifest);
    put("src/lib.rs", &format!("#![allow(warnings)]\n{program}\n"));
    // The versions that this workspace has already fetched.
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the versions");
    let check = |offline: &[&str]| {
        Command::new(env!("CARGO"))
            .args(["check", "--quiet", "--message-format=short", "--manifest-path"])
            .arg(folder.join("Cargo.toml"))
            .args(offline)
            .env("CARGO_TARGET_DIR", folder.join("target"))
            .env_remove("RUSTFLAGS")
            .output()
            .expect("cargo, which runs this test, can be run")
    };
    for offline in [&["--offline"][..], &[]] {
        let output = check(offline);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let errors: Vec<String> =
            said.lines().filter(|line| line.contains("lib.rs:")).map(str::to_owned).collect();
        if output.status.success() != errors.is_empty() {
            eprintln!("{said}");
            continue;
        }
        return errors;
    }
    panic!("cargo cannot check {name}");
}

#[test]
fn the_compiler_says_what_the_page_says() {
    let page = include_str!("../docs/errors.md");
    let heading = "| you wrote | the compiler says | what to write |";
    let tables = page::tables(page);
    let (_, rows) = tables.iter().find(|(head, _)| *head == heading).expect("the table");
    let column = |i: usize| rows.iter().map(move |row| &*row[i]);

    let refused = errors("what is wrong", &program(column(0)));
    for (i, row) in rows.iter().enumerate() {
        let line = format!("lib.rs:{}:", i + 2);
        // "E0308: mismatched types", or the text of a macro.
        let (code, words) = row[1].split_once(": ").unwrap_or(("error", &row[1]));
        let said = |e: &&String| e.contains(&line) && e.contains(code) && e.contains(words);
        assert!(refused.iter().any(|e| said(&e)), "{row:?} is not in\n{}", refused.join("\n"));
    }
    let taken = errors("what to write", &program(column(2)));
    assert!(taken.is_empty(), "{}", taken.join("\n"));
}
