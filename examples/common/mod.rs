//! What the examples share: reading a slice from text, reporting what is wrong with it, writing
//! files.
#![allow(dead_code, reason = "each example uses a part of this module")]

pub mod file;

use pyslice::SpecBuf;
use pyslice::syntax::parse_text;
use std::fmt::{self, Write as _};
use std::io;

/// Why a run ended early, in words for the person at the terminal.
#[derive(Debug)]
pub struct Failure(pub String);

impl Failure {
    /// A failure that says this.
    pub fn new(words: impl Into<String>) -> Failure {
        Failure(words.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads a slice as Python writes it.
///
/// # Errors
///
/// Every mistake in the text, each with its part of the text underlined and with what to write
/// instead.
pub fn read_slice(text: &str) -> Result<SpecBuf, Failure> {
    parse_text(text).map_err(|mistakes| {
        let mut words = String::from("this is not a slice");
        for mistake in mistakes {
            let (from, to) = (mistake.span.first as usize, mistake.span.last as usize);
            let part = text.get(from..to).unwrap_or("");
            let _ = write!(words, "\n{}", underline(text, from, to));
            let _ = write!(words, "\n  {}", mistake.message(part));
            if let Some(help) = mistake.help(part) {
                let _ = write!(words, "\n  help: {help}");
            }
        }
        Failure(words)
    })
}

/// `text` with a line of carets below the bytes `from..to`. A line break in the text would pull the
/// two apart, so it and every other control character is shown as a space.
pub fn underline(text: &str, from: usize, to: usize) -> String {
    let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let width = |s: Option<&str>| s.map_or(0, |s| s.chars().count());
    let (before, marked) = (width(text.get(..from)), width(text.get(from..to)).max(1));
    format!("\n    {shown}\n    {}{}", " ".repeat(before), "^".repeat(marked))
}

/// A shape as Python writes it: `()`, `(5,)`, `(600, 512, 3)`.
pub struct Tuple<'a, T>(pub &'a [T]);

impl<T: fmt::Display> fmt::Display for Tuple<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, v) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{v}")?;
        }
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}

/// A writer that does not fail when the reader goes away, as `| head` does.
pub struct Tolerant<W>(pub W);

impl<W: io::Write> io::Write for Tolerant<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            done => done,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            done => done,
        }
    }
}
