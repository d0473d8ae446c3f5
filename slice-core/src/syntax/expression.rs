//! Checks a Rust expression that stands where a number may stand, but only in outline: that values
//! and operators alternate, and that nothing in it is from another language. The compiler checks
//! the rest.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions are at most the number of tokens, and a few are added; before one is \
              taken away, `at` was advanced or compared"
)]

use super::error::SyntaxError;
use super::mistake::Mistake;
use super::token::{Delim, Kind};
use super::tokens::Tokens;
use super::{advice, foreign, keywords};

type Result<T> = core::result::Result<T, Mistake>;

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
        Err(Mistake::syntax(error, self.tokens.span(from, to)))
    }

    /// Finds the mistake in punctuation that means nothing at `from..to`.
    fn stray<T>(&self, c: char, from: usize, to: usize) -> Result<T> {
        let lookalike = advice::ascii_for(c).is_some();
        self.wrong(if lookalike { SyntaxError::Lookalike } else { SyntaxError::Stray }, from, to)
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
            if at == bare {
                self.group(value, at)?;
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

    /// Checks what brackets around a value enclose, if nothing is called on them.
    fn group(&self, from: usize, to: usize) -> Result<()> {
        let tokens = self.tokens;
        let comma = || foreign::has_comma(tokens, from + 1, to - 1);
        let colon = || foreign::has_slice(tokens, from + 1, to - 1);
        let error = match tokens.kind(from) {
            Some(Kind::Open(Delim::Paren)) if from + 2 == to || comma() => SyntaxError::Tuple,
            Some(Kind::Open(Delim::Paren)) if colon() => SyntaxError::ParenSlice,
            Some(Kind::Open(Delim::Bracket)) => SyntaxError::List,
            Some(Kind::Open(Delim::Brace))
                if !foreign::is_block(tokens, from, to) && (comma() || colon()) =>
            {
                SyntaxError::Braces
            }
            _ => return Ok(()),
        };
        self.wrong(error, from, to)
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
        let Some(kind) = tokens.kind(at).filter(|_| at < end) else {
            let from = begin.saturating_sub(1).max(self.from);
            let star = from + 1 == end && tokens.is(from, '*');
            return self.wrong(
                if star { SyntaxError::LoneStar } else { SyntaxError::Unfinished },
                from,
                end,
            );
        };
        match kind {
            Kind::Number(_) if at > begin && tokens.is(at - 1, '*') => {
                self.wrong(SyntaxError::Stray, at - 1, at)
            }
            Kind::Number(_) | Kind::Text(_) | Kind::Char(_) => Ok(at + 1),
            Kind::Open(_) => Ok(tokens.after(at)),
            Kind::Close(_) => self.wrong(SyntaxError::Unbalanced, at, at + 1),
            Kind::Word(word) => self.word(at, word),
            Kind::Punct('+', _) if at + 1 == end => {
                self.wrong(SyntaxError::Unfinished, begin.saturating_sub(1).max(self.from), end)
            }
            Kind::Punct('+', _) => self.wrong(SyntaxError::UnaryPlus, at, end),
            Kind::Punct('~', _) => self.tilde(at),
            // `'a: { .. }`, `'a: loop { .. }`
            Kind::Punct('\'', true) if tokens.is(at + 2, ':') && tokens.ends_label(at + 2) => {
                self.block(at + 2)
            }
            Kind::Punct('|', _) => self.wrong(SyntaxError::Closure, at, end),
            Kind::Punct('.', _) => match tokens.kind(at + 1) {
                Some(Kind::Number(_)) if at + 2 == end => {
                    self.wrong(SyntaxError::Float, begin, end)
                }
                _ => {
                    let to = (at..end).find(|&to| !tokens.is(to, '.')).unwrap_or(end);
                    let error = match to - at {
                        1 => SyntaxError::Stray,
                        3 if tokens.dots(at) == 3 => SyntaxError::EllipsisAsBound,
                        _ => SyntaxError::Dots,
                    };
                    self.wrong(error, at, to)
                }
            },
            Kind::Punct(c, _) => self.stray(c, at, at + 1),
        }
    }

    /// `~n`
    fn tilde<T>(&self, at: usize) -> Result<T> {
        let mut value = at;
        while value < self.end && (self.tokens.is(value, '~') || self.tokens.is_prefix(value)) {
            value += 1;
        }
        if value >= self.end {
            return self.wrong(SyntaxError::Unfinished, at, self.end);
        }
        let to = self.value(value).and_then(|to| self.suffixes(value, to)).unwrap_or(self.end);
        self.wrong(SyntaxError::Tilde, at, to)
    }

    /// Reads a value that begins with a word.
    fn word(&self, at: usize, word: &str) -> Result<usize> {
        let (tokens, end) = (self.tokens, self.end);
        match word {
            "if" => self.branches(at),
            "match" | "while" | "for" | "loop" | "unsafe" | "const" | "async" => self.block(at),
            "move" => self.wrong(SyntaxError::Closure, at, end),
            "not" if at + 1 < end => self.wrong(SyntaxError::PythonOperator, at, end),
            "await" | "crate" | "super" => self.wrong(SyntaxError::Misplaced, at, at + 1),
            "newaxis" | "Ellipsis" | "NewAxis" if tokens.dots(at + 1) != 1 => {
                self.wrong(SyntaxError::NoArithmetic, self.from, end)
            }
            "None" if tokens.opens(at + 1, Delim::Paren) => {
                self.wrong(SyntaxError::NoArithmetic, self.from, end)
            }
            "len" | "int" | "abs" | "float"
                if tokens.opens(at + 1, Delim::Paren) && tokens.after(at + 1) > at + 3 =>
            {
                self.wrong(SyntaxError::PythonCall, at, tokens.after(at + 1))
            }
            // `usize.MAX`
            _ if keywords::is_type(word)
                && tokens.dots(at + 1) == 1
                && tokens.word(at + 2).is_some_and(keywords::is_upper) =>
            {
                self.wrong(SyntaxError::TypeName, at, at + 3)
            }
            "True" | "False" => self.wrong(SyntaxError::Bool, at, at + 1),
            _ if keywords::is_misplaced_keyword(word) => {
                self.wrong(SyntaxError::Misplaced, at, at + 1)
            }
            _ if tokens.is(at + 1, '!') && matches!(tokens.kind(at + 2), Some(Kind::Open(_))) => {
                Ok(tokens.after(at + 2))
            }
            // A struct's fields: `Pair { a, b }.a`.
            _ if keywords::is_camel(word) && tokens.opens(at + 1, Delim::Brace) => {
                Ok(tokens.after(at + 1))
            }
            _ => Ok(at + 1),
        }
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
            let Some(kind) = tokens.kind(at) else { break };
            match kind {
                Kind::Punct('?', _) => at += 1,
                Kind::Open(Delim::Paren) => {
                    let after = tokens.after(at);
                    if foreign::has_slice(tokens, at + 1, after - 1) {
                        return self.wrong(SyntaxError::NestedSlice, value, after);
                    }
                    at = after;
                }
                Kind::Open(Delim::Bracket) => {
                    let after = tokens.after(at);
                    if tokens.is(at + 1, '-') && tokens.is_number(at + 2) && at + 4 == after {
                        return self.wrong(SyntaxError::NegativeSubscript, value, after);
                    }
                    if tokens.dots(at + 1) == 3
                        || (tokens.word(at + 1) == Some("None") && at + 3 == after)
                        || foreign::has_slice(tokens, at + 1, after - 1)
                        || foreign::has_comma(tokens, at + 1, after - 1)
                    {
                        let whole = value == self.from && after == end;
                        let error =
                            if whole { SyntaxError::SlicedArray } else { SyntaxError::NestedSlice };
                        return self.wrong(error, value, after);
                    }
                    at = after;
                }
                Kind::Punct('.', _) => {
                    let named =
                        matches!(tokens.kind(at + 1), Some(Kind::Word(_) | Kind::Number(_)));
                    if at + 1 >= end {
                        return self.wrong(SyntaxError::Unfinished, self.from, end);
                    }
                    let number = |at: usize| tokens.is_number(at);
                    if number(at + 1) && number(at - 1) {
                        return self.wrong(SyntaxError::Float, self.from, end);
                    }
                    if tokens.dots(at) != 1 || !named {
                        return self.wrong(SyntaxError::Stray, at, at + tokens.dots(at));
                    }
                    at += 2;
                }
                Kind::Word("as") => {
                    at += 1;
                    while at < end && (tokens.is(at, '&') || tokens.is(at, '*')) {
                        at += 1;
                    }
                    if at >= end || !matches!(tokens.kind(at), Some(Kind::Word(_) | Kind::Open(_)))
                    {
                        return self.wrong(SyntaxError::Unfinished, self.from, at.min(end));
                    }
                    at = tokens.after(at);
                }
                _ => break,
            }
        }
        Ok(at)
    }

    /// Reads an operator between two values. The first begins at `value`, and at `begin` with its
    /// sign.
    fn operator(&self, begin: usize, value: usize, at: usize) -> Result<usize> {
        let (tokens, end) = (self.tokens, self.end);
        let Some(kind) = tokens.kind(at) else { return Ok(at) };
        match kind {
            Kind::Word("if") => self.wrong(SyntaxError::Conditional, self.from, end),
            Kind::Word(word) if keywords::is_python_operator(word) => {
                self.wrong(SyntaxError::PythonOperator, at, at + 1)
            }
            Kind::Word("to" | "until" | "step" | "by") if at + 1 < end => {
                self.wrong(SyntaxError::SideBySide, begin, end)
            }
            Kind::Word(_) | Kind::Number(_) | Kind::Text(_) | Kind::Char(_) | Kind::Open(_) => {
                let ternary = at > 0 && tokens.is(at - 1, '?');
                let error = if ternary { SyntaxError::Ternary } else { SyntaxError::SideBySide };
                self.wrong(error, begin, tokens.after(at))
            }
            Kind::Close(_) => self.wrong(SyntaxError::Unbalanced, at, at + 1),
            Kind::Punct(c, joint) => {
                let next = |d: char| joint && at + 1 < end && tokens.is(at + 1, d);
                match c {
                    '=' | '-' if next('>') => self.wrong(SyntaxError::Stray, at, at + 2),
                    '<' if next('-') => self.wrong(SyntaxError::Stray, at, at + 2),
                    '*' if next('*') && tokens.is_number(at + 2) => {
                        self.wrong(SyntaxError::Power, value, at + 3)
                    }
                    // Where the outermost operator compares, the value is a boolean.
                    '<' | '>' if next(c) => self.no_assignment(at + 2),
                    '&' | '|' if next(c) => self.wrong(SyntaxError::Comparison, self.from, end),
                    '=' | '!' if next('=') => self.wrong(SyntaxError::Comparison, self.from, end),
                    '<' | '>' => self.wrong(SyntaxError::Comparison, self.from, end),
                    '+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' => self.no_assignment(at + 1),
                    '=' => self.wrong(SyntaxError::Assignment, self.from, end),
                    _ => self.stray(c, at, at + 1),
                }
            }
        }
    }

    /// `+=` and the like are not operators between values.
    fn no_assignment(&self, at: usize) -> Result<usize> {
        let touches = at < self.end && self.tokens.is(at, '=') && at > 0;
        let joint = matches!(self.tokens.kind(at - 1), Some(Kind::Punct(_, true)));
        if touches && joint {
            return self.wrong(SyntaxError::Assignment, self.from, self.end);
        }
        Ok(at)
    }
}
