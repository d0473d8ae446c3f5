//! Number literals: what they are worth, or why they are none of ours.

use super::slip::Slip;

/// Reads an integer as Rust writes it, with the sign in front given apart.
///
/// Underscores and the prefixes `0x`, `0o` and `0b` are understood; a suffix (`1usize`), a float and
/// a value outside `i64` are mistakes.
pub(super) fn read(text: &str, negative: bool) -> Result<i64, Slip> {
    let (radix, digits) = radix(text);
    let end = digits
        .find(|c: char| !(c == '_' || c.is_digit(radix) || (radix < 10 && c.is_ascii_digit())))
        .unwrap_or(digits.len());
    let (body, rest) = digits.split_at(end);
    if !rest.is_empty() {
        return Err(odd_end(text, radix, body, rest));
    }
    if !body.contains(|c: char| c != '_') {
        return Err(Slip::NoDigits);
    }
    let mut value: i64 = 0;
    for c in body.chars().filter(|&c| c != '_') {
        let Some(digit) = c.to_digit(radix) else {
            return Err(Slip::WrongDigit { radix });
        };
        // Built on the negative side, because i64 reaches one further there.
        value =
            value.checked_mul(i64::from(radix)).and_then(|v| v.checked_sub(i64::from(digit))).ok_or(Slip::TooBig)?;
    }
    if negative { Ok(value) } else { value.checked_neg().ok_or(Slip::TooBig) }
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

/// Why a literal goes on after its digits.
fn odd_end(text: &str, radix: u32, body: &str, rest: &str) -> Slip {
    let is_exponent = |e: &str| {
        let e = e.strip_prefix(['e', 'E']).unwrap_or("");
        let e = e.strip_prefix(['+', '-']).unwrap_or(e);
        e.starts_with(|c: char| c.is_ascii_digit() || c == '_')
    };
    if radix == 10 && (rest.starts_with('.') || is_exponent(rest) || rest == "f32" || rest == "f64") {
        return Slip::Float;
    }
    if text.starts_with(['0']) && body == "0" {
        #[expect(clippy::indexing_slicing, reason = "something follows the digits, or there would be nothing odd")]
        match rest.as_bytes()[0] {
            b'X' => return Slip::UpperPrefix { radix: 16 },
            b'O' => return Slip::UpperPrefix { radix: 8 },
            b'B' => return Slip::UpperPrefix { radix: 2 },
            _ => {}
        }
    }
    Slip::Suffix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_number() {
        let cases = [
            ("0", 0),
            ("7", 7),
            ("007", 7),
            ("1_000", 1000),
            ("1_", 1),
            ("0x10", 16),
            ("0xFf", 255),
            ("0x_f", 15),
            ("0o17", 15),
            ("0b1_01", 5),
            ("9223372036854775807", i64::MAX),
            ("0x7fff_ffff_ffff_ffff", i64::MAX),
        ];
        for (text, value) in cases {
            assert_eq!(read(text, false), Ok(value), "{text}");
            assert_eq!(read(text, true), Ok(-value), "-{text}");
        }
        assert_eq!(read("9223372036854775808", true), Ok(i64::MIN));
    }

    #[test]
    fn what_is_no_integer_says_why() {
        let cases = [
            ("9223372036854775808", Slip::TooBig),
            ("0x8000000000000000", Slip::TooBig),
            ("99999999999999999999999999999999999999999999", Slip::TooBig),
            ("1usize", Slip::Suffix),
            ("1_i32", Slip::Suffix),
            ("0x1_u8", Slip::Suffix),
            ("10L", Slip::Suffix),
            ("1e", Slip::Suffix),
            ("1f32", Slip::Float),
            ("1.5", Slip::Float),
            ("1.", Slip::Float),
            ("1e3", Slip::Float),
            ("1E-3", Slip::Float),
            ("1.5f64", Slip::Float),
            ("0b12", Slip::WrongDigit { radix: 2 }),
            ("0o8", Slip::WrongDigit { radix: 8 }),
            ("0x", Slip::NoDigits),
            ("0b_", Slip::NoDigits),
            ("", Slip::NoDigits),
            ("0X10", Slip::UpperPrefix { radix: 16 }),
        ];
        for (text, slip) in cases {
            assert_eq!(read(text, false), Err(slip), "{text}");
        }
        assert_eq!(read("9223372036854775809", true), Err(Slip::TooBig));
    }

    #[test]
    fn the_suffix_comes_off() {
        for (text, bare) in [("1usize", "1"), ("1_i32", "1"), ("0x1f_u8", "0x1f"), ("1_000u64", "1_000")] {
            assert_eq!(without_suffix(text), bare);
        }
    }
}
