//! The mistaken tokens of a text, stored without the heap.

use core::fmt;

/// The mistaken tokens of a text, stored without the heap. A long text is cut short.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Snippet {
    bytes: [u8; Self::CAPACITY],
    len: u8,
}

impl Snippet {
    const CAPACITY: usize = 47;
    const CUT: char = '\u{2026}';

    /// Stores a text. White space becomes one space, and a control character the replacement
    /// character of Unicode.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut snippet = Self { bytes: [0; Self::CAPACITY], len: 0 };
        let mut last = '\0';
        for c in text.trim().chars() {
            let c = match c {
                _ if c.is_whitespace() && last == ' ' => continue,
                _ if c.is_whitespace() => ' ',
                _ if c.is_control() => char::REPLACEMENT_CHARACTER,
                _ => c,
            };
            if !snippet.push(c, Self::CUT.len_utf8()) {
                snippet.push(Self::CUT, 0);
                break;
            }
            last = c;
        }
        snippet
    }

    /// Appends a character if that leaves this much room.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "the snippet's length is at most its capacity, to which a character and a mark \
                  are added"
    )]
    fn push(&mut self, c: char, room: usize) -> bool {
        let from = usize::from(self.len);
        let to = from + c.len_utf8();
        match self.bytes.get_mut(from..to) {
            Some(place) if to + room <= Self::CAPACITY => {
                c.encode_utf8(place);
                self.len = u8::try_from(to).unwrap_or(u8::MAX);
                true
            }
            _ => false,
        }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.len)).unwrap_or_default();
        core::str::from_utf8(bytes).unwrap_or("")
    }
}

impl fmt::Debug for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}
