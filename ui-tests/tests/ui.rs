//! Programs that must not compile, with what the compiler says, and odd programs that must compile
//! and run.
//!
//! `ui/<topic>-<case>.rs` has one mistake, and the `.stderr` beside it has every word of the
//! answer. Only messages that are worded in this repository are checked like this; for the
//! compiler's own messages, about types, there is `tests/types.rs` at the root. After a change of
//! words, `OVERWRITE=1 cargo test -p ui-tests` rewrites the files and `docs/errors.md`. Read them
//! as a user would.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod page;

/// Whether the files are to be rewritten.
fn overwrites() -> bool {
    std::env::var_os("OVERWRITE").is_some_and(|value| value == "1")
}

/// To rewrite its files, a test starts itself again with the word that trybuild knows.
fn starts_again(test: &str) -> bool {
    let again = overwrites() && std::env::var_os("TRYBUILD").is_none();
    if again {
        let program = std::env::current_exe().expect("this program");
        let mut command = std::process::Command::new(program);
        let status = command.args(["--exact", test]).env("TRYBUILD", "overwrite").status();
        assert!(status.expect("it runs").success(), "the files are not rewritten");
    }
    again
}

#[test]
fn every_mistake_is_refused_in_our_words() {
    if starts_again("every_mistake_is_refused_in_our_words") {
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    // The files are written when the cases are dropped.
    drop(cases);
    page::check();
}

#[test]
fn what_is_odd_but_legal_compiles_and_runs() {
    trybuild::TestCases::new().pass("tests/ui/pass/*.rs");
}

/// The section "Test what your macro refuses" of `docs/library-authors.md` does what it says, for a
/// library that hands the macro on (`tests/outside/tensor`).
#[test]
fn authors_can_test_their_own_macro() {
    if starts_again("authors_can_test_their_own_macro") {
        return;
    }
    let page = include_str!("../../docs/library-authors.md");
    for shown in [include_str!("reexport/refused.rs"), include_str!("reexport/refused.stderr")] {
        assert!(page.contains(shown.trim_end()), "the page does not show\n{shown}");
    }
    let cases = trybuild::TestCases::new();
    cases.pass("tests/reexport/pass.rs");
    cases.compile_fail("tests/reexport/refused.rs");
}
