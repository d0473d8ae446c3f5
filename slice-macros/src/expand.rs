//! Expands a slice to an expression.

use crate::call::Call;
use crate::error;
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use slice_core::syntax::{self, Item, Items, Operand, parse};
use slice_core::{Entry, SpecBuf};

/// The expression for a slice, or its mistakes.
pub(crate) fn slice(call: &Call) -> syn::Result<TokenStream> {
    let items = parse(&call.source.tokens(), false)
        .map_err(|mistakes| error::of(&call.source, &mistakes))?;
    let made = make(call, &items);
    Ok(match known(&items) {
        Known::AtRunTime => made,
        Known::InConst if items.iter().all(|&(_, span)| is_plain(call.source.trees(span))) => {
            let counts = counts(&items).map(Literal::usize_unsuffixed);
            let spec = call.path("Spec");
            constant("__PYSLICE_SPEC", &quote!(#spec<#(#counts),*>), &made)
        }
        _ => quote!(const { #made }),
    })
}

/// A constant as an item, because `cargo check` and editors evaluate items, but no `const { .. }`.
pub(crate) fn constant(name: &str, of: &TokenStream, value: &TokenStream) -> TokenStream {
    let name = fresh(name, value);
    quote!(const {
        #[allow(unused_parens)]
        const #name: #of = #value;
        #name
    })
}

/// Whether no word can be a generic parameter, which an item cannot use.
pub(crate) fn is_plain(trees: &[TokenTree]) -> bool {
    const WORDS: &[&str] = &["const", "as", "if", "else", "true", "false", "None"];
    let is = |at: Option<usize>, c: char| matches!(at.and_then(|at| trees.get(at)), Some(TokenTree::Punct(p)) if p.as_char() == c);
    trees.iter().enumerate().all(|(at, tree)| match tree {
        TokenTree::Ident(word) => {
            let word = word.to_string();
            let before = at.checked_sub(1);
            let called = matches!(trees.get(at + 1), Some(TokenTree::Group(_)));
            WORDS.contains(&word.as_str())
                || is(before, ':')
                || is(before, '.')
                || !word.starts_with(char::is_uppercase) && (called || is(Some(at + 1), ':'))
        }
        TokenTree::Group(group) => is_plain(&group.stream().into_iter().collect::<Vec<_>>()),
        TokenTree::Punct(p) => p.as_char() != '!',
        TokenTree::Literal(_) => true,
    })
}

/// When the values of a slice are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Known {
    /// To the macro.
    Now,
    /// To the compiler, by `const { .. }`.
    InConst,
    /// When the program runs.
    AtRunTime,
}

pub(crate) fn known(items: &[(Item, syntax::Span)]) -> Known {
    let of = |operand: &Operand| match operand {
        Operand::Absent | Operand::None(_) | Operand::Literal(..) => Known::Now,
        Operand::Const(_) => Known::InConst,
        Operand::Value(_) | Operand::Signed(_) | Operand::Sum(_) => Known::AtRunTime,
    };
    let item = |(item, _): &(Item, _)| match item {
        Item::NewAxis | Item::Ellipsis => Known::Now,
        Item::Index(operand) => of(operand),
        Item::Range { start, stop, step } => of(start).max(of(stop)).max(of(step)),
    };
    items.iter().map(item).max().unwrap_or(Known::Now)
}

/// Whether the macro knows all values.
pub(crate) fn is_known(items: &Items) -> bool {
    known(items) == Known::Now
}

/// What is known of the slice. The parser has checked the entries by the same rules.
fn spec(items: &Items) -> SpecBuf {
    let entries: Vec<Entry> = items.iter().map(|(item, _)| item.entry()).collect();
    SpecBuf::from_entries(&entries).unwrap_or_default()
}

/// How many entries there are, how many take an axis, drop one, add one.
pub(crate) fn counts(items: &Items) -> [usize; 4] {
    let spec = spec(items);
    [spec.len(), spec.takes(), spec.drops(), spec.adds()]
}

/// The call that makes the slice.
pub(crate) fn make(call: &Call, items: &Items) -> TokenStream {
    let counts = counts(items).map(Literal::usize_unsuffixed);
    let known = known(items);
    if known == Known::Now {
        let (spec, arrays) = (call.path("spec"), literal(items));
        return quote!(#spec::<#(#counts),*>(#(#arrays),*));
    }
    let build = call.path("build");
    let entries =
        items.iter().enumerate().map(|(entry, &(item, _))| self::item(call, entry, item, known));
    quote!(#build::<#(#counts),*>([#(#entries),*]))
}

/// The arrays and masks of a slice that is known.
fn literal(items: &Items) -> Vec<TokenStream> {
    let spec = spec(items);
    let masks = spec.masks();
    let masks =
        [masks.begin, masks.end, masks.ellipsis, masks.new_axis, masks.shrink_axis].map(i64::from);
    let arrays = [spec.begin(), spec.end(), spec.strides(), &masks];
    let array = |values: &[i64]| {
        let values = values.iter().map(|&value| Literal::i64_unsuffixed(value));
        quote!([#(#values),*])
    };
    arrays.map(array).into()
}

/// What a value stands for.
#[derive(Clone, Copy)]
enum Place {
    Index,
    /// A bound or a step.
    Bound,
}

/// An item of a slice with values that are not known yet.
fn item(call: &Call, entry: usize, item: Item, known: Known) -> TokenStream {
    let (start, stop, step) = match item {
        Item::NewAxis => return call.path("NEW_AXIS"),
        Item::Ellipsis => return call.path("ELLIPSIS"),
        Item::Index(operand) => {
            let value = match operand {
                Operand::Literal(value, _) => integer(value),
                Operand::Const(span) => const_value(call, span, known, None),
                Operand::Value(span) | Operand::Signed(span) | Operand::Sum(span) => {
                    value(call, operand, span, Place::Index)
                }
                // An index is always a value.
                Operand::Absent | Operand::None(_) => TokenStream::new(),
            };
            let index = call.path("index");
            return quote!(#index(#value));
        }
        Item::Range { start, stop, step } => (start, stop, step),
    };
    let bound = |operand, step| {
        let value = match operand {
            Operand::Absent | Operand::None(_) => return call.path("ABSENT"),
            Operand::Value(span) | Operand::Signed(span) | Operand::Sum(span) => {
                return value(call, operand, span, Place::Bound);
            }
            Operand::Literal(value, _) => integer(value),
            Operand::Const(span) => const_value(call, span, known, step),
        };
        let known = call.path("known");
        quote!(#known(#value))
    };
    let (start, stop, step) = (bound(start, None), bound(stop, None), bound(step, Some(entry)));
    let range = call.path("range");
    quote!(#range(#start, #stop, #step))
}

/// The compiler shows this name where a value known at run time is not allowed.
const METHOD: &str = "in_a_const_write_const_braces_and_in_a_const_fn_only_constants";

/// `Trait::method(expression)`, or `Negated::of(value).method()` for `-value`, or with the terms that
/// are added to it, placed where the expression stands.
fn value(call: &Call, operand: Operand, span: syntax::Span, place: Place) -> TokenStream {
    let (first, last) = call.source.span(span);
    let (at, end) = (call.placed(first), call.placed(last));
    let method = Ident::new(METHOD, at);
    let (plain, negated) = match place {
        Place::Index => ("SliceIndex", "NegatedIndex"),
        Place::Bound => ("SliceBound", "NegatedBound"),
    };
    let trees = call.source.trees(span);
    let (signs, value) = match operand {
        Operand::Signed(_) | Operand::Sum(_) => without_signs(trees),
        _ => (0, trees.to_vec()),
    };
    if signs % 2 == 1 {
        let (value, method, more) = match operand {
            Operand::Sum(_) => {
                let ends = value.iter().position(is_sign).unwrap_or(value.len());
                let (value, more) = value.split_at(ends);
                (value, format_ident!("sum_{}", method), terms(call, more, (first, end)))
            }
            _ => (&value[..], method, TokenStream::new()),
        };
        let (path, value) = (call.path_at(negated, first), argument(call, value));
        let (of, method) = (quote_spanned!(at=> #path::of), quote_spanned!(at=> .#method));
        let (value, more) = (quote_spanned!(end=> (#value)), quote_spanned!(end=> (#more)));
        return quote!(#of #value #method #more);
    }
    let (path, value) = (call.path_at(plain, first), argument(call, &value));
    let (method, value) = (quote_spanned!(at=> #path::#method), quote_spanned!(end=> (#value)));
    quote!(#method #value)
}

/// `Plus(Minus((), a), b)` for `- a + b`. What is wrong with it is shown under the whole sum, from
/// `first` to `end`.
fn terms(call: &Call, mut rest: &[TokenTree], (first, end): (Span, Span)) -> TokenStream {
    let mut terms = quote!(());
    while let Some((sign, term)) = rest.split_first() {
        // A sign after another operator belongs to the value after it.
        let ends = |two: &[TokenTree]| {
            let value = !matches!(&two[0], TokenTree::Punct(p) if p.as_char() != '?');
            value && is_sign(&two[1])
        };
        let (term, after) =
            term.split_at(term.windows(2).position(ends).map_or(term.len(), |at| at + 1));
        let name = if sign.to_string() == "-" { "Minus" } else { "Plus" };
        let (name, term) = (call.path_at(name, first), argument(call, term));
        let both = quote_spanned!(end=> (#terms, #term));
        (terms, rest) = (quote!(#name #both), after);
    }
    terms
}

/// `+` or `-`
fn is_sign(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(p) if matches!(p.as_char(), '+' | '-'))
}

/// How many minus signs stand before a value, and the value. They may stand in parentheses
/// (`(-n)`), or come from another macro.
fn without_signs(trees: &[TokenTree]) -> (usize, Vec<TokenTree>) {
    if let [TokenTree::Group(group)] = trees {
        return without_signs(&group.stream().into_iter().collect::<Vec<_>>());
    }
    let is_sign = |tree: &&TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == '-');
    let signs = trees.iter().take_while(is_sign).count();
    (signs, trees[signs..].to_vec())
}

/// An expression as an argument. The compiler would call parentheses and braces of the user's
/// around it needless.
fn argument(call: &Call, trees: &[TokenTree]) -> TokenStream {
    match trees {
        [TokenTree::Group(g)] if g.delimiter() == Delimiter::Parenthesis => {
            let inner: Vec<TokenTree> = g.stream().into_iter().collect();
            match &inner[..] {
                [TokenTree::Group(g)] => ours(call, g),
                _ => g.stream(),
            }
        }
        [TokenTree::Group(g)] if g.delimiter() == Delimiter::Brace => ours(call, g),
        _ => trees.iter().cloned().collect(),
    }
}

/// `match integer({ N }) { v => const_value(&v, v as i128) }`, in a `const` of its own unless all is in one.
///
/// A constant of the user's with the name of `v` would be compared with. A function can be
/// shadowed, so the name is first given to a function. The user's own block does not contain the
/// name.
fn const_value(call: &Call, span: syntax::Span, known: Known, step: Option<usize>) -> TokenStream {
    let (first, last) = call.source.span(span);
    let (at, end) = (call.placed(first), call.placed(last));
    // The call and its argument have one place, so that the compiler reports a wrong type once.
    let (negative, block) = const_block(call.source.trees(span));
    let value = match block {
        Some(block) => {
            let (place, integer) = (block.span(), call.path_at("integer", block.span()));
            let block = ours(call, &block);
            let argument = quote_spanned!(call.placed(place)=> (#block));
            quote!(#integer #argument)
        }
        None => TokenStream::new(),
    };
    let name = fresh("__pyslice_value", &value);
    let (shadowed, wide, const_value) =
        (call.path("shadowed"), call.path_at("Wide", first), call.path_at("const_value", first));
    let arguments = quote_spanned!(at=> &#name, #name as #wide);
    let arguments = quote_spanned!(end=> (#arguments));
    let mut made = quote!(#const_value #arguments);
    if negative {
        let (negated, arguments) =
            (call.path_at("const_negated", first), quote_spanned!(end=> (#made)));
        made = quote!(#negated #arguments);
    }
    if let Some(entry) = step {
        let (const_step, entry) =
            (call.path_at("const_step", first), Literal::usize_unsuffixed(entry));
        let arguments = quote_spanned!(end=> (#entry, #made));
        made = quote!(#const_step #arguments);
    }
    let block = quote!({ use #shadowed as #name; match #value { #name => #made } });
    if known == Known::AtRunTime { quote!(const #block) } else { block }
}

/// The block of `const { .. }`, and whether the signs before it make its value negative. Both may
/// stand in parentheses, or come from another macro.
fn const_block(trees: &[TokenTree]) -> (bool, Option<Group>) {
    match trees {
        [TokenTree::Punct(_), rest @ ..] => {
            let (negative, block) = const_block(rest);
            (!negative, block)
        }
        [TokenTree::Group(group)] => const_block(&group.stream().into_iter().collect::<Vec<_>>()),
        [_, TokenTree::Group(block)] => (false, Some(block.clone())),
        _ => (false, None),
    }
}

/// A name that is not among the tokens.
pub(crate) fn fresh(name: &str, tokens: &TokenStream) -> Ident {
    let (tokens, mut name) = (tokens.to_string(), name.to_owned());
    while tokens.contains(&name) {
        name.push('_');
    }
    Ident::new(&name, Span::mixed_site())
}

/// The user's group, as if the macro had written its brackets, so that lints about needless
/// brackets keep quiet.
fn ours(call: &Call, group: &Group) -> TokenStream {
    let mut ours = Group::new(group.delimiter(), group.stream());
    ours.set_span(call.placed(group.span()));
    quote!(#ours)
}

/// A number as tokens.
fn integer(value: i64) -> TokenStream {
    let value = Literal::i64_unsuffixed(value);
    quote!(#value)
}
