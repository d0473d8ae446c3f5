//! A mistake: what is wrong, and with which tokens.

use super::token::Span;
use crate::error::SliceError;
use crate::messages::SyntaxError;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// A mistake in a slice and where it stands.
///
/// It carries only numbers. The user's tokens are added when the message is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mistake {
    pub(super) cause: Cause,
    /// The mistaken tokens.
    pub span: Span,
    /// Whether the slice is a text, which cannot contain Rust code.
    pub(super) in_text: bool,
}

/// What was broken: the grammar, or a rule that holds for every slice, wherever it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cause {
    Syntax(SyntaxError),
    Rule(SliceError),
}

impl Mistake {
    #[inline]
    pub(super) const fn syntax(error: SyntaxError, span: Span) -> Self {
        Self { cause: Cause::Syntax(error), span, in_text: false }
    }

    #[inline]
    pub(super) const fn rule(error: SliceError, span: Span) -> Self {
        Self { cause: Cause::Rule(error), span, in_text: false }
    }

    /// Adds it to the mistakes, which stay in their order in the text.
    #[inline]
    pub(super) fn put(self, mistakes: &mut Vec<Self>) {
        let place = |mistake: &Self| (mistake.span.first, mistake.span.last);
        let at = mistakes.partition_point(|mistake| place(mistake) <= place(&self));
        mistakes.insert(at, self);
    }

    /// The mistake of syntax, if it is one; otherwise a rule is broken that every slice obeys.
    #[must_use]
    #[inline]
    pub const fn syntax_error(&self) -> Option<SyntaxError> {
        match self.cause {
            Cause::Syntax(error) => Some(error),
            Cause::Rule(_) => None,
        }
    }

    /// What is wrong, given the text of the mistaken tokens.
    #[must_use]
    #[inline]
    pub fn message(&self, tokens: &str) -> String {
        let mut words = String::new();
        // Writing to a string does not fail.
        let _ = match self.cause {
            Cause::Syntax(error) => error.message(&mut words, tokens),
            Cause::Rule(error) => write!(words, "{error}"),
        };
        words
    }

    /// What to write instead, given the text of the mistaken tokens, where the message does not
    /// show it.
    #[must_use]
    #[inline]
    pub fn help(&self, tokens: &str) -> Option<String> {
        let mut words = String::new();
        let _ = match self.cause {
            Cause::Syntax(error) => error.help(&mut words, tokens, self.in_text),
            Cause::Rule(SliceError::ZeroStep { .. }) => {
                words.write_str("write `1`, or leave the step out; `-1` goes backwards")
            }
            Cause::Rule(SliceError::SecondEllipsis { .. }) => words.write_str("write `:`"),
            Cause::Rule(_) => return None,
        };
        Some(words)
    }
}
