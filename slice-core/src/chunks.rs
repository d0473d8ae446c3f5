//! Slices of an array that is stored in chunks: which chunks they touch, and what goes where.

use crate::algebra::runs::AxisPart;
use crate::error::SliceError;
use crate::plan::Plan;
use crate::plan::raw_axes::{Frame, OutAxis};
use crate::plan::walk::{NO_SOURCE, count};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;
use smallvec::SmallVec;

impl Plan {
    /// Walks the chunks of a regular grid that the slice touches, and only those, in C order of
    /// their coordinates.
    ///
    /// The grid starts at element `[0, 0, …]`; all chunks have the shape `chunk_shape`, and those
    /// at the far ends reach over the array where its lengths are not multiples. A slice of nothing
    /// touches no chunk. The number of chunks is known at once, and the walk can start anywhere
    /// ([`nth`](Iterator::nth) does not walk).
    ///
    /// # Errors
    ///
    /// [`SliceError::NeedsContiguous`] for a plan made with strides, [`SliceError::RankMismatch`]
    /// if `chunk_shape` has not one length for each axis of the input,
    /// [`SliceError::ChunkLength`] if one is 0, and [`SliceError::ShapeTooLarge`] if
    /// a chunk has more than `isize::MAX` elements.
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
    /// Only the touched ones, each with what is wanted of it:
    ///
    /// ```
    /// use pyslice::s;
    ///
    /// let plan = s![2, ::100].plan(&[4, 300])?;
    /// let coords: Vec<_> = plan.chunks(&[2, 50])?.map(|chunk| chunk.coords().to_vec()).collect();
    /// assert_eq!(coords, [[1, 0], [1, 2], [1, 4]]);
    /// # Ok::<(), pyslice::SliceError>(())
    /// ```
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "no chunk length is 0: that was refused above"
    )]
    pub fn chunks(&self, chunk_shape: &[usize]) -> Result<Chunks<'_>, SliceError> {
        let parts = self.parts("a walk over chunks")?;
        let (expected, found) = (self.input_shape().len(), chunk_shape.len());
        if expected != found {
            return Err(SliceError::RankMismatch { expected, found });
        }
        if let Some(axis) = chunk_shape.iter().position(|&c| c == 0) {
            return Err(SliceError::ChunkLength { axis });
        }
        let chunk_len = count(chunk_shape).ok_or(SliceError::ShapeTooLarge)?;
        let (mut axes, mut stride) = (Vec::with_capacity(found), chunk_len);
        for (part, &chunk) in parts.iter().flatten().zip(chunk_shape) {
            // Each length divides the product of itself and those behind it.
            stride /= chunk;
            axes.push(GridAxis::new(*part, chunk, stride));
        }
        // Where every axis has a touched chunk there are at most as many as elements, so the
        // product fits.
        let left = if parts.is_some() { axes.iter().map(|a| a.count).product() } else { 0 };
        let mut places = vec![0; self.shape().len()];
        let mut running = 1usize;
        for (place, &n) in places.iter_mut().zip(self.shape()).rev() {
            (*place, running) = (running, running.wrapping_mul(n));
        }
        let pieces = axes.iter().map(|a| a.piece(0)).collect();
        Ok(Chunks {
            plan: self,
            chunk_shape: chunk_shape.into(),
            chunk_len,
            axes,
            pieces,
            places,
            left,
        })
    }
}

/// One axis of the input: what the slice takes of it, and how the grid cuts it.
#[derive(Clone, Debug)]
struct GridAxis {
    part: AxisPart,
    chunk: usize,
    /// From one position of the axis to the next within a chunk, in elements.
    stride: usize,
    /// The lowest position taken, and the distance between positions.
    low: usize,
    gap: usize,
    /// How many chunk coordinates on this axis hold a taken position.
    count: usize,
}

/// What the slice takes of one axis within one chunk.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Which of the touched coordinates on this axis it is.
    turn: usize,
    coord: usize,
    /// Within the chunk; in the order of the result.
    start: usize,
    step: isize,
    len: usize,
    /// Where it goes on the axis of the result.
    place: usize,
}

impl GridAxis {
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "the slice is not empty (no part would be here), its positions lie on the axis, \
                  and no chunk length is 0"
    )]
    fn new(part: AxisPart, chunk: usize, stride: usize) -> GridAxis {
        let (gap, reach) = (part.step.unsigned_abs(), (part.len - 1) * part.step.unsigned_abs());
        let low = if part.step < 0 { part.start - reach } else { part.start };
        // Steps up to the chunk's length leave no chunk out; longer ones meet each chunk at most
        // once.
        let count = if gap <= chunk { (low + reach) / chunk - low / chunk + 1 } else { part.len };
        GridAxis { part, chunk, stride, low, gap, count }
    }

    /// The piece in touched chunk number `turn`, of ascending coordinates.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "positions lie on the axis and turns below count, so each quotient is a \
                  coordinate; a chunk beginning on the axis ends below twice isize::MAX"
    )]
    fn piece(&self, turn: usize) -> Piece {
        let &GridAxis { part: AxisPart { len, step, .. }, chunk, low, gap, .. } = self;
        // Taken positions are numbered upwards here, whichever way the slice goes.
        let (coord, first) = if gap <= chunk {
            let coord = low / chunk + turn;
            (coord, (coord * chunk).saturating_sub(low).div_ceil(gap))
        } else {
            ((low + turn * gap) / chunk, turn)
        };
        // The chunk may reach over the end of the array, but the sum stays below twice isize::MAX.
        let last = ((coord * chunk + (chunk - 1) - low) / gap).min(len - 1);
        let (from, place) = if step < 0 { (last, len - 1 - last) } else { (first, first) };
        let taken = last - first + 1;
        Piece {
            turn,
            coord,
            start: low + from * gap - coord * chunk,
            step: if taken == 1 { 1 } else { step },
            len: taken,
            place,
        }
    }

    /// How many positions of the axis chunk `coord` holds.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "coord is that of a chunk that begins on the axis"
    )]
    fn extent(&self, coord: usize) -> usize {
        self.chunk.min(self.part.axis_len - coord * self.chunk)
    }
}

/// The chunks that a slice touches: an iterator of [`Chunk`]s, made by [`Plan::chunks`].
///
/// It can be cloned to go over them again, or to give each thread a share:
/// `chunks.clone().skip(first).take(count)` goes straight to its first chunk.
#[derive(Clone)]
pub struct Chunks<'a> {
    plan: &'a Plan,
    chunk_shape: Box<[usize]>,
    chunk_len: usize,
    axes: Vec<GridAxis>,
    /// The next chunk, axis by axis.
    pieces: Vec<Piece>,
    /// The strides of the result as an array of its own.
    places: Vec<usize>,
    left: usize,
}

impl Chunks<'_> {
    /// How many chunks the whole grid has, touched or not.
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
    pub fn total(&self) -> usize {
        // At most as many as there are elements; without elements, a 0 ends the
        // product.
        let along =
            self.plan.input_shape().iter().zip(&self.chunk_shape).map(|(&n, &c)| n.div_ceil(c));
        along.fold(1, usize::saturating_mul)
    }

    /// The chunk that `pieces` says.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "starts lie inside the chunk and places inside the result, whose lengths fit \
                  isize"
    )]
    fn here(&self) -> Chunk {
        // Within the chunk, as a buffer of its own.
        let within = Frame {
            input_shape: &self.chunk_shape,
            input_len: self.chunk_len,
            strided: false,
            offset: self.axes.iter().zip(&self.pieces).map(|(a, p)| p.start * a.stride).sum(),
        };
        let steps = self.each_out().map(|(piece, _, source)| {
            match (piece, self.axes.get(usize::from(source))) {
                // A step is not longer than the chunk where there are two positions; elsewhere it
                // is 1.
                (Some(p), Some(a)) => {
                    OutAxis { len: p.len, stride: p.step * a.stride as isize, source }
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
            extent: self.axes.iter().zip(&self.pieces).map(|(a, p)| a.extent(p.coord)).collect(),
            plan: Plan::from_axes(within, steps),
            target: Plan::from_axes(target, places),
        }
    }

    /// The axes of the result: the piece of each (`None` if it is new), its stride, and the axis of
    /// the input.
    fn each_out(&self) -> impl ExactSizeIterator<Item = (Option<&Piece>, usize, u8)> {
        let axes = self.plan.axes().zip(&self.places);
        axes.map(|(axis, &place)| (self.pieces.get(usize::from(axis.source)), place, axis.source))
    }
}

impl Iterator for Chunks<'_> {
    type Item = Chunk;

    #[expect(clippy::arithmetic_side_effects, reason = "left is above 0, and turn below count")]
    fn next(&mut self) -> Option<Chunk> {
        let chunk = (self.left > 0).then(|| self.here())?;
        self.left -= 1;
        // The last axis moves first, as the digits of a number.
        for (axis, piece) in self.axes.iter().zip(&mut self.pieces).rev() {
            let turn = piece.turn + 1;
            if turn < axis.count {
                *piece = axis.piece(turn);
                break;
            }
            *piece = axis.piece(0);
        }
        Some(chunk)
    }

    #[expect(
        clippy::arithmetic_side_effects,
        reason = "n is below left, no count is 0 while chunks are left, and turn and carry are \
                  below the number of chunks"
    )]
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
            *piece = axis.piece(turn % axis.count);
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }

    fn count(self) -> usize {
        self.left
    }
}

impl ExactSizeIterator for Chunks<'_> {}
impl FusedIterator for Chunks<'_> {}

impl fmt::Debug for Chunks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Chunks");
        out.field("plan", &self.plan)
            .field("chunk_shape", &self.chunk_shape)
            .field("left", &self.left)
            .finish()
    }
}

/// One chunk that a slice touches: where it is, what is taken from it, and where that goes.
///
/// The plans' results have one shape: `result[target] = chunk[plan]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    coords: SmallVec<[usize; 8]>,
    extent: SmallVec<[usize; 8]>,
    plan: Plan,
    target: Plan,
}

impl Chunk {
    /// The chunk's coordinates in the grid, one an axis of the input; the chunk starts at
    /// `coords[a] * chunk_shape[a]`.
    pub fn coords(&self) -> &[usize] {
        &self.coords
    }

    /// How much of the chunk lies within the array: the chunk's shape, but for chunks at the far
    /// ends.
    pub fn extent(&self) -> &[usize] {
        &self.extent
    }

    /// What the slice takes of the chunk, as a plan over a buffer of the whole chunk in C order.
    ///
    /// Chunks at the far ends are whole too: that is how Zarr v3 stores regular grids.
    /// [`clipped`](Chunk::clipped) is for buffers that end where the array does.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// [`plan`](Chunk::plan) over a buffer of just the part within the array, of shape
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
        reason = "no length of a chunk is 0, and the products are at most the chunk's length, \
                  which fits isize"
    )]
    pub fn clipped(&self) -> Plan {
        let (shape, extent) = (self.plan.input_shape(), self.extent());
        if shape == extent {
            return self.plan.clone();
        }
        // Steps stay, strides do not: position by position from one mixed radix to the other.
        let (mut rest, mut from, mut to) = (self.plan.offset(), 1usize, 1usize);
        let mut offset = 0;
        let mut axes: Vec<OutAxis> = self.plan.axes().collect();
        let mut fed = axes.iter_mut().rev().filter(|axis| axis.source != NO_SOURCE).peekable();
        for (a, (&n, &m)) in shape.iter().zip(extent).enumerate().rev() {
            offset += rest % n * to;
            rest /= n;
            if let Some(axis) = fed.next_if(|axis| usize::from(axis.source) == a) {
                axis.stride = axis.stride / from as isize * to as isize;
            }
            (from, to) = (from * n, to * m);
        }
        drop(fed);
        let frame = Frame { input_shape: extent, input_len: to, strided: false, offset };
        Plan::from_axes(frame, axes.into_iter())
    }

    /// Where the part goes, as a plan over the result in C order: its input has the shape of the
    /// slice's result.
    pub fn target(&self) -> &Plan {
        &self.target
    }

    /// Whether the slice takes all of the chunk that lies within the array; then a write need not
    /// read it first.
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
    pub fn is_whole(&self) -> bool {
        self.plan.len() == self.extent().iter().product::<usize>()
    }
}
