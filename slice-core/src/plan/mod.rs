//! [`Plan`]: a slice made concrete against one shape. No memory is touched here.

mod fixed;
pub(crate) mod walk;

pub use fixed::FixedPlan;

use crate::axis::Bounds;
use crate::error::SliceError;
use crate::spec::{AsSpec, SpecRef};
use alloc::boxed::Box;
use alloc::vec;
use walk::{Head, Input, NO_SOURCE};

/// Up to this many axes, in and out, a plan lives without the heap.
const INLINE: usize = 8;

/// A slice made concrete against one shape: which elements, in which order, and the shape of the result.
///
/// Made by [`Spec::plan`](crate::Spec::plan) and its sisters, and reusable: the same plan slices, assigns, fills, adds and
/// takes gradients, for any element type. It holds no reference to any data; each operation checks the buffer at hand.
///
/// # Units
///
/// Strides and offsets count elements, not bytes; strides may be negative or 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Plan {
    shape: [usize; INLINE],
    strides: [isize; INLINE],
    input_shape: [usize; INLINE],
    source: [u8; INLINE],
    rank: u8,
    input_rank: u8,
    strided: bool,
    offset: usize,
    len: usize,
    input_len: usize,
    heap: Option<Box<Heap>>,
}

/// The axes of a plan of more than [`INLINE`] axes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Heap {
    shape: Box<[usize]>,
    strides: Box<[isize]>,
    input_shape: Box<[usize]>,
    source: Box<[u8]>,
}

impl Plan {
    #[inline]
    pub(crate) fn new(spec: SpecRef<'_>, shape: &[usize], bounds: Bounds) -> Result<Plan, SliceError> {
        let input = Input { shape, strides: None, base: 0 };
        let mut plan = Plan::build(spec, input, bounds)?;
        plan.strided = false;
        Ok(plan)
    }

    pub(crate) fn new_strided(
        spec: SpecRef<'_>,
        shape: &[usize],
        strides: &[isize],
        bounds: Bounds,
    ) -> Result<Plan, SliceError> {
        let (base, span) = span(shape, strides)?;
        let mut plan = Plan::build(spec, Input { shape, strides: Some(strides), base }, bounds)?;
        (plan.input_len, plan.strided) = (span, true);
        Ok(plan)
    }

    fn build(spec: SpecRef<'_>, input: Input<'_>, bounds: Bounds) -> Result<Plan, SliceError> {
        let out = walk::out_rank(spec, input.shape.len())?;
        let rank = input.shape.len();
        if out > INLINE || rank > INLINE {
            return Plan::build_on_heap(spec, input, bounds, out);
        }
        let mut plan = Plan {
            shape: [0; INLINE],
            strides: [0; INLINE],
            input_shape: [0; INLINE],
            source: [0; INLINE],
            rank: out as u8,
            input_rank: rank as u8,
            strided: false,
            offset: 0,
            len: 0,
            input_len: 0,
            heap: None,
        };
        for (to, &from) in plan.input_shape.iter_mut().zip(input.shape) {
            *to = from;
        }
        let (Some(shape), Some(strides), Some(source)) =
            (plan.shape.get_mut(..out), plan.strides.get_mut(..out), plan.source.get_mut(..out))
        else {
            return Err(SliceError::RankTooHigh { rank: out, limit: INLINE });
        };
        let head = walk::walk(spec, input, bounds, shape, strides, source)?;
        plan.set_head(head);
        Ok(plan)
    }

    #[cold]
    fn build_on_heap(spec: SpecRef<'_>, input: Input<'_>, bounds: Bounds, out: usize) -> Result<Plan, SliceError> {
        let mut heap = Heap {
            shape: vec![0; out].into(),
            strides: vec![0; out].into(),
            input_shape: input.shape.into(),
            source: vec![0; out].into(),
        };
        let head = walk::walk(spec, input, bounds, &mut heap.shape, &mut heap.strides, &mut heap.source)?;
        let mut plan = Plan {
            shape: [0; INLINE],
            strides: [0; INLINE],
            input_shape: [0; INLINE],
            source: [0; INLINE],
            rank: out as u8,
            input_rank: input.shape.len() as u8,
            strided: false,
            offset: 0,
            len: 0,
            input_len: 0,
            heap: Some(Box::new(heap)),
        };
        plan.set_head(head);
        Ok(plan)
    }

    #[inline]
    fn set_head(&mut self, head: Head) {
        (self.offset, self.len, self.input_len) = (head.offset, head.len, head.count);
    }

    /// The shape of the result.
    #[inline]
    pub fn shape(&self) -> &[usize] {
        match &self.heap {
            None => self.shape.get(..usize::from(self.rank)).unwrap_or(&[]),
            Some(h) => &h.shape,
        }
    }

    /// The strides of the result as a view of the input, in elements: one an axis; 0 for a new axis.
    #[inline]
    pub fn strides(&self) -> &[isize] {
        match &self.heap {
            None => self.strides.get(..usize::from(self.rank)).unwrap_or(&[]),
            Some(h) => &h.strides,
        }
    }

    /// Where the first element of the result lies in the input, in elements; 0 if the result is empty.
    #[inline]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many elements the result has.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "is_empty follows")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the result has no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many elements the input buffer must have: exactly so many for [`plan`](crate::Spec::plan), at least so many for
    /// [`plan_strided`](crate::Spec::plan_strided).
    #[inline]
    pub fn input_len(&self) -> usize {
        self.input_len
    }

    /// The shape of the input that the plan was made for.
    #[inline]
    pub fn input_shape(&self) -> &[usize] {
        match &self.heap {
            None => self.input_shape.get(..usize::from(self.input_rank)).unwrap_or(&[]),
            Some(h) => &h.input_shape,
        }
    }

    /// For each axis of the result, the axis of the input that feeds it; `None` for a new axis.
    pub fn source_axes(&self) -> impl ExactSizeIterator<Item = Option<usize>> + '_ {
        self.sources().iter().map(|&a| if a == NO_SOURCE { None } else { Some(usize::from(a)) })
    }

    fn sources(&self) -> &[u8] {
        match &self.heap {
            None => self.source.get(..usize::from(self.rank)).unwrap_or(&[]),
            Some(h) => &h.source,
        }
    }

    /// Whether the input was given with strides of its own ([`plan_strided`](crate::Spec::plan_strided)).
    #[inline]
    pub fn is_strided(&self) -> bool {
        self.strided
    }

    /// Whether the elements of the result lie one after the other in the input (axes of length 1 do not matter).
    pub fn is_contiguous(&self) -> bool {
        if self.len == 0 {
            return true;
        }
        let mut expected = 1isize;
        for (&n, &s) in self.shape().iter().zip(self.strides()).rev() {
            if n != 1 {
                if s != expected {
                    return false;
                }
                // The length of the result fits isize.
                expected = expected.wrapping_mul(n as isize);
            }
        }
        true
    }

    /// Whether the result is the whole input in order, apart from axes of length 1.
    pub fn is_identity(&self) -> bool {
        self.len == self.input_len && self.offset == 0 && self.is_contiguous()
    }

    /// The plan of a slice of this slice: one plan, over the same buffer.
    ///
    /// # Errors
    ///
    /// Those of [`Spec::plan`](crate::Spec::plan) on [`shape()`](Plan::shape).
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_core::{Entry, SliceError, SpecBuf};
    ///
    /// let reversed = SpecBuf::builder().range(None::<i64>, None::<i64>, -1).build()?.plan(&[10])?;
    /// let every_third = SpecBuf::builder().range(1, None::<i64>, 3).build()?;
    /// let both = reversed.then(&every_third)?;
    /// assert_eq!((both.offset(), both.strides(), both.len()), (8, &[-3][..], 3));
    /// # Ok::<(), SliceError>(())
    /// ```
    pub fn then(&self, spec: impl AsSpec) -> Result<Plan, SliceError> {
        let input = Input { shape: self.shape(), strides: Some(self.strides()), base: self.offset };
        let mut plan = Plan::build(spec.as_spec(), input, Bounds::Clamp)?;
        (plan.input_len, plan.strided) = (self.input_len, self.strided);
        plan.rebase(self);
        Ok(plan)
    }

    /// Makes the axes of `self`, a slice of `earlier`, name the axes of the input of `earlier`.
    fn rebase(&mut self, earlier: &Plan) {
        let through = |a: &mut u8| {
            if *a != NO_SOURCE {
                *a = earlier.sources().get(usize::from(*a)).copied().unwrap_or(NO_SOURCE);
            }
        };
        let rank = earlier.input_shape().len();
        if rank > INLINE && self.heap.is_none() {
            let heap = Heap {
                shape: self.shape().into(),
                strides: self.strides().into(),
                input_shape: earlier.input_shape().into(),
                source: self.sources().into(),
            };
            (self.shape, self.strides, self.source) = ([0; INLINE], [0; INLINE], [0; INLINE]);
            self.input_shape = [0; INLINE];
            self.heap = Some(Box::new(heap));
        }
        self.input_rank = earlier.input_rank;
        match &mut self.heap {
            Some(h) => {
                h.input_shape = earlier.input_shape().into();
                h.source.iter_mut().for_each(through);
            }
            None => {
                self.input_shape = earlier.input_shape;
                self.source.iter_mut().take(usize::from(self.rank)).for_each(through);
            }
        }
    }
}

/// The offset of element `[0, 0, …]` from the lowest element that an array touches, and how many elements it spans.
pub(crate) const fn span(mut shape: &[usize], mut strides: &[isize]) -> Result<(usize, usize), SliceError> {
    if shape.len() != strides.len() {
        return Err(SliceError::RankMismatch { expected: shape.len(), found: strides.len() });
    }
    let (mut below, mut above, mut empty) = (0usize, 0usize, false);
    while let (Some((&n, rest)), Some((&s, more))) = (shape.split_first(), strides.split_first()) {
        (shape, strides) = (rest, more);
        if n == 0 {
            empty = true;
            continue;
        }
        // n is at least 1 here.
        let Some(reach) = n.wrapping_sub(1).checked_mul(s.unsigned_abs()) else {
            return Err(SliceError::ShapeTooLarge);
        };
        let side = if s < 0 { &mut below } else { &mut above };
        match side.checked_add(reach) {
            Some(v) => *side = v,
            None => return Err(SliceError::ShapeTooLarge),
        }
    }
    match below.checked_add(above) {
        Some(v) if v < isize::MAX as usize => {
            if empty {
                Ok((0, 0))
            } else {
                Ok((below, v.wrapping_add(1)))
            }
        }
        _ => Err(SliceError::ShapeTooLarge),
    }
}
