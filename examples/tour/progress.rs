//! Progress messages for work that takes long.

use std::io::Write;
use std::time::{Duration, Instant};

/// Says what is being done: on a terminal at once, on anything else only once the work has taken a
/// while.
pub struct Progress<'a> {
    out: &'a mut dyn Write,
    terminal: bool,
    next: Instant,
    shown: bool,
}

/// How often a line is written where it cannot be overwritten.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the line of a terminal is.
const BLINK: Duration = Duration::from_millis(100);

impl<'a> Progress<'a> {
    /// Writes to `out`, which is a terminal or is not.
    pub fn new(out: &'a mut dyn Write, terminal: bool) -> Progress<'a> {
        let first = if terminal { BLINK } else { PATIENCE };
        Progress { out, terminal, next: Instant::now() + first, shown: false }
    }

    /// Reports what is done now. If it cannot be written, work goes on.
    pub fn step(&mut self, what: &str) {
        if Instant::now() < self.next {
            return;
        }
        let _ = match self.terminal {
            true => write!(self.out, "\r\x1b[K{what} ..."),
            false => writeln!(self.out, "{what} ..."),
        };
        let _ = self.out.flush();
        self.next = Instant::now() + if self.terminal { BLINK } else { PATIENCE };
        self.shown = true;
    }

    /// Says what is done now, and how much of it.
    pub fn share(&mut self, what: &str, done: u64, of: u64) {
        if of > 0 && Instant::now() >= self.next {
            self.step(&format!("{what}: {} %", done.saturating_mul(100) / of));
        }
    }

    /// Clears the last line of a terminal, so that only results stay.
    pub fn clear(&mut self) {
        if self.terminal && self.shown {
            let _ = write!(self.out, "\r\x1b[K");
            let _ = self.out.flush();
            self.shown = false;
        }
    }
}
