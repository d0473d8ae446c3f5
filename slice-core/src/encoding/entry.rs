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
    /// The compiler must know of which integer a `None` is an `Option`: write `None::<i64>`. The
    /// fields of [`Entry::Range`] have one type, so there `None` is enough.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::Entry;
    ///
    /// let (rows, every) = (3_usize, 2);
    /// assert_eq!(Entry::range(1, rows, every).to_string(), "1:3:2");
    /// assert_eq!(Entry::range(Some(-1), None::<i64>, None::<i64>).to_string(), "-1:");
    /// assert_eq!(Entry::Range { start: None, stop: None, step: -1 }.to_string(), "::-1");
    /// ```
    #[doc(alias = "slice")]
    #[inline]
    pub fn range(start: impl SliceBound, stop: impl SliceBound, step: impl SliceBound) -> Entry {
        let (start, stop) = (start.to_bound(), stop.to_bound());
        Entry::Range { start, stop, step: step.to_bound().unwrap_or(1) }
    }
}

/// What can be an entry: an [`Entry`], an integer, which is an index, a Rust range, and references
/// to these. It is everything that is `Into<Entry>`.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "toolkit")] {
/// use pyslice::{Entry, IntoEntry};
///
/// assert_eq!(7_usize.into_entry(), Entry::Index(7));
/// assert_eq!((1..3).into_entry(), Entry::range(1, 3, 1));
/// assert_eq!(((&-1).into_entry(), (&(..2)).into_entry()), (Entry::Index(-1), (..2).into()));
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an entry of a slice; an entry is an integer, a Rust range or an \
               `Entry`",
    label = "`{Self}` is not an entry",
    note = "write `Entry::NewAxis` for a new axis, `Entry::FULL` for `:`, `Entry::Ellipsis` for \
            `...`, and `Entry::range(start, stop, step)` for a range with a step",
    note = "where they are of different types, write `[Entry::from(rows), columns.into()]`",
    note = "write `x as i64` for a float or a boolean, `x.unwrap_or(0)` for an `Option`, `x?` for \
            a `Result`, and `text.parse::<SpecBuf>()?` for a text that has all entries",
    note = "the value of `s![...]` is a slice, not an entry: pass it by itself, as in \
            `x.pyslice(rows)`, or keep `let rows = Entry::range(1, 3, 1)` and write \
            `SpecBuf::from_entries([rows, 0.into()])?`"
)]
pub trait IntoEntry {
    /// The entry.
    fn into_entry(self) -> Entry;
}

// The compiler would blame what `Into` needs, in words of its own; so below.
#[diagnostic::do_not_recommend]
impl<T: Into<Entry>> IntoEntry for T {
    #[inline]
    fn into_entry(self) -> Entry {
        self.into()
    }
}

/// A list of entries of one type, which is any iterator, array or vector of them.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "toolkit")] {
/// use pyslice::{Entry, IntoEntries, IntoEntry, SliceError, SpecBuf};
///
/// /// `x[..., *entries]`
/// fn last_axes<E: IntoEntry>(entries: impl IntoEntries<E>) -> Result<SpecBuf, SliceError> {
///     let last = entries.into_entries().map(IntoEntry::into_entry);
///     SpecBuf::from_entries([Entry::Ellipsis].into_iter().chain(last))
/// }
/// assert_eq!(last_axes([0..3, 1..2])?.to_string(), "..., 0:3, 1:2");
/// # }
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of entries; a list is an iterator, an array or a vector",
    label = "this is `{Self}`, not a list",
    note = "write `[Entry::from(rows), columns.into()]` for a tuple, and `[x]` for one entry",
    note = "write `text.parse::<SpecBuf>()?` for text; the value of `s![...]` is a slice already"
)]
pub trait IntoEntries<E> {
    /// What they are, from first to last.
    fn into_entries(self) -> impl Iterator<Item = E>;
}

#[diagnostic::do_not_recommend]
impl<T: IntoIterator> IntoEntries<T::Item> for T {
    #[inline]
    fn into_entries(self) -> impl Iterator<Item = T::Item> {
        self.into_iter()
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

#[cfg(feature = "toolkit")]
macro_rules! references {
    ($($integer:ty)*) => { $(
        impl From<&$integer> for Entry {
            #[inline]
            fn from(index: &$integer) -> Entry {
                (*index).into()
            }
        }
    )* };
}
#[cfg(feature = "toolkit")]
references!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

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
        impl<$($bounds)*> From<&$range> for Entry
        where
            $range: Clone,
        {
            #[inline]
            fn from(range: &$range) -> Entry {
                range.clone().into()
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
