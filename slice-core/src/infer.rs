//! Shapes that are not fully known.

use crate::axis;
use crate::error::SliceError;
use crate::spec::{Counts, Entry, OTHER_COUNTS, SpecRef};
use alloc::vec::Vec;

/// The length of an axis, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// Exactly this.
    Known(usize),
    /// Anything from 0 to `isize::MAX`.
    Unknown,
    /// At least the first and at most the second.
    Between(usize, usize),
}

impl Dim {
    /// The smallest and the largest length it can be.
    pub const fn limits(self) -> (usize, usize) {
        match self {
            Dim::Known(n) => (n, n),
            Dim::Unknown => (0, isize::MAX as usize),
            Dim::Between(lo, hi) => (lo, hi),
        }
    }

    /// The simplest way to say "from `lo` to `hi`".
    pub const fn from_limits(lo: usize, hi: usize) -> Dim {
        if lo == hi {
            Dim::Known(lo)
        } else if lo == 0 && hi >= isize::MAX as usize {
            Dim::Unknown
        } else {
            Dim::Between(lo, hi)
        }
    }
}

/// A list of dimensions; dereferences to `[Dim]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dims(Vec<Dim>);

impl core::ops::Deref for Dims {
    type Target = [Dim];

    fn deref(&self) -> &[Dim] {
        &self.0
    }
}

impl Dims {
    pub(crate) fn from_vec(dims: Vec<Dim>) -> Dims {
        Dims(dims)
    }
}

impl From<Dims> for Vec<Dim> {
    fn from(dims: Dims) -> Vec<Dim> {
        dims.0
    }
}

/// The shape of the slice of an array of this shape, as far as that is known. Reports only what is wrong for certain.
pub(crate) fn infer(spec: SpecRef<'_>, shape: &[Dim]) -> Result<Dims, SliceError> {
    if Counts::of(spec.masks, spec.len()) != spec.counts {
        return Err(OTHER_COUNTS);
    }
    let (takes, rank) = (spec.takes(), shape.len());
    let Some(spare) = rank.checked_sub(takes) else {
        return Err(SliceError::TooManyEntries { takes, rank });
    };
    let mut axes = shape.iter().copied().enumerate();
    let mut out = Vec::with_capacity(rank.saturating_add(spec.adds()));
    for (at, entry) in spec.entries().enumerate() {
        match entry {
            Entry::NewAxis => out.push(Dim::Known(1)),
            Entry::Ellipsis => out.extend(axes.by_ref().take(spare).map(|(_, d)| d)),
            Entry::Index(index) => {
                let Some((axis, dim)) = axes.next() else { continue };
                let negative = spec.strides.get(at).is_some_and(|&s| s <= 0);
                check_index(index, negative, at, axis, dim)?;
            }
            Entry::Range { start, stop, step } => {
                let Some((_, dim)) = axes.next() else { continue };
                if step == 0 {
                    return Err(SliceError::ZeroStep { entry: at });
                }
                out.push(range(dim, start, stop, step));
            }
        }
    }
    out.extend(axes.map(|(_, d)| d));
    Ok(Dims(out))
}

/// An index is wrong for certain if it lies outside the largest length the axis can have. On an axis of unknown length
/// TensorFlow checks nothing, not even the stride.
fn check_index(index: i64, negative: bool, entry: usize, axis: usize, dim: Dim) -> Result<(), SliceError> {
    if matches!(dim, Dim::Unknown) {
        return Ok(());
    }
    if negative {
        return Err(SliceError::ShrinkStride { entry, axis });
    }
    let len = dim.limits().1;
    match axis::position(index, i64::try_from(len).unwrap_or(i64::MAX)) {
        Some(_) => Ok(()),
        None => Err(SliceError::IndexOutOfRange { index, axis, len }),
    }
}

/// The lengths that a range can have on an axis whose length lies between two limits.
///
/// As a function of the axis length n, the length of the result is monotone between a few turning points: where n passes
/// a bound given from the front, or where a bound counted from the back leaves 0. So it is enough to look at the two
/// limits and at the turning points between them.
fn range(dim: Dim, start: Option<i64>, stop: Option<i64>, step: i64) -> Dim {
    let (lo, hi) = dim.limits();
    let (lo, hi) = (i64::try_from(lo).unwrap_or(i64::MAX), i64::try_from(hi).unwrap_or(i64::MAX));
    let at = |n: i64| axis::run(n, start.unwrap_or(0), start.is_none(), stop.unwrap_or(0), stop.is_none(), step).len;
    let (mut least, mut most) = (usize::MAX, 0);
    let mut look = |n: i64| {
        if n >= lo && n <= hi {
            let len = at(n);
            (least, most) = (least.min(len), most.max(len));
        }
    };
    look(lo);
    look(hi);
    for bound in [start, stop].into_iter().flatten() {
        // A bound v >= 0 stops mattering from n = v on (n = v + 1 for a negative step); a bound v < 0 starts at n = -v.
        let turn = bound.saturating_abs();
        for n in [turn.saturating_sub(1), turn, turn.saturating_add(1)] {
            look(n);
        }
    }
    // Where one bound counts from the front and the other from the back, the range is empty on one side of the length at
    // which they meet.
    if let (Some(a), Some(b)) = (start, stop)
        && (a < 0) != (b < 0)
    {
        let meet = a.saturating_abs().saturating_add(b.saturating_abs());
        for n in [meet.saturating_sub(1), meet, meet.saturating_add(1)] {
            look(n);
        }
    }
    Dim::from_limits(least.min(most), most)
}
