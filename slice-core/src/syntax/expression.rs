//! Checks a Rust expression that stands where a number may stand, but only in outline: that values
//! and operators alternate, and that nothing in it is from another language. The compiler checks
//! the rest.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions are at most the number of tokens, and a few are added; before one is \
              taken away, `at` was advanced or compared"
)]

use super::error::SyntaxError;
use super::token::{Delim, Kind, Span};
use super::tokens::Tokens;
use super::{advice, foreign, keywords};

type Result<T> = core::result::Result<T, (SyntaxError, Span)>;

/// Checks that the tokens `from..end` can be a value.
pub(super) fn check(tokens: &Tokens<'_, '_>, from: usize, end: usize) -> Result<()> {
    Walk { tokens, from, end }.expression()
}

/// A walk over an expression.
struct Walk<'w, 't, 'a> {
    tokens: &'w Tokens<'t, 'a>,
    from: usize,
    end: usize,
}

impl Walk<'_, '_, '_> {
    /// Returns a mistake in the tokens `from..to`.
    fn wrong<T>(&self, error: SyntaxError, from: usize, to: usize) -> Result<T> {
        Err((error, self.tokens.span(from, to)))
    }

    /// Checks that the tokens can be a value.
    fn expression(&self) -> Result<()> {
        let (tokens, from, end) = (self.tokens, self.from, self.end);
        let mut at = from;
        let (mut binary, mut none) = (false, false);
        loop {
            let begin = at;
            let value = self.prefixed(at);
            let bare = self.value(at)?;
            at = self.suffixes(value, bare)?;
            if at == bare
                && let Some(error) = self.group(value, at)
            {
                return self.wrong(error, value, at);
            }
            none |= at == begin + 1 && tokens.word(begin) == Some("None");
            if at >= end {
                break;
            }
            at = self.operator(begin, value, at)?;
            binary = true;
        }
        if none {
            return self.wrong(SyntaxError::NoArithmetic, from, end);
        }
        if !binary && tokens.is(from, '&') {
            return self.wrong(SyntaxError::Reference, from, end);
        }
        Ok(())
    }

    /// What is wrong with a value that is all that these brackets enclose, if they are brackets.
    fn group(&self, from: usize, to: usize) -> Option<SyntaxError> {
        let tokens = self.tokens;
        let comma = || foreign::has_comma(tokens, from + 1, to - 1);
        let colon = || foreign::has_slice(tokens, from + 1, to - 1);
        let Some(Kind::Open(delim)) = tokens.kind(from) else { return None };
        match delim {
            Delim::Paren if from + 2 == to || comma() => Some(SyntaxError::Tuple),
            Delim::Paren if colon() => Some(SyntaxError::ParenSlice),
            Delim::Bracket => Some(SyntaxError::List),
            Delim::Brace if !foreign::is_block(tokens, from, to) && (comma() || colon()) => {
                Some(SyntaxError::Braces)
            }
            _ => None,
        }
    }

    /// Where a value begins, after the operators in front of it.
    fn prefixed(&self, mut at: usize) -> usize {
        let (tokens, end) = (self.tokens, self.end);
        while at < end && tokens.is_prefix(at) {
            at += 1;
            if tokens.is(at - 1, '&') && tokens.word(at) == Some("mut") {
                at += 1;
            }
        }
        at
    }

    /// Reads a value with the operators in front of it.
    fn value(&self, begin: usize) -> Result<usize> {
        let (tokens, end) = (self.tokens, self.end);
        let at = self.prefixed(begin);
        let before = begin.saturating_sub(1).max(self.from);
        let (error, from, to) = match tokens.kind(at) {
            _ if at >= end => {
                let star = before == self.from && before + 1 == end && tokens.is(before, '*');
                let error = if star { SyntaxError::LoneStar } else { SyntaxError::Unfinished };
                (error, before, end)
            }
            Some(Kind::Number(_)) if at > begin && tokens.is(at - 1, '*') => {
                (SyntaxError::Stray, at - 1, at)
            }
            Some(Kind::Number(_) | Kind::Text(_) | Kind::Char(_)) => return Ok(at + 1),
            Some(Kind::Open(_)) => return Ok(tokens.after(at)),
            None | Some(Kind::Close(_)) => (SyntaxError::Unbalanced, at, at + 1),
            Some(Kind::Word(word)) => return self.word(at, word),
            Some(Kind::Punct('+', _)) if at + 1 == end => (SyntaxError::Unfinished, before, end),
            Some(Kind::Punct('+', _)) => (SyntaxError::UnaryPlus, at, end),
            Some(Kind::Punct('~', _)) => self.tilde(at),
            // `'a: { .. }`, `'a: loop { .. }`
            Some(Kind::Punct('\'', true))
                if tokens.is(at + 2, ':') && tokens.ends_label(at + 2) =>
            {
                return self.block(at + 2);
            }
            Some(Kind::Punct('|', _)) => (SyntaxError::Closure, at, end),
            Some(Kind::Punct('.', _)) if at + 2 == end && tokens.is_number(at + 1) => {
                (SyntaxError::Float, begin, end)
            }
            Some(Kind::Punct('.', _)) => {
                let mut to = at;
                while to < end && tokens.is(to, '.') {
                    to += 1;
                }
                let error = match to - at {
                    1 => SyntaxError::Stray,
                    3 if tokens.dots(at) == 3 => SyntaxError::EllipsisAsBound,
                    _ => SyntaxError::Dots,
                };
                (error, at, to)
            }
            Some(Kind::Punct(c, _)) => (stray(c), at, at + 1),
        };
        self.wrong(error, from, to)
    }

    /// The mistake in `~n`.
    fn tilde(&self, at: usize) -> (SyntaxError, usize, usize) {
        let mut value = at;
        while value < self.end && (self.tokens.is(value, '~') || self.tokens.is_prefix(value)) {
            value += 1;
        }
        if value >= self.end {
            return (SyntaxError::Unfinished, at, self.end);
        }
        let to = self.value(value).and_then(|to| self.suffixes(value, to)).unwrap_or(self.end);
        (SyntaxError::Tilde, at, to)
    }

    /// Reads a value that begins with a word.
    fn word(&self, at: usize, word: &str) -> Result<usize> {
        let (tokens, end) = (self.tokens, self.end);
        let called = tokens.opens(at + 1, Delim::Paren);
        let field = tokens.dots(at + 1) == 1;
        let (error, from, to) = match word {
            "if" => return self.branches(at),
            "match" | "while" | "for" | "loop" | "unsafe" | "const" | "async" => {
                return self.block(at);
            }
            "move" => (SyntaxError::Closure, at, end),
            "not" if at + 1 < end => (SyntaxError::PythonOperator, at, end),
            "await" | "crate" | "super" => (SyntaxError::Misplaced, at, at + 1),
            "newaxis" | "Ellipsis" | "NewAxis" if !field => {
                (SyntaxError::NoArithmetic, self.from, end)
            }
            "None" if called => (SyntaxError::NoArithmetic, self.from, end),
            "len" | "int" | "abs" | "float" if called && tokens.after(at + 1) > at + 3 => {
                (SyntaxError::PythonCall, at, tokens.after(at + 1))
            }
            // `usize.MAX`
            _ if field
                && keywords::is_type(word)
                && tokens.word(at + 2).is_some_and(keywords::is_upper) =>
            {
                (SyntaxError::TypeName, at, at + 3)
            }
            "True" | "False" => (SyntaxError::Bool, at, at + 1),
            _ if keywords::is_misplaced_keyword(word) => (SyntaxError::Misplaced, at, at + 1),
            _ if tokens.is(at + 1, '!') && matches!(tokens.kind(at + 2), Some(Kind::Open(_))) => {
                return Ok(tokens.after(at + 2));
            }
            // A struct's fields: `Pair { a, b }.a`.
            _ if (keywords::is_camel(word) || keywords::is_upper(word))
                && tokens.opens(at + 1, Delim::Brace) =>
            {
                return Ok(tokens.after(at + 1));
            }
            _ => return Ok(at + 1),
        };
        self.wrong(error, from, to)
    }

    /// Reads up to the end of the next block.
    fn block(&self, from: usize) -> Result<usize> {
        let mut at = from + 1;
        while at < self.end {
            if self.tokens.opens(at, Delim::Brace) {
                return Ok(self.tokens.after(at));
            }
            at = self.tokens.after(at);
        }
        self.wrong(SyntaxError::Unfinished, from, self.end)
    }

    /// `if .. { } else if .. { } else { }`
    fn branches(&self, from: usize) -> Result<usize> {
        let mut at = from;
        loop {
            at = self.block(at)?;
            if at >= self.end || self.tokens.word(at) != Some("else") {
                return self.wrong(SyntaxError::IfWithoutElse, from, at);
            }
            if self.tokens.opens(at + 1, Delim::Brace) {
                return Ok(self.tokens.after(at + 1));
            }
            at += 1;
        }
    }

    /// Reads calls, fields, methods, indexing, `?` and `as`, after the value that begins at
    /// `value`.
    fn suffixes(&self, value: usize, mut at: usize) -> Result<usize> {
        let (tokens, end) = (self.tokens, self.end);
        while at < end {
            let after = tokens.after(at);
            let (error, from, to) = match tokens.kind(at) {
                Some(Kind::Punct('?', _)) => {
                    at += 1;
                    continue;
                }
                Some(Kind::Open(Delim::Paren)) if foreign::has_slice(tokens, at + 1, after - 1) => {
                    (SyntaxError::NestedSlice, value, after)
                }
                Some(Kind::Open(Delim::Bracket))
                    if at + 4 == after && tokens.is(at + 1, '-') && tokens.is_number(at + 2) =>
                {
                    (SyntaxError::NegativeSubscript, value, after)
                }
                Some(Kind::Open(Delim::Bracket))
                    if tokens.dots(at + 1) == 3
                        || (tokens.word(at + 1) == Some("None") && at + 3 == after)
                        || foreign::has_slice(tokens, at + 1, after - 1)
                        || foreign::has_comma(tokens, at + 1, after - 1) =>
                {
                    let whole = value == self.from && after == end;
                    let error =
                        if whole { SyntaxError::SlicedArray } else { SyntaxError::NestedSlice };
                    (error, value, after)
                }
                Some(Kind::Open(Delim::Paren | Delim::Bracket)) => {
                    at = after;
                    continue;
                }
                Some(Kind::Punct('.', _)) => {
                    let number = tokens.is_number(at + 1);
                    if at + 1 >= end {
                        (SyntaxError::Unfinished, at, end)
                    } else if number && tokens.is_number(at - 1) {
                        (SyntaxError::Float, self.from, end)
                    } else if tokens.dots(at) == 1 && (number || tokens.word(at + 1).is_some()) {
                        at += 2;
                        continue;
                    } else {
                        (SyntaxError::Stray, at, at + tokens.dots(at))
                    }
                }
                Some(Kind::Word("as")) => {
                    let cast = at;
                    at += 1;
                    while at < end && (tokens.is(at, '&') || tokens.is(at, '*')) {
                        at += 1;
                    }
                    match tokens.kind(at) {
                        Some(Kind::Word(_) | Kind::Open(_)) if at < end => {
                            at = tokens.after(at);
                            continue;
                        }
                        _ => (SyntaxError::CastUnfinished, cast, at.min(end)),
                    }
                }
                _ => break,
            };
            return self.wrong(error, from, to);
        }
        Ok(at)
    }

    /// Reads an operator between two values. The first begins at `value`, and at `begin` with its
    /// sign.
    fn operator(&self, begin: usize, value: usize, at: usize) -> Result<usize> {
        let (tokens, from, end) = (self.tokens, self.from, self.end);
        // The next character, if it touches this one.
        let next = match (tokens.kind(at), tokens.kind(at + 1)) {
            (Some(Kind::Punct(_, true)), Some(Kind::Punct(next, _))) if at + 1 < end => next,
            _ => ' ',
        };
        let (error, from, to) = match tokens.kind(at) {
            None => return Ok(at),
            Some(Kind::Word("if")) => (SyntaxError::Conditional, from, end),
            // `-n or None`
            Some(Kind::Word("or")) if tokens.word(at + 1) == Some("None") && at + 2 == end => {
                (SyntaxError::Conditional, from, end)
            }
            Some(Kind::Word(word)) if keywords::is_python_operator(word) => {
                (SyntaxError::PythonOperator, at, at + 1)
            }
            Some(Kind::Word("to" | "until" | "step" | "by")) if at + 1 < end => {
                (SyntaxError::SideBySide, begin, end)
            }
            Some(Kind::Close(_)) => (SyntaxError::Unbalanced, at, at + 1),
            Some(Kind::Punct(c, _)) => match (c, next) {
                ('=' | '-', '>') | ('<', '-') => (SyntaxError::Stray, at, at + 2),
                ('*', '*') if tokens.is_number(at + 2) => (SyntaxError::Power, value, at + 3),
                ('<', '<') | ('>', '>') => return self.no_assignment(at + 2),
                // Where the outermost operator compares, the value is a boolean.
                ('&', '&') | ('|', '|') | ('=' | '!', '=') | ('<' | '>', _) => {
                    // `n > 1 ? 2 : 3`
                    let asks = |at| tokens.is(at, '?') && at + 1 < end && tokens.dots(at + 1) == 0;
                    let ternary = tokens.outer(at, end).any(asks);
                    let error =
                        if ternary { SyntaxError::Ternary } else { SyntaxError::Comparison };
                    (error, from, end)
                }
                ('+' | '-' | '*' | '/' | '%' | '^' | '&' | '|', _) => {
                    return self.no_assignment(at + 1);
                }
                ('=', _) => (SyntaxError::Assignment, from, end),
                _ => (stray(c), at, at + 1),
            },
            Some(_) => {
                let ternary = at > 0 && tokens.is(at - 1, '?');
                let error = if ternary { SyntaxError::Ternary } else { SyntaxError::SideBySide };
                (error, begin, tokens.after(at))
            }
        };
        self.wrong(error, from, to)
    }

    /// `+=` and the like are not operators between values.
    fn no_assignment(&self, at: usize) -> Result<usize> {
        let joint = matches!(self.tokens.kind(at - 1), Some(Kind::Punct(_, true)));
        if at < self.end && joint && self.tokens.is(at, '=') {
            return self.wrong(SyntaxError::Assignment, self.from, self.end);
        }
        Ok(at)
    }
}

/// The mistake in punctuation that means nothing.
fn stray(c: char) -> SyntaxError {
    if advice::ascii_for(c).is_some() { SyntaxError::Lookalike } else { SyntaxError::Stray }
}
