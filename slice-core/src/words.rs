//! The errors of planning as text that constant evaluation can make too.
//!
//! `Display` cannot run there, but `plan!` on a constant shape has to say the same. So these sentences
//! are lists of pieces, and both put them together.

use crate::error::SliceError;
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
    const MOST: usize = 12;
    const fn new() -> Self {
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

    const fn text(self, text: &'static str) -> Self {
        self.piece(Piece::Text(text))
    }

    const fn number(self, number: i128) -> Self {
        self.piece(Piece::Number(number))
    }

    /// The sentence for an error that a slice can have on a shape; none for others.
    #[expect(clippy::arithmetic_side_effects, reason = "a usize in i128")]
    pub(crate) const fn of(error: SliceError) -> Option<Self> {
        let s = Self::new();
        Some(match error {
            SliceError::ZeroStep { entry } => {
                s.text("step is 0 on entry ").number(entry as i128).text("; a step must be 1 or more, or -1 or less")
            }
            SliceError::IndexOutOfRange { index, axis, len } => {
                let s = s.text("index ").number(index as i128).text(" is outside axis ").number(axis as i128);
                let s = s.text(" of length ").number(len as i128);
                match len {
                    0 => s.text("; the axis is empty and has no valid index"),
                    1 => s.text("; use 0 or -1, or a range, which is clamped"),
                    _ => s
                        .text("; use ")
                        .number(-(len as i128))
                        .text(" to ")
                        .number(len as i128 - 1)
                        .text(", or a range, which is clamped"),
                }
            }
            SliceError::TooManyEntries { takes, rank } => {
                let s = s.number(takes as i128).text(if takes == 1 { " entry takes" } else { " entries take" });
                let s = s.text(" an axis, but the array has ").number(rank as i128);
                let s = s.text(if rank == 1 { " axis; remove " } else { " axes; remove " });
                s.number(takes.saturating_sub(rank) as i128).text(", or insert axes with `None` before slicing")
            }
            SliceError::ShapeTooLarge => s
                .text("the shape has more elements than isize::MAX (")
                .number(isize::MAX as i128)
                .text("); use a smaller shape"),
            SliceError::RankTooHigh { rank, limit } => s
                .number(rank as i128)
                .text(" axes, but a plan holds at most ")
                .number(limit as i128)
                .text("; merge some before slicing"),
            SliceError::RankMismatch { expected, found } => s
                .text("the axis count is ")
                .number(found as i128)
                .text(", but it must be ")
                .number(expected as i128)
                .text("; give one value for each axis"),
            _ => return None,
        })
    }
}

/// What `plan!` stops with on a shape that is a constant of the program.
#[cfg(feature = "toolkit")]
impl Sentence {
    /// Longer than any sentence above with numbers of 20 digits.
    const BYTES: usize = 320;

    /// Stops constant evaluation with this sentence.
    #[track_caller]
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "each index was compared with the length, or counts the digits of an i128, which are 39 and a sign; \
                  the compiler runs this, and would say so"
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
                    // From the last digit to the first, then the other way round.
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
