//! Items as an expression.

use crate::error;
use crate::source::Source;
use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use slice_core::syntax::{self, Item, Items, Operand, parse};
use slice_core::{Entry, SpecBuf};

/// The expression for a slice, or its mistakes.
pub(crate) fn slice(krate: &TokenTree, tokens: TokenStream) -> TokenStream {
    let source = Source::new(tokens);
    match parse(&source.tokens(), false) {
        Ok(items) => Expand { krate, source: &source }.slice(&items),
        Err(mistakes) => error::report(&source, &mistakes),
    }
}

/// How much of a slice is known when.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// To the macro.
    Now,
    /// To the compiler, by `const { .. }`.
    InConst,
    /// When the program runs.
    AtRunTime,
}

struct Expand<'a> {
    krate: &'a TokenTree,
    source: &'a Source,
}

impl Expand<'_> {
    fn slice(&self, items: &Items) -> TokenStream {
        let known = items.iter().map(|(item, _)| known(item)).max().unwrap_or(Known::Now);
        let entries: Vec<Entry> = items.iter().map(|(item, _)| item.entry()).collect();
        let count = |f: fn(&Item) -> bool| items.iter().filter(|(item, _)| f(item)).count();
        let counts = [
            items.len(),
            count(|item| matches!(item, Item::Index(_) | Item::Range { .. })),
            count(|item| matches!(item, Item::Index(_))),
            count(|item| matches!(item, Item::NewAxis)),
        ];
        let arguments = match known {
            Known::Now => self.literal(&entries),
            _ => {
                let mut list = TokenStream::new();
                for (item, _) in items {
                    list.extend(self.item(*item, known));
                    list.extend([punct(',')]);
                }
                group(Delimiter::Bracket, list).into()
            }
        };
        let function = if known == Known::Now { "spec" } else { "build" };
        let mut call = self.path(function);
        call.extend([joint(':'), punct(':'), punct('<')]);
        for (i, count) in counts.into_iter().enumerate() {
            if i > 0 {
                call.extend([punct(',')]);
            }
            call.extend([TokenTree::from(Literal::usize_unsuffixed(count))]);
        }
        call.extend([punct('>'), group(Delimiter::Parenthesis, arguments)]);
        if known == Known::AtRunTime { call } else { constant(call) }
    }

    /// The arrays and masks of a slice that is known.
    fn literal(&self, entries: &[Entry]) -> TokenStream {
        let Ok(spec) = SpecBuf::from_entries(entries) else {
            // The parser has held the entries against the same rules.
            return TokenStream::new();
        };
        let masks = spec.masks();
        let masks = [masks.begin, masks.end, masks.ellipsis, masks.new_axis, masks.shrink_axis].map(i64::from);
        let mut out = TokenStream::new();
        for values in [spec.begin(), spec.end(), spec.strides(), &masks] {
            let mut list = Vec::with_capacity(3 * values.len());
            for &value in values {
                integer(value, &mut list);
                list.push(punct(','));
            }
            out.extend([group(Delimiter::Bracket, list.into_iter().collect()), punct(',')]);
        }
        out
    }

    /// An item with values that are not known yet.
    fn item(&self, item: Item, known: Known) -> TokenStream {
        match item {
            Item::NewAxis => self.path("NEW_AXIS"),
            Item::Ellipsis => self.path("ELLIPSIS"),
            Item::Index(operand) => {
                let value = match operand {
                    Operand::Literal(value, _) => literal(value),
                    Operand::Const(span) => self.const_value(span, known, false),
                    Operand::Value(span) => self.value(span, "in_a_const_write_const_braces_around_this_index"),
                    // An index is always a value.
                    Operand::Absent | Operand::None(_) => TokenStream::new(),
                };
                self.call("index", value)
            }
            Item::Range { start, stop, step } => {
                let mut arguments = TokenStream::new();
                for (i, operand) in [start, stop, step].into_iter().enumerate() {
                    arguments.extend(match operand {
                        Operand::Absent | Operand::None(_) => self.path("ABSENT"),
                        Operand::Literal(value, _) => self.call("known", literal(value)),
                        Operand::Const(span) => self.call("known", self.const_value(span, known, i == 2)),
                        Operand::Value(span) => self.value(span, "in_a_const_write_const_braces_around_this_bound"),
                    });
                    arguments.extend([punct(',')]);
                }
                self.call("range", arguments)
            }
        }
    }

    /// `function(expression)`, placed where the expression stands.
    fn value(&self, span: syntax::Span, function: &str) -> TokenStream {
        let (first, last) = self.source.span(span);
        let trees: Vec<&TokenTree> = self.source.trees(span).collect();
        let expression = match trees[..] {
            // Parentheses and braces of the user's own would be called needless around an argument.
            [TokenTree::Group(g)] if g.delimiter() == Delimiter::Parenthesis => g.stream(),
            [TokenTree::Group(g)] if g.delimiter() == Delimiter::Brace => ours(g).into(),
            _ => trees.into_iter().cloned().collect(),
        };
        let mut call = self.path_at(function, first);
        call.extend([group_at(Delimiter::Parenthesis, expression, last)]);
        call
    }

    /// `match { N } { v => const_value(&v, v as i128) }`, in a `const` of its own unless all is in one.
    fn const_value(&self, span: syntax::Span, known: Known, step: bool) -> TokenStream {
        let (first, last) = self.source.span(span);
        let block = self.source.trees(span).nth(1);
        let block = block.and_then(|tree| if let TokenTree::Group(g) = tree { Some(ours(g)) } else { None });
        let name = || TokenTree::from(Ident::new("v", Span::mixed_site().located_at(first)));
        let mut arguments = TokenStream::from_iter([punct('&'), name(), punct(',')]);
        arguments.extend([name(), word("as"), word("i128")]);
        let mut call = self.path_at("const_value", first);
        call.extend([group_at(Delimiter::Parenthesis, arguments, last)]);
        if step {
            let mut outer = self.path_at("const_step", first);
            outer.extend([group_at(Delimiter::Parenthesis, call, last)]);
            call = outer;
        }
        let mut arm = TokenStream::from_iter([name(), joint('='), punct('>')]);
        arm.extend(call);
        let mut out = TokenStream::from_iter([word("match")]);
        out.extend(block);
        out.extend([group(Delimiter::Brace, arm)]);
        if known == Known::AtRunTime { constant(out) } else { out }
    }

    /// `$crate::__private::name`
    fn path(&self, name: &str) -> TokenStream {
        self.path_at(name, Span::mixed_site())
    }

    /// The same, placed in the user's code; names are still looked up here.
    fn path_at(&self, name: &str, at: Span) -> TokenStream {
        let mut krate = self.krate.clone();
        krate.set_span(krate.span().located_at(at));
        let span = Span::mixed_site().located_at(at);
        let mut tokens = [krate, joint(':'), punct(':'), word("__private"), joint(':'), punct(':'), word(name)];
        for token in &mut tokens[1..] {
            token.set_span(span);
        }
        tokens.into_iter().collect()
    }

    fn call(&self, function: &str, arguments: TokenStream) -> TokenStream {
        let mut call = self.path(function);
        call.extend([group(Delimiter::Parenthesis, arguments)]);
        call
    }
}

fn known(item: &Item) -> Known {
    let of = |operand: &Operand| match operand {
        Operand::Absent | Operand::None(_) | Operand::Literal(..) => Known::Now,
        Operand::Const(_) => Known::InConst,
        Operand::Value(_) => Known::AtRunTime,
    };
    match item {
        Item::NewAxis | Item::Ellipsis => Known::Now,
        Item::Index(operand) => of(operand),
        Item::Range { start, stop, step } => of(start).max(of(stop)).max(of(step)),
    }
}

/// `const { .. }`
fn constant(body: TokenStream) -> TokenStream {
    [word("const"), group(Delimiter::Brace, body)].into_iter().collect()
}

/// The user's group, as if the macro had written its brackets: lints about needless ones keep quiet.
fn ours(group: &Group) -> TokenTree {
    let mut ours = Group::new(group.delimiter(), group.stream());
    ours.set_span(Span::mixed_site().located_at(group.span()));
    ours.into()
}

fn word(word: &str) -> TokenTree {
    Ident::new(word, Span::mixed_site()).into()
}

fn punct(c: char) -> TokenTree {
    spaced(c, Spacing::Alone)
}

fn joint(c: char) -> TokenTree {
    spaced(c, Spacing::Joint)
}

fn spaced(c: char, spacing: Spacing) -> TokenTree {
    let mut punct = Punct::new(c, spacing);
    punct.set_span(Span::mixed_site());
    punct.into()
}

fn group(delimiter: Delimiter, stream: TokenStream) -> TokenTree {
    group_at(delimiter, stream, Span::mixed_site())
}

fn group_at(delimiter: Delimiter, stream: TokenStream, at: Span) -> TokenTree {
    let mut group = Group::new(delimiter, stream);
    group.set_span(Span::mixed_site().located_at(at));
    group.into()
}

fn literal(value: i64) -> TokenStream {
    let mut tokens = Vec::new();
    integer(value, &mut tokens);
    tokens.into_iter().collect()
}

/// A number as tokens: the sign is one of its own.
fn integer(value: i64, out: &mut Vec<TokenTree>) {
    if value < 0 {
        out.push(punct('-'));
    }
    out.push(Literal::u64_unsuffixed(value.unsigned_abs()).into());
}
