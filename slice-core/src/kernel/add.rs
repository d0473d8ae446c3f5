//! Adds values to a view. Elements have a type here, and the loops are plain Rust.

use super::View;
use super::loops::{Loop, Nest, each};
use core::ops::AddAssign;

/// Adds contiguous values to the view's positions, in order.
///
/// # Safety
///
/// Every position of `view` lies in the array at `dst`; `values` has as many elements as the view,
/// and does not overlap.
pub(crate) unsafe fn add<T: Copy + AddAssign>(view: View<'_>, values: *const T, dst: *mut T) {
    let mut nest = Nest::new();
    if nest.merge(view.shape, None, Some(view.strides), size_of::<T>()) {
        // SAFETY: the caller's promise.
        unsafe { rows(nest.loops(), nest.run, values, dst.wrapping_add(view.offset)) }
    }
}

/// [`add`], shared out among the threads of rayon's current pool if there is much to add.
///
/// # Safety
///
/// As for [`add`].
#[cfg(feature = "rayon")]
pub(crate) unsafe fn par_add<T: Copy + AddAssign + Send + Sync>(
    view: View<'_>,
    values: *const T,
    dst: *mut T,
) {
    use super::select::Piece;
    use super::{isa, parallel, tuning};
    let size = size_of::<T>();
    let mut nest = Nest::new();
    // A run may be cut at any multiple of EVEN bytes, which must not be inside an element.
    let whole = parallel::EVEN.checked_rem(size) == Some(0);
    if whole
        && nest.merge(view.shape, None, Some(view.strides), size)
        && nest.total >= tuning::PARALLEL
        && nest.sort()
    {
        let dst = dst.wrapping_add(view.offset).cast();
        let piece = Piece::new(&nest, values.cast(), dst, isa::current());
        // SAFETY: a part of the caller's positions.
        let work = |part: &Piece<'_>| unsafe {
            rows::<T>(part.loops, part.run, part.src.cast(), part.dst.cast())
        };
        // SAFETY: values of `T` may be sent to other threads and be looked at by them.
        return unsafe { parallel::run_parts(&piece, &work) };
    }
    // SAFETY: the caller's promise.
    unsafe { add(view, values, dst) }
}

/// Adds the runs of all positions.
///
/// # Safety
///
/// Every run, of `run` bytes, can be read at `src` and read and written at `dst`, and the two sides
/// do not overlap.
unsafe fn rows<T: Copy + AddAssign>(loops: &[Loop], run: usize, src: *const T, dst: *mut T) {
    let (&walk, outer) = loops.split_first().unwrap_or((&Loop::ONE, loops));
    let len = run / size_of::<T>();
    each(outer, &mut |from, to| {
        let (mut src, mut dst) = (src.wrapping_byte_offset(from), dst.wrapping_byte_offset(to));
        for _ in 0..walk.n {
            // SAFETY: one of the caller's runs; steps are whole elements.
            unsafe {
                if len == 1 {
                    *dst += *src;
                } else {
                    let values = core::slice::from_raw_parts(src, len);
                    let places = core::slice::from_raw_parts_mut(dst, len);
                    places.iter_mut().zip(values).for_each(|(place, &value)| *place += value);
                }
            }
            (src, dst) = (src.wrapping_byte_offset(walk.src), dst.wrapping_byte_offset(walk.dst));
        }
    });
}
