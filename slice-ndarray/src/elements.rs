//! Where the elements of a slice lie, for copies, assignments and fills of plain data.
//!
//! A view of ndarray's says it, too. Where the number of axes is known only at run time, making one
//! takes longer than moving a few elements, so [`Elements`] are found without one.

use crate::places::Places;
use ndarray::{ArrayRef, Dimension};
use slice_core::__private::views::{lay, out_rank};
use slice_core::SpecRef;

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
    /// Those that `spec` takes of an array, for a result of the dimension type `O`; `None` where
    /// there are more axes, or no such view.
    ///
    /// What is made of them is sound: [`lay`] takes each axis of the array once, and only positions
    /// inside it. So every element is one of the array's, and no two positions are one element
    /// where none of the array's are. Where there are no elements, nothing is read.
    #[inline]
    pub(crate) fn of<A, D: Dimension, O: Dimension>(
        array: &ArrayRef<A, D>,
        spec: SpecRef<'_>,
    ) -> Option<Elements> {
        let mut found = Elements { shape: [0; ROOM], strides: [0; ROOM], rank: 0, first: 0 };
        found.find(O::NDIM, (array.shape(), array.strides()), spec)?;
        Some(found)
    }

    #[inline(never)]
    fn find(
        &mut self,
        rank: Option<usize>,
        (shape, strides): (&[usize], &[isize]),
        spec: SpecRef<'_>,
    ) -> Option<()> {
        self.rank = rank.or_else(|| out_rank(spec, shape.len()).ok())?;
        let mut bits = [0; ROOM];
        let room = (self.shape.get_mut(..self.rank)?, bits.get_mut(..self.rank)?);
        self.first = lay(&spec, (shape, strides), room)?;
        self.strides = bits.map(|stride| stride as isize);
        Some(())
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
