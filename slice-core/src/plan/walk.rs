//! The planner: computes shape, strides and offset of a view from a slice and a shape.
//!
//! One loop finds the strides of the input, from the last axis to the first; a second one takes the
//! entries, from the first to the last. Two short loops keep their state in registers, where one
//! loop for both did not (twice the instructions). All of it is `const`, allocates nothing and
//! cannot panic.

use crate::axis;
use crate::encoding::{Entry, OTHER_COUNTS, SpecRef};
use crate::error::SliceError;

/// Marks an axis of the result that no axis of the input feeds: a new axis.
pub(crate) const NO_SOURCE: u8 = u8::MAX;

/// The most axes that an input or a result can have; one value of `u8` marks new axes.
pub(crate) const MAX_RANK: usize = 254;

/// The array to be sliced. `strides: None` means C-contiguous; `base` is the offset of its element
/// `[0, 0, …]`.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a> {
    pub(crate) shape: &'a [usize],
    pub(crate) strides: Option<&'a [isize]>,
    pub(crate) base: usize,
}

/// What the planner returns besides the axes. `count` is the product of the input's shape.
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

/// `step * stride`; it can only overflow on an axis of at most one position, where it is never
/// used.
#[cfg_attr(not(debug_assertions), inline(always))]
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
    pub(crate) const ZERO: Self =
        Axes { shape: [0; OUT], strides: [0; OUT], source: [0; OUT], input_shape: [0; IN] };
}

/// Plans `spec` on `input`, which has at most `IN` axes, into `axes`, for a result of at most `OUT`
/// ([`out_rank`]).
///
/// The first mistake (from the left) is reported. The walk itself only says that there is one, so
/// that no error has to be carried along; [`mistake`] then looks for it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) const fn walk<const IN: usize, const OUT: usize>(
    spec: SpecRef<'_>,
    input: Input<'_>,
    axes: &mut Axes<IN, OUT>,
) -> Result<Head, SliceError> {
    let mut steps = [0; IN];
    let mut walk = Walk::new(spec, &mut steps, axes);
    if walk.input(input) {
        let mut i = 0;
        while i < spec.begin.len() && walk.entry(i) {
            i = i.wrapping_add(1);
        }
        if i == spec.begin.len()
            && let Some(head) = walk.finish()
        {
            return Ok(head);
        }
    }
    Err(mistake(spec, input.shape))
}

/// [`walk`] for a slice of `LEN` entries, at most [`MAX_UNROLLED`], on an array of `RANK` axes,
/// without a loop over either.
///
/// `None` where there is a mistake, and where an axis is empty or long: that is left to [`walk`].
///
/// After inlining for a constant slice, little more than the arithmetic on the shape is left.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) const fn walk_unrolled<
    const LEN: usize,
    const RANK: usize,
    const IN: usize,
    const OUT: usize,
>(
    spec: SpecRef<'_>,
    shape: &[usize; RANK],
    strides: Option<&[isize; RANK]>,
    axes: &mut Axes<IN, OUT>,
) -> Option<Head> {
    let mut steps = [0; IN];
    let mut walk = Walk::new(spec, &mut steps, axes);
    if !walk.input_unrolled(shape, strides)
        || LEN > 0 && !walk.entry(0)
        || LEN > 1 && !walk.entry(1)
        || LEN > 2 && !walk.entry(2)
        || LEN > 3 && !walk.entry(3)
        || LEN > 4 && !walk.entry(4)
        || LEN > 5 && !walk.entry(5)
    {
        return None;
    }
    walk.finish()
}

/// The most entries that [`walk_unrolled`] takes.
pub(crate) const MAX_UNROLLED: usize = 6;

/// The state of planning.
struct Walk<'a, const IN: usize, const OUT: usize> {
    spec: SpecRef<'a>,
    axes: &'a mut Axes<IN, OUT>,
    /// The strides of the input. They are behind a reference, because an array that is indexed by a
    /// variable would keep the whole struct in memory, and the compiler would not see that the
    /// slice is a constant.
    steps: &'a mut [isize; IN],
    rank: usize,
    /// How many axes an ellipsis stands for; 0 once there was one.
    spare: usize,
    count: usize,
    /// The next axis of the input and of the result.
    axis: usize,
    out: usize,
    /// Both are exact where the result is not empty; otherwise the offset is not used.
    len: usize,
    offset: i64,
}

impl<'a, const IN: usize, const OUT: usize> Walk<'a, IN, OUT> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    const fn new(
        spec: SpecRef<'a>,
        steps: &'a mut [isize; IN],
        axes: &'a mut Axes<IN, OUT>,
    ) -> Self {
        Walk { spec, axes, steps, rank: 0, spare: 0, count: 1, axis: 0, out: 0, len: 1, offset: 0 }
    }

    /// Finds the strides of the input and stores its shape; `false` if there is a mistake.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[expect(
        clippy::indexing_slicing,
        reason = "each index was just compared with the length of what it indexes"
    )]
    const fn input(&mut self, input: Input<'_>) -> bool {
        let rank = input.shape.len();
        if self.spec.takes() > rank || rank > IN {
            return false;
        }
        // `running` leaves lengths of 0 out, so that strides keep their meaning.
        let (mut running, mut any, mut empty) = (1_usize, 0_usize, false);
        let mut i = rank;
        while i > 0 && i <= IN && i <= input.shape.len() {
            i = i.wrapping_sub(1);
            let n = input.shape[i];
            self.axes.input_shape[i] = n;
            self.steps[i] = match input.strides {
                Some(s) if i < s.len() => s[i],
                _ => running as isize,
            };
            running = running.wrapping_mul(if n == 0 { 1 } else { n });
            (any, empty) = (any | n, empty | (n == 0));
        }
        (self.rank, self.offset) = (rank, input.base as i64);
        self.spare = rank.wrapping_sub(self.spec.takes());
        self.count = if empty { 0 } else { running };
        // The product of lengths of few bits cannot overflow.
        let short = if rank <= 4 {
            SHORT
        } else if rank <= 6 {
            SHORT * 2 / 3
        } else {
            SHORT / 2
        };
        (rank <= 8 && any >> short == 0) || count(input.shape).is_some()
    }

    /// [`input`](Self::input) for shapes without empty or long axes, which needs the least code.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[expect(
        clippy::indexing_slicing,
        reason = "each index was just compared with the length of what it indexes"
    )]
    const fn input_unrolled<const RANK: usize>(
        &mut self,
        shape: &[usize; RANK],
        strides: Option<&[isize; RANK]>,
    ) -> bool {
        if self.spec.takes() > RANK || RANK > IN || RANK == 0 {
            return false;
        }
        // The product of `RANK` lengths of at most 2^bits fits `isize`.
        let bits = const {
            let fair = (usize::BITS - 3) / (if RANK == 0 { 1 } else { RANK as u32 });
            if fair > 31 { 31 } else { fair }
        };
        let most = ((1_usize) << bits).wrapping_sub(1);
        let (mut running, mut any) = (1_usize, 0_usize);
        let mut i = RANK;
        while i > 0 && i <= IN && i <= RANK {
            i = i.wrapping_sub(1);
            let below = shape[i].wrapping_sub(1);
            any |= below;
            // `any` is checked below. The mask only shows the compiler how small the number is.
            let n = (below & most).wrapping_add(1);
            self.axes.input_shape[i] = n;
            self.steps[i] = match strides {
                Some(s) => s[i],
                None => running as isize,
            };
            running = running.wrapping_mul(n);
        }
        (self.rank, self.offset, self.count) = (RANK, 0, running);
        self.spare = RANK.wrapping_sub(self.spec.takes());
        any <= most
    }

    /// Appends an axis to the result.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[expect(
        clippy::indexing_slicing,
        reason = "the index was just compared with the length of what it indexes"
    )]
    const fn push(&mut self, n: usize, stride: isize, source: u8) {
        if self.out < OUT {
            self.axes.shape[self.out] = n;
            self.axes.strides[self.out] = stride;
            self.axes.source[self.out] = source;
        }
        self.out = self.out.wrapping_add(1);
        // Wraps only where an axis of length 0 makes it 0 anyway: the input has no more elements
        // than isize::MAX.
        self.len = self.len.wrapping_mul(n);
    }

    /// Takes whole axes of the input: those that an ellipsis stands for.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[expect(
        clippy::indexing_slicing,
        reason = "the index was just compared with the length of what it indexes"
    )]
    const fn pass_spare(&mut self) {
        let end = self.axis.wrapping_add(self.spare);
        self.spare = 0;
        while self.axis < end && self.axis < IN {
            self.push(self.axes.input_shape[self.axis], self.steps[self.axis], self.axis as u8);
            self.axis = self.axis.wrapping_add(1);
        }
        // This is past the end if the slice's counts are wrong, which `finish` will see.
        self.axis = end;
    }

    /// Takes entry `i`; `false` if there is a mistake.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[expect(
        clippy::indexing_slicing,
        reason = "each index was just compared with the length of what it indexes"
    )]
    const fn entry(&mut self, i: usize) -> bool {
        let SpecRef { begin, end, strides, masks: m, strict, .. } = self.spec;
        if i >= begin.len() || i >= end.len() || i >= strides.len() {
            return false;
        }
        let (begin, end, step) = (begin[i], end[i], strides[i]);
        let bit = 1u32.wrapping_shl(i as u32);
        if m.ellipsis & bit != 0 {
            self.pass_spare();
            return true;
        }
        if m.new_axis & bit != 0 {
            self.push(1, 0, NO_SOURCE);
            return true;
        }
        let axis = self.axis;
        if axis >= IN || step == 0 {
            return false;
        }
        self.axis = axis.wrapping_add(1);
        // A length beyond isize::MAX was refused, so this is exact.
        let (n, stride) = (self.axes.input_shape[axis] as i64, self.steps[axis]);
        if m.shrink_axis & bit != 0 {
            return match axis::position(begin, n) {
                Some(at) if step > 0 => {
                    self.offset = self.offset.wrapping_add(at.wrapping_mul(stride as i64));
                    true
                }
                _ => false,
            };
        }
        let start = if m.begin & bit != 0 { None } else { Some(begin) };
        let stop = if m.end & bit != 0 { None } else { Some(end) };
        if strict && axis::out_of_bounds(n, start, stop, step).is_some() {
            return false;
        }
        let run = axis::run(n, start, stop, step);
        self.offset = self.offset.wrapping_add(run.start.wrapping_mul(stride as i64));
        self.push(run.len, scale(stride, step), axis as u8);
        true
    }

    /// Takes the axes that no entry took: an ellipsis is implied at the end.
    ///
    /// Returns `None` if the slice's counts of taken, dropped and added axes are not those of its
    /// entries. Every plan is made here, so each has the rank that the slice announced, walks each
    /// axis of the input once, and has as many elements as its lengths say.
    #[cfg_attr(not(debug_assertions), inline(always))]
    const fn finish(&mut self) -> Option<Head> {
        self.pass_spare();
        let out = self.rank.wrapping_sub(self.spec.drops()).wrapping_add(self.spec.adds());
        if self.axis != self.rank || self.out != out {
            return None;
        }
        let offset = if self.len == 0 { 0 } else { self.offset as usize };
        Some(Head { offset, len: self.len, count: self.count })
    }
}

/// The first thing that is wrong with a slice that cannot be planned.
#[cold]
#[inline(never)]
#[expect(
    clippy::indexing_slicing,
    reason = "each index was just compared with the length of what it indexes"
)]
pub(crate) const fn mistake(spec: SpecRef<'_>, shape: &[usize]) -> SliceError {
    let (rank, takes, strict) = (shape.len(), spec.takes(), spec.strict);
    if takes > rank {
        return SliceError::TooManyEntries { takes, rank };
    }
    let (mut i, mut axis) = (0, 0usize);
    while let Some(entry) = spec.entry(i) {
        let n = if axis < rank { shape[axis] } else { 0 };
        let n = if n > isize::MAX as usize { return SliceError::ShapeTooLarge } else { n as i64 };
        let len = n as usize;
        // There is a stride for every entry. The compiler does not know it, and without this check
        // would leave a panic here.
        let stride = if i < spec.strides.len() { spec.strides[i] } else { 1 };
        match entry {
            Entry::NewAxis => {}
            Entry::Ellipsis => axis = axis.wrapping_add(rank.wrapping_sub(takes)),
            Entry::Index(_) if stride == 0 => return SliceError::ZeroStep { entry: i },
            Entry::Index(_) if stride < 0 => return SliceError::ShrinkStride { entry: i, axis },
            Entry::Index(index) => {
                if axis::position(index, n).is_none() {
                    return SliceError::IndexOutOfRange { index, axis, len };
                }
                axis = axis.wrapping_add(1);
            }
            Entry::Range { step: 0, .. } => return SliceError::ZeroStep { entry: i },
            Entry::Range { start, stop, step } => {
                if strict && let Some(bound) = axis::out_of_bounds(n, start, stop, step) {
                    return SliceError::BoundOutOfRange { bound, axis, len };
                }
                axis = axis.wrapping_add(1);
            }
        }
        i = i.wrapping_add(1);
    }
    // Each entry is right, so it is the number of elements or the counts of entries.
    if count(shape).is_none() { SliceError::ShapeTooLarge } else { OTHER_COUNTS }
}

/// The product of four numbers of this many bits fits `isize`, and so does that of six of two
/// thirds or of eight of half as many bits.
const SHORT: u32 = if usize::BITS >= 64 { 15 } else { 7 };

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
