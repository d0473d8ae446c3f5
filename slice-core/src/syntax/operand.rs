//! Reads an operand, which stands where a number may stand: a literal, `None`, `const { .. }`, or
//! any other expression.
//!
//! An expression is only checked in outline: that values and operators alternate, and that it is
//! not from another language. The compiler checks the rest.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions are at most the number of tokens, and a few are added; before one is \
              taken away, `at` was advanced or compared"
)]

use super::item::{Operand, lone_item};
use super::token::{Delim, Kind, Span};
use super::tokens::Tokens;
use super::{expression, foreign, number};
use crate::messages::{SyntaxError, advice, keywords, python_advice};

type Result<T> = core::result::Result<T, (SyntaxError, Span)>;

/// Reads the operand `from..end`, which is not empty.
#[inline]
pub(super) fn read(tokens: &Tokens<'_, '_>, from: usize, end: usize) -> Result<Operand> {
    let span = tokens.span(from, end);
    let wrong = |error| Err((error, span));
    let (mut at, mut negative) = (from, false);
    while at < end && (tokens.is(at, '-') || tokens.is(at, '+')) {
        negative ^= tokens.is(at, '-');
        at += 1;
    }
    let (signed, lone) = (at > from, at + 1 == end);
    let error = match tokens.kind(at) {
        Some(Kind::Number(text)) if lone => match number::read(text, negative) {
            Ok(value) => return Ok(Operand::Literal(value, span)),
            Err(error) => Some(error),
        },
        Some(Kind::Text(text) | Kind::Char(text)) if lone => Some(quoted(text, signed)),
        Some(Kind::Word("None")) if lone && !signed => return Ok(Operand::None(span)),
        Some(Kind::Word(word)) if lone => lone_word(word),
        Some(Kind::Punct('*', _)) if lone => Some(SyntaxError::Wildcard),
        _ => None,
    };
    if let Some(error) = error {
        return wrong(error);
    }
    if lone_item(tokens, at).is_some_and(|(_, after)| after == end) {
        let error = if signed { SyntaxError::EntryAsNumber } else { SyntaxError::EntryAsBound };
        return wrong(error);
    }
    if !signed && let Some((error, end)) = foreign::python(tokens, from, end) {
        return Err((error, tokens.span(from, end)));
    }
    if tokens.word(at) == Some("const") && !tokens.opens(at + 1, Delim::Brace) {
        return Err((SyntaxError::ConstWithoutBraces, tokens.span(at, end)));
    }
    if is_const(tokens, from, end) {
        return Ok(Operand::Const(span));
    }
    Ok(expression::check(tokens, from, end)?(span))
}

/// `const { .. }`, with minus signs and parentheses around it or without.
#[inline]
fn is_const(tokens: &Tokens<'_, '_>, mut from: usize, mut end: usize) -> bool {
    loop {
        let group = |delim| tokens.is_group(from, end, delim);
        if tokens.is(from, '-') && from < end {
            from += 1;
        } else if group(Delim::Paren) || group(Delim::Invisible) {
            (from, end) = (from + 1, end - 1);
        } else {
            return tokens.word(from) == Some("const")
                && tokens.is_group(from + 1, end, Delim::Brace);
        }
    }
}

/// What is wrong with a string or a character: a number or a slice may be quoted in it.
#[inline]
fn quoted(text: &str, signed: bool) -> SyntaxError {
    let inside = python_advice::sliced(python_advice::between_quotes(text));
    let slice = |c: char| c.is_ascii_digit() || c.is_whitespace() || "-:,.".contains(c);
    if advice::is_number(inside) {
        SyntaxError::QuotedDigit
    } else if !signed && inside.contains([':', '.']) && inside.chars().all(slice) {
        SyntaxError::QuotedSlice
    } else {
        SyntaxError::Text
    }
}

/// What is wrong with a word that is an operand by itself, but not a variable.
#[inline]
fn lone_word(word: &str) -> Option<SyntaxError> {
    Some(match word {
        // It has a sign here.
        "None" => SyntaxError::EntryAsNumber,
        "True" | "False" | "true" | "false" => SyntaxError::Bool,
        "NewAxis" | "NEWAXIS" => SyntaxError::OtherNewAxis,
        "_" => SyntaxError::Wildcard,
        _ if keywords::is_type_name(word) => SyntaxError::TypeName,
        _ => return None,
    })
}
