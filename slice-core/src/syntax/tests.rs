//! The message of every mistake and the place of its caret, compared with a table that reads like
//! the compiler's output.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use super::{Mistake, SyntaxError, lex, parse, parse_plan};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

/// Each block is a slice (after `plan!`, the contents of one), and below it every mistake: carets,
/// message, advice, and the advice for text if it differs.
const TABLE: &str = include_str!("mistakes.txt");

std::thread_local! {
    /// How often a token was looked at.
    pub(super) static LOOKS: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// The slices of the table, which hold every mistake.
fn fragments() -> impl Iterator<Item = &'static str> {
    let texts = TABLE.split("\n\n").filter_map(|block| block.lines().next());
    // A mistake whose tokens once went past the end of their operand, and openers without an end.
    texts.filter(|text| !text.starts_with("plan! ")).chain([
        "::Bb:if ||",
        "<",
        "a::<",
        "|",
        "a |",
        "'a:",
        "{",
        "[1:",
        "-",
        "...-",
        ". .",
        "..1",
        "x(",
        "if ",
        "1 as ",
    ])
}

/// How often a token is looked at in a text of this many repeated fragments.
fn looks(fragment: &str, n: usize) -> usize {
    LOOKS.with(|looks| looks.set(0));
    let text = fragment.repeat(n);
    let tokens = lex(&text);
    for literals_only in [false, true] {
        let _ = parse(&tokens, literals_only);
    }
    let _ = parse_plan(&tokens);
    LOOKS.with(|looks| looks.get())
}

#[test]
fn work_grows_with_the_text() {
    for a in fragments() {
        for b in fragments() {
            for between in ["", ", "] {
                let fragment = format!("{a}{between}{b}");
                let (few, many) = (looks(&fragment, 6), looks(&fragment, 24));
                assert!(
                    many <= 5 * few + 100,
                    "{fragment}: {few} looks at 6 fragments, {many} at 24"
                );
            }
        }
    }
}

/// The mistakes of a slice as the table shows them.
fn shown(text: &str) -> (String, Vec<Mistake>) {
    let (plan, source) = text.strip_prefix("plan! ").map_or((false, text), |rest| (true, rest));
    let tokens = lex(source);
    let mistakes =
        if plan { parse_plan(&tokens).map(drop) } else { parse(&tokens, false).map(drop) }
            .err()
            .unwrap_or_default();
    let mut lines = vec![text.to_owned()];
    for mistake in &mistakes {
        let (first, last) = (mistake.span.first as usize, mistake.span.last as usize);
        let before =
            text.len().saturating_sub(source.len()).saturating_add(source[..first].chars().count());
        let (tokens, wide) = (&source[first..last], source[first..last].chars().count());
        lines.push(format!("{}{}", " ".repeat(before), "^".repeat(wide)));
        lines.push(format!("error: {}", mistake.message(tokens)));
        let help = mistake.help(tokens);
        let in_text = Mistake { in_text: true, ..*mistake }
            .help(tokens)
            .filter(|other| Some(other) != help.as_ref());
        lines.extend(help.map(|help| format!("help: {help}")));
        lines.extend(in_text.map(|help| format!("in a text: {help}")));
    }
    (lines.join("\n"), mistakes)
}

#[test]
fn every_mistake_stands_where_the_table_says() {
    let mut left: Vec<SyntaxError> = SyntaxError::ALL.to_vec();
    // A text holds variables only by mistake, and `parse_text` finds it.
    left.retain(|&error| error != SyntaxError::NotLiteral);
    let mut found = Vec::new();
    for block in TABLE.split("\n\n") {
        let text = block.trim_start_matches('\n').lines().next().unwrap_or_default();
        let (shown, mistakes) = shown(text);
        assert!(!mistakes.is_empty(), "`{text}` is accepted");
        left.retain(|error| mistakes.iter().all(|m| m.syntax_error() != Some(*error)));
        found.push(shown);
    }
    assert!(left.is_empty(), "the table does not show {left:?}");
    let found = found.join("\n\n") + "\n";
    if std::env::var_os("OVERWRITE").is_some_and(|value| value == "1") {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/syntax/mistakes.txt");
        return std::fs::write(path, &found).expect("the table");
    }
    for (found, expected) in found.split("\n\n").zip(TABLE.split("\n\n")) {
        assert_eq!(found.trim(), expected.trim(), "\n{found}\nand the table says\n{expected}");
    }
}
