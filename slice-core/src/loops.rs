//! The fewest loops that visit the positions of a view in the slice's order.

use smallvec::SmallVec;

/// A loop over two arrays. Kernels count in bytes, everything else in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    /// Number of positions.
    pub(crate) n: usize,
    /// From one position to the next in the source; may be negative or 0.
    pub(crate) src: isize,
    /// The same in the destination.
    pub(crate) dst: isize,
}

impl Loop {
    /// A loop of one position.
    pub(crate) const ONE: Loop = Loop { n: 1, src: 0, dst: 0 };

    /// This loop and the one inside it as one, if they continue each other on both sides.
    #[inline]
    pub(crate) fn merged(self, inner: Loop) -> Option<Loop> {
        let runs_on = |outer, step: isize| step.checked_mul(inner.n as isize) == Some(outer);
        let n = self.n.saturating_mul(inner.n);
        (runs_on(self.src, inner.src) && runs_on(self.dst, inner.dst))
            .then_some(Loop { n, ..inner })
    }
}

/// Merges loops, given outermost first, that continue each other on both sides.
pub(crate) fn loops(axes: impl IntoIterator<Item = Loop>) -> SmallVec<[Loop; 8]> {
    let mut loops: SmallVec<[Loop; 8]> = SmallVec::new();
    for inner in axes.into_iter().filter(|axis| axis.n != 1) {
        match loops.last_mut().and_then(|last| Some((last.merged(inner)?, last))) {
            Some((both, last)) => *last = both,
            None => loops.push(inner),
        }
    }
    loops
}

/// Calls `row` with the positions on both sides, for each iteration of the loops.
#[inline]
pub(crate) fn each_row(outer: &[Loop], dst: isize, src: isize, row: &mut impl FnMut(isize, isize)) {
    let Some((first, inner)) = outer.split_first() else { return row(dst, src) };
    let (mut dst, mut src) = (dst, src);
    for _ in 0..first.n {
        each_row(inner, dst, src, row);
        (dst, src) = (dst.wrapping_add(first.dst), src.wrapping_add(first.src));
    }
}
