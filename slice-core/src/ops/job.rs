//! A plan as the entry points see it, and the checks that come before every kernel.

use crate::error::{Buffer, SliceError};
use crate::kernel::View;
use crate::plan::{FixedPlan, Plan};

/// A plan as the entry points see it. All lengths in it are checked again here.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) view: View<'a>,
    pub(crate) len: usize,
    pub(crate) input_len: usize,
    pub(crate) strided: bool,
}

impl Plan {
    #[inline]
    pub(crate) fn job(&self) -> Job<'_> {
        let view = View { shape: self.shape(), strides: self.strides(), offset: self.offset() };
        Job { view, len: self.len(), input_len: self.input_len(), strided: self.is_strided() }
    }

    /// Calls `f` with the plan as a job. The axes are copied one by one: if the plan were lent to a
    /// function that is not inlined, or copied as a whole, it would have to be in memory from the
    /// start, even if a small copy comes first and needs no memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn with_job<R>(&self, f: impl FnOnce(&Job<'_>) -> R) -> R {
        let (shape, strides);
        let (shape, strides) = match self.places() {
            Ok(axes) => {
                let ([a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p]) =
                    (axes.shape, axes.strides);
                (shape, strides) = ([a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p]);
                (&shape[..], &strides[..])
            }
            Err(heap) => (&heap.shape[..], &heap.strides[..]),
        };
        let rank = self.rank();
        let (shape, strides) =
            (shape.get(..rank).unwrap_or(&[]), strides.get(..rank).unwrap_or(&[]));
        let view = View { shape, strides, offset: self.offset() };
        f(&Job { view, len: self.len(), input_len: self.input_len(), strided: self.is_strided() })
    }
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn with_job<R>(&self, f: impl FnOnce(&Job<'_>) -> R) -> R {
        f(&self.job())
    }

    #[inline(always)]
    pub(crate) fn job(&self) -> Job<'_> {
        let view = View { shape: self.shape(), strides: self.strides(), offset: self.offset() };
        Job { view, len: self.len(), input_len: self.input_len(), strided: false }
    }
}

impl Job<'_> {
    /// Checks that a buffer of `found` elements is the array the plan was made for, and that every
    /// position of the view lies in it. The kernels' callers rely on this. It depends only on the
    /// view and the length.
    #[inline]
    pub(crate) fn check_array(&self, buffer: Buffer, found: usize) -> Result<(), SliceError> {
        let fits = if self.strided { found >= self.input_len } else { found == self.input_len };
        if fits && self.view.fits(found) == Some(self.len) {
            return Ok(());
        }
        Err(SliceError::BufferLength { buffer, expected: self.input_len, found })
    }

    /// Checks that a buffer of `found` elements holds just the result.
    #[inline]
    pub(crate) fn check_result(&self, buffer: Buffer, found: usize) -> Result<(), SliceError> {
        if found == self.len {
            return Ok(());
        }
        Err(SliceError::BufferLength { buffer, expected: self.len, found })
    }

    /// Whether there is nothing to move: no elements, or elements of `size` 0. If one length is 0,
    /// the others can be anything, and there can be `usize::MAX` elements without size.
    #[inline]
    pub(crate) fn is_idle(&self, size: usize) -> bool {
        self.len == 0 || size == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Buffer, Job, View};

    /// This check is the last one before the kernels, so it does not trust a plan.
    #[test]
    fn a_view_that_leaves_its_buffer_is_refused() {
        let refused = |shape: &[usize], strides: &[isize], offset, len| {
            let view = View { shape, strides, offset };
            let job = Job { view, len, input_len: 4, strided: false };
            assert!(job.check_array(Buffer::Source, 4).is_err());
        };
        refused(&[4], &[1], 1, 4);
        refused(&[2], &[-1], 0, 2);
        refused(&[4], &[1], 0, 5);
        refused(&[usize::MAX, 2], &[0, 0], 0, usize::MAX - 1);
    }
}
