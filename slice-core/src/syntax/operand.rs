//! Reads an operand, which stands where a number may stand: a literal, `None`, `const { .. }`, or
//! any other expression.
//!
//! An expression is only checked in outline: that values and operators alternate, and that it is
//! not from another language. The compiler checks the rest.
//! not from another language. The compiler checks the rest.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions are at most the number of tokens, and a few are added; before one is \
              taken away, `at` was advanced or compared"
)]

use super::error::SyntaxError;
use super::item::{Item, Operand, lone_item};
use super::mistake::Mistake;
use super::token::{Delim, Kind};
use super::tokens::Tokens;
use super::{expression, foreign, keywords, number};

type Result<T> = core::result::Result<T, Mistake>;

/// Reads the operand `from..end`, which is not empty.
pub(super) fn read(tokens: &Tokens<'_, '_>, from: usize, end: usize) -> Result<Operand> {
    let span = tokens.span(from, end);
    let wrong = |error, from, to| Err(Mistake::syntax(error, tokens.span(from, to)));
    let (mut at, mut negative) = (from, false);
    while at < end && (tokens.is(at, '-') || tokens.is(at, '+')) {
        negative ^= tokens.is(at, '-');
        at += 1;
    }
    let signed = at > from;
    if at + 1 == end {
        match tokens.kind(at) {
            Some(Kind::Number(text)) => {
                return match number::read(text, negative) {
                    Ok(value) => Ok(Operand::Literal(value, span)),
                    Err(error) => wrong(error, from, end),
                };
            }
            Some(Kind::Text(_)) => return wrong(SyntaxError::Text, from, end),
            Some(Kind::Char(_)) => return wrong(SyntaxError::Char, from, end),
            Some(Kind::Word(word)) => {
                if let Some(result) = lone_word(word, signed, span) {
                    return result.or_else(|error| wrong(error, from, end));
                }
                if keywords::is_type_name(word) {
                    return wrong(SyntaxError::TypeName, from, end);
                }
            }
            _ => {}
        }
    }
    if signed && tokens.dots(at) == 1 && tokens.is_number(at + 1) {
        return wrong(SyntaxError::Float, from, end);
    }
    if let Some((item, after)) = lone_item(tokens, at)
        && after == end
    {
        let error = match item {
            _ if signed => SyntaxError::Signed,
            Item::Ellipsis => SyntaxError::EllipsisAsBound,
            _ => SyntaxError::NewAxisAsBound,
        };
        return wrong(error, from, end);
    }
    if !signed {
        if let Some((error, end)) = foreign::python(tokens, from, end) {
            return wrong(error, from, end);
        }
        if tokens.word(from) == Some("const") {
            if tokens.is_group(from + 1, end, Delim::Brace) {
                return match const_block(tokens, from + 2, end - 1) {
                    None => Ok(Operand::Const(span)),
                    Some(error) => wrong(error, from, end),
                };
            }
            if !tokens.opens(from + 1, Delim::Brace) {
                return wrong(SyntaxError::ConstWithoutBraces, from, end);
            }
        }
        let referred = if tokens.is(from, '&') {
            from + 1 + usize::from(tokens.word(from + 1) == Some("mut"))
        } else {
            from
        };
        if tokens.is_group(referred, end, Delim::Bracket) {
            return wrong(SyntaxError::List, from, end);
        }
    }
    expression::check(tokens, from, end)?;
    Ok(Operand::Value(span))
}

/// A word that is an operand by itself and not a variable.
fn lone_word(
    word: &str,
    signed: bool,
    span: super::Span,
) -> Option<core::result::Result<Operand, SyntaxError>> {
    Some(match word {
        "None" if signed => Err(SyntaxError::Signed),
        "None" => Ok(Operand::None(span)),
        "True" | "False" | "true" | "false" => Err(SyntaxError::Bool),
        "NewAxis" | "NEWAXIS" | "newAxis" | "new_axis" => Err(SyntaxError::OtherNewAxis),
        "null" => Err(SyntaxError::Null),
        "_" => Err(SyntaxError::Underscore),
        "crate" | "super" => Err(SyntaxError::Misplaced),
        word if keywords::is_misplaced_keyword(word)
            || keywords::is_expression_keyword(word) && word != "self" =>
        {
            Err(SyntaxError::Misplaced)
        }
        word if keywords::is_python_operator(word) => Err(SyntaxError::PythonOperator),
        _ => return None,
    })
}

/// What a `const` block obviously contains, if that is not an integer. The compiler reports the
/// rest.
fn const_block(tokens: &Tokens<'_, '_>, from: usize, end: usize) -> Option<SyntaxError> {
    let kind = tokens.kind(from);
    let alone = from + 1 == end;
    match kind {
        _ if from == end => Some(SyntaxError::ConstEmpty),
        Some(Kind::Text(_)) if alone => Some(SyntaxError::Text),
        Some(Kind::Char(_)) if alone => Some(SyntaxError::Char),
        // `&a + &b` is a number.
        Some(Kind::Punct('&', _)) => {
            match expression::check(tokens, from, end).err()?.syntax_error() {
                Some(SyntaxError::Reference) => Some(SyntaxError::ConstReference),
                _ => None,
            }
        }
        Some(Kind::Word("None")) if alone => Some(SyntaxError::ConstOption),
        Some(Kind::Word("Some")) if tokens.is_group(from + 1, end, Delim::Paren) => {
            Some(SyntaxError::ConstOption)
        }
        _ => None,
    }
}
