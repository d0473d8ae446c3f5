//! Decides which element types are plain data, and moves these as bits, by the kernels. All others
//! are cloned.
//!
//! `T: Clone` does not say whether cloning is copying bits, and neither does the absence of a
//! destructor: a type without one may still count its clones. So only types known by name take the
//! fast path.

use crate::places::{Places, few};
use ndarray::{ArrayRef, Dimension};
use num_complex::Complex;
use slice_core::__private::views::{Side, broadcast_from, copy_places, move_bytes, reserve};
use slice_core::SliceError;
use std::any::TypeId;
use std::marker::PhantomData;
use std::mem::{size_of, transmute};

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

/// A slice of so many elements, or fewer, is not worth the search for a kernel, or another way.
pub(crate) const FEW: usize = 64;

/// Whether elements that lie one after the other are so few that one call of `memcpy` moves them
/// soonest. The kernels call it for 2 KiB at a time: glibc copies more by an instruction that some
/// processors are slow at.
#[inline]
pub(crate) fn is_short<T>(len: usize) -> bool {
    len.saturating_mul(size_of::<T>()) <= 2048
}

/// Whether elements are so many that the kernels write them with care for the caches.
#[inline]
pub(crate) fn is_much<T>(len: usize) -> bool {
    len.saturating_mul(size_of::<T>()) >= 1 << 18
}

/// Whether [`Plain::few`] ends before a kernel is found: there are few elements, or some that a
/// kernel moves one by one, too: they fill vectors and do not follow each other, or share no line
/// of a cache along one axis.
#[inline]
fn are_few<T>(from: &Places<'_, T>, to: &Places<'_, T>) -> bool {
    let far = |of: &Places<'_, T>| match *of.strides {
        [by] => by.unsigned_abs().saturating_mul(size_of::<T>()) >= 64,
        _ => false,
    };
    let rows = |of: &Places<'_, T>| of.strides.last() == Some(&1);
    let wide = size_of::<T>() >= 16 && !(rows(from) && rows(to));
    let single = wide || far(from) || far(to);
    let most = if single { 8 * FEW } else { FEW };
    to.shape.len() <= 2 && to.len() <= most
}

/// The elements of a row, and the steps from row to row, if there are few rows, whose elements
/// follow each other on both sides: a call of `memcpy` for each ends before a kernel is found.
#[inline]
fn few_rows<T>(from: &Places<'_, T>, to: &Places<'_, T>) -> Option<(usize, [isize; 2])> {
    let (&[rows, n], &[by, 1], &[to_by, 1]) = (to.shape, from.strides, to.strides) else {
        return None;
    };
    let long = n.saturating_mul(size_of::<T>()) >= 64 && is_short::<T>(n);
    (rows <= 16 && long).then_some((n, [by, to_by]))
}

/// Shows that `T` is plain data, which the kernels may move.
pub(crate) struct Plain<T>(PhantomData<T>);

impl<T> Plain<T> {
    /// The value for a slice of `len` elements, if `T` is plain data and the kernels are worth it.
    #[inline]
    pub(crate) fn worth_it(len: usize) -> Option<Plain<T>> {
        if len <= FEW { None } else { Plain::new() }
    }

    /// The value for changing places of this shape. Without it, ndarray's loops do, which take
    /// longer than those of [`few`](Self::few) with two axes only.
    #[inline]
    pub(crate) fn worth_it_for(shape: &[usize]) -> Option<Plain<T>> {
        if shape.len() == 2 { Plain::new() } else { Plain::worth_it(shape.iter().product()) }
    }

    /// The value, if `T` is plain data.
    #[inline]
    pub(crate) fn new() -> Option<Plain<T>> {
        is_plain::<T>().then_some(Plain(PhantomData))
    }

    /// The elements at some places of an array, in C order.
    ///
    /// # Safety
    ///
    /// All of the places are elements of `array`.
    pub(crate) unsafe fn copy<D: Dimension>(
        self,
        array: &ArrayRef<T, D>,
        from: Places<'_, T>,
    ) -> Result<Vec<T>, SliceError> {
        let len = from.len();
        let mut out: Vec<T> = Vec::new();
        reserve(&mut out, len)?;
        let row = [from.shape.last().map_or(0, |&n| n as isize), 1];
        let strides = row.get(usize::from(from.shape.len() != 2)..).unwrap_or_default();
        let to = Places { first: out.as_mut_ptr(), strides, ..from };
        if is_short::<T>(len) && from.in_one_piece().is_some() {
            // SAFETY: the elements may be read (the caller), and as bits, since T is one of the
            // types above; `out` has room for as many, and is not the array.
            unsafe { to.first.copy_from_nonoverlapping(from.first, len) };
        // SAFETY: the same. Only one axis or two are few.
        } else if !unsafe { self.copy_few(&from, &to) } {
            let memory = Memory::of(array);
            let src = side(memory, from.first, from.strides, |at| at.cast_const().cast());
            let dst = Side::dense(to.first.cast(), len);
            // SAFETY: the same.
            unsafe { self.transfer(from.shape, src, dst) };
        }
        // SAFETY: the capacity is at least `len`, and all of it is written.
        unsafe { out.set_len(len) };
        Ok(out)
    }

    /// Copies elements of `values`, broadcast as NumPy does, to places of an array.
    ///
    /// # Safety
    ///
    /// All places of `to` are elements of `array`, to which the caller has the only reference while
    /// this runs, no two are one element, and all of `from` are elements of `values`.
    pub(crate) unsafe fn assign<D: Dimension, E: Dimension>(
        self,
        array: &ArrayRef<T, D>,
        to: Places<'_, T>,
        values: &ArrayRef<T, E>,
        from: Places<'_, T>,
    ) -> Result<(), SliceError> {
        let spread;
        let strides = if from.shape == to.shape {
            if let Some(len) = from.in_one_piece()
                && is_short::<T>(len)
                && to.in_one_piece().is_some()
            {
                // SAFETY: there are as many elements on both sides, in arrays that do not overlap
                // (the caller), and T is one of the types above, so its bits may be copied.
                unsafe { to.first.copy_from_nonoverlapping(from.first, len) };
                return Ok(());
            }
            from.strides
        } else {
            spread = broadcast_from(to.shape, from.shape, Some(from.strides))?;
            &spread
        };
        let from = Places { shape: to.shape, strides, ..from };
        // SAFETY: the caller's promise. By these strides, `from` has an element of its own for each
        // place: its own, or the first of an axis that has but one.
        if unsafe { self.copy_few(&from, &to) } {
            return Ok(());
        }
        if from.strides == to.strides
            && let Some((below, len)) = to.all_in_one_piece()
            && is_short::<T>(len)
        {
            let (from, to) = (from.first.wrapping_sub(below), to.first.wrapping_sub(below));
            // SAFETY: as above; the elements lie in one piece on both sides, in the same order.
            unsafe { to.copy_from_nonoverlapping(from, len) };
            return Ok(());
        }
        let (memory, values_memory) = (Memory::of(array), Memory::of(values));
        let src = side(values_memory, from.first, strides, |at| at.cast_const().cast());
        let dst = side(memory, to.first, to.strides, <*mut T>::cast);
        // SAFETY: the caller's promise, and that of the strides above.
        unsafe { self.transfer(to.shape, src, dst) };
        Ok(())
    }

    /// Writes one value to some places of an array.
    ///
    /// # Safety
    ///
    /// All places are elements of `array`, to which the caller has the only reference while this
    /// runs.
    pub(crate) unsafe fn fill<D: Dimension>(
        self,
        array: &ArrayRef<T, D>,
        to: Places<'_, T>,
        value: &T,
    ) {
        let start = std::ptr::from_ref(value);
        if are_few(&to, &to) {
            let from = Places { first: start.cast_mut(), shape: to.shape, strides: &[] };
            // SAFETY: the caller's promise; without strides, there is one element, the value.
            return unsafe { self.few(&from, &to) };
        }
        let start = start.cast();
        let src = Side { start, len: 1, offset: 0, strides: Some(&[]), whole: true };
        let dst = side(Memory::of(array), to.first, to.strides, <*mut T>::cast);
        // SAFETY: the caller's promise; the value is one element, and not in the array.
        unsafe { self.transfer(to.shape, src, dst) };
    }

    /// Copies elements to as many places, if these are few, or few rows. Returns whether they are.
    ///
    /// # Safety
    ///
    /// As for [`few`](Self::few).
    #[inline]
    unsafe fn copy_few(&self, from: &Places<'_, T>, to: &Places<'_, T>) -> bool {
        if are_few(from, to) {
            // SAFETY: the caller's promise.
            unsafe { self.few(from, to) };
            return true;
        }
        let Some((n, [by, to_by])) = few_rows(from, to) else { return false };
        let rows = to.shape.get(..1).unwrap_or_default();
        // SAFETY: the caller's promise for each position of a row. T is one of the types above, so
        // its bits may be copied.
        few(rows, (to.first, &[to_by]), (from.first, &[by]), |place, one| unsafe {
            place.copy_from_nonoverlapping(one, n);
        });
        true
    }

    /// Copies elements one by one to as many places. They have at most two axes; a stride that is
    /// missing is 0.
    ///
    /// # Safety
    ///
    /// As for [`transfer`](Self::transfer).
    unsafe fn few(&self, from: &Places<'_, T>, to: &Places<'_, T>) {
        // SAFETY: the caller's promise for each position. T is one of the types above, so its bits
        // may be copied.
        few(to.shape, (to.first, to.strides), (from.first, from.strides), |place, one| unsafe {
            place.copy_from_nonoverlapping(one, 1);
        });
    }

    /// Copies the elements of one side to the places of the other.
    ///
    /// # Safety
    ///
    /// For each position of `shape`, the strides of a side lead to an element that may be read, or
    /// to a place that may be written; where the side is `whole`, all of its memory may be. No
    /// element of one side is a place of the other.
    unsafe fn transfer(&self, shape: &[usize], src: Side<'_, *const u8>, dst: Side<'_, *mut u8>) {
        // SAFETY: the caller's promise. T is one of the types above, so its bits may be copied.
        unsafe { copy_places(shape, size_of::<T>(), src, dst) };
    }

    /// Assigns one slice to another of the same array, whose whole memory is `data`, unless it has at
    /// most `few` bytes and takes more than rows that change their place. Returns whether it did.
    pub(crate) fn move_within(
        self,
        from: &Places<'_, T>,
        to: &Places<'_, T>,
        data: &mut [T],
        few: usize,
    ) -> Result<bool, SliceError> {
        let lowest = data.as_ptr().addr();
        // Every plain type has a size.
        let offset = |of: &Places<'_, T>| {
            of.first.addr().wrapping_sub(lowest).checked_div(size_of::<T>()).unwrap_or(0)
        };
        let (read, written) = (offset(from), offset(to));
        // SAFETY: the types above have no padding, so all bytes of the slice are initialised; whole
        // elements are written to places of whole elements.
        let data =
            unsafe { std::slice::from_raw_parts_mut(data.as_mut_ptr().cast(), size_of_val(data)) };
        let (from, to) = ((from.shape, from.strides, read), (to.shape, to.strides, written));
        move_bytes(data, size_of::<T>(), from, to, few)
    }
}

/// The memory of an array that has no gaps: the address of its lowest element, and how many there
/// are.
#[derive(Clone, Copy)]
struct Memory {
    lowest: usize,
    len: usize,
}

impl Memory {
    /// That of this array. If it has gaps, another thread may be writing between its elements.
    #[inline]
    fn of<T, D: Dimension>(array: &ArrayRef<T, D>) -> Option<Memory> {
        let places = Places::of(array);
        let (below, len) = places.all_in_one_piece()?;
        Some(Memory { lowest: places.first.wrapping_sub(below).addr(), len })
    }
}

/// The places of a slice of an array, whose first is `first`. With the array's memory, the side is
/// all of that; without, it is only the places.
fn side<'a, T, B>(
    memory: Option<Memory>,
    first: *mut T,
    strides: &'a [isize],
    cast: impl FnOnce(*mut T) -> B,
) -> Side<'a, B> {
    let strides = Some(strides);
    match memory {
        Some(Memory { lowest, len }) => {
            // No place lies below the lowest element. Every plain type has a size.
            let below = first.addr().wrapping_sub(lowest).checked_div(size_of::<T>()).unwrap_or(0);
            let start = cast(first.wrapping_sub(below));
            Side { start, len, offset: below, strides, whole: true }
        }
        None => Side { start: cast(first), len: 0, offset: 0, strides, whole: false },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (is_plain::<&'a str>(), is_plain::<std::cell::Cell<&'a u8>>())
        }
        assert_eq!(of(&String::from("x")), (false, false));
    }
}
