//! `docs/errors.md`: every error of the macros, by what was typed. It is made of the programs and
//! what the compiler says to them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The sections of the page: the first word of the programs' names, and what the user typed.
const SECTIONS: [(&str, &str); 24] = [
    ("range", "A Rust range, such as `0..5`"),
    ("python", "Python code, such as `len(x)` or `slice(1, 2)`"),
    ("ndarray", "ndarray's syntax, such as `0..5;2`"),
    ("list", "A list or an array of positions, such as `[0, 2]`"),
    ("bool", "A mask or a comparison, such as `x > 0`"),
    ("tuple", "A tuple or parentheses, such as `(1, 2)`"),
    ("path", "A path, such as `usize::MAX`"),
    ("type", "The name of a type, such as `usize`"),
    ("number", "A number that is not a plain integer, such as `1.5` or `1usize`"),
    ("value", "A value that is unfinished or not a number, such as `&n` or `n +`"),
    ("const", "A `const` block"),
    ("step", "A step of 0"),
    ("none", "`None` in a place where it means nothing"),
    ("newaxis", "`newaxis` in a place where it means nothing"),
    ("ellipsis", "`...` in a place where it means nothing, or twice"),
    ("colon", "Too many colons, such as `1:2:3:4`"),
    ("comma", "Too many commas, such as `1,,2`"),
    ("semicolon", "A semicolon, such as `1:3;2`"),
    ("brackets", "Brackets inside the brackets, such as `[1:2]`"),
    ("braces", "A Python set or dictionary, such as `{1, 2}`"),
    ("keyword", "A keyword argument, such as `axis=0`"),
    ("text", "A string or a character, such as `\"1:2\"`"),
    ("stray", "Other punctuation, such as `@`"),
    ("many", "Many entries, or many mistakes in one slice"),
];

/// The section for `plan!`, which comes last of the macros'.
const PLAN: (&str, &str) = ("plan", "In `plan!`");

/// The last section: errors that are not ours. `tests/compiler_errors.rs` at the root checks it.
const COMPILER: &str = include_str!("compiler.md");

/// The programs that are refused, by name.
fn programs() -> BTreeMap<String, PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let files =
        std::fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path());
    let programs = files.filter(|path| path.extension().is_some_and(|e| e == "rs"));
    programs
        .map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), path))
        .collect()
}

/// The call in a program of one line, and the errors that go with it as (message, help).
fn row(path: &Path) -> Option<(String, Vec<(String, String)>)> {
    let program = std::fs::read_to_string(path).expect("the program");
    let call =
        program.lines().find_map(|line| line.strip_prefix("    let _ = "))?.strip_suffix(';')?;
    if program.lines().count() != 5 {
        return None;
    }
    let stderr = std::fs::read_to_string(path.with_extension("stderr")).expect("the messages");
    let mut errors: Vec<(String, String)> = Vec::new();
    for line in stderr.lines() {
        if let Some(message) = line.strip_prefix("error: ") {
            errors.push((message.into(), String::new()));
        } else if let (Some(help), Some(last)) =
            (line.trim().strip_prefix("help: "), errors.last_mut())
        {
            last.1 = help.into();
        }
    }
    // Where no help follows, the sentence ends with the advice.
    for (message, advice) in errors.iter_mut().filter(|(_, advice)| advice.is_empty()) {
        if let Some((what, rest)) = message.split_once("; ") {
            *advice = rest.into();
            *message = what.into();
        }
    }
    Some((call.into(), errors))
}

/// Compares the page with the programs, or writes it.
pub(crate) fn check() {
    let mut page = String::from(
        "# Errors\n\nThis page shows what `s!`, `py!` and `plan!` say about a mistake, sorted by what \
         was typed. All\nmistakes of one call are reported together, each under the tokens that are \
         wrong. `parse` reports\nthe first mistake in a text, as `SliceError::Syntax` with byte \
         positions. Its message says the same\nis wrong, but does not advise Rust code. Three \
         mistakes have their own errors, as in slices that are\nnot text: a step of 0 is `ZeroStep`, \
         a second `...` is `SecondEllipsis`, and more than 31 entries\nare `TooLong`. The first two \
         name the entry. The last section lists errors of\n[the compiler \
         itself](#the-compilers-own-errors).\n",
    );
    let mut rows: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for (name, path) in programs() {
        if let Some(row) = row(&path) {
            let topic = name.split('-').next().unwrap_or_default();
            rows.entry(topic.into()).or_default().push(row);
        }
    }
    for (topic, typed) in SECTIONS.into_iter().chain([PLAN]) {
        writeln!(
            page,
            "\n## {typed}\n\n| you wrote | what is wrong | what to write |\n| --- | --- | --- |"
        )
        .expect("a string takes it");
        for (call, errors) in rows.remove(topic).expect("a program for each section") {
            let cell = |text: &str| text.replace('|', "\\|");
            for (i, (what, advice)) in errors.iter().enumerate() {
                let call = if i == 0 { format!("`{}`", cell(&call)) } else { String::new() };
                writeln!(page, "| {call} | {} | {} |", cell(what), cell(advice))
                    .expect("a string takes it");
            }
        }
    }
    assert!(rows.is_empty(), "no section of docs/errors.md is for {:?}", rows.keys());
    page.push_str(COMPILER);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/errors.md");
    if crate::overwrites() {
        std::fs::write(&file, &page).expect("the page");
    }
    assert_eq!(
        std::fs::read_to_string(&file).unwrap_or_default(),
        page,
        "docs/errors.md is not up to date"
    );
}
