//! Follows the advice of every error: what it says to write is accepted, or is another error.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use pyslice::syntax::{Item, Items, Mistake, Operand, Span, lex, parse};
use std::collections::BTreeSet;
use std::ops::Range;

/// Texts that are not entries anywhere, and texts that are not entries in some places.
const WRONG: &[&str] = &[
    // Numbers.
    "1.5",
    "1.0",
    ".5",
    "1e3",
    "1usize",
    "0x1_u8",
    "99999999999999999999",
    "0x",
    "0b12",
    "0o8",
    "0X1F",
    "1_0L",
    "1.2.3",
    // Words of Python, NumPy and others.
    "True",
    "false",
    "null",
    "none",
    "_",
    "NewAxis",
    "torch.newaxis",
    "nd.NewAxis",
    "np.inf",
    "not n",
    "n and m",
    "n or m",
    "n in m",
    "n is None",
    "lambda x: x",
    "1 if n else 2",
    "n if n else None",
    "if n: 1 else: 2",
    "n ? 1 : 2",
    "usize.MAX",
    "0xZZ",
    "1:2; 3:4",
    "np.int64(n)",
    "np.array([0, 2])",
    "len(x)",
    "len(f(x))",
    "abs(n - 1)",
    "int(n)",
    "slice(1, 2)",
    "slice(None)",
    "slice(1, n, -1)",
    "range(3)",
    "np.s_[1:2]",
    "np.arange(3)",
    "list(x)",
    "tuple(x)",
    "~n",
    "~1",
    "~x.len()",
    "~(n + 1)",
    "~~n",
    "~-n",
    "2 ** 3",
    "n**2",
    "(n)**(m)",
    "x[-1]",
    "x[i][-2]",
    "x[1:2]",
    "x[:, 0]",
    "f(x)[...]",
    "x[None]",
    "axis=0",
    "start=1",
    "step=-1",
    "x=1",
    "k := 1",
    "Axis(0)",
    // Rust.
    "0..5",
    "0..=5",
    "n..",
    "..n",
    "..=n",
    "(0..5)",
    "{ 0..5 }",
    "a..b;c",
    "0..5;-1",
    "..;2",
    "n..m;-1",
    "..",
    "..=",
    "usize::MAX",
    "Self::N",
    "T::LEN",
    "config::SIZE",
    "f::<A, B>()",
    "Vec::<u8>::new().len()",
    "<T as Tr>::N",
    "x.iter().sum::<usize>()",
    "std::cmp::min(n, m)",
    "i64::from(3)",
    "usize:MAX",
    "usize",
    "Vec",
    "&n",
    "&mut n",
    "&[0, 2]",
    "*",
    "**n",
    "|x| x",
    "move |x| x",
    "n = 1",
    "n += 1",
    "n <<= 1",
    "n == m",
    "n < m",
    "n && m",
    "0 < n < 3",
    "+n",
    "+ n - 1",
    "const N",
    "const { }",
    "const { &N }",
    "const { None }",
    "const { \"a\" }",
    "if n { 1 }",
    "return",
    "let",
    "fn",
    "n as",
    "n.",
    "n +",
    "n -",
    "vec![0, 2]",
    // Brackets.
    "[0]",
    "[-1]",
    "[0, 2]",
    "[0, 2, 3]",
    "[]",
    "[[0, 1]]",
    "[1:2]",
    "[[1:2]]",
    "[...]",
    "(1, 2)",
    "(1,)",
    "()",
    "(1:2)",
    "((1:2))",
    "-(n,)",
    "-(1, 2)",
    "(n | 1, 2)",
    "{1, 2}",
    "{1: 2}",
    "f(1:2)",
    "(1:2).x",
    // Strings.
    "\"a\"",
    "\"1\"",
    "\"1:2\"",
    "\"x[1:2]\"",
    "-\"3\"",
    "'a'",
    "'3'",
    "b\"1\"",
    // Punctuation.
    ":::",
    "1:2:3:4",
    "::::",
    "1:2:3:",
    "n:m:i:2:3",
    ";",
    "1;2",
    "1;",
    ";1",
    "1;2;3",
    "1:2;3",
    ",",
    ",,",
    "@",
    "n @ m",
    "n # m",
    "1 => 2",
    "1 -> 2",
    "n <- m",
    "n %",
    "/ n",
    "n ? m",
    "$n",
    "\u{2212}1",
    "1\u{ff1a}2",
    "\u{2026}",
    // Entries in the wrong place.
    "....",
    ". . .",
    ".",
    "...:",
    "1:...",
    "1...3",
    "n...",
    "...1",
    "... 1",
    "... + 1",
    "-...",
    "-None",
    "+newaxis",
    "None + 1",
    "None()",
    "newaxis:",
    "1:newaxis",
    "np.newaxis:2",
    "..., ...",
    "None None",
    "1 2",
    "1 2 3",
    "n m",
    "n (1)",
    "1 to 10",
    "1:10 step 2",
    "10 step -2",
    "n f(x)",
    "1 + 2 3 * 4",
    "-1 -",
    "1:-",
    "::0",
    "1:2:-0",
    "1:2 3",
    "1 2:3",
];

/// Where the wrong part stands.
const AROUND: &[(&str, &str)] =
    &[("", ""), ("0, ", ", ::2"), ("", ":"), ("1:", ""), ("1:2:", ""), ("n - ", "")];

/// The mistakes of a slice as `s![...]` or a text reads it, and what each says and advises.
fn mistakes(text: &str, in_text: bool) -> Result<Items, Vec<Mistake>> {
    parse(&lex(text), in_text)
}

fn range(span: Span) -> Range<usize> {
    span.first as usize..span.last as usize
}

/// What the advice spells out: each text between back quotes that stands after "write" or "or", and
/// whether it goes before the mistaken tokens. Tokens to be taken out are replaced by nothing.
fn spelled(advice: &str, tokens: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (before, rest) in
        advice.match_indices('`').step_by(2).filter_map(|(at, _)| advice.split_at_checked(at))
    {
        let Some((inside, after)) = rest[1..].split_once('`') else { continue };
        if before.ends_with("write ") || before.ends_with("or ") || before.ends_with("as in ") {
            if after.starts_with(" before it") || after.starts_with(" before each") {
                found.push(tokens.replace(',', &format!("{inside},")));
            } else {
                found.push(inside.to_owned());
            }
        } else if before.ends_with("remove ") {
            found.push(tokens.replacen(inside, "", 1));
        }
    }
    if advice.contains("remove it")
        || advice.contains("remove them")
        || advice.contains("leave the bound out")
    {
        found.push(String::new());
    }
    found
}

/// What was accepted has to be Rust, where it is neither a number nor punctuation of ours.
fn check_rust(text: &str, items: &Items, wrong: &mut Vec<String>) {
    for (item, _) in items {
        let operands = match *item {
            Item::Index(index) => vec![index],
            Item::Range { start, stop, step } => vec![start, stop, step],
            Item::NewAxis | Item::Ellipsis => vec![],
        };
        for operand in operands {
            if let Operand::Value(span) | Operand::Const(span) = operand {
                let code = &text[range(span)];
                if syn::parse_str::<syn::Expr>(code).is_err() {
                    wrong.push(format!("`{text}`: `{code}` is not an expression"));
                }
            }
        }
    }
}

/// Follows every advice for three steps.
fn follow(
    text: &str,
    in_text: bool,
    trail: &mut Vec<(String, String)>,
    ends: &mut BTreeSet<String>,
    wrong: &mut Vec<String>,
) {
    let mistakes = match mistakes(text, in_text) {
        Ok(items) => {
            if !trail.is_empty() {
                check_rust(text, &items, wrong);
            }
            ends.insert(text.to_owned());
            return;
        }
        Err(mistakes) => mistakes,
    };
    let at = range(mistakes[0].span);
    let tokens = &text[at.clone()];
    let message = mistakes[0].message(tokens);
    let said = trail.iter().any(|(earlier, words)| earlier == text || *words == message);
    if said {
        wrong.push(format!("`{text}` says again: {message}, after {trail:?}"));
        return;
    }
    let Some(advice) = mistakes[0].help(tokens) else { return };
    let code = ["x as i64", "const {", "(", ".len()", "|x|", "&&", "!", "=="];
    if in_text
        && code
            .iter()
            .any(|code| !tokens.contains(code) && advice.replace("s![..]", "").contains(code))
    {
        wrong.push(format!("a text cannot hold what is advised for `{text}`: {advice}"));
    }
    if trail.len() == 3 {
        return;
    }
    trail.push((text.to_owned(), message));
    for instead in spelled(&advice, tokens) {
        follow(
            &[&text[..at.start], &instead, &text[at.end..]].concat(),
            in_text,
            trail,
            ends,
            wrong,
        );
    }
    trail.pop();
}

#[test]
fn advice_leads_somewhere() {
    let (mut slices, mut ends, mut nowhere) = (0, BTreeSet::new(), Vec::new());
    for wrong in WRONG {
        for (before, after) in AROUND {
            for in_text in [false, true] {
                follow(
                    &format!("{before}{wrong}{after}"),
                    in_text,
                    &mut Vec::new(),
                    &mut ends,
                    &mut nowhere,
                );
            }
            slices += 1;
        }
    }
    assert!(nowhere.is_empty(), "{} of {slices}:\n{}", nowhere.len(), nowhere.join("\n"));
    assert!(slices >= 1000 && ends.len() >= 700, "{slices} slices, {} ways to end", ends.len());
}
