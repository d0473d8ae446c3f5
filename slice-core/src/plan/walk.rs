//! The planner: computes shape, strides and offset of a view from a slice and a shape.
//!
//! One loop takes the entries from the last to the first, as the strides of the input become known.
//! All of it is `const`, allocates nothing and cannot panic.

use crate::axis;
use crate::encoding::{Entry, OTHER_COUNTS, SpecRef};
use crate::error::SliceError;

/// Marks an axis of the result that no axis of the input feeds: a new axis.
pub(crate) const NO_SOURCE: u8 = u8::MAX;

/// The most axes that an input or a result can have; one value of `u8` marks new axes.
pub(crate) const MAX_RANK: usize = 254;

/// The array to be sliced. Its strides matter where it is not in C order; `base` is the offset of
/// its element `[0, 0, …]`.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) shape: &'a [usize],
    pub(crate) strides: &'a [isize],
    pub(crate) base: usize,
}

impl<'a> Input<'a> {
    /// An array in C order.
    pub(crate) const fn dense(shape: &'a [usize]) -> Self {
        Input { shape, strides: &[], base: 0 }
    }
}

/// How many axes the result has.
#[inline]
pub(crate) const fn out_rank(spec: SpecRef<'_>, rank: usize) -> Result<usize, SliceError> {
    if spec.whole_axes(rank).is_none() {
        return Err(spec.misfit(rank));
    }
    // drops <= takes <= rank, and at most 31 axes are added.
    let out = rank.wrapping_sub(spec.drops()).wrapping_add(spec.adds());
    if rank > MAX_RANK || out > MAX_RANK {
        let rank = if rank > out { rank } else { out };
        return Err(SliceError::RankTooHigh { rank, limit: MAX_RANK });
    }
    Ok(out)
}

/// `step * stride`; it can only overflow on an axis of at most one position, where it is never
/// used.
#[inline]
pub(crate) const fn scale(stride: isize, step: i64) -> isize {
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

/// The axes of a plan with room for `IN` and `OUT`, and its numbers; beyond its ranks everything
/// is 0.
///
/// One struct, so that the walk needs one pointer for all of it. [`Parts`](super::Parts) explains the
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub(crate) struct Axes<const IN: usize, const OUT: usize> {
    pub(crate) shape: [usize; OUT],
    /// Where the result starts; 0 if it is empty.
    pub(crate) offset: usize,
    /// The product of `shape`.
    pub(crate) len: usize,
    /// The product of `input_shape`, or how far an array with strides reaches.
    pub(crate) input_len: usize,
    pub(crate) source: [u8; OUT],
    pub(crate) strided: Strided,
    pub(crate) strides: [isize; OUT],
    pub(crate) input_shape: [usize; IN],
}

/// Whether a plan was made with strides; as wide as its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
pub(crate) enum Strided {
    No,
    Yes,
}

impl<const IN: usize, const OUT: usize> Axes<IN, OUT> {
    pub(crate) const ZERO: Self = Axes {
        shape: [0; OUT],
        offset: 0,
        len: 0,
        input_len: 0,
        source: [0; OUT],
        strided: Strided::No,
        strides: [0; OUT],
        input_shape: [0; IN],
    };
}

/// Plans `spec` on `input`, which is in C order if `DENSE`, into `axes`, which is [`Axes::ZERO`].
/// Returns whether it could: [`mistake`] finds what is wrong, so that no error has to be carried
/// along.
///
/// The last entry is taken first, as the strides of C order become known.
///
/// It refuses a slice whose counts of taken, dropped and added axes are not those of its entries.
/// Every plan is made here, so each has the rank that the slice announced, walks each axis of the
/// input once, and has as many elements as its lengths say.
///
/// All state is in few local variables, which stay in registers: methods of a struct took twice the
/// instructions.
#[expect(
    clippy::indexing_slicing,
    reason = "each index was just compared with the length of what it indexes"
)]
pub(crate) const fn walk<const IN: usize, const OUT: usize, const DENSE: bool>(
    spec: &SpecRef<'_>,
    &Input { mut shape, strides: steps, base }: &Input<'_>,
    axes: &mut Axes<IN, OUT>,
) -> bool {
    let (m, begin, rank) = (&spec.masks, spec.begin, shape.len());
    let mut i = begin.len();
    let Some((mut before, mut spare)) = spec.whole_axes(rank) else { return false };
    // As long as each other, which the compiler sees like this.
    let (Some((end, _)), Some((strides, _))) =
        (spec.end.split_at_checked(i), spec.strides.split_at_checked(i))
    else {
        return false;
    };
    if rank > IN || spec.strict && wrong_entry(*spec, shape).is_some() {
        return false;
    }
    let mut out = rank.wrapping_sub(spec.drops()).wrapping_add(spec.adds());
    if !DENSE && steps.len() != rank {
        return false;
    }
    // `shape` are the axes left. `len` and `offset` are exact where the result is not empty.
    // Lengths of 0 are left out of `count`, so that strides keep their meaning; where it is too
    // large, it stays so.
    let (whole_shape, mut count, mut empty) = (shape, 1_usize, false);
    let (mut len, mut offset) = (1_usize, base as i64);

    // Puts an axis in front of the result's.
    macro_rules! push {
        ($n:expr, $stride:expr, $source:expr) => {{
            out = out.wrapping_sub(1);
            if out >= OUT {
                return false;
            }
            let n = $n;
            (axes.shape[out], axes.strides[out], axes.source[out]) = (n, $stride, $source);
            // Wraps only where an axis of length 0 makes it 0 anyway: the input has no more
            // elements than isize::MAX.
            len = len.wrapping_mul(n);
        }};
    }

    let mut bit = 1u32.wrapping_shl(i as u32);
    // The axes that are taken whole before the next entry is. Without an ellipsis, one is implied
    // at the end. Bits beyond the last entry are ignored.
    let mut whole = if m.ellipsis & bit.wrapping_sub(1) == 0 { spare } else { 0 };
    loop {
        let is_whole = whole > 0;
        if is_whole {
            whole = whole.wrapping_sub(1);
        } else if i > 0 {
            i = i.wrapping_sub(1);
            bit >>= 1;
            if m.ellipsis & bit != 0 {
                (whole, spare) = (spare, 0);
                continue;
            }
            if m.new_axis & bit != 0 {
                push!(1, 0, NO_SOURCE);
                continue;
            }
        } else if before > 0 {
            (whole, before) = (before, 0);
            continue;
        } else {
            break;
        }
        // The next axis of the input: its number, length and stride.
        let Some((&n, rest)) = shape.split_last() else { return false };
        shape = rest;
        let axis = rest.len();
        if axis >= IN || (!DENSE && axis >= steps.len()) {
            return false;
        }
        axes.input_shape[axis] = n;
        let stride = if DENSE { count as isize } else { steps[axis] };
        if n == 0 {
            empty = true;
        } else {
            count = count.saturating_mul(n);
        }
        if is_whole {
            push!(n, stride, axis as u8);
            continue;
        }
        // Never, but the compiler does not see that, and would leave a panic here.
        if i >= begin.len() {
            return false;
        }
        let (first, step) = (begin[i], strides[i]);
        // A length beyond isize::MAX is refused below.
        let n = n as i64;
        let start = if m.shrink_axis & bit != 0 {
            match axis::position(first, n) {
                Some(at) if step > 0 => at,
                _ => return false,
            }
        } else {
            if step == 0 {
                return false;
            }
            let start = if m.begin & bit != 0 { None } else { Some(first) };
            let stop = if m.end & bit != 0 { None } else { Some(end[i]) };
            let run = axis::run(n, start, stop, step);
            push!(run.len, scale(stride, step), axis as u8);
            run.start
        };
        offset = offset.wrapping_add(start.wrapping_mul(stride as i64));
    }
    axes.offset = if len == 0 { 0 } else { offset as usize };
    axes.len = len;
    axes.input_len = if empty { 0 } else { count };
    let fits = count <= isize::MAX as usize || self::count(whole_shape).is_some();
    shape.is_empty() && out == 0 && fits
}

/// The first thing that is wrong with a slice that cannot be planned.
#[cold]
#[inline(never)]
pub(crate) const fn mistake(spec: SpecRef<'_>, shape: &[usize]) -> SliceError {
    if let Err(e) = out_rank(spec, shape.len()) {
        return e;
    }
    match wrong_entry(spec, shape) {
        Some(e) => e,
        // Each entry is right, so it is the number of elements or the counts of entries.
        None if count(shape).is_none() => SliceError::ShapeTooLarge,
        None => OTHER_COUNTS,
    }
}

/// What is wrong with the first entry that is.
#[cold]
#[inline(never)]
#[expect(
    clippy::indexing_slicing,
    reason = "each index was just compared with the length of what it indexes"
)]
const fn wrong_entry(spec: SpecRef<'_>, shape: &[usize]) -> Option<SliceError> {
    let (rank, strict) = (shape.len(), spec.strict);
    let Some((mut axis, spare)) = spec.whole_axes(rank) else { return Some(spec.misfit(rank)) };
    let mut i = 0;
    while let Some(entry) = spec.entry(i) {
        let n = if axis < rank { shape[axis] } else { 0 };
        let n =
            if n > isize::MAX as usize { return Some(SliceError::ShapeTooLarge) } else { n as i64 };
        let len = n as usize;
        // There is a stride for every entry. The compiler does not know it, and without this check
        // would leave a panic here.
        let stride = if i < spec.strides.len() { spec.strides[i] } else { 1 };
        match entry {
            Entry::NewAxis => {}
            Entry::Ellipsis => axis = axis.wrapping_add(spare),
            Entry::Index(_) if stride == 0 => return Some(SliceError::ZeroStep { entry: i }),
            Entry::Index(_) if stride < 0 => {
                return Some(SliceError::ShrinkStride { entry: i, axis });
            }
            Entry::Index(index) => {
                if axis::position(index, n).is_none() {
                    return Some(SliceError::IndexOutOfRange { index, axis, len });
                }
                axis = axis.wrapping_add(1);
            }
            Entry::Range { step: 0, .. } => return Some(SliceError::ZeroStep { entry: i }),
            Entry::Range { start, stop, step } => {
                if strict && let Some(bound) = axis::out_of_bounds(n, start, stop, step) {
                    return Some(SliceError::BoundOutOfRange { bound, axis, len });
                }
                axis = axis.wrapping_add(1);
            }
        }
        i = i.wrapping_add(1);
    }
    None
}

/// How many elements a shape has; `None` where that, or a length, does not fit `isize`.
pub(crate) const fn count(mut shape: &[usize]) -> Option<usize> {
    let (mut count, mut too_large, mut empty) = (1_usize, false, false);
    while let Some((&n, rest)) = shape.split_first() {
        if n > isize::MAX as usize {
            return None;
        }
        // A length of 0 makes it 0 in the end, however much the others come to before.
        let (product, over) = count.overflowing_mul(if n == 0 { 1 } else { n });
        too_large |= over || product > isize::MAX as usize;
        (count, empty, shape) = (product, empty || n == 0, rest);
    }
    if empty {
        Some(0)
    } else if too_large {
        None
    } else {
        Some(count)
    }
}
