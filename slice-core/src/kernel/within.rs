//! Moves within one buffer, in a given order.

use crate::algebra::move_order::Pair;

/// Moves one element for each position of the axes, in their order (the last axis is the
/// innermost); a last axis with both strides 1 is moved as if all of it were read first.
///
/// # Safety
///
/// Every position of the axes lies inside one buffer, on both sides: `src` can be read and `dst`
/// written there.
pub(crate) unsafe fn ordered<T: Copy>(axes: &[Pair], src: *mut T, dst: *mut T) {
    match *axes {
        // SAFETY: one element on either side, which may be the same.
        [] => unsafe { dst.write(src.read()) },
        // SAFETY: n neighbours on either side, which may overlap.
        [Pair { n, src: 1, dst: 1 }] => unsafe { src.copy_to(dst, n) },
        [Pair { n, src: s, dst: d }, ref rest @ ..] => {
            for i in 0..n as isize {
                // SAFETY: the positions of `rest` from position i of this axis are positions of all
                // the axes.
                unsafe { ordered(rest, src.offset(i * s), dst.offset(i * d)) }
            }
        }
    }
}
