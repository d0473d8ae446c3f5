//! The planner's one pass: a slice and a shape in; shape, strides and offset of the view out.
//!
//! It goes from the last entry to the first, so that the strides of a C-contiguous input are a running product and an
//! ellipsis simply takes what is left over. It is `const`, allocates nothing and cannot panic: outputs are consumed
//! from the back by `split_last_mut`, which answers `None` instead of indexing out of bounds.

use crate::axis::{self, Bounds};
use crate::error::SliceError;
use crate::spec::SpecRef;

/// Marks an axis of the result that no axis of the input feeds: a new axis.
pub(crate) const NO_SOURCE: u8 = u8::MAX;

/// The most axes a plan can have, in and out; one value of `u8` marks new axes.
pub(crate) const MAX_RANK: usize = 254;

/// The array to be sliced. `strides: None` means C-contiguous; `base` is the offset of its element `[0, 0, …]`.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) shape: &'a [usize],
    pub(crate) strides: Option<&'a [isize]>,
    pub(crate) base: usize,
}

/// What comes out beside the axes. `count` is the product of the input's shape.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub(crate) offset: usize,
    pub(crate) len: usize,
    pub(crate) count: usize,
}

/// How many axes the result has.
#[inline(always)]
pub(crate) const fn out_rank(spec: SpecRef<'_>, rank: usize) -> Result<usize, SliceError> {
    let takes = spec.takes();
    if takes > rank {
        return Err(SliceError::TooManyEntries { takes, rank });
    }
    // drops <= takes <= rank, and at most 31 axes are added.
    let out = rank.wrapping_sub(spec.drops()).wrapping_add(spec.adds());
    if rank > MAX_RANK || out > MAX_RANK {
        let rank = if rank > out { rank } else { out };
        return Err(SliceError::RankTooHigh { rank, limit: MAX_RANK });
    }
    Ok(out)
}

/// The axes of the input, taken from the last to the first.
struct Axes<'a> {
    shape: &'a [usize],
    strides: Option<&'a [isize]>,
    running: usize,
    too_large: bool,
    empty: bool,
}

impl Axes<'_> {
    /// Length and stride of the next axis; its number is `self.shape.len()` afterwards.
    #[inline(always)]
    const fn take(&mut self) -> Option<(usize, isize)> {
        let Some((&n, rest)) = self.shape.split_last() else {
            return None;
        };
        self.shape = rest;
        // Lengths of 0 are left out of the product, so that the other strides keep their meaning.
        let (product, over) = self.running.overflowing_mul(if n == 0 { 1 } else { n });
        let contiguous = self.running as isize;
        self.empty |= n == 0;
        self.too_large |= over | (product > isize::MAX as usize);
        self.running = product;
        let stride = match self.strides {
            None => contiguous,
            Some(s) => match s.split_last() {
                None => return None,
                Some((&stride, rest)) => {
                    self.strides = Some(rest);
                    stride
                }
            },
        };
        Some((n, stride))
    }
}

/// Where the result's axes are written, from the last to the first.
struct Out<'a> {
    shape: &'a mut [usize],
    strides: &'a mut [isize],
    source: &'a mut [u8],
    len: usize,
}

impl<'a> Out<'a> {
    #[inline(always)]
    const fn push(self, n: usize, stride: isize, source: u8) -> Option<Out<'a>> {
        let Some((a, shape)) = self.shape.split_last_mut() else {
            return None;
        };
        let Some((b, strides)) = self.strides.split_last_mut() else {
            return None;
        };
        let Some((c, from)) = self.source.split_last_mut() else {
            return None;
        };
        (*a, *b, *c) = (n, stride, source);
        // Wraps only where the input's own count does, which is an error, or where a length of 0 makes it 0 anyway.
        let len = self.len.wrapping_mul(n);
        Some(Out { shape, strides, source: from, len })
    }
}

/// `step * stride`; it can only overflow on an axis of at most one position, where it is never used.
#[inline(always)]
const fn scale(stride: isize, step: i64) -> isize {
    let wide = (stride as i64).saturating_mul(step);
    if wide > isize::MAX as i64 {
        isize::MAX
    } else if wide < isize::MIN as i64 {
        isize::MIN
    } else {
        wide as isize
    }
}

/// Plans `spec` on `input`. The three outputs have [`out_rank`] elements each.
///
/// The first mistake (from the left) is reported.
#[inline(always)]
pub(crate) const fn walk(
    spec: SpecRef<'_>,
    input: Input<'_>,
    bounds: Bounds,
    shape: &mut [usize],
    strides: &mut [isize],
    source: &mut [u8],
) -> Result<Head, SliceError> {
    const SHORT: SliceError = SliceError::RankMismatch { expected: 0, found: 0 };
    let m = spec.masks;
    let (rank, takes) = (input.shape.len(), spec.takes());
    if takes > rank {
        return Err(SliceError::TooManyEntries { takes, rank });
    }
    let spare = rank.wrapping_sub(takes);
    let mut axes = Axes { shape: input.shape, strides: input.strides, running: 1, too_large: false, empty: false };
    let mut out = Out { shape, strides, source, len: 1 };
    let (mut begins, mut ends, mut steps) = (spec.begin, spec.end, spec.strides);
    let mut offset = input.base as i64;
    let mut wrong = None;
    // Without an ellipsis, one is implied at the end.
    let mut full = if m.ellipsis == 0 { spare } else { 0 };
    loop {
        while full > 0 {
            full = full.wrapping_sub(1);
            let Some((n, stride)) = axes.take() else { return Err(SHORT) };
            let Some(o) = out.push(n, stride, axes.shape.len() as u8) else { return Err(SHORT) };
            out = o;
        }
        let Some((&begin, b)) = begins.split_last() else { break };
        let Some((&end, e)) = ends.split_last() else { break };
        let Some((&step, s)) = steps.split_last() else { break };
        (begins, ends, steps) = (b, e, s);
        let entry = b.len();
        let bit = 1u32.wrapping_shl(entry as u32);
        if (m.ellipsis | m.new_axis) & bit != 0 {
            if m.ellipsis & bit != 0 {
                full = spare;
                continue;
            }
            let Some(o) = out.push(1, 0, NO_SOURCE) else { return Err(SHORT) };
            out = o;
            continue;
        }
        let Some((len, stride)) = axes.take() else { return Err(SHORT) };
        let axis = axes.shape.len();
        // A length beyond isize::MAX has set `too_large`, and so nothing computed from it is used.
        let n = len as i64;
        if m.shrink_axis & bit != 0 {
            match axis::position(begin, n) {
                Some(at) if step > 0 => offset = offset.wrapping_add(at.wrapping_mul(stride as i64)),
                Some(_) => wrong = Some(SliceError::ShrinkStride { entry, axis }),
                None if step <= 0 => wrong = Some(SliceError::ShrinkStride { entry, axis }),
                None => wrong = Some(SliceError::IndexOutOfRange { index: begin, axis, len }),
            }
            continue;
        }
        if step == 0 {
            wrong = Some(SliceError::ZeroStep { entry });
            continue;
        }
        let (begin_mask, end_mask) = (m.begin & bit != 0, m.end & bit != 0);
        if matches!(bounds, Bounds::Strict) {
            if !end_mask && !axis::within(end, n) {
                wrong = Some(SliceError::BoundOutOfRange { bound: end, axis, len });
            }
            if !begin_mask && !axis::within(begin, n) {
                wrong = Some(SliceError::BoundOutOfRange { bound: begin, axis, len });
            }
        }
        let run = axis::run(n, begin, begin_mask, end, end_mask, step);
        // Exact where the run is not empty and the input fits; otherwise the offset is not used.
        offset = offset.wrapping_add(run.start.wrapping_mul(stride as i64));
        let Some(o) = out.push(run.len, scale(stride, step), axis as u8) else { return Err(SHORT) };
        out = o;
    }
    if axes.too_large && !axes.empty || axes.too_large && too_long(input.shape) {
        return Err(SliceError::ShapeTooLarge);
    }
    if let Some(e) = wrong {
        return Err(e);
    }
    let len = out.len;
    Ok(Head {
        offset: if len == 0 { 0 } else { offset as usize },
        len,
        count: if axes.empty { 0 } else { axes.running },
    })
}

/// Whether one length alone exceeds `isize::MAX`.
#[cold]
const fn too_long(mut shape: &[usize]) -> bool {
    while let Some((&n, rest)) = shape.split_first() {
        if n > isize::MAX as usize {
            return true;
        }
        shape = rest;
    }
    false
}
