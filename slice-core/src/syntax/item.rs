//! What a slice is made of: the items between its commas, and the operands between their colons.

use super::token::{Delim, Span};
use super::tokens::Tokens;
use crate::encoding::Entry;
use alloc::vec::Vec;

/// An operand: what stands where a number may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Nothing: a bound or a step left out.
    Absent,
    /// `None`, which means the same.
    None(Span),
    /// A number.
    Literal(i64, Span),
    /// `const { .. }`, `-const { .. }`: a value known to the compiler, though not to the macro.
    Const(Span),
    /// Any other expression, known at run time.
    Value(Span),
    /// One with a minus sign, or more of them, before a single value, as in `-n` and `(-x.len())`:
    /// integers of every type can have it, unsigned ones too.
    Signed(Span),
    /// One that begins with a minus sign before a single value, to which others are added, as in
    /// `-n - 1`.
    Sum(Span),
}

impl Operand {
    /// The number that is written here.
    #[inline]
    const fn known(self) -> Option<i64> {
        if let Self::Literal(value, _) = self { Some(value) } else { None }
    }

    /// Whether its value, or that there is none, is written here.
    #[inline]
    pub(super) const fn is_literal(self) -> bool {
        matches!(self, Self::Absent | Self::None(_) | Self::Literal(..))
    }

    /// Where it stands; `None` if it is absent.
    #[must_use]
    #[inline]
    pub const fn span(self) -> Option<Span> {
        match self {
            Self::Absent => None,
            Self::None(span)
            | Self::Literal(_, span)
            | Self::Const(span)
            | Self::Value(span)
            | Self::Signed(span)
            | Self::Sum(span) => Some(span),
        }
    }
}

/// One item of a slice, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A single value: takes an axis and drops it.
    Index(Operand),
    /// `start:stop:step`.
    Range {
        /// The first position.
        start: Operand,
        /// The position before which to stop.
        stop: Operand,
        /// The step.
        step: Operand,
    },
    /// `None` or `newaxis`.
    NewAxis,
    /// `...` or `Ellipsis`.
    Ellipsis,
}

impl Item {
    /// `:`
    pub(super) const FULL: Self =
        Self::Range { start: Operand::Absent, stop: Operand::Absent, step: Operand::Absent };

    /// The item without the values that are not known yet, for checking the rules.
    ///
    /// An unknown index counts as 0 and an unknown step as 1, which break no rule.
    #[must_use]
    #[inline]
    pub const fn entry(self) -> Entry {
        match self {
            Self::Index(Operand::Literal(index, _)) => Entry::Index(index),
            Self::Index(_) => Entry::Index(0),
            Self::Range { start, stop, step } => {
                let step = if let Operand::Literal(step, _) = step { step } else { 1 };
                Entry::Range { start: start.known(), stop: stop.known(), step }
            }
            Self::NewAxis => Entry::NewAxis,
            Self::Ellipsis => Entry::Ellipsis,
        }
    }
}

/// The items of a slice, each with the span of all its tokens.
pub type Items = Vec<(Item, Span)>;

/// What the items say as far as it is known.
#[inline]
pub(super) fn entries(items: &Items) -> Vec<Entry> {
    items.iter().map(|(item, _)| item.entry()).collect()
}

/// `...`, `Ellipsis`, `newaxis`, `np.newaxis`: an item that is one word, and the token after it.
///
/// `None` is not among them, because it may also be a bound.
#[expect(clippy::arithmetic_side_effects, reason = "positions of tokens, to which a few are added")]
#[inline]
pub(super) fn lone_item(tokens: &Tokens<'_, '_>, at: usize) -> Option<(Item, usize)> {
    if tokens.dots(at) == 3 {
        return Some((Item::Ellipsis, at + 3));
    }
    let (item, end) = match tokens.word(at)? {
        "Ellipsis" => (Item::Ellipsis, at + 1),
        "newaxis" => (Item::NewAxis, at + 1),
        "np" | "numpy" | "tf"
            if tokens.dots(at + 1) == 1 && tokens.word(at + 2) == Some("newaxis") =>
        {
            (Item::NewAxis, at + 3)
        }
        _ => return None,
    };
    // `Ellipsis.x` or `newaxis(1)` is a name of the user's.
    let part = tokens.dots(end) == 1 || tokens.opens(end, Delim::Paren);
    if part { None } else { Some((item, end)) }
}
