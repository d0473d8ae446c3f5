//! Shapes that are not fully known.

use crate::axis;
use crate::encoding::{Counts, Entry, OTHER_COUNTS, SpecRef};
use crate::error::SliceError;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The length of an axis, as far as it is known.
///
/// The three cover every interval, so a `match` may name them all.
///
/// # Examples
///
/// ```
/// use pyslice::{Dim, s};
///
/// // A batch of any size, of which at most 8 are taken.
/// let dims = s![:8].infer_shape(&[Dim::Unknown, Dim::Known(3)])?;
/// assert_eq!(*dims, [Dim::Between(0, 8), Dim::Known(3)]);
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// Exactly this.
    Known(usize),
    /// Anything from 0 to `isize::MAX`.
    Unknown,
    /// At least the first and at most the second, which is not smaller.
    Between(usize, usize),
}

impl Dim {
    /// The smallest and the largest length it can be.
    #[inline]
    pub const fn limits(self) -> (usize, usize) {
        match self {
            Dim::Known(n) => (n, n),
            Dim::Unknown => (0, isize::MAX as usize),
            Dim::Between(lo, hi) => (lo, hi),
        }
    }

    /// The simplest value for lengths from `lo` to `hi`.
    #[inline]
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

/// A list of dimensions, the shape of a result; dereferences to `[Dim]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dims {
    dims: SmallVec<[Dim; 6]>,
    sources: SmallVec<[Option<Source>; 6]>,
}

/// The axis of the input that an axis of the result runs along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Source {
    axis: usize,
    whole: bool,
}

impl core::ops::Deref for Dims {
    type Target = [Dim];

    #[inline]
    fn deref(&self) -> &[Dim] {
        &self.dims
    }
}

impl Dims {
    /// The axis of the input that axis `at` of the result runs along. It is `None` for a new axis,
    /// and if there is no axis `at`.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::{Dim, SliceError, s};
    ///
    /// let shape = [Dim::Known(2), Dim::Unknown, Dim::Known(5)];
    /// let dims = s![0, None, ..., 1:].infer_shape(&shape)?;
    /// assert_eq!((dims.source(0), dims.source(1), dims.source(2)), (None, Some(1), Some(2)));
    /// // If axis 1 of the input has a name, such as "batch", axis 1 of the result has it too.
    /// assert_eq!((dims.name_source(1), dims.name_source(2)), (Some(1), None));
    /// # Ok::<(), SliceError>(())
    /// ```
    #[inline]
    pub fn source(&self, at: usize) -> Option<usize> {
        Some(self.sources.get(at).copied()??.axis)
    }

    /// The axis of the input that always has the same length as axis `at` of the result. Where a
    /// graph has a name for the length of one, it is also the name for the other. The elements need
    /// not be the same ones: `::-1` keeps the length, too. An axis of `isize::MAX` elements, which
    /// no memory holds, does not count.
    #[inline]
    pub fn name_source(&self, at: usize) -> Option<usize> {
        let source = self.sources.get(at).copied()??;
        source.whole.then_some(source.axis)
    }

    #[inline]
    fn push(&mut self, dim: Dim, axis: usize, whole: bool) {
        self.dims.push(dim);
        self.sources.push(Some(Source { axis, whole }));
    }

    #[inline]
    fn push_new(&mut self, len: Dim) {
        self.dims.push(len);
        self.sources.push(None);
    }
}

impl From<Dims> for Vec<Dim> {
    #[inline]
    fn from(dims: Dims) -> Vec<Dim> {
        dims.dims.into_vec()
    }
}

/// One entry of a slice, as far as its numbers are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// An entry whose numbers are known.
    Entry(Entry),
    /// A range whose numbers are known. If the system that it comes from accepts it, the result has
    /// this length.
    Window(Entry, Dim),
    /// A range that depends on numbers or lengths that are not known. The result has this length.
    Later(Dim),
    /// An index whose number is not known.
    LaterIndex,
    /// Positions that no slice takes, and why. The result has this length.
    Never(Dim, &'static str),
    /// An added axis that was sliced to this length, which no slice does unless that is 1.
    Added(Dim),
}

impl Part {
    /// Whether it takes an axis of the input.
    #[inline]
    const fn takes(self) -> bool {
        !matches!(self, Part::Entry(Entry::NewAxis | Entry::Ellipsis) | Part::Added(_))
    }

    /// The entry, if it is known and a slice can have it.
    #[inline]
    pub const fn entry(self) -> Option<Entry> {
        match self {
            Part::Entry(entry) | Part::Window(entry, _) => Some(entry),
            _ => None,
        }
    }
}

/// The shape of the slice of an array of this shape, as far as that is known. Reports only what is
/// wrong for certain.
#[inline]
pub(crate) fn infer(spec: SpecRef<'_>, shape: &[Dim]) -> Result<Dims, SliceError> {
    if Counts::of(spec.masks, spec.len()) != spec.counts {
        return Err(OTHER_COUNTS);
    }
    let parts: Vec<Part> = spec.entries().map(Part::Entry).collect();
    let whole = spec.whole_axes(shape.len()).ok_or_else(|| spec.misfit(shape.len()))?;
    infer_known(&parts, spec.strides, spec.strict, whole, shape)
}

/// `infer_shape` where some numbers may be unknown.
#[inline]
pub fn infer_parts(parts: &[Part], shape: &[Dim]) -> Result<Dims, SliceError> {
    let (takes, rank) = (parts.iter().filter(|part| part.takes()).count(), shape.len());
    match rank.checked_sub(takes) {
        Some(spare) => infer_known(parts, &[], false, (0, spare), shape),
        None => Err(SliceError::TooManyEntries { takes, rank }),
    }
}

/// [`infer_parts`] of a slice that may be strict. `strides` has a number for each part, which
/// counts for indices only; 1 where there is none. `before` axes are taken whole before the parts,
/// and `spare` by the ellipsis.
#[inline]
fn infer_known(
    parts: &[Part],
    strides: &[i64],
    strict: bool,
    (before, spare): (usize, usize),
    shape: &[Dim],
) -> Result<Dims, SliceError> {
    for (axis, dim) in shape.iter().enumerate() {
        let (least, most) = dim.limits();
        if least > most {
            return Err(SliceError::DimOrder { axis, least, most });
        }
    }
    let mut axes = shape.iter().copied().enumerate();
    let mut out = Dims::default();
    axes.by_ref().take(before).for_each(|(a, d)| out.push(d, a, true));
    for (at, &part) in parts.iter().enumerate() {
        if !part.takes() {
            match part {
                Part::Entry(Entry::Ellipsis) => {
                    axes.by_ref().take(spare).for_each(|(a, d)| out.push(d, a, true))
                }
                Part::Added(len) => out.push_new(len),
                _ => out.push_new(Dim::Known(1)),
            }
            continue;
        }
        let Some((axis, dim)) = axes.next() else { continue };
        match part {
            Part::Entry(Entry::Index(index)) => {
                let negative = strides.get(at).is_some_and(|&s| s <= 0);
                check_index(index, negative, at, axis, dim)?;
            }
            Part::Entry(Entry::Range { start, stop, step }) => {
                if step == 0 {
                    return Err(SliceError::ZeroStep { entry: at });
                }
                // A bound is certain to be outside if it is outside the longest possible axis.
                let len = dim.limits().1;
                if strict && let Some(bound) = axis::out_of_bounds(real(len), start, stop, step) {
                    return Err(SliceError::BoundOutOfRange { bound, axis, len });
                }
                let (len, whole) = range(dim, start, stop, step);
                out.push(len, axis, whole);
            }
            Part::Window(_, len) | Part::Later(len) | Part::Never(len, _) => {
                out.push(len, axis, len == dim && matches!(dim, Dim::Known(_)))
            }
            Part::LaterIndex | Part::Added(_) | Part::Entry(Entry::NewAxis | Entry::Ellipsis) => {}
        }
    }
    axes.for_each(|(a, d)| out.push(d, a, true));
    Ok(out)
}

/// An index is certain to be wrong if it lies outside the longest possible axis. On an axis of
/// unknown length TensorFlow checks nothing, not even the stride.
#[inline]
pub fn check_index(
    index: i64,
    negative: bool,
    entry: usize,
    axis: usize,
    dim: Dim,
) -> Result<(), SliceError> {
    if matches!(dim, Dim::Unknown) {
        return Ok(());
    }
    if negative {
        return Err(SliceError::ShrinkStride { entry, axis });
    }
    let len = dim.limits().1;
    match axis::position(index, real(len)) {
        Some(_) => Ok(()),
        None => Err(SliceError::IndexOutOfRange { index, axis, len }),
    }
}

/// The length, or the length of the longest possible axis if `len` is more.
#[inline]
fn real(len: usize) -> i64 {
    len.min(isize::MAX as usize) as i64
}

/// The lengths that a range can have on an axis whose length lies between two limits, and whether
/// it always has the length of the axis.
///
/// As a function of the axis length n, the length of the result and the number of positions left
/// out are monotone between a few turning points: where n passes a bound given from the front, or
/// where a bound counted from the end leaves 0. So it is enough to look at the two limits and at
/// the turning points between them.
#[inline]
pub fn range(dim: Dim, start: Option<i64>, stop: Option<i64>, step: i64) -> (Dim, bool) {
    let (lo, hi) = dim.limits();
    let (lo, hi) = (real(lo), real(hi));
    // An axis of isize::MAX would fill all memory. Graphs have the negative of that number for "to
    // the front", so a range that is shorter only there counts as whole.
    let far = if lo < hi { hi.min(real(usize::MAX).saturating_sub(1)) } else { hi };
    let (mut least, mut most, mut whole) = (usize::MAX, 0, true);
    let mut look = |n: i64| {
        if n >= lo && n <= hi {
            let len = axis::run(n, start, stop, step).len;
            (least, most) = (least.min(len), most.max(len));
            whole &= len as i64 == n || n > far;
        }
    };
    look(lo);
    look(far);
    look(hi);
    for bound in [start, stop].into_iter().flatten() {
        // A bound v >= 0 stops mattering from n = v on (n = v + 1 for a negative step); a bound v <
        // 0 starts at n = -v.
        let turn = bound.saturating_abs();
        look(turn);
        look(turn.saturating_add(1));
    }
    let (least, most) = if whole { (lo as usize, hi as usize) } else { (least.min(most), most) };
    (Dim::from_limits(least, most), whole)
}
