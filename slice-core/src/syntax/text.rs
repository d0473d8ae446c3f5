//! Slices read from text.

use super::item::entries;
use super::lex::lex;
use super::mistake::{Cause, Mistake};
use super::parse::parse;
use super::token::{Delim, Span};
use super::tokens::Tokens;
use crate::encoding::SpecBuf;
use crate::error::SliceError;
use crate::messages::Snippet;
use crate::messages::SyntaxError;
use alloc::vec::Vec;
use core::str::FromStr;

/// Reads a slice from text, with or without brackets around it; all mistakes at once.
///
/// It takes what `s![...]` takes as literals, with the same meaning, and nothing else.
/// `text.parse::<SpecBuf>()` returns a single [`SliceError`]; this function is for programs that
/// show all mistakes, each at its place.
///
/// # Errors
///
/// All mistakes, in their order in the text. Their spans are byte ranges of `text`.
///
/// # Examples
///
/// ```
/// use pyslice::syntax::parse_text;
///
/// assert_eq!(parse_text("[1:-1, ::2]"), parse_text("1:-1, ::2"));
///
/// let text = "1, 2..4, 1.5";
/// for mistake in parse_text(text).unwrap_err() {
///     let tokens = &text[mistake.span.first as usize..mistake.span.last as usize];
///     println!("{}: {}", mistake.message(tokens), mistake.help(tokens).unwrap_or_default());
/// }
/// ```
///
/// # Source
///
/// Python's grammar of subscripts; `tests/grammar.rs` compares with `s![...]` on one list of
/// slices.
#[inline]
pub fn parse_text(text: &str) -> Result<SpecBuf, Vec<Mistake>> {
    let tokens = lex(text);
    let mut inner = tokens.as_slice();
    if Tokens::new(inner).is_group(0, inner.len(), Delim::Bracket) {
        inner = inner.get(1..inner.len().saturating_sub(1)).unwrap_or_default();
    }
    let items = parse(inner, true)?;
    SpecBuf::from_entries(entries(&items)).map_err(|error| {
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        alloc::vec![Mistake::rule(error, Span::new(0, end))]
    })
}

/// # Errors
///
/// The first mistake: [`SliceError::Syntax`], or one of the rules that every slice obeys.
impl FromStr for SpecBuf {
    type Err = SliceError;

    #[inline]
    fn from_str(text: &str) -> Result<Self, SliceError> {
        parse_text(text).map_err(|mistakes| {
            // An error holds at least one mistake.
            let none = Mistake::syntax(SyntaxError::Stray, Span::new(0, 0));
            let Mistake { cause, span: Span { first, last }, .. } =
                *mistakes.first().unwrap_or(&none);
            match cause {
                Cause::Rule(error) => error,
                Cause::Syntax(error) => {
                    let tokens = text.get(first as usize..last as usize).unwrap_or("");
                    SliceError::Syntax { first, last, error, snippet: Snippet::new(tokens) }
                }
            }
        })
    }
}
