//! Decides which element types are plain data, and moves these as bits, by the kernels. All others
//! are cloned.
//!
//! `T: Clone` does not say whether cloning is copying bits, and neither does the absence of a
//! destructor: a type without one may still count its clones. So only types known by name take the
//! fast path.

use super::view::Sliced;
use crate::error::SliceError;
use crate::kernel::{self, How, Side, Transfer};
use crate::ops::values::broadcast_from;
use crate::plan::Plan;
use crate::plan::view_plan::Lines;
use ::ndarray::{ArrayRef, Dimension};
use alloc::vec::Vec;
use core::any::TypeId;
use core::marker::PhantomData;
use core::mem::{size_of, transmute};
use num_complex::Complex;

/// The type's identity, with every lifetime in it replaced by `'static`.
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
fn is_plain<T>() -> bool {
    macro_rules! any {
        ($id:expr; $($t:ty)*) => { false $( || $id == TypeId::of::<$t>()
            || $id == TypeId::of::<[$t; 1]>() || $id == TypeId::of::<[$t; 2]>()
            || $id == TypeId::of::<[$t; 3]>() || $id == TypeId::of::<[$t; 4]>() )* };
    }
    // None of the types listed has a lifetime, so having the identity of one is being that one.
    let id = identity::<T>();
    any!(id; u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char Complex<f32> Complex<f64>)
}

/// Shows that `T` is plain data, which the kernels may move.
pub(super) struct Plain<T>(PhantomData<T>);

impl<T> Plain<T> {
    /// A slice of fewer elements is not worth the search for a kernel.
    const FEW: usize = 64;

    /// The value for a slice of `len` elements, if `T` is plain data and the kernels are worth it.
    #[inline]
    pub(super) fn worth_it(len: usize) -> Option<Plain<T>> {
        (len >= Self::FEW && is_plain::<T>()).then_some(Plain(PhantomData))
    }

    /// The elements of the slice in C order.
    pub(super) fn copy<D: Dimension>(
        self,
        source: Sliced<'_, &ArrayRef<T, D>>,
    ) -> Result<Vec<T>, SliceError> {
        let lines = source.lines();
        let mut out: Vec<T> = Vec::new();
        kernel::memory::reserve(&mut out, lines.len)?;
        let src = readable(source.into_array(), lines);
        let dst = Side::dense(out.as_mut_ptr().cast(), lines.len);
        // SAFETY: the positions of the slice are elements of the array, which is borrowed; `out`
        // has room for as many, and is not the array.
        unsafe { self.transfer(lines.shape, src, dst) };
        // SAFETY: the capacity is at least `len`, and all of it is written.
        unsafe { out.set_len(lines.len) };
        Ok(out)
    }

    /// Assigns values, broadcast as NumPy does.
    pub(super) fn assign<D: Dimension, E: Dimension>(
        self,
        target: Sliced<'_, &mut ArrayRef<T, D>>,
        values: &ArrayRef<T, E>,
    ) -> Result<(), SliceError> {
        let lines = target.lines();
        let spread;
        let strides = if values.shape() == lines.shape {
            values.strides()
        } else {
            spread = broadcast_from(lines.shape, values.shape(), Some(values.strides()))?;
            &spread
        };
        let src = readable(values, Lines { strides, offset: 0, ..lines });
        let dst = writable(target.into_array(), lines);
        // SAFETY: the positions of the slice are elements of the array, which is mutably borrowed.
        // By its strides the other side gives elements of `values`: its own, or the first of an
        // axis that has but one. What is mutably borrowed is not borrowed by `values`.
        unsafe { self.transfer(lines.shape, src, dst) };
        Ok(())
    }

    /// Writes one value to all places of the slice.
    pub(super) fn fill<D: Dimension>(self, target: Sliced<'_, &mut ArrayRef<T, D>>, value: &T) {
        let (lines, start) = (target.lines(), core::ptr::from_ref(value).cast());
        let src = Side { start, len: 1, offset: 0, strides: Some(&[]), whole: true };
        let dst = writable(target.into_array(), lines);
        // SAFETY: the positions of the slice are elements of the array, which is mutably borrowed;
        // the value is one element, and not in the array.
        unsafe { self.transfer(lines.shape, src, dst) };
    }

    /// Copies the elements of one side to the places of the other.
    ///
    /// # Safety
    ///
    /// By its strides, each side has for every position of `shape`, of which there is one, an
    /// element that may be read, or a place that may be written; so may all of its memory where it
    /// is `whole`. No element of one is a place of the other.
    unsafe fn transfer(&self, shape: &[usize], src: Side<'_, *const u8>, dst: Side<'_, *mut u8>) {
        let job = Transfer { shape, elem: size_of::<T>(), src, dst };
        // SAFETY: the caller's promise. T is one of the types above, so its bits may be copied.
        unsafe { kernel::transfer(&job, How::chosen()) };
    }

    /// Assigns one slice to another of the same array, whose whole memory is `data`. Both were
    /// planned for it.
    pub(super) fn move_within(
        self,
        from: &Plan,
        to: &Plan,
        data: &mut [T],
    ) -> Result<(), SliceError> {
        // SAFETY: the types above have no padding, so all bytes of the slice are initialised; whole
        // elements are written to places of whole elements.
        let data =
            unsafe { core::slice::from_raw_parts_mut(data.as_mut_ptr().cast(), size_of_val(data)) };
        from.bytes(size_of::<T>()).move_within(to, data)
    }
}

/// The places that `lines` take of an array. `at` returns the address of an element, counted from
/// its `[0, 0, …]`.
///
/// If the array has no gaps, the side is all of its memory. If it has, another thread may be
/// writing between its elements, and the side is only the places.
fn side<'a, T, D: Dimension, P>(
    array: &ArrayRef<T, D>,
    lines: Lines<'a>,
    at: impl FnOnce(isize) -> P,
) -> Side<'a, P> {
    let strides = Some(lines.strides);
    match array.as_slice_memory_order() {
        Some(all) => {
            let bytes = array.as_ptr().addr().wrapping_sub(all.as_ptr().addr());
            // Every plain type has a size.
            let below = bytes.checked_div(size_of::<T>()).unwrap_or(0);
            Side {
                start: at((below as isize).wrapping_neg()),
                len: all.len(),
                // No position lies below the first element in memory.
                offset: lines.offset.wrapping_add(below as isize) as usize,
                strides,
                whole: true,
            }
        }
        None => Side { start: at(lines.offset), len: 0, offset: 0, strides, whole: false },
    }
}

/// [`side`] to be read.
fn readable<'a, T, D: Dimension>(array: &ArrayRef<T, D>, lines: Lines<'a>) -> Side<'a, *const u8> {
    let first = array.as_ptr();
    side(array, lines, |at| first.wrapping_offset(at).cast())
}

/// [`side`] to be written.
fn writable<'a, T, D: Dimension>(
    array: &mut ArrayRef<T, D>,
    lines: Lines<'a>,
) -> Side<'a, *mut u8> {
    let first = array.as_mut_ptr();
    side(array, lines, |at| first.wrapping_offset(at).cast())
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
