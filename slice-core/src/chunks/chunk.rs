//! What a slice takes of one chunk.

use super::PerAxis;
use crate::plan::Plan;
use crate::plan::axes::{Frame, OutAxis};
use alloc::vec::Vec;

/// One chunk that a slice touches: where it is, what is taken from it, and where that goes.
///
/// The results of both plans have the same shape: `result[target] = chunk[plan]`. With the feature
/// `serde` a chunk can be written and read again, so that a queue can send it to a worker, which
/// needs only the chunk and the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub(crate) coords: PerAxis,
    pub(crate) origin: PerAxis,
    pub(crate) extent: PerAxis,
    pub(crate) plan: Plan,
    pub(crate) target: Plan,
}

impl Chunk {
    /// The chunk's coordinates in the grid, one for each axis of the input.
    #[inline]
    pub fn coords(&self) -> &[usize] {
        &self.coords
    }

    /// The position of the chunk's first element in the array, one index for each axis of the
    /// input.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![-1].plan(&[10])?;
    /// let mut last = plan.chunks(&[4])?;
    /// assert_eq!(last.next().expect("there is one").origin(), [8]);
    /// let mut last = plan.chunks_of_lengths(&[[3, 4, 0, 3]])?;
    /// assert_eq!(last.next().expect("there is one").origin(), [7]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn origin(&self) -> &[usize] {
        &self.origin
    }

    /// How much of the chunk lies within the array. This is the chunk's shape, except for chunks at
    /// the far ends of a regular grid.
    #[inline]
    pub fn extent(&self) -> &[usize] {
        &self.extent
    }

    /// What the slice takes of the chunk, as a plan over a buffer of the whole chunk in C order.
    ///
    /// Chunks at the far ends are whole too: that is how Zarr v3 stores regular grids.
    /// [`clipped`](Chunk::clipped) is for buffers that end where the array does.
    #[inline]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// [`plan`](Chunk::plan) over a buffer of only the part within the array, of shape
    /// [`extent`](Chunk::extent).
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![..., -1].plan(&[2, 5])?;
    /// let last = plan.chunks(&[2, 3])?.last().expect("there is one");
    /// assert_eq!((last.coords(), last.extent()), (&[0, 1][..], &[2, 2][..]));
    /// assert_eq!(last.plan().copy(&[3, 4, 0, 8, 9, 0])?, [4, 9]);
    /// assert_eq!(last.clipped().copy(&[3, 4, 8, 9])?, [4, 9]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "positions of the chunk, and products of at most its lengths, all of which fit \
                  isize"
    )]
    #[inline]
    pub fn clipped(&self) -> Plan {
        let extent = self.extent();
        let parts = match self.plan.parts("a chunk") {
            Ok(Some(parts)) if self.plan.input_shape() != extent => parts,
            _ => return self.plan.clone(),
        };
        // Steps stay the same, strides do not.
        let mut axes: Vec<OutAxis> = self.plan.axes().collect();
        let (mut offset, mut stride) = (0, 1);
        for (part, &n) in parts.iter().zip(extent).rev() {
            offset += part.start * stride;
            if let Some(axis) = part.out.and_then(|out| axes.get_mut(out)) {
                axis.stride = part.step * stride as isize;
            }
            stride *= n;
        }
        let frame = Frame { input_shape: extent, input_len: stride, strided: false, offset };
        Plan::from_axes(frame, axes.into_iter())
    }

    /// Where the part goes, as a plan over the result in C order: its input has the shape of the
    /// slice's result.
    #[inline]
    pub fn target(&self) -> &Plan {
        &self.target
    }

    /// Whether the slice takes all of the chunk that lies within the array. If so, a write does not
    /// have to read it first.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![4:].plan(&[10])?;
    /// let whole: Vec<_> = plan.chunks(&[3])?.map(|chunk| chunk.is_whole()).collect();
    /// assert_eq!(whole, [false, true, true]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn is_whole(&self) -> bool {
        self.plan.len() == self.extent().iter().product::<usize>()
    }
}
