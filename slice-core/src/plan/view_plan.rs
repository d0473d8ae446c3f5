//! [`ViewPlan`]: a plan that only makes a view, and is used at once.

use super::unrolled::is_likely;
use super::walk::{self, Axes, Input};
use super::{INLINE, Plan};
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

    /// Plans `spec`, of `LEN` entries, on an array of `RANK` axes. Little of it is left after
    /// inlining if the slice is a constant. Returns `false` if there is a mistake or the case is
    /// not that simple.
    ///
    /// The plan is made in place, because moving it would cost as much as making it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[expect(clippy::arithmetic_side_effects, reason = "constants: ranks and entries are few")]
    pub(crate) fn set_at_rank<const LEN: usize, const RANK: usize>(
        &mut self,
        spec: SpecRef<'_>,
        shape: &[usize],
        strides: &[isize],
    ) -> bool {
        if LEN <= walk::MAX_UNROLLED
            && RANK + LEN <= INLINE
            && let (Ok(shape), Ok(strides)) =
                (<&[usize; RANK]>::try_from(shape), <&[isize; RANK]>::try_from(strides))
            && let Some(head) = walk::walk_unrolled::<LEN, RANK, INLINE, INLINE>(
                spec,
                shape,
                Some(strides),
                &mut self.axes,
            )
        {
            self.rank = RANK.wrapping_sub(spec.drops()).wrapping_add(spec.adds());
            (self.len, self.offset) = (head.len, head.offset as isize);
            return true;
        }
        false
    }

    /// [`set_at_rank`](Self::set_at_rank) for an array whose rank is known only at run time.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn set_at_likely_rank<const LEN: usize, const TAKES: usize, const ADDS: usize>(
        &mut self,
        spec: SpecRef<'_>,
        shape: &[usize],
        strides: &[isize],
    ) -> bool {
        macro_rules! ranks {
            ($($rank:literal)*) => {
                match shape.len() {
                    $($rank if const { is_likely(LEN, TAKES, ADDS, $rank) } => {
                        self.set_at_rank::<LEN, $rank>(spec, shape, strides)
                    })*
                    _ => false,
                }
            };
        }
        ranks!(1 2 3 4 5 6)
    }

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
        let head = walk::walk(spec, input, &mut self.axes)?;
        (self.rank, self.len, self.offset) = (rank, head.len, head.offset as isize);
        Ok(true)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
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
fn gcd(mut a: usize, mut b: usize) -> usize {
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
