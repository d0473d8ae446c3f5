//! Finds another language's way to write a slice or a value.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions are at most the number of tokens, and a few are added; before one is \
              taken away, `at` was advanced or compared"
)]

use super::error::SyntaxError;
use super::token::{Delim, Kind};
use super::tokens::Tokens;

/// What is wrong with the item `from..comma` as a whole.
pub(super) fn error(tokens: &Tokens<'_, '_>, from: usize, comma: usize) -> Option<SyntaxError> {
    let count = comma - from;
    let word = tokens.word(from);
    // Where the value begins.
    let mut value = from;
    while tokens.is(value, '-') || tokens.is(value, '+') {
        value += 1;
    }
    let (mut dots, mut semicolons) = (0, 0);
    let (mut range, mut words, mut ellipsis) = (false, false, false);
    for at in tokens.outer(from, comma) {
        dots += usize::from(tokens.is(at, '.'));
        semicolons += usize::from(tokens.is(at, ';'));
        range |= two_dots(tokens, at);
        let after_value = at > from && !matches!(tokens.kind(at - 1), Some(Kind::Punct(..)));
        let word = matches!(tokens.word(at), Some("to" | "until" | "step" | "by"));
        words |= word && after_value && at + 1 < comma;
        // If there is a colon next to it, it was meant as a bound.
        ellipsis |= at > value
            && tokens.dots(at) == 3
            && !tokens.is_joint(at - 1, '.')
            && !tokens.is(at - 1, ':')
            && !tokens.is(at + 3, ':');
    }
    // `if c: a else: b`
    let colon = tokens.find(':', from, comma);
    let single = colon < comma && !tokens.is_two_colons(colon);
    let block = || tokens.outer(from, colon).any(|at| tokens.opens(at, Delim::Brace));
    Some(if dots == count && !(count == 3 && tokens.dots(from) == 3) {
        if count == 2 { SyntaxError::TwoDots } else { SyntaxError::Dots }
    } else if word == Some("lambda")
        && (tokens.word(from + 1).is_some() || tokens.is(from + 1, ':'))
    {
        SyntaxError::Closure
    } else if word == Some("if") && single && !block() {
        SyntaxError::Conditional
    } else if is_keyword(tokens, from) {
        SyntaxError::Keyword
    } else if word.is_some() && tokens.is_joint(from + 1, ':') && tokens.is(from + 2, '=') {
        SyntaxError::Assignment
    } else if range {
        if semicolons > 0 { SyntaxError::NdarrayRange } else { SyntaxError::RustRange }
    } else if ellipsis {
        SyntaxError::EllipsisInside
    } else if semicolons > 0 {
        if semicolons == count { SyntaxError::LoneSemicolon } else { SyntaxError::Semicolon }
    } else if words {
        SyntaxError::WordRange
    } else {
        return None;
    })
}

/// `name =` as in a call of Python, but not `a == b` or `a => b`.
pub(super) fn is_keyword(tokens: &Tokens<'_, '_>, from: usize) -> bool {
    let at = from + 1;
    tokens.word(from).is_some()
        && tokens.is(at, '=')
        && !(tokens.is_joint(at, '=') && (tokens.is(at + 1, '=') || tokens.is(at + 1, '>')))
}

/// Two dots that begin here (and do not end a longer run).
fn two_dots(tokens: &Tokens<'_, '_>, at: usize) -> bool {
    tokens.dots(at) == 2 && !(at > 0 && tokens.is_joint(at - 1, '.'))
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
        for (names, error) in CALLS {
            if names.contains(&word) {
                return Some(*error);
            }
        }
    }
    if word == "vec" && tokens.is(from + 1, '!') && tokens.after(from + 2) == end {
        return Some(SyntaxError::ArrayCall);
    }
    if TRICKS.contains(&word) && tokens.is_group(from + 1, end, Delim::Bracket) {
        return Some(SyntaxError::IndexTrick);
    }
    if tokens.dots(from + 1) != 1 {
        return None;
    }
    let name = tokens.word(from + 2)?;
    let alone = from + 3 == end;
    if alone && (name == "newaxis" || name == "NewAxis") {
        return Some(SyntaxError::OtherNewAxis);
    }
    if !MODULES.contains(&word) {
        return None;
    }
    if TRICKS.contains(&name) && tokens.is_group(from + 3, end, Delim::Bracket) {
        return Some(SyntaxError::IndexTrick);
    }
    if NUMBERS.contains(&name) {
        return Some(SyntaxError::PythonCall);
    }
    (!alone && ARRAYS.contains(&name)).then_some(SyntaxError::ArrayCall)
}

/// What is called by its bare name.
const CALLS: &[(&[&str], SyntaxError)] = &[
    (&["slice", "Slice"], SyntaxError::SliceCall),
    (&["range"], SyntaxError::RangeCall),
    (&["list", "array", "asarray", "arange", "linspace"], SyntaxError::ArrayCall),
    (&["tuple"], SyntaxError::Tuple),
    (&["Axis"], SyntaxError::AxisCall),
];

/// NumPy's objects that turn brackets into an index.
const TRICKS: &[&str] = &["s_", "index_exp"];

/// The modules of Python that have the names below.
const MODULES: &[&str] = &["np", "numpy", "tf", "torch", "jnp", "paddle"];

/// Names in them for a number, or for what gives one.
const NUMBERS: &[&str] =
    &["int64", "int32", "int16", "int8", "uint8", "intp", "inf", "nan", "pi", "argmax", "argmin"];

/// Names in them for what gives an array.
const ARRAYS: &[&str] =
    &["array", "asarray", "arange", "where", "nonzero", "ix_", "r_", "c_", "tensor", "linspace"];
