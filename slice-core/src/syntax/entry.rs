//! From tokens to items: what stands between the commas and between the colons.

use super::slip::{Mistake, Slip};
use super::token::{Delim, Span, Token, Tokens};
use super::{angle, operand, whole, words};
use crate::error::SliceError;
use crate::spec::{Encoded, Entry, MAX_ENTRIES, Masks};
use alloc::vec::Vec;

/// What stands where a number may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Nothing: a bound or a step left out.
    Absent,
    /// `None`, which means the same.
    None(Span),
    /// A number.
    Literal(i64, Span),
    /// `const { .. }`: a value known to the compiler, though not to us.
    Const(Span),
    /// Any other expression, known at run time.
    Value(Span),
}

impl Operand {
    /// Where it stands; nowhere if it is absent.
    #[must_use]
    pub const fn span(self) -> Option<Span> {
        match self {
            Self::Absent => None,
            Self::None(span) | Self::Literal(_, span) | Self::Const(span) | Self::Value(span) => Some(span),
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
        /// How far to go each time.
        step: Operand,
    },
    /// `None` or `newaxis`.
    NewAxis,
    /// `...` or `Ellipsis`.
    Ellipsis,
}

impl Item {
    /// The item with every value that is not known yet left out: what the rules need to see.
    ///
    /// An unknown index counts as 0 and an unknown step as 1, which break no rule.
    #[must_use]
    pub const fn entry(self) -> Entry {
        const fn known(operand: Operand) -> Option<i64> {
            match operand {
                Operand::Literal(value, _) => Some(value),
                _ => None,
            }
        }
        const fn or(value: Option<i64>, default: i64) -> i64 {
            match value {
                Some(value) => value,
                None => default,
            }
        }
        match self {
            Self::Index(operand) => Entry::Index(or(known(operand), 0)),
            Self::Range { start, stop, step } => {
                Entry::Range { start: known(start), stop: known(stop), step: or(known(step), 1) }
            }
            Self::NewAxis => Entry::NewAxis,
            Self::Ellipsis => Entry::Ellipsis,
        }
    }
}

/// The items of a slice, each with the span of all its tokens.
pub type Items = Vec<(Item, Span)>;

/// Reads the tokens of a whole slice, without the brackets around it.
///
/// With `literals_only`, values known at run time are mistakes too: a text has none.
///
/// # Errors
///
/// All mistakes, in the order in which they stand. There is at least one.
pub fn parse(tokens: &[Token<'_>], literals_only: bool) -> Result<Items, Vec<Mistake>> {
    let mut parser = Parser { tokens: Tokens::new(tokens), mistakes: Vec::new(), literals_only };
    if let Some(span) = parser.tokens.stray {
        return Err(alloc::vec![Mistake::slip(Slip::Unbalanced, span)]);
    }
    let mut items = Vec::new();
    // Python's `x[()]`: an empty tuple, and nothing else, is the empty index.
    if !(tokens.len() == 2 && parser.tokens.opens(0, Delim::Paren)) {
        parser.list(&mut items);
    }
    parser.rules(&items);
    let Parser { mut mistakes, .. } = parser;
    let read: Option<Items> = items.into_iter().map(|(item, span)| item.map(|item| (item, span))).collect();
    match read {
        Some(items) if mistakes.is_empty() => Ok(items),
        _ => {
            mistakes.sort_by_key(|m| (m.span.first, m.span.last));
            Err(mistakes)
        }
    }
}

/// The parser: the tokens, and the mistakes found so far.
struct Parser<'t, 'a> {
    tokens: Tokens<'t, 'a>,
    mistakes: Vec<Mistake>,
    literals_only: bool,
}

/// What was read (`None`: a mistake, noted), and the token after it.
type Read<T> = (Option<T>, usize);

impl Parser<'_, '_> {
    /// Notes a mistake in the tokens `from..to`.
    fn slip<T>(&mut self, slip: Slip, from: usize, to: usize) -> Option<T> {
        self.mistakes.push(Mistake::slip(slip, self.tokens.span(from, to)));
        None
    }

    /// All items; a mistaken one is `None`, so that those after it keep their number.
    #[expect(clippy::arithmetic_side_effects, reason = "at is below the number of tokens")]
    fn list(&mut self, items: &mut Vec<(Option<Item>, Span)>) {
        let mut at = 0;
        while at < self.tokens.len() {
            if self.tokens.is(at, ',') {
                let from = at;
                while self.tokens.is(at, ',') {
                    at += 1;
                }
                self.slip::<()>(Slip::LoneComma, from, at);
                continue;
            }
            let (item, end) = self.item(at);
            items.push((item, self.tokens.span(at, end)));
            // What ends an item is a comma, or there are no more tokens.
            at = end + 1;
        }
    }

    /// The item that begins at `from`, where no comma stands.
    #[expect(clippy::arithmetic_side_effects, reason = "at is below the number of tokens")]
    fn item(&mut self, from: usize) -> Read<Item> {
        let comma = self.comma(from);
        if let Some(slip) = whole::slip(&self.tokens, from, comma) {
            return (self.slip(slip, from, comma), comma);
        }
        if let Some((item, end)) = words::item(&self.tokens, from) {
            return if end == comma {
                (Some(item), comma)
            } else if self.tokens.is(end, ':') {
                let slip = if item == Item::Ellipsis { Slip::EllipsisAsBound } else { Slip::NewAxisAsBound };
                (self.slip(slip, from, end), comma)
            } else {
                (self.slip(Slip::SideBySide, from, comma), comma)
            };
        }
        let (first, mut at) = self.operand(from);
        if !self.tokens.is(at, ':') {
            if let Some(Operand::Literal(i64::MAX, _)) = first {
                return (self.slip(Slip::IndexTooBig, from, at), at);
            }
            let item = first.map(|operand| match operand {
                Operand::None(_) => Item::NewAxis,
                operand => Item::Index(operand),
            });
            return (item, at);
        }
        let mut parts = [first, Some(Operand::Absent), Some(Operand::Absent)];
        for part in &mut parts[1..] {
            if self.tokens.is(at, ':') {
                (*part, at) = self.operand(at + 1);
            }
        }
        if self.tokens.is(at, ':') {
            let end = self.comma(at);
            return (self.slip(Slip::TooManyColons, at, end), end);
        }
        let [start, stop, step] = parts;
        let item = start.zip(stop).zip(step).map(|((start, stop), step)| Item::Range { start, stop, step });
        (item, at)
    }

    /// The next comma from `at` on, or the end.
    fn comma(&self, mut at: usize) -> usize {
        while at < self.tokens.len() && !self.tokens.is(at, ',') {
            at = self.tokens.after(at);
        }
        at
    }

    /// What stands between two colons, or a colon and a comma.
    fn operand(&mut self, from: usize) -> Read<Operand> {
        let (end, path) = angle::operand_end(&self.tokens, from);
        if let Some(slip) = path {
            return (self.slip(slip, from, end), end);
        }
        if from == end {
            return (Some(Operand::Absent), end);
        }
        match operand::read(&self.tokens, from, end) {
            Ok(Operand::Value(_) | Operand::Const(_)) if self.literals_only => {
                (self.slip(Slip::NotLiteral, from, end), end)
            }
            Ok(operand) => (Some(operand), end),
            Err(Wrong { slip, from, to }) => (self.slip(slip, from, to), end.max(to)),
        }
    }

    /// Holds the items against the rules that every slice obeys, wherever it comes from.
    #[expect(clippy::indexing_slicing, reason = "there are more items than MAX_ENTRIES")]
    fn rules(&mut self, items: &[(Option<Item>, Span)]) {
        if let Some(&(_, last)) = items.last().filter(|_| items.len() > MAX_ENTRIES) {
            let error = SliceError::TooLong { entries: items.len() };
            self.mistakes.push(Mistake::rule(error, items[MAX_ENTRIES].1.to(last)));
        }
        let mut masks = Masks::default();
        for (at, &(item, span)) in items.iter().take(MAX_ENTRIES).enumerate() {
            // A mistaken item still takes its place.
            match Encoded::of(item.map_or(Entry::FULL, Item::entry), at, masks) {
                Ok(encoded) => masks = encoded.masks,
                Err(error) => {
                    let span = match (error, item) {
                        (SliceError::ZeroStep { .. }, Some(Item::Range { step, .. })) => step.span().unwrap_or(span),
                        _ => span,
                    };
                    self.mistakes.push(Mistake::rule(error, span));
                }
            }
        }
    }
}

/// A mistake in the tokens `from..to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) slip: Slip,
    pub(super) from: usize,
    pub(super) to: usize,
}
