//! One item of a slice.

use core::fmt;

/// One item of a slice, as Python writes it between the commas.
///
/// The macro, the text parser, the mask decoder and the builder all make a list of these and hand
/// it to the same checks.
///
/// There are exactly four kinds, as in Python's grammar, so a `match` may name them all. Code that
/// translates a slice for another system should not compile if it forgets one.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "toolkit")] {
/// use pyslice::{Entry, s};
///
/// let entries: Vec<Entry> = s![1, ::2, None, ...].entries().collect();
/// let every_second = Entry::Range { start: None, stop: None, step: 2 };
/// assert_eq!(entries, [Entry::Index(1), every_second, Entry::NewAxis, Entry::Ellipsis]);
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Entry {
    /// `3`, `-1`: takes an axis and drops it.
    Index(i64),
    /// `start:stop:step`; a bound left out (or `None`) is the extreme in the direction of travel.
    Range {
        /// The first position, counted from the end if negative.
        start: Option<i64>,
        /// The position before which to stop, counted from the end if negative.
        stop: Option<i64>,
        /// The distance from one position to the next; never 0.
        step: i64,
    },
    /// `None`: a new axis of length 1.
    NewAxis,
    /// `...`: as many full axes as are needed.
    Ellipsis,
}

impl Entry {
    /// `:`, the whole axis.
    pub const FULL: Entry = Entry::Range { start: None, stop: None, step: 1 };
}

/// Python text that parses back to the same entry, except for an index of `i64::MAX` and a step of
/// 0, which every array refuses.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Entry::Index(i) => bound(f, Some(i)),
            Entry::NewAxis => f.write_str("None"),
            Entry::Ellipsis => f.write_str("..."),
            Entry::Range { start, stop, step } => {
                bound(f, start)?;
                f.write_str(":")?;
                bound(f, stop)?;
                if step != 1 {
                    f.write_str(":")?;
                    bound(f, Some(step))?;
                }
                Ok(())
            }
        }
    }
}

/// Writes a number that may be left out.
fn bound(f: &mut fmt::Formatter<'_>, bound: Option<i64>) -> fmt::Result {
    match bound {
        Some(bound) => write!(f, "{bound}"),
        None => Ok(()),
    }
}
