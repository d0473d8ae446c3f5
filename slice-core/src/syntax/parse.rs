//! Reads items from tokens: what stands between commas, and between colons.

use super::item::{Item, Items, Operand, lone_item};
use super::mistake::Mistake;
use super::token::{Delim, Span, Token};
use super::tokens::Tokens;
use super::{foreign, operand, operand_end};
use crate::encoding::{Encoded, MAX_ENTRIES, Masks};
use crate::error::SliceError;
use crate::messages::SyntaxError;
use alloc::vec::Vec;

/// Reads the tokens of a whole slice, without the brackets around it.
///
/// With `literals_only`, values known at run time are mistakes too: a text cannot have them.
///
/// # Errors
///
/// All mistakes, in their order in the text. There is at least one.
#[inline]
pub fn parse(tokens: &[Token<'_>], literals_only: bool) -> Result<Items, Vec<Mistake>> {
    let mut parser = Parser { tokens: Tokens::new(tokens), mistakes: Vec::new(), literals_only };
    if let Some(span) = parser.tokens.stray {
        return Err(alloc::vec![Mistake::syntax(SyntaxError::Unbalanced, span)]);
    }
    let mut items = Items::new();
    // Python's `x[()]`: an empty tuple, and nothing else, is the empty index.
    if !(tokens.len() == 2 && parser.tokens.opens(0, Delim::Paren)) {
        parser.list(&mut items);
    }
    parser.rules(&items);
    parser.lists();
    if parser.mistakes.is_empty() { Ok(items) } else { Err(parser.mistakes) }
}

/// The parser: the tokens, and the mistakes found so far.
struct Parser<'t, 'a> {
    tokens: Tokens<'t, 'a>,
    mistakes: Vec<Mistake>,
    literals_only: bool,
}

impl Parser<'_, '_> {
    /// Records a mistake.
    #[inline]
    fn note(&mut self, mistake: Mistake) {
        Mistake { in_text: self.literals_only, ..mistake }.put(&mut self.mistakes);
    }

    /// Records a mistake in the tokens `from..to`.
    #[inline]
    fn wrong<T>(&mut self, error: SyntaxError, from: usize, to: usize) -> Option<T> {
        self.note(Mistake::syntax(error, self.tokens.span(from, to)));
        None
    }

    /// All items; a whole axis stands for a mistaken one, so that those after it keep their number.
    #[expect(clippy::arithmetic_side_effects, reason = "at is below the number of tokens")]
    #[inline]
    fn list(&mut self, items: &mut Items) {
        let mut at = 0;
        while at < self.tokens.len() {
            if self.tokens.is(at, ',') {
                let from = at;
                while self.tokens.is(at, ',') {
                    at += 1;
                }
                self.wrong::<Item>(SyntaxError::LoneComma, from, at);
                continue;
            }
            // An item ends at its comma even if it is mistaken, so each token is read once.
            let comma = self.item_end(at);
            let item = self.item(at, comma).unwrap_or(Item::FULL);
            items.push((item, self.tokens.span(at, comma)));
            at = comma + 1;
        }
    }

    /// The comma after the item that begins here. Keyword arguments that follow each other are one
    /// item: `start=1, stop=4` are the bounds of one slice.
    #[expect(clippy::arithmetic_side_effects, reason = "end is below the number of tokens")]
    #[inline]
    fn item_end(&self, at: usize) -> usize {
        let tokens = &self.tokens;
        let end = |at| tokens.find(',', at, tokens.len());
        let mut comma = end(at);
        if foreign::is_keyword(tokens, at) {
            while comma + 1 < tokens.len() && foreign::is_keyword(tokens, comma + 1) {
                comma = end(comma + 1);
            }
        }
        comma
    }

    /// The item `from..comma`, which is not empty: Rust's mistakes first, and then other
    /// languages'.
    #[expect(clippy::arithmetic_side_effects, reason = "at is below the number of tokens")]
    #[inline]
    fn item(&mut self, from: usize, comma: usize) -> Option<Item> {
        if let Some((item, end)) = lone_item(&self.tokens, from) {
            if end == comma {
                return Some(item);
            } else if let Some(error) = foreign::error(&self.tokens, from, comma) {
                return self.wrong(error, from, comma);
            } else if item == Item::NewAxis && self.tokens.is(end, ':') {
                return self.wrong(SyntaxError::EntryAsBound, from, end);
            }
            return self.wrong(SyntaxError::SideBySide, from, comma);
        }
        let found = self.mistakes.len();
        let (first, mut at) = self.operand(from, comma, true);
        let (lone, mut parts) =
            (at == comma, [first, Some(Operand::Absent), Some(Operand::Absent)]);
        for part in &mut parts[1..] {
            if at < comma {
                (*part, at) = self.operand(at + 1, comma, false);
            }
        }
        if at < comma {
            let path = operand_end::any_path(&self.tokens, from, comma);
            let (error, from, to) = path
                .map_or((SyntaxError::TooManyColons, at, comma), |(from, to)| {
                    (SyntaxError::Path, from, to)
                });
            self.wrong::<Item>(error, from, to);
        }
        if self.mistakes.len() > found
            && let Some(error) = foreign::error(&self.tokens, from, comma)
        {
            self.mistakes.truncate(found);
            return self.wrong(error, from, comma);
        }
        let [first, stop, step] = parts;
        match first? {
            _ if self.mistakes.len() > found => None,
            Operand::Literal(i64::MAX, _) if lone => {
                self.wrong(SyntaxError::IndexTooBig, from, comma)
            }
            Operand::None(_) if lone => Some(Item::NewAxis),
            index if lone => Some(Item::Index(index)),
            start => Some(Item::Range { start, stop: stop?, step: step? }),
        }
    }

    /// What stands from `from` to the next colon of the item, which ends at `comma`; and where that
    /// colon or comma is.
    #[inline]
    fn operand(&mut self, from: usize, comma: usize, first: bool) -> (Option<Operand>, usize) {
        let (end, path) = operand_end::operand_end(&self.tokens, from, comma);
        if let Some(error) = path {
            // After a colon, two more would be too many.
            let error =
                if !first && error == SyntaxError::PathOrStep { SyntaxError::Path } else { error };
            return (self.wrong(error, from, end), self.tokens.find(':', end, comma));
        }
        if from == end {
            return (Some(Operand::Absent), end);
        }
        let operand = match operand::read(&self.tokens, from, end) {
            Ok(operand) if self.literals_only && !operand.is_literal() => {
                self.wrong(SyntaxError::NotLiteral, from, end)
            }
            Ok(operand) => Some(operand),
            Err((error, span)) => {
                let whole = first && end == comma && span == self.tokens.span(from, end);
                let error = match error {
                    // Their advice is a whole entry.
                    SyntaxError::List
                    | SyntaxError::Tuple
                    | SyntaxError::BracketedSlice
                    | SyntaxError::RustRange
                    | SyntaxError::SliceCall
                    | SyntaxError::RangeCall
                    | SyntaxError::IndexTrick
                        if !whole =>
                    {
                        SyntaxError::NotOneNumber
                    }
                    SyntaxError::SlicedArray if !whole => SyntaxError::NestedSlice,
                    // What is quoted may be a slice.
                    SyntaxError::QuotedSlice if !whole => SyntaxError::Text,
                    error => error,
                };
                self.note(Mistake::syntax(error, span));
                None
            }
        };
        (operand, end)
    }

    /// Several lists are not one slice each: NumPy takes their positions in pairs.
    #[inline]
    fn lists(&mut self) {
        let is_list = |mistake: &Mistake| mistake.syntax_error() == Some(SyntaxError::List);
        if self.mistakes.iter().filter(|mistake| is_list(mistake)).count() > 1 {
            for mistake in self.mistakes.iter_mut().filter(|mistake| is_list(mistake)) {
                *mistake = Mistake {
                    in_text: mistake.in_text,
                    ..Mistake::syntax(SyntaxError::Lists, mistake.span)
                };
            }
        }
    }

    /// Checks the items against the rules that every slice obeys, wherever it comes from.
    #[inline]
    fn rules(&mut self, items: &[(Item, Span)]) {
        if let (Some((_, first)), Some((_, last))) = (items.get(MAX_ENTRIES), items.last()) {
            let error = SliceError::TooLong { entries: items.len() };
            self.note(Mistake::rule(error, first.to(*last)));
        }
        let mut masks = Masks::default();
        for (at, &(item, span)) in items.iter().take(MAX_ENTRIES).enumerate() {
            match Encoded::of(item.entry(), at, masks) {
                Ok(encoded) => masks = encoded.masks,
                Err(error) => {
                    // The only mistake that a range can have is its step.
                    let span = match item {
                        Item::Range { step, .. } => step.span().unwrap_or(span),
                        _ => span,
                    };
                    self.note(Mistake::rule(error, span));
                }
            }
        }
    }
}
