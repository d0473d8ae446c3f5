//! `docs/errors.md`: every refusal in one table, made of the programs and what the compiler says to
//! them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

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
            let (what, advice) = message.split_once("; ").unwrap_or((message, ""));
            // A rule's sentence ends with the advice; other errors have it on a line of its own.
            errors.push(
                if advice.contains("use ")
                    || advice.starts_with("at most")
                    || advice.starts_with("remove")
                {
                    (what.into(), advice.into())
                } else {
                    (message.into(), String::new())
                },
            );
        } else if let (Some(help), Some(last)) =
            (line.trim().strip_prefix("help: "), errors.last_mut())
        {
            last.1 = help.into();
        }
    }
    Some((call.into(), errors))
}

/// Holds the page against the programs, or writes it.
pub(crate) fn check() {
    let mut page = String::from(
        "# What is refused\n\nEvery mistake that `s!`, `py!` and `plan!` answer in words of their own, with the advice \
         that goes with it. All\nmistakes of one call are reported together, each under the tokens that are wrong. The \
         table is made of the\nprograms in `ui-tests/tests/ui`, which hold every word; `TRYBUILD=overwrite cargo test -p \
         ui-tests` makes it anew.\n\nText that is parsed at run time gets the same words, in \
         `SliceError::Syntax` and from `syntax::parse_text`.\n",
    );
    let mut topic = String::new();
    for (name, path) in programs() {
        let Some((call, errors)) = row(&path) else { continue };
        let this = name.split('-').next().unwrap_or_default();
        if this != topic {
            this.clone_into(&mut topic);
            write!(
                page,
                "\n## {topic}\n\n| written | what is wrong | what to do |\n| --- | --- | --- |\n"
            )
            .expect("a string takes it");
        }
        let cell = |text: &str| text.replace('|', "\\|");
        for (i, (what, advice)) in errors.iter().enumerate() {
            let call = if i == 0 { format!("`{}`", cell(&call)) } else { String::new() };
            writeln!(page, "| {call} | {} | {} |", cell(what), cell(advice))
                .expect("a string takes it");
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/errors.md");
    if std::env::var_os("TRYBUILD").is_some_and(|value| value == "overwrite") {
        std::fs::write(&file, &page).expect("the page");
    }
    assert_eq!(
        std::fs::read_to_string(&file).unwrap_or_default(),
        page,
        "docs/errors.md is not up to date"
    );
}
