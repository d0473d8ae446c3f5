//! Where an operand ends, and which `::` is no slice colon but part of a path.
//!
//! In `s![...]` every `:` belongs to the slice, so `n::2` is "every second from `n` on". A path such as
//! `usize::MAX` reads the same. It has to stand in parentheses; here it is recognised before it could be
//! misread as "from `usize` on, in steps of `MAX`".
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions are at most the number of tokens, and a few are added; before one is taken away, `at` was \
              advanced or compared"
)]

use super::slip::Slip;
use super::token::{Delim, Kind, Tokens};
use super::words;

/// The end of the operand that begins at `from`; with a slip if it is a path.
pub(super) fn operand_end(tokens: &Tokens<'_, '_>, from: usize) -> (usize, Option<Slip>) {
    let mut start = from;
    while ['-', '+', '!', '*', '&'].iter().any(|&c| tokens.is(start, c)) {
        start += 1;
    }
    // `<T as Trait>::N`
    if tokens.is(start, '<') {
        return (path_end(tokens, start), Some(Slip::Path));
    }
    let mut at = from;
    while at < tokens.len() && !tokens.is(at, ',') {
        if tokens.is(at, ':') {
            return match path(tokens, start, at) {
                Some(slip) => (path_end(tokens, at), Some(slip)),
                None => (at, None),
            };
        }
        at = tokens.after(at);
    }
    (at, None)
}

/// Whether the colons at `at` belong to a path, the operand having begun at `start`.
fn path(tokens: &Tokens<'_, '_>, start: usize, at: usize) -> Option<Slip> {
    if at == 0 || at <= start || !tokens.is_two_colons(at) {
        return None;
    }
    let left = tokens.word(at - 1)?;
    if tokens.is(at + 2, '<') {
        return Some(Slip::Path);
    }
    let right = tokens.word(at + 2)?;
    // `None::n`, `None::None`: nothing is inside `None`. Whether a path follows is seen from there on.
    if left == "None" {
        return None;
    }
    // `x.len::n`, `2 as usize::n`: not the beginning of a path.
    if at >= 2 && (tokens.is(at - 2, '.') || tokens.word(at - 2) == Some("as")) {
        return None;
    }
    let bound = matches!(right, "None" | "newaxis") && !words::is_type_or_root(left) && !words::is_camel(left);
    if words::is_expression_keyword(right) || bound {
        return None;
    }
    // `n::usize::MAX`: the path begins after the colons.
    if words::is_type_or_root(right) && tokens.is_two_colons(at + 3) && !words::is_type_or_root(left) {
        return None;
    }
    let called = tokens.opens(at + 3, Delim::Paren) || tokens.is(at + 3, '!');
    let goes_on = tokens.is_two_colons(at + 3) && !matches!(tokens.get(at + 5).map(|t| t.kind), Some(Kind::Number(_)));
    if words::is_type_or_root(left) || words::is_camel(left) || goes_on {
        Some(Slip::Path)
    } else if words::is_upper(left) {
        // A type parameter or a constant: `T::LEN`, `T::size()`, `N::STEP`.
        (words::is_upper(right) || words::is_camel(right) || called).then_some(Slip::PathOrStep)
    } else if called || words::is_camel(right) {
        Some(Slip::PathOrStep)
    } else {
        // `config::SIZE` is a path, `i::STEP` a slice: names of modules are seldom that short.
        (words::is_upper(right) && left.chars().count() > 2).then_some(Slip::PathOrStep)
    }
}

/// The end of a path whose first `::` or `<` is at `at`, with what is called on it.
fn path_end(tokens: &Tokens<'_, '_>, mut at: usize) -> usize {
    if tokens.is(at, '<') {
        at = angles_end(tokens, at);
    }
    while at < tokens.len() && !tokens.is(at, ',') {
        if tokens.is(at, ':') {
            if !tokens.is_two_colons(at) {
                break;
            }
            if tokens.is(at + 2, '<') {
                at = angles_end(tokens, at + 2);
            } else if tokens.word(at + 2).is_some() {
                at += 3;
            } else {
                break;
            }
        } else {
            at = tokens.after(at);
        }
    }
    at.min(tokens.len())
}

/// After the `>` that closes the `<` at `open`; just after that one if nothing closes it soon.
///
/// The limit keeps a long text of many open ones from taking quadratic time.
fn angles_end(tokens: &Tokens<'_, '_>, open: usize) -> usize {
    const LIMIT: usize = 500;
    let (mut at, mut depth) = (open, 0_usize);
    while at < tokens.len().min(open + LIMIT) {
        if tokens.is(at, '<') {
            depth += 1;
        } else if tokens.is(at, '>') {
            depth -= 1;
            if depth == 0 {
                return at + 1;
            }
        } else if tokens.is_joint(at, '-') && tokens.is(at + 1, '>') {
            at += 1;
        }
        at = tokens.after(at);
    }
    open + 1
}
