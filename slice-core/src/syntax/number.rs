//! Why a number literal is not an integer that a slice takes.

use super::error::SyntaxError;
use super::int;
use crate::error::substring;

/// Reads an integer as Rust writes it, whose sign is given separately.
///
/// A suffix (`1usize`), a float and a value outside `i64` are mistakes.
pub(super) fn read(text: &str, negative: bool) -> Result<i64, SyntaxError> {
    int::value(text, negative).ok_or_else(|| {
        let (radix, body, rest) = int::parts(text);
        if radix != 10 && !int::has_digits(body) {
            SyntaxError::NoDigits
        } else if !rest.is_empty() {
            odd_end(radix, body, rest)
        } else if !int::has_digits(body) {
            SyntaxError::NoDigits
        } else if int::after_digits(body, radix).is_empty() {
            SyntaxError::TooBig
        } else if radix == 2 {
            SyntaxError::NotBinary
        } else {
            SyntaxError::NotOctal
        }
    })
}

/// What is wrong with a literal that goes on after its digits.
fn odd_end(radix: u32, body: &str, rest: &str) -> SyntaxError {
    const EXPONENT: &[char] = &['e', 'E'];
    const PREFIX: &[char] = &['X', 'O', 'B'];
    let exponent = rest.strip_prefix(EXPONENT).map_or("", substring::without_signs);
    let float = rest.starts_with('.')
        || ["f32", "f64"].contains(&rest)
        || exponent != int::after_digits(exponent, 10);
    if radix == 10 && float {
        SyntaxError::Float
    } else if body == "0" && rest.starts_with(PREFIX) {
        SyntaxError::UpperPrefix
    } else {
        SyntaxError::Suffix
    }
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
            ("9223372036854775808", SyntaxError::TooBig),
            ("0x8000000000000000", SyntaxError::TooBig),
            ("99999999999999999999999999999999999999999999", SyntaxError::TooBig),
            ("1usize", SyntaxError::Suffix),
            ("1_i32", SyntaxError::Suffix),
            ("0x1_u8", SyntaxError::Suffix),
            ("10L", SyntaxError::Suffix),
            ("1e", SyntaxError::Suffix),
            ("1f32", SyntaxError::Float),
            ("1.5", SyntaxError::Float),
            ("1.", SyntaxError::Float),
            ("1e3", SyntaxError::Float),
            ("1E-3", SyntaxError::Float),
            ("1.5f64", SyntaxError::Float),
            ("0b12", SyntaxError::NotBinary),
            ("0o8", SyntaxError::NotOctal),
            ("0x", SyntaxError::NoDigits),
            ("0b_", SyntaxError::NoDigits),
            ("0xZZ", SyntaxError::NoDigits),
            ("", SyntaxError::NoDigits),
            ("0X10", SyntaxError::UpperPrefix),
        ];
        for (text, error) in cases {
            assert_eq!(read(text, false), Err(error), "{text}");
        }
        assert_eq!(read("9223372036854775809", true), Err(SyntaxError::TooBig));
    }
}
