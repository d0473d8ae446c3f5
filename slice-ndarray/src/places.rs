//! Where elements lie in memory, and a quick test for views of one array that share none.

use ndarray::{ArrayRef, Dimension, RawArrayViewMut};
use slice_core::__private::views::gcd;
use std::mem::size_of;

/// The places of elements: that of the first, and shape and strides.
#[derive(Clone, Copy)]
pub(crate) struct Places<'a, T> {
    pub(crate) first: *mut T,
    pub(crate) shape: &'a [usize],
    pub(crate) strides: &'a [isize],
}

impl<'a, T> Places<'a, T> {
    /// Those of a view, or of an array.
    #[inline]
    pub(crate) fn of<D: Dimension>(view: &'a ArrayRef<T, D>) -> Self {
        let first = view.as_ptr().cast_mut();
        Places { first, shape: view.shape(), strides: view.strides() }
    }

    /// Those of a view to be written.
    #[inline]
    pub(crate) fn of_mut<D: Dimension>(view: &'a mut ArrayRef<T, D>) -> Self {
        let first = view.as_mut_ptr();
        Places { first, shape: view.shape(), strides: view.strides() }
    }

    /// Those of a view that is not borrowed yet.
    #[inline]
    pub(crate) fn of_raw<D: Dimension>(view: &'a RawArrayViewMut<T, D>) -> Self {
        let first = view.as_ptr().cast_mut();
        Places { first, shape: view.shape(), strides: view.strides() }
    }

    /// How many there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether a quick test shows that two views of one array share no element: one is empty, or
    /// one ends in memory before the other begins, or they interleave, as columns do: all their
    /// strides are multiples of a number, and the distance between them is not.
    pub(crate) fn are_apart(&self, other: &Places<'_, T>) -> bool {
        // Elements without a size all lie in one place.
        let address = |places: &Places<'_, T>| places.first.addr().checked_div(size_of::<T>());
        let (Some(first), Some(other_first)) = (address(self), address(other)) else {
            return false;
        };
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
