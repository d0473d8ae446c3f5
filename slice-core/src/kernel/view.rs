//! Where a view lies in a buffer, and the check that every unsafe block of the kernels rests on.

/// Where a view lies in a buffer: shape, strides and offset in elements; strides may be negative or
/// 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) shape: &'a [usize],
    pub(crate) strides: &'a [isize],
    pub(crate) offset: usize,
}

impl View<'_> {
    /// How many positions the view has, if all of them lie in a buffer of `buffer` elements.
    ///
    /// Nothing is taken for granted: ranks that differ, products and reaches that overflow, and
    /// positions on either side of the buffer give `None`. An empty view fits every buffer.
    #[inline]
    pub(crate) fn fits(&self, buffer: usize) -> Option<usize> {
        if self.shape.len() != self.strides.len() {
            return None;
        }
        let (mut len, mut over) = (1usize, false);
        let (mut low, mut high) = (self.offset, self.offset);
        for (&n, &s) in self.shape.iter().zip(self.strides) {
            if n == 0 {
                return Some(0);
            }
            let (product, o) = len.overflowing_mul(n);
            let (reach, p) = (n - 1).overflowing_mul(s.unsigned_abs());
            len = product;
            let q;
            if s < 0 {
                (low, q) = low.overflowing_sub(reach);
            } else {
                (high, q) = high.overflowing_add(reach);
            }
            over |= o | p | q;
        }
        (!over && high < buffer && low <= high).then_some(len)
    }
}

#[cfg(test)]
mod tests {
    use super::View;

    fn fits(shape: &[usize], strides: &[isize], offset: usize, buffer: usize) -> Option<usize> {
        View { shape, strides, offset }.fits(buffer)
    }

    #[test]
    fn an_honest_view_fits() {
        assert_eq!(fits(&[], &[], 0, 1), Some(1));
        assert_eq!(fits(&[3], &[1], 0, 3), Some(3));
        assert_eq!(fits(&[3], &[-1], 2, 3), Some(3));
        assert_eq!(fits(&[2, 3], &[3, 1], 0, 6), Some(6));
        assert_eq!(fits(&[2, 3], &[-3, -1], 5, 6), Some(6));
        assert_eq!(fits(&[5, 2], &[0, 1], 1, 3), Some(10), "rows that share elements");
        assert_eq!(fits(&[0], &[1], 99, 1), Some(0), "an empty view lies anywhere");
        assert_eq!(fits(&[0, usize::MAX], &[1, 1], 0, 0), Some(0));
    }

    #[test]
    fn a_view_that_leaves_its_buffer_is_refused() {
        assert_eq!(fits(&[], &[], 0, 0), None, "one position, no element");
        assert_eq!(fits(&[], &[], 1, 1), None);
        assert_eq!(fits(&[3], &[1], 1, 3), None, "one past the end");
        assert_eq!(fits(&[3], &[-1], 1, 9), None, "one before the start");
        assert_eq!(fits(&[2, 2], &[5, -1], 0, 9), None, "before the start on one axis only");
        assert_eq!(fits(&[2, 3], &[3, 1], 0, 5), None);
        assert_eq!(fits(&[1], &[1], usize::MAX, usize::MAX), None);
        assert_eq!(fits(&[1], &[], 0, 9), None, "ranks differ");
        assert_eq!(fits(&[], &[1], 0, 9), None, "ranks differ");
    }

    #[test]
    fn a_view_whose_numbers_overflow_is_refused() {
        assert_eq!(fits(&[2], &[isize::MIN], 0, usize::MAX), None, "below the address space");
        assert_eq!(fits(&[3], &[isize::MAX], 0, isize::MAX as usize), None, "beyond any buffer");
        assert_eq!(fits(&[5], &[isize::MAX], 0, usize::MAX), None, "the reach overflows");
        assert_eq!(fits(&[usize::MAX, 2], &[0, 0], 0, 1), None, "the count overflows");
        assert_eq!(fits(&[2, 2], &[1, 1], usize::MAX - 1, usize::MAX), None, "the end overflows");
        let n = 1 << (usize::BITS - 1);
        assert_eq!(fits(&[n, n], &[0, 0], 0, 1), None, "the count overflows to 0");
    }
}
