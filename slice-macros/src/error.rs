//! Mistakes as errors of the compiler.

use crate::source::Source;
use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use slice_core::syntax::Mistake;

/// One `compile_error!` for each mistake, in a block that fits wherever a slice does.
pub(crate) fn report(source: &Source, mistakes: &[Mistake]) -> TokenStream {
    let mut body = TokenStream::new();
    for (i, mistake) in mistakes.iter().enumerate() {
        let tokens = source.text(mistake.span);
        let mut message = mistake.message(&tokens);
        if let Some(help) = mistake.help(&tokens) {
            message.push_str("\nhelp: ");
            message.push_str(&help);
        }
        if i > 0 {
            body.extend([TokenTree::from(Punct::new(';', Spacing::Alone))]);
        }
        body.extend(compile_error(&message, source.span(mistake.span)));
    }
    TokenStream::from(TokenTree::from(Group::new(Delimiter::Brace, body)))
}

/// `::core::compile_error!("..")`.
///
/// The compiler underlines from the first token of the macro call to the last, so these get the spans
/// of the first and the last mistaken token, and the whole run is underlined.
fn compile_error(message: &str, (first, last): (Span, Span)) -> impl Iterator<Item = TokenTree> {
    let punct = |c, spacing, span| {
        let mut punct = Punct::new(c, spacing);
        punct.set_span(span);
        TokenTree::from(punct)
    };
    let mut text = Literal::string(message);
    text.set_span(last);
    let mut group = Group::new(Delimiter::Parenthesis, TokenTree::from(text).into());
    group.set_span(last);
    [
        punct(':', Spacing::Joint, first),
        punct(':', Spacing::Alone, first),
        Ident::new("core", first).into(),
        punct(':', Spacing::Joint, first),
        punct(':', Spacing::Alone, first),
        Ident::new("compile_error", first).into(),
        punct('!', Spacing::Alone, first),
        group.into(),
    ]
    .into_iter()
}
