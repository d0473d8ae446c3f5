//! One axis' range by Python's rules, some of whose numbers may be unknown.

use slice_core::__private::interop::{Part, range_length};
use slice_core::{Dim, Entry};

/// One bound of a range in another system's operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// Left out, or under a mask bit.
    Open,
    /// This position, counted from the end if negative.
    At(i64),
    /// A number that is not known yet.
    Later,
}

impl Bound {
    pub(crate) const fn known(self) -> Option<i64> {
        if let Bound::At(v) = self { Some(v) } else { None }
    }
}

/// `None` is a number that is not known yet.
impl From<Option<i64>> for Bound {
    fn from(v: Option<i64>) -> Bound {
        v.map_or(Bound::Later, Bound::At)
    }
}

/// Python's range on an axis of length `dim`, as far as its numbers are known.
pub(crate) fn range(dim: Dim, start: Bound, stop: Bound, step: Option<i64>) -> Part {
    let Some(step) = step else { return Part::Later(Dim::from_limits(0, dim.limits().1)) };
    if start != Bound::Later && stop != Bound::Later {
        return Part::Entry(Entry::Range { start: start.known(), stop: stop.known(), step });
    }
    // If an unknown bound is left out, the range is as long as it can be.
    let longest =
        if step == 0 { dim } else { range_length(dim, start.known(), stop.known(), step).0 };
    Part::Later(Dim::from_limits(0, longest.limits().1))
}

/// How many positions a range has on an axis of length `dim`.
pub(crate) fn length(dim: Dim, part: Part) -> Dim {
    match part {
        Part::Entry(Entry::Range { start, stop, step }) => range_length(dim, start, stop, step).0,
        Part::Window(_, len) | Part::Later(len) => len,
        _ => dim,
    }
}
