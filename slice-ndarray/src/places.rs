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
    pub(crate) fn of_raw<D: Dimension>(view: &'a RawArrayViewMut<T, D>) -> Self {
        let first = view.as_ptr().cast_mut();
        Places { first, shape: view.shape(), strides: view.strides() }
    }

    /// How many there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// How many there are, if they lie one after the other, in order.
    #[inline]
    pub(crate) fn in_one_piece(&self) -> Option<usize> {
        let mut len = 1_usize;
        for (&n, &stride) in self.shape.iter().zip(self.strides).rev() {
            if n != 1 && stride != len as isize {
                return None;
            }
            // They are elements of an array, so their number fits.
            len = len.wrapping_mul(n);
        }
        Some(len)
    }

    /// How many there are, if they lie one after the other, in any order of axes and directions, and
    /// how many of them lie below the first.
    #[inline]
    pub(crate) fn all_in_one_piece(&self) -> Option<(usize, usize)> {
        if let Some(len) = self.in_one_piece() {
            return Some((0, len));
        }
        let (len, mut run, mut below) = (self.len(), 1_usize, 0_usize);
        while run != len {
            // The runs get longer, so no axis is found twice.
            let mut axes = self.shape.iter().zip(self.strides);
            let (&n, &stride) = axes.find(|(n, stride)| **n > 1 && stride.unsigned_abs() == run)?;
            if stride < 0 {
                below = below.wrapping_add(n.wrapping_sub(1).wrapping_mul(run));
            }
            // They are elements of an array, so their number fits.
            run = run.wrapping_mul(n);
        }
        Some((below, len))
    }

    /// Whether a quick test shows that two views of one array share no element: one is empty, or
    /// one ends in memory before the other begins, or they lie side by side, as quarters of a matrix
    /// or its even and odd columns do.
    pub(crate) fn are_apart(&self, other: &Places<'_, T>) -> bool {
        let period = || gcd(self.common(), other.common());
        let last = |distance| self.are_side_by_side(other, distance, period());
        self.test(other, self.strides, last)
    }

    /// The same, but divisions, which take long, are made only for more than `few` elements, and
    /// none to find a common divisor.
    pub(crate) fn are_plainly_apart(&self, other: &Places<'_, T>, few: usize) -> bool {
        let strides = if self.len() <= few { &[][..] } else { self.strides };
        self.test(other, strides, |_| false)
    }

    fn test(
        &self,
        other: &Places<'_, T>,
        periods: &[isize],
        last: impl FnOnce(isize) -> bool,
    ) -> bool {
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
        let distance = (other_low as isize).wrapping_sub(low as isize);
        let apart = |step: &isize| self.are_side_by_side(other, distance, step.unsigned_abs());
        periods.iter().any(apart) || last(distance)
    }

    /// Whether no element of one view lies a multiple of `period` from one of the other, whose
    /// lowest element is `distance` above this view's lowest.
    ///
    /// Modulo the period, this view lies in `0..=reach`, and the other one in `begin..=begin +
    /// other_reach`, which must end before it comes round to 0.
    fn are_side_by_side(&self, other: &Places<'_, T>, distance: isize, period: usize) -> bool {
        let begin = isize::try_from(period).ok().and_then(|it| distance.checked_rem_euclid(it));
        let Some(begin) = begin else { return false };
        let begin = begin.unsigned_abs();
        begin > self.reach_within(period) && other.reach_within(period) < period.wrapping_sub(begin)
    }

    /// How far the axes reach whose strides are not multiples of `period`.
    fn reach_within(&self, period: usize) -> usize {
        let steps = self.shape.iter().zip(self.strides).map(|(n, step)| (n, step.unsigned_abs()));
        let within = steps.filter(|&(_, step)| step.checked_rem(period) != Some(0));
        // The view has elements, so no sum is longer than the array.
        within.fold(0, |reach, (n, step)| reach.wrapping_add(n.wrapping_sub(1).wrapping_mul(step)))
    }

    /// The greatest number of which all strides are multiples. That of an axis of one position is
    /// never used.
    fn common(&self) -> usize {
        let moving = self.shape.iter().zip(self.strides).filter(|(n, _)| **n > 1);
        moving.fold(0, |so_far, (_, step)| gcd(so_far, step.unsigned_abs()))
    }

    /// The lowest and the highest place of a view that is not empty.
    #[inline]
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

/// Calls `f` with the places of `to` and of `from` that belong together, one by one: for few of them,
/// that takes less than finding loops. A shape of two axes at most; strides that are missing are 0.
#[inline]
pub(crate) fn few<A, B>(
    shape: &[usize],
    (mut to, to_strides): (*mut A, &[isize]),
    (mut from, from_strides): (*const B, &[isize]),
    mut f: impl FnMut(*mut A, *const B),
) {
    let (rows, n) = match *shape {
        [rows, n] => (rows, n),
        [n] => (1, n),
        _ => (1, 1),
    };
    let steps = |strides: &[isize]| match *strides {
        [down, by] => (down, by),
        [by] => (0, by),
        _ => (0, 0),
    };
    let ((to_down, to_by), (from_down, from_by)) = (steps(to_strides), steps(from_strides));
    for _ in 0..rows {
        let (mut place, mut one) = (to, from);
        for _ in 0..n {
            f(place, one);
            (place, one) = (place.wrapping_offset(to_by), one.wrapping_offset(from_by));
        }
        (to, from) = (to.wrapping_offset(to_down), from.wrapping_offset(from_down));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of these slices of a matrix of 6 by 8 elements: a pair that passes the test shares
    /// none.
    #[test]
    fn views_that_pass_the_test_share_no_element() {
        let ranges = |n: usize| {
            let begins = (0..n).flat_map(move |begin| [1, 2, 3].map(|step| (begin, step)));
            begins.flat_map(move |(begin, step)| {
                [1, 2, n.div_ceil(2)].into_iter().filter_map(move |len| {
                    (begin + (len - 1) * step < n).then_some((begin, step, len))
                })
            })
        };
        let mut views = Vec::new();
        for (row, down, rows) in ranges(6) {
            for (column, right, columns) in ranges(8) {
                for turned in [false, true] {
                    let last = if turned { (columns - 1) * right } else { 0 };
                    let right = if turned { -(right as isize) } else { right as isize };
                    let at = row * 8 + column + last;
                    views.push((at, [rows, columns], [8 * down as isize, right]));
                }
            }
        }
        views.retain({
            let mut count = 0;
            move |_| {
                count += 1;
                count % 7 == 0
            }
        });
        let elements = |(at, [rows, columns], [down, right]): &(usize, [usize; 2], [isize; 2])| {
            let mut bits = 0_u64;
            for (i, j) in (0..*rows).flat_map(|i| (0..*columns).map(move |j| (i, j))) {
                bits |= 1 << (*at as isize + i as isize * down + j as isize * right);
            }
            bits
        };
        fn places((at, shape, strides): &(usize, [usize; 2], [isize; 2])) -> Places<'_, u16> {
            let base = std::ptr::without_provenance_mut::<u16>(1 << 12);
            Places { first: base.wrapping_add(*at), shape, strides }
        }
        let (mut apart, mut found) = (0, 0);
        for a in &views {
            for b in &views {
                let disjoint = elements(a) & elements(b) == 0;
                let passes = places(a).are_apart(&places(b));
                assert!(disjoint || !passes, "{a:?} and {b:?} share an element");
                apart += u32::from(disjoint);
                found += u32::from(passes);
            }
        }
        // Most pairs that are apart are seen to be.
        assert!(found > apart / 10 * 8, "{found} of {apart}");
    }

    #[test]
    fn quarters_are_apart() {
        let base = std::ptr::without_provenance_mut::<f32>(1 << 12);
        let quarter = |row: usize, column: usize| Places {
            first: base.wrapping_add(row * 4 * 8 + column * 4),
            shape: &[4, 4],
            strides: &[8, 1],
        };
        let all = [(0, 0), (0, 1), (1, 0), (1, 1)];
        for (a, b) in all.iter().flat_map(|a| all.map(|b| (*a, b))) {
            assert_eq!(quarter(a.0, a.1).are_apart(&quarter(b.0, b.1)), a != b, "{a:?} {b:?}");
        }
    }
}
