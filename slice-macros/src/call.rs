//! The input of a macro call.

use crate::source::Source;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote_spanned;
use std::sync::OnceLock;
use syn::bracketed;
use syn::parse::{Parse, ParseStream, Result};

/// `[$crate] 1, 2:4`: the crate that the user's `s!` came from, and what the user wrote.
pub(crate) struct Call {
    krate: TokenTree,
    pub(crate) source: Source,
    /// Whether rust-analyzer expands the call.
    pub(crate) in_editor: bool,
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let krate;
        bracketed!(krate in input);
        Ok(Self {
            krate: krate.parse()?,
            source: Source::new(input.parse()?),
            in_editor: is_editor(),
        })
    }
}

impl Call {
    /// `$crate::__private::name`
    pub(crate) fn path(&self, name: &str) -> TokenStream {
        self.path_at(name, Span::mixed_site())
    }

    /// The same, with a place in the user's code, where errors about it are shown. Not for
    /// rust-analyzer, which would take it for what the user wrote there.
    pub(crate) fn path_at(&self, name: &str, at: Span) -> TokenStream {
        let at = self.placed(at);
        let (mut krate, name) = (self.krate.clone(), Ident::new(name, at));
        if !self.in_editor {
            krate.set_span(at);
        }
        quote_spanned!(at=> #krate::__private::#name)
    }

    /// A place in the user's code, for tokens whose names are looked up where `$crate` is. All
    /// tokens of one call need the same context, or the compiler would not underline from the
    /// first to the last.
    pub(crate) fn placed(&self, at: Span) -> Span {
        if self.in_editor { Span::mixed_site() } else { self.krate.span().located_at(at) }
    }
}

/// Whether rust-analyzer expands the macro. All other programs get the compiler's expansion.
fn is_editor() -> bool {
    static ASKS: OnceLock<bool> = OnceLock::new();
    *ASKS.get_or_init(|| {
        let program = std::env::current_exe().unwrap_or_default();
        program.file_name().is_some_and(|name| name.to_string_lossy().starts_with("rust-analyzer"))
    })
}
