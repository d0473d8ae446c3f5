//! What the parser reads: tokens with opaque positions.

/// Where something stands: the position of its first and of its last token.
///
/// In a text these are byte offsets, `last` one past the end. In the macro they are indices into a
/// table of compiler spans, `last` being the last token itself. The parser only carries them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Position of the first token.
    pub first: u32,
    /// Position of the last token (in a text: the byte after it).
    pub last: u32,
}

impl Span {
    /// A span from `first` to `last`.
    #[must_use]
    pub const fn new(first: u32, last: u32) -> Self {
        Self { first, last }
    }

    /// From the beginning of `self` to the end of `other`.
    #[must_use]
    pub const fn to(self, other: Self) -> Self {
        Self { first: self.first, last: other.last }
    }
}

/// The brackets around a group of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delim {
    /// `( )`
    Paren,
    /// `[ ]`
    Bracket,
    /// `{ }`
    Brace,
    /// The invisible ones that a `macro_rules!` fragment such as `$e:expr` arrives in.
    Invisible,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<'a> {
    /// A name or a keyword, `_` included.
    Word(&'a str),
    /// A number, as written: `0x10`, `1_000`, `2usize`, `1.5`.
    Number(&'a str),
    /// A string, as written, with its prefix and quotes.
    Text(&'a str),
    /// A character or byte, as written, with its prefix and quotes.
    Char(&'a str),
    /// One character of punctuation; `true` if the next token is punctuation that touches it.
    Punct(char, bool),
    /// An opening bracket.
    Open(Delim),
    /// A closing bracket.
    Close(Delim),
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind<'a>,
    /// Where it stands.
    pub span: Span,
}

impl<'a> Token<'a> {
    /// The word, if it is one.
    pub(super) const fn word(self) -> Option<&'a str> {
        match self.kind {
            Kind::Word(w) => Some(w),
            _ => None,
        }
    }

    /// Whether it is this character of punctuation.
    pub(super) fn is(self, c: char) -> bool {
        matches!(self.kind, Kind::Punct(p, _) if p == c)
    }

    /// Whether it is this character and touches the next token, which is punctuation too.
    pub(super) fn is_joint(self, c: char) -> bool {
        matches!(self.kind, Kind::Punct(p, true) if p == c)
    }
}

/// A list of tokens with the partner of every bracket worked out.
pub(super) struct Tokens<'t, 'a> {
    list: &'t [Token<'a>],
    /// For an opening bracket the position of its closing one; otherwise its own position.
    partner: alloc::vec::Vec<usize>,
    /// The first bracket without a partner.
    pub(super) stray: Option<Span>,
}

impl<'t, 'a> Tokens<'t, 'a> {
    #[expect(clippy::indexing_slicing, reason = "only indices of tokens are kept")]
    pub(super) fn new(list: &'t [Token<'a>]) -> Self {
        let mut partner: alloc::vec::Vec<usize> = (0..list.len()).collect();
        let mut open = alloc::vec::Vec::new();
        let mut stray = None;
        for (i, token) in list.iter().enumerate() {
            match token.kind {
                Kind::Open(delim) => open.push((i, delim)),
                Kind::Close(delim) => match open.pop() {
                    Some((o, d)) if d == delim => partner[o] = i,
                    Some((o, _)) => {
                        stray = stray.or(Some(list[o].span));
                        stray = stray.or(Some(token.span));
                    }
                    None => stray = stray.or(Some(token.span)),
                },
                _ => {}
            }
        }
        if let Some(&(o, _)) = open.first() {
            stray = stray.or(Some(list[o].span));
        }
        Self { list, partner, stray }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, i: usize) -> Option<Token<'a>> {
        self.list.get(i).copied()
    }

    /// The token after the one at `i`, a whole group being one.
    #[expect(clippy::arithmetic_side_effects, reason = "the index of a token")]
    pub(super) fn after(&self, i: usize) -> usize {
        self.partner.get(i).map_or(self.len(), |p| p + 1)
    }

    pub(super) fn is(&self, i: usize, c: char) -> bool {
        self.get(i).is_some_and(|t| t.is(c))
    }

    pub(super) fn is_joint(&self, i: usize, c: char) -> bool {
        self.get(i).is_some_and(|t| t.is_joint(c))
    }

    pub(super) fn word(&self, i: usize) -> Option<&'a str> {
        self.get(i).and_then(Token::word)
    }

    pub(super) fn opens(&self, i: usize, delim: Delim) -> bool {
        self.get(i).is_some_and(|t| t.kind == Kind::Open(delim))
    }

    /// Whether `i..end` is exactly one group of this kind.
    #[expect(clippy::arithmetic_side_effects, reason = "i opens a group here, so it is the index of a token")]
    pub(super) fn is_group(&self, i: usize, end: usize, delim: Delim) -> bool {
        self.opens(i, delim) && self.after(i) == end && end > i + 1
    }

    /// How many dots stand here that touch each other; 4 stands for more as well.
    #[expect(clippy::arithmetic_side_effects, reason = "i is the index of a token wherever n is above 0")]
    pub(super) fn dots(&self, i: usize) -> usize {
        let mut n = 0;
        while n < 4 && self.is(i + n, '.') {
            n += 1;
            if !self.is_joint(i + n - 1, '.') {
                break;
            }
        }
        n
    }

    /// Two colons that touch.
    #[expect(clippy::arithmetic_side_effects, reason = "i is the index of a token here")]
    pub(super) fn is_two_colons(&self, i: usize) -> bool {
        self.is_joint(i, ':') && self.is(i + 1, ':')
    }

    /// The span of the tokens `from..to`, which must not be empty; of the nearest token otherwise.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "`from` is at most the number of tokens, and the greater of the two is above 0"
    )]
    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        let last = self.len().saturating_sub(1);
        let first = self.get(from.min(last)).map_or(Span::new(0, 0), |t| t.span);
        let to = to.max(from + 1) - 1;
        first.to(self.get(to.min(last)).map_or(first, |t| t.span))
    }
}
