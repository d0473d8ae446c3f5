//! What the examples share: reading a slice from text, and reporting what is wrong with it.

use pyslice::SpecBuf;
use pyslice::syntax::parse_text;
use std::error::Error;
use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::process::ExitCode;

/// A result whose error is shown to the person at the terminal.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Prints what an example has to say, or what went wrong.
pub fn finish(done: Result<String>) -> ExitCode {
    match done {
        Ok(text) => {
            // A reader may go away early, as `| head` does.
            let _ = io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => match error.downcast::<clap::Error>() {
            Ok(error) => error.exit(),
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        },
    }
}

/// Reads a slice as Python writes it.
///
/// # Errors
///
/// Every mistake in the text, each with its part of the text underlined and with what to write
/// instead.
pub fn read_slice(text: &str) -> Result<SpecBuf> {
    let read = parse_text(text).map_err(|mistakes| {
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
        words
    });
    Ok(read?)
}

/// `text` with a line of carets below the bytes `from..to`. A line break in the text would pull the
/// two apart, so it and every other control character is shown as a space.
pub fn underline(text: &str, from: usize, to: usize) -> String {
    let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let width = |s: Option<&str>| s.map_or(0, |s| s.chars().count());
    let (before, marked) = (width(text.get(..from)), width(text.get(from..to)).max(1));
    format!("\n    {shown}\n    {}{}", " ".repeat(before), "^".repeat(marked))
}

/// The lines that both examples show of a slice's encoding, each behind a margin.
pub fn encoding(spec: &SpecBuf, margin: &str) -> String {
    let m = spec.masks();
    format!(
        "{margin}begin     {:?}\n{margin}end       {:?}\n{margin}strides   {:?}\n\
         {margin}masks     begin {}, end {}, ellipsis {}, new_axis {}, shrink_axis {}\n",
        spec.begin(),
        spec.end(),
        spec.strides(),
        m.begin,
        m.end,
        m.ellipsis,
        m.new_axis,
        m.shrink_axis
    )
}

/// A shape as Python writes it: `()`, `(5,)`, `(600, 512, 3)`.
pub struct Tuple<'a, T>(pub &'a [T]);

impl<T: fmt::Display> fmt::Display for Tuple<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.0.iter().map(T::to_string).collect();
        write!(f, "({}{})", parts.join(", "), if parts.len() == 1 { "," } else { "" })
    }
}
