//! The proc macros behind pyslice's `s!`, `py!` and `plan!`.
//!
//! They cut the tokens, and [`slice_core::syntax`] does the rest: it reads the grammar, holds the rules
//! and words every mistake, exactly as it does for a slice that comes as text.

mod error;
mod expand;
mod negated;
mod source;

use proc_macro::TokenStream;

/// `s_impl!([$crate] 1, 2:4, ...)`: the constant or the expression that makes the slice.
#[proc_macro]
pub fn s_impl(input: TokenStream) -> TokenStream {
    let (krate, tokens) = source::split(input);
    expand::slice(&krate, tokens)
}

/// `plan_impl!([$crate] [4, 6, 8]; 1, ..., ::2)`: the constant that is the plan.
#[proc_macro]
pub fn plan_impl(input: TokenStream) -> TokenStream {
    let (krate, tokens) = source::split(input);
    expand::plan(&krate, tokens)
}

/// `text_impl!([path] s 1, 2:4)`: the text of what `s!` or `plan!` becomes, for the tests that hold it.
#[proc_macro]
pub fn text_impl(input: TokenStream) -> TokenStream {
    let (krate, tokens) = source::split(input);
    let mut tokens = tokens.into_iter();
    let name = tokens.next().map(|name| name.to_string());
    let expand = if name.as_deref() == Some("plan") { expand::plan } else { expand::slice };
    let text = expand(&krate, tokens.collect()).to_string();
    proc_macro::TokenTree::from(proc_macro::Literal::string(&text)).into()
}
