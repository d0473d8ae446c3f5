//! Finds another language's way to write a slice or a value.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions are at most the number of tokens, and a few are added; before one is \
              taken away, `at` was advanced or compared"
)]

use super::error::SyntaxError;
use super::item::lone_item;
use super::token::Delim;
use super::tokens::Tokens;

/// What is wrong with the item `from..comma` as a whole.
pub(super) fn error(tokens: &Tokens<'_, '_>, from: usize, comma: usize) -> Option<SyntaxError> {
    let top = || tokens.outer(from, comma);
    if top().all(|at| tokens.is(at, '.')) && !(comma - from == 3 && tokens.dots(from) == 3) {
        return Some(if comma - from == 2 { SyntaxError::TwoDots } else { SyntaxError::Dots });
    }
    if tokens.word(from) == Some("lambda")
        && (tokens.word(from + 1).is_some() || tokens.is(from + 1, ':'))
    {
        return Some(SyntaxError::Lambda);
    }
    // `if c: a else: b`
    let colon = tokens.find(':', from, comma);
    if tokens.word(from) == Some("if")
        && colon < comma
        && !tokens.outer(from, colon).any(|at| tokens.opens(at, Delim::Brace))
    {
        return Some(SyntaxError::Conditional);
    }
    if tokens.word(from).is_some() && is_single_equals(tokens, from + 1) {
        return Some(SyntaxError::Keyword);
    }
    if tokens.word(from).is_some() && tokens.is_joint(from + 1, ':') && tokens.is(from + 2, '=') {
        return Some(SyntaxError::Assignment);
    }
    let semicolons = top().filter(|&at| tokens.is(at, ';')).count();
    if top().any(|at| two_dots(tokens, at)) {
        return Some(if semicolons > 0 {
            SyntaxError::NdarrayRange
        } else {
            SyntaxError::RustRange
        });
    }
    let grouped =
        tokens.is_group(from, comma, Delim::Paren) || tokens.is_group(from, comma, Delim::Brace);
    if grouped
        && !is_block(tokens, from, comma)
        && inner(tokens, from, comma).any(|at| two_dots(tokens, at))
        && !has_comma(tokens, from + 1, comma - 1)
    {
        return Some(SyntaxError::RustRange);
    }
    // If there is a colon next to it, it was meant as a bound.
    let beside = |at: usize| at > from && tokens.is(at - 1, ':') || tokens.is(at + 3, ':');
    if top().any(|at| {
        at > from
            && tokens.dots(at) == 3
            && !tokens.is_joint(at - 1, '.')
            && !beside(at)
            && !signs(tokens, from, at)
    }) {
        return Some(SyntaxError::EllipsisInside);
    }
    if semicolons > 0 {
        let lone = semicolons == comma - from;
        return Some(if lone { SyntaxError::LoneSemicolon } else { SyntaxError::Semicolon });
    }
    let paren = tokens.is_group(from, comma, Delim::Paren);
    if paren
        && (has_slice(tokens, from + 1, comma - 1)
            || inner(tokens, from, comma).any(|at| two_dots(tokens, at)))
    {
        return Some(SyntaxError::ParenSlice);
    }
    if tokens.is_group(from, comma, Delim::Brace)
        && (has_slice(tokens, from + 1, comma - 1) || has_comma(tokens, from + 1, comma - 1))
        && !is_block(tokens, from, comma)
    {
        return Some(SyntaxError::Braces);
    }
    if tokens.is_group(from, comma, Delim::Bracket) {
        let nested = has_slice(tokens, from + 1, comma - 1)
            || inner(tokens, from, comma).any(|at| two_dots(tokens, at))
            || (from + 1..comma)
                .any(|at| lone_item(tokens, at).is_some() || tokens.word(at) == Some("None"));
        return Some(if nested { SyntaxError::NestedBrackets } else { SyntaxError::List });
    }
    None
}

/// `name =` as in a call of Python, but not `a == b` or `a => b`.
pub(super) fn is_single_equals(tokens: &Tokens<'_, '_>, at: usize) -> bool {
    tokens.is(at, '=')
        && !(tokens.is_joint(at, '=') && (tokens.is(at + 1, '=') || tokens.is(at + 1, '>')))
}

/// Two dots that begin here (and do not end a longer run).
fn two_dots(tokens: &Tokens<'_, '_>, at: usize) -> bool {
    tokens.dots(at) == 2 && !(at > 0 && tokens.is_joint(at - 1, '.'))
}

/// Whether only signs stand before `at`.
fn signs(tokens: &Tokens<'_, '_>, from: usize, at: usize) -> bool {
    (from..at).all(|i| tokens.is(i, '-') || tokens.is(i, '+'))
}

/// Whether the group has statements, as only a block of Rust has.
pub(super) fn is_block(tokens: &Tokens<'_, '_>, open: usize, end: usize) -> bool {
    inner(tokens, open, end).any(|at| tokens.is(at, ';') || tokens.word(at) == Some("let"))
}

/// The tokens directly in the group that begins at `open`.
fn inner<'t>(
    tokens: &'t Tokens<'_, '_>,
    open: usize,
    end: usize,
) -> impl Iterator<Item = usize> + 't {
    tokens.outer(open + 1, end - 1)
}

/// Whether a comma stands among `from..to`, brackets being `from - 1` and `to`.
pub(super) fn has_comma(tokens: &Tokens<'_, '_>, from: usize, to: usize) -> bool {
    tokens.find(',', from, to) < to
}

/// Whether a colon of a slice stands among `from..to`, brackets being `from - 1` and `to`.
///
/// Paths and labels have colons of their own.
pub(super) fn has_slice(tokens: &Tokens<'_, '_>, from: usize, to: usize) -> bool {
    let mut path = false;
    tokens.outer(from, to).any(|at| {
        if !tokens.is(at, ':') || path || tokens.ends_label(at) {
            path = false;
            return false;
        }
        path =
            tokens.is_two_colons(at) && (tokens.word(at + 2).is_some() || tokens.is(at + 2, '<'));
        !path
    })
}

/// A call or a name of Python's at the beginning of an operand, and where it ends.
pub(super) fn python(
    tokens: &Tokens<'_, '_>,
    from: usize,
    end: usize,
) -> Option<(SyntaxError, usize)> {
    let error = python_error(tokens, from, end)?;
    // Its advice is only about the call: `np.int64(3) + 1`.
    let called = tokens.opens(from + 3, Delim::Paren);
    let to = match error {
        SyntaxError::PythonCall if called => tokens.after(from + 3),
        SyntaxError::PythonCall => from + 3,
        _ => end,
    };
    Some((error, to))
}

fn python_error(tokens: &Tokens<'_, '_>, from: usize, end: usize) -> Option<SyntaxError> {
    let word = tokens.word(from)?;
    if tokens.is_group(from + 1, end, Delim::Paren) {
        match word {
            "slice" | "Slice" => return Some(SyntaxError::SliceCall),
            "range" => return Some(SyntaxError::RangeCall),
            "list" | "array" | "asarray" | "arange" | "linspace" => {
                return Some(SyntaxError::ArrayCall);
            }
            "tuple" => return Some(SyntaxError::Tuple),
            "Axis" => return Some(SyntaxError::AxisCall),
            _ => {}
        }
    }
    if word == "vec" && tokens.is(from + 1, '!') && tokens.after(from + 2) == end {
        return Some(SyntaxError::ArrayCall);
    }
    if matches!(word, "s_" | "index_exp") && tokens.is_group(from + 1, end, Delim::Bracket) {
        return Some(SyntaxError::IndexTrick);
    }
    let module =
        matches!(word, "np" | "numpy" | "tf" | "torch" | "jnp" | "cp" | "paddle" | "mx" | "nd");
    if tokens.dots(from + 1) == 1
        && let Some(name) = tokens.word(from + 2)
    {
        let alone = from + 3 == end;
        return match name {
            "newaxis" | "NewAxis" if alone => Some(SyntaxError::OtherNewAxis),
            "s_" | "index_exp" if module && tokens.is_group(from + 3, end, Delim::Bracket) => {
                Some(SyntaxError::IndexTrick)
            }
            "int64" | "int32" | "int16" | "int8" | "uint8" | "intp" | "inf" | "nan" | "pi"
            | "argmax" | "argmin"
                if module =>
            {
                Some(SyntaxError::PythonCall)
            }
            "array" | "asarray" | "arange" | "where" | "nonzero" | "ix_" | "r_" | "c_"
            | "tensor" | "linspace"
                if module && !alone =>
            {
                Some(SyntaxError::ArrayCall)
            }
            _ => None,
        };
    }
    None
}
