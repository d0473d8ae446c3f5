//! Slices of an array that is stored in chunks: which chunks they touch, and what goes where.

mod axis;
mod chunk;

use crate::algebra::runs::AxisPart;
use crate::error::SliceError;
use crate::plan::Plan;
use crate::plan::axes::{Frame, OutAxis};
use crate::plan::walk::{NO_SOURCE, count};
use alloc::vec;
use alloc::vec::Vec;
use axis::{ChunkPiece, GridAxis};
use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;
use smallvec::SmallVec;

pub use chunk::Chunk;

/// One number for each axis of the input.
pub(crate) type PerAxis = SmallVec<[usize; 8]>;

/// What a plan with strides cannot be used for.
const WALK: &str = "a walk over chunks";

impl Plan {
    /// Walks the chunks of a regular grid that the slice touches, and only those, in C order of
    /// their coordinates.
    ///
    /// The grid starts at element `[0, 0, …]`. All chunks have the shape `chunk_shape`, and those
    /// at the far ends reach over the array where its lengths are not multiples. An empty slice
    /// touches no chunk. The number of chunks is known at once, and the walk can start anywhere
    /// ([`nth`](Iterator::nth) does not walk).
    ///
    /// # Errors
    ///
    /// [`SliceError::NeedsContiguous`] for a plan made with strides, [`SliceError::RankMismatch`]
    /// if `chunk_shape` does not have one length for each axis of the input,
    /// [`SliceError::ChunkLength`] if one is 0, and [`SliceError::ShapeTooLarge`] if a chunk has
    /// more than `isize::MAX` elements.
    ///
    /// # Examples
    ///
    /// A vector of 10 in chunks of 4, every third element, backwards:
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let chunks = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 0, 0]];
    /// let plan = s![::-3].plan(&[10])?;
    /// let mut result = vec![0; plan.len()];
    /// for chunk in plan.chunks(&[4])? {
    ///     let part = chunk.plan().copy(&chunks[chunk.coords()[0]])?;
    ///     chunk.target().assign(&mut result, &part)?;
    /// }
    /// assert_eq!(result, [9, 6, 3, 0]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    ///
    /// Only the chunks that the slice touches are visited:
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![2, ::100].plan(&[4, 300])?;
    /// let coords: Vec<_> = plan.chunks(&[2, 50])?.map(|chunk| chunk.coords().to_vec()).collect();
    /// assert_eq!(coords, [[1, 0], [1, 2], [1, 4]]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn chunks(&self, chunk_shape: &[usize]) -> Result<Chunks<'_>, SliceError> {
        let parts = self.parts(WALK)?;
        self.check_grid_rank(chunk_shape.len())?;
        if let Some(axis) = chunk_shape.iter().position(|&c| c == 0) {
            return Err(SliceError::ChunkLength { axis });
        }
        count(chunk_shape).ok_or(SliceError::ShapeTooLarge)?;
        let axes = parts.map(|parts| {
            parts.iter().zip(chunk_shape).map(|(&part, &c)| GridAxis::even(part, c)).collect()
        });
        let along = self.input_shape().iter().zip(chunk_shape).map(|(&n, &c)| n.div_ceil(c));
        Ok(Chunks::new(self, axes, along))
    }

    /// [`chunks`](Plan::chunks) of a grid whose chunks differ in length. `lengths` has the lengths
    /// of the chunks along each axis of the input, like dask's `chunks`, the strips of a TIFF file,
    /// and Zarr's rectilinear grids.
    ///
    /// The lengths on an axis sum to its length, so that no chunk reaches over the array. Chunks of
    /// length 0 are allowed, as dask allows them; a slice never touches them.
    ///
    /// # Errors
    ///
    /// [`SliceError::NeedsContiguous`] for a plan made with strides, [`SliceError::RankMismatch`]
    /// if `lengths` does not have one list for each axis of the input, and
    /// [`SliceError::ChunkLengths`] if a list does not sum to the length of its axis.
    ///
    /// # Examples
    ///
    /// An array of 10 by 10 in chunks of 3, 3 and 4 rows and 5 and 5 columns. Its last row,
    /// backwards:
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![-1, ::-1].plan(&[10, 10])?;
    /// let chunks = plan.chunks_of_lengths(&[vec![3, 3, 4], vec![5, 5]])?;
    /// let mut result = [0; 10];
    /// for chunk in chunks {
    ///     // This chunk of an array that counts its elements: x = np.arange(100).reshape(10, 10)
    ///     let (origin, extent) = (chunk.origin(), chunk.extent());
    ///     let rows = origin[0]..origin[0] + extent[0];
    ///     let columns = origin[1]..origin[1] + extent[1];
    ///     let data: Vec<usize> =
    ///         rows.flat_map(|row| columns.clone().map(move |column| 10 * row + column)).collect();
    ///     chunk.target().assign(&mut result, chunk.plan().on(&data)?)?;
    /// }
    /// assert_eq!(result, [99, 98, 97, 96, 95, 94, 93, 92, 91, 90]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    ///
    /// # Source
    ///
    /// dask's `normalize_chunks`, which refuses chunks that "do not add up to shape", and
    /// Zarr's extension [`rectilinear`].
    ///
    /// [`rectilinear`]:
    ///     https://github.com/zarr-developers/zarr-extensions/tree/main/chunk-grids/rectilinear
    #[inline]
    pub fn chunks_of_lengths(
        &self,
        lengths: &[impl AsRef<[usize]>],
    ) -> Result<Chunks<'_>, SliceError> {
        let parts = self.parts(WALK)?;
        self.check_grid_rank(lengths.len())?;
        // Each list is read once: what it gives may change.
        let lengths: Vec<&[usize]> = lengths.iter().map(AsRef::as_ref).collect();
        for ((axis, &lengths), &len) in lengths.iter().enumerate().zip(self.input_shape()) {
            let sum = lengths.iter().copied().fold(0, usize::saturating_add);
            if sum != len {
                return Err(SliceError::ChunkLengths { axis, sum, len });
            }
        }
        // Positions ascend, so each list is walked once.
        let mut walks: Vec<_> = lengths.iter().map(|l| (l.iter().enumerate(), 0usize)).collect();
        let counts: PerAxis = lengths.iter().map(|lengths| lengths.len()).collect();
        self.cut_by(parts, &counts, |axis, position| {
            let (walk, begin) = walks.get_mut(axis)?;
            walk.find_map(|(coord, &len)| {
                let start = *begin;
                *begin = start.saturating_add(len);
                (position < *begin).then_some((coord, start..*begin))
            })
        })
    }

    /// [`chunks`](Plan::chunks) of a grid that is known piece by piece: `cut` gives, for an axis
    /// and a position on it, the coordinate of the chunk there and the positions it has. `counts`
    /// is how many chunks the grid has along each axis.
    ///
    /// `cut` is asked once for each chunk of an axis that the slice touches, from the front of the
    /// axis to its end. So a grid of very many chunks costs no more than those that are touched. As
    /// with [`chunks`](Plan::chunks), the last chunk of an axis may reach over its end.
    ///
    /// # Errors
    ///
    /// [`SliceError::NeedsContiguous`] for a plan made with strides, [`SliceError::RankMismatch`]
    /// if `counts` does not have one number for each axis of the input,
    /// [`SliceError::ChunkLengths`] if `cut` gives `None` or positions that are not those of one
    /// chunk, and [`SliceError::ShapeTooLarge`] if a chunk has more than `isize::MAX` elements.
    ///
    /// # Examples
    ///
    /// A file whose blocks become longer and longer: block `i` begins at `i * i`.
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![5::1_000_000].plan(&[2_000_000])?;
    /// let chunks = plan.chunks_by(&[1415], |_, position| {
    ///     let i = position.isqrt();
    ///     Some((i, i * i..(i + 1) * (i + 1)))
    /// })?;
    /// let coords: Vec<_> = chunks.map(|chunk| chunk.coords()[0]).collect();
    /// assert_eq!(coords, [2, 1000]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn chunks_by(
        &self,
        counts: &[usize],
        cut: impl FnMut(usize, usize) -> Option<(usize, Range<usize>)>,
    ) -> Result<Chunks<'_>, SliceError> {
        self.check_grid_rank(counts.len())?;
        self.cut_by(self.parts(WALK)?, counts, cut)
    }

    #[inline]
    fn cut_by(
        &self,
        parts: Option<Vec<AxisPart>>,
        counts: &[usize],
        mut cut: impl FnMut(usize, usize) -> Option<(usize, Range<usize>)>,
    ) -> Result<Chunks<'_>, SliceError> {
        let mut axes = None;
        if let Some(parts) = parts {
            let mut cuts = Vec::with_capacity(parts.len());
            for (axis, part) in parts.into_iter().enumerate() {
                let grid = GridAxis::by(part, |position| cut(axis, position));
                let len = part.axis_len;
                cuts.push(grid.map_err(|sum| SliceError::ChunkLengths { axis, sum, len })?);
            }
            let longest: PerAxis = cuts.iter().map(GridAxis::longest).collect();
            count(&longest).ok_or(SliceError::ShapeTooLarge)?;
            axes = Some(cuts);
        }
        Ok(Chunks::new(self, axes, counts.iter().copied()))
    }

    /// Checks that a grid of `found` axes has as many axes as the input.
    #[inline]
    fn check_grid_rank(&self, found: usize) -> Result<(), SliceError> {
        let expected = self.input_shape().len();
        if expected == found { Ok(()) } else { Err(SliceError::RankMismatch { expected, found }) }
    }
}

/// The chunks that a slice touches: an iterator of [`Chunk`]s, made by [`Plan::chunks`],
/// [`Plan::chunks_of_lengths`] and [`Plan::chunks_by`].
///
/// It can be cloned to go over them again, or to give each thread a share:
/// `chunks.clone().skip(first).take(count)` goes straight to its first chunk.
#[derive(Clone)]
pub struct Chunks<'a> {
    plan: &'a Plan,
    axes: Vec<GridAxis>,
    /// The next chunk, axis by axis.
    pieces: Vec<ChunkPiece>,
    /// The strides of the result as an array of its own.
    places: Vec<usize>,
    left: usize,
    total: usize,
}

impl<'a> Chunks<'a> {
    /// The walk over a grid with this many chunks `along` each axis. Without `axes` it touches
    /// none.
    #[inline]
    fn new(
        plan: &'a Plan,
        axes: Option<Vec<GridAxis>>,
        along: impl Iterator<Item = usize>,
    ) -> Chunks<'a> {
        // Where every axis has a touched chunk there are at most as many as elements, so the
        // product fits.
        let left = axes.as_ref().map_or(0, |axes| axes.iter().map(|a| a.count).product());
        let axes = axes.unwrap_or_default();
        let mut places = vec![0; plan.shape().len()];
        let mut running = 1usize;
        for (place, &n) in places.iter_mut().zip(plan.shape()).rev() {
            (*place, running) = (running, running.wrapping_mul(n));
        }
        let pieces = axes.iter().filter_map(|a| a.piece(0)).collect();
        // In a grid without chunks, a 0 ends the product.
        let total = along.fold(1, usize::saturating_mul);
        Chunks { plan, axes, pieces, places, left, total }
    }

    /// How many chunks the whole grid has, touched or not; at most `usize::MAX`.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![7].plan(&[10, 10])?;
    /// let chunks = plan.chunks(&[4, 4])?;
    /// assert_eq!((chunks.len(), chunks.total()), (3, 9));
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[inline]
    pub fn total(&self) -> usize {
        self.total
    }

    /// The chunk that `pieces` describe.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "a chunk has at most isize::MAX elements, and starts lie inside it; places lie \
                  inside the result"
    )]
    #[inline]
    fn here(&self) -> Chunk {
        let shape: PerAxis = self.pieces.iter().map(|p| p.chunk).collect();
        let mut strides = PerAxis::from_elem(1, shape.len());
        let (mut len, mut offset) = (1, 0);
        for (stride, piece) in strides.iter_mut().zip(&self.pieces).rev() {
            (*stride, len) = (len, len * piece.chunk);
            offset += piece.start * *stride;
        }
        // Within the chunk, as a buffer of its own.
        let within = Frame { input_shape: &shape, input_len: len, strided: false, offset };
        let steps = self.each_out().map(|(piece, _, source)| {
            match (piece, strides.get(usize::from(source))) {
                // A step is not longer than the chunk where there are two positions; elsewhere it
                // is 1.
                (Some(p), Some(&stride)) => {
                    OutAxis { len: p.len, stride: p.step * stride as isize, source }
                }
                _ => OutAxis { len: 1, stride: 0, source: NO_SOURCE },
            }
        });
        let target = Frame {
            input_shape: self.plan.shape(),
            input_len: self.plan.len(),
            strided: false,
            offset: self
                .each_out()
                .map(|(piece, place, _)| piece.map_or(0, |p| p.place * place))
                .sum(),
        };
        let places = self.each_out().enumerate().map(|(i, (piece, place, _))| OutAxis {
            len: piece.map_or(1, |p| p.len),
            stride: place as isize,
            source: i as u8,
        });
        Chunk {
            coords: self.pieces.iter().map(|p| p.coord).collect(),
            origin: self.pieces.iter().map(|p| p.begin).collect(),
            extent: self.pieces.iter().map(|p| p.extent).collect(),
            plan: Plan::from_axes(within, steps),
            target: Plan::from_axes(target, places),
        }
    }

    /// The axes of the result: the piece of each (`None` if it is new), its stride, and the axis of
    /// the input.
    #[inline]
    fn each_out(&self) -> impl ExactSizeIterator<Item = (Option<&ChunkPiece>, usize, u8)> {
        let axes = self.plan.axes().zip(&self.places);
        axes.map(|(axis, &place)| (self.pieces.get(usize::from(axis.source)), place, axis.source))
    }
}

impl Iterator for Chunks<'_> {
    type Item = Chunk;

    #[expect(clippy::arithmetic_side_effects, reason = "left is above 0, and turn below count")]
    #[inline]
    fn next(&mut self) -> Option<Chunk> {
        let chunk = (self.left > 0).then(|| self.here())?;
        self.left -= 1;
        // The last axis moves first, as the digits of a number.
        for (axis, piece) in self.axes.iter().zip(&mut self.pieces).rev() {
            let turn = piece.turn + 1;
            if turn < axis.count {
                *piece = axis.piece(turn)?;
                break;
            }
            *piece = axis.piece(0)?;
        }
        Some(chunk)
    }

    #[expect(
        clippy::arithmetic_side_effects,
        reason = "n is below left, no count is 0 while chunks are left, and turn and carry are \
                  below the number of chunks"
    )]
    #[inline]
    fn nth(&mut self, n: usize) -> Option<Chunk> {
        if n >= self.left {
            self.left = 0;
            return None;
        }
        self.left -= n;
        let mut carry = n;
        for (axis, piece) in self.axes.iter().zip(&mut self.pieces).rev() {
            // Below the number of chunks that are left.
            let turn = piece.turn + carry % axis.count;
            carry /= axis.count;
            if turn >= axis.count {
                carry += 1;
            }
            *piece = axis.piece(turn % axis.count)?;
        }
        self.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    #[inline]
    fn count(self) -> usize {
        self.left
    }
}

impl ExactSizeIterator for Chunks<'_> {}
impl FusedIterator for Chunks<'_> {}

impl fmt::Debug for Chunks<'_> {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Chunks");
        out.field("plan", &self.plan).field("total", &self.total).field("left", &self.left).finish()
    }
}
