//! Walks entries of several kinds together with the axes that they take.

use crate::error::InteropError;
use alloc::vec::Vec;
use slice_core::__private::interop::{Part, check_index};
use slice_core::{Dim, Entry, SliceError};

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ellipsis,
    NewAxis,
    Index,
    Range,
}

/// An index or a range, and the axis that it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taking {
    pub(crate) entry: usize,
    pub(crate) index: bool,
    pub(crate) axis: usize,
    pub(crate) dim: Dim,
}

impl Kind {
    /// Whether it takes an axis.
    pub(crate) const fn takes(self) -> bool {
        matches!(self, Kind::Index | Kind::Range)
    }
}

impl Taking {
    /// The index `at`; an error if it is certain to lie outside its axis. It is checked here so
    /// that the error is about the first entry that is wrong.
    pub(crate) fn at(self, at: i64) -> Result<Part, InteropError> {
        check_index(at, false, self.entry, self.axis, self.dim)?;
        Ok(Part::Entry(Entry::Index(at)))
    }
}

/// The parts of entries of these kinds on an input of this shape. `part` makes the parts of indices
/// and ranges.
pub(crate) fn walk(
    kinds: &[Kind],
    shape: &[Dim],
    part: impl Fn(Taking) -> Result<Part, InteropError>,
) -> Result<Vec<Part>, InteropError> {
    let takes = kinds.iter().filter(|k| k.takes()).count();
    let Some(spare) = shape.len().checked_sub(takes) else {
        return Err(SliceError::TooManyEntries { takes, rank: shape.len() }.into());
    };
    let mut axis = 0usize;
    let mut parts = Vec::new();
    for (entry, &kind) in kinds.iter().enumerate() {
        parts.push(match kind {
            Kind::Ellipsis => {
                axis = axis.saturating_add(spare);
                Part::Entry(Entry::Ellipsis)
            }
            Kind::NewAxis => Part::Entry(Entry::NewAxis),
            Kind::Index | Kind::Range => {
                let dim = shape.get(axis).copied().unwrap_or(Dim::Unknown);
                let taking = Taking { entry, index: kind == Kind::Index, axis, dim };
                axis = axis.saturating_add(1);
                part(taking)?
            }
        });
    }
    Ok(parts)
}
