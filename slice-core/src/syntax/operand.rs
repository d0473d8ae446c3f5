//! What stands where a number may stand: a literal, `None`, `const { .. }`, or any other expression.
//!
//! An expression is only looked at from above: that values and operators alternate, and that it is not
//! something from another language. What it means is the compiler's business.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions are at most the number of tokens, and a few are added; before one is taken away, `at` was \
              advanced or compared"
)]

use super::entry::{Item, Operand, Wrong};
use super::int;
use super::slip::Slip;
use super::token::{Delim, Kind, Tokens};
use super::{whole, words};

type Result<T> = core::result::Result<T, Wrong>;

const fn wrong<T>(slip: Slip, from: usize, to: usize) -> Result<T> {
    Err(Wrong { slip, from, to })
}

/// Reads the operand `from..end`, which is not empty.
pub(super) fn read(tokens: &Tokens<'_, '_>, from: usize, end: usize) -> Result<Operand> {
    let span = tokens.span(from, end);
    let (mut at, mut negative) = (from, false);
    while at < end && (tokens.is(at, '-') || tokens.is(at, '+')) {
        negative ^= tokens.is(at, '-');
        at += 1;
    }
    let signed = at > from;
    if at + 1 == end {
        match tokens.get(at).map(|t| t.kind) {
            Some(Kind::Number(text)) => {
                return match int::read(text, negative) {
                    Ok(value) => Ok(Operand::Literal(value, span)),
                    Err(slip) => wrong(slip, from, end),
                };
            }
            Some(Kind::Text(_)) => return wrong(Slip::Text, from, end),
            Some(Kind::Char(_)) => return wrong(Slip::Char, from, end),
            Some(Kind::Word(word)) => {
                if let Some(result) = lone_word(word, signed, span) {
                    return result.or_else(|slip| wrong(slip, from, end));
                }
                // `usize:MAX` was meant to be a path.
                if words::is_type(word) || words::is_camel(word) {
                    let path = tokens.is(end, ':') && tokens.word(end + 1).is_some();
                    return wrong(Slip::TypeName, from, if path { end + 2 } else { end });
                }
            }
            _ => {}
        }
    }
    if signed && tokens.dots(at) == 1 && matches!(tokens.get(at + 1).map(|t| t.kind), Some(Kind::Number(_))) {
        return wrong(Slip::Float, from, end);
    }
    if let Some((item, after)) = words::item(tokens, at)
        && after == end
    {
        let slip = match item {
            _ if signed => Slip::Signed,
            Item::Ellipsis => Slip::EllipsisAsBound,
            _ => Slip::NewAxisAsBound,
        };
        return wrong(slip, from, end);
    }
    if !signed {
        if let Some((slip, end)) = python(tokens, from, end) {
            return wrong(slip, from, end);
        }
        if tokens.word(from) == Some("const") {
            if tokens.is_group(from + 1, end, Delim::Brace) {
                return match const_block(tokens, from + 2, end - 1) {
                    None => Ok(Operand::Const(span)),
                    Some(slip) => wrong(slip, from, end),
                };
            }
            if !tokens.opens(from + 1, Delim::Brace) {
                return wrong(Slip::ConstWithoutBraces, from, end);
            }
        }
        let referred =
            if tokens.is(from, '&') { from + 1 + usize::from(tokens.word(from + 1) == Some("mut")) } else { from };
        if tokens.is_group(referred, end, Delim::Bracket) {
            return wrong(Slip::List, from, end);
        }
        for (delim, slip) in [(Delim::Bracket, Slip::List), (Delim::Paren, Slip::Tuple)] {
            if tokens.is_group(from, end, delim)
                && (delim == Delim::Bracket || from + 2 == end || whole::has_comma(tokens, from + 1, end - 1))
            {
                return wrong(slip, from, end);
            }
        }
    }
    Walk { tokens, from, end }.expression()?;
    Ok(Operand::Value(span))
}

/// A word that is an operand by itself and no variable.
fn lone_word(word: &str, signed: bool, span: super::Span) -> Option<core::result::Result<Operand, Slip>> {
    Some(match word {
        "None" if signed => Err(Slip::Signed),
        "None" => Ok(Operand::None(span)),
        "True" | "False" | "true" | "false" => Err(Slip::Bool),
        "NewAxis" | "NEWAXIS" | "newAxis" | "new_axis" => Err(Slip::OtherNewAxis),
        "null" => Err(Slip::Null),
        "_" => Err(Slip::Underscore),
        "crate" | "super" => Err(Slip::Misplaced),
        word if words::is_misplaced_keyword(word) || words::is_expression_keyword(word) && word != "self" => {
            Err(Slip::Misplaced)
        }
        word if words::is_python_operator(word) => Err(Slip::PythonOperator),
        _ => return None,
    })
}

/// A call or a name of Python's at the beginning of an operand, and where it ends.
fn python(tokens: &Tokens<'_, '_>, from: usize, end: usize) -> Option<(Slip, usize)> {
    let slip = python_slip(tokens, from, end)?;
    // Its advice is about the call alone: `np.int64(3) + 1`.
    let called = tokens.opens(from + 3, Delim::Paren);
    let to = match slip {
        Slip::PythonCall if called => tokens.after(from + 3),
        Slip::PythonCall => from + 3,
        _ => end,
    };
    Some((slip, to))
}

fn python_slip(tokens: &Tokens<'_, '_>, from: usize, end: usize) -> Option<Slip> {
    let word = tokens.word(from)?;
    if tokens.is_group(from + 1, end, Delim::Paren) {
        match word {
            "slice" | "Slice" => return Some(Slip::SliceCall),
            "range" => return Some(Slip::RangeCall),
            "list" | "array" | "asarray" | "arange" | "linspace" => return Some(Slip::ArrayCall),
            "tuple" => return Some(Slip::Tuple),
            "Axis" => return Some(Slip::AxisCall),
            _ => {}
        }
    }
    if word == "vec" && tokens.is(from + 1, '!') && tokens.after(from + 2) == end {
        return Some(Slip::ArrayCall);
    }
    if matches!(word, "s_" | "index_exp") && tokens.is_group(from + 1, end, Delim::Bracket) {
        return Some(Slip::IndexTrick);
    }
    let module = matches!(word, "np" | "numpy" | "tf" | "torch" | "jnp" | "cp" | "paddle" | "mx" | "nd");
    if tokens.dots(from + 1) == 1
        && let Some(name) = tokens.word(from + 2)
    {
        let alone = from + 3 == end;
        return match name {
            "newaxis" | "NewAxis" if alone => Some(Slip::OtherNewAxis),
            "s_" | "index_exp" if module && tokens.is_group(from + 3, end, Delim::Bracket) => Some(Slip::IndexTrick),
            "int64" | "int32" | "int16" | "int8" | "uint8" | "intp" | "inf" | "nan" | "pi" | "argmax" | "argmin"
                if module =>
            {
                Some(Slip::PythonCall)
            }
            "array" | "asarray" | "arange" | "where" | "nonzero" | "ix_" | "r_" | "c_" | "tensor" | "linspace"
                if module && !alone =>
            {
                Some(Slip::ArrayCall)
            }
            _ => None,
        };
    }
    None
}

/// What a `const` block can be seen to be, if it is no integer. The rest is for the compiler to say.
fn const_block(tokens: &Tokens<'_, '_>, from: usize, end: usize) -> Option<Slip> {
    let kind = tokens.get(from).map(|t| t.kind);
    let alone = from + 1 == end;
    match kind {
        _ if from == end => Some(Slip::ConstEmpty),
        Some(Kind::Text(_)) if alone => Some(Slip::Text),
        Some(Kind::Char(_)) if alone => Some(Slip::Char),
        Some(Kind::Punct('&', _)) => Some(Slip::ConstReference),
        Some(Kind::Word("None")) if alone => Some(Slip::ConstOption),
        Some(Kind::Word("Some")) if tokens.is_group(from + 1, end, Delim::Paren) => Some(Slip::ConstOption),
        _ => None,
    }
}

/// A walk over an expression.
struct Walk<'w, 't, 'a> {
    tokens: &'w Tokens<'t, 'a>,
    from: usize,
    end: usize,
}

impl Walk<'_, '_, '_> {
    /// Checks that the tokens can be a value.
    fn expression(&self) -> Result<()> {
        let (tokens, from, end) = (self.tokens, self.from, self.end);
        let mut at = from;
        let (mut binary, mut none) = (false, false);
        loop {
            let begin = at;
            let value = self.prefixed(at);
            at = self.value(at)?;
            at = self.suffixes(value, at)?;
            none |= at == begin + 1 && tokens.word(begin) == Some("None");
            if at >= end {
                break;
            }
            at = self.operator(value, at)?;
            binary = true;
        }
        if none {
            return wrong(Slip::NoArithmetic, from, end);
        }
        if !binary && tokens.is(from, '&') {
            return wrong(Slip::Reference, from, end);
        }
        Ok(())
    }

    /// Where a value begins behind the operators in front of it.
    fn prefixed(&self, mut at: usize) -> usize {
        let (tokens, end) = (self.tokens, self.end);
        while at < end && ['-', '!', '*', '&'].iter().any(|&c| tokens.is(at, c)) {
            at += 1;
            if tokens.is(at - 1, '&') && tokens.word(at) == Some("mut") {
                at += 1;
            }
        }
        at
    }

    /// A value with the operators in front of it.
    fn value(&self, begin: usize) -> Result<usize> {
        let (tokens, end) = (self.tokens, self.end);
        let at = self.prefixed(begin);
        let Some(token) = tokens.get(at).filter(|_| at < end) else {
            return wrong(Slip::Unfinished, begin.saturating_sub(1).max(self.from), end);
        };
        match token.kind {
            Kind::Number(_) if at > begin && tokens.is(at - 1, '*') => wrong(Slip::Stray, at - 1, at),
            Kind::Number(_) | Kind::Text(_) | Kind::Char(_) => Ok(at + 1),
            Kind::Open(_) => Ok(tokens.after(at)),
            Kind::Close(_) => wrong(Slip::Unbalanced, at, at + 1),
            Kind::Word(word) => self.word(at, word),
            Kind::Punct('+', _) if at + 1 == end => {
                wrong(Slip::Unfinished, begin.saturating_sub(1).max(self.from), end)
            }
            Kind::Punct('+', _) => wrong(Slip::UnaryPlus, at, end),
            Kind::Punct('~', _) => wrong(Slip::Tilde, at, end),
            Kind::Punct('|', _) => wrong(Slip::Closure, at, end),
            Kind::Punct('.', _) => match tokens.get(at + 1).map(|t| t.kind) {
                Some(Kind::Number(_)) if at + 2 == end => wrong(Slip::Float, begin, end),
                _ => wrong(Slip::Stray, at, at + 1),
            },
            Kind::Punct(_, _) => wrong(Slip::Stray, at, at + 1),
        }
    }

    /// A value that begins with a word.
    fn word(&self, at: usize, word: &str) -> Result<usize> {
        let (tokens, end) = (self.tokens, self.end);
        match word {
            "if" => self.branches(at),
            "match" | "while" | "for" | "loop" | "unsafe" | "const" | "async" => self.block(at),
            "move" => wrong(Slip::Closure, at, end),
            "not" if at + 1 < end => wrong(Slip::PythonOperator, at, end),
            "await" | "crate" | "super" => wrong(Slip::Misplaced, at, at + 1),
            "newaxis" | "Ellipsis" | "NewAxis" if tokens.dots(at + 1) != 1 => wrong(Slip::NoArithmetic, self.from, end),
            "None" if tokens.opens(at + 1, Delim::Paren) => wrong(Slip::NoArithmetic, self.from, end),
            "len" | "int" | "abs" | "float" if tokens.opens(at + 1, Delim::Paren) && tokens.after(at + 1) > at + 3 => {
                wrong(Slip::PythonCall, at, tokens.after(at + 1))
            }
            "True" | "False" => wrong(Slip::Bool, at, at + 1),
            _ if words::is_misplaced_keyword(word) => wrong(Slip::Misplaced, at, at + 1),
            _ if tokens.is(at + 1, '!') && matches!(tokens.get(at + 2).map(|t| t.kind), Some(Kind::Open(_))) => {
                Ok(tokens.after(at + 2))
            }
            // A struct's fields: `Pair { a, b }.a`.
            _ if words::is_camel(word) && tokens.opens(at + 1, Delim::Brace) => Ok(tokens.after(at + 1)),
            _ => Ok(at + 1),
        }
    }

    /// Up to the end of the next block.
    fn block(&self, from: usize) -> Result<usize> {
        let mut at = from + 1;
        while at < self.end {
            if self.tokens.opens(at, Delim::Brace) {
                return Ok(self.tokens.after(at));
            }
            at = self.tokens.after(at);
        }
        wrong(Slip::Unfinished, from, self.end)
    }

    /// `if .. { } else if .. { } else { }`
    fn branches(&self, from: usize) -> Result<usize> {
        let mut at = from;
        loop {
            at = self.block(at)?;
            if at >= self.end || self.tokens.word(at) != Some("else") {
                return wrong(Slip::IfWithoutElse, from, at);
            }
            if self.tokens.opens(at + 1, Delim::Brace) {
                return Ok(self.tokens.after(at + 1));
            }
            at += 1;
        }
    }

    /// Calls, fields, methods, indexing, `?` and `as`, after the value that begins at `value`.
    fn suffixes(&self, value: usize, mut at: usize) -> Result<usize> {
        let (tokens, end) = (self.tokens, self.end);
        while at < end {
            let Some(token) = tokens.get(at) else { break };
            match token.kind {
                Kind::Punct('?', _) => at += 1,
                Kind::Open(Delim::Paren) => at = tokens.after(at),
                Kind::Open(Delim::Bracket) => {
                    let after = tokens.after(at);
                    if tokens.is(at + 1, '-')
                        && matches!(tokens.get(at + 2).map(|t| t.kind), Some(Kind::Number(_)))
                        && at + 4 == after
                    {
                        return wrong(Slip::NegativeSubscript, value, after);
                    }
                    if tokens.dots(at + 1) == 3
                        || (tokens.word(at + 1) == Some("None") && at + 3 == after)
                        || whole::has_slice(tokens, at + 1, after - 1)
                        || whole::has_comma(tokens, at + 1, after - 1)
                    {
                        return wrong(Slip::NestedSlice, value, after);
                    }
                    at = after;
                }
                Kind::Punct('.', _) => {
                    let named = matches!(tokens.get(at + 1).map(|t| t.kind), Some(Kind::Word(_) | Kind::Number(_)));
                    if at + 1 >= end {
                        return wrong(Slip::Unfinished, self.from, end);
                    }
                    let number = |at: usize| matches!(tokens.get(at).map(|t| t.kind), Some(Kind::Number(_)));
                    if number(at + 1) && number(at - 1) {
                        return wrong(Slip::Float, self.from, end);
                    }
                    if tokens.dots(at) != 1 || !named {
                        return wrong(Slip::Stray, at, at + tokens.dots(at));
                    }
                    at += 2;
                }
                Kind::Word("as") => {
                    at += 1;
                    while at < end && ['&', '*'].iter().any(|&c| tokens.is(at, c)) {
                        at += 1;
                    }
                    if at >= end || !matches!(tokens.get(at).map(|t| t.kind), Some(Kind::Word(_) | Kind::Open(_))) {
                        return wrong(Slip::Unfinished, self.from, at.min(end));
                    }
                    at = tokens.after(at);
                }
                _ => break,
            }
        }
        Ok(at)
    }

    /// An operator between two values, the first of which begins at `value`.
    fn operator(&self, value: usize, at: usize) -> Result<usize> {
        let (tokens, end) = (self.tokens, self.end);
        let Some(token) = tokens.get(at) else { return Ok(at) };
        match token.kind {
            Kind::Word("if") => wrong(Slip::Conditional, self.from, end),
            Kind::Word(word) if words::is_python_operator(word) => wrong(Slip::PythonOperator, at, at + 1),
            Kind::Word(_) | Kind::Number(_) | Kind::Text(_) | Kind::Char(_) | Kind::Open(_) => {
                wrong(Slip::SideBySide, self.from, end)
            }
            Kind::Close(_) => wrong(Slip::Unbalanced, at, at + 1),
            Kind::Punct(c, joint) => {
                let next = |d: char| joint && at + 1 < end && tokens.is(at + 1, d);
                match c {
                    '=' | '-' if next('>') => wrong(Slip::Stray, at, at + 2),
                    '<' if next('-') => wrong(Slip::Stray, at, at + 2),
                    '*' if next('*') && matches!(tokens.get(at + 2).map(|t| t.kind), Some(Kind::Number(_))) => {
                        wrong(Slip::Power, value, at + 3)
                    }
                    // Where the outermost operator compares, the value is a boolean.
                    '<' | '>' if next(c) => self.no_assignment(at + 2),
                    '&' | '|' if next(c) => wrong(Slip::Comparison, self.from, end),
                    '=' | '!' if next('=') => wrong(Slip::Comparison, self.from, end),
                    '<' | '>' => wrong(Slip::Comparison, self.from, end),
                    '+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' => self.no_assignment(at + 1),
                    '=' => wrong(Slip::Assignment, self.from, end),
                    _ => wrong(Slip::Stray, at, at + 1),
                }
            }
        }
    }

    /// `+=` and its kind are no operators between values.
    fn no_assignment(&self, at: usize) -> Result<usize> {
        let touches = at < self.end && self.tokens.is(at, '=') && at > 0;
        let joint = matches!(self.tokens.get(at - 1).map(|t| t.kind), Some(Kind::Punct(_, true)));
        if touches && joint {
            return wrong(Slip::Assignment, self.from, self.end);
        }
        Ok(at)
    }
}
