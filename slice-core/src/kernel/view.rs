//! Where a view lies in a buffer, and the check that callers of the kernels make.

/// Where a view lies in a buffer: shape, strides (also negative, or 0) and offset, in elements.
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
        (!over && high < buffer).then_some(len)
    }
}
