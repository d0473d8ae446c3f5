//! Text: no panic; a slice prints as text that gives the slice again; plain text means the same to
//! the reference; mistakes lie inside the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pyslice::SpecBuf;
use pyslice::syntax::parse_text;
use pyslice_fuzz::check;
use pyslice_fuzz::naive::{self, Item};

fuzz_target!(|text: &str| {
    let parsed = parse_text(text);
    match &parsed {
        Ok(spec) => {
            assert_eq!(text.parse::<SpecBuf>().as_ref(), Ok(spec));
            let shown = spec.to_string();
            assert_eq!(shown.parse::<SpecBuf>().as_ref(), Ok(spec), "{shown}");
            let items = naive::from_text(&shown).expect("what is printed is plain");
            assert_eq!(check::spec_of(&items), Some(Ok(spec.clone())), "{shown}");
        }
        Err(mistakes) => {
            assert!(!mistakes.is_empty());
            for mistake in mistakes {
                let (first, last) = (mistake.span.first as usize, mistake.span.last as usize);
                let tokens = text.get(first..last).expect("a span inside the text");
                assert!(!mistake.message(tokens).is_empty());
                let _ = mistake.help(tokens);
            }
            let error = text.parse::<SpecBuf>().unwrap_err();
            assert!(!error.to_string().is_empty());
        }
    }
    // What the reference can read and every rule allows must be read.
    let Some(items) = naive::from_text(text).filter(|_| text.is_ascii()) else { return };
    let largest = items.iter().any(|i| *i == Item::Index { at: i64::MAX.into(), stride: 1 });
    let written = text.replace([' ', '\t', '\n', '\r'], "");
    match check::spec_of(&items) {
        Some(Ok(spec)) if !largest && !written.contains("+") => assert_eq!(parsed, Ok(spec)),
        Some(Ok(_)) => {}
        Some(Err(_)) | None => assert!(parsed.is_err(), "{text} is refused by a rule"),
    }
});
