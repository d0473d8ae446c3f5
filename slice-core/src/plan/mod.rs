//! [`Plan`]: a slice resolved for one shape. No code here touches the elements of an array.

pub(crate) mod axes;
#[cfg(feature = "toolkit")]
mod convert;
mod extent;
#[cfg(feature = "toolkit")]
mod fixed;
mod of_spec;
#[cfg(feature = "toolkit")]
pub(crate) mod relayout;
pub(crate) mod walk;

pub(crate) use extent::{extent, is_one_run};
#[cfg(feature = "toolkit")]
pub use fixed::FixedPlan;

use crate::encoding::{AsSpec, SpecRef};
use crate::error::SliceError;
use alloc::boxed::Box;
use core::mem::take;
use walk::{Axes, Input, MAX_RANK, NO_SOURCE, Strided};

/// A plan with at most this many axes, in the input and in the result, needs no heap.
const INLINE: usize = 8;

/// A slice resolved for one shape: which elements it takes, in which order, and the shape of the
/// result.
///
/// A plan is made by [`Spec::plan`](crate::Spec::plan) and similar methods. It is reusable: the
/// same plan slices, assigns, fills, adds and computes gradients, for any element type. It holds no
/// reference to data; each operation checks the buffer that it is given.
///
/// # Units
///
/// Strides and offsets count elements, not bytes; strides may be negative or 0.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "toolkit")] {
/// let plan = pyslice::s![:, ::-2].plan(&[2, 5])?;
/// assert_eq!((plan.shape(), plan.strides(), plan.offset()), (&[2, 3][..], &[5, -2][..], 4));
/// assert_eq!((plan.len(), plan.input_len()), (6, 10));
/// # }
/// # Ok::<(), pyslice::SliceError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Plan {
    parts: Parts,
}

/// What a plan is made of.
///
/// A `Result` of a plan marks an error in `axes.strided`, the only field with values to spare, and
/// `?` moves what lies on either side of it by itself. So that field stands in the middle: the
/// compiler moves up to 128 bytes once and in place, and more by two calls of `memcpy`, which took a
/// quarter of the time of a tiny copy.
#[derive(Clone, PartialEq, Eq, Hash)]
#[repr(C)]
struct Parts {
    /// The axes of a plan of more than [`INLINE`] axes; only the numbers of `axes` are used then,
    /// and those in the box are 0.
    heap: Option<Box<Axes<MAX_RANK, MAX_RANK>>>,
    rank: u8,
    input_rank: u8,
    axes: Axes<INLINE, INLINE>,
}

impl core::fmt::Debug for Plan {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Plan")
            .field("input_shape", &self.input_shape())
            .field("input_len", &self.input_len())
            .field("shape", &self.shape())
            .field("strides", &self.strides())
            .field("offset", &self.offset())
            .finish()
    }
}

impl Plan {
    /// Behind a call: where it is inlined, the empty plan and the error are made by each caller,
    /// which costs the compiler more than the moving of the plan takes.
    #[inline(never)]
    pub(crate) fn new(spec: SpecRef<'_>, shape: &[usize]) -> Result<Plan, SliceError> {
        Plan::of::<true>(&spec, &Input::dense(shape))
    }

    pub(crate) fn new_strided(
        spec: SpecRef<'_>,
        shape: &[usize],
        strides: &[isize],
        first: Option<usize>,
    ) -> Result<Plan, SliceError> {
        let (below, reach) = extent(shape, strides)?;
        // An empty array touches no element.
        let base = match first {
            Some(first) if reach > 0 => first,
            _ => below,
        };
        let Some(low) = base.checked_sub(below) else {
            return Err(SliceError::BeforeBuffer { first: base, below });
        };
        // The base is a position of the array, so it fits where the end does.
        let end = low.checked_add(reach).filter(|&end| end <= isize::MAX as usize);
        let mut plan = Plan::of::<false>(&spec, &Input { shape, strides, base })?;
        let end = end.ok_or(SliceError::ReachTooLarge)?;
        (plan.parts.axes.input_len, plan.parts.axes.strided) = (end, Strided::Yes);
        Ok(plan)
    }

    const ZERO: Plan =
        Plan { parts: Parts { heap: None, rank: 0, input_rank: 0, axes: Axes::ZERO } };

    /// The plan of `spec` on an array, which is in C order if `DENSE`.
    #[inline]
    fn of<const DENSE: bool>(spec: &SpecRef<'_>, input: &Input<'_>) -> Result<Plan, SliceError> {
        let mut plan = Plan::ZERO;
        if plan.set::<DENSE>(spec, input) {
            Ok(plan)
        } else {
            Err(walk::mistake(*spec, input.shape))
        }
    }

    /// Makes `self`, which is [`Plan::ZERO`], the plan of `spec` on an array, which is in C order if
    /// `DENSE`. Returns whether it could.
    #[inline]
    fn set<const DENSE: bool>(&mut self, spec: &SpecRef<'_>, input: &Input<'_>) -> bool {
        let rank = input.shape.len();
        let out = rank.wrapping_sub(spec.drops()).wrapping_add(spec.adds());
        (self.parts.rank, self.parts.input_rank) = (out as u8, rank as u8);
        if out <= INLINE && rank <= INLINE {
            walk::walk::<INLINE, INLINE, DENSE>(spec, input, &mut self.parts.axes)
        } else {
            self.set_heap::<DENSE>(spec, input)
        }
    }

    #[cold]
    #[inline(never)]
    fn set_heap<const DENSE: bool>(&mut self, spec: &SpecRef<'_>, input: &Input<'_>) -> bool {
        let heap = self.parts.heap.insert(Box::new(Axes::ZERO));
        let right = walk::walk::<MAX_RANK, MAX_RANK, DENSE>(spec, input, heap);
        let numbers = (&mut heap.offset, &mut heap.len, &mut heap.input_len);
        self.parts.axes.offset = take(numbers.0);
        self.parts.axes.len = take(numbers.1);
        self.parts.axes.input_len = take(numbers.2);
        right
    }

    /// The shape of the result.
    #[inline]
    pub fn shape(&self) -> &[usize] {
        match &self.parts.heap {
            None => self.parts.axes.shape.get(..usize::from(self.parts.rank)).unwrap_or(&[]),
            Some(h) => h.shape.get(..usize::from(self.parts.rank)).unwrap_or(&[]),
        }
    }

    /// The strides of the result as a view of the input, in elements: one for each axis; 0 for a
    /// new axis.
    #[inline]
    pub fn strides(&self) -> &[isize] {
        match &self.parts.heap {
            None => self.parts.axes.strides.get(..usize::from(self.parts.rank)).unwrap_or(&[]),
            Some(h) => h.strides.get(..usize::from(self.parts.rank)).unwrap_or(&[]),
        }
    }

    /// Where the first element of the result lies in the input, in elements; 0 if the result is
    /// empty.
    #[inline]
    pub fn offset(&self) -> usize {
        self.parts.axes.offset
    }

    /// How many elements the result has.
    #[inline]
    #[allow(clippy::len_without_is_empty, reason = "is_empty follows")]
    pub fn len(&self) -> usize {
        self.parts.axes.len
    }

    /// Whether the result has no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.parts.axes.len == 0
    }

    /// How many elements the input buffer must have: exactly this many, or at least this many if
    /// the plan is [strided](Plan::is_strided).
    #[inline]
    pub fn input_len(&self) -> usize {
        self.parts.axes.input_len
    }

    /// The shape of the input that the plan was made for.
    #[inline]
    pub fn input_shape(&self) -> &[usize] {
        match &self.parts.heap {
            None => {
                self.parts.axes.input_shape.get(..usize::from(self.parts.input_rank)).unwrap_or(&[])
            }
            Some(h) => h.input_shape.get(..usize::from(self.parts.input_rank)).unwrap_or(&[]),
        }
    }

    /// For each axis of the result, the axis of the input that feeds it; `None` for a new axis.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(feature = "toolkit")] {
    /// let plan = pyslice::s![None, 0, ::2].plan(&[3, 4])?;
    /// assert_eq!(plan.source_axes().collect::<Vec<_>>(), [None, Some(1)]);
    /// # }
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    pub fn source_axes(&self) -> impl ExactSizeIterator<Item = Option<usize>> + '_ {
        self.sources().iter().map(|&a| if a == NO_SOURCE { None } else { Some(usize::from(a)) })
    }

    fn sources(&self) -> &[u8] {
        match &self.parts.heap {
            None => self.parts.axes.source.get(..usize::from(self.parts.rank)).unwrap_or(&[]),
            Some(h) => h.source.get(..usize::from(self.parts.rank)).unwrap_or(&[]),
        }
    }

    /// Whether the plan counts as strided: it was made by
    /// [`plan_strided`](crate::Spec::plan_strided) or its like, or by [`permute`](Plan::permute),
    /// [`broadcast_to`](Plan::broadcast_to) or [`reshape`](Plan::reshape) where these changed it.
    /// Its buffer may then be longer than [`input_len()`](Plan::input_len).
    #[inline]
    pub fn is_strided(&self) -> bool {
        self.parts.axes.strided == Strided::Yes
    }

    /// Whether the elements of the result lie one after the other in the input (axes of length 1 do
    /// not matter).
    pub fn is_contiguous(&self) -> bool {
        is_one_run(self.shape(), self.strides(), self.len())
    }

    /// Whether the result is the whole input in order, apart from axes of length 1, which may be
    /// added or dropped. For a slice that also leaves the shape as it is,
    /// [`shape()`](Plan::shape) equals [`input_shape()`](Plan::input_shape) as well.
    pub fn is_identity(&self) -> bool {
        let longer = |n: &&usize| **n != 1;
        let same =
            || self.shape().iter().filter(longer).eq(self.input_shape().iter().filter(longer));
        // Where there are elements, the lengths follow from their number and order.
        self.parts.axes.len == self.parts.axes.input_len
            && self.parts.axes.offset == 0
            && self.is_contiguous()
            && (self.parts.axes.len > 0 || same())
    }

    /// Composes a slice of this slice into one plan, over the same buffer.
    ///
    /// # Errors
    ///
    /// Those of [`Spec::plan`](crate::Spec::plan) on [`shape()`](Plan::shape).
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(feature = "toolkit")] {
    /// use pyslice::s;
    ///
    /// let both = s![::-1].plan(&[10])?.then(s![1::3])?;
    /// assert_eq!((both.offset(), both.strides(), both.len()), (8, &[-3][..], 3));
    /// # }
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// NumPy: `x[::-1][1::3]` is a view of `x`. The property test `then_is_slicing_twice` compares
    /// with slicing twice.
    #[doc(alias = "compose")]
    pub fn then(&self, spec: impl AsSpec) -> Result<Plan, SliceError> {
        let input =
            Input { shape: self.shape(), strides: self.strides(), base: self.parts.axes.offset };
        Ok(self.adopt(&Plan::of::<false>(&spec.as_spec(), &input)?))
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;
    use core::mem::{offset_of, size_of};

    /// A plan is moved in two pieces that the compiler moves in place, and `Result` adds nothing.
    #[test]
    fn the_mark_of_an_error_lies_in_the_middle() {
        let mark = offset_of!(Plan, parts.axes.strided);
        let behind = mark + size_of::<Strided>();
        assert!(mark <= 128 && size_of::<Plan>() - behind <= 128);
        assert_eq!(size_of::<Result<Plan, SliceError>>(), size_of::<Plan>());
    }
}
