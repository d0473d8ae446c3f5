//! A list of tokens, walked group by group.

use super::token::{Delim, Kind, Span, Token};
use crate::messages::keywords;
use alloc::vec::Vec;

/// A list of tokens, with the partner of every bracket.
///
/// A group is what brackets enclose, but also the generics after `::` or at the beginning of a
/// value (`f::<A, B>()`, `<T as Trait>::N`), and the parameters of a closure (`|a, b: u8|`): commas
/// and colons inside them are not the slice's.
pub(super) struct Tokens<'t, 'a> {
    list: &'t [Token<'a>],
    /// For a token that opens a group, the position of the one that closes it. For others, their
    /// own.
    partner: Vec<usize>,
    /// The first bracket without a partner.
    pub(super) stray: Option<Span>,
}

impl<'t, 'a> Tokens<'t, 'a> {
    #[expect(clippy::indexing_slicing, reason = "only indices of tokens are kept")]
    #[inline]
    pub(super) fn new(list: &'t [Token<'a>]) -> Self {
        let partner = Vec::with_capacity(list.len());
        let mut tokens = Self { list, partner, stray: None };
        // What opened a group that is still open: brackets, `<` and `|`.
        let mut open: Vec<usize> = Vec::new();
        let mut stray = None;
        // Where an attribute has ended, in front of a value.
        let mut attribute = 0;
        // Whether the type after `as` is being read.
        let mut cast = false;
        // The second character of an operator is skipped.
        let mut from = 0;
        for (i, token) in list.iter().enumerate() {
            tokens.partner.push(i);
            let top = open.last().map(|&o| list[o].kind);
            let mut ends = false;
            match token.kind {
                Kind::Open(_) => open.push(i),
                Kind::Close(delim) => {
                    let mut opener = open.pop();
                    while let Some(o) = opener
                        && !matches!(list[o].kind, Kind::Open(_))
                    {
                        opener = open.pop();
                    }
                    match opener {
                        Some(o) if tokens.opens(o, delim) => {
                            tokens.partner[o] = i;
                            if o.checked_sub(1).is_some_and(|before| tokens.is(before, '#')) {
                                attribute = i;
                            }
                        }
                        Some(o) => stray = stray.or(Some(list[o].span)),
                        None => stray = stray.or(Some(token.span)),
                    }
                }
                Kind::Punct('<', joint) if i >= from => {
                    if cast || matches!(top, Some(Kind::Punct(..))) || tokens.begins_path(i) {
                        open.push(i);
                    } else if joint {
                        from = i.saturating_add(2);
                    }
                }
                Kind::Punct('>', _) => {
                    let arrow = i
                        .checked_sub(1)
                        .is_some_and(|i| tokens.is_joint(i, '-') || tokens.is_joint(i, '='));
                    ends = matches!(top, Some(Kind::Punct('<', _))) && !arrow;
                }
                Kind::Punct('|', joint) if i >= from => {
                    if let Some(Kind::Punct('|', _)) = top {
                        ends = true;
                    } else if tokens.begins_value(i) || i == attribute.saturating_add(1) {
                        open.push(i);
                    } else if joint {
                        from = i.saturating_add(2);
                    }
                }
                Kind::Punct(';', _) => {
                    while let Some(&o) = open.last()
                        && let Kind::Punct(..) = list[o].kind
                    {
                        open.pop();
                    }
                }
                _ => {}
            }
            cast = match token.kind {
                Kind::Word(word) => cast || word == "as",
                Kind::Punct(c, _) => cast && "&*:'".contains(c),
                _ => false,
            };
            if ends && let Some(o) = open.pop() {
                tokens.partner[o] = i;
            }
        }
        for &o in &open {
            if let Kind::Open(_) = list[o].kind {
                stray = stray.or(Some(list[o].span));
            }
        }
        tokens.stray = stray;
        tokens
    }

    /// Whether the `<` at `i` begins generics: after `::`, or where a value begins (and so `<T as
    /// Trait>::N`).
    #[inline]
    fn begins_path(&self, i: usize) -> bool {
        let after_colons = i.checked_sub(2).is_some_and(|colons| self.is_two_colons(colons));
        let at_most = self.is_joint(i, '<') && self.is(i.saturating_add(1), '=');
        after_colons || self.begins_value(i) && !at_most
    }

    /// Whether a value begins at `i`, by what stands before it.
    #[inline]
    pub(super) fn begins_value(&self, i: usize) -> bool {
        match i.checked_sub(1).and_then(|i| self.kind(i)) {
            None | Some(Kind::Open(_)) => true,
            Some(Kind::Punct(c, _)) => c != '?',
            Some(Kind::Word(word)) => keywords::is_before_value(word),
            Some(Kind::Number(_) | Kind::Text(_) | Kind::Char(_) | Kind::Close(_)) => false,
        }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    #[inline]
    pub(super) fn kind(&self, i: usize) -> Option<Kind<'a>> {
        #[cfg(test)]
        super::tests::LOOKS.with(|looks| looks.set(looks.get().saturating_add(1)));
        Some(self.list.get(i)?.kind)
    }

    /// The token after the one at `i`, a whole group being one.
    #[expect(clippy::arithmetic_side_effects, reason = "the index of a token")]
    #[inline]
    pub(super) fn after(&self, i: usize) -> usize {
        self.partner.get(i).map_or(self.len(), |p| p + 1)
    }

    /// Whether this character of punctuation stands here.
    #[inline]
    pub(super) fn is(&self, i: usize, c: char) -> bool {
        matches!(self.kind(i), Some(Kind::Punct(p, _)) if p == c)
    }

    /// Whether it stands here and touches the next token, which is punctuation too.
    #[inline]
    pub(super) fn is_joint(&self, i: usize, c: char) -> bool {
        matches!(self.kind(i), Some(Kind::Punct(p, true)) if p == c)
    }

    /// Whether an operator stands here that may stand in front of a value.
    #[inline]
    pub(super) fn is_prefix(&self, i: usize) -> bool {
        matches!(self.kind(i), Some(Kind::Punct('-' | '!' | '*' | '&', _)))
    }

    #[inline]
    pub(super) fn is_number(&self, i: usize) -> bool {
        matches!(self.kind(i), Some(Kind::Number(_)))
    }

    #[inline]
    pub(super) fn word(&self, i: usize) -> Option<&'a str> {
        match self.kind(i)? {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn opens(&self, i: usize, delim: Delim) -> bool {
        matches!(self.kind(i), Some(Kind::Open(d)) if d == delim)
    }

    /// Whether `i..end` is exactly one group of this kind.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "i opens a group here, so it is the index of a token"
    )]
    #[inline]
    pub(super) fn is_group(&self, i: usize, end: usize, delim: Delim) -> bool {
        self.opens(i, delim) && self.after(i) == end && end > i + 1
    }

    /// How many dots stand here that touch each other; 4 stands for more as well.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "i is the index of a token wherever n is above 0"
    )]
    #[inline]
    pub(super) fn dots(&self, i: usize) -> usize {
        let mut n = 0;
        while n < 4 && self.is(i + n, '.') {
            n += 1;
            if !self.is_joint(i + n - 1, '.') {
                break;
            }
        }
        n
    }

    /// Two colons that touch.
    #[expect(clippy::arithmetic_side_effects, reason = "i is the index of a token here")]
    #[inline]
    pub(super) fn is_two_colons(&self, i: usize) -> bool {
        self.is_joint(i, ':') && self.is(i + 1, ':')
    }

    /// Two colons and a name or generics, as in a path.
    #[expect(clippy::arithmetic_side_effects, reason = "i is the index of a token here")]
    #[inline]
    pub(super) fn goes_on(&self, i: usize) -> bool {
        self.is_two_colons(i) && (self.word(i + 2).is_some() || self.is(i + 2, '<'))
    }

    /// Whether the colon at `i` ends the label of a block, as in `'a: { break 'a 3 }`.
    #[inline]
    pub(super) fn ends_label(&self, i: usize) -> bool {
        i.checked_sub(2).is_some_and(|quote| {
            self.is_joint(quote, '\'') && self.word(quote.saturating_add(1)).is_some()
        })
    }

    /// The first place from `from` to `end` where this character stands outside of groups; `end` if
    /// there is none.
    #[inline]
    pub(super) fn find(&self, c: char, from: usize, end: usize) -> usize {
        let mut at = from;
        while at < end && !self.is(at, c) {
            at = self.after(at);
        }
        at.min(end)
    }

    /// The places of the tokens from `from` to `end`, a whole group being one.
    #[inline]
    pub(super) fn outer(&self, from: usize, end: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = from;
        core::iter::from_fn(move || {
            let here = at;
            at = self.after(at);
            (here < end).then_some(here)
        })
    }

    /// The span of the tokens `from..to`, which must not be empty; of the nearest token otherwise.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`from` is at most the number of tokens, the greater of the two is above 0, and \
                  an index is at most that of the last token"
    )]
    #[inline]
    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        let Some(last) = self.len().checked_sub(1) else { return Span::new(0, 0) };
        let to = to.max(from + 1) - 1;
        self.list[from.min(last)].span.to(self.list[to.min(last)].span)
    }
}
