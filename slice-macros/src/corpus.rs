//! Expressions of Rust programs, which a slice has to take: those of this repository's sources, and
//! of the standard library's where they are installed (`rustup component add rust-src`).
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::source::Source;
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use slice_core::syntax::{SyntaxError, parse};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use syn::{BinOp, Expr};

/// The Rust files in a folder, without the programs that are wrong on purpose.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !["target", "ui", "bin", ".git"].contains(&name.as_str()) {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// Every expression between commas, semicolons and brackets, and after `=` and `return`.
fn expressions(tokens: TokenStream, found: &mut HashMap<String, (TokenStream, Expr)>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |tree: &TokenTree, any: &str| matches!(tree, TokenTree::Punct(p) if any.contains(p.as_char()));
    for part in trees.split(|tree| is(tree, ",;")) {
        let begins = |tree: &TokenTree| is(tree, "=") || tree.to_string() == "return";
        let after = part.iter().position(begins).map_or(part, |at| &part[at + 1..]);
        for part in
            [part, after].into_iter().filter(|part| !part.iter().take(1).any(|t| is(t, "#")))
        {
            let tokens: TokenStream = part.iter().cloned().collect();
            if let Ok(expression) = syn::parse2::<Expr>(tokens.clone()) {
                found.insert(tokens.to_string(), (tokens, expression));
            }
        }
    }
    for tree in trees {
        if let TokenTree::Group(group) = tree {
            expressions(group.stream(), found);
        }
    }
}

/// Why a slice refuses these tokens, if it does.
fn refusals(tokens: TokenStream) -> Vec<Option<SyntaxError>> {
    let source = Source::new(tokens);
    let mistakes = parse(&source.tokens(), false).err().unwrap_or_default();
    mistakes.iter().map(|mistake| mistake.syntax_error()).collect()
}

/// Whether an expression may give a number, by its outermost operator.
fn may_be_a_number(expression: &Expr) -> bool {
    use BinOp::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};
    match expression {
        Expr::Binary(binary) => matches!(
            binary.op,
            Add(_)
                | BitAnd(_)
                | BitOr(_)
                | BitXor(_)
                | Div(_)
                | Mul(_)
                | Rem(_)
                | Shl(_)
                | Shr(_)
                | Sub(_)
        ),
        Expr::Unary(unary) => may_be_a_number(&unary.expr),
        Expr::If(branches) => branches.else_branch.is_some(),
        Expr::Async(_)
        | Expr::Await(_)
        | Expr::Block(_)
        | Expr::Call(_)
        | Expr::Cast(_)
        | Expr::Const(_)
        | Expr::Field(_)
        | Expr::ForLoop(_)
        | Expr::Index(_)
        | Expr::Loop(_)
        | Expr::Macro(_)
        | Expr::Match(_)
        | Expr::MethodCall(_)
        | Expr::Struct(_)
        | Expr::Try(_)
        | Expr::Unsafe(_)
        | Expr::While(_) => true,
        _ => false,
    }
}

/// Why Rust that may give a number by its outermost operator gives none.
const NOT_A_NUMBER: &[Option<SyntaxError>] = &[
    // Called by a name of Python's.
    Some(SyntaxError::ArrayCall),
    Some(SyntaxError::AxisCall),
    Some(SyntaxError::EntryAsBound),
    Some(SyntaxError::EntryAsNumber),
    Some(SyntaxError::PythonCall),
    Some(SyntaxError::PythonOperator),
    Some(SyntaxError::RangeCall),
    Some(SyntaxError::SliceCall),
    Some(SyntaxError::Tuple),
    // An operand or a branch that is not an integer.
    Some(SyntaxError::Comparison),
    Some(SyntaxError::FloatTerm),
    Some(SyntaxError::IfWithoutElse),
    Some(SyntaxError::Misplaced),
    Some(SyntaxError::NotOneNumber),
    Some(SyntaxError::Reference),
    Some(SyntaxError::RustRange),
];

#[test]
fn every_expression_of_rust_is_taken_where_a_value_may_stand() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output();
    let sysroot = sysroot.map(|said| String::from_utf8_lossy(&said.stdout).trim().to_owned());
    let library = Path::new(&sysroot.unwrap_or_default()).join("lib/rustlib/src/rust/library/core");
    let mut paths = Vec::new();
    for folder in ["src", "slice-core/src", "slice-macros/src", "tests"] {
        files(&root.join(folder), &mut paths);
    }
    files(&library.join("src/slice"), &mut paths);
    let mut found = HashMap::new();
    for path in paths {
        if let Ok(tokens) = std::fs::read_to_string(&path).unwrap().parse() {
            expressions(tokens, &mut found);
        }
    }
    found.retain(|text, _| text.len() < 200);
    let (mut numbers, mut wrong) = (0, Vec::new());
    for (text, (tokens, expression)) in &found {
        // In brackets there may be anything.
        let inside = quote!(
            -f(0, #tokens):x[{ #tokens }] + (n, #tokens).1:if f(#tokens) { 1 } else { 2 }
        );
        wrong
            .extend(refusals(inside).first().map(|error| format!("{text}: {error:?} in brackets")));
        if may_be_a_number(expression) {
            numbers += 1;
            let colon = |tree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ':');
            let value = if tokens.clone().into_iter().any(colon) {
                quote!((#tokens))
            } else {
                tokens.clone()
            };
            let errors = [quote!(#value), quote!(:#value:#value, 1)].map(refusals).concat();
            let odd = errors.iter().find(|error| !NOT_A_NUMBER.contains(error));
            wrong.extend(odd.map(|error| format!("{text}: {error:?} as a value")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Outside of the repository there is only this crate.
    let most = if root.join("slice-core").is_dir() { 4000 } else { 500 };
    assert!(numbers > most, "only {numbers} numbers of {}", found.len());
}
