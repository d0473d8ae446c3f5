//! One axis of a grid: the chunks on it that hold something of the slice.

use crate::algebra::runs::AxisPart;
use alloc::vec::Vec;
use core::ops::Range;

/// One axis of the input: what the slice takes of it, and how the grid cuts it.
#[derive(Clone, Debug)]
pub(super) struct GridAxis {
    part: AxisPart,
    /// The lowest position taken, and the distance between positions.
    low: usize,
    gap: usize,
    cuts: Cuts,
    /// How many chunk coordinates on this axis hold a taken position.
    pub(super) count: usize,
}

/// How the grid cuts an axis.
#[derive(Clone, Debug)]
enum Cuts {
    /// Into chunks of one length, of which the last may reach over the end.
    Even(usize),
    /// Into chunks of any lengths, of which these hold a taken position.
    Touched(Vec<ChunkSpan>),
}

/// The positions of a chunk on an axis.
#[derive(Clone, Copy, Debug)]
struct ChunkSpan {
    coord: usize,
    begin: usize,
    len: usize,
}

/// What the slice takes of one axis within one chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkPiece {
    /// Which of the touched coordinates on this axis it is.
    pub(super) turn: usize,
    pub(super) coord: usize,
    /// Where the chunk begins on the axis, how long it is, and how much of it lies on the axis.
    pub(super) begin: usize,
    pub(super) chunk: usize,
    pub(super) extent: usize,
    /// Within the chunk; in the order of the result.
    pub(super) start: usize,
    pub(super) step: isize,
    pub(super) len: usize,
    /// Where it goes on the axis of the result.
    pub(super) place: usize,
}

#[expect(
    clippy::arithmetic_side_effects,
    reason = "the slice is not empty (no part would be here), its positions lie on the axis, no \
              gap and no even chunk's length is 0, and a chunk that begins on the axis ends below \
              twice isize::MAX"
)]
impl GridAxis {
    #[inline]
    fn new(part: AxisPart) -> GridAxis {
        let (low, gap) = (part.low() as usize, part.step.unsigned_abs());
        GridAxis { part, low, gap, cuts: Cuts::Touched(Vec::new()), count: 0 }
    }

    /// An axis that is cut into chunks of one length.
    #[inline]
    pub(super) fn even(part: AxisPart, chunk: usize) -> GridAxis {
        let axis = GridAxis::new(part);
        let high = part.high() as usize - 1;
        // Steps up to the chunk's length leave no chunk out; longer ones meet each chunk at most
        // once.
        let count = if axis.gap <= chunk { high / chunk - axis.low / chunk + 1 } else { part.len };
        GridAxis { cuts: Cuts::Even(chunk), count, ..axis }
    }

    /// An axis on which `cut` gives the chunk of a position: its coordinate, and where it lies. It
    /// is asked about ascending positions, once a chunk. Returns the position for which it gave
    /// no chunk, or one that does not fit the others.
    #[inline]
    pub(super) fn by(
        part: AxisPart,
        mut cut: impl FnMut(usize) -> Option<(usize, Range<usize>)>,
    ) -> Result<GridAxis, usize> {
        let axis = GridAxis::new(part);
        let (mut touched, mut taken) = (Vec::new(), 0);
        while taken < part.len {
            let position = axis.low + taken * axis.gap;
            let (coord, at) = cut(position).ok_or(position)?;
            let len = at.end.saturating_sub(at.start);
            let fits = at.contains(&position) && len <= isize::MAX as usize;
            if !fits || axis.below(at.start) != taken {
                return Err(position);
            }
            touched.push(ChunkSpan { coord, begin: at.start, len });
            taken = axis.below(at.end);
        }
        Ok(GridAxis { count: touched.len(), cuts: Cuts::Touched(touched), ..axis })
    }

    /// The length of the longest touched chunk.
    #[inline]
    pub(super) fn longest(&self) -> usize {
        match &self.cuts {
            Cuts::Even(len) => *len,
            Cuts::Touched(spans) => spans.iter().map(|span| span.len).max().unwrap_or(0),
        }
    }

    /// How many of the taken positions lie below `position`.
    #[inline]
    fn below(&self, position: usize) -> usize {
        position.saturating_sub(self.low).div_ceil(self.gap).min(self.part.len)
    }

    /// The piece in touched chunk number `turn`, of ascending coordinates.
    #[inline]
    pub(super) fn piece(&self, turn: usize) -> Option<ChunkPiece> {
        let &GridAxis { part: AxisPart { axis_len, len, step, .. }, low, gap, .. } = self;
        let ChunkSpan { coord, begin, len: chunk } = match &self.cuts {
            Cuts::Touched(spans) => *spans.get(turn)?,
            &Cuts::Even(chunk) => {
                let coord =
                    if gap <= chunk { low / chunk + turn } else { (low + turn * gap) / chunk };
                ChunkSpan { coord, begin: coord * chunk, len: chunk }
            }
        };
        // Taken positions are numbered upwards here, whichever way the slice goes.
        let (first, after) = (self.below(begin), self.below(begin + chunk));
        let last = after - 1;
        let (from, place) = if step < 0 { (last, len - after) } else { (first, first) };
        let taken = after - first;
        Some(ChunkPiece {
            turn,
            coord,
            begin,
            chunk,
            extent: chunk.min(axis_len - begin),
            start: low + from * gap - begin,
            step: if taken == 1 { 1 } else { step },
            len: taken,
            place,
        })
    }
}
