//! Mistakes that concern a whole item, whatever its parts: another language's way to write a slice.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions are at most the number of tokens, and a few are added; before one is taken away, `at` was \
              advanced or compared"
)]

use super::slip::Slip;
use super::token::{Delim, Tokens};
use super::words;

/// What is wrong with the item `from..comma` as a whole.
pub(super) fn slip(tokens: &Tokens<'_, '_>, from: usize, comma: usize) -> Option<Slip> {
    let top = || {
        let mut at = from;
        core::iter::from_fn(move || {
            let here = at;
            at = tokens.after(at);
            (here < comma).then_some(here)
        })
    };
    if top().all(|at| tokens.is(at, '.')) && !(comma - from == 3 && tokens.dots(from) == 3) {
        return Some(if comma - from == 2 { Slip::TwoDots } else { Slip::Dots });
    }
    if tokens.word(from) == Some("lambda") && (tokens.word(from + 1).is_some() || tokens.is(from + 1, ':')) {
        return Some(Slip::Lambda);
    }
    if tokens.word(from).is_some() && is_single_equals(tokens, from + 1) {
        return Some(Slip::Keyword);
    }
    if tokens.word(from).is_some() && tokens.is_joint(from + 1, ':') && tokens.is(from + 2, '=') {
        return Some(Slip::Assignment);
    }
    if top().any(|at| two_dots(tokens, at)) {
        return Some(Slip::RustRange);
    }
    let grouped = tokens.is_group(from, comma, Delim::Paren) || tokens.is_group(from, comma, Delim::Brace);
    if grouped && inner(tokens, from, comma).any(|at| two_dots(tokens, at)) && !has_comma(tokens, from + 1, comma - 1) {
        return Some(Slip::RustRange);
    }
    // Where a colon stands beside it, it was meant as a bound.
    let beside = |at: usize| at > from && tokens.is(at - 1, ':') || tokens.is(at + 3, ':');
    if top().any(|at| {
        at > from && tokens.dots(at) == 3 && !tokens.is_joint(at - 1, '.') && !beside(at) && !signs(tokens, from, at)
    }) {
        return Some(Slip::EllipsisInside);
    }
    if top().any(|at| tokens.is(at, ';')) {
        return Some(Slip::Semicolon);
    }
    let paren = tokens.is_group(from, comma, Delim::Paren);
    if paren && (has_slice(tokens, from + 1, comma - 1) || inner(tokens, from, comma).any(|at| two_dots(tokens, at))) {
        return Some(Slip::ParenSlice);
    }
    // A block of Rust has no comma or colon of its own, but for these.
    let in_rust = |at| tokens.is(at, ';') || tokens.is(at, '|') || tokens.is(at, '<') || tokens.word(at) == Some("let");
    if tokens.is_group(from, comma, Delim::Brace)
        && (has_slice(tokens, from + 1, comma - 1) || has_comma(tokens, from + 1, comma - 1))
        && !inner(tokens, from, comma).any(in_rust)
    {
        return Some(Slip::Braces);
    }
    if tokens.is_group(from, comma, Delim::Bracket) {
        let nested = has_slice(tokens, from + 1, comma - 1)
            || inner(tokens, from, comma).any(|at| two_dots(tokens, at))
            || (from + 1..comma).any(|at| words::item(tokens, at).is_some() || tokens.word(at) == Some("None"));
        return Some(if nested { Slip::NestedBrackets } else { Slip::List });
    }
    None
}

/// `name =` as in a call of Python, but not `a == b` or `a => b`.
pub(super) fn is_single_equals(tokens: &Tokens<'_, '_>, at: usize) -> bool {
    tokens.is(at, '=') && !(tokens.is_joint(at, '=') && (tokens.is(at + 1, '=') || tokens.is(at + 1, '>')))
}

/// Two dots that begin here (and do not end a longer run).
fn two_dots(tokens: &Tokens<'_, '_>, at: usize) -> bool {
    tokens.dots(at) == 2 && !(at > 0 && tokens.is_joint(at - 1, '.'))
}

/// Whether only signs stand before `at`.
fn signs(tokens: &Tokens<'_, '_>, from: usize, at: usize) -> bool {
    (from..at).all(|i| tokens.is(i, '-') || tokens.is(i, '+'))
}

/// The tokens directly in the group that begins at `open`.
fn inner<'t>(tokens: &'t Tokens<'_, '_>, open: usize, end: usize) -> impl Iterator<Item = usize> + 't {
    let mut at = open + 1;
    core::iter::from_fn(move || {
        let here = at;
        at = tokens.after(at);
        (here + 1 < end).then_some(here)
    })
}

/// Whether a comma stands among `from..to`, outside of the parameters of closures.
pub(super) fn has_comma(tokens: &Tokens<'_, '_>, from: usize, to: usize) -> bool {
    let mut at = from;
    while at < to {
        if tokens.is(at, '|') {
            return false;
        }
        if tokens.is(at, ',') {
            return true;
        }
        at = tokens.after(at);
    }
    false
}

/// Whether a colon of a slice stands among `from..to`, brackets being `from - 1` and `to`.
///
/// Paths and the parameters of closures have colons of their own.
pub(super) fn has_slice(tokens: &Tokens<'_, '_>, from: usize, to: usize) -> bool {
    let mut at = from;
    while at < to {
        if tokens.is(at, '|') {
            return false;
        }
        if tokens.is_two_colons(at) {
            if tokens.word(at + 2).is_none() && !tokens.is(at + 2, '<') {
                return true;
            }
            at += 1;
        } else if tokens.is(at, ':') {
            return true;
        }
        at = tokens.after(at);
    }
    false
}
