//! Which element types are plain data, so that the kernels may move them as bits; everything else
//! is cloned.
//!
//! `T: Clone` does not say whether cloning is copying bits, and neither does the absence of a
//! destructor: a type without one may still count its clones. So only types known by name take the
//! fast path.

use crate::copy::Job;
use crate::error::{Buffer, SliceError};
use crate::kernel::{self, How, View};
use crate::plan::Plan;
use ::ndarray::{ArrayRef, Dimension};
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
    // SAFETY: only the bound on lifetimes changes, which no code can see at run time: the method
    // called on the result reads no data, and lifetimes are erased before identities are made.
    let named = unsafe { transmute::<&(dyn Named + '_), &(dyn Named + 'static)>(named) };
    named.id()
}

/// Whether `T` is a number, `bool` or `char`, a complex number, or an array of up to four of those
/// (a pixel): types that are `Copy`, whose `Clone` copies their bits.
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

/// The elements of the view in C order, where `T` is plain data and `src` the whole memory of the
/// array that `plan` was made for; `None` if `T` is not.
pub(super) fn copy<T>(plan: &Plan, src: &[T]) -> Result<Option<Vec<T>>, SliceError> {
    if !is_plain::<T>() {
        return Ok(None);
    }
    let job: Job<'_> = plan.job();
    job.check_array(Buffer::Source, src.len())?;
    let mut out: Vec<T> = Vec::new();
    kernel::memory::reserve(&mut out, plan.len())?;
    // SAFETY: check_array found every position of the view inside `src`, and the view to have `len`
    // positions; `out` has room for as many and is not `src`. T is one of the types above, so
    // its bits may be copied.
    unsafe {
        kernel::gather(
            job.view,
            size_of::<T>(),
            src.as_ptr().cast(),
            src.len(),
            out.as_mut_ptr().cast(),
            How::chosen(),
        );
    }
    // SAFETY: the capacity is at least `len`, and gather has written all of it.
    unsafe { out.set_len(plan.len()) };
    Ok(Some(out))
}

/// [`copy`] from an array with gaps in its memory, in which somebody else may be writing: the last
/// axes of it that have none are given to the kernel a block at a time. `None` if `T` is not plain
/// data, or the blocks are too small.
pub(super) fn copy_blocks<T, D: Dimension>(
    plan: &Plan,
    array: &ArrayRef<T, D>,
) -> Result<Option<Vec<T>>, SliceError> {
    /// Blocks that give fewer elements than this are not worth a call each.
    const SMALL: usize = 32;
    if !is_plain::<T>() {
        return Ok(None);
    }
    if plan.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let (mut first_inner, mut running) = (array.ndim(), 1isize);
    for (axis, (&n, &s)) in array.shape().iter().zip(array.strides()).enumerate().rev() {
        if n != 1 && s != running {
            break;
        }
        (first_inner, running) = (axis, running.wrapping_mul(n as isize));
    }
    let lines = plan.lines(array.shape(), array.strides())?;
    let split = plan.source_axes().position(|from| from.is_some_and(|axis| axis >= first_inner));
    let (outer, inner) = lines.shape.split_at(split.unwrap_or(lines.shape.len()));
    let (outer_strides, inner_strides) = lines.strides.split_at(outer.len());
    let size = size_of::<T>();
    // The elements of the view lie inside the array, so no sum or product here overflows.
    let first = array.as_ptr().wrapping_offset(lines.offset);
    let count: usize = inner.iter().product();
    if count < SMALL {
        return Ok(None);
    }
    let mut out: Vec<T> = Vec::new();
    kernel::memory::reserve(&mut out, plan.len())?;
    let reach = |sign: isize| -> usize {
        let axes = inner.iter().zip(inner_strides).filter(|(_, s)| s.signum() == sign);
        axes.map(|(&n, s)| n.wrapping_sub(1).wrapping_mul(s.unsigned_abs())).sum()
    };
    let (below, above) = (reach(-1), reach(1));
    let (view, mut to) =
        (View { shape: inner, strides: inner_strides, offset: below }, out.as_mut_ptr());
    each(outer, outer_strides, 0, &mut |at| {
        let low = first.wrapping_offset(at).wrapping_sub(below);
        // SAFETY: the positions of the inner axes are elements of the array that lie in one block
        // without gaps, so all between the lowest and the highest of them are elements of
        // the array too; `view` has `below` of them in front of its first element and
        // `above` behind it. `out` has room for `count` elements each time, and is not
        // the array. T is one of the types above, so its bits may be copied.
        unsafe {
            kernel::gather(
                view,
                size,
                low.cast(),
                below.wrapping_add(above).wrapping_add(1),
                to.cast(),
                How::chosen(),
            );
        }
        to = to.wrapping_add(count);
    });
    // SAFETY: the capacity is at least `len`, which is the product of the plan's lengths
    // (`Walk::finish`, which every plan has passed), and all of it was written: a call of
    // gather for each position of the outer axes.
    unsafe { out.set_len(plan.len()) };
    Ok(Some(out))
}

/// Calls `f` with the offset of every position, in C order.
fn each(shape: &[usize], strides: &[isize], at: isize, f: &mut impl FnMut(isize)) {
    match (shape.split_first(), strides.split_first()) {
        (Some((&n, shape)), Some((&s, strides))) => {
            for i in 0..n as isize {
                each(shape, strides, at.wrapping_add(i.wrapping_mul(s)), f);
            }
        }
        _ => f(at),
    }
}

/// The elements as bytes, if `T` is plain data.
fn bytes<T>(values: &[T]) -> Option<&[u8]> {
    // SAFETY: the types above have no padding, so all bytes of the slice are initialised.
    is_plain::<T>().then(|| unsafe {
        core::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values))
    })
}

/// The elements as bytes, if `T` is plain data; only bytes of such elements may be written.
fn bytes_mut<T>(values: &mut [T]) -> Option<&mut [u8]> {
    let len = size_of_val(values);
    // SAFETY: the types above have no padding, so all bytes of the slice are initialised; the
    // functions below, which alone call this, write whole elements of T to places of whole
    // elements.
    is_plain::<T>()
        .then(|| unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), len) })
}

/// Assigns `values`, in C order and of the given shape, where `T` is plain data and `dst` the whole
/// memory of the array that `plan` was made for; `false` if `T` is not.
pub(super) fn assign<T>(
    plan: &Plan,
    dst: &mut [T],
    values: &[T],
    shape: &[usize],
) -> Result<bool, SliceError> {
    let (Some(dst), Some(values)) = (bytes_mut(dst), bytes(values)) else { return Ok(false) };
    if shape == plan.shape() {
        plan.assign_bytes(size_of::<T>(), dst, values)?;
    } else {
        plan.assign_broadcast_bytes(size_of::<T>(), dst, values, shape)?;
    }
    Ok(true)
}

/// Fills the view, where `T` is plain data and `dst` the whole memory of the array that `plan` was
/// made for; `false` if `T` is not.
pub(super) fn fill<T>(plan: &Plan, dst: &mut [T], value: &T) -> Result<bool, SliceError> {
    let (Some(dst), Some(value)) = (bytes_mut(dst), bytes(core::slice::from_ref(value))) else {
        return Ok(false);
    };
    plan.fill_bytes(dst, value)?;
    Ok(true)
}

/// Assigns one view to another of the same array, where `T` is plain data and `data` the whole
/// memory of the array that both were planned for; `false` if `T` is not.
pub(super) fn move_within<T>(from: &Plan, to: &Plan, data: &mut [T]) -> Result<bool, SliceError> {
    /// Elements of `N` bytes.
    fn of_size<const N: usize>(
        from: &Plan,
        to: &Plan,
        data: &mut [u8],
    ) -> Result<bool, SliceError> {
        let (data, rest) = data.as_chunks_mut::<N>();
        if rest.is_empty() { from.move_within(to, data).map(|()| true) } else { Ok(false) }
    }
    let Some(data) = bytes_mut(data) else { return Ok(false) };
    // The sizes of the types above.
    match size_of::<T>() {
        1 => of_size::<1>(from, to, data),
        2 => of_size::<2>(from, to, data),
        3 => of_size::<3>(from, to, data),
        4 => of_size::<4>(from, to, data),
        6 => of_size::<6>(from, to, data),
        8 => of_size::<8>(from, to, data),
        12 => of_size::<12>(from, to, data),
        16 => of_size::<16>(from, to, data),
        24 => of_size::<24>(from, to, data),
        32 => of_size::<32>(from, to, data),
        48 => of_size::<48>(from, to, data),
        64 => of_size::<64>(from, to, data),
        _ => Ok(false),
    }
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
        assert!(
            is_plain::<u8>()
                && is_plain::<f64>()
                && is_plain::<[u16; 3]>()
                && is_plain::<Complex<f32>>()
        );
        assert!(
            !is_plain::<Mine>()
                && !is_plain::<NoDestructor>()
                && !is_plain::<String>()
                && !is_plain::<()>()
        );
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
