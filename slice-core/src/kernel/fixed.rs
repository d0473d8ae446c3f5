//! Copies whose shape is known at compile time.
//!
//! All numbers of a `FixedPlan` that is a constant are constants here once this is inlined. So
//! there are no tables and no merging, only loops that the compiler counts, unrolls and turns into
//! straight moves, as it does with loops written by hand for that one shape.

use super::View;
use super::tuning::FIXED;
use core::mem::{MaybeUninit, size_of};
use core::ptr::copy_nonoverlapping;

/// The number of loops that the code below writes out.
const LOOPS: usize = 6;

/// Copies the view of `OUT` axes if it is short and fits both buffers. Returns whether it did.
///
/// Call it with constants only: with anything else it is a slow copy.
#[inline(always)]
pub(crate) fn copy<T: Copy, const OUT: usize>(
    shape: &[usize; OUT],
    strides: &[isize; OUT],
    offset: usize,
    src: &[T],
    dst: &mut [MaybeUninit<T>],
) -> bool {
    if OUT > LOOPS || size_of::<T>() == 0 || dst.len() > FIXED / size_of::<T>() {
        return false;
    }
    let view = View { shape, strides, offset };
    if view.fits(src.len()) != Some(dst.len()) || dst.is_empty() {
        return false;
    }
    // Contiguous axes are one run, which the compiler moves better than single elements. Each loop
    // has a line, there are no arrays, and no closure changes anything, because the compiler may
    // not see that values in memory are constants.
    let (mut run, mut on) = (1, true);
    macro_rules! axis {
        ($k:literal) => {{
            let inside = $k + OUT >= LOOPS;
            let at = if inside { $k + OUT - LOOPS } else { 0 };
            let (n, step) = if inside { (shape[at], strides[at]) } else { (1, 0) };
            on &= step == run as isize;
            run *= if on { n } else { 1 };
            if on { (1, 0) } else { (n, step) }
        }};
    }
    let (last, fifth, fourth) = (axis!(5), axis!(4), axis!(3));
    let (third, second, first) = (axis!(2), axis!(1), axis!(0));
    let go = |from: *const T, step: isize, i: usize| from.wrapping_offset(step * i as isize);
    let (mut to, at) = (dst.as_mut_ptr(), src.as_ptr().wrapping_add(offset));
    for i in 0..first.0 {
        let at = go(at, first.1, i);
        for i in 0..second.0 {
            let at = go(at, second.1, i);
            for i in 0..third.0 {
                let at = go(at, third.1, i);
                for i in 0..fourth.0 {
                    let at = go(at, fourth.1, i);
                    for i in 0..fifth.0 {
                        let at = go(at, fifth.1, i);
                        for i in 0..last.0 {
                            // SAFETY: `fits` found every position of the view inside `src`. Each
                            // axis is counted from 0 to n - 1, and the innermost ones, which are
                            // the run, lie one behind the other. `fits` also found `dst.len()`
                            // positions, and as many are written.
                            unsafe {
                                copy_nonoverlapping(go(at, last.1, i), to.cast(), run);
                                to = to.add(run);
                            }
                        }
                    }
                }
            }
        }
    }
    true
}
