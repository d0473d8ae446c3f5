//! Turns mistakes into errors of the compiler.

use crate::source::Source;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use slice_core::syntax::Mistake;

/// All mistakes as one error, each under its own tokens, with what to write instead.
pub(crate) fn of(source: &Source, mistakes: &[Mistake]) -> syn::Error {
    let error = |mistake: &Mistake| {
        // A rule's message shows none of the tokens, which may be all of a long slice.
        let shows = mistake.syntax_error().is_some();
        let tokens = if shows { source.text(mistake.span) } else { String::new() };
        let mut message = mistake.message(&tokens);
        if let Some(help) = mistake.help(&tokens) {
            message.push_str("\nhelp: ");
            message.push_str(&help);
        }
        // syn underlines from the first token that it is given to the last.
        let (first, last) = source.span(mistake.span);
        let (first, last) = (quote_spanned!(first=> _), quote_spanned!(last=> _));
        syn::Error::new_spanned(quote!(#first #last), message)
    };
    let all = mistakes.iter().map(error).reduce(|mut all, one| {
        all.combine(one);
        all
    });
    all.unwrap_or_else(|| syn::Error::new(proc_macro2::Span::call_site(), "this is not a slice"))
}

/// The errors in a block that fits wherever a slice does.
///
/// syn writes `::core::compile_error!`, and edition 2015 looks that up in the user's own crate.
/// Without its first colons the path begins at the crate that the block names, in every edition
/// and with any names of the user's.
pub(crate) fn report(error: syn::Error) -> TokenStream {
    let errors = error.into_iter().flat_map(|one| one.into_compile_error().into_iter().skip(2));
    quote!({ extern crate core; #(#errors)* })
}
