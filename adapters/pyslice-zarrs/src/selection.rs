use slice_core::{AsSpec, Plan, SliceError, SpecBuf};
use std::iter;
use zarrs::array::{ArrayIndicesTinyVec, ArraySubset, ArraySubsetTraits, Indexer, IndexerError};
use zarrs_chunk_grid::IndexerIterator;

/// What a slice takes on one axis: `start`, `start + step`, … (`len` of them).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) start: usize,
    pub(crate) step: isize,
    pub(crate) len: usize,
}

/// What a plan without strides of its own takes on each axis of its input.
pub(crate) fn taken(plan: &Plan) -> Vec<Taken> {
    // The offset spells the first position on every axis, and a stride the step.
    let (mut rest, mut stride) = (plan.offset(), 1);
    let mut taken = Vec::with_capacity(plan.input_shape().len());
    let out: Vec<_> = plan.source_axes().zip(plan.shape()).zip(plan.strides()).collect();
    let mut out = out.into_iter().rev().peekable();
    for (axis, &n) in plan.input_shape().iter().enumerate().rev() {
        while out.next_if(|((source, _), _)| source.is_none()).is_some() {}
        let out = out.next_if(|((source, _), _)| *source == Some(axis));
        let len = out.map_or(1, |((_, &len), _)| len);
        let step = out.filter(|_| len > 1 && !plan.is_empty()).map_or(1, |(_, &s)| s / stride);
        taken.push(Taken { start: rest % n.max(1), step, len });
        (rest, stride) = (rest / n.max(1), stride.wrapping_mul(n as isize));
    }
    taken.reverse();
    taken
}

/// A slice of an array, or of a chunk, as what zarrs takes for one: an [`Indexer`].
///
/// zarrs' partial decoders read the bytes of these elements and no others, in the order of the
/// slice: every step, backwards too, dropped axes and new ones. The bytes of a slice that goes
/// backwards are read one element after the other, and no gap is read through;
/// [`ArraySlice`](crate::ArraySlice) does better.
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

    /// The same slice of an array of another shape, if all that it takes lies inside.
    fn within(&self, shape: &[u64]) -> Result<Plan, IndexerError> {
        let rank = self.dimensionality();
        if shape.len() != rank {
            return Err(IndexerError::new_incompatible_dimensionality(rank, shape.len()));
        }
        if to_u64(self.plan.input_shape()) == shape {
            return Ok(self.plan.clone());
        }
        let last = |t: &Taken| t.start.wrapping_add_signed(t.step * (t.len.max(1) as isize - 1));
        let highest = || self.taken.iter().map(|t| t.start.max(last(t)) as u64).collect::<Vec<_>>();
        let outside = || IndexerError::new_oob(highest(), shape.to_vec());
        if !self.plan.is_empty() && highest().iter().zip(shape).any(|(at, n)| at >= n) {
            return Err(outside());
        }
        // Positions inside, so only the lengths of an array that cannot be are too large.
        let plan = || -> Option<Plan> {
            let (mut offset, mut width, mut strides) = (0isize, 1isize, vec![0; rank]);
            let axes = self.taken.iter().zip(shape).zip(&mut strides).rev();
            for ((taken, &n), stride) in axes {
                offset = offset.checked_add(width.checked_mul(taken.start.try_into().ok()?)?)?;
                *stride = width.checked_mul(taken.step)?;
                width = width.checked_mul(n.try_into().ok()?)?;
            }
            let out = self.plan.source_axes();
            let out = out.map(|axis| axis.and_then(|axis| strides.get(axis)).map_or(0, |&s| s));
            let (out, shape) = (out.collect::<Vec<_>>(), self.plan.shape());
            SpecBuf::default().plan_strided_at(shape, &out, offset.try_into().ok()?).ok()
        };
        plan().ok_or_else(outside)
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
        let taken = taken(&plan);
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
