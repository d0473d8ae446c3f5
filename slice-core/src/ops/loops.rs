//! Finds the fewest loops that visit the positions of a view in the slice's order.

use smallvec::SmallVec;

/// A loop over two arrays: how many iterations it has, and how far each steps on either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) n: usize,
    pub(crate) src: isize,
    pub(crate) dst: isize,
}

impl Loop {
    /// A loop of one iteration.
    #[cfg(feature = "ndarray")]
    pub(crate) const ONCE: Loop = Loop { n: 1, src: 0, dst: 0 };

    /// This loop and the one inside it as one, if they continue each other on both sides.
    #[inline]
    pub(crate) fn merged(self, inner: Loop) -> Option<Loop> {
        let runs_on = |outer, step: isize| step.checked_mul(inner.n as isize) == Some(outer);
        let n = self.n.saturating_mul(inner.n);
        (runs_on(self.src, inner.src) && runs_on(self.dst, inner.dst))
            .then_some(Loop { n, ..inner })
    }
}

/// The loops over a view and over the values for it, outermost first, in the slice's order. Loops
/// that continue each other on both sides are merged.
#[inline]
pub(crate) fn loops(shape: &[usize], dst: &[isize], values: &[isize]) -> SmallVec<[Loop; 8]> {
    let mut loops: SmallVec<[Loop; 8]> = SmallVec::new();
    for ((&n, &dst), &src) in shape.iter().zip(dst).zip(values).filter(|((n, _), _)| **n != 1) {
        let inner = Loop { n, src, dst };
        match loops.last_mut().and_then(|last| Some((last.merged(inner)?, last))) {
            Some((both, last)) => *last = both,
            None => loops.push(inner),
        }
    }
    loops
}

/// Calls `row` with the positions on both sides, for each iteration of the loops.
#[inline]
pub(crate) fn each_row(
    outer: &[Loop],
    dst: isize,
    value: isize,
    row: &mut impl FnMut(isize, isize),
) {
    let Some((first, inner)) = outer.split_first() else { return row(dst, value) };
    let (mut dst, mut value) = (dst, value);
    for _ in 0..first.n {
        each_row(inner, dst, value, row);
        (dst, value) = (dst.wrapping_add(first.dst), value.wrapping_add(first.src));
    }
}
