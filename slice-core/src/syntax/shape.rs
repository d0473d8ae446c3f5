//! The grammar of `plan!`: a shape, a semicolon, a slice, and optionally `; strict`. If everything
//! is literal, the plan is made here too.

use super::item::{Item, Items, Operand, entries};
use super::mistake::Mistake;
use super::parse::parse;
use super::token::{Delim, Kind, Span, Token};
use super::tokens::Tokens;
use super::{expression, operand};
use crate::encoding::{Entry, SpecBuf};
use crate::error::SliceError;
use crate::messages::{SyntaxError, keywords};
use alloc::vec::Vec;

/// The shape in front of a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `[4, N, 8]`: one length for each axis; `None` for one that is not a literal.
    Lengths(Vec<Option<usize>>, Span),
    /// Any other constant of type `[usize; N]`.
    Constant(Span),
}

/// The contents of a `plan!`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanCall {
    /// The shape.
    pub shape: Shape,
    /// The slice.
    pub items: Items,
    /// Whether `; strict` follows the slice.
    pub strict: bool,
}

/// Reads `shape; slice` or `shape; slice; strict`, the tokens of a `plan!`, and checks the slice
/// against the shape as far as both are literal.
///
/// # Errors
///
/// All mistakes, in their order in the text. There is at least one.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "`semicolon` is the index of a token"
)]
#[inline]
pub fn parse_plan(tokens: &[Token<'_>]) -> Result<PlanCall, Vec<Mistake>> {
    let all = Tokens::new(tokens);
    if let Some(span) = all.stray {
        return Err(alloc::vec![Mistake::syntax(SyntaxError::Unbalanced, span)]);
    }
    let semicolon = all.find(';', 0, all.len());
    if semicolon == all.len() {
        // Where the shape ends, if the first tokens are one.
        let mut after = all.after(0);
        while all.is_two_colons(after) && all.word(after + 2).is_some() {
            after += 3;
        }
        let begins =
            all.opens(0, Delim::Bracket) || all.word(0).is_some_and(|w| !keywords::is_lower(w));
        let (error, from, to) = match all.kind(after) {
            Some(Kind::Punct(',' | ':', _)) if begins => {
                (SyntaxError::CommaAfterShape, after, after + 1)
            }
            Some(_) if begins => (SyntaxError::NoSemicolon, 0, after),
            None if all.opens(0, Delim::Bracket) => (SyntaxError::NoSemicolon, 0, after),
            _ => (SyntaxError::NoShape, 0, all.len()),
        };
        return Err(alloc::vec![Mistake::syntax(error, all.span(from, to))]);
    }
    let mut mistakes = Vec::new();
    let shape = shape(&all, semicolon).map_err(|found| mistakes = found).ok();
    let last = all.find(';', semicolon + 1, all.len());
    let slice = matches!(all.word(0), Some("s" | "py")) && all.is(1, '!');
    if (shape.is_none() || slice)
        && !all.opens(0, Delim::Bracket)
        && all.is_group(semicolon + 1, last, Delim::Bracket)
    {
        let span = all.span(semicolon + 1, last);
        return Err(alloc::vec![Mistake::syntax(SyntaxError::ShapeLast, span)]);
    }
    let strict = all.word(last + 1) == Some("strict") && last + 2 == all.len();
    // `2..8;2` is ndarray's.
    let range = all.outer(semicolon + 1, last).any(|at| all.dots(at) == 2);
    let odd = last < all.len() && !strict && !range;
    let strict = strict || odd;
    let end = if strict { last } else { all.len() };
    let items = parse(&tokens[semicolon + 1..end], false).unwrap_or_else(|more| {
        mistakes.extend(more);
        Items::new()
    });
    for &(item, _) in &items {
        let operands: &[Operand] = match item {
            Item::Index(operand) => &[operand],
            Item::Range { start, stop, step } => &[start, stop, step],
            Item::NewAxis | Item::Ellipsis => &[],
        };
        for operand in operands {
            if let Some(span) = operand.span()
                && !operand.is_literal()
                && !matches!(operand, Operand::Const(_))
            {
                mistakes.push(Mistake::syntax(SyntaxError::NotConst, span));
            }
        }
    }
    if odd {
        let from = if last + 1 < all.len() { last + 1 } else { last };
        mistakes.push(Mistake::syntax(SyntaxError::NotStrict, all.span(from, all.len())));
    }
    let Some(shape) = shape else { return Err(mistakes) };
    if mistakes.is_empty()
        && let Shape::Lengths(lengths, span) = &shape
    {
        fit(lengths, *span, &items, strict, &mut mistakes);
    }
    if mistakes.is_empty() { Ok(PlanCall { shape, items, strict }) } else { Err(mistakes) }
}

/// The shape before the semicolon, unless it is mistaken.
#[expect(clippy::arithmetic_side_effects, reason = "`at` is below the number of tokens")]
#[inline]
fn shape(tokens: &Tokens<'_, '_>, semicolon: usize) -> Result<Shape, Vec<Mistake>> {
    let span = tokens.span(0, semicolon);
    let wrong = |error| Err(alloc::vec![Mistake::syntax(error, span)]);
    if semicolon == 0 {
        return wrong(SyntaxError::NoShape);
    }
    let bracket = tokens.is_group(0, semicolon, Delim::Bracket);
    let repeats = tokens.find(';', 1, semicolon);
    if bracket && repeats < semicolon {
        // `[4; 2]`
        let whole = tokens.find(',', 1, semicolon) == semicolon && repeats + 2 < semicolon;
        return if whole { Ok(Shape::Constant(span)) } else { wrong(SyntaxError::NotShape) };
    }
    if !bracket {
        // `(SHAPE)` is a constant; `4`, `(4)`, `(4, 6)` and `()` are lengths.
        let group = tokens.is_group(0, semicolon, Delim::Paren);
        let (from, to) = if group { (1, semicolon - 1) } else { (0, semicolon) };
        let number = matches!(operand::read(tokens, from, to), Ok(Operand::Literal(..)));
        let vector = tokens.word(0) == Some("vec") && tokens.is(1, '!');
        let text = matches!(tokens.kind(0), Some(Kind::Text(_)));
        return if is_variable(tokens, 0, semicolon) {
            wrong(SyntaxError::ShapeNotConst)
        } else if number || vector || text || expression::check(tokens, 0, semicolon).is_err() {
            wrong(SyntaxError::NotShape)
        } else {
            Ok(Shape::Constant(span))
        };
    }
    let (mut lengths, mut mistakes, mut at) = (Vec::new(), Vec::new(), 1);
    while at + 1 < semicolon {
        let comma = tokens.find(',', at, semicolon - 1);
        match length(tokens, at, comma) {
            Ok(length) => lengths.push(length),
            Err(mistake) => mistakes.push(mistake),
        }
        at = comma + 1;
    }
    if mistakes.is_empty() { Ok(Shape::Lengths(lengths, span)) } else { Err(mistakes) }
}

/// `x`, `x.shape()`: the name of a constant has capitals.
#[expect(clippy::arithmetic_side_effects, reason = "`from` is below the number of tokens")]
#[inline]
fn is_variable(tokens: &Tokens<'_, '_>, from: usize, to: usize) -> bool {
    tokens.word(from).is_some_and(keywords::is_lower)
        && (from + 1 == to || tokens.dots(from + 1) == 1)
}

/// One length; `None` if the compiler has to work it out.
#[inline]
fn length(tokens: &Tokens<'_, '_>, from: usize, to: usize) -> Result<Option<usize>, Mistake> {
    let wrong = |error| Err(Mistake::syntax(error, tokens.span(from, to)));
    match operand::read(tokens, from, to) {
        _ if from == to => wrong(SyntaxError::NotLength),
        Ok(Operand::Literal(value, _)) => {
            usize::try_from(value).map(Some).or_else(|_| wrong(SyntaxError::NotLength))
        }
        Ok(Operand::None(_)) => wrong(SyntaxError::NotLength),
        Ok(_) if is_variable(tokens, from, to) => wrong(SyntaxError::ShapeNotConst),
        // A suffix, too, is Rust's here.
        Ok(_) | Err((SyntaxError::Suffix, _)) => Ok(None),
        Err(_) => wrong(SyntaxError::NotLength),
    }
}

/// Plans the slice, and reports each error at the tokens that it is about.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "every index is that of an item, or of one that takes an axis, of which there are \
              more than lengths where that is used"
)]
#[inline]
fn fit(
    lengths: &[Option<usize>],
    shape: Span,
    items: &Items,
    strict: bool,
    mistakes: &mut Vec<Mistake>,
) {
    // The items that take an axis, and where an ellipsis stands between them.
    let (mut takers, mut ellipsis) = (Vec::new(), None);
    for (i, (item, _)) in items.iter().enumerate() {
        match item {
            Item::Index(_) | Item::Range { .. } => takers.push(i),
            Item::Ellipsis => ellipsis = Some(takers.len()),
            Item::NewAxis => {}
        }
    }
    if takers.len() > lengths.len() {
        let error = SliceError::TooManyEntries { takes: takers.len(), rank: lengths.len() };
        let (first, last) = (takers[lengths.len()], takers[takers.len() - 1]);
        return Mistake::rule(error, items[first].1.to(items[last].1)).put(mistakes);
    }
    let front = ellipsis.unwrap_or(takers.len());
    let spare = lengths.len() - takers.len();
    let taker = |axis: usize| match axis {
        axis if axis < front => Some(takers[axis]),
        axis if axis >= front + spare => Some(takers[axis - spare]),
        _ => None,
    };
    // What is not known yet is left to the compiler. A whole axis stands for it, which is never
    // wrong.
    let (mut entries, mut known) = (entries(items), Vec::new());
    for (axis, length) in lengths.iter().enumerate() {
        known.push(length.unwrap_or(1));
        if let Some(i) = taker(axis) {
            let unknown = match items[i].0 {
                Item::Index(operand) => !matches!(operand, Operand::Literal(..)),
                // Which bounds are inside depends on the sign of the step.
                Item::Range { step, .. } => matches!(step, Operand::Const(_)),
                Item::NewAxis | Item::Ellipsis => false,
            };
            if unknown || length.is_none() {
                entries[i] = Entry::FULL;
            }
        }
    }
    // Each round removes one mistake. A range can have two.
    for _ in 0..2 * items.len() + 1 {
        let planned = SpecBuf::from_entries(&entries)
            .and_then(|spec| if strict { spec.strict() } else { spec }.plan(&known));
        let Err(error) = planned else { return };
        let blamed = match error {
            SliceError::IndexOutOfRange { axis, .. } | SliceError::BoundOutOfRange { axis, .. } => {
                taker(axis)
            }
            _ => None,
        };
        let Some(i) = blamed else {
            return Mistake::rule(error, shape).put(mistakes);
        };
        let (mut at, mut rest) = (items[i].1, Entry::FULL);
        if let SliceError::BoundOutOfRange { bound, .. } = error
            && let Item::Range { start, stop, .. } = items[i].0
            && let Entry::Range { start: first, stop: last, step } = entries[i]
        {
            // The start is checked before the stop.
            let (operand, left) =
                if first == Some(bound) { (start, (None, last)) } else { (stop, (first, None)) };
            at = operand.span().unwrap_or(at);
            rest = Entry::Range { start: left.0, stop: left.1, step };
        }
        Mistake::rule(error, at).put(mistakes);
        entries[i] = rest;
    }
}
