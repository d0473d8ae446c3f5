//! Walks entries of several kinds together with the axes that they take.

use crate::encoding::Entry;
use crate::error::SliceError;
use crate::infer::{self, Dim, Part};
use alloc::vec::Vec;

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ellipsis,
    NewAxis,
    Index,
    Range,
}

/// An index or a range, and the axis that it takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taking {
    pub(super) entry: usize,
    pub(super) index: bool,
    pub(super) axis: usize,
    pub(super) dim: Dim,
}

impl Taking {
    /// The index `at`; an error if it is certain to lie outside its axis. It is checked here so
    /// that the error is about the first entry that is wrong.
    #[inline]
    pub(super) fn at(self, at: i64) -> Result<Part, SliceError> {
        infer::check_index(at, false, self.entry, self.axis, self.dim)?;
        Ok(Part::Entry(Entry::Index(at)))
    }
}

/// The parts of entries of these kinds on an input of this shape. `part` makes those of indices and
/// ranges.
#[inline]
pub(super) fn walk(
    kinds: impl Iterator<Item = Kind> + Clone,
    shape: &[Dim],
    part: impl Fn(Taking) -> Result<Part, SliceError>,
) -> Result<Vec<Part>, SliceError> {
    let takes = kinds.clone().filter(|k| matches!(k, Kind::Index | Kind::Range)).count();
    let Some(spare) = shape.len().checked_sub(takes) else {
        return Err(SliceError::TooManyEntries { takes, rank: shape.len() });
    };
    let mut axis = 0usize;
    let mut parts = Vec::new();
    for (entry, kind) in kinds.enumerate() {
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
