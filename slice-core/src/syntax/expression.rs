//! The outline of Rust's expressions: where one ends, and whether something in it is missing or has
//! no place there. It is exact in brackets, operators and keywords. What stands in braces and after
//! the `!` of a macro is left to the compiler.
//!
//! A value of a slice is such an expression, but for what cannot be a number (a comparison, a
//! range, a tuple) and what is another language's.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "positions are at most the number of tokens, and a few are added; before one is \
              taken away, `at` was advanced or compared"
)]

use super::item::{Operand, lone_item};
use super::number;
use super::token::{Delim, Kind, Span};
use super::tokens::Tokens;
use crate::messages::{SyntaxError, advice, int, keywords};

type Result<T> = core::result::Result<T, (SyntaxError, Span)>;

/// How deep brackets are looked into. The compiler checks what is deeper.
const DEPTH: u8 = 32;

/// Checks that the tokens `from..end` can be a value, and says which kind of operand it is.
#[inline]
pub(super) fn check(
    tokens: &Tokens<'_, '_>,
    mut from: usize,
    mut end: usize,
) -> Result<fn(Span) -> Operand> {
    let walk = Walk { tokens, from, end };
    walk.operand()?;
    // `(-n)`, and `-n` from another macro.
    while tokens.is_group(from, end, Delim::Paren) || tokens.is_group(from, end, Delim::Invisible) {
        (from, end) = (from + 1, end - 1);
    }
    Ok(Walk { tokens, from, end }.kind())
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// In a slice.
    Operand,
    /// In brackets.
    Inside,
    /// Between `if`, `match`, `while` or `in` and the body, which begins with the first brace after
    /// a value.
    Head,
}

#[derive(Clone, Copy)]
struct Place {
    /// The end of the tokens that it may take.
    end: usize,
    role: Role,
    depth: u8,
}

/// An expression, as far as it was read.
#[derive(Default)]
struct Read {
    /// Where its last value begins, with the operators in front of it.
    begin: usize,
    /// The same without these operators.
    value: usize,
    /// The token after it.
    at: usize,
    /// Whether operators stand between values.
    binary: bool,
    /// Whether the last value is cast to a type that may not hold all bounds.
    narrowed: bool,
    /// Whether it is a range.
    range: bool,
    /// Whether it is a boolean: it compares, or joins booleans.
    compared: bool,
}

/// What brackets enclose, as far as it was read.
struct List {
    /// The closing bracket, or a colon or an ellipsis that is not Rust's.
    stop: usize,
    comma: bool,
    range: bool,
    /// Whether one of the values is an entry, and not a number.
    entry: bool,
    /// Whether one of the values is a boolean.
    compared: bool,
}

/// A walk over a value of a slice.
struct Walk<'w, 't, 'a> {
    tokens: &'w Tokens<'t, 'a>,
    from: usize,
    end: usize,
}

impl Walk<'_, '_, '_> {
    /// Returns a mistake in the tokens `from..to`.
    #[inline]
    fn wrong<T>(&self, error: SyntaxError, from: usize, to: usize) -> Result<T> {
        Err((error, self.tokens.span(from, to)))
    }

    /// A token, or a whole group, that cannot stand here. After `not` it could in Python.
    #[inline]
    fn not_rust<T>(&self, at: usize) -> Result<T> {
        let python = |&at: &usize| self.tokens.word(at).is_some_and(keywords::is_python_operator);
        match [at, at.saturating_sub(1)].into_iter().find(python) {
            Some(at) => self.wrong(SyntaxError::PythonOperator, at, at + 1),
            None => self.wrong(SyntaxError::NotRust, at, self.tokens.after(at)),
        }
    }

    #[inline]
    fn place(&self) -> Place {
        Place { end: self.end, role: Role::Operand, depth: DEPTH }
    }

    /// Checks that the tokens can be a value.
    #[inline]
    fn operand(&self) -> Result<()> {
        let (tokens, from, end) = (self.tokens, self.from, self.end);
        let read = self.expression(from, self.place())?;
        if read.at < end {
            let (error, from, to) = self.after_value(&read);
            return self.wrong(error, from, to);
        }
        let none = |at: usize| tokens.word(at) == Some("None") && !tokens.is(at + 1, '.');
        if read.binary && tokens.outer(from, end).any(none) {
            return self.wrong(SyntaxError::EntryAsNumber, from, end);
        }
        if !read.binary && tokens.is(from, '&') {
            let list = tokens.is_group(from + 1, end, Delim::Bracket);
            let error = if list { SyntaxError::List } else { SyntaxError::Reference };
            return self.wrong(error, from, end);
        }
        Ok(())
    }

    /// Which kind of operand it is, by the minus sign, or more of them, at its beginning.
    ///
    /// Then comes a single value (a name or a path, a call, something in brackets, an `if`, with
    /// what follows it, and with `*` before it), or a product of some, and either nothing or the
    /// terms of a sum. Every other calculation follows Rust's rules: a quotient, what binds less
    /// tightly (`-n - 1 << 2`), a sum with keywords, a literal.
    #[inline]
    fn kind(&self) -> fn(Span) -> Operand {
        let (tokens, from, end) = (self.tokens, self.from, self.end);
        let mut begin = from;
        for sign in ['-', '*'] {
            while tokens.is(begin, sign) {
                begin += 1;
            }
        }
        let inside = Place { role: Role::Inside, ..self.place() };
        let mut read = Read { at: from, ..Read::default() };
        if !tokens.is(from, '-') || !self.factor(&mut read, begin, inside) {
            return Operand::Value;
        }
        // `-128` fits `i8`, 128 does not.
        let large = |text| int::value(text, false).is_none_or(|n| n > 127);
        let large = matches!(tokens.kind(begin), Some(Kind::Number(text)) if large(text));
        // `-n * m` is `-(n * m)`. The operator may also be `*=` or Python's `**`.
        while tokens.is(read.at, '*')
            && !large
            && self.operator(read.at, inside) == Some(read.at + 1)
        {
            read.at += 1;
            let begin = read.at;
            if tokens.is(begin, '*') || !self.factor(&mut read, begin, inside) {
                return Operand::Value;
            }
        }
        let odd = |at| match tokens.kind(at) {
            Some(Kind::Punct(c, _)) => "&|^<>=".contains(c),
            Some(Kind::Word(word)) => matches!(word, "if" | "match" | "while" | "for"),
            _ => false,
        };
        let added = tokens.is(read.at, '+') || tokens.is(read.at, '-');
        if read.at == end {
            let literal = tokens.is_number(begin) && begin + 1 == end;
            if literal { Operand::Value } else { Operand::Signed }
        } else if added && !large && !tokens.is(from + 1, '-') && !tokens.outer(from, end).any(odd)
        {
            Operand::Sum
        } else {
            Operand::Value
        }
    }

    /// Reads a value, and returns whether it begins at `begin`, behind signs, and may be negated
    /// after a cast instead of before it.
    #[inline]
    fn factor(&self, read: &mut Read, begin: usize, place: Place) -> bool {
        self.value(read, place).is_ok() && read.value == begin && !read.narrowed
    }

    /// Reads an expression as far as it goes.
    #[inline]
    fn expression(&self, begin: usize, place: Place) -> Result<Read> {
        let mut read = Read { at: begin, ..Read::default() };
        loop {
            self.value(&mut read, place)?;
            let Some(next) = self.operator(read.at, place) else { return Ok(read) };
            if self.tokens.is(read.at, '.') {
                read.range = true;
                if !self.begins_value(next, place) {
                    read.at = next;
                    return Ok(read);
                }
            }
            read.compared |= self.compares(read.at);
            (read.at, read.binary) = (next, true);
        }
    }

    /// Whether the operator that begins here gives a boolean.
    #[inline]
    fn compares(&self, at: usize) -> bool {
        let tokens = self.tokens;
        let twice = |c| tokens.is_joint(at, c) && tokens.is(at + 1, c);
        let shift = twice('<') || twice('>');
        ["==", "!=", "&&", "||"].iter().any(|two| {
            let mut two = two.chars();
            two.next().is_some_and(|c| tokens.is_joint(at, c))
                && two.next().is_some_and(|c| tokens.is(at + 1, c))
        }) || !shift && (tokens.is(at, '<') || tokens.is(at, '>'))
    }

    /// The end of the binary operator that begins here, if there is one.
    #[inline]
    fn operator(&self, at: usize, place: Place) -> Option<usize> {
        let tokens = self.tokens;
        let Some(Kind::Punct(c, joint)) = tokens.kind(at).filter(|_| at < place.end) else {
            return None;
        };
        let second = |at: usize| match tokens.kind(at) {
            Some(Kind::Punct(c, joint)) if at < place.end => (c, joint),
            _ => (' ', false),
        };
        let (next, more) = if joint { second(at + 1) } else { (' ', false) };
        let equals = |at: usize| usize::from(more && second(at).0 == '=');
        let operand = place.role == Role::Operand;
        let len = match (c, next) {
            ('.', '.') if tokens.dots(at) == 2 => 2 + equals(at + 2),
            ('=' | '-', '>') | ('<', '-') => return None,
            ('*', '*') if operand => return None,
            ('<', '<') | ('>', '>') => 2 + equals(at + 2),
            ('&', '&') | ('|', '|') | ('!' | '=' | '<' | '>', '=') => 2,
            ('+' | '-' | '*' | '/' | '%' | '^' | '&' | '|', '=') => 2,
            ('+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' | '<' | '>' | '=', _) => 1,
            _ => return None,
        };
        // What gives no number is not part of a value.
        let number = match (c, next) {
            ('.' | '!' | '=', _) | ('&', '&') | ('|', '|') => false,
            ('<', _) | ('>', _) => next == c && len == 2,
            _ => next != '=',
        };
        (number || !operand).then_some(at + len)
    }

    /// Whether a value can begin here, where one may also be left out.
    #[inline]
    fn begins_value(&self, at: usize, place: Place) -> bool {
        match self.tokens.kind(at).filter(|_| at < place.end) {
            None | Some(Kind::Close(_)) => false,
            Some(Kind::Open(Delim::Brace)) => place.role != Role::Head,
            Some(Kind::Punct(c, _)) => !matches!(c, ',' | ';' | '=' | '?') && !self.is_slice(at),
            Some(Kind::Word(word)) => word != "else" && word != "as",
            Some(_) => true,
        }
    }

    /// A colon that is not Rust's, or an ellipsis.
    #[inline]
    fn is_slice(&self, at: usize) -> bool {
        let tokens = self.tokens;
        tokens.is(at, ':') && !tokens.goes_on(at) || tokens.dots(at) == 3
    }

    /// Reads a value with the operators in front of it and what follows it.
    #[inline]
    fn value(&self, read: &mut Read, place: Place) -> Result<()> {
        let (tokens, inside) = (self.tokens, place.role != Role::Operand);
        let begin = read.at;
        let mut at = begin;
        while at < place.end {
            at = match tokens.kind(at) {
                Some(Kind::Punct('-' | '!' | '*', _)) => at + 1,
                Some(Kind::Punct('&', _)) => {
                    let raw = tokens.word(at + 1) == Some("raw")
                        && matches!(tokens.word(at + 2), Some("const" | "mut"));
                    at + 1 + if raw { 2 } else { usize::from(tokens.word(at + 1) == Some("mut")) }
                }
                Some(Kind::Punct('\'', true)) if tokens.ends_label(at + 2) => at + 3,
                Some(Kind::Punct('#', _)) if inside => tokens.after(at + 1),
                // The parameters of a closure.
                Some(Kind::Punct('|', _)) if inside && tokens.after(at) > at + 1 => {
                    self.body(tokens.after(at), place.end)
                }
                Some(Kind::Punct('.', _)) if inside && tokens.dots(at) == 2 => {
                    read.range = true;
                    let joint = tokens.is_joint(at + 1, '.') && tokens.is(at + 2, '=');
                    let next = at + 2 + usize::from(joint);
                    if !self.begins_value(next, place) {
                        read.at = next;
                        return Ok(());
                    }
                    next
                }
                Some(Kind::Word("let")) if inside => self.pattern(at, place.end),
                Some(Kind::Word("move" | "static" | "async"))
                    if inside
                        && (tokens.is(at + 1, '|')
                            || tokens.word(at + 1) == Some("move") && tokens.is(at + 2, '|')) =>
                {
                    at + 1
                }
                Some(Kind::Word("return" | "break" | "continue" | "yield")) if inside => {
                    let label = tokens.is_joint(at + 1, '\'') && !tokens.is(at + 3, ':');
                    let next = at + if label { 3 } else { 1 };
                    if !self.begins_value(next, place) {
                        (read.begin, read.value, read.at) = (begin, at, next);
                        return Ok(());
                    }
                    next
                }
                _ => break,
            };
        }
        (read.begin, read.value) = (begin, at);
        let bare = self.primary(begin, at, place)?;
        self.suffixes(bare, read, place)?;
        // `n / 2.0`
        if !inside
            && read.at == bare
            && matches!(tokens.kind(at), Some(Kind::Number(text))
                if number::read(text, false) == Err(SyntaxError::Float))
        {
            return self.wrong(SyntaxError::FloatTerm, at, bare);
        }
        let group = !inside && read.at == bare && !tokens.is(begin, '&');
        if group { self.group(at, place) } else { Ok(()) }
    }

    /// The body of a closure, after its parameters and its type.
    #[inline]
    fn body(&self, at: usize, end: usize) -> usize {
        let typed = self.tokens.is_joint(at, '-') && self.tokens.is(at + 1, '>');
        let is_brace = |&at: &usize| self.tokens.opens(at, Delim::Brace);
        if typed { self.tokens.outer(at, end).find(is_brace).unwrap_or(end) } else { at }
    }

    /// The value after `let pattern =`. A range in the pattern may have an `=` of its own.
    #[inline]
    fn pattern(&self, at: usize, end: usize) -> usize {
        let is_equals = |&at: &usize| self.tokens.is(at, '=') && !self.tokens.is_joint(at - 1, '.');
        self.tokens.outer(at, end).find(is_equals).map_or(end, |at| at + 1)
    }

    /// Reads a value without what stands before and after it. The operators in front of it begin at
    /// `begin`.
    #[inline]
    fn primary(&self, begin: usize, at: usize, place: Place) -> Result<usize> {
        let tokens = self.tokens;
        match tokens.kind(at) {
            _ if at >= place.end => {
                let first = if place.role == Role::Operand { self.from } else { 0 };
                let before = begin.saturating_sub(1).max(first);
                self.wrong(SyntaxError::Unfinished, before, place.end)
            }
            Some(Kind::Number(text)) => match number::read(text, false) {
                Err(SyntaxError::NotNumber) => self.wrong(SyntaxError::NotNumber, at, at + 1),
                _ => Ok(at + 1),
            },
            Some(Kind::Text(_) | Kind::Char(_)) => Ok(at + 1),
            Some(Kind::Open(Delim::Brace)) => Ok(tokens.after(at)),
            Some(Kind::Open(Delim::Invisible)) => Ok(self.path(tokens.after(at), place)),
            Some(Kind::Open(_)) => {
                let list = self.list(at, place)?;
                let after = tokens.after(at);
                let followed = after < place.end
                    && matches!(
                        tokens.kind(after),
                        Some(Kind::Open(_) | Kind::Punct('.' | '?', _))
                    );
                // What follows such a call may give a number.
                let walked = matches!(tokens.word(after + 1), Some("rev" | "step_by"))
                    && (at, tokens.after(after + 2)) == (self.from, self.end);
                if list.range && walked && tokens.is(after, '.') {
                    return self.wrong(SyntaxError::RustRange, at, self.end);
                }
                if list.stop + 1 < after && (followed || place.role != Role::Operand) {
                    return self.wrong(SyntaxError::NestedSlice, at, after);
                }
                Ok(after)
            }
            Some(Kind::Word(word)) => self.word(at, word, place),
            Some(Kind::Punct('<', _)) if tokens.after(at) > at + 1 => {
                Ok(self.path(tokens.after(at), place))
            }
            Some(Kind::Punct(':', _)) if place.role != Role::Operand && !self.is_slice(at) => {
                Ok(self.path(at, place))
            }
            Some(Kind::Punct('|', _)) if place.role != Role::Operand => {
                self.wrong(SyntaxError::Unbalanced, at, at + 1)
            }
            _ if place.role != Role::Operand => self.not_rust(at),
            _ => {
                let (error, from, to) = self.no_value(begin, at);
                self.wrong(error, from, to)
            }
        }
    }

    /// The mistake in punctuation that stands where a value of a slice has to begin.
    #[inline]
    fn no_value(&self, begin: usize, at: usize) -> (SyntaxError, usize, usize) {
        let (tokens, end) = (self.tokens, self.end);
        match tokens.kind(at) {
            Some(Kind::Punct('+', _)) if at + 1 == end => {
                (SyntaxError::Unfinished, begin.saturating_sub(1).max(self.from), end)
            }
            Some(Kind::Punct('+', _)) => (SyntaxError::UnaryPlus, at, end),
            Some(Kind::Punct('~', _)) => {
                let mut value = at;
                while self.tokens.is(value, '~') || self.tokens.is_prefix(value) {
                    value += 1;
                }
                let to = self.value_end(value).unwrap_or(end);
                (if value < end { SyntaxError::Tilde } else { SyntaxError::Unfinished }, at, to)
            }
            Some(Kind::Punct('|', _)) if tokens.after(at) > at + 1 => {
                (SyntaxError::Closure, at, end)
            }
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
                    3 if tokens.dots(at) == 3 => SyntaxError::EntryAsBound,
                    _ => SyntaxError::Dots,
                };
                (error, at, to)
            }
            Some(Kind::Punct(c, _)) => (stray(c), at, at + 1),
            _ => (SyntaxError::Unbalanced, at, at + 1),
        }
    }

    /// The end of the value that begins here.
    #[inline]
    fn value_end(&self, at: usize) -> Result<usize> {
        let mut read = Read { at, ..Read::default() };
        self.value(&mut read, self.place())?;
        Ok(read.at)
    }

    /// Reads a value that begins with a word.
    #[inline]
    fn word(&self, at: usize, word: &str, place: Place) -> Result<usize> {
        let tokens = self.tokens;
        match word {
            "if" => return self.branches(at, place),
            "match" | "while" => return self.block(self.head(at + 1, place)?, at, place),
            "for" => {
                let is_in = |&at: &usize| tokens.word(at) == Some("in");
                let list = tokens.outer(at, place.end).find(is_in).map_or(place.end, |at| at + 1);
                return self.block(self.head(list, place)?, at, place);
            }
            "loop" | "unsafe" | "const" => return self.block(at + 1, at, place),
            "async" => {
                let moved = tokens.word(at + 1) == Some("move");
                return self.block(at + 1 + usize::from(moved), at, place);
            }
            _ => {}
        }
        if place.role == Role::Operand {
            if let Some((error, from, to)) = self.not_a_number(at, word) {
                return self.wrong(error, from, to);
            }
        } else if keywords::is_misplaced_keyword(word) {
            return self.not_rust(at);
        }
        Ok(self.path(at + 1, place))
    }

    /// A word that is not the beginning of a number, and the tokens that it spoils.
    #[inline]
    fn not_a_number(&self, at: usize, word: &str) -> Option<(SyntaxError, usize, usize)> {
        let (tokens, end) = (self.tokens, self.end);
        let called = tokens.opens(at + 1, Delim::Paren);
        let field = tokens.dots(at + 1) == 1;
        Some(match word {
            "move" if tokens.is(at + 1, '|') => (SyntaxError::Closure, at, end),
            // `usize(n)`
            _ if called && keywords::is_type(word) => {
                (SyntaxError::PythonCall, at, tokens.after(at + 1))
            }
            "not" if at + 1 < end => (SyntaxError::PythonOperator, at, end),
            "await" | "crate" | "move" | "super" => (SyntaxError::Misplaced, at, at + 1),
            "newaxis" | "Ellipsis" | "NewAxis" if !field => {
                (SyntaxError::EntryAsNumber, self.from, end)
            }
            "None" if called => (SyntaxError::EntryAsNumber, self.from, end),
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
            // `n: usize = 3`
            _ if keywords::is_type(word) && tokens.is(at + 1, '=') => {
                (SyntaxError::TypeName, at, at + 1)
            }
            _ if keywords::is_misplaced_keyword(word) => (SyntaxError::Misplaced, at, at + 1),
            _ => return None,
        })
    }

    /// Reads the rest of a path, a macro's arguments and a struct's fields (`Pair { a, b }`).
    #[inline]
    fn path(&self, mut at: usize, place: Place) -> usize {
        let tokens = self.tokens;
        while at < place.end && tokens.goes_on(at) {
            at = tokens.after(at + 2);
        }
        match tokens.kind(at).filter(|_| at < place.end) {
            Some(Kind::Punct('!', _)) if matches!(tokens.kind(at + 1), Some(Kind::Open(_))) => {
                tokens.after(at + 1)
            }
            Some(Kind::Open(Delim::Brace)) if place.role != Role::Head => tokens.after(at),
            _ => at,
        }
    }

    /// Reads what stands between a keyword and its body.
    #[inline]
    fn head(&self, at: usize, place: Place) -> Result<usize> {
        let Some(depth) = place.depth.checked_sub(1) else { return Ok(place.end) };
        Ok(self.expression(at, Place { role: Role::Head, depth, ..place })?.at)
    }

    /// Reads the block at `at`, which belongs to what begins at `from`.
    #[inline]
    fn block(&self, at: usize, from: usize, place: Place) -> Result<usize> {
        if at < place.end && self.tokens.opens(at, Delim::Brace) {
            Ok(self.tokens.after(at))
        } else if at < place.end {
            self.not_rust(at)
        } else {
            self.wrong(SyntaxError::Unfinished, from, place.end)
        }
    }

    /// `if .. { } else if .. { } else { }`
    #[inline]
    fn branches(&self, from: usize, place: Place) -> Result<usize> {
        let tokens = self.tokens;
        let mut at = from;
        loop {
            at = self.block(self.head(at + 1, place)?, from, place)?;
            if at >= place.end || tokens.word(at) != Some("else") {
                return if place.role == Role::Operand {
                    self.wrong(SyntaxError::IfWithoutElse, from, at)
                } else {
                    Ok(at)
                };
            }
            at += 1;
            if tokens.word(at) != Some("if") {
                return self.block(at, from, place);
            }
        }
    }

    /// Reads what brackets enclose: expressions, with commas between them.
    #[inline]
    fn list(&self, open: usize, place: Place) -> Result<List> {
        let tokens = self.tokens;
        let end = tokens.after(open) - 1;
        let mut list =
            List { stop: end, comma: end == open + 1, range: false, entry: false, compared: false };
        let Some(depth) = place.depth.checked_sub(1) else { return Ok(list) };
        let mut at = open + 1;
        while at < end {
            if !self.is_slice(at) {
                let read = self.expression(at, Place { end, role: Role::Inside, depth })?;
                list.range |= read.range;
                list.compared |= read.compared;
                let none = tokens.word(at) == Some("None") && at + 1 == read.at;
                list.entry |= none || lone_item(tokens, at).is_some_and(|(_, to)| to == read.at);
                at = read.at;
            }
            if at < end && tokens.is_joint(at, ':') && tokens.is(at + 1, '=') {
                return self.wrong(SyntaxError::Assignment, open + 1, end);
            }
            if at < end && self.is_slice(at) {
                list.stop = at;
                break;
            }
            if at < end && tokens.word(at) == Some("for") {
                return self.wrong(SyntaxError::Comprehension, open, end + 1);
            }
            let comma = tokens.is(at, ',');
            list.comma |= comma;
            if at < end && !comma && !(tokens.is(at, ';') && tokens.opens(open, Delim::Bracket)) {
                return self.not_rust(at);
            }
            at += 1;
        }
        Ok(list)
    }

    /// What is wrong with a value that is all that these brackets enclose, if they are brackets.
    #[inline]
    fn group(&self, at: usize, place: Place) -> Result<()> {
        let after = self.tokens.after(at);
        let inside = Place { end: after - 1, role: Role::Inside, depth: place.depth };
        let joins = |at: usize| self.tokens.is(at, '*') || self.tokens.is(at, '+');
        let joined = after < place.end && joins(after) || at > self.from && joins(at - 1);
        let error = match self.tokens.kind(at) {
            Some(Kind::Open(delim @ (Delim::Paren | Delim::Bracket))) => {
                match self.list(at, place)? {
                    List { stop, .. } if stop + 1 < after => SyntaxError::BracketedSlice,
                    List { entry: true, .. } => SyntaxError::BracketedSlice,
                    List { comma: true, range: true, .. } => SyntaxError::BracketedSlice,
                    List { range: true, .. } => SyntaxError::RustRange,
                    List { comma, .. } if joined && (comma || delim == Delim::Bracket) => {
                        SyntaxError::Joined
                    }
                    _ if delim == Delim::Bracket => SyntaxError::List,
                    List { comma: true, .. } => SyntaxError::Tuple,
                    // `(x > 1) & (x < 3)`
                    List { compared: true, .. } => {
                        return self.wrong(SyntaxError::Comparison, self.from, self.end);
                    }
                    // `((1, 2))`
                    _ if self.tokens.after(at + 1) + 1 == after => {
                        let Some(depth) = place.depth.checked_sub(1) else { return Ok(()) };
                        match self.group(at + 1, Place { depth, ..place }) {
                            Err((error, _)) => error,
                            fine => return fine,
                        }
                    }
                    _ => return Ok(()),
                }
            }
            // A set or a dictionary has no statements.
            Some(Kind::Open(Delim::Brace)) if at + 2 < after => {
                match self.expression(at + 1, inside) {
                    Ok(Read { at, .. }) if self.tokens.is(at, ',') || self.is_slice(at) => {
                        SyntaxError::Braces
                    }
                    Ok(Read { at, range: true, .. }) if at + 1 == after => SyntaxError::RustRange,
                    _ => return Ok(()),
                }
            }
            _ => return Ok(()),
        };
        self.wrong(error, at, after)
    }

    /// Reads calls, fields, methods, indexing, `?` and `as`, from `at` on.
    #[inline]
    fn suffixes(&self, mut at: usize, read: &mut Read, place: Place) -> Result<()> {
        let (tokens, end, value) = (self.tokens, place.end, read.value);
        read.narrowed = false;
        while at < end {
            let after = tokens.after(at);
            at = match tokens.kind(at) {
                Some(Kind::Punct('?', _)) => at + 1,
                Some(Kind::Open(Delim::Paren)) => {
                    if self.list(at, place)?.stop + 1 < after {
                        return self.wrong(SyntaxError::NestedSlice, value, after);
                    }
                    after
                }
                Some(Kind::Open(Delim::Bracket)) => {
                    let list = self.list(at, place)?;
                    if list.stop + 1 < after || list.comma || list.entry {
                        let whole = value == self.from && after == self.end;
                        let error =
                            if whole { SyntaxError::SlicedArray } else { SyntaxError::NestedSlice };
                        return self.wrong(error, value, after);
                    }
                    after
                }
                Some(Kind::Punct('.', _)) if tokens.dots(at) == 1 => {
                    let number = tokens.is_number(at + 1);
                    if at + 1 >= end {
                        return self.wrong(SyntaxError::Unfinished, at, end);
                    } else if number && at == value + 1 && tokens.is_number(value) {
                        return self.wrong(SyntaxError::Float, self.from, self.end);
                    } else if number {
                        at + 2
                    } else if tokens.word(at + 1).is_some() {
                        let generic = tokens.is_two_colons(at + 2) && tokens.is(at + 4, '<');
                        if generic { tokens.after(at + 4) } else { at + 2 }
                    } else if place.role == Role::Operand {
                        return self.wrong(SyntaxError::Stray, at, at + 1);
                    } else {
                        return self.not_rust(at + 1);
                    }
                }
                Some(Kind::Punct('.', _)) if place.role == Role::Operand => {
                    return self.wrong(SyntaxError::Stray, at, at + tokens.dots(at));
                }
                Some(Kind::Word("as")) => match self.type_end(at + 1, end) {
                    Some(to) => {
                        let wide = ["i64", "isize", "i128"];
                        let to_wide = tokens.word(to - 1).is_some_and(|it| wide.contains(&it));
                        read.narrowed |= !to_wide;
                        to
                    }
                    None => return self.wrong(SyntaxError::Unfinished, at, (at + 1).min(end)),
                },
                _ => break,
            };
        }
        read.at = at;
        Ok(())
    }

    /// The end of a type after `as`.
    #[inline]
    fn type_end(&self, mut at: usize, end: usize) -> Option<usize> {
        const BEFORE: &[&str] = &["const", "mut", "dyn", "unsafe", "extern", "fn", "for"];
        let tokens = self.tokens;
        // `dyn Fn(A) -> B`
        let function = |at, object| object && tokens.opens(at, Delim::Paren);
        let mut object = false;
        while at < end {
            let after = tokens.after(at);
            object |= tokens.word(at) == Some("dyn");
            // A function's types are followed by the type of its result.
            let arrow = tokens.is_joint(after, '-') && tokens.is(after + 1, '>');
            at = match tokens.kind(at)? {
                Kind::Punct('&' | '*', _) | Kind::Text(_) => at + 1,
                Kind::Punct('\'', _) => at + 2,
                Kind::Word(word) if BEFORE.contains(&word) => at + 1,
                Kind::Open(Delim::Paren) if arrow => after + 2,
                Kind::Punct('!', _) | Kind::Open(Delim::Paren | Delim::Bracket) => {
                    return Some(after);
                }
                Kind::Punct('<', _) if after > at + 1 => after,
                Kind::Punct(':', true) => at + 2,
                Kind::Word(_) | Kind::Open(Delim::Invisible) => {
                    let generic = after + 2 * usize::from(tokens.is_two_colons(after));
                    // What is not closed compares.
                    let closed = tokens.is(generic, '<') && tokens.after(generic) > generic + 1;
                    let at = if closed { tokens.after(generic) } else { after };
                    let path =
                        at < end && tokens.is_two_colons(at) && tokens.word(at + 2).is_some();
                    if !path && !function(at, object) {
                        return Some(at);
                    }
                    at
                }
                _ => return None,
            };
        }
        None
    }

    /// The mistake in what follows a value of a slice and does not belong to it.
    #[inline]
    fn after_value(&self, read: &Read) -> (SyntaxError, usize, usize) {
        let (tokens, from, end) = (self.tokens, self.from, self.end);
        let Read { begin, value, at, .. } = *read;
        // The next character, if it touches this one.
        let next = match (tokens.kind(at), tokens.kind(at + 1)) {
            (Some(Kind::Punct(_, true)), Some(Kind::Punct(next, _))) if at + 1 < end => next,
            _ => ' ',
        };
        match tokens.kind(at) {
            Some(Kind::Word("if")) => (SyntaxError::Conditional, from, end),
            // `-n or None`
            Some(Kind::Word("or")) if tokens.word(at + 1) == Some("None") && at + 2 == end => {
                (SyntaxError::Conditional, from, end)
            }
            Some(Kind::Word(word)) if keywords::is_python_operator(word) => {
                (SyntaxError::PythonOperator, at, at + 1)
            }
            // `5 downTo 0`, `n then m`
            Some(Kind::Word(word))
                if at + 1 < end
                    && !keywords::is_type(word)
                    && matches!(tokens.kind(at + 1), Some(Kind::Word(_) | Kind::Number(_))) =>
            {
                (SyntaxError::PythonOperator, at, at + 1)
            }
            Some(Kind::Close(_)) => (SyntaxError::Unbalanced, at, at + 1),
            Some(Kind::Text(_) | Kind::Char(_)) => (SyntaxError::Text, at, at + 1),
            Some(Kind::Punct(c, _)) => match (c, next) {
                ('=' | '-', '>') | ('<', '-') => (SyntaxError::Stray, at, at + 2),
                ('*', '*') => {
                    // Python begins with the last one.
                    let (mut base, mut to) = (value, self.value_end(at + 2).unwrap_or(end));
                    let mut begin = at + 2;
                    while to + 1 < end && tokens.is_joint(to, '*') && tokens.is(to + 1, '*') {
                        (base, begin) = (begin, to + 2);
                        to = self.value_end(begin).unwrap_or(end);
                    }
                    (SyntaxError::Power, base, to)
                }
                // Where the outermost operator compares, the value is a boolean.
                ('&', '&') | ('|', '|') | ('=' | '!', '=') => (self.comparison(at), from, end),
                ('<' | '>', _) if next != c => (self.comparison(at), from, end),
                ('=' | '+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' | '<' | '>', _) => {
                    (SyntaxError::Assignment, from, end)
                }
                _ => (stray(c), at, at + 1),
            },
            _ => {
                let ternary = at > 0 && tokens.is(at - 1, '?');
                let error = if ternary { SyntaxError::Ternary } else { SyntaxError::SideBySide };
                (error, begin, tokens.after(at))
            }
        }
    }

    /// The mistake in a comparison: `n > 1`, or the beginning of `n > 1 ? 2 : 3`.
    #[inline]
    fn comparison(&self, at: usize) -> SyntaxError {
        let tokens = self.tokens;
        let asks = |at| tokens.is(at, '?') && at + 1 < self.end && tokens.dots(at + 1) == 0;
        let ternary = tokens.outer(at, self.end).any(asks);
        if ternary { SyntaxError::Ternary } else { SyntaxError::Comparison }
    }
}

/// The mistake in punctuation that means nothing.
#[inline]
fn stray(c: char) -> SyntaxError {
    if advice::ascii_for(c).is_some() { SyntaxError::Lookalike } else { SyntaxError::Stray }
}
