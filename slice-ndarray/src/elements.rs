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

/// The most axes for which ndarray's `IxDyn` does not allocate.
pub(crate) const INLINE: usize = 4;

/// The shape and strides of a slice, and its first element, counted from the array's element
/// `[0, 0, …]`.
pub(crate) struct Elements {
    shape: [usize; ROOM],
    strides: [isize; ROOM],
    pub(crate) rank: usize,
    pub(crate) first: isize,
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

    /// Those that `spec` takes, if the number of their axes is known only at run time, and
    /// [`write`](Self::write) gives a view of them: no stride is negative.
    #[inline]
    pub(crate) fn few<A, D: Dimension, I: SliceOf<D>>(
        &mut self,
        array: &ArrayRef<A, D>,
        spec: &I,
    ) -> Option<&Elements> {
        if const { I::Out::NDIM.is_some() } {
            return None;
        }
        let elements = self.find(array, spec)?;
        let mut strides = elements.strides.iter().take(elements.rank);
        let forward = strides.all(|&by| by >= 0);
        if forward && elements.are_few() { Some(elements) } else { None }
    }

    /// Whether there are elements, and [`INLINE`] axes or fewer.
    #[inline]
    fn are_few(&self) -> bool {
        self.rank <= INLINE && !self.shape().contains(&0)
    }

    /// Makes the strides those of C order, if [`write`](Self::write) can then be asked.
    #[inline]
    pub(crate) fn pack(&mut self) -> bool {
        let mut count = 1_usize;
        let axes = self.shape.iter().zip(&mut self.strides).take(self.rank);
        for (&n, stride) in axes.rev() {
            *stride = count as isize;
            // There are as many elements in memory.
            count = count.wrapping_mul(n);
        }
        self.are_few()
    }

    /// Writes the shape and the strides of a few elements.
    #[inline]
    #[expect(clippy::indexing_slicing, reason = "there is room for more axes")]
    pub(crate) fn write<O: Dimension>(&self, shape: &mut O, strides: &mut O) {
        // By numbers that the compiler sees, so that neither is moved through memory.
        for axis in 0..INLINE {
            if let Some(length) = shape.slice_mut().get_mut(axis) {
                *length = self.shape[axis];
            }
            if let Some(stride) = strides.slice_mut().get_mut(axis) {
                *stride = self.strides[axis].cast_unsigned();
            }
        }
    }

    /// The length of each axis.
    #[inline]
    pub(crate) fn shape(&self) -> &[usize] {
        self.shape.get(..self.rank).unwrap_or_default()
    }

    /// The places of these elements, for the address of the array's element `[0, 0, …]`.
    #[inline]
    pub(crate) fn at<T>(&self, origin: *mut T) -> Places<'_, T> {
        Places {
            first: origin.wrapping_offset(self.first),
            shape: self.shape(),
            strides: self.strides.get(..self.rank).unwrap_or_default(),
        }
    }
}
