//! Which element types are plain data, so that the kernels may move them as bits; everything else is cloned.
//!
//! `T: Clone` does not say whether cloning is copying bits, and neither does the absence of a destructor: a type without
//! one may still count its clones. So only types known by name take the fast path.

use crate::copy::Job;
use crate::error::{Buffer, SliceError};
use crate::kernel;
use crate::plan::Plan;
use ::ndarray::{ArrayView, Dimension};
use alloc::vec::Vec;
use core::any::TypeId;
use core::marker::PhantomData;
use core::mem::{size_of, transmute};
use num_complex::Complex;

/// The type's identity, with every lifetime in it taken for `'static`.
fn identity<T>() -> TypeId {
    trait Named {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }
    impl<T> Named for PhantomData<T> {
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let named: &dyn Named = &PhantomData::<T>;
    // SAFETY: only the bound on lifetimes changes, which no code can see at run time: the method called on the result
    // reads no data, and lifetimes are erased before identities are made.
    let named = unsafe { transmute::<&(dyn Named + '_), &(dyn Named + 'static)>(named) };
    named.id()
}

/// Whether `T` is a number, `bool` or `char`, a complex number, or an array of up to four of those (a pixel): types that
/// are `Copy`, whose `Clone` copies their bits.
pub(super) fn is_plain<T>() -> bool {
    macro_rules! any {
        ($id:expr; $($t:ty)*) => { false $( || $id == TypeId::of::<$t>()
            || $id == TypeId::of::<[$t; 1]>() || $id == TypeId::of::<[$t; 2]>()
            || $id == TypeId::of::<[$t; 3]>() || $id == TypeId::of::<[$t; 4]>() )* };
    }
    // None of the types listed has a lifetime, so having the identity of one is being that one.
    let id = identity::<T>();
    any!(id; u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char Complex<f32> Complex<f64>)
}

/// The elements of the view in C order, where `T` is plain data and `src` the whole memory of the array that `plan` was
/// made for; `None` if `T` is not.
pub(super) fn copy<T>(plan: &Plan, src: &[T]) -> Result<Option<Vec<T>>, SliceError> {
    if !is_plain::<T>() {
        return Ok(None);
    }
    let job: Job<'_> = plan.job();
    job.check_array(Buffer::Source, src.len())?;
    let mut out: Vec<T> = Vec::new();
    kernel::memory::reserve(&mut out, plan.len())?;
    // SAFETY: check_array found every position of the view inside `src`, and the view to have `len` positions; `out` has
    // room for as many and is not `src`. T is one of the types above, so its bits may be copied.
    unsafe {
        kernel::gather(job.view, size_of::<T>(), src.as_ptr().cast(), src.len(), out.as_mut_ptr().cast());
    }
    // SAFETY: the capacity is at least `len`, and gather has written all of it.
    unsafe { out.set_len(plan.len()) };
    Ok(Some(out))
}

/// Assigns `values`, in C order and of the shape of the view, where `T` is plain data and `dst` the whole memory of the
/// array that `plan` was made for; `false` if `T` is not.
pub(super) fn assign<T>(plan: &Plan, dst: &mut [T], values: &[T]) -> Result<bool, SliceError> {
    if !is_plain::<T>() {
        return Ok(false);
    }
    let job: Job<'_> = plan.job();
    job.check_array(Buffer::Target, dst.len())?;
    job.check_result(Buffer::Values, values.len())?;
    // SAFETY: check_array found every position of the view inside `dst`, and the view to have `len` positions, as many
    // as `values` has elements; `dst`, being `&mut`, cannot overlap it. T is one of the types above, which need no
    // dropping and whose bits may be copied.
    unsafe {
        kernel::scatter(job.view, size_of::<T>(), values.as_ptr().cast(), dst.as_mut_ptr().cast(), dst.len());
    }
    Ok(true)
}

/// Assigns `values` broadcast to the shape of the view by `strides` (one an axis of the view, those of `values` or 0), where
/// `T` is plain data and `dst` the whole memory of the array that `plan` was made for; `false` if `T` is not.
pub(super) fn transfer<T, E: Dimension>(
    plan: &Plan,
    dst: &mut [T],
    values: &ArrayView<'_, T, E>,
    strides: &[isize],
) -> Result<bool, SliceError> {
    if !is_plain::<T>() {
        return Ok(false);
    }
    let job: Job<'_> = plan.job();
    job.check_array(Buffer::Target, dst.len())?;
    if job.is_idle(size_of::<T>()) {
        return Ok(true);
    }
    let first = dst.as_mut_ptr().wrapping_add(plan.offset());
    // SAFETY: check_array found every position of the view inside `dst`. Every position of `values` is readable, and the
    // strides, its own or 0, stay on its axes, whose lengths `broadcast_from` found equal to the view's or 1; `dst`, being
    // `&mut`, cannot overlap them. T is one of the types above, which need no dropping and whose bits may be copied.
    unsafe {
        kernel::transfer(size_of::<T>(), plan.shape(), values.as_ptr().cast(), strides, first.cast(), plan.strides());
    }
    Ok(true)
}

/// Fills the view, where `T` is plain data and `dst` the whole memory of the array that `plan` was made for; `false` if
/// `T` is not.
pub(super) fn fill<T>(plan: &Plan, dst: &mut [T], value: &T) -> Result<bool, SliceError> {
    if !is_plain::<T>() {
        return Ok(false);
    }
    let job: Job<'_> = plan.job();
    job.check_array(Buffer::Target, dst.len())?;
    // SAFETY: check_array found every position of the view inside `dst`; `value`, borrowed beside `&mut dst`, lies
    // outside it. T is one of the types above, which need no dropping and whose bits may be copied.
    unsafe {
        kernel::fill(job.view, size_of::<T>(), core::ptr::from_ref(value).cast(), dst.as_mut_ptr().cast(), dst.len());
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn only_types_known_by_name_are_plain() {
        #[derive(Clone, Copy)]
        struct Mine(#[expect(dead_code, reason = "only its type matters")] u8);
        struct NoDestructor;
        assert!(is_plain::<u8>() && is_plain::<f64>() && is_plain::<[u16; 3]>() && is_plain::<Complex<f32>>());
        assert!(!is_plain::<Mine>() && !is_plain::<NoDestructor>() && !is_plain::<String>() && !is_plain::<()>());
        assert!(!is_plain::<[u8; 5]>() && !is_plain::<Option<u8>>());
    }

    #[test]
    fn borrowed_types_are_not_plain() {
        fn of<'a>(_: &'a str) -> (bool, bool) {
            (is_plain::<&'a str>(), is_plain::<core::cell::Cell<&'a u8>>())
        }
        assert_eq!(of(&String::from("x")), (false, false));
    }
}
