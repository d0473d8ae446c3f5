//! Why a number literal is not an integer that a slice takes.

use crate::messages::{SyntaxError, int, keywords, substring};

/// Reads an integer as Rust writes it, whose sign is given separately.
///
/// A suffix (`1usize`), a float and a value outside `i64` are mistakes.
#[inline]
pub(super) fn read(text: &str, negative: bool) -> Result<i64, SyntaxError> {
    int::value(text, negative).ok_or_else(|| {
        let (radix, body, rest) = int::parts(text);
        let digits = int::after_digits(body, radix).is_empty() && int::has_digits(body);
        if !digits || body == "0" && rest.starts_with(['X', 'O', 'B']) {
            SyntaxError::BadPrefix
        } else if radix == 10 && is_float(rest) {
            SyntaxError::Float
        } else if is_type(rest.trim_start_matches('_')) {
            SyntaxError::Suffix
        } else if radix != 10 && !rest.is_empty() {
            SyntaxError::BadPrefix
        } else if rest.is_empty() {
            SyntaxError::TooBig
        } else {
            SyntaxError::NotNumber
        }
    })
}

/// Whether this text behind the digits makes a literal a float.
#[inline]
fn is_float(rest: &str) -> bool {
    let exponent = rest.strip_prefix(['e', 'E']).map_or("", substring::without_signs);
    rest.starts_with('.')
        || ["f32", "f64"].contains(&rest)
        || exponent != int::after_digits(exponent, 10)
}

/// Whether these letters after a number are a type of Rust, C or Python.
#[inline]
fn is_type(suffix: &str) -> bool {
    const OTHERS: &[&str] = &["l", "u", "ul", "ll", "ull", "lu", "llu", "z", "uz"];
    keywords::is_type(suffix) || OTHERS.contains(&suffix.to_ascii_lowercase().as_str())
}
