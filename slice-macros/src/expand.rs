//! Items as an expression.

use crate::error;
use crate::negated;
use crate::source::Source;
use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use slice_core::syntax::{self, Item, Items, Operand, Shape, parse, parse_plan};
use slice_core::{Entry, SpecBuf};

/// The expression for a slice, or its mistakes.
pub(crate) fn slice(krate: &TokenTree, tokens: TokenStream) -> TokenStream {
    let source = Source::new(tokens);
    match parse(&source.tokens(), false) {
        Ok(items) => Expand { krate, source: &source }.slice(&items),
        Err(mistakes) => error::report(&source, &mistakes),
    }
}

/// The constant for a plan, or its mistakes.
pub(crate) fn plan(krate: &TokenTree, tokens: TokenStream) -> TokenStream {
    let source = Source::new(tokens);
    match parse_plan(&source.tokens()) {
        Ok((shape, items)) => Expand { krate, source: &source }.plan(&shape, &items),
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

/// What a value stands for.
#[derive(Clone, Copy)]
enum Place {
    Index,
    /// A bound or a step.
    Bound,
}

struct Expand<'a> {
    krate: &'a TokenTree,
    source: &'a Source,
}

impl Expand<'_> {
    fn slice(&self, items: &Items) -> TokenStream {
        let known = items.iter().map(|(item, _)| known(item)).max().unwrap_or(Known::Now);
        let call = self.make(items, known);
        if known == Known::AtRunTime { call } else { constant(call) }
    }

    /// `const { plan::<IN, OUT>(spec.as_ref(), shape) }`
    fn plan(&self, shape: &Shape, items: &Items) -> TokenStream {
        let [_, _, drops, adds] = counts(items);
        let (Shape::Lengths(_, span) | Shape::Constant(span)) = *shape;
        let (first, last) = self.source.span(span);
        let shape_tokens = || -> TokenStream { self.source.trees(span).cloned().collect() };
        let call = |name: &str, arguments| {
            let mut call = self.path_at(name, first);
            call.extend([self.group_at(Delimiter::Parenthesis, arguments, last)]);
            call
        };
        let braced = |tokens| TokenStream::from(group(Delimiter::Brace, tokens));
        let mut sizes = TokenStream::new();
        match shape {
            Shape::Lengths(lengths, _) => {
                sizes.extend(count(lengths.len()));
                sizes.extend([punct(',')]);
                sizes.extend(count(lengths.len().saturating_sub(drops).saturating_add(adds)));
            }
            Shape::Constant(_) => {
                let mut reference = TokenStream::from(self.placed(punct('&'), first));
                reference.extend(shape_tokens());
                let rank = call("rank", reference);
                sizes.extend(braced(rank.clone()));
                let mut arguments = rank;
                for number in [drops, adds] {
                    arguments.extend([punct(',')]);
                    arguments.extend(count(number));
                }
                sizes.extend([punct(',')]);
                sizes.extend(braced(call("out_rank", arguments)));
            }
        }
        let known = items.iter().map(|(item, _)| known(item)).max().unwrap_or(Known::Now);
        let mut arguments = self.make(items, known);
        arguments.extend([punct('.'), word("as_ref"), group(Delimiter::Parenthesis, TokenStream::new()), punct(',')]);
        arguments.extend(shape_tokens());
        // Errors of const evaluation are about the slice.
        let (first, last) = match (items.first(), items.last()) {
            (Some(&(_, first)), Some(&(_, last))) => self.source.span(first.to(last)),
            _ => (first, last),
        };
        let mut plan = self.path_at("plan", first);
        plan.extend([joint(':'), punct(':'), punct('<')]);
        plan.extend(sizes.clone());
        plan.extend([punct('>'), self.group_at(Delimiter::Parenthesis, arguments, last)]);
        match shape {
            Shape::Lengths(..) => constant(plan),
            // An item, because `cargo check` works these out; and it could not be generic anyway.
            Shape::Constant(_) => {
                let name = || word("__PYSLICE_PLAN");
                let mut body = TokenStream::from_iter([word("const"), name(), punct(':')]);
                body.extend(self.path("FixedPlan"));
                body.extend([punct('<')]);
                body.extend(sizes);
                body.extend([punct('>'), punct('=')]);
                body.extend(plan);
                body.extend([punct(';'), name()]);
                braced(body)
            }
        }
    }

    /// The call that makes the slice.
    fn make(&self, items: &Items, known: Known) -> TokenStream {
        let entries: Vec<Entry> = items.iter().map(|(item, _)| item.entry()).collect();
        let arguments = match known {
            Known::Now => self.literal(&entries),
            _ => {
                let mut list = TokenStream::new();
                for (entry, (item, _)) in items.iter().enumerate() {
                    list.extend(self.item(entry, *item, known));
                    list.extend([punct(',')]);
                }
                group(Delimiter::Bracket, list).into()
            }
        };
        let mut call = self.path(if known == Known::Now { "spec" } else { "build" });
        call.extend([joint(':'), punct(':'), punct('<')]);
        for (i, number) in counts(items).into_iter().enumerate() {
            if i > 0 {
                call.extend([punct(',')]);
            }
            call.extend(count(number));
        }
        call.extend([punct('>'), group(Delimiter::Parenthesis, arguments)]);
        call
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
    fn item(&self, entry: usize, item: Item, known: Known) -> TokenStream {
        match item {
            Item::NewAxis => self.path("NEW_AXIS"),
            Item::Ellipsis => self.path("ELLIPSIS"),
            Item::Index(operand) => {
                let value = match operand {
                    Operand::Literal(value, _) => literal(value),
                    Operand::Const(span) => self.const_value(span, known, None),
                    Operand::Value(span) => self.value(span, Place::Index),
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
                        Operand::Const(span) => {
                            self.call("known", self.const_value(span, known, (i == 2).then_some(entry)))
                        }
                        Operand::Value(span) => self.value(span, Place::Bound),
                    });
                    arguments.extend([punct(',')]);
                }
                self.call("range", arguments)
            }
        }
    }

    /// `Trait::method(expression)`, or `Negated::of(value).method()` for `-value`, placed where the expression stands.
    fn value(&self, span: syntax::Span, place: Place) -> TokenStream {
        let (first, last) = self.source.span(span);
        let placed = |tokens: [TokenTree; 3]| tokens.map(|token| self.placed(token, first));
        let method = || word("in_a_const_write_const_braces_around_it");
        let trees: Vec<TokenTree> = self.source.trees(span).cloned().collect();
        // `(-n)`, and `$e` of another macro with `-n` for it.
        let inner: Vec<TokenTree> = match &trees[..] {
            [TokenTree::Group(g)] if matches!(g.delimiter(), Delimiter::Parenthesis | Delimiter::None) => {
                g.stream().into_iter().collect()
            }
            _ => trees.clone(),
        };
        let (name, negated) = match place {
            Place::Index => ("SliceIndex", "NegatedIndex"),
            Place::Bound => ("SliceBound", "NegatedBound"),
        };
        if let Some(value) = negated::negated(&inner) {
            let mut call = self.path_at(negated, first);
            call.extend(placed([joint(':'), punct(':'), word("of")]));
            call.extend([self.group_at(Delimiter::Parenthesis, self.argument(value), last)]);
            call.extend([punct('.'), method()].map(|token| self.placed(token, first)));
            call.extend([self.group_at(Delimiter::Parenthesis, TokenStream::new(), last)]);
            return call;
        }
        let mut call = self.path_at(name, first);
        call.extend(placed([joint(':'), punct(':'), method()]));
        call.extend([self.group_at(Delimiter::Parenthesis, self.argument(&trees), last)]);
        call
    }

    /// An expression as an argument. Parentheses and braces of the user's own would be called needless around it.
    fn argument(&self, trees: &[TokenTree]) -> TokenStream {
        match trees {
            [TokenTree::Group(g)] if g.delimiter() == Delimiter::Parenthesis => {
                let inner: Vec<TokenTree> = g.stream().into_iter().collect();
                match &inner[..] {
                    [TokenTree::Group(g)] => self.ours(g).into(),
                    _ => inner.into_iter().collect(),
                }
            }
            [TokenTree::Group(g)] if g.delimiter() == Delimiter::Brace => self.ours(g).into(),
            _ => trees.iter().cloned().collect(),
        }
    }

    /// `match { N } { v => const_value(&v, v as i128) }`, in a `const` of its own unless all is in one.
    fn const_value(&self, span: syntax::Span, known: Known, step: Option<usize>) -> TokenStream {
        let (first, last) = self.source.span(span);
        let block = self.source.trees(span).nth(1);
        let block = block.and_then(|tree| if let TokenTree::Group(g) = tree { Some(self.ours(g)) } else { None });
        let placed = |token| self.placed(token, first);
        // A name that no constant of the user's has: that one would be compared with.
        let name = || TokenTree::from(Ident::new("__pyslice_value", Span::mixed_site().located_at(first)));
        let mut arguments = TokenStream::from_iter([placed(punct('&')), name(), placed(punct(','))]);
        arguments.extend([name(), placed(word("as"))]);
        arguments.extend(self.path_at("Wide", first));
        let mut call = self.path_at("const_value", first);
        call.extend([self.group_at(Delimiter::Parenthesis, arguments, last)]);
        if let Some(entry) = step {
            let mut arguments = count(entry);
            arguments.extend([punct(',')]);
            arguments.extend(call);
            call = self.path_at("const_step", first);
            call.extend([self.group_at(Delimiter::Parenthesis, arguments, last)]);
        }
        let mut arm = TokenStream::from_iter([name(), joint('='), punct('>')]);
        arm.extend(call);
        let mut out = TokenStream::from_iter([placed(word("match"))]);
        out.extend(block);
        out.extend([self.group_at(Delimiter::Brace, arm, last)]);
        if known == Known::AtRunTime { constant(out) } else { out }
    }

    /// `$crate::__private::name`
    fn path(&self, name: &str) -> TokenStream {
        self.path_at(name, Span::mixed_site())
    }

    /// The same, placed in the user's code; names are still looked up where `$crate` is.
    fn path_at(&self, name: &str, at: Span) -> TokenStream {
        let colons = || [joint(':'), punct(':')];
        let [a, b] = colons();
        let [c, d] = colons();
        [self.krate.clone(), a, b, word("__private"), c, d, word(name)]
            .map(|token| self.placed(token, at))
            .into_iter()
            .collect()
    }

    /// The token, placed in the user's code. All tokens of one call need the same context, or the
    /// compiler would not underline from the first to the last.
    fn placed(&self, mut token: TokenTree, at: Span) -> TokenTree {
        token.set_span(self.krate.span().located_at(at));
        token
    }

    /// The user's group, as if the macro had written its brackets: lints about needless ones keep quiet.
    fn ours(&self, group: &Group) -> TokenTree {
        self.group_at(group.delimiter(), group.stream(), group.span())
    }

    fn group_at(&self, delimiter: Delimiter, stream: TokenStream, at: Span) -> TokenTree {
        self.placed(Group::new(delimiter, stream).into(), at)
    }

    fn call(&self, function: &str, arguments: TokenStream) -> TokenStream {
        let mut call = self.path(function);
        call.extend([group(Delimiter::Parenthesis, arguments)]);
        call
    }
}

/// How many entries there are, how many take an axis, drop one, add one.
fn counts(items: &Items) -> [usize; 4] {
    let number = |f: fn(&Item) -> bool| items.iter().filter(|(item, _)| f(item)).count();
    [
        items.len(),
        number(|item| matches!(item, Item::Index(_) | Item::Range { .. })),
        number(|item| matches!(item, Item::Index(_))),
        number(|item| matches!(item, Item::NewAxis)),
    ]
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
    let mut group = Group::new(delimiter, stream);
    group.set_span(Span::mixed_site());
    group.into()
}

fn count(number: usize) -> TokenStream {
    TokenTree::from(Literal::usize_unsuffixed(number)).into()
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
