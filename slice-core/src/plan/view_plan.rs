//! [`ViewPlan`]: a plan that only makes a view, and is used at once.

use super::walk::{self, Axes, Input};
use super::{INLINE, Plan};
use crate::axis;
use crate::encoding::SpecRef;
use crate::error::SliceError;

/// Shape and strides of a view of an array of any strides, and where it starts, counted from the
/// array's element `[0, 0, …]`. A view needs nothing else of a [`Plan`].
#[derive(Debug)]
#[allow(
    unreachable_pub,
    reason = "a method of a public trait that nobody else can implement gives it"
)]
pub struct ViewPlan {
    axes: Axes<INLINE, INLINE>,
    rank: usize,
    len: usize,
    offset: isize,
}

impl ViewPlan {
    /// A view without axes at the start of the array, which [`set`](Self::set) overwrites.
    pub(crate) const NOWHERE: ViewPlan = ViewPlan { axes: Axes::ZERO, rank: 0, len: 1, offset: 0 };

    /// Plans `spec`; `false` if the array or the view has more axes than fit.
    pub(crate) fn set(
        &mut self,
        spec: SpecRef<'_>,
        shape: &[usize],
        strides: &[isize],
    ) -> Result<bool, SliceError> {
        let rank = walk::out_rank(spec, shape.len())?;
        if rank > INLINE || shape.len() > INLINE || shape.len() != strides.len() {
            return Ok(false);
        }
        let input = Input { shape, strides: Some(strides), base: 0 };
        if !walk::walk(&spec, &input, &mut self.axes) {
            return Err(walk::mistake(spec, shape));
        }
        (self.rank, self.len, self.offset) = (rank, self.axes.len, self.axes.offset as isize);
        Ok(true)
    }

    #[inline]
    pub(crate) fn lines(&self) -> Lines<'_> {
        Lines {
            shape: self.axes.shape.get(..self.rank).unwrap_or(&[]),
            strides: self.axes.strides.get(..self.rank).unwrap_or(&[]),
            len: self.len,
            offset: self.offset,
        }
    }
}

/// Shape, strides and offset of a [`ViewPlan`] or a [`Plan`]. The offset counts from the array's
/// element `[0, 0, …]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<'a> {
    pub(crate) shape: &'a [usize],
    pub(crate) strides: &'a [isize],
    pub(crate) len: usize,
    pub(crate) offset: isize,
}

/// The greatest common divisor; that of 0 and `a` is `a`.
pub(crate) fn gcd(mut a: usize, mut b: usize) -> usize {
    while let Some(rest) = a.checked_rem(b) {
        (a, b) = (b, rest);
    }
    a
}

impl Lines<'_> {
    /// Whether a quick test shows that two views of one array share no element: one is empty, or
    /// one ends in memory before the other begins, or they interleave, as columns do: all their
    /// strides are multiples of a number, and the distance between them is not.
    pub(crate) fn are_apart(&self, other: &Lines<'_>) -> bool {
        if self.len == 0 || other.len == 0 {
            return true;
        }
        let ((low, high), (other_low, other_high)) = (self.extent(), other.extent());
        if high < other_low || other_high < low {
            return true;
        }
        // The stride of an axis of one position is never used.
        let common = |lines: Lines<'_>| {
            let moving = lines.shape.iter().zip(lines.strides).filter(|(n, _)| **n > 1);
            moving.fold(0, |so_far, (_, step)| gcd(so_far, step.unsigned_abs()))
        };
        let distance = self.offset.abs_diff(other.offset);
        distance.checked_rem(gcd(common(*self), common(*other))).is_some_and(|rest| rest != 0)
    }

    /// The lowest and the highest offset of a view that is not empty.
    fn extent(&self) -> (isize, isize) {
        let (mut low, mut high) = (self.offset, self.offset);
        for (&n, &s) in self.shape.iter().zip(self.strides) {
            // The view has elements, so no sum leaves the array.
            let reach = s.wrapping_mul(n.wrapping_sub(1) as isize);
            if s < 0 { low = low.wrapping_add(reach) } else { high = high.wrapping_add(reach) }
        }
        (low, high)
    }
}

/// Lays out the view that `spec` takes of an array: its lengths to `lengths`, its strides to `steps`,
/// in bits of `isize`, each of them 0 on an axis that does not move. Both are 0, and have as many
/// places as the view has axes. Returns where the view starts, counted from the array's element
/// `[0, 0, …]`; `None` where the planner finds a mistake ([`walk::mistake`]).
///
/// It is the planner's walk without the numbers that only a [`Plan`] has: the array exists, so its
/// strides are given, and it is not too large.
pub(crate) fn lay(
    spec: &SpecRef<'_>,
    shape: &[usize],
    strides: &[isize],
    (lengths, steps): (&mut [usize], &mut [usize]),
) -> Option<isize> {
    let m = &spec.masks;
    let (before, rest) = spec.whole_axes(shape.len())?;
    let mut axes = shape.iter().zip(strides);
    let mut places = lengths.iter_mut().zip(steps);
    let (mut offset, mut some, mut bit) = (0_isize, true, 1_u32);
    macro_rules! put {
        ($n:expr, $stride:expr) => {{
            let (n, (length, step)) = ($n, places.next()?);
            (*length, *step) = (n, if n > 1 { $stride as usize } else { 0 });
            some &= n != 0;
        }};
    }
    macro_rules! whole {
        ($count:expr) => {
            for _ in 0..$count {
                let (&n, &stride) = axes.next()?;
                put!(n, stride);
            }
        };
    }
    whole!(before);
    let mut rest = Some(rest);
    for ((&first, &end), &step) in spec.begin.iter().zip(spec.end).zip(spec.strides) {
        if (m.ellipsis | m.new_axis) & bit != 0 {
            if m.ellipsis & bit != 0 {
                whole!(rest.take().unwrap_or(0));
            } else {
                put!(1, 0_isize);
            }
        } else {
            let (&n, &stride) = axes.next()?;
            // No array has an axis longer than isize::MAX.
            let n = n as i64;
            let start = if m.shrink_axis & bit != 0 {
                axis::position(first, n).filter(|_| step > 0)?
            } else {
                let start = if m.begin & bit != 0 { None } else { Some(first) };
                let stop = if m.end & bit != 0 { None } else { Some(end) };
                if step == 0 || spec.strict && axis::out_of_bounds(n, start, stop, step).is_some() {
                    return None;
                }
                let run = axis::run(n, start, stop, step);
                put!(run.len, walk::scale(stride, step));
                run.start
            };
            offset = offset.wrapping_add((start as isize).wrapping_mul(stride));
        }
        bit = bit.wrapping_shl(1);
    }
    whole!(rest.unwrap_or(0));
    let all = axes.next().is_none() && places.next().is_none();
    all.then_some(if some { offset } else { 0 })
}

/// Where the one element lies that a slice of indices takes, counted as in [`lay`]; `None` for other
/// slices, and where there is a mistake.
pub(crate) fn position(spec: &SpecRef<'_>, shape: &[usize], strides: &[isize]) -> Option<isize> {
    let m = &spec.masks;
    let entries = 1_u32.wrapping_shl(shape.len() as u32).wrapping_sub(1);
    let indices = m.shrink_axis & !(m.ellipsis | m.new_axis);
    if spec.axis != 0
        || spec.begin.len() != shape.len()
        || shape.len() >= 32
        || entries & !indices != 0
    {
        return None;
    }
    let (axes, entries) = (shape.iter().zip(strides), spec.begin.iter().zip(spec.strides));
    let mut offset = 0_isize;
    for ((&n, &stride), (&index, &step)) in axes.zip(entries) {
        let at = axis::position(index, n as i64).filter(|_| step > 0)?;
        offset = offset.wrapping_add((at as isize).wrapping_mul(stride));
    }
    Some(offset)
}

impl Plan {
    /// The view that the plan stands for, if it was made with
    /// [`plan_strided`](crate::Spec::plan_strided) for an array of this shape and these
    /// strides.
    pub(crate) fn lines(
        &self,
        shape: &[usize],
        strides: &[isize],
    ) -> Result<Lines<'_>, SliceError> {
        // Both are positions inside the array, whose span fits isize.
        let offset =
            (self.offset() as isize).wrapping_sub(super::extent(shape, strides)?.0 as isize);
        Ok(Lines { shape: self.shape(), strides: self.strides(), len: self.len(), offset })
    }
}
