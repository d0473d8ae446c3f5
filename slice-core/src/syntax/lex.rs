//! Tokens of a text, as the compiler would see them.

use super::token::{Delim, Kind, Span, Token};
use alloc::vec::Vec;

/// Splits a text into tokens; positions are byte offsets.
///
/// Nothing is refused here: a character that is not part of a slice becomes punctuation, and the
/// parser says what is wrong with it. In a text beyond 4 GiB, positions stop at `u32::MAX`.
///
/// # Examples
///
/// ```
/// use pyslice::syntax::{Kind, Span, lex};
///
/// let tokens = lex("1: -2");
/// assert_eq!(tokens.len(), 4);
/// assert_eq!((tokens[3].kind, tokens[3].span), (Kind::Number("2"), Span::new(4, 5)));
/// ```
#[must_use]
#[expect(clippy::arithmetic_side_effects, reason = "`rest` is the end of `text`")]
pub fn lex(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (len, kind) = match c {
            c if c.is_whitespace() => (c.len_utf8(), None),
            '0'..='9' => number(rest),
            '"' | '\'' => quoted(rest, 0),
            c if is_word(c) => word(rest),
            '(' => (1, Some(Kind::Open(Delim::Paren))),
            '[' => (1, Some(Kind::Open(Delim::Bracket))),
            '{' => (1, Some(Kind::Open(Delim::Brace))),
            ')' => (1, Some(Kind::Close(Delim::Paren))),
            ']' => (1, Some(Kind::Close(Delim::Bracket))),
            '}' => (1, Some(Kind::Close(Delim::Brace))),
            c => {
                let joint = rest[c.len_utf8()..].starts_with(is_operator) && is_operator(c);
                (c.len_utf8(), Some(Kind::Punct(c, joint)))
            }
        };
        let at = text.len() - rest.len();
        if let Some(kind) = kind {
            tokens.push(Token { kind, span: Span::new(position(at), position(at + len)) });
        }
        rest = &rest[len..];
    }
    tokens
}

fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Punctuation that can touch other punctuation and mean something together.
fn is_operator(c: char) -> bool {
    c.is_ascii_punctuation()
        && !matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '"' | '\'' | '_' | '\\' | '`')
}

pub(super) fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn word(rest: &str) -> (usize, Option<Kind<'_>>) {
    let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    let word = &rest[..len];
    // The prefixes of Rust's and Python's strings.
    if matches!(word, "b" | "r" | "c" | "f" | "u" | "br" | "cr" | "rb")
        && rest[len..].starts_with(['"', '\''])
    {
        let string = quoted(rest, len);
        if matches!(string.1, Some(Kind::Text(_) | Kind::Char(_))) {
            return string;
        }
    }
    (len, Some(Kind::Word(word)))
}

/// A string or a character after its prefix; only the quote if nothing closes it.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "the sum is a position in `rest`: the one after a character of it, which is one byte \
              long, being a quote"
)]
fn quoted(rest: &str, prefix: usize) -> (usize, Option<Kind<'_>>) {
    let mut chars = rest[prefix..].char_indices();
    let Some((_, quote)) = chars.next() else { return (0, None) };
    // A backslash means nothing, so that an open quote is looked for once, however many there are.
    for (count, (at, c)) in chars.enumerate() {
        if c == quote {
            let len = prefix + at + 1;
            let text = &rest[..len];
            return (
                len,
                Some(if quote == '\'' && count == 1 { Kind::Char(text) } else { Kind::Text(text) }),
            );
        }
    }
    (1, Some(Kind::Punct(quote, false)))
}

/// A number with the letters and digits that follow it, as the compiler splits it: `1..2` begins
/// with `1`, `1.5` is one number.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a number begins with a digit, and `len` is a position inside `rest`"
)]
fn number(rest: &str) -> (usize, Option<Kind<'_>>) {
    let bytes = rest.as_bytes();
    let decimal = !(bytes[0] == b'0' && matches!(bytes.get(1), Some(b'x' | b'o' | b'b')));
    let mut len = tail(rest, 0, decimal);
    if decimal && bytes.get(len) == Some(&b'.') {
        let next = rest[len + 1..].chars().next();
        if !next.is_some_and(|c| c == '.' || c == '_' || c.is_alphabetic()) {
            len = tail(rest, len + 1, decimal);
        }
    }
    (len, Some(Kind::Number(&rest[..len])))
}

/// The end of the digits and letters from `at` on, including the sign of an exponent.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "`at` and `len` are positions of characters of `rest`, or its end"
)]
fn tail(rest: &str, at: usize, decimal: bool) -> usize {
    let mut len = at + rest[at..].find(|c| !is_word(c)).unwrap_or(rest.len() - at);
    let signed = rest[len..]
        .strip_prefix(['+', '-'])
        .is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
    if decimal
        && signed
        && rest[at..len].ends_with(['e', 'E'])
        && rest.as_bytes()[at].is_ascii_digit()
    {
        len += 1;
        len += rest[len..].find(|c| !is_word(c)).unwrap_or(rest.len() - len);
    }
    len
}
