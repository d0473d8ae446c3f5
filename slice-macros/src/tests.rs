//! Tests what the macros expand to, without a compiler.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::call::Call;
use crate::{editor, error, expand, plan};
use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::quote;

fn call(tokens: &TokenStream) -> Call {
    syn::parse2(quote!([pyslice] #tokens)).unwrap()
}

fn slice(tokens: &TokenStream) -> TokenStream {
    expand::slice(&call(tokens)).unwrap_or_else(error::report)
}

/// The tokens without white space and trailing commas, which may differ.
fn bare(text: &str) -> String {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    text.replace(",]", "]").replace(",)", ")").replace(",}", "}")
}

/// What the errors of a slice underline. Each message has the same tokens in it, spaced as they
/// were written.
fn underlined(text: &str) -> Vec<String> {
    let tokens: TokenStream = text.parse().unwrap();
    let begin = tokens.clone().into_iter().next().unwrap().span().byte_range().start;
    let of = |error: syn::Error| {
        let range = error.span().byte_range();
        let tokens = &text[range.start - begin..range.end - begin];
        assert!(error.to_string().contains(&format!("`{tokens}`")), "{error}");
        tokens.to_owned()
    };
    expand::slice(&call(&tokens)).unwrap_err().into_iter().map(of).collect()
}

#[test]
fn expansions_are_as_reviewed() {
    let mut calls = 0;
    for block in
        include_str!("expansions.txt").split("\n\n").filter(|block| !block.starts_with('#'))
    {
        let (call, expansion) = block.split_once('\n').unwrap();
        let (name, tokens) = call.strip_suffix(']').unwrap().split_once("![").unwrap();
        let tokens: TokenStream = tokens.parse().unwrap();
        let found = match name {
            "s" => slice(&tokens),
            _ => plan::plan(&self::call(&tokens)).unwrap_or_else(error::report),
        };
        assert_eq!(bare(&found.to_string()), bare(expansion), "{call} becomes\n{found}");
        calls += 1;
    }
    assert!(calls > 12, "only {calls} calls");
}

#[test]
fn each_mistake_is_under_its_own_tokens() {
    assert_eq!(underlined("1, 0 .. n-1, x[ 1:2 ], 2"), ["0 .. n-1", "x[ 1:2 ]"]);
    assert_eq!(underlined("1:2:3 : 4, (n as i64), 1.5 , 3 + 2 ** 3"), [": 4", "1.5", "2 ** 3"]);
}

#[test]
fn what_comes_through_other_macros_is_read_as_if_it_stood_here() {
    let invisible = |tokens| TokenTree::from(Group::new(Delimiter::None, tokens));
    let (five, name, sum) = (invisible(quote!(-5)), invisible(quote!(n)), invisible(quote!(n + 1)));
    // A literal with a sign comes from proc macros only.
    let literal = Literal::i64_unsuffixed(-5);
    let same = |one: TokenStream, other: TokenStream| {
        assert_eq!(slice(&one).to_string(), slice(&other).to_string())
    };
    same(quote!(#five:#name), quote!(-5:n));
    same(quote!(#literal), quote!(-5));
    let negated = slice(&quote!(-#sum)).to_string();
    assert!(bare(&negated).contains("NegatedIndex::of(n+1)"), "{negated}");
}

#[test]
fn a_minus_before_one_value_is_ours() {
    let negated = |tokens: &TokenStream| {
        let expanded = bare(&slice(tokens).to_string());
        expanded.contains("NegatedIndex::of(").then_some(expanded)
    };
    for value in [
        quote!(n),
        quote!(x.len()),
        quote!(x[0].y),
        quote!(f()?),
        quote!(a.await),
        quote!(*n),
        quote!(1.max(n)),
        quote!(m!(1)),
        quote!(a - b),
        quote!({ k }.0),
        quote!(const { P }.x),
        quote!(r#type),
        quote!(if a == b { n } else { m }.x),
        quote!(if let P { x, .. } = p { x } else { n }),
        quote!(match { n } {
            1 => 2,
            _ => 3,
        }),
        quote!(Self::PAD),
        quote!(config::pad::of::<A, B>(1).left),
    ] {
        let single =
            if value.to_string().contains("::") { quote!((-#value)) } else { quote!(-(#value)) };
        let expanded = negated(&single).unwrap();
        let value = bare(&value.to_string());
        assert!(expanded.contains(&format!("NegatedIndex::of({value})")), "{expanded}");
    }
    assert!(slice(&quote!(--n)).to_string().contains("(n)"));
    let product = |tokens| bare(&negated(&tokens).unwrap());
    assert!(product(quote!(-n * m)).contains("NegatedIndex::of(n*m)."));
    assert!(product(quote!(-2 * n as i64)).contains("NegatedIndex::of(2*nasi64)."));
    let sum = product(quote!(-n.len() * 2 - m * 3));
    assert!(sum.contains("NegatedIndex::of(n.len()*2).sum_"), "{sum}");
    assert!(sum.contains("Minus((),m*3)"), "{sum}");
    let sum = negated(&quote!((-x[n - 1] - *m * -2? - 1 + (a - b)))).unwrap();
    assert!(sum.contains("NegatedIndex::of(x[n-1])."), "{sum}");
    assert!(
        negated(&quote!(-a.await + 1)).is_some() && negated(&quote!(-const { N } - 1)).is_some()
    );
    let terms = "Plus(pyslice::__private::Minus(pyslice::__private::Minus((),*m*-2?),1),a-b)";
    assert!(sum.contains(terms), "{sum}");
    for tokens in [
        quote!(n),
        quote!(--n),
        quote!(--n - 1),
        quote!(-n / 2),
        quote!(-n * 2 / 3),
        quote!(-n * -m),
        quote!(-n * *m),
        quote!(-200 * n),
        quote!(-n as i32 - 1),
        quote!(-n as usize),
        quote!(-n as u8 as i64),
        quote!(-n as i32 as i64 + n),
        quote!(-n - 1 << 2),
        quote!(-if a - b == 0 { n } else { m } - 1),
        quote!(-n - if a - b == 0 { n } else { m }),
        quote!(-1),
        quote!((-1)),
        quote!(!n),
        quote!(-!n),
    ] {
        assert_eq!(negated(&tokens), None, "{tokens}");
    }
}

/// The compiler, and proc-macro2, look for a place on a line from its beginning.
#[test]
fn a_long_line_is_refused_soon() {
    let begin = std::time::Instant::now();
    for line in ["1, ".repeat(20_000), "1 ".repeat(20_000)] {
        let error = expand::slice(&call(&line.parse().unwrap())).unwrap_err();
        assert!(error.to_string().len() < 5000);
    }
    assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
}

#[test]
fn a_number_that_quote_has_written_has_a_suffix() {
    let quoted = |number: Literal| slice(&quote!(#number:)).to_string();
    let same = slice(&quote!(7:)).to_string();
    assert_eq!(quoted(Literal::usize_suffixed(7)), same);
    assert_eq!(quoted(Literal::i8_suffixed(7)), same);
    // What the user wrote is refused.
    assert!(underlined("1, 7usize").contains(&"7usize".to_owned()));
}

#[test]
fn a_lifetime_that_a_macro_matched_is_a_label() {
    let label = TokenTree::from(Group::new(Delimiter::None, quote!('l)));
    let found = slice(&quote!(#label: loop { break #label n }:)).to_string();
    assert!(bare(&found).contains("('l:loop{"), "{found}");
}

#[test]
fn a_call_that_no_macro_of_ours_makes_is_an_error() {
    for tokens in [quote!(), quote!(1, 2), quote!([])] {
        assert!(syn::parse2::<Call>(tokens.clone()).is_err(), "{tokens}");
    }
}

/// A half-typed slice and what comes of it.
fn typed(text: &str, marker: &str) -> Option<String> {
    let mut open = Vec::new();
    for c in text.chars() {
        match c {
            '(' => open.push(')'),
            '[' => open.push(']'),
            '{' => open.push('}'),
            ')' | ']' | '}' => assert_eq!(open.pop(), Some(c)),
            _ => {}
        }
    }
    let closed: String = open.into_iter().rev().collect();
    let tokens: TokenStream = format!("{text}{marker}{closed}").parse().ok()?;
    let expanded = if text.contains(';') {
        editor::plan(&call(&tokens))
    } else {
        editor::slice(&call(&tokens))
    };
    Some(expanded.to_string().split_whitespace().collect())
}

/// rust-analyzer goes on with the word at the cursor, or makes one up, and expects everything
/// before it to stay as it is.
#[test]
fn the_editor_gets_the_same_text_up_to_the_cursor() {
    const MARKER: &str = "raCompletionMarker";
    let mut compared = 0;
    for whole in [
        "1, 2:4, None, ..., :-3:-1, :",
        "MAX_SIZE + 1:, np.newaxis, n",
        "-v.len():v[n - 1].x:step, (-n):-(-n), (config::SIZE), { a.b(c) }",
        "const { MAX }:, if a { 1 } else { n }, match a { true => 1, false => n }",
        "0..n, [0, n], True, &n, n as usize, x = 1, usize::MAX, lambda: 1, -None, slice(1, n)",
        "...; n, ..., 1.5, n == 1 and i, f::<A, B>(), !n ** i, n.",
        "[4, N, 8]; n, const { I }, ..., ::-1",
        "SHAPE; const { I }, v",
        "[4, N]; 1, n; strict",
    ] {
        for end in 0..=whole.len() {
            let prefix = &whole[..end];
            let (Some(plain), Some(marked)) = (typed(prefix, ""), typed(prefix, MARKER)) else {
                continue;
            };
            // After a digit it is not a name but a suffix, and these words are not names to go on
            // with.
            let number = prefix.ends_with(|c: char| c.is_ascii_digit());
            let name = !number && !["...", "np.newaxis"].iter().any(|word| prefix.ends_with(word));
            if let Some(at) = marked.find(MARKER).filter(|_| name) {
                let before =
                    marked[..at].trim_end_matches(|c: char| c == '_' || c.is_alphanumeric());
                assert!(
                    plain.starts_with(before),
                    "`{prefix}` is {plain}\nand with a name {marked}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 250, "only {compared}");
}

#[test]
fn a_mistake_keeps_the_type_in_the_editor() {
    for (text, counts) in [
        ("", "<0,0,0,0>"),
        ("n.", "<1,1,1,0>"),
        ("n, x.len(", "<2,2,2,0>"),
        ("n -, ::2, None", "<3,2,1,1>"),
        ("0..2, .., 1:-", "<3,2,0,0>"),
        ("1, ..., 2, ..., n", "<4,3,3,0>"),
        ("const { }:n:0", "<1,1,0,0>"),
    ] {
        let expanded = typed(text, "").unwrap();
        let made = expanded.rsplit_once("spec::").unwrap().1;
        assert!(made.starts_with(counts), "{text}: {made}");
    }
    let negated = typed("-n:(-v.len())", "").unwrap();
    assert!(
        negated.starts_with("{let_=n;let_=(v.len());"),
        "rust-analyzer would complain of {negated}"
    );
    assert!(typed("[4, 6]; n.", "").unwrap().contains("plan::<2,1>"));
    assert!(typed("[4, -1]; n, None", "").unwrap().contains("plan::<2,2>"));
    assert!(typed("S; n.", "").unwrap().contains("out_rank(pyslice::__private::rank(&S),1,0)"));
}
