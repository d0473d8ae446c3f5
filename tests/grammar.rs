//! Passes any tokens and any text to the grammar: it never panics, and no span is outside of the
//! input.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice::syntax::{
    Delim, Item, Kind, Mistake, Operand, PlanCall, Shape, Span, Token, lex, parse, parse_plan,
    parse_text,
};
use pyslice::{Entry, SpecBuf};
use support::generate;

const WORDS: &[&str] = &[
    "None", "newaxis", "np", "tf", "Ellipsis", "True", "false", "n", "N", "usize", "Self", "Vec",
    "if", "else", "match", "as", "const", "not", "in", "and", "lambda", "slice", "range", "vec",
    "len", "move", "mut", "_", "loop", "fn",
];
const NUMBERS: &[&str] =
    &["0", "1", "12", "0x1f", "1_000", "1.5", "1usize", "9223372036854775807", "1e3", "0b2", ""];
const TEXTS: &[&str] = &["\"a\"", "\"1\"", "\"1:2\"", "b\"\"", ""];
const PUNCTUATION: &[char] = &[
    ':', ':', ':', ',', ',', '.', '.', '-', '+', '*', '&', '!', ';', '=', '<', '>', '|', '/', '?',
    '@', '#', '$', '\'', '~', '\u{2212}', '\u{2026}',
];

/// Any token, brackets that do not match included.
fn token() -> impl Strategy<Value = Kind<'static>> {
    let delim =
        || prop::sample::select(vec![Delim::Paren, Delim::Bracket, Delim::Brace, Delim::Invisible]);
    prop_oneof![
        4 => (prop::sample::select(PUNCTUATION), any::<bool>()).prop_map(|(c, joint)| Kind::Punct(c, joint)),
        3 => prop::sample::select(WORDS).prop_map(Kind::Word),
        3 => prop::sample::select(NUMBERS).prop_map(Kind::Number),
        1 => prop::sample::select(TEXTS).prop_map(Kind::Text),
        1 => Just(Kind::Char("'a'")),
        1 => delim().prop_map(Kind::Open),
        1 => delim().prop_map(Kind::Close),
    ]
}

/// Tokens whose brackets match, as the compiler hands them over.
fn balanced() -> impl Strategy<Value = Vec<Kind<'static>>> {
    let leaf = token().prop_filter("no bracket", |k| !matches!(k, Kind::Open(_) | Kind::Close(_)));
    let leaves = prop::collection::vec(leaf.prop_map(|k| vec![k]), 0..8).prop_map(|v| v.concat());
    leaves.prop_recursive(3, 40, 6, |inner| {
        let delim = prop::sample::select(vec![
            Delim::Paren,
            Delim::Bracket,
            Delim::Brace,
            Delim::Invisible,
        ]);
        let group = (delim, inner.clone())
            .prop_map(|(d, k)| [vec![Kind::Open(d)], k, vec![Kind::Close(d)]].concat());
        prop::collection::vec(prop_oneof![group, inner], 0..6).prop_map(|v| v.concat())
    })
}

/// Gives the tokens positions, as the macro does.
fn placed(kinds: &[Kind<'static>]) -> Vec<Token<'static>> {
    kinds.iter().zip(0_u32..).map(|(&kind, i)| Token { kind, span: Span::new(i, i) }).collect()
}

/// Mistakes are in order, at least one, inside of the input, and can be worded with any text.
fn check_mistakes(mistakes: &[Mistake], end: usize) {
    assert!(!mistakes.is_empty());
    for m in mistakes {
        assert!(m.span.first <= m.span.last && (m.span.last as usize) < end.max(1), "{m:?}");
        for text in [
            "",
            "x",
            "a..b;c",
            "slice(",
            "..=",
            "[",
            "::",
            "~",
            "0X",
            "...",
            "\u{2026}",
            "1 if a else",
            "**",
            "é(",
        ] {
            assert!(!m.message(text).is_empty());
            assert!(m.help(text).is_none_or(|help| !help.is_empty()));
        }
    }
}

fn check_tokens(kinds: &[Kind<'static>]) {
    let tokens = placed(kinds);
    for literals_only in [false, true] {
        match parse(&tokens, literals_only) {
            Err(mistakes) => check_mistakes(&mistakes, tokens.len()),
            Ok(items) => {
                let mut next = 0;
                for &(item, span) in &items {
                    assert!(
                        span.first >= next
                            && span.first <= span.last
                            && (span.last as usize) < tokens.len()
                    );
                    next = span.last + 1;
                    let operands = match item {
                        Item::Index(a) => vec![a],
                        Item::Range { start, stop, step } => vec![start, stop, step],
                        Item::NewAxis | Item::Ellipsis => vec![],
                    };
                    for operand in operands {
                        assert!(
                            !(literals_only
                                && matches!(
                                    operand,
                                    Operand::Value(_) | Operand::Const(_) | Operand::Signed(_)
                                ))
                        );
                        if let Some(inner) = operand.span() {
                            assert!(
                                span.first <= inner.first
                                    && inner.first <= inner.last
                                    && inner.last <= span.last
                            );
                        }
                    }
                }
                let entries: Vec<Entry> = items.iter().map(|(item, _)| item.entry()).collect();
                assert!(
                    SpecBuf::from_entries(&entries).is_ok(),
                    "the rules were checked: {entries:?}"
                );
            }
        }
    }
    match parse_plan(&tokens) {
        Err(mistakes) => check_mistakes(&mistakes, tokens.len()),
        Ok(PlanCall { shape: Shape::Lengths(_, span) | Shape::Constant(span), .. }) => {
            assert!((span.last as usize) < tokens.len())
        }
    }
}

proptest! {
    #![proptest_config(generate::config(4000))]

    #[test]
    fn any_tokens_get_an_answer(kinds in prop::collection::vec(token(), 0..24)) {
        check_tokens(&kinds);
    }

    #[test]
    fn balanced_tokens_get_an_answer(kinds in balanced()) {
        check_tokens(&kinds);
    }

    #[test]
    fn any_text_gets_an_answer(text in "[-+0-9a-z:,.;=\\[\\]() \\n\"'#~_xeé\u{2212}\u{ff1a}]{0,24}") {
        match parse_text(&text) {
            Ok(spec) => {
                prop_assert_eq!(spec.to_string().parse::<SpecBuf>(), Ok(spec.clone()));
                prop_assert_eq!(text.parse::<SpecBuf>(), Ok(spec));
            }
            Err(mistakes) => {
                prop_assert!(!mistakes.is_empty());
                for m in &mistakes {
                    let tokens = &text[m.span.first as usize..m.span.last as usize];
                    prop_assert!(!m.message(tokens).is_empty());
                }
                prop_assert!(!text.parse::<SpecBuf>().unwrap_err().to_string().is_empty());
            }
        }
    }

    #[test]
    fn tokens_lie_in_the_text_and_do_not_overlap(text in any::<String>()) {
        let mut end = 0;
        for token in lex(&text) {
            prop_assert!(token.span.first >= end && token.span.first < token.span.last);
            prop_assert!(text.get(token.span.first as usize..token.span.last as usize).is_some());
            end = token.span.last;
        }
        prop_assert!(end as usize <= text.len());
        let _ = parse_text(&text);
    }
}

#[test]
fn deep_and_long_texts_do_no_harm() {
    const N: usize = 100_000;
    let pairs = "[".repeat(N) + &"]".repeat(N);
    for text in [
        "(", "-", ",", ".", ". .", "..1", "...-", "'\\", "\"'", "a::", "a ", "a::<", "a::<,",
        "[1:", "x(", "None ", ":",
    ] {
        assert!(parse_text(&text.repeat(N)).is_err(), "{text}");
    }
    assert!(parse_text(&pairs).is_err());
    assert_eq!(parse_text(&"1,".repeat(N)).unwrap_err().len(), 1);
    assert!(parse_text(&("-".repeat(N) + "1")).is_ok());
    let deep = "(".repeat(N) + "0" + &")".repeat(N);
    let range = format!("{deep}..{deep}");
    let mistakes = parse(&lex(&range), false).unwrap_err();
    assert_eq!(mistakes[0].help(&range), Some(format!("write `{deep}:{deep}`")));
}

/// What follows a `?` is an operator: no closure and no generics begin there, and no comma is theirs.
#[test]
fn no_value_begins_after_a_question_mark() {
    for text in ["n? | 1, m? | 2", "(n? < 1) as i64, (m? > 2) as i64", "f(n? < 1, m? > 2):, x? | y"]
    {
        let items = parse(&lex(text), false).unwrap();
        assert_eq!(items.len(), 2, "{text}: {items:?}");
    }
}

/// Whatever is an expression of Rust is a value when it stands in parentheses or braces, but for
/// what would be a tuple.
#[test]
fn legal_rust_in_brackets_is_a_value() {
    let list = [
        "usize::MAX",
        "f::<A, B>()",
        "<T as Tr<A, B>>::f::<C>(1, 2)",
        "Vec::<Vec<u8>>::new().len()",
        "x.f::<A, B>().g",
        "(a < b) as i64",
        "(a < <T as Tr>::N) as i64",
        "a << 1 | b >> 2",
        "(a || b) as i64",
        "a | b",
        "|a: usize, b| a + b",
        "(|| -> usize { 3 })()",
        "move |a: Vec<u8>, _: fn(u8, u8) -> u8| a.len()",
        "|a| |b| a | b",
        "|&a: &[u8; 3], (b, c)| b",
        "a | (|b, c| b)(1, 2)",
        "if a < b { 1 } else { 2 }",
        "if let Some(x) = y { x } else { 0 }",
        "match x { 1 | 2 => 3, A { b: 1, .. } => 4, _ => 5 }",
        "unsafe { f(a, b) }",
        "loop { break 3 }",
        "'a'",
        "\"a:b, c\".len()",
        "[1, 2, 3][0]",
        "[0; 3].len()",
        "vec![1, 2][0]",
        "(1, 2).0",
        "S { a: 1, b: 2 }.a",
        "x as *const u8 as usize",
        "x as <T as Tr>::N",
        "(0..9).rev().count()",
        "(0..9).step_by(2).len()",
        "*x",
        "&x + &y",
        "!x",
        "-x",
        "--x",
        "x?.y?",
        "x.0.1",
        "m!(a, b: c; d)",
        "std::mem::size_of::<(u8, u16)>()",
        "a[b[c]]",
        "f(|a, b| a)(c, d)",
        "x[1..].len()",
        "str.len()",
        "f(..)",
        "(0..3).len()",
        "(a == b) as u8",
        "(a as u8 > b) as i64",
        "return",
        "break",
        "1.5 as u8",
        "1u8",
        "x.await",
    ];
    for code in list {
        assert!(syn::parse_str::<syn::Expr>(code).is_ok(), "{code} is not Rust");
        for code in
            [format!("({code})"), format!("{{ {code} }}"), format!("{{ let x = {code}; x }}")]
        {
            for text in [
                code.clone(),
                format!("-{code}"),
                format!("1 + {code}"),
                format!("{code}:{code}:{code}, 1"),
            ] {
                assert!(parse(&lex(&text), false).is_ok(), "{text}");
            }
        }
        let block = format!("const {{ {code} }}");
        assert!(parse(&lex(&block), false).is_ok() || code == "'a'", "{block}");
    }
    // No colon of a struct's is the slice's.
    for code in ["P { row: 1, f: 2. }.row", "Pair { a: 1, b: 2 }.b", "Pair { a, b }.b"] {
        for text in [code.to_owned(), format!("{code}:{code}"), format!("-{code}, 1")] {
            assert!(parse(&lex(&text), false).is_ok(), "{text}");
        }
    }
}
