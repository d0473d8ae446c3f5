use slice_core::{AsSpec, Plan, SliceError, SpecBuf};
use std::iter;
use zarrs::array::{ArrayIndicesTinyVec, ArraySubset, ArraySubsetTraits, Indexer, IndexerError};
use zarrs_chunk_grid::IndexerIterator;

/// What a slice takes on one axis: `start`, `start + step`, … (`len` of them).
#[derive(Clone, Copy, Debug)]
struct Taken {
    start: usize,
    step: isize,
    len: usize,
}

impl Taken {
    /// The lowest and the highest position; `start` twice where nothing is taken.
    fn low_high(&self) -> (usize, usize) {
        let last = self.start.wrapping_add_signed(self.step * (self.len.max(1) as isize - 1));
        (self.start.min(last), self.start.max(last))
    }
}

/// A slice of an array, or of a chunk, as what zarrs takes for one: an [`Indexer`].
///
/// zarrs' partial decoders read the bytes of these elements and no others, in the order of the
/// slice: every step, backwards too, dropped axes and new ones. The bytes of a slice that goes
/// backwards are read one element after the other; [`ArraySlice`](crate::ArraySlice) reads them
/// forwards, and turns them in memory.
///
/// # Examples
///
/// ```
/// use pyslice::s;
/// use pyslice_zarrs::Selection;
/// use zarrs::array::Indexer;
///
/// let selection = Selection::new(s![1, ::2], &[4, 6])?;
/// assert_eq!((selection.dimensionality(), selection.output_shape()), (2, vec![3]));
/// let bytes: Vec<_> = selection.iter_contiguous_byte_ranges(&[4, 6], 8)?.collect();
/// assert_eq!(bytes, [48..56, 64..72, 80..88]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Selection {
    plan: Plan,
    taken: Vec<Taken>,
    subset: Option<ArraySubset>,
}

impl Selection {
    /// Plans a slice for an array or a chunk of this shape.
    ///
    /// # Errors
    ///
    /// Those of [`Spec::plan`](slice_core::Spec::plan); [`SliceError::ShapeTooLarge`] also where a
    /// length does not fit `usize`.
    pub fn new(spec: impl AsSpec, shape: &[u64]) -> Result<Selection, SliceError> {
        Selection::try_from(spec.as_spec().plan(&to_usize(shape)?)?)
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(crate) fn into_plan(self) -> Plan {
        self.plan
    }

    /// The same slice of an array of another shape, if all that it takes lies inside.
    pub(crate) fn within(&self, shape: &[u64]) -> Result<Plan, IndexerError> {
        let rank = self.dimensionality();
        if shape.len() != rank {
            return Err(IndexerError::new_incompatible_dimensionality(rank, shape.len()));
        }
        if to_u64(self.plan.input_shape()) == shape {
            return Ok(self.plan.clone());
        }
        let highest: Vec<u64> = self.taken.iter().map(|t| t.low_high().1 as u64).collect();
        let outside = || IndexerError::new_oob(highest.clone(), shape.to_vec());
        if !self.plan.is_empty() && highest.iter().zip(shape).any(|(at, n)| at >= n) {
            return Err(outside());
        }
        let spec = self.spec(
            |t| t.start as i64,
            |_, t| {
                let stop = t.start as i64 + t.len as i64 * t.step as i64;
                (Some(t.start as i64), Some(stop).filter(|&stop| stop >= 0), t.step as i64)
            },
        );
        spec.and_then(|spec| spec.plan(&to_usize(shape)?)).map_err(|_| outside())
    }

    /// What to read, and what to take of that: a plan of the same array that goes forwards and
    /// keeps every axis, and one of its result that gives this slice. Where elements or whole rows
    /// that a step leaves out have at most `gap` bytes together, they are read with the others.
    pub(crate) fn forwards(&self, size: usize, gap: u64) -> Result<(Plan, Plan), SliceError> {
        let shape = self.plan.input_shape();
        let mut steps: Vec<usize> = self.taken.iter().map(|t| t.step.unsigned_abs()).collect();
        let mut row = size as u64;
        for ((step, t), &n) in steps.iter_mut().zip(&self.taken).zip(shape).rev() {
            if (*step as u64 - 1).saturating_mul(row) > gap {
                break;
            }
            *step = 1;
            let (low, high) = t.low_high();
            if t.len == 0 || high - low + 1 != n {
                break;
            }
            row = row.saturating_mul(n as u64);
        }
        let mut read = SpecBuf::builder();
        for (t, &step) in self.taken.iter().zip(&steps) {
            let (low, high) = t.low_high();
            let stop = if t.len == 0 { low } else { high + 1 };
            read = read.range(Some(low as i64), Some(stop as i64), Some(step as i64));
        }
        let read = read.build()?.plan(shape)?;
        let step = |axis, t: &Taken| t.step as i64 / steps.get(axis).map_or(1, |&step| step as i64);
        let of = self.spec(|_| 0, |axis, t| (None, None, step(axis, t)))?.plan(read.shape())?;
        Ok((read, of))
    }

    /// The slice with other numbers: an index of each axis that it drops, and start, stop and step
    /// of each that it keeps.
    fn spec(
        &self,
        index: impl Fn(&Taken) -> i64,
        range: impl Fn(usize, &Taken) -> (Option<i64>, Option<i64>, i64),
    ) -> Result<SpecBuf, SliceError> {
        let mut spec = SpecBuf::builder();
        let mut axes = self.taken.iter().enumerate();
        for source in self.plan.source_axes().chain([Some(self.taken.len())]) {
            let Some(source) = source else {
                spec = spec.new_axis();
                continue;
            };
            for (axis, taken) in axes.by_ref() {
                if axis == source {
                    let (start, stop, step) = range(axis, taken);
                    spec = spec.range(start, stop, Some(step));
                    break;
                }
                spec = spec.index(index(taken));
            }
        }
        spec.build()
    }
}

/// Fails with [`SliceError::NeedsContiguous`] for a plan made with strides of its own, which does
/// not say which positions it takes.
impl TryFrom<Plan> for Selection {
    type Error = SliceError;

    fn try_from(plan: Plan) -> Result<Selection, SliceError> {
        if plan.is_strided() {
            return Err(SliceError::NeedsContiguous { what: "a selection of a Zarr array" });
        }
        // The offset spells the first position on every axis, and a stride the step.
        let (mut rest, mut stride) = (plan.offset(), 1);
        let mut taken = Vec::with_capacity(plan.input_shape().len());
        for (axis, &n) in plan.input_shape().iter().enumerate().rev() {
            let out = plan.source_axes().position(|source| source == Some(axis));
            let len = out.map_or(1, |out| plan.shape()[out]);
            let step = out
                .filter(|_| len > 1 && !plan.is_empty())
                .map_or(1, |out| plan.strides()[out] / stride);
            taken.push(Taken { start: rest % n.max(1), step, len });
            (rest, stride) = (rest / n.max(1), stride.wrapping_mul(n as isize));
        }
        taken.reverse();
        let subset = taken.iter().all(|t| t.step == 1).then(|| {
            let ranges = taken.iter().map(|t| t.start as u64..(t.start + t.len) as u64);
            ArraySubset::from(ranges)
        });
        Ok(Selection { plan, taken, subset })
    }
}

impl Indexer for Selection {
    fn dimensionality(&self) -> usize {
        self.plan.input_shape().len()
    }

    fn len(&self) -> u64 {
        self.plan.len() as u64
    }

    fn output_shape(&self) -> Vec<u64> {
        self.plan.shape().iter().map(|&n| n as u64).collect()
    }

    fn iter_indices(&self) -> Box<dyn IndexerIterator<Item = ArrayIndicesTinyVec>> {
        let shape = self.plan.input_shape().to_vec();
        Box::new(self.plan.offsets().map(move |mut at| {
            let mut index: ArrayIndicesTinyVec = shape.iter().map(|_| 0).collect();
            for (i, &n) in index.iter_mut().zip(&shape).rev() {
                (*i, at) = ((at % n) as u64, at / n);
            }
            index
        }))
    }

    fn iter_linearised_indices(
        &self,
        array_shape: &[u64],
    ) -> Result<Box<dyn IndexerIterator<Item = u64>>, IndexerError> {
        Ok(Box::new(self.within(array_shape)?.offsets().map(|at| at as u64)))
    }

    fn iter_contiguous_linearised_indices(
        &self,
        array_shape: &[u64],
    ) -> Result<Box<dyn IndexerIterator<Item = (u64, u64)>>, IndexerError> {
        let mut runs = self.within(array_shape)?.runs().peekable();
        Ok(Box::new(iter::from_fn(move || {
            let (first, mut len) = runs.next()?;
            // The last element of a row and the first of the next may be neighbours.
            while let Some((_, more)) = runs.next_if(|&(next, _)| next == first + len) {
                len += more;
            }
            Some((first as u64, len as u64))
        })))
    }

    fn as_array_subset(&self) -> Option<&dyn ArraySubsetTraits> {
        self.subset.as_ref().map(|subset| subset as &dyn ArraySubsetTraits)
    }
}

/// Lengths as a plan takes them.
pub(crate) fn to_usize(shape: &[u64]) -> Result<Vec<usize>, SliceError> {
    let lengths = shape.iter().map(|&n| usize::try_from(n));
    lengths.collect::<Result<_, _>>().map_err(|_| SliceError::ShapeTooLarge)
}

/// Coordinates as zarrs takes them.
pub(crate) fn to_u64(numbers: &[usize]) -> Vec<u64> {
    numbers.iter().map(|&n| n as u64).collect()
}
