//! One item of a slice.

use alloc::string::String;
use core::fmt::{self, Write};

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
        /// The distance from one position to the next. A step of 0 is an error: for
        /// `SpecBuf::from_entries` at once, for `s![::z]` with a `z` of 0 when it is planned.
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

    fn text(self, out: &mut dyn Write) -> fmt::Result {
        let bound = |out: &mut dyn Write, bound: Option<i64>| match bound {
            Some(bound) => write!(out, "{bound}"),
            None => Ok(()),
        };
        match self {
            Entry::Index(i) => bound(out, Some(i)),
            Entry::NewAxis => out.write_str("None"),
            Entry::Ellipsis => out.write_str("..."),
            Entry::Range { start, stop, step } => {
                bound(out, start)?;
                out.write_str(":")?;
                bound(out, stop)?;
                if step != 1 {
                    out.write_str(":")?;
                    bound(out, Some(step))?;
                }
                Ok(())
            }
        }
    }
}

/// Writes all entries, with commas between them: straight, or padded to the width that is asked
/// for.
pub(super) fn text(
    entries: impl Iterator<Item = Entry>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let mut padded = String::new();
    let straight = f.width().is_none();
    let out: &mut dyn Write = if straight { f } else { &mut padded };
    for (i, entry) in entries.enumerate() {
        out.write_str(if i == 0 { "" } else { ", " })?;
        entry.text(out)?;
    }
    if straight { Ok(()) } else { f.pad(&padded) }
}

/// Python text that parses back to the same entry, except for an index of `i64::MAX` and a step of
/// 0, which every array refuses.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text(core::iter::once(*self), f)
    }
}
