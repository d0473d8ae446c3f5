//! Copies whose shape is known at compile time.
//!
//! All numbers of a `FixedPlan` that is a constant are constants here once this is inlined. So
//! there are no tables and no merging, only loops that the compiler counts, unrolls and turns into
//! straight moves, as in loops written by hand for that one shape. Elsewhere, they are slow.

use super::View;
use super::small::{FILL, GATHER, SCATTER};
use super::tuning::FIXED;
use core::mem::{MaybeUninit, size_of};
use core::ptr::copy_nonoverlapping;

/// The number of loops that the code below writes out.
const LOOPS: usize = 6;

/// Copies the view to `dst` if it is short and fits both buffers. Returns whether it did.
#[inline(always)]
pub(crate) fn copy<T: Copy>(view: View<'_>, src: &[T], dst: &mut [MaybeUninit<T>]) -> bool {
    let fits = fits::<T>(view, src.len(), dst.len());
    if fits {
        // SAFETY: the view lies in `src`, and has an element for each of `dst`.
        unsafe { each::<T, GATHER>(view, src.as_ptr().cast_mut(), dst.as_mut_ptr().cast()) }
    }
    fits
}

/// The same from `values` to the view of `dst`, or from one value to its `len` places.
#[inline(always)]
pub(crate) fn put<T: Copy, const KIND: u8>(
    view: View<'_>,
    values: &[T],
    len: usize,
    dst: &mut [T],
) -> bool {
    let enough = if KIND == FILL { !values.is_empty() } else { values.len() == len };
    let fits = enough && fits::<T>(view, dst.len(), len);
    if fits {
        // SAFETY: the view lies in `dst`, and there is a value for each element or for all.
        unsafe { each::<T, KIND>(view, dst.as_mut_ptr(), values.as_ptr().cast_mut()) }
    }
    fits
}

/// Whether a view is short, and has `len` elements, all of them in a buffer of `buffer`.
#[inline]
fn fits<T>(view: View<'_>, buffer: usize, len: usize) -> bool {
    let short = view.shape.len() <= LOOPS && size_of::<T>() > 0 && len <= FIXED / size_of::<T>();
    short && len > 0 && view.fits(buffer) == Some(len)
}

/// Moves elements between the view of `view` and `dense`, as `KIND` says.
///
/// # Safety
///
/// [`fits`] says that the view lies in the buffer at `view`. As many elements, or one for a fill,
/// lie at `dense`, apart from the buffer. What `KIND` writes may be written.
#[inline(always)]
unsafe fn each<T: Copy, const KIND: u8>(
    View { shape, strides, offset }: View<'_>,
    view: *mut T,
    mut dense: *mut T,
) {
    // Contiguous axes are one run, which the compiler moves better than single elements. Each loop
    // has a line, there are no arrays, and no closure changes anything, because the compiler may
    // not see that values in memory are constants.
    let (mut run, mut on) = (1, true);
    macro_rules! axis {
        ($k:literal) => {{
            let inside = $k + shape.len() >= LOOPS;
            let at = if inside { $k + shape.len() - LOOPS } else { 0 };
            let (n, step) = if inside { (shape[at], strides[at]) } else { (1, 0) };
            on &= step == run as isize;
            run *= if on { n } else { 1 };
            if on { (1, 0) } else { (n, step) }
        }};
    }
    let (last, fifth, fourth) = (axis!(5), axis!(4), axis!(3));
    let (third, second, first) = (axis!(2), axis!(1), axis!(0));
    let go = |from: *mut T, step: isize, i: usize| from.wrapping_offset(step * i as isize);
    macro_rules! nest {
        ($at:ident: $body:expr) => { $body };
        ($at:ident $axis:ident $($rest:ident)*: $body:expr) => {
            for i in 0..$axis.0 {
                let $at = go($at, $axis.1, i);
                nest!($at $($rest)*: $body);
            }
        };
    }
    let at = view.wrapping_add(offset);
    // SAFETY: the caller's positions: each axis is counted from 0 to n - 1, and the innermost ones,
    // which are the run, lie one behind the other.
    nest!(at first second third fourth fifth last: unsafe {
        match KIND {
            GATHER => copy_nonoverlapping(at, dense, run),
            SCATTER => copy_nonoverlapping(dense, at, run),
            _ => (0..run).for_each(|i| at.add(i).write(*dense)),
        }
        dense = dense.add(if KIND == FILL { 0 } else { run });
    });
}
