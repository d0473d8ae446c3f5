//! Reads the elements of a view and nothing between them, which others may be writing.

use crate::error::SliceError;
use crate::kernel::memory::reserve;
use crate::kernel::small::room;
use crate::loops::{Loop, each_row, loops};
use alloc::vec::Vec;

/// The elements of a view, cloned in C order. The first is at `first`.
///
/// # Errors
///
/// [`SliceError::OutOfMemory`].
///
/// # Safety
///
/// By the strides, there is an element that may be read for every position of the shape.
pub unsafe fn cloned<A: Clone>(
    first: *const A,
    shape: &[usize],
    strides: &[isize],
) -> Result<Vec<A>, SliceError> {
    let len = shape.iter().product();
    let mut out = room(len).unwrap_or_default();
    if len == 0 {
        return Ok(out);
    }
    reserve(&mut out, len)?;
    let one = |n, s| Loop { n, src: s, dst: s };
    let merged;
    let loops = match (shape, strides) {
        (&[n], &[s]) => &[one(n, s)][..],
        // For a few elements, looking for loops to merge does not pay.
        (&[m, n], &[r, s]) if len < 32 => &[one(m, r), one(n, s)],
        _ => {
            merged = loops(shape.iter().zip(strides).map(|(&n, &s)| one(n, s)));
            &merged
        }
    };
    let (inner, rest) = loops.split_last().unwrap_or((&Loop::ONE, &[]));
    let (rows, outer) = rest.split_last().unwrap_or((&Loop::ONE, &[]));
    each_row(outer, 0, 0, &mut |at, _| {
        // SAFETY: the two innermost loops begin at a position of the view, and walk positions of
        // it, which may be read (the caller). Each call writes `rows.n * inner.n` of the elements
        // that there is room for: the calls are as many as the outer loops go round, and the
        // product of all loops is `len`.
        unsafe {
            let from = first.offset(at);
            match inner.n {
                // Pixels: a loop that is unrolled costs a third of one that is not.
                2 => block::<A, 2>(&mut out, from, *rows, *inner),
                3 => block::<A, 3>(&mut out, from, *rows, *inner),
                4 => block::<A, 4>(&mut out, from, *rows, *inner),
                _ => block::<A, 0>(&mut out, from, *rows, *inner),
            }
        }
    });
    Ok(out)
}

/// Appends `rows` of `N` elements each, or of `inner.n` where `N` is 0.
///
/// # Safety
///
/// From `from` on, all positions of both loops are elements that may be read, and `out` has room
/// for them.
#[inline]
unsafe fn block<A: Clone, const N: usize>(
    out: &mut Vec<A>,
    from: *const A,
    rows: Loop,
    inner: Loop,
) {
    let n = if N == 0 { inner.n } else { N };
    let (mut row, mut done) = (from, out.len());
    for _ in 0..rows.n {
        if inner.dst == 1 && n >= 16 {
            // SAFETY: the elements from `row` on lie in one piece and may be read (the caller).
            out.extend_from_slice(unsafe { core::slice::from_raw_parts(row, n) });
        } else {
            // SAFETY: there is room (the caller).
            let (to, mut at) = (unsafe { out.as_mut_ptr().add(done) }, row);
            for i in 0..n {
                // SAFETY: each may be read, and there is room for it (the caller); the position
                // after the last is made, but not read.
                unsafe { to.add(i).write((*at).clone()) };
                at = at.wrapping_offset(inner.dst);
            }
        }
        row = row.wrapping_offset(rows.dst);
        done = done.wrapping_add(n);
        // SAFETY: this many were written. Whatever a panic of `clone` leaves uncounted is not
        // dropped.
        unsafe { out.set_len(done) };
    }
}
