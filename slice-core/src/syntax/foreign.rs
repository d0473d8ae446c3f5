//! Finds another language's way to write a slice or a value.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions are at most the number of tokens, and a few are added; before one is \
              taken away, `at` was advanced or compared"
)]

use super::token::{Delim, Kind};
use super::tokens::Tokens;
use crate::messages::SyntaxError;

/// What is wrong with the item `from..comma` as a whole.
#[inline]
pub(super) fn error(tokens: &Tokens<'_, '_>, from: usize, comma: usize) -> Option<SyntaxError> {
    let count = comma - from;
    let word = tokens.word(from);
    // Where the value begins.
    let mut value = from;
    while tokens.is(value, '-') || tokens.is(value, '+') {
        value += 1;
    }
    let (mut dots, mut semicolons) = (0, 0);
    let (mut range, mut ellipsis, mut words) = (false, false, None);
    for at in tokens.outer(from, comma) {
        dots += usize::from(tokens.is(at, '.'));
        semicolons += usize::from(tokens.is(at, ';'));
        range |= tokens.dots(at) == 2 && !(at > 0 && tokens.is_joint(at - 1, '.'));
        // The first word between two values.
        let inside = at > from && at + 1 < comma;
        if inside && words.is_none() && !matches!(tokens.kind(at - 1), Some(Kind::Punct(..))) {
            words = tokens.word(at);
        }
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
    } else if matches!(words, Some("to" | "until" | "step" | "by")) {
        SyntaxError::WordRange
    } else {
        return None;
    })
}

/// `name =` as in a call of Python, but not `a == b` or `a => b`.
#[inline]
pub(super) fn is_keyword(tokens: &Tokens<'_, '_>, from: usize) -> bool {
    let at = from + 1;
    tokens.word(from).is_some()
        && tokens.is(at, '=')
        && !(tokens.is_joint(at, '=') && (tokens.is(at + 1, '=') || tokens.is(at + 1, '>')))
}

/// A call or a name of Python's at the beginning of an operand, and where it ends.
#[inline]
pub(super) fn python(
    tokens: &Tokens<'_, '_>,
    from: usize,
    end: usize,
) -> Option<(SyntaxError, usize)> {
    let word = tokens.word(from)?;
    let part = tokens.dots(from + 1) == 1;
    let module = part && MODULES.contains(&word);
    let at = if module { from + 2 } else { from };
    let (name, after) = (tokens.word(at)?, at + 1);
    let called = !module && tokens.is_group(after, end, Delim::Paren);
    let call = CALLS.iter().find(|(names, _)| called && names.contains(&name));
    let error = if let Some((_, error)) = call {
        *error
    } else if TRICKS.contains(&name) && tokens.is_group(after, end, Delim::Bracket) {
        SyntaxError::IndexTrick
    } else if module && FLOATS.contains(&name) {
        return Some((SyntaxError::PythonFloat, after));
    } else if module && NUMBERS.contains(&name) {
        // The advice is only about the call: `np.int64(3) + 1`.
        let called = tokens.opens(after, Delim::Paren);
        return Some((SyntaxError::PythonCall, if called { tokens.after(after) } else { after }));
    } else if module && after < end && ARRAYS.contains(&name)
        || name == "vec" && tokens.is(after, '!') && tokens.after(after + 1) == end
    {
        SyntaxError::ArrayCall
    } else if part && from + 3 == end && matches!(tokens.word(from + 2)?, "newaxis" | "NewAxis") {
        SyntaxError::OtherNewAxis
    } else {
        return None;
    };
    Some((error, end))
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
const MODULES: &[&str] = &["np", "numpy", "math", "tf", "torch", "jnp", "paddle"];

/// Names in them for a constant.
const FLOATS: &[&str] = &["inf", "nan", "pi", "e"];

/// Names in them for what gives a number.
const NUMBERS: &[&str] = &[
    "int64", "int32", "int16", "int8", "uint8", "intp", "argmax", "argmin", "abs", "floor", "ceil",
    "round", "trunc", "rint", "sqrt", "log2", "mod", "sign", "max", "min", "maximum", "minimum",
    "sum", "prod", "mean", "size", "shape", "ndim", "clip", "random",
];

/// Names in them for what gives an array.
const ARRAYS: &[&str] = &[
    "array",
    "asarray",
    "arange",
    "where",
    "nonzero",
    "flatnonzero",
    "argwhere",
    "argsort",
    "ix_",
    "r_",
    "c_",
    "tensor",
    "linspace",
    "isnan",
    "isfinite",
    "logical_not",
    "logical_and",
    "logical_or",
    "zeros",
    "ones",
    "full",
    "unique",
    "concatenate",
];
