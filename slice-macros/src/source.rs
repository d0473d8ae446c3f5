//! Converts the compiler's tokens to those that `slice_core::syntax` reads, and positions back to
//! spans.

use proc_macro2::{Delimiter, Group, Literal, Spacing, Span, TokenStream, TokenTree};
use slice_core::syntax::{self, Delim, Kind, Token};
use std::borrow::Cow;

/// A token as text. A group is two: its opening bracket and its closing bracket.
enum Piece {
    Word(String),
    Literal(String),
    Punct(char, bool),
    Open(Delim),
    Close(Delim),
}

impl Piece {
    fn token(&self, at: u32) -> Token<'_> {
        let kind = match self {
            Self::Word(word) => Kind::Word(word),
            Self::Literal(text) if text.starts_with(|c: char| c.is_ascii_digit()) => {
                Kind::Number(text)
            }
            Self::Literal(text) if text.starts_with('\'') || text.starts_with("b'") => {
                Kind::Char(text)
            }
            Self::Literal(text) => Kind::Text(text),
            Self::Punct(c, joint) => Kind::Punct(*c, *joint),
            Self::Open(delim) => Kind::Open(*delim),
            Self::Close(delim) => Kind::Close(*delim),
        };
        Token { kind, span: syntax::Span::new(at, at) }
    }

    fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Word(text) | Self::Literal(text) => text.into(),
            Self::Punct(c, _) => c.to_string().into(),
            Self::Open(Delim::Paren) => "(".into(),
            Self::Open(Delim::Bracket) => "[".into(),
            Self::Open(Delim::Brace) => "{".into(),
            Self::Close(Delim::Paren) => ")".into(),
            Self::Close(Delim::Bracket) => "]".into(),
            Self::Close(Delim::Brace) => "}".into(),
            Self::Open(Delim::Invisible) | Self::Close(Delim::Invisible) => "".into(),
        }
    }
}

/// The tokens of an invocation: as trees for the output, and flat for the parser.
#[derive(Default)]
pub(crate) struct Source {
    /// The outermost tokens.
    trees: Vec<TokenTree>,
    /// The position of the first piece of each.
    begins: Vec<u32>,
    pieces: Vec<(Piece, Span)>,
}

impl Source {
    pub(crate) fn new(tokens: TokenStream) -> Self {
        let mut source = Self::default();
        for tree in tokens {
            source.outermost_tree(tree);
        }
        source
    }

    fn outermost_tree(&mut self, tree: TokenTree) {
        match tree {
            // `$l` of another macro that is a lifetime is two tokens.
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::None && is_lifetime(&group.stream()) =>
            {
                for tree in group.stream() {
                    self.outermost_tree(tree);
                }
            }
            tree => {
                self.begins.push(self.position());
                self.flatten(&tree);
                self.trees.push(visible(tree));
            }
        }
    }

    fn position(&self) -> u32 {
        u32::try_from(self.pieces.len()).unwrap_or(u32::MAX)
    }

    fn piece(&mut self, piece: Piece, span: Span) {
        self.pieces.push((piece, span));
    }

    fn flatten(&mut self, tree: &TokenTree) {
        match tree {
            TokenTree::Ident(ident) => self.piece(Piece::Word(ident.to_string()), ident.span()),
            TokenTree::Punct(p) => {
                self.piece(Piece::Punct(p.as_char(), p.spacing() == Spacing::Joint), p.span())
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                // Only another proc macro can make a literal with a sign.
                if let Some(digits) = text.strip_prefix('-') {
                    self.piece(Piece::Punct('-', false), literal.span());
                    self.piece(Piece::Literal(digits.into()), literal.span());
                } else {
                    let bare = quoted_number(literal, &text).map(str::to_owned);
                    self.piece(Piece::Literal(bare.unwrap_or(text)), literal.span());
                }
            }
            TokenTree::Group(group) => {
                let delim = match group.delimiter() {
                    Delimiter::Parenthesis => Delim::Paren,
                    Delimiter::Bracket => Delim::Bracket,
                    Delimiter::Brace => Delim::Brace,
                    Delimiter::None => Delim::Invisible,
                };
                if delim == Delim::Invisible && is_simple(&group.stream()) {
                    // `s![$e]` with `$e` one token or a block: as if it stood there.
                    for tree in group.stream() {
                        self.flatten(&tree);
                    }
                    return;
                }
                self.piece(Piece::Open(delim), group.span_open());
                for tree in group.stream() {
                    self.flatten(&tree);
                }
                self.piece(Piece::Close(delim), group.span_close());
            }
        }
    }

    /// The tokens for the parser; positions are indices for [`Source::span`].
    pub(crate) fn tokens(&self) -> Vec<Token<'_>> {
        (0..).zip(&self.pieces).map(|(at, (piece, _))| piece.token(at)).collect()
    }

    /// The outermost tokens.
    pub(crate) fn outermost(&self) -> &[TokenTree] {
        &self.trees
    }

    /// The outermost tokens within a span.
    pub(crate) fn trees(&self, span: syntax::Span) -> &[TokenTree] {
        // A span may begin inside of a token that was split; then that token counts.
        let from = self.begins.partition_point(|&at| at <= span.first).saturating_sub(1);
        let to = self.begins.partition_point(|&at| at <= span.last);
        self.trees.get(from..to).unwrap_or_default()
    }

    /// The compiler's spans of the first and the last token.
    pub(crate) fn span(&self, span: syntax::Span) -> (Span, Span) {
        let get =
            |at: u32| self.pieces.get(at as usize).map_or_else(Span::call_site, |&(_, span)| span);
        (get(span.first), get(span.last))
    }

    /// The tokens as the user wrote them, on one line; the first of them if they are many, because
    /// the compiler looks for a place on a long line from its beginning.
    pub(crate) fn text(&self, span: syntax::Span) -> String {
        let is_word = |c: char| c == '_' || c.is_alphanumeric();
        const MOST: usize = 2000;
        let mut text = String::new();
        let mut end: Option<(usize, usize)> = None;
        let (first, last) = (span.first as usize, span.last as usize);
        for (piece, place) in self.pieces.get(first..=last).unwrap_or_default() {
            if text.len() > MOST {
                text.push('\u{2026}');
                break;
            }
            let token = piece.text();
            if token.is_empty() {
                continue;
            }
            let start = place.start();
            // A space where the user had any space or line break.
            let apart = end.is_some_and(|end| (start.line, start.column) > end);
            if apart || (text.ends_with(is_word) && token.starts_with(is_word)) {
                text.push(' ');
            }
            text.push_str(&token);
            let stop = place.end();
            end = Some((stop.line, stop.column));
        }
        text
    }
}

/// What a macro matched as `$e`, such as `a + b`, as one value: the compiler drops the invisible
/// brackets around it where a proc macro puts them at the top of what it makes.
fn visible(tree: TokenTree) -> TokenTree {
    let TokenTree::Group(group) = &tree else { return tree };
    if group.delimiter() != Delimiter::None {
        return tree;
    }
    let mut inside = group.stream().into_iter();
    if let (Some(only), None) = (inside.next(), inside.next()) {
        return visible(only);
    }
    let mut visible = Group::new(Delimiter::Parenthesis, group.stream());
    // No user wrote these, so no lint speaks of them.
    visible.set_span(Span::mixed_site().located_at(group.span()));
    visible.into()
}

/// The digits of `7usize` where `quote!` of another macro has written it for a `7` of its own.
fn quoted_number<'t>(literal: &Literal, text: &'t str) -> Option<&'t str> {
    let suffixes = ["8", "16", "32", "64", "128", "size"];
    let digits = suffixes.iter().find_map(|suffix| text.strip_suffix(suffix))?;
    let digits = digits.strip_suffix(['i', 'u'])?;
    let plain = digits.bytes().all(|digit| digit.is_ascii_digit());
    (plain && literal.span().source_text().as_deref() != Some(text)).then_some(digits)
}

/// `'a`
fn is_lifetime(tokens: &TokenStream) -> bool {
    let mut tokens = tokens.clone().into_iter();
    let quote = matches!(tokens.next(), Some(TokenTree::Punct(p)) if p.as_char() == '\'');
    quote && matches!((tokens.next(), tokens.next()), (Some(TokenTree::Ident(_)), None))
}

/// `5`, `-5`, `name`, `{ block }`, `'a`
fn is_simple(tokens: &TokenStream) -> bool {
    if is_lifetime(tokens) {
        return true;
    }
    let mut tokens = tokens.clone().into_iter();
    match (tokens.next(), tokens.next(), tokens.next()) {
        (Some(_), None, _) => true,
        (Some(TokenTree::Punct(p)), Some(TokenTree::Literal(_)), None) => p.as_char() == '-',
        _ => false,
    }
}
