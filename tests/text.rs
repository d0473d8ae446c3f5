//! Text in and out: printed slices are read again, and a text means the same everywhere.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice::syntax::{lex, parse};
use pyslice::{Entry, SpecBuf, s};
use support::{check, generate, naive};

proptest! {
    #![proptest_config(generate::config(3000))]

    #[test]
    fn text_goes_around((_, items) in generate::case(6, 2000)) {
        let spec = check::spec_of(&items).unwrap().unwrap();
        let text = spec.to_string();
        prop_assert_eq!(naive::from_text(&text), Some(items), "{}", text);
        prop_assert_eq!(text.parse::<SpecBuf>(), Ok(spec.clone()));
        prop_assert_eq!(format!(" [ {text} , ] ").parse::<SpecBuf>().ok(), Some(spec).filter(|_| text != "()"));
    }
}

/// Advice is made only of the mistaken tokens, and can be followed as it stands.
#[test]
fn advice_is_about_the_mistake() {
    let cases = [
        // Brackets around the whole range go, brackets around a bound stay.
        ("(0..5)", "(0..5)", "write `0:5`"),
        ("{ 0..5 }", "{ 0..5 }", "write `0:5`"),
        ("(i - 1)..(i + 2)", "(i - 1)..(i + 2)", "write `(i - 1):(i + 2)`"),
        ("(n / 2)..", "(n / 2)..", "write `(n / 2):`"),
        ("(0..x.len())", "(0..x.len())", "write `0:x.len()`"),
        (
            "(a[0])..=(b)",
            "(a[0])..=(b)",
            "write `(a[0]):((b) + 1)`; leave the stop out where `(b)` is -1",
        ),
        // A mistake in a part of a calculation.
        ("n - x[1:2]", "x[1:2]", "slice first, and write the resulting number here"),
        ("n - 2**3", "2**3", "write `2_i64.pow(3)`"),
        ("-2 ** 3 + n", "2 ** 3", "write `2_i64.pow(3)`"),
        ("1 + f(x)**2 + 1", "f(x)**2", "write `f(x).pow(2)`"),
        ("x as i64 ** 2", "x as i64 ** 2", "write `(x as i64).pow(2)`"),
        ("np.int64(n) - 1", "np.int64(n)", "write `(n as i64)`"),
        (
            "n - len(x)",
            "len(x)",
            "write `x.shape()[0]` for an array, whose `len()` counts all elements, or `x.len()` \
             for a vector, or `(len(x))` for a function of your own",
        ),
        // A position to be looked for is not a value to convert.
        ("np.argmax(x)", "np.argmax(x)", "write a number, or a Rust expression that gives one"),
        (
            "torch.argmax(x)",
            "torch.argmax(x)",
            "write a number, or a Rust expression that gives one, or `(torch.argmax(x))` for a \
             function of your own",
        ),
        ("np.inf:", "np.inf", "write an integer, or leave the bound out"),
    ];
    for (text, tokens, advice) in cases {
        // As in `s![...]`, but in a text, advice that is Rust code could not be followed.
        let mistakes = parse(&lex(text), false).unwrap_err();
        let [mistake] = mistakes[..] else { panic!("{text}: {mistakes:?}") };
        let found = &text[mistake.span.first as usize..mistake.span.last as usize];
        assert_eq!((found, mistake.help(found).as_deref()), (tokens, Some(advice)), "{text}");
    }
}

/// Python's range counts through negative numbers as through others, and an index that is negative
/// counts from the end: the advice takes the same positions, or none is given.
#[test]
fn advice_for_a_range_takes_its_positions() {
    let mut advised = 0;
    for (start, stop, step) in (-4..5_i64).flat_map(|start| {
        (-4..5).flat_map(move |stop| [-2_i64, -1, 1, 2].map(|step| (start, stop, step)))
    }) {
        let text = format!("range({start}, {stop}, {step})");
        let mistake = parse(&lex(&text), true).unwrap_err()[0];
        let help = mistake.help(&text).unwrap();
        let advice = help.strip_prefix("write `").unwrap().strip_suffix('`').unwrap();
        if advice == "start:stop:step" {
            continue;
        }
        let plan = advice.parse::<SpecBuf>().unwrap().plan(&[9]).unwrap();
        let positions: Vec<usize> = plan.offsets().collect();
        let mut expected = Vec::new();
        let mut at = start;
        while (stop - at) * step.signum() > 0 {
            expected.push(at.rem_euclid(9) as usize);
            at += step;
        }
        assert_eq!(positions, expected, "{text}: {advice}");
        advised += 1;
    }
    assert!(advised > 150, "{advised}");
}

/// What is longer than an error holds is cut short, in the advice, too, and brackets are closed.
#[test]
fn advice_about_long_tokens_shows_their_beginning() {
    let cases = [
        (
            "np.s_[0, 1:100:2, ..., np.newaxis, 5:50:5, ::-1]",
            "write `0, 1:100:2, ..., np.newaxis, 5:50:5, :\u{2026}`",
        ),
        (
            "np.s_[(1), 1:100:2, ..., np.newaxis, 5:50:5, ::-1]",
            "write `(1), 1:100:2, ..., np.newaxis, 5:50:5,\u{2026}`",
        ),
        (
            "slice(1000000000000, 2000000000000, 3000000000)",
            "write `1000000000000:2000000000000:30000000\u{2026}`",
        ),
        (
            "'1:2, 3:4, 5:6, 7:8, 9:10, 11:12, 13:14, 15:16, 17'",
            "write `1:2, 3:4, 5:6, 7:8, 9:10, 11:12, 13:14, 15:\u{2026}`",
        ),
    ];
    for (text, advice) in cases {
        let error = text.parse::<SpecBuf>().unwrap_err().to_string();
        assert_eq!(error.rsplit_once("; ").map(|(_, advice)| advice), Some(advice), "{error}");
    }
}

#[test]
fn text_is_padded_as_asked() {
    let spec: SpecBuf = "1, ::-1".parse().unwrap();
    assert_eq!(
        format!("{spec:>9}|{spec:<9}|{spec:^9}|{spec:3}"),
        "  1, ::-1|1, ::-1  | 1, ::-1 |1, ::-1"
    );
    assert_eq!(format!("{:->4}|{:4}|", Entry::Index(7), Entry::FULL), "---7|:   |");
    assert_eq!(format!("{:>4}", s![]), "  ()");
}

#[test]
fn debug_output_has_the_text() {
    assert!(format!("{:?}", s![1:].strict()).starts_with("Spec { text: 1:, begin: [1]"));
    assert!(format!("{:?}", s![1:].to_buf()).starts_with("SpecBuf { text: 1:, begin: [1]"));
    let plan = s![1, ::-2].plan(&[4, 6]).unwrap();
    assert_eq!(
        format!("{plan:?}"),
        "Plan { input_shape: [4, 6], input_len: 24, shape: [3], strides: [-2], offset: 11 }"
    );
}
