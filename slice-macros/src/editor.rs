//! The expansion for rust-analyzer, which keeps an editor working while a slice is half typed.
//!
//! It has one shape for every call, right or wrong:
//!
//! ```text
//! { let _ = n; let _ = x.len(); <errors> <a slice of the right type> }
//! ```
//!
//! rust-analyzer completes by expanding twice, with and without a made-up name at the cursor. Where
//! the name stands in one text, it looks for the cursor in the other. So the two have to be alike
//! up to the cursor, although one of them has a mistake in it. That is why what the user wrote
//! comes first, every bound and index in a statement of its own, and why nothing but its own tokens
//! decides how it is written. The compiler could not read that: `x.` is not an expression.

use crate::call::Call;
use crate::expand::Known;
use crate::source::Source;
use crate::{error, expand, plan};
use proc_macro2::{Delimiter, Punct, Spacing, TokenStream, TokenTree};
use quote::quote;
use slice_core::SpecBuf;
use slice_core::syntax::{Item, Items, Mistake, Operand, PlanCall, Shape, Span, parse, parse_plan};

/// The expression for a slice.
pub(crate) fn slice(call: &Call) -> TokenStream {
    let tokens = call.source.outermost();
    let statements = statements(tokens);
    let (items, errors) = match parse(&call.source.tokens(), false) {
        // The editor can show what the compiler knows.
        Ok(read) if expand::known(&read) < Known::AtRunTime => (read, None),
        Ok(_) => (items(tokens), None),
        Err(mistakes) => {
            (items(tokens), Some(error::of(&call.source, &mistakes).into_compile_error()))
        }
    };
    let slice = expand::make(call, &items);
    quote!({ #statements #errors #slice })
}

/// The expression for a plan.
pub(crate) fn plan(call: &Call) -> TokenStream {
    let tokens = call.source.outermost();
    let semicolon = tokens.iter().position(|tree| is(tree, ';')).unwrap_or(tokens.len());
    let (shape, slice) = tokens.split_at(semicolon);
    let slice = match slice.get(1..).unwrap_or_default() {
        [slice @ .., semicolon, TokenTree::Ident(word)]
            if is(semicolon, ';') && word == "strict" =>
        {
            slice
        }
        slice => slice,
    };
    let lengths = match shape {
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => {
            group.stream().into_iter().collect()
        }
        _ => shape.to_vec(),
    };
    let statements = [statements(&lengths), statements(slice)];
    let (plan, errors) = match plan::plan(call) {
        Ok(plan) => (plan, None),
        Err(errors) => {
            // The shape by itself; and if it is wrong, as many axes as there are lengths.
            let alone = Source::new(
                shape.iter().cloned().chain([Punct::new(';', Spacing::Alone).into()]).collect(),
            );
            let guess = || lengths.split(|tree| is(tree, ',')).map(|_| None).collect();
            let shape = parse_plan(&alone.tokens()).map(|plan| plan.shape);
            let shape = shape.unwrap_or_else(|_| Shape::Lengths(guess(), Span::new(0, 0)));
            let plan = PlanCall { shape, items: items(slice), strict: false };
            (plan::constant(call, &plan), Some(errors.into_compile_error()))
        }
    };
    // After a statement `const {` is read as the beginning of an item.
    quote!({ #(#statements)* #errors (#plan) })
}

fn is(tree: &TokenTree, c: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == c)
}

/// Every place for a bound or an index, in order, each in a statement. Numbers and `None` need
/// none.
fn statements(tokens: &[TokenTree]) -> TokenStream {
    let statement = |value: &[TokenTree]| match read(value) {
        Ok(items) if expand::known(&items) == Known::Now => quote!(let _ = ();),
        _ => {
            let value = unsigned(value);
            quote!(let _ = #value;)
        }
    };
    tokens.split(|tree| is(tree, ',') || is(tree, ':')).map(statement).collect()
}

/// The tokens without a sign before them: a slice may have `-n` for an unsigned `n`, but in a
/// statement Rust would complain.
fn unsigned(value: &[TokenTree]) -> TokenStream {
    let signs = value.iter().take_while(|&tree| is(tree, '-')).count();
    match value.get(signs..).unwrap_or_default() {
        [] => quote!(()),
        [TokenTree::Group(group), rest @ ..] if group.delimiter() == Delimiter::Parenthesis => {
            let inner: Vec<TokenTree> = group.stream().into_iter().collect();
            let inner = if inner.is_empty() { TokenStream::new() } else { unsigned(&inner) };
            quote!((#inner) #(#rest)*)
        }
        value => value.iter().cloned().collect(),
    }
}

fn read(tokens: &[TokenTree]) -> Result<Items, Vec<Mistake>> {
    parse(&Source::new(tokens.iter().cloned().collect()).tokens(), false)
}

/// The entries, with something in place of every value that is not known.
fn items(tokens: &[TokenTree]) -> Items {
    let (mut items, mut entries) = (Items::new(), Vec::new());
    for entry in tokens.split(|tree| is(tree, ',')).filter(|entry| !entry.is_empty()) {
        let item = item(entry);
        entries.push(item.entry());
        // A second ellipsis and an entry too many are left out.
        if SpecBuf::from_entries(&entries).is_ok() {
            items.push((item, Span::new(0, 0)));
        } else {
            entries.pop();
        }
    }
    items
}

/// One entry: the parser's, or if it has none, what it looks like.
fn item(entry: &[TokenTree]) -> Item {
    let range =
        Item::Range { start: Operand::Absent, stop: Operand::Absent, step: Operand::Absent };
    match read(entry).as_deref() {
        Ok(items @ &[(item, _)]) if expand::known(items) == Known::Now => item,
        Ok(&[(Item::Range { .. }, _)]) => range,
        Err(_) if entry.iter().all(|tree| is(tree, '.')) => Item::Ellipsis,
        Err(_) if entry.iter().any(|tree| is(tree, ':')) => range,
        Err(_) if entry.windows(2).any(|two| two.iter().all(|tree| is(tree, '.'))) => range,
        _ => Item::Index(Operand::Literal(0, Span::new(0, 0))),
    }
}
