//! Slices of a few elements, tried before anything else: the plan may still be in registers.

use crate::kernel::{self, View};
use crate::plan::{FixedPlan, Plan};
use alloc::vec::Vec;
use core::mem::{MaybeUninit, size_of};

/// Stands for a rank that is not known at compile time. No plan has it.
pub(crate) const NO_RANK: usize = usize::MAX;

/// `$body` once for each rank that may be known at compile time, and once for an unknown rank.
///
/// Planner and copy are one piece of code after inlining. Each exit of the planner continues in its
/// own copy of `$body`, even with errors, so the parts of the plan do not have to be brought to one
/// place in memory, which took a third of a small copy's time.
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
                const $rank: usize = $crate::ops::small_calls::NO_RANK;
                $body
            }
        }
    };
}
pub(crate) use one_way_for_each_rank;

/// `$body` once, for plans that are constants.
macro_rules! one_way {
    ($self:ident, $rank:ident => $body:expr) => {{
        const $rank: usize = $crate::ops::small_calls::NO_RANK;
        $body
    }};
}

pub(crate) use one_way;

impl Plan {
    /// The view, for the small kernels to try, if the array has `found` elements, as it should.
    ///
    /// `RANK` is the rank of the result, or [`NO_RANK`], in which case only the general path tries
    /// it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn small_view<const RANK: usize>(&self, found: usize) -> Option<View<'_>> {
        let axes = self.places().ok()?;
        let (shape, strides) = (axes.shape.get(..RANK)?, axes.strides.get(..RANK)?);
        (found == self.input_len()).then_some(View { shape, strides, offset: self.offset() })
    }

    /// The slice as a new vector, if it is small and `src` has the right length.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn copied_if_small<const RANK: usize, T: Copy>(&self, src: &[T]) -> Option<Vec<T>> {
        if RANK == NO_RANK {
            return None;
        }
        kernel::small::to_vec(self.small_view::<RANK>(src.len())?, self.len(), src)
    }

    /// Copies at once if the slice is small and the buffers have the right lengths. Returns whether
    /// it did.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn copy_if_small<const RANK: usize, T: Copy>(
        &self,
        src: &[T],
        dst: &mut [MaybeUninit<T>],
    ) -> bool {
        // Not a closure: some are not inlined, and the plan would have to be in memory for them.
        match self.small_view::<RANK>(src.len()) {
            Some(view) => copy_small(view, src, dst),
            None => false,
        }
    }
}

impl<const IN: usize, const OUT: usize> FixedPlan<IN, OUT> {
    /// The view, for the small kernels to try, if the array has `found` elements, as it should.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn small_view<const RANK: usize>(&self, found: usize) -> Option<View<'_>> {
        let view = View { shape: self.shape(), strides: self.strides(), offset: self.offset() };
        (found == self.input_len()).then_some(view)
    }

    /// The slice as a new vector, if it is short and `src` has the right length.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn copied_if_small<const RANK: usize, T: Copy>(&self, src: &[T]) -> Option<Vec<T>> {
        let mut out = kernel::small::room(self.len())?;
        let dst = out.spare_capacity_mut().get_mut(..self.len())?;
        if !self.copy_if_small::<RANK, T>(src, dst) {
            return None;
        }
        // SAFETY: the capacity is at least `len` (the range above was inside it), and all of it is
        // written.
        unsafe { out.set_len(self.len()) };
        Some(out)
    }

    /// Copies at once if the slice is short and of the right lengths. Returns whether it did.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn copy_if_small<const RANK: usize, T: Copy>(
        &self,
        src: &[T],
        dst: &mut [MaybeUninit<T>],
    ) -> bool {
        src.len() == self.input_len()
            && kernel::fixed::copy(self.shape(), self.strides(), self.offset(), src, dst)
    }
}

/// Copies at once if the view is small and fits both buffers. Returns whether it did.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn copy_small<T: Copy>(view: View<'_>, src: &[T], dst: &mut [MaybeUninit<T>]) -> bool {
    let (from, to) = ((src.as_ptr().cast(), src.len()), (dst.as_mut_ptr().cast(), dst.len()));
    // SAFETY: both slices are what their lengths say, and `dst`, being `&mut`, does not overlap
    // `src`. Elements are `Copy`, so moving their bytes is moving them; if it is done, all of
    // `dst` is written.
    unsafe { kernel::small::copy(view, size_of::<T>(), from, to) }
}

/// Assigns at once if the view is small and fits both buffers. Returns whether it did.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn assign_small<T: Copy>(view: View<'_>, dst: &mut [T], values: &[T]) -> bool {
    let (from, to) = ((values.as_ptr().cast(), values.len()), (dst.as_mut_ptr().cast(), dst.len()));
    // SAFETY: both slices are what their lengths say, and `dst`, being `&mut`, does not overlap
    // `values`. Elements are `Copy`, so moving their bytes is moving them.
    unsafe { kernel::small::put(view, size_of::<T>(), from, to) }
}
