//! Tokens of a text, as the compiler would see them.

use super::token::{Delim, Kind, Span, Token};
use crate::messages::substring::{CharTest, is_word};
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
#[inline]
pub fn lex(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut chars = rest.chars();
    while let Some(c) = chars.next() {
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
                let joint = is_operator(c) && chars.next().is_some_and(is_operator);
                (c.len_utf8(), Some(Kind::Punct(c, joint)))
            }
        };
        let at = text.len() - rest.len();
        if let Some(kind) = kind {
            tokens.push(Token { kind, span: Span::new(position(at), position(at + len)) });
        }
        rest = &rest[len..];
        chars = rest.chars();
    }
    tokens
}

#[inline]
fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Punctuation that can touch other punctuation and mean something together.
#[inline]
fn is_operator(c: char) -> bool {
    c.is_ascii_punctuation()
        && !matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '"' | '\'' | '_' | '\\' | '`')
}

/// How many bytes the letters and digits take with which the text begins.
#[inline]
fn word_len(text: &str) -> usize {
    const END: CharTest = |c| !is_word(c);
    text.find(END).unwrap_or(text.len())
}

#[inline]
fn word(rest: &str) -> (usize, Option<Kind<'_>>) {
    let (word, after) = rest.split_at(word_len(rest));
    // The prefixes of Rust's and Python's strings.
    if matches!(word, "b" | "r" | "c" | "f" | "u" | "br" | "cr" | "rb")
        && let [b'"' | b'\'', ..] = after.as_bytes()
        && let string @ (_, Some(Kind::Text(_) | Kind::Char(_))) = quoted(rest, word.len())
    {
        return string;
    }
    (word.len(), Some(Kind::Word(word)))
}

/// A string or a character after its prefix; only the quote if nothing closes it.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "the sum is a position in `rest`: a quote is one byte long"
)]
#[inline]
fn quoted(rest: &str, prefix: usize) -> (usize, Option<Kind<'_>>) {
    let mut chars = rest[prefix..].chars();
    let Some(quote) = chars.next() else { return (0, None) };
    // A backslash means nothing, so that an open quote is looked for once, however many there are.
    let Some((inside, _)) = chars.as_str().split_once(quote) else {
        return (1, Some(Kind::Punct(quote, false)));
    };
    let text = &rest[..prefix + inside.len() + 2];
    let one = quote == '\'' && inside.chars().count() == 1;
    (text.len(), Some(if one { Kind::Char(text) } else { Kind::Text(text) }))
}

/// A number with the letters and digits that follow it, as the compiler splits it: `1..2` begins
/// with `1`, `1.5` is one number.
#[expect(clippy::arithmetic_side_effects, reason = "`len` is a position inside `rest`")]
#[inline]
fn number(rest: &str) -> (usize, Option<Kind<'_>>) {
    let decimal = !matches!(rest.as_bytes(), [b'0', b'x' | b'o' | b'b', ..]);
    let mut len = tail(rest, 0, decimal);
    if decimal && let Some(fraction) = rest[len..].strip_prefix('.') {
        let next = fraction.chars().next();
        if !next.is_some_and(|c| c == '.' || c == '_' || c.is_alphabetic()) {
            len = tail(rest, len + 1, decimal);
        }
    }
    (len, Some(Kind::Number(&rest[..len])))
}

/// The end of the digits and letters from `at` on, including the sign of an exponent.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "`at` and `len` are positions of characters of `rest`, or its end"
)]
#[inline]
fn tail(rest: &str, at: usize, decimal: bool) -> usize {
    let (digits, after) = rest[at..].split_at(word_len(&rest[at..]));
    let mut len = at + digits.len();
    if decimal
        && let [b'0'..=b'9', .., b'e' | b'E'] = digits.as_bytes()
        && let [b'+' | b'-', b'0'..=b'9', ..] = after.as_bytes()
    {
        len += 1;
        len += word_len(&rest[len..]);
    }
    len
}
