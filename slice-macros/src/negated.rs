//! Finds `-n`: a minus sign before a single value.

use proc_macro2::{Delimiter, TokenTree};

/// The value, if the tokens are a `-` before a single one: a name or a path, a call, something in
/// brackets, an `if` or a `match`, with the fields, methods, indices and `?` after it, and with `*`
/// before it.
///
/// A longer calculation (`-n - 1`) is left to the compiler, and so is a single literal: `(-128_i8)`
/// fits, 128 does not.
pub(crate) fn negated(trees: &[TokenTree]) -> Option<&[TokenTree]> {
    let (TokenTree::Punct(minus), value) = trees.split_first()? else { return None };
    (minus.as_char() == '-' && is_primary(value)).then_some(value)
}

fn is_primary(trees: &[TokenTree]) -> bool {
    let is =
        |at: usize, c: char| matches!(trees.get(at), Some(TokenTree::Punct(p)) if p.as_char() == c);
    if is(0, '*') {
        return is_primary(trees.get(1..).unwrap_or_default());
    }
    let mut at = match trees.first() {
        Some(TokenTree::Ident(word)) if word == "if" => match branches(trees) {
            Some(end) => end,
            None => return false,
        },
        Some(TokenTree::Ident(word)) if ["match", "unsafe", "loop"].iter().any(|w| word == w) => {
            match block(trees) {
                Some(end) => end,
                None => return false,
            }
        }
        Some(TokenTree::Ident(_))
            if is(1, '!') && matches!(trees.get(2), Some(TokenTree::Group(_))) =>
        {
            3
        }
        Some(TokenTree::Ident(_)) => {
            let mut end = 1;
            while is(end, ':')
                && is(end + 1, ':')
                && matches!(trees.get(end + 2), Some(TokenTree::Ident(_)))
            {
                end += 3;
            }
            end
        }
        Some(TokenTree::Literal(_)) if trees.len() > 1 => 1,
        Some(TokenTree::Group(group)) if group.delimiter() != Delimiter::Bracket => 1,
        _ => return false,
    };
    while let Some(tree) = trees.get(at) {
        at += match tree {
            TokenTree::Punct(_) if is(at, '?') => 1,
            TokenTree::Punct(_) if is(at, '.') => match trees.get(at + 1) {
                Some(TokenTree::Ident(_) | TokenTree::Literal(_)) => 2,
                _ => return false,
            },
            TokenTree::Group(group)
                if matches!(group.delimiter(), Delimiter::Parenthesis | Delimiter::Bracket) =>
            {
                1
            }
            _ => return false,
        };
    }
    true
}

/// The tokens after the first group in braces.
fn block(trees: &[TokenTree]) -> Option<usize> {
    let brace =
        |tree: &TokenTree| matches!(tree, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
    trees.iter().position(brace).map(|at| at + 1)
}

/// The tokens after `if .. { } else if .. { } else { }`.
fn branches(trees: &[TokenTree]) -> Option<usize> {
    let mut at = block(trees)?;
    while matches!(trees.get(at), Some(TokenTree::Ident(word)) if word == "else") {
        at += block(trees.get(at..)?)?;
    }
    Some(at)
}
