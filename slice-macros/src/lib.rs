//! The proc macros behind pyslice's `s!`, `py!` and `plan!`.
//!
//! A call (`call`) is split into tokens (`source`), which [`slice_core::syntax`] reads. That module
//! has the grammar, checks the rules and writes every message, just as for a slice in text. What it
//! has read becomes an expression (`expand`, `plan`), and its mistakes become errors of the
//! compiler (`error`).

mod call;
#[cfg(test)]
mod corpus;
mod editor;
mod error;
mod expand;
mod plan;
mod source;
#[cfg(test)]
mod tests;

use call::Call;
use proc_macro::TokenStream;
use syn::parse_macro_input;

/// `s_impl!([$crate] 1, 2:4, ...)`: the constant or the expression that makes the slice.
#[proc_macro]
pub fn s_impl(input: TokenStream) -> TokenStream {
    let call = parse_macro_input!(input as Call);
    if call.in_editor {
        editor::slice(&call)
    } else {
        expand::slice(&call).unwrap_or_else(error::report)
    }
    .into()
}

/// `plan_impl!([$crate] [4, 6, 8]; 1, ..., ::2)`: the constant that is the plan.
#[proc_macro]
pub fn plan_impl(input: TokenStream) -> TokenStream {
    let call = parse_macro_input!(input as Call);
    if call.in_editor {
        editor::plan(&call)
    } else {
        plan::plan(&call).unwrap_or_else(error::report)
    }
    .into()
}
