//! Slices read from text.

use super::entry::{Item, parse};
use super::help::Help;
use super::lex::lex;
use super::slip::{Fault, Mistake, Slip, What};
use super::token::{Delim, Span, Tokens};
use crate::error::SliceError;
use crate::spec::{Entry, SpecBuf};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// Reads a slice from text, with or without brackets around it; all mistakes at once.
///
/// What `s![...]` takes as literals is taken here, with the same meaning, and nothing else. A single
/// [`SliceError`] is had from `text.parse::<SpecBuf>()`; this function is for programs that show all
/// mistakes where they stand.
///
/// # Errors
///
/// All mistakes, in the order in which they stand. Their spans are byte ranges of `text`.
///
/// # Examples
///
/// ```
/// use slice_core::syntax::parse_text;
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
/// Python's grammar of subscripts; `tests/grammar.rs` compares with `s![...]` on one list of slices.
#[expect(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a group has two brackets")]
pub fn parse_text(text: &str) -> Result<SpecBuf, Vec<Mistake>> {
    let tokens = lex(text);
    let mut inner = tokens.as_slice();
    if Tokens::new(inner).is_group(0, inner.len(), Delim::Bracket) {
        inner = &inner[1..inner.len() - 1];
    }
    let entries: Vec<Entry> = parse(inner, true)?.into_iter().map(|(item, _): (Item, Span)| item.entry()).collect();
    SpecBuf::from_entries(&entries).map_err(|error| {
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        alloc::vec![Mistake::rule(error, Span::new(0, end))]
    })
}

/// # Errors
///
/// The first mistake: [`SliceError::Syntax`], or one of the rules that every slice obeys.
impl FromStr for SpecBuf {
    type Err = SliceError;

    fn from_str(text: &str) -> Result<Self, SliceError> {
        parse_text(text).map_err(|mistakes| match mistakes.first() {
            Some(&Mistake { fault: Fault::Rule(error), .. }) => error,
            Some(&Mistake { fault: Fault::Slip(slip), span }) => {
                let tokens = text.get(span.first as usize..span.last as usize).unwrap_or("");
                SliceError::Syntax { first: span.first, last: span.last, slip, snippet: Snippet::new(tokens) }
            }
            // Not reached: an error holds at least one mistake.
            None => SliceError::Syntax { first: 0, last: 0, slip: Slip::Stray, snippet: Snippet::new("") },
        })
    }
}

/// The mistaken tokens of a text, kept in place; a long run is cut short.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Snippet {
    bytes: [u8; Self::CAPACITY],
    len: u8,
}

impl Snippet {
    const CAPACITY: usize = 47;
    const CUT: char = '\u{2026}';

    /// Keeps a text; white space becomes one space, control characters a question mark.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut snippet = Self { bytes: [0; Self::CAPACITY], len: 0 };
        for (i, word) in text.split_whitespace().enumerate() {
            let space = (i > 0).then_some(' ');
            for c in space.into_iter().chain(word.chars()) {
                let c = if c.is_control() { '?' } else { c };
                if !snippet.push(c, Self::CUT.len_utf8()) {
                    snippet.push(Self::CUT, 0);
                    return snippet;
                }
            }
        }
        snippet
    }

    /// Appends a character if that leaves so much room.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "the snippet's length is at most its capacity, to which a character and a mark are added"
    )]
    fn push(&mut self, c: char, room: usize) -> bool {
        let from = usize::from(self.len);
        let to = from + c.len_utf8();
        match self.bytes.get_mut(from..to) {
            Some(place) if to + room <= Self::CAPACITY => {
                c.encode_utf8(place);
                self.len = u8::try_from(to).unwrap_or(u8::MAX);
                true
            }
            _ => false,
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.bytes.get(..usize::from(self.len)).and_then(|b| core::str::from_utf8(b).ok()).unwrap_or("")
    }
}

impl fmt::Debug for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

/// Words a slip in a text: what is wrong, and what to write.
pub(crate) fn word(f: &mut fmt::Formatter<'_>, slip: Slip, snippet: &Snippet, at: u32) -> fmt::Result {
    let tokens = snippet.as_str();
    write!(f, "{} (at byte {at}); {}", What(slip, tokens), Help(slip, tokens))
}
