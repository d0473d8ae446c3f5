//! The grammar of `plan!`: a shape, a semicolon, a slice, and optionally `; strict`. If everything
//! is literal, the plan is made here too.

use super::error::SyntaxError;
use super::item::{Item, Items, Operand, entries};
use super::mistake::Mistake;
use super::parse::parse;
use super::token::{Delim, Kind, Span, Token};
use super::tokens::Tokens;
use super::{keywords, operand};
use crate::axis::Bounds;
use crate::encoding::{Entry, SpecBuf};
use crate::error::SliceError;
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
    /// [`Bounds::Strict`] if `; strict` follows the slice.
    pub bounds: Bounds,
}

/// Reads `shape; slice` or `shape; slice; strict`, the tokens of a `plan!`, and checks the slice
/// against the shape as far as both are literal.
///
/// # Errors
///
/// All mistakes, in the order in which they stand. There is at least one.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "`semicolon` is the index of a token"
)]
pub fn parse_plan(tokens: &[Token<'_>]) -> Result<PlanCall, Vec<Mistake>> {
    let all = Tokens::new(tokens);
    if let Some(span) = all.stray {
        return Err(alloc::vec![Mistake::syntax(SyntaxError::Unbalanced, span)]);
    }
    let semicolon = all.find(';', 0, all.len());
    if semicolon == all.len() {
        let after = all.after(0);
        let (error, from, to) = match all.kind(after) {
            Some(_) if !all.opens(0, Delim::Bracket) => (SyntaxError::NoShape, 0, all.len()),
            Some(Kind::Punct(',' | ':', _)) => (SyntaxError::CommaAfterShape, after, after + 1),
            Some(_) => (SyntaxError::NoSemicolon, 0, after),
            None => (SyntaxError::NoShape, 0, all.len()),
        };
        return Err(alloc::vec![Mistake::syntax(error, all.span(from, to))]);
    }
    let (shape, mut mistakes) = match shape(&all, semicolon) {
        Ok(shape) => (Some(shape), Vec::new()),
        Err(mistakes) => (None, mistakes),
    };
    let slice = &tokens[semicolon + 1..];
    let last = all.find(';', semicolon + 1, all.len());
    let like = |word: &str| word.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("stric"));
    let strict = all.word(last + 1) == Some("strict") && last + 2 == all.len();
    let mut odd = None;
    let (slice, bounds) = match slice {
        // `; Strict`, `; strict,`, `; stric`
        slice if all.word(last + 1).is_some_and(like) && !strict => {
            odd = Some(all.span(last + 1, all.len()));
            (&slice[..last - semicolon - 1], Bounds::Strict)
        }
        [slice @ .., _, _] if strict => (slice, Bounds::Strict),
        _ => (slice, Bounds::Clamp),
    };
    let items = parse(slice, false).unwrap_or_else(|more| {
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
            if let Operand::Value(span) = *operand {
                mistakes.push(Mistake::syntax(SyntaxError::NotConst, span));
            }
        }
    }
    mistakes.extend(odd.map(|span| Mistake::syntax(SyntaxError::NotStrict, span)));
    let Some(shape) = shape else { return Err(mistakes) };
    if mistakes.is_empty()
        && let Shape::Lengths(lengths, span) = &shape
    {
        fit(lengths, *span, &items, bounds, &mut mistakes);
    }
    if mistakes.is_empty() { Ok(PlanCall { shape, items, bounds }) } else { Err(mistakes) }
}

/// The shape before the semicolon, unless it is mistaken.
#[expect(clippy::arithmetic_side_effects, reason = "`at` is below the number of tokens")]
fn shape(tokens: &Tokens<'_, '_>, semicolon: usize) -> Result<Shape, Vec<Mistake>> {
    let span = tokens.span(0, semicolon);
    let wrong = |error| Err(alloc::vec![Mistake::syntax(error, span)]);
    if semicolon == 0 {
        return wrong(SyntaxError::NoShape);
    }
    let repeats = tokens.find(';', 1, semicolon) < semicolon;
    if !tokens.is_group(0, semicolon, Delim::Bracket) || repeats {
        // `(SHAPE)` is a constant; `4`, `(4)`, `(4, 6)` and `()` are lengths.
        let group = tokens.is_group(0, semicolon, Delim::Paren);
        let (from, to) = if group { (1, semicolon - 1) } else { (0, semicolon) };
        let number = matches!(operand::read(tokens, from, to), Ok(Operand::Literal(..)));
        if tokens.is(0, '&') {
            return wrong(SyntaxError::ShapeReference);
        }
        if tokens.word(0) == Some("vec") && tokens.is(1, '!') {
            return wrong(SyntaxError::ShapeVec);
        }
        let listed = (group || tokens.is_number(0)) && tokens.find(',', from, to) < to;
        if number || from == to || listed {
            return wrong(SyntaxError::ShapeWithoutBrackets);
        }
        // `x.shape()`: the name of a constant has capitals.
        let variable = tokens.word(0).is_some_and(keywords::is_lower);
        if variable && (semicolon == 1 || tokens.dots(1) == 1) {
            return wrong(SyntaxError::ShapeNotConst);
        }
        return Ok(Shape::Constant(span));
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

/// One length; `None` if the compiler has to work it out.
fn length(tokens: &Tokens<'_, '_>, from: usize, to: usize) -> Result<Option<usize>, Mistake> {
    let not_length = || Mistake::syntax(SyntaxError::NotLength, tokens.span(from, to));
    // A path is allowed here: this is a Rust array, not a slice.
    let mut colon = false;
    for at in from..to {
        if tokens.is_two_colons(at) {
            return Ok(None);
        }
        colon |= tokens.is(at, ':');
    }
    if colon || from == to {
        return Err(not_length());
    }
    let operand = operand::read(tokens, from, to);
    match operand.map_err(|(error, span)| Mistake::syntax(error, span))? {
        Operand::Literal(value, _) => usize::try_from(value).map(Some).map_err(|_| not_length()),
        Operand::None(_) => Err(not_length()),
        Operand::Absent | Operand::Const(_) | Operand::Value(_) => Ok(None),
    }
}

/// Plans the slice, and reports each error at the tokens that it is about.
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "every index is that of an item, or of one that takes an axis, of which there are \
              more than lengths where that is used"
)]
fn fit(
    lengths: &[Option<usize>],
    shape: Span,
    items: &Items,
    bounds: Bounds,
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
        let planned =
            SpecBuf::from_entries(&entries).and_then(|spec| spec.plan_with(&known, bounds));
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
