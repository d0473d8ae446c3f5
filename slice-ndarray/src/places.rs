//! A quick test for views of one array that share no element.

use ndarray::{Dimension, RawArrayViewMut};
use slice_core::__private::views::gcd;
use std::mem::size_of;

/// Where the elements of a view lie: the address of the first in units of its size, and the view's
/// shape and strides.
pub(crate) struct Places<'a> {
    first: Option<usize>,
    shape: &'a [usize],
    strides: &'a [isize],
}

impl<'a> Places<'a> {
    #[inline]
    pub(crate) fn of<A, D: Dimension>(view: &'a RawArrayViewMut<A, D>) -> Self {
        let first = view.as_ptr().addr().checked_div(size_of::<A>());
        Places { first, shape: view.shape(), strides: view.strides() }
    }

    /// Whether a quick test shows that two views of one array share no element: one is empty, or
    /// one ends in memory before the other begins, or they interleave, as columns do: all their
    /// strides are multiples of a number, and the distance between them is not.
    pub(crate) fn are_apart(&self, other: &Places<'_>) -> bool {
        // Elements without a size all lie in one place.
        let (Some(first), Some(other_first)) = (self.first, other.first) else { return false };
        if self.shape.contains(&0) || other.shape.contains(&0) {
            return true;
        }
        let ((low, high), (other_low, other_high)) =
            (self.extent(first), other.extent(other_first));
        if high < other_low || other_high < low {
            return true;
        }
        let distance = first.abs_diff(other_first);
        distance.checked_rem(gcd(self.common(), other.common())).is_some_and(|rest| rest != 0)
    }

    /// The greatest number of which all strides are multiples. That of an axis of one position is
    /// never used.
    fn common(&self) -> usize {
        let moving = self.shape.iter().zip(self.strides).filter(|(n, _)| **n > 1);
        moving.fold(0, |so_far, (_, step)| gcd(so_far, step.unsigned_abs()))
    }

    /// The lowest and the highest place of a view that is not empty.
    fn extent(&self, first: usize) -> (usize, usize) {
        let (mut low, mut high) = (first, first);
        for (&n, &s) in self.shape.iter().zip(self.strides) {
            // The view has elements, so no sum leaves the array.
            let reach = s.wrapping_mul(n.wrapping_sub(1) as isize);
            let end = if s < 0 { &mut low } else { &mut high };
            *end = end.wrapping_add_signed(reach);
        }
        (low, high)
    }
}
