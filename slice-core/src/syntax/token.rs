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
    #[inline]
    pub const fn new(first: u32, last: u32) -> Self {
        Self { first, last }
    }

    /// From the beginning of `self` to the end of `other`.
    #[must_use]
    #[inline]
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
