//! Copies whose shape the compiler knows.
//!
//! All numbers of a `FixedPlan` that is a constant are constants here once this is inlined. So there are no tables and no merging, just loops
//! that the compiler counts, unrolls and turns into straight moves, as it does with loops written by hand for that one shape.

use super::View;
use core::mem::{MaybeUninit, size_of};

/// Longer results go to the kernels, whose start costs little beside them.
const MAX_BYTES: usize = 512;
/// As many loops as there are below.
const LOOPS: usize = 6;

/// Copies the view of `OUT` axes if it is short and fits both buffers; says whether it did.
///
/// To be called with constants only: anything else makes this a slow copy.
#[inline(always)]
pub(crate) fn copy<T: Copy, const OUT: usize>(
    shape: &[usize; OUT],
    strides: &[isize; OUT],
    offset: usize,
    src: &[T],
    dst: &mut [MaybeUninit<T>],
) -> bool {
    if OUT > LOOPS || size_of::<T>() == 0 || dst.len() > MAX_BYTES / size_of::<T>() {
        return false;
    }
    let view = View { shape, strides, offset };
    if view.fits(src.len()) != Some(dst.len()) || dst.is_empty() {
        return false;
    }
    let (mut n, mut s) = ([1; LOOPS], [0; LOOPS]);
    let mut i = 0;
    while i < OUT {
        (n[LOOPS - OUT + i], s[LOOPS - OUT + i]) = (shape[i], strides[i]);
        i += 1;
    }
    let mut to = dst.as_mut_ptr();
    let first = src.as_ptr().wrapping_add(offset);
    let go = |from: *const T, axis: usize, i: usize| from.wrapping_offset(s[axis] * i as isize);
    for a in 0..n[0] {
        let at = go(first, 0, a);
        for b in 0..n[1] {
            let at = go(at, 1, b);
            for c in 0..n[2] {
                let at = go(at, 2, c);
                for d in 0..n[3] {
                    let at = go(at, 3, d);
                    for e in 0..n[4] {
                        let at = go(at, 4, e);
                        for f in 0..n[5] {
                            // SAFETY: `fits` found every position of the view inside `src`, and this is one: each axis is counted from 0
                            // to n - 1. It also found `dst.len()` positions, and one more is written each time.
                            unsafe {
                                to.write(MaybeUninit::new(*go(at, 5, f)));
                                to = to.add(1);
                            }
                        }
                    }
                }
            }
        }
    }
    true
}
