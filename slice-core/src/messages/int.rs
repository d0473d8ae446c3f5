//! The values of number literals, as Rust writes them.

use super::substring;

/// The value of an integer literal, whose sign is given separately. If it is `None`,
/// [`number`](crate::syntax) says why.
///
/// Underscores and the prefixes `0x`, `0o` and `0b` are understood; a suffix (`1usize`) is not.
pub(crate) fn value(text: &str, negative: bool) -> Option<i64> {
    let (radix, body, rest) = parts(text);
    if !rest.is_empty() || !has_digits(body) {
        return None;
    }
    let mut value: i64 = 0;
    for c in body.chars() {
        if c == '_' {
            continue;
        }
        let digit = c.to_digit(radix)?;
        // Built on the negative side, because i64 reaches one further there.
        value =
            value.checked_mul(i64::from(radix)).and_then(|v| v.checked_sub(i64::from(digit)))?;
    }
    if negative { Some(value) } else { value.checked_neg() }
}

/// The base of a literal, its digits and underscores, and the letters that follow them.
///
/// Decimal digits that a base below ten does not have count as digits.
pub(crate) fn parts(text: &str) -> (u32, &str, &str) {
    let (radix, digits) = radix(text);
    let rest = after_digits(digits, radix.max(10));
    (radix, digits.strip_suffix(rest).unwrap_or(digits), rest)
}

/// Whether there are digits, and not only underscores.
pub(crate) fn has_digits(body: &str) -> bool {
    !body.trim_start_matches('_').is_empty()
}

/// What follows the digits of this base, and the underscores among them.
pub(crate) fn after_digits(text: &str, radix: u32) -> &str {
    text.trim_start_matches(|c: char| c == '_' || c.is_digit(radix))
}

/// The digits of a literal in front of a suffix, as written: what to write instead of `2usize`.
///
/// A sign may stand in front.
pub(crate) fn without_suffix(text: &str) -> &str {
    let (radix, digits) = radix(substring::without_signs(text));
    let suffix = after_digits(digits, radix);
    text.strip_suffix(suffix).unwrap_or(text).trim_end_matches('_')
}

fn radix(text: &str) -> (u32, &str) {
    let radix = match text.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => return (10, text),
    };
    (radix, &text[2..])
}
