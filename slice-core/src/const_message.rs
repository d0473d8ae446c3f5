//! Messages that can also be made in constant evaluation.
//!
//! `Display` cannot run there, but `plan!` on a constant shape has to say the same. So these
//! messages are lists of pieces, which both join.

use core::fmt;

#[derive(Clone, Copy)]
enum Piece {
    Text(&'static str),
    Number(i128),
}

/// A sentence in pieces.
#[derive(Clone, Copy)]
pub(crate) struct Sentence {
    pieces: [Piece; Self::MOST],
    len: usize,
}

impl Sentence {
    const MOST: usize = 20;
    pub(crate) const fn new() -> Self {
        Self { pieces: [Piece::Text(""); Self::MOST], len: 0 }
    }

    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "len was just compared with the number of places"
    )]
    const fn piece(mut self, piece: Piece) -> Self {
        if self.len < Self::MOST {
            self.pieces[self.len] = piece;
            self.len += 1;
        }
        self
    }

    pub(crate) const fn text(self, text: &'static str) -> Self {
        self.piece(Piece::Text(text))
    }

    pub(crate) const fn number(self, number: i128) -> Self {
        self.piece(Piece::Number(number))
    }
}

/// The error of `plan!` for a shape that is a constant of the program.
#[cfg(feature = "toolkit")]
impl Sentence {
    /// Longer than any sentence above with numbers of 20 digits.
    const BYTES: usize = 400;

    /// Stops constant evaluation with this sentence.
    #[track_caller]
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "each index was compared with the length, or counts the digits of an i128, which \
                  are 39 and a sign; the compiler runs this, and would say so"
    )]
    pub(crate) const fn panic(self) -> ! {
        let (mut bytes, mut len) = ([0; Self::BYTES], 0);
        let mut i = 0;
        while i < self.len {
            match self.pieces[i] {
                Piece::Text(text) => {
                    let mut rest = text.as_bytes();
                    while let Some((&byte, tail)) = rest.split_first() {
                        if len < Self::BYTES {
                            bytes[len] = byte;
                            len += 1;
                        }
                        rest = tail;
                    }
                }
                Piece::Number(number) => {
                    // The digits are found from the last to the first, then reversed.
                    let (mut digits, mut count, mut rest) = ([0; 40], 0, number.unsigned_abs());
                    while count == 0 || rest > 0 {
                        digits[count] = b'0' + (rest % 10) as u8;
                        count += 1;
                        rest /= 10;
                    }
                    if number < 0 {
                        digits[count] = b'-';
                        count += 1;
                    }
                    while count > 0 {
                        count -= 1;
                        if len < Self::BYTES {
                            bytes[len] = digits[count];
                            len += 1;
                        }
                    }
                }
            }
            i += 1;
        }
        match core::str::from_utf8(bytes.split_at(len).0) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("the slice does not fit the shape"),
        }
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().take(self.len).try_for_each(|piece| match piece {
            Piece::Text(text) => f.write_str(text),
            Piece::Number(number) => write!(f, "{number}"),
        })
    }
}
