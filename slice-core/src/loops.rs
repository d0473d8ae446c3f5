//! Finds the fewest loops that visit the positions of a view in the slice's order.

use smallvec::SmallVec;

/// A loop over two arrays: how many iterations it has, and how far each side steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loop {
    pub(crate) n: usize,
    pub(crate) dst: isize,
    pub(crate) value: isize,
}

impl Loop {
    /// A loop of one iteration.
    #[cfg(feature = "ndarray")]
    pub(crate) const ONCE: Loop = Loop { n: 1, dst: 0, value: 0 };
}

/// The loops over a view and over the values for it, outermost first, in the slice's order. Loops
/// that continue each other on both sides are merged.
#[inline]
pub(crate) fn loops(shape: &[usize], dst: &[isize], values: &[isize]) -> SmallVec<[Loop; 8]> {
    let mut loops: SmallVec<[Loop; 8]> = SmallVec::new();
    for ((&n, &dst), &value) in shape.iter().zip(dst).zip(values).filter(|((n, _), _)| **n != 1) {
        let runs_on = |outer: isize, inner: isize| inner.checked_mul(n as isize) == Some(outer);
        match loops.last_mut() {
            Some(last) if runs_on(last.dst, dst) && runs_on(last.value, value) => {
                *last = Loop { n: last.n.saturating_mul(n), dst, value };
            }
            _ => loops.push(Loop { n, dst, value }),
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
        (dst, value) = (dst.wrapping_add(first.dst), value.wrapping_add(first.value));
    }
}
