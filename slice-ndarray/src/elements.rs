//! Where the elements of a slice lie, for copies, assignments and fills of plain data.
//!
//! A view of ndarray's says it, too. Where the number of axes is known only at run time, making one
//! takes longer than moving a few elements, so [`Elements`] are found without one.

use crate::SliceOf;
use crate::places::Places;
use ndarray::{ArrayRef, Dimension};
use slice_core::__private::views::{lay, out_rank};

/// The most axes of a slice. Views take over where there are more.
const ROOM: usize = 8;

/// The shape and strides of a slice, and its first element, counted from the array's element
/// `[0, 0, …]`.
pub(crate) struct Elements {
    shape: [usize; ROOM],
    strides: [isize; ROOM],
    rank: usize,
    first: isize,
}

impl Elements {
    /// Room for those of a slice. [`find`](Self::find) writes them in place: moved, they would wait
    /// until all that was written one by one can be read by wider words.
    #[inline]
    pub(crate) fn room() -> Elements {
        Elements { shape: [0; ROOM], strides: [0; ROOM], rank: 0, first: 0 }
    }

    /// Those that `spec` takes of an array; `None` where there are more axes, or no such view.
    ///
    /// What is made of them is sound: [`lay`] takes each axis of the array once, and only positions
    /// inside it. So every element is one of the array's, and no two positions are one element
    /// where none of the array's are. Where there are no elements, nothing is read.
    #[inline]
    pub(crate) fn find<A, D: Dimension, I: SliceOf<D>>(
        &mut self,
        array: &ArrayRef<A, D>,
        spec: &I,
    ) -> Option<&Elements> {
        self.lay((array.shape(), array.strides()), spec)?;
        Some(self)
    }

    #[inline(never)]
    #[expect(clippy::indexing_slicing, reason = "only the axes of the array are asked for")]
    fn lay<D: Dimension, I: SliceOf<D>>(
        &mut self,
        (shape, strides): (&[usize], &[isize]),
        spec: &I,
    ) -> Option<()> {
        let spec = spec.as_spec();
        self.rank = I::Out::NDIM.or_else(|| out_rank(spec, shape.len()).ok())?;
        let axis = |axis: usize| (shape[axis], strides[axis]);
        let lengths = self.shape.get_mut(..self.rank)?.iter_mut();
        let mut places = lengths.zip(&mut self.strides);
        self.first = lay(&spec, shape.len(), axis, |n, by| {
            let (length, stride) = places.next()?;
            (*length, *stride) = (n, by);
            Some(())
        })?;
        if places.next().is_some() { None } else { Some(()) }
    }

    /// The places of these elements, for the address of the array's element `[0, 0, …]`.
    #[inline]
    pub(crate) fn at<T>(&self, origin: *mut T) -> Places<'_, T> {
        let all = ..self.rank;
        Places {
            first: origin.wrapping_offset(self.first),
            shape: self.shape.get(all).unwrap_or_default(),
            strides: self.strides.get(all).unwrap_or_default(),
        }
    }
}
