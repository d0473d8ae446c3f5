//! Messages that can also be made in constant evaluation.
//!
//! `Display` cannot run there, but `plan!` on a constant shape has to say the same. So a message is
//! a text with blanks and the values for them, which both put together.

use super::substring;
use core::fmt::{self, Write};

/// What stands in a blank.
#[derive(Clone, Copy)]
pub(crate) enum Value<'a> {
    Text(&'a str),
    Count(usize),
    Number(i128),
}

/// A text with blanks, which are written `{}`, and a value for each of them.
#[derive(Clone, Copy)]
pub(crate) struct Sentence {
    text: &'static str,
    values: [Value<'static>; Self::MOST],
}

impl Sentence {
    const MOST: usize = 9;

    #[expect(clippy::indexing_slicing, reason = "`i` was just compared with both lengths")]
    pub(crate) const fn new(text: &'static str, given: &[Value<'static>]) -> Self {
        let mut values = [Value::Text(""); Self::MOST];
        let mut i = 0_usize;
        while i < given.len() && i < Self::MOST {
            values[i] = given[i];
            i = i.wrapping_add(1);
        }
        Self { text, values }
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fill(f, self.text, &self.values)
    }
}

/// Writes the text with these values in its blanks. Values without a blank are left out.
pub(crate) fn fill(out: &mut dyn Write, mut text: &str, values: &[Value<'_>]) -> fmt::Result {
    for value in values {
        let Some((before, after)) = substring::halves(text, "{}") else { break };
        out.write_str(before)?;
        match value {
            Value::Text(text) => out.write_str(text)?,
            Value::Count(count) => write!(out, "{count}")?,
            Value::Number(number) => write!(out, "{number}")?,
        }
        text = after;
    }
    out.write_str(text)
}

/// The error of `plan!` for a shape that is a constant of the program.
#[cfg(feature = "toolkit")]
impl Sentence {
    /// Stops constant evaluation with this sentence.
    #[track_caller]
    pub(crate) const fn panic(self) -> ! {
        let mut line = Line { bytes: [0; Line::MOST], len: 0 };
        let (mut text, mut values) = (self.text.as_bytes(), self.values.as_slice());
        while let [byte, rest @ ..] = text {
            text = rest;
            match (text, values) {
                ([b'}', rest @ ..], [value, others @ ..]) if *byte == b'{' => {
                    line.value(*value);
                    (text, values) = (rest, others);
                }
                _ => line.byte(*byte),
            }
        }
        match core::str::from_utf8(line.bytes.split_at(line.len).0) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("the slice does not fit the shape"),
        }
    }
}

/// A line that is written in constant evaluation.
#[cfg(feature = "toolkit")]
struct Line {
    bytes: [u8; Self::MOST],
    len: usize,
}

#[cfg(feature = "toolkit")]
impl Line {
    /// Longer than any sentence with numbers of 20 digits.
    const MOST: usize = 400;

    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`len` was just compared with the number of places"
    )]
    const fn byte(&mut self, byte: u8) {
        if self.len < Self::MOST {
            self.bytes[self.len] = byte;
            self.len += 1;
        }
    }

    const fn value(&mut self, value: Value<'_>) {
        match value {
            Value::Text(text) => {
                let mut text = text.as_bytes();
                while let [byte, rest @ ..] = text {
                    self.byte(*byte);
                    text = rest;
                }
            }
            Value::Count(count) => self.digits(count as u128),
            Value::Number(number) => {
                if number < 0 {
                    self.byte(b'-');
                }
                self.digits(number.unsigned_abs());
            }
        }
    }

    /// Writes a number, the digits before the last one first.
    #[expect(clippy::arithmetic_side_effects, reason = "a digit is below 10")]
    const fn digits(&mut self, number: u128) {
        if number >= 10 {
            self.digits(number / 10);
        }
        self.byte(b'0' + (number % 10) as u8);
    }
}
