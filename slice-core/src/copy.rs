//! Copying a slice: the safe entry points. Each checks the plan against its buffers, then calls a
//! kernel.

use crate::error::{Buffer, SliceError};
use crate::kernel::{self, How, View};
use crate::plan::{FixedPlan, Plan};
use alloc::vec::Vec;
use core::mem::{MaybeUninit, size_of};

/// A plan as the entry points see it. All lengths in it are checked again here.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) view: View<'a>,
    pub(crate) len: usize,
    pub(crate) input_len: usize,
    pub(crate) strided: bool,
}

impl Plan {
    #[inline]
    pub(crate) fn job(&self) -> Job<'_> {
        let view = View { shape: self.shape(), strides: self.strides(), offset: self.offset() };
        Job { view, len: self.len(), input_len: self.input_len(), strided: self.is_strided() }
    }
}

impl Plan {
    /// The view, for the tiny kernels to try, if the array has `found` elements, as it should.
    ///
    /// `RANK` is the rank of the result, or [`NO_RANK`], in which case only the general path tries
    /// it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn tiny_view<const RANK: usize>(&self, found: usize) -> Option<View<'_>> {
        let axes = self.places().ok()?;
        let (shape, strides) = (axes.shape.get(..RANK)?, axes.strides.get(..RANK)?);
        (found == self.input_len()).then_some(View { shape, strides, offset: self.offset() })
    }

    /// The slice as a new vector, if it is tiny and `src` has the right length.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn copied_tiny<const RANK: usize, T: Copy>(&self, src: &[T]) -> Option<Vec<T>> {
        if RANK == NO_RANK {
            return None;
        }
        kernel::small::to_vec(self.tiny_view::<RANK>(src.len())?, self.len(), src)
    }

    /// Copies at once if the slice is tiny and the buffers have the right lengths. Returns whether
    /// it did.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn copy_tiny<const RANK: usize, T: Copy>(&self, src: &[T], dst: &mut [MaybeUninit<T>]) -> bool {
        // Not a closure: some are not inlined, and the plan would have to be in memory for them.
        match self.tiny_view::<RANK>(src.len()) {
            Some(view) => tiny(view, src, dst),
            None => false,
        }
    }

    /// Calls `f` with the plan as a job. The axes are copied one by one: if the plan were lent to a
    /// function that is not inlined, or copied as a whole, it would have to be in memory from the
    /// start, even if a tiny copy comes first and needs no memory.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn with_job<R>(&self, f: impl FnOnce(&Job<'_>) -> R) -> R {
        let (shape, strides);
        let (shape, strides) = match self.places() {
            Ok(axes) => {
                let ([a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p]) =
                    (axes.shape, axes.strides);
                (shape, strides) = ([a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p]);
                (&shape[..], &strides[..])
            }
            Err(heap) => (&heap.shape[..], &heap.strides[..]),
        };
        let rank = self.rank();
        let (shape, strides) =
            (shape.get(..rank).unwrap_or(&[]), strides.get(..rank).unwrap_or(&[]));
        let view = View { shape, strides, offset: self.offset() };
        f(&Job { view, len: self.len(), input_len: self.input_len(), strided: self.is_strided() })
    }
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    /// The view, for the tiny kernels to try, if the array has `found` elements, as it should.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn tiny_view<const RANK: usize>(&self, found: usize) -> Option<View<'_>> {
        let view = View { shape: self.shape(), strides: self.strides(), offset: self.offset() };
        (found == self.input_len()).then_some(view)
    }

    /// The slice as a new vector, if it is short and `src` has the right length.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn copied_tiny<const RANK: usize, T: Copy>(&self, src: &[T]) -> Option<Vec<T>> {
        let mut out = kernel::small::room(self.len())?;
        let dst = out.spare_capacity_mut().get_mut(..self.len())?;
        if !self.copy_tiny::<RANK, T>(src, dst) {
            return None;
        }
        // SAFETY: the capacity is at least `len` (the range above was inside it), and all of it is
        // written.
        unsafe { out.set_len(self.len()) };
        Some(out)
    }

    /// Copies at once if the slice is short and of the right lengths. Returns whether it did.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn copy_tiny<const RANK: usize, T: Copy>(&self, src: &[T], dst: &mut [MaybeUninit<T>]) -> bool {
        src.len() == self.input_len()
            && kernel::fixed::copy(self.shape(), self.strides(), self.offset(), src, dst)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn with_job<R>(&self, f: impl FnOnce(&Job<'_>) -> R) -> R {
        f(&self.job())
    }

    #[inline(always)]
    pub(crate) fn job(&self) -> Job<'_> {
        let view = View { shape: self.shape(), strides: self.strides(), offset: self.offset() };
        Job { view, len: self.len(), input_len: self.input_len(), strided: false }
    }
}

impl Job<'_> {
    /// Checks that a buffer of `found` elements is the array the plan was made for, and that every
    /// position of the view lies in it. The kernels' callers rely on this. It depends only on the
    /// view and the length.
    #[inline]
    pub(crate) fn check_array(&self, buffer: Buffer, found: usize) -> Result<(), SliceError> {
        let fits = if self.strided { found >= self.input_len } else { found == self.input_len };
        if fits && self.view.fits(found) == Some(self.len) {
            return Ok(());
        }
        Err(SliceError::BufferLength { buffer, expected: self.input_len, found })
    }

    /// Checks that a buffer of `found` elements holds just the result.
    #[inline]
    pub(crate) fn check_result(&self, buffer: Buffer, found: usize) -> Result<(), SliceError> {
        if found == self.len {
            return Ok(());
        }
        Err(SliceError::BufferLength { buffer, expected: self.len, found })
    }

    /// Whether there is nothing to move: no elements, or elements of `size` 0. If one length is 0,
    /// the others can be anything, and there can be `usize::MAX` elements without size.
    #[inline]
    pub(crate) fn is_idle(&self, size: usize) -> bool {
        self.len == 0 || size == 0
    }

    #[inline(never)]
    pub(crate) fn copy_into<T: Copy>(
        &self,
        src: &[T],
        dst: &mut [MaybeUninit<T>],
        how: How,
    ) -> Result<(), SliceError> {
        if src.len() == self.input_len && tiny(self.view, src, dst) {
            return Ok(());
        }
        self.check_array(Buffer::Source, src.len())?;
        self.check_result(Buffer::Destination, dst.len())?;
        // SAFETY: it was just checked.
        unsafe { self.copy_checked(src, dst, how) }
        Ok(())
    }

    #[inline(never)]
    fn copy<T: Copy>(&self, src: &[T]) -> Result<Vec<T>, SliceError> {
        // Only ranks that are known at compile time were tried before.
        if src.len() == self.input_len
            && let Some(few) = kernel::small::to_vec(self.view, self.len, src)
        {
            return Ok(few);
        }
        self.copied(src, How::chosen())
    }

    /// The slice as a new vector, by the kernels for more than a few elements.
    pub(crate) fn copied<T: Copy>(&self, src: &[T], how: How) -> Result<Vec<T>, SliceError> {
        self.check_array(Buffer::Source, src.len())?;
        let mut out = Vec::new();
        let write = |dst: &mut [MaybeUninit<T>]| {
            // SAFETY: the array was just checked, and the room has the length of the result.
            unsafe { self.copy_checked(src, dst, how) }
            Ok(())
        };
        // SAFETY: all of the room is written.
        unsafe { refill(&mut out, self.len, write)? };
        Ok(out)
    }

    pub(crate) fn copy_into_vec<T: Copy>(
        &self,
        src: &[T],
        out: &mut Vec<T>,
        how: How,
    ) -> Result<(), SliceError> {
        self.check_array(Buffer::Source, src.len())?;
        let write = |dst: &mut [MaybeUninit<T>]| {
            if !tiny(self.view, src, dst) {
                // SAFETY: the array was just checked, and the room has the length of the result.
                unsafe { self.copy_checked(src, dst, how) }
            }
            Ok(())
        };
        // SAFETY: all of the room is written.
        unsafe { refill(out, self.len, write) }
    }

    /// Copies from `src` to all of `dst`.
    ///
    /// # Safety
    ///
    /// [`check_array`](Self::check_array) has accepted `src`, and
    /// [`check_result`](Self::check_result) accepts `dst`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn copy_checked<T: Copy>(&self, src: &[T], dst: &mut [MaybeUninit<T>], how: How) {
        let from = (src.as_ptr().cast(), src.len());
        let to = (dst.as_mut_ptr().cast(), dst.len());
        // SAFETY: check_array found every position of the view inside `src`, and the view to have
        // `len` positions; `dst` has exactly as many elements, and being `&mut` it cannot
        // overlap `src`. Elements are `Copy`, so moving their bytes is moving them.
        unsafe { kernel::gather(self.view, size_of::<T>(), from, to, how) };
    }
}

/// Copies at once if the view is tiny and fits both buffers. Returns whether it did.
#[cfg_attr(not(debug_assertions), inline(always))]
fn tiny<T: Copy>(view: View<'_>, src: &[T], dst: &mut [MaybeUninit<T>]) -> bool {
    let (from, to) = ((src.as_ptr().cast(), src.len()), (dst.as_mut_ptr().cast(), dst.len()));
    // SAFETY: both slices are what their lengths say, and `dst`, being `&mut`, does not overlap
    // `src`. Elements are `Copy`, so moving their bytes is moving them; if it is done, all of
    // `dst` is written.
    unsafe { kernel::small::copy(view, size_of::<T>(), from, to) }
}

/// Replaces the contents of a vector by `len` elements that `write` makes.
///
/// # Safety
///
/// If `write` returns `Ok`, it has written all of its slice.
pub(crate) unsafe fn refill<T: Copy>(
    out: &mut Vec<T>,
    len: usize,
    write: impl FnOnce(&mut [MaybeUninit<T>]) -> Result<(), SliceError>,
) -> Result<(), SliceError> {
    out.clear();
    kernel::memory::reserve(out, len)?;
    let Some(room) = out.spare_capacity_mut().get_mut(..len) else {
        return Err(SliceError::OutOfMemory { bytes: len.saturating_mul(size_of::<T>()) });
    };
    write(room)?;
    // SAFETY: the capacity is at least `len` (the range above was inside it), and the caller
    // promises that all of it is written.
    unsafe { out.set_len(len) };
    Ok(())
}

/// A slice of elements as a slice of elements that need not be initialised.
///
/// # Safety
///
/// Only initialised elements are written through it.
#[inline]
pub(crate) unsafe fn as_uninit<T: Copy>(dst: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: MaybeUninit<T> has T's layout, and by the caller's promise `dst` holds initialised
    // elements afterwards; T is Copy, so nothing needed to be dropped.
    unsafe { &mut *(core::ptr::from_mut(dst) as *mut [MaybeUninit<T>]) }
}

/// Stands for a rank that is not known at compile time. No plan has it.
pub(crate) const NO_RANK: usize = usize::MAX;

/// `$body` once for each rank that may be known at compile time, and once for an unknown rank.
///
/// Planner and copy are one piece of code after inlining. Each exit of the planner continues in its
/// own copy of `$body`, even with errors, so the parts of the plan do not have to be brought to one
/// place in memory, which took a third of a tiny copy's time.
macro_rules! one_way_for_each_rank {
    ($self:ident, $rank:ident => $body:expr) => {
        match $self.unrolled() {
            Some(1) => {
                const $rank: usize = 1;
                $body
            }
            Some(2) => {
                const $rank: usize = 2;
                $body
            }
            Some(3) => {
                const $rank: usize = 3;
                $body
            }
            _ => {
                const $rank: usize = NO_RANK;
                $body
            }
        }
    };
}
pub(crate) use one_way_for_each_rank;

/// `$body` once, for plans that are constants.
macro_rules! one_way {
    ($self:ident, $rank:ident => $body:expr) => {{
        const $rank: usize = NO_RANK;
        $body
    }};
}

pub(crate) use one_way;

/// The methods that `Plan` and `FixedPlan` share.
macro_rules! copies {
    ($ways:ident) => {
        /// Copies the elements of the slice to a new vector, in C order.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if `src` is not the array the plan was made for;
        /// [`SliceError::OutOfMemory`].
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let plan = s![:, ::-1].plan(&[2, 3])?;
        /// assert_eq!(plan.copy(&[0, 1, 2, 3, 4, 5])?, [2, 1, 0, 5, 4, 3]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[doc(alias = "gather")]
        #[cfg_attr(not(debug_assertions), inline(always))]
        pub fn copy<T: Copy>(&self, src: &[T]) -> Result<Vec<T>, SliceError> {
            $ways!(self, RANK => {
                if let Some(out) = self.copied_tiny::<RANK, T>(src) {
                    return Ok(out);
                }
                self.with_job(|job| job.copy(src))
            })
        }

        /// [`copy`](Self::copy) into a buffer of [`len()`](Self::len) elements.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if either buffer's length does not fit the plan.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let mut out = [0; 2];
        /// s![::-2].plan(&[4])?.copy_into(&[1, 2, 3, 4], &mut out)?;
        /// assert_eq!(out, [4, 2]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[cfg_attr(not(debug_assertions), inline(always))]
        pub fn copy_into<T: Copy>(&self, src: &[T], dst: &mut [T]) -> Result<(), SliceError> {
            // SAFETY: only elements of `src` are written.
            self.copy_into_uninit(src, unsafe { as_uninit(dst) })
        }

        /// [`copy_into`](Self::copy_into) for memory that is not initialised yet. On `Ok`, all of
        /// it is initialised.
        ///
        /// # Errors
        ///
        /// [`SliceError::BufferLength`] if either buffer's length does not fit the plan.
        ///
        /// # Examples
        ///
        /// ```
        /// let mut out = Vec::with_capacity(2);
        /// let plan = pyslice::s![::-2].plan(&[4])?;
        /// plan.copy_into_uninit(&[1, 2, 3, 4], out.spare_capacity_mut())?;
        /// // SAFETY: on `Ok`, both elements are initialised.
        /// unsafe { out.set_len(2) };
        /// assert_eq!(out, [4, 2]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        #[cfg_attr(not(debug_assertions), inline(always))]
        pub fn copy_into_uninit<T: Copy>(
            &self,
            src: &[T],
            dst: &mut [MaybeUninit<T>],
        ) -> Result<(), SliceError> {
            $ways!(self, RANK => {
                if self.copy_tiny::<RANK, T>(src, dst) {
                    return Ok(());
                }
                self.with_job(|job| job.copy_into(src, dst, How::chosen()))
            })
        }

        /// [`copy`](Self::copy) into a vector, whose contents are replaced and whose capacity is
        /// reused.
        ///
        /// # Errors
        ///
        /// Those of [`copy`](Self::copy); the vector may then be empty.
        ///
        /// # Examples
        ///
        /// ```
        /// use pyslice::s;
        ///
        /// let mut out = vec![9; 7];
        /// s![1:].plan(&[3])?.copy_into_vec(&[1, 2, 3], &mut out)?;
        /// assert_eq!(out, [2, 3]);
        /// # Ok::<(), pyslice::SliceError>(())
        /// ```
        pub fn copy_into_vec<T: Copy>(
            &self,
            src: &[T],
            out: &mut Vec<T>,
        ) -> Result<(), SliceError> {
            self.job().copy_into_vec(src, out, How::chosen())
        }
    };
}

impl Plan {
    copies!(one_way_for_each_rank);
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    copies!(one_way);
}

#[cfg(test)]
mod tests {
    use super::{Buffer, Job, View};

    /// This check is the last one before the kernels, so it does not trust a plan.
    #[test]
    fn a_view_that_leaves_its_buffer_is_refused() {
        let refused = |shape: &[usize], strides: &[isize], offset, len| {
            let view = View { shape, strides, offset };
            let job = Job { view, len, input_len: 4, strided: false };
            assert!(job.check_array(Buffer::Source, 4).is_err());
        };
        refused(&[4], &[1], 1, 4);
        refused(&[2], &[-1], 0, 2);
        refused(&[4], &[1], 0, 5);
        refused(&[usize::MAX, 2], &[0, 0], 0, usize::MAX - 1);
    }
}
