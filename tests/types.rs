//! Mistakes that only the compiler can see, such as an index that is not an integer, and our words
//! for them.
//!
//! What the compiler says around these words changes with its releases. So only what each file of
//! `outside/types/src/bin` and `outside/old/src/bin` (edition 2015) asks for at its top is checked:
//! `error:` and `help:` must be part of the message, `under:` is exactly the text that is
//! underlined. There must be no other error.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

#[path = "outside/cargo.rs"]
mod outside;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The errors of each program, as the compiler gives them to tools.
fn errors() -> BTreeMap<String, Vec<Value>> {
    let packages = ["check", "--quiet", "-p", "types", "-p", "old"];
    let output = outside::cargo(
        &[&packages[..], &["--bins", "--keep-going", "--message-format=json"]].concat(),
    );
    let mut errors: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(line).expect("a line of JSON");
        let diagnostic = &message["message"];
        // The last one counts the others and has no position.
        let placed = diagnostic["spans"].as_array().is_some_and(|spans| !spans.is_empty());
        if message["reason"] == "compiler-message" && diagnostic["level"] == "error" && placed {
            let name = message["target"]["name"].as_str().unwrap_or_default().to_owned();
            errors.entry(name).or_default().push(diagnostic.clone());
        }
    }
    errors
}

/// The text of the compiler's primary span.
fn underlined(diagnostic: &Value) -> String {
    let spans = diagnostic["spans"].as_array().expect("spans");
    let primary = spans.iter().find(|span| span["is_primary"] == true).expect("a primary span");
    let line = &primary["text"][0];
    let column =
        |name: &str| usize::try_from(line[name].as_u64().unwrap_or(1)).expect("a column") - 1;
    let (from, to) = (column("highlight_start"), column("highlight_end"));
    line["text"].as_str().unwrap_or_default().chars().skip(from).take(to - from).collect()
}

#[test]
fn types_are_refused_in_our_words() {
    let errors = errors();
    let outside = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outside");
    let folders = ["types/src/bin", "old/src/bin"].map(|folder| outside.join(folder));
    let mut count = 0;
    for file in folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("the programs")) {
        let path = file.expect("a program").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("its text");
        let of = errors.get(&name).unwrap_or_else(|| panic!("{name} compiles"));
        assert_eq!(of.len(), 1, "{name} has one error: {of:#?}");
        let rendered = of[0]["rendered"].as_str().unwrap_or_default();
        for line in text.lines().filter_map(|line| line.strip_prefix("//! ")) {
            let (what, wanted) = line.split_once(": ").expect("a demand");
            match what {
                "error" => {
                    assert!(
                        of[0]["message"].as_str().unwrap_or_default().contains(wanted),
                        "{name}: {rendered}"
                    )
                }
                "help" => assert!(rendered.contains(wanted), "{name}: {rendered}"),
                "under" => assert_eq!(underlined(&of[0]), wanted, "{name}: {rendered}"),
                _ => panic!("{name} demands `{what}`"),
            }
        }
        count += 1;
    }
    assert!(count >= 25, "only {count} programs");
    assert_eq!(errors.len(), count, "errors elsewhere: {:?}", errors.keys());
}
