//! The planner: a slice and a shape in; shape, strides and offset of the view out.
//!
//! First the strides of the input, from the last axis to the first; then the entries, from the first to the last. Two short
//! loops keep their state in registers, where one loop over both did not (twice the instructions).
//! All of it is `const`, allocates nothing and cannot panic.

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

/// `step * stride`; it can only overflow on an axis of at most one position, where it is never used.
#[inline(always)]
const fn scale(stride: isize, step: i64) -> isize {
    if step == 1 {
        return stride;
    }
    let wide = (stride as i64).saturating_mul(step);
    if wide > isize::MAX as i64 {
        isize::MAX
    } else if wide < isize::MIN as i64 {
        isize::MIN
    } else {
        wide as isize
    }
}

/// The axes of a plan with room for `N`; beyond its rank everything is 0.
///
/// One struct, so that the walk needs one pointer for all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Axes<const IN: usize, const OUT: usize> {
    pub(crate) shape: [usize; OUT],
    pub(crate) strides: [isize; OUT],
    pub(crate) source: [u8; OUT],
    pub(crate) input_shape: [usize; IN],
}

impl<const IN: usize, const OUT: usize> Axes<IN, OUT> {
    pub(crate) const ZERO: Self = Axes { shape: [0; OUT], strides: [0; OUT], source: [0; OUT], input_shape: [0; IN] };
}

/// Plans `spec` on `input`, which has at most `IN` axes, into `axes`, for a result of at most `OUT` ([`out_rank`]).
///
/// The first mistake (from the left) is reported.
#[inline(always)]
pub(crate) const fn walk<const IN: usize, const OUT: usize>(
    spec: SpecRef<'_>,
    input: Input<'_>,
    bounds: Bounds,
    axes: &mut Axes<IN, OUT>,
) -> Result<Head, SliceError> {
    let mut steps = [0; IN];
    let Some(count) = steps_of(input, axes, &mut steps) else {
        return Err(SliceError::ShapeTooLarge);
    };
    match bounds {
        Bounds::Clamp => entries::<false, IN, OUT>(spec, input, &steps, count, axes),
        Bounds::Strict => entries::<true, IN, OUT>(spec, input, &steps, count, axes),
    }
}

/// The stride of each axis of the input goes into `steps`, its shape into `axes`; its element count is returned if it fits.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "each index was just compared with the length of what it indexes")]
const fn steps_of<const IN: usize, const OUT: usize>(
    input: Input<'_>,
    axes: &mut Axes<IN, OUT>,
    steps: &mut [isize; IN],
) -> Option<usize> {
    // `running` leaves lengths of 0 out, so that strides keep their meaning. It alone would not do to find one: a product
    // that wraps can be 0 too.
    let (mut running, mut empty, mut too_large) = (1usize, false, false);
    let mut i = input.shape.len();
    while i > 0 && i <= IN && i <= input.shape.len() {
        i = i.wrapping_sub(1);
        let n = input.shape[i];
        axes.input_shape[i] = n;
        steps[i] = match input.strides {
            Some(s) if i < s.len() => s[i],
            _ => running as isize,
        };
        let (product, over) = running.overflowing_mul(if n == 0 { 1 } else { n });
        too_large |= over | (product > isize::MAX as usize);
        (running, empty) = (product, empty | (n == 0));
    }
    if too_large && (!empty || too_long(input.shape)) {
        return None;
    }
    Some(if empty { 0 } else { running })
}

#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "each index was just compared with the length of what it indexes")]
const fn entries<const STRICT: bool, const IN: usize, const OUT: usize>(
    spec: SpecRef<'_>,
    input: Input<'_>,
    steps: &[isize; IN],
    count: usize,
    axes: &mut Axes<IN, OUT>,
) -> Result<Head, SliceError> {
    let m = spec.masks;
    let (rank, takes) = (input.shape.len(), spec.takes());
    if takes > rank || rank > IN {
        return Err(SliceError::TooManyEntries { takes, rank });
    }
    let (mut axis, mut out, mut entry) = (0usize, 0usize, 0usize);
    // Both are exact where the result is not empty; otherwise the offset is not used.
    let (mut len, mut offset) = (1usize, input.base as i64);
    loop {
        let inside = entry < spec.begin.len() && entry < spec.end.len() && entry < spec.strides.len();
        let bit = 1u32.wrapping_shl(entry as u32);
        if !inside || (m.ellipsis | m.new_axis) & bit != 0 {
            if inside && m.ellipsis & bit == 0 {
                if out < OUT {
                    (axes.shape[out], axes.strides[out], axes.source[out]) = (1, 0, NO_SOURCE);
                }
                (out, entry) = (out.wrapping_add(1), entry.wrapping_add(1));
                continue;
            }
            // The ellipsis, or the one that is implied at the end: all axes that the other entries do not take.
            let mut whole = if inside { rank.wrapping_sub(takes) } else { rank.wrapping_sub(axis) };
            while whole > 0 && axis < IN {
                let n = axes.input_shape[axis];
                if out < OUT {
                    (axes.shape[out], axes.strides[out], axes.source[out]) = (n, steps[axis], axis as u8);
                }
                len = len.wrapping_mul(n);
                (axis, out, whole) = (axis.wrapping_add(1), out.wrapping_add(1), whole.wrapping_sub(1));
            }
            if !inside {
                break;
            }
            entry = entry.wrapping_add(1);
            continue;
        }
        if axis >= IN {
            return Err(SliceError::TooManyEntries { takes, rank });
        }
        let (begin, end, step) = (spec.begin[entry], spec.end[entry], spec.strides[entry]);
        let (size, stride) = (axes.input_shape[axis], steps[axis]);
        // At most isize::MAX, unless the input is empty, and then a length beyond it was refused above.
        let n = size as i64;
        if m.shrink_axis & bit != 0 {
            if step <= 0 {
                return Err(SliceError::ShrinkStride { entry, axis });
            }
            match axis::position(begin, n) {
                Some(at) => offset = offset.wrapping_add(at.wrapping_mul(stride as i64)),
                None => return Err(SliceError::IndexOutOfRange { index: begin, axis, len: size }),
            }
        } else {
            if step == 0 {
                return Err(SliceError::ZeroStep { entry });
            }
            let (begin_mask, end_mask) = (m.begin & bit != 0, m.end & bit != 0);
            if STRICT && !(begin_mask || axis::within(begin, n)) {
                return Err(SliceError::BoundOutOfRange { bound: begin, axis, len: size });
            }
            if STRICT && !(end_mask || axis::within(end, n)) {
                return Err(SliceError::BoundOutOfRange { bound: end, axis, len: size });
            }
            let run = axis::run(n, begin, begin_mask, end, end_mask, step);
            offset = offset.wrapping_add(run.start.wrapping_mul(stride as i64));
            len = len.wrapping_mul(run.len);
            if out < OUT {
                (axes.shape[out], axes.strides[out], axes.source[out]) = (run.len, scale(stride, step), axis as u8);
            }
            out = out.wrapping_add(1);
        }
        (axis, entry) = (axis.wrapping_add(1), entry.wrapping_add(1));
    }
    Ok(Head { offset: if len == 0 { 0 } else { offset as usize }, len, count })
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
