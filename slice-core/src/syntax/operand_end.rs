//! Finds where an operand ends, and which `::` is part of a path and not two colons of a slice.
//!
//! In `s![...]` every `:` belongs to the slice, so `n::2` is "every second from `n` on". A path
//! such as `usize::MAX` looks the same. It has to stand in parentheses; here it is recognised
//! before it could be misread as "from `usize` on, in steps of `MAX`".
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions are at most the number of tokens, and a few are added; before one is \
              taken away, `at` was advanced or compared"
)]

use super::token::Delim;
use super::tokens::Tokens;
use crate::messages::SyntaxError;
use crate::messages::keywords;

/// The end of the operand that begins at `from`, in an item that ends at `comma`; with an error if
/// it is a path.
#[inline]
pub(super) fn operand_end(
    tokens: &Tokens<'_, '_>,
    from: usize,
    comma: usize,
) -> (usize, Option<SyntaxError>) {
    let mut start = from;
    while start < comma && (tokens.is(start, '+') || tokens.is_prefix(start)) {
        start += 1;
    }
    // `<T as Trait>::N`
    let closed = tokens.after(start);
    if start < comma && tokens.is(start, '<') && tokens.is_two_colons(closed) {
        return (path_end(tokens, closed, comma), Some(SyntaxError::Path));
    }
    let mut at = from;
    while at < comma {
        if tokens.is(at, ':') && !tokens.ends_label(at) {
            // `usize:MAX` was meant to be a path.
            if at == start + 1
                && !tokens.is_two_colons(at)
                && tokens.word(start).is_some_and(keywords::is_type_name)
            {
                let is_part = |word| !keywords::is_expression_keyword(word) && word != "None";
                let path = tokens.word(at + 1).is_some_and(is_part);
                return (if path { at + 2 } else { at }, Some(SyntaxError::TypeName));
            }
            let error = if in_head(tokens, from, at) && is_path(tokens, at) {
                Some(SyntaxError::Path)
            } else {
                path(tokens, start, at)
            };
            return match error {
                Some(error) => (path_end(tokens, at, comma), Some(error)),
                None => (at, None),
            };
        }
        at = tokens.after(at);
    }
    (comma, None)
}

/// Whether `at` stands between `if`, `match`, `while` or `for` and the block, where no slice is.
#[inline]
fn in_head(tokens: &Tokens<'_, '_>, from: usize, at: usize) -> bool {
    tokens.outer(from, at).fold(false, |head, at| match tokens.word(at) {
        Some("if" | "match" | "while" | "for") => head || tokens.begins_value(at),
        Some(_) => head,
        None => head && !tokens.opens(at, Delim::Brace),
    })
}

/// Whether names stand on both sides of the two colons at `at`.
#[inline]
fn is_path(tokens: &Tokens<'_, '_>, at: usize) -> bool {
    at > 0 && tokens.word(at - 1).is_some() && tokens.goes_on(at)
}

/// Whether the colons at `at` belong to a path, the operand having begun at `start`.
#[inline]
fn path(tokens: &Tokens<'_, '_>, start: usize, at: usize) -> Option<SyntaxError> {
    if at == 0 || at <= start || !tokens.is_two_colons(at) {
        return None;
    }
    let left = tokens.word(at - 1)?;
    if tokens.is(at + 2, '<') {
        return Some(SyntaxError::Path);
    }
    let right = tokens.word(at + 2)?;
    // `None::n`, `None::None`: there is nothing inside `None`, so a path can only follow these
    // colons.
    if left == "None" {
        return None;
    }
    // `x.len::n`: not the beginning of a path.
    if at >= 2 && tokens.is(at - 2, '.') {
        return None;
    }
    // `2 as usize::n` is not a path, but `2 as module::Type`, `2 as T::Type`.
    if at >= 2 && tokens.word(at - 2) == Some("as") {
        let module = keywords::is_type_or_root(left) || keywords::is_lower(left);
        let path = !keywords::is_primitive(left) && (module || keywords::is_camel(right));
        return path.then_some(SyntaxError::Path);
    }
    // Of the names for a new axis, only `None` may be a step.
    if matches!(right, "newaxis" | "NewAxis") {
        return Some(SyntaxError::Path);
    }
    let bound = right == "None" && !keywords::is_type_or_root(left) && !keywords::is_camel(left);
    if keywords::is_expression_keyword(right) || bound {
        return None;
    }
    // `n::usize::MAX`: the path begins after the colons.
    if keywords::is_type_or_root(right)
        && tokens.is_two_colons(at + 3)
        && !keywords::is_type_or_root(left)
    {
        return None;
    }
    let called = tokens.opens(at + 3, Delim::Paren) || tokens.is(at + 3, '!');
    let goes_on = tokens.is_two_colons(at + 3) && !tokens.is_number(at + 5);
    if keywords::is_type_or_root(left) || keywords::is_camel(left) || goes_on {
        Some(SyntaxError::Path)
    } else if keywords::is_upper(left) {
        // A type parameter or a constant: `T::LEN`, `T::size()`, `N::STEP`.
        (keywords::is_upper(right) || keywords::is_camel(right) || called)
            .then_some(SyntaxError::PathOrStep)
    } else if called || keywords::is_camel(right) {
        Some(SyntaxError::PathOrStep)
    } else {
        // `config::SIZE` is a path, `i::STEP` a slice: names of modules are seldom that short.
        (keywords::is_upper(right) && left.chars().count() > 2).then_some(SyntaxError::PathOrStep)
    }
}

/// The first two words of `from..comma` with two colons between them, and what belongs to that
/// path. Where an item has too many colons, it can be nothing else.
#[inline]
pub(super) fn any_path(
    tokens: &Tokens<'_, '_>,
    from: usize,
    comma: usize,
) -> Option<(usize, usize)> {
    let is_name = |at: usize| {
        let word = tokens.word(at).filter(|&word| word != "None");
        at < comma && word.is_some_and(|word| !keywords::is_expression_keyword(word))
    };
    // `x.len::n`, `2 as usize::n`
    let begins =
        |at: usize| at == from || !(tokens.is(at - 1, '.') || tokens.word(at - 1) == Some("as"));
    let is_path =
        |&at: &usize| tokens.is_two_colons(at + 1) && is_name(at) && is_name(at + 3) && begins(at);
    tokens.outer(from, comma).find(is_path).map(|at| (at, path_end(tokens, at + 1, comma)))
}

/// The end of a path whose first `::` is at `at`, including what is called on it.
#[inline]
fn path_end(tokens: &Tokens<'_, '_>, mut at: usize, comma: usize) -> usize {
    while at < comma {
        if !tokens.is(at, ':') {
            at = tokens.after(at);
        } else if tokens.goes_on(at) {
            at = tokens.after(at + 2);
        } else {
            break;
        }
    }
    at.min(comma)
}
