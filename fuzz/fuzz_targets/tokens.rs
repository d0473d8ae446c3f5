//! Token streams, as a macro might get them: no panic, every mistake's span made of the tokens'
//! own, and what is accepted means the same as its text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pyslice::syntax::{Delim, Kind, Span, Token, lex, parse, parse_plan, parse_text};
use pyslice_fuzz::Source;

const WORDS: [&str; 14] = [
    "None", "newaxis", "np", "tf", "Ellipsis", "True", "x", "const", "usize", "slice", "if", "as",
    "_", "r#None",
];
const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "2",
    "17",
    "0x10",
    "1_000",
    "1usize",
    "1.5",
    "1e3",
    "9223372036854775807",
    "9223372036854775808",
    "0b2",
    "1_",
    "3i64",
];
const PUNCT: [char; 20] = [
    ':', ',', '-', '.', '+', '=', ';', '<', '>', '*', '/', '&', '|', '!', '#', '$', '?', '@', '%',
    '^',
];
const DELIMS: [Delim; 4] = [Delim::Paren, Delim::Bracket, Delim::Brace, Delim::Invisible];

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        // The tokens of a text mean what the text means.
        let tokens = lex(text);
        check(&tokens);
        let end = u32::try_from(text.len()).unwrap();
        assert!(tokens.iter().all(|t| t.span.first <= t.span.last && t.span.last <= end));
        if let Ok(items) = parse(&tokens, true) {
            let spec = parse_text(text).expect("its tokens are a slice");
            assert!(items.iter().map(|(item, _)| item.entry()).eq(spec.entries()));
        }
    }
    // Tokens in any order, with the spans a macro gives: their places in the list.
    let mut source = Source(data);
    let mut tokens = Vec::new();
    while !source.0.is_empty() && tokens.len() < 200 {
        let kind = match source.below(12) {
            0 => Kind::Word(WORDS[source.below(WORDS.len())]),
            1 | 2 => Kind::Number(NUMBERS[source.below(NUMBERS.len())]),
            3 => Kind::Text("\"a\""),
            4 => Kind::Char("'a'"),
            5 => Kind::Open(DELIMS[source.below(4)]),
            6 => Kind::Close(DELIMS[source.below(4)]),
            7 => Kind::Punct(PUNCT[source.below(PUNCT.len())], source.byte() & 1 == 1),
            8 => Kind::Punct('.', source.byte() & 1 == 1),
            9 => Kind::Punct(',', false),
            _ => Kind::Punct(':', source.byte() & 1 == 1),
        };
        let at = tokens.len() as u32;
        tokens.push(Token { kind, span: Span::new(at, at) });
    }
    check(&tokens);
});

fn check(tokens: &[Token<'_>]) {
    let inside = |span: Span| {
        tokens.is_empty() && (span.first, span.last) == (0, 0)
            || tokens.iter().any(|t| t.span.first == span.first)
                && tokens.iter().any(|t| t.span.last == span.last)
    };
    let mut accepted = Vec::new();
    for literals_only in [true, false] {
        match parse(tokens, literals_only) {
            Ok(items) => {
                assert!(items.len() <= 31);
                assert!(items.iter().all(|&(_, span)| inside(span)), "{tokens:?}: {items:?}");
                accepted.push(items);
            }
            Err(mistakes) => {
                assert!(!mistakes.is_empty());
                for mistake in mistakes {
                    assert!(inside(mistake.span), "{tokens:?}: {mistake:?}");
                    assert!(!mistake.message("tokens").is_empty());
                    let _ = mistake.help("tokens");
                }
            }
        }
    }
    // A text's literals mean the same to the macro.
    if let [text, compiled] = &accepted[..] {
        assert_eq!(text, compiled);
    }
    if let Err(mistakes) = parse_plan(tokens) {
        assert!(!mistakes.is_empty());
        for mistake in mistakes {
            assert!(inside(mistake.span), "{tokens:?}: {mistake:?}");
            assert!(!mistake.message("tokens").is_empty());
        }
    }
}
