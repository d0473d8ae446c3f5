//! One item of a slice.

#[cfg(feature = "toolkit")]
use super::{SliceBound, SliceIndex};
use alloc::string::String;
use core::fmt::{self, Write};
#[cfg(feature = "toolkit")]
use core::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

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

#[cfg(feature = "toolkit")]
impl Entry {
    /// `start:stop:step`. A bound is an integer, or an `Option` of one, where `None` leaves it out;
    /// a step that is left out is 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::Entry;
    ///
    /// let (rows, every) = (3_usize, 2);
    /// assert_eq!(Entry::range(1, rows, every).to_string(), "1:3:2");
    /// assert_eq!(Entry::range(Some(-1), None::<i64>, None::<i64>).to_string(), "-1:");
    /// ```
    #[doc(alias = "slice")]
    #[inline]
    pub fn range(start: impl SliceBound, stop: impl SliceBound, step: impl SliceBound) -> Entry {
        let (start, stop) = (start.to_bound(), stop.to_bound());
        Entry::Range { start, stop, step: step.to_bound().unwrap_or(1) }
    }
}

impl From<&Entry> for Entry {
    #[inline]
    fn from(entry: &Entry) -> Entry {
        *entry
    }
}

/// An integer is an index.
#[cfg(feature = "toolkit")]
impl<I: SliceIndex> From<I> for Entry {
    #[inline]
    fn from(index: I) -> Entry {
        Entry::Index(index.to_index())
    }
}

/// A Rust range is a range of Python's with the same bounds; an inclusive one takes its last
/// position, too.
#[cfg(feature = "toolkit")]
macro_rules! ranges {
    ($([$($bounds:tt)*] $range:ty, $given:ident => $start:expr, $stop:expr;)*) => { $(
        /// The range of Python's with the same bounds: negative ones count from the end, and those
        /// past it are clamped. An inclusive range takes its last position, too.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::Entry;
        ///
        /// let text = |entry: Entry| entry.to_string();
        /// assert_eq!((text((2..5).into()), text((..4_u8).into())), ("2:5".into(), ":4".into()));
        /// assert_eq!((text((-3..).into()), text((..).into())), ("-3:".into(), ":".into()));
        /// assert_eq!((text((1..=3).into()), text((..=-1).into())), ("1:4".into(), ":".into()));
        /// ```
        impl<$($bounds)*> From<$range> for Entry {
            #[inline]
            fn from($given: $range) -> Entry {
                Entry::Range { start: $start, stop: $stop, step: 1 }
            }
        }
    )* };
}
#[cfg(feature = "toolkit")]
ranges! {
    [I: SliceIndex] Range<I>, r => Some(r.start.to_index()), Some(r.end.to_index());
    [I: SliceIndex] RangeFrom<I>, r => Some(r.start.to_index()), None;
    [I: SliceIndex] RangeTo<I>, r => None, Some(r.end.to_index());
    [] RangeFull, _r => None, None;
    [I: SliceIndex + Copy] RangeInclusive<I>, r => Some((*r.start()).to_index()), behind(*r.end());
    [I: SliceIndex] RangeToInclusive<I>, r => None, behind(r.end);
}

/// The stop that takes `last`, too. Behind -1, the last position, there is none.
#[cfg(feature = "toolkit")]
#[inline]
fn behind(last: impl SliceIndex) -> Option<i64> {
    match last.to_index() {
        -1 => None,
        last => Some(last.saturating_add(1)),
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
