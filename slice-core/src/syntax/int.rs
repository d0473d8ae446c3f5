//! The values of number literals, as Rust writes them.

/// The value of an integer literal, whose sign is given separately. If it is `None`,
/// [`number`](super::number) says why.
///
/// Underscores and the prefixes `0x`, `0o` and `0b` are understood; a suffix (`1usize`) is not.
pub(super) fn value(text: &str, negative: bool) -> Option<i64> {
    let (radix, body, rest) = parts(text);
    if !rest.is_empty() || !has_digits(body) {
        return None;
    }
    let mut value: i64 = 0;
    for c in body.chars().filter(|&c| c != '_') {
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
pub(super) fn parts(text: &str) -> (u32, &str, &str) {
    let (radix, digits) = radix(text);
    let end = digits
        .find(|c: char| !(c == '_' || c.is_digit(radix) || (radix < 10 && c.is_ascii_digit())))
        .unwrap_or(digits.len());
    let (body, rest) = digits.split_at(end);
    (radix, body, rest)
}

/// Whether there are digits, and not only underscores.
pub(super) fn has_digits(body: &str) -> bool {
    body.contains(|c: char| c != '_')
}

/// The digits of a literal in front of a suffix, as written: what to write instead of `2usize`.
#[expect(clippy::arithmetic_side_effects, reason = "both are lengths of parts of one text")]
pub(super) fn without_suffix(text: &str) -> &str {
    let (radix, digits) = radix(text);
    let prefix = text.len() - digits.len();
    let end = digits.find(|c: char| !(c == '_' || c.is_digit(radix))).unwrap_or(digits.len());
    text[..prefix + end].trim_end_matches('_')
}

/// The same with the sign that may stand in front.
#[expect(clippy::arithmetic_side_effects, reason = "both are lengths of parts of one text")]
pub(super) fn without_suffix_signed(text: &str) -> &str {
    let digits = text.trim_start_matches(['-', '+', ' ']);
    let sign = text.len() - digits.len();
    &text[..sign + without_suffix(digits).len()]
}

fn radix(text: &str) -> (u32, &str) {
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return (radix, digits);
        }
    }
    (10, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suffix_comes_off() {
        for (text, bare) in
            [("1usize", "1"), ("1_i32", "1"), ("0x1f_u8", "0x1f"), ("1_000u64", "1_000")]
        {
            assert_eq!(without_suffix(text), bare);
        }
    }
}
