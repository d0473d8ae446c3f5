//! The loops around a kernel: every row of a nest in order, and rows of plain moves.
//!
//! All functions here are inlined into the kernel that calls them, so that they are compiled for its instruction set.
//! Closures would not be (they do not inherit `inline(always)`), hence the traits.

use core::mem::MaybeUninit;

use super::movers::{Call, Long, Mover, Steps, with_mover};
use super::nest::{Axis, Pair};
use super::vector::Base;

/// What is done for each row of a nest.
pub(crate) trait Visit {
    /// `src`: byte offset of the row's first position, relative to the nest's first; `dst`: bytes of all rows before.
    ///
    /// # Safety
    /// As the implementor states; [`each_row`] passes on its caller's promise for every row.
    unsafe fn row(&mut self, src: isize, dst: usize);
}

/// Visits the rows that `axes` (innermost first) count through, each of `row` bytes in the destination.
///
/// # Safety
/// Every row of the nest fulfils what `visit` asks for.
#[inline(always)]
pub(crate) unsafe fn each_row<F: Visit>(axes: &[Axis], row: usize, visit: &mut F) {
    // No axis is one of a single row, so that the compiler has one place to put all of a row's code in.
    let (inner, outer) = axes.split_first().unwrap_or((&Axis { n: 1, step: 0 }, axes));
    let mut left = [const { MaybeUninit::<usize>::uninit() }; 64];
    let outer = &outer[..outer.len().min(left.len())];
    for (left, axis) in left.iter_mut().zip(outer) {
        *left = MaybeUninit::new(axis.n);
    }
    let (mut src, mut dst) = (0isize, 0usize);
    loop {
        let mut at = src;
        for _ in 0..inner.n {
            // SAFETY: `at` and `dst` are those of one row of the nest: each axis is counted from 0 to n - 1.
            unsafe { visit.row(at, dst) };
            at = at.wrapping_add(inner.step);
            dst += row;
        }
        let mut done = true;
        // By numbers: of two iterators the compiler worked out the shorter one for each row.
        for (i, axis) in outer.iter().enumerate() {
            // SAFETY: the loop above wrote one counter for every outer axis.
            let count = unsafe { left[i].assume_init_mut() };
            src = src.wrapping_add(axis.step);
            *count -= 1;
            if *count > 0 {
                done = false;
                break;
            }
            *count = axis.n;
            src = src.wrapping_sub(axis.step.wrapping_mul(axis.n as isize));
        }
        if done {
            return;
        }
    }
}

/// What is done at each place of a nest over two buffers.
pub(crate) trait VisitPair {
    /// Byte offsets of the place in the source and the destination, relative to the first.
    ///
    /// # Safety
    /// As the implementor states; [`each_pair`] passes on its caller's promise for every place.
    unsafe fn place(&mut self, src: isize, dst: isize);
}

/// Visits the places that `pairs` (innermost first) count through.
///
/// # Safety
/// Every place of the nest fulfils what `visit` asks for.
#[inline(always)]
pub(crate) unsafe fn each_pair<F: VisitPair>(pairs: &[Pair], visit: &mut F) {
    let mut left = [const { MaybeUninit::<usize>::uninit() }; 64];
    for (left, pair) in left.iter_mut().zip(pairs) {
        *left = MaybeUninit::new(pair.n);
    }
    let (mut src, mut dst) = (0isize, 0isize);
    loop {
        // SAFETY: `src` and `dst` are those of one place of the nest: each axis is counted from 0 to n - 1.
        unsafe { visit.place(src, dst) };
        let mut done = true;
        for (left, pair) in left.iter_mut().zip(pairs) {
            // SAFETY: the loop above wrote one counter for every axis.
            let count = unsafe { left.assume_init_mut() };
            (src, dst) = (src.wrapping_add(pair.src), dst.wrapping_add(pair.dst));
            *count -= 1;
            if *count > 0 {
                done = false;
                break;
            }
            *count = pair.n;
            let n = pair.n as isize;
            src = src.wrapping_sub(pair.src.wrapping_mul(n));
            dst = dst.wrapping_sub(pair.dst.wrapping_mul(n));
        }
        if done {
            return;
        }
    }
}

/// Moves `n` runs, `steps` apart in the source, one behind the other in the destination.
///
/// # Safety
/// Each of the runs can be read and written, and source and destination do not overlap.
#[inline(always)]
pub(crate) unsafe fn line<M: Mover>(mover: M, n: usize, steps: Steps, src: *const u8, dst: *mut u8) {
    let (mut src, mut dst, mut n) = (src, dst, n);
    if M::FOURS {
        for _ in 0..n / 4 {
            // SAFETY: four of the `n` runs. Past the last one the pointers are moved only wrapping, unused.
            unsafe { mover.four(src, steps, dst) };
            src = src.wrapping_offset(4 * steps.one);
            dst = dst.wrapping_add(4 * mover.run());
        }
        n %= 4;
    }
    // SAFETY: the rest of them.
    unsafe { singly(mover, n, steps.one, src, dst) }
}

/// Moves `n` runs, `step` bytes apart in the source, one behind the other in the destination, one by one.
///
/// # Safety
/// As for [`line`].
#[inline(always)]
pub(crate) unsafe fn singly<M: Mover>(mover: M, n: usize, step: isize, src: *const u8, dst: *mut u8) {
    let (mut src, mut dst) = (src, dst);
    for _ in 0..n {
        // SAFETY: this is one of the `n` runs. The pointers are moved past the last one only wrapping, unused.
        unsafe { mover.one(src, dst) };
        src = src.wrapping_offset(step);
        dst = dst.wrapping_add(mover.run());
    }
}

/// Moves a whole nest by one mover.
///
/// # Safety
/// Each run of the nest at `src` can be read, all of them together written at `dst`, without overlap.
#[inline(always)]
pub(crate) unsafe fn nest<M: Mover>(mover: M, axes: &[Axis], src: *const u8, dst: *mut u8) {
    struct Lines<M> {
        mover: M,
        inner: Axis,
        src: *const u8,
        dst: *mut u8,
    }
    impl<M: Mover> Visit for Lines<M> {
        #[inline(always)]
        unsafe fn row(&mut self, src: isize, dst: usize) {
            // SAFETY: the row is one of the nest's, whose runs the caller of `nest` vouches for.
            unsafe {
                singly(
                    self.mover,
                    self.inner.n,
                    self.inner.step,
                    self.src.wrapping_offset(src),
                    self.dst.wrapping_add(dst),
                );
            }
        }
    }
    match axes {
        // SAFETY: the only run is at the start of both.
        [] => unsafe { mover.one(src, dst) },
        // The commonest small nests, without counters. SAFETY: the runs of the axis are those of the nest.
        [inner] => unsafe { singly(mover, inner.n, inner.step, src, dst) },
        [inner, outer @ ..] => {
            let mut lines = Lines { mover, inner: *inner, src, dst };
            // SAFETY: every row of `outer` starts a line of the nest.
            unsafe { each_row(outer, inner.n * mover.run(), &mut lines) }
        }
    }
}

/// Moves a whole nest, the mover chosen by the run.
///
/// # Safety
/// As for [`nest`]; `run` is not 0.
#[inline(always)]
pub(crate) unsafe fn any_nest(run: usize, axes: &[Axis], src: *const u8, dst: *mut u8) {
    macro_rules! go {
        ($mover:expr) => {
            // SAFETY: each mover moves exactly `run` bytes, whose places the caller vouches for.
            unsafe { nest($mover, axes, src, dst) }
        };
    }
    with_mover!(run, go, 64..=LONGEST => go!(Long(run)), _ => go!(Call::<Base>(run, PhantomData)));
}

/// From so many runs of a row on it saves time to move them by fours.
const MANY: usize = 32;

/// Moves all runs of one axis.
///
/// # Safety
/// Each of them can be read, all of them together written at `dst`, without overlap.
#[inline(never)]
pub(crate) unsafe fn one<M: Mover>(axis: Axis, src: *const u8, dst: *mut u8, mover: M) {
    // SAFETY: the caller's promise.
    unsafe {
        if M::FOURS && axis.n >= MANY {
            one_long(axis, src, dst, mover)
        } else {
            singly(mover, axis.n, axis.step, src, dst)
        }
    }
}

/// [`one`] by fours; a function of its own, as it needs registers that `one` would have to save.
///
/// # Safety
/// The same.
#[inline(never)]
unsafe fn one_long<M: Mover>(axis: Axis, src: *const u8, dst: *mut u8, mover: M) {
    // SAFETY: the caller's promise.
    unsafe { line(mover, axis.n, Steps::new(axis.step), src, dst) }
}

/// Moves all runs of two axes. Each mover has a function of its own, as one for all would save and restore what any of them needs.
///
/// # Safety
/// Each of them can be read, all of them together written at `dst`, without overlap.
#[inline(never)]
pub(crate) unsafe fn two<M: Mover>(inner: Axis, outer: Axis, src: *const u8, dst: *mut u8, mover: M) {
    // SAFETY: the caller's promise.
    unsafe {
        match inner.n {
            2 => rows::<M, 2>(inner, outer, src, dst, mover),
            3 => rows::<M, 3>(inner, outer, src, dst, mover),
            4 => rows::<M, 4>(inner, outer, src, dst, mover),
            _ => rows::<M, 0>(inner, outer, src, dst, mover),
        }
    }
}

/// [`two`], of `N` runs a row, or any number (0): a loop that ends after a few rounds is foreseen badly.
///
/// # Safety
/// The same; `N` is 0 or `inner.n`.
#[inline(always)]
unsafe fn rows<M: Mover, const N: usize>(inner: Axis, outer: Axis, src: *const u8, dst: *mut u8, mover: M) {
    let n = if N == 0 { inner.n } else { N };
    let (mut src, mut dst) = (src, dst);
    for _ in 0..outer.n {
        // SAFETY: a line of the caller's runs. The pointers are moved past the last one only wrapping, unused.
        unsafe { singly(mover, n, inner.step, src, dst) };
        src = src.wrapping_offset(outer.step);
        dst = dst.wrapping_add(n * mover.run());
    }
}

/// The longest run moved without calling `memcpy`.
pub(crate) const LONGEST: usize = 512;
