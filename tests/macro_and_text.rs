//! The macro and the text parser read one list of slices alike, and both as the reference does.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::zero_prefixed_literal, reason = "how numbers are written is what is tried")]

mod support;

use pyslice::{SpecBuf, py, s};
use support::{check, naive};

/// For each list of tokens: the macro's value, the other macro's, and the source text.
macro_rules! listed {
    ($($name:ident: [$($tokens:tt)*];)*) => {
        fn list() -> Vec<(&'static str, SpecBuf, SpecBuf, &'static str)> {
            vec![$((
                stringify!($name),
                s![$($tokens)*].to_buf(),
                py![$($tokens)*].to_buf(),
                stringify!($($tokens)*),
            ),)*]
        }
    };
}

listed! {
    empty: [];
    index: [3];
    negative_index: [-1];
    signed_index: [+2];
    smallest_index: [-9223372036854775808];
    largest_index_but_one: [9223372036854775806];
    whole: [:];
    whole_twice: [::];
    all_left_out: [::1];
    reversed: [::-1];
    start: [1:];
    stop: [:1];
    both: [1:2];
    all: [1:2:3];
    all_negative: [-1:-2:-3];
    all_signed: [+1:+2:+3];
    zero_and_minus_zero: [-0:0];
    start_and_step: [5::2];
    stop_and_step: [:5:2];
    largest_bounds: [9223372036854775807:-9223372036854775808:-9223372036854775808];
    none_bounds: [None:4];
    none_everywhere: [None:None:None];
    none_stop: [1:None];
    none_step: [1:2:None];
    none_start_and_step: [None::2];
    none_start_and_none_step: [None::None];
    none_step_alone: [::None];
    new_axis: [None];
    new_axis_word: [newaxis];
    new_axis_of_numpy: [np.newaxis];
    new_axis_of_tensorflow: [tf.newaxis];
    ellipsis: [...];
    ellipsis_word: [Ellipsis];
    ellipsis_first: [..., 1];
    ellipsis_last: [1, ...];
    ellipsis_between: [0, ..., 1];
    trailing_comma: [1,];
    trailing_comma_range: [:,];
    no_spaces: [1,2:4,None,...,:-3:-1,:];
    worked_example: [1, 2:4, None, ..., :-3:-1, :];
    many_new_axes: [None, None, ..., None];
    spaced_out: [ 1 : 2 , - 3 : : - 1 ];
    hexadecimal: [0x10];
    octal_and_binary: [0o17:0b101];
    underscores: [1_000:1_000_000];
    negative_hexadecimal: [-0xff::0x2];
    step_left_out: [1:2:];
    minus_twice: [--1];
    underscore_at_the_end: [1_];
    thirty_one: [:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:,:];
}

#[test]
fn macro_and_text_agree() {
    for (name, ours, other, text) in list() {
        assert_eq!(ours, other, "{name}: s! and py!");
        assert_eq!(text.parse().as_ref(), Ok(&ours), "{name}: {text}");
        assert_eq!(format!("[{text}]").parse().as_ref(), Ok(&ours), "{name}: {text} in brackets");
        let shown = ours.to_string();
        assert_eq!(shown.parse().as_ref(), Ok(&ours), "{name}: {shown}");
        let items = naive::from_text(&shown).expect("what is printed is plain");
        assert_eq!(check::spec_of(&items), Some(Ok(ours)), "{name}: {shown}");
    }
}

/// The plain ones among them mean what the reference reads in their text.
#[test]
fn plain_texts_mean_what_the_reference_reads() {
    let mut plain = 0;
    for (name, ours, _, text) in list() {
        // The compiler prints a token list with its own spaces.
        let text: String = text.split_whitespace().collect();
        if let Some(items) = naive::from_text(&text) {
            assert_eq!(check::spec_of(&items), Some(Ok(ours)), "{name}: {text}");
            plain += 1;
        }
    }
    assert!(plain > 30, "only {plain} were plain");
}

/// What the macro refuses (see the compile-fail tests), the text parser refuses too.
#[test]
fn refused_texts() {
    for text in [
        "::0",
        "1:2:0",
        "0:0:-0",
        "..., ...",
        "..., Ellipsis",
        "1, , 2",
        ",",
        ",1",
        "1,,",
        "1:2:3:4",
        "1.0",
        "1.5:",
        "::1e3",
        "'a'",
        "\"a\"",
        "True",
        "False",
        "1 2",
        "1:-",
        "-",
        "+",
        "-None",
        "+None",
        "..",
        "....",
        ". . .",
        "2..4",
        "2..=4",
        "2..4;2",
        "[0, 2]",
        "[[0, 2]]",
        "(1, 2)",
        "x",
        "x=1",
        "slice(1, 2)",
        "1usize",
        "1i64",
        "0x",
        "0b2",
        "0o8",
        "9223372036854775808",
        "-9223372036854775809",
        ":9223372036854775808",
        "::-9223372036854775809",
        "None None",
        "np.newaxi",
        "np",
        "tf.",
        "newaxis.np",
        "none",
        "ellipsis",
        "[1",
        "1]",
        "][",
        "{1}",
        "(1",
        "1)",
        "()()",
        "[()]x",
        "1;2",
        "@",
        "#",
        "\\",
        "\u{661}",
        "1\u{0}",
        "const { 1 }",
        "usize::MAX",
        "_1",
        "0x_",
    ] {
        let read = text.parse::<SpecBuf>();
        // `[0, 2]` by itself is two indices in the brackets of a call. Everything else here is not
        // a slice.
        match read {
            Ok(spec) => assert_eq!((text, spec.to_string().as_str()), ("[0, 2]", "0, 2")),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let thirty_two = [":"; 32].join(",");
    assert!(thirty_two.parse::<SpecBuf>().is_err());
}
