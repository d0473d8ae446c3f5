//! Text in and out: what is printed parses back, and what parses means the same everywhere.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice::SpecBuf;
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
