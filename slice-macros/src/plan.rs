//! Expands a plan to a constant.

use crate::call::Call;
use crate::{error, expand};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use slice_core::syntax::{PlanCall, Shape, parse_plan};

/// The constant that is the plan, or the mistakes.
pub(crate) fn plan(call: &Call) -> syn::Result<TokenStream> {
    let source = &call.source;
    let plan = parse_plan(&source.tokens()).map_err(|mistakes| error::of(source, &mistakes))?;
    Ok(constant(call, &plan))
}

/// `const { plan::<IN, OUT>(spec.as_ref(), shape) }`
pub(crate) fn constant(call: &Call, PlanCall { shape, items, strict }: &PlanCall) -> TokenStream {
    let source = &call.source;
    let strict = strict.then(|| quote!(.strict()));
    let [_, _, drops, adds] = expand::counts(items);
    let count = Literal::usize_unsuffixed;
    let (Shape::Lengths(_, span) | Shape::Constant(span)) = shape;
    let (first, last) = source.span(*span);
    let lengths: TokenStream = source.trees(*span).iter().cloned().collect();
    let (rank, out_rank) = match shape {
        Shape::Lengths(lengths, _) => {
            let (rank, out_rank) =
                (lengths.len(), lengths.len().saturating_sub(drops).saturating_add(adds));
            (count(rank).into_token_stream(), count(out_rank).into_token_stream())
        }
        Shape::Constant(_) => {
            let (at, end) = (call.placed(first), call.placed(last));
            let (rank, out_rank) = (call.path_at("rank", first), call.path_at("out_rank", first));
            let (drops, adds) = (count(drops), count(adds));
            let shape = quote_spanned!(at=> &);
            let shape = quote_spanned!(end=> (#shape #lengths));
            let rank = quote!(#rank #shape);
            let arguments = quote_spanned!(end=> (#rank, #drops, #adds));
            (quote!({ #rank }), quote!({ #out_rank #arguments }))
        }
    };
    // Errors of const evaluation are about the slice.
    let (first, last) = match (items.first(), items.last()) {
        (Some(&(_, first)), Some(&(_, last))) => source.span(first.to(last)),
        _ => (first, last),
    };
    let end = call.placed(last);
    let (plan, spec) = (call.path_at("plan", first), expand::make(call, items));
    let arguments = quote!(#spec #strict.as_ref(), #lengths);
    let arguments = quote_spanned!(end=> (#arguments));
    let plan = quote!(#plan::<#rank, #out_rank> #arguments);
    let plain = |span| expand::is_plain(source.trees(span));
    let item = match shape {
        // A constant cannot be generic where its length decides a type.
        Shape::Constant(_) => true,
        Shape::Lengths(lengths, span) => {
            let checked = lengths.iter().all(Option::is_some) && expand::is_known(items);
            !checked && plain(*span) && items.iter().all(|&(_, span)| plain(span))
        }
    };
    if !item {
        return quote!(const { #plan });
    }
    let fixed = call.path("FixedPlan");
    expand::constant("__PYSLICE_PLAN", &quote!(#fixed<#rank, #out_rank>), &plan)
}
