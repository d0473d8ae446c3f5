//! Memory for fresh results.
//!
//! The first write to a page of fresh memory goes through the operating system, which zeroes it. In
//! pages of 4 KiB that takes longer than the copy itself: 5 to 8 ms for 32 MiB. On most
//! distributions, Linux gives pages of 2 MiB only on request, so large results ask for them.

use super::tuning::HUGE_PAGES;
use crate::error::SliceError;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::mem::size_of;
use core::ptr::NonNull;

/// Makes room for `len` elements in an empty vector.
///
/// `Vec`'s own fallible methods are made for growing, and take as long as a small copy.
#[inline]
pub fn reserve<T>(out: &mut Vec<T>, len: usize) -> Result<(), SliceError> {
    // Memory that the vector already has was asked about when it was new.
    if out.capacity() >= len {
        return Ok(());
    }
    let allocate = || {
        let layout = Layout::array::<T>(len).ok()?;
        // SAFETY: the layout is not empty: a vector has room for none, or for any number of
        // elements without a size, so there is an element, and it has one.
        let start = NonNull::new(unsafe { alloc::alloc::alloc(layout) }.cast::<T>())?;
        // SAFETY: just allocated by Vec's allocator, the global one, with this layout.
        Some(unsafe { Vec::from_raw_parts(start.as_ptr(), 0, len) })
    };
    let bytes = len.saturating_mul(size_of::<T>());
    *out = allocate().ok_or_else(|| SliceError::no_room(len, size_of::<T>()))?;
    if bytes >= HUGE_PAGES {
        advise(out.as_mut_ptr().cast(), bytes);
    }
    Ok(())
}

/// Asks for huge pages under the pages that lie wholly inside `bytes` bytes at `start`.
#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
fn advise(start: *mut u8, bytes: usize) {
    use core::ffi::{c_int, c_void};

    /// The advice to `madvise(2)`, whose number is the same on all Linux architectures.
    const MADV_HUGEPAGE: c_int = 14;
    /// A multiple of every page size in use: the kernel refuses other addresses.
    const PAGE: usize = 64 << 10;

    unsafe extern "C" {
        fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }

    let skip = start.addr().wrapping_neg() % PAGE;
    let inside = bytes.saturating_sub(skip) / PAGE * PAGE;
    // SAFETY: the range lies inside memory that the caller owns; this advice changes neither
    // contents nor addresses. If it is refused (a kernel without huge pages), nothing changes.
    unsafe { madvise(start.wrapping_add(skip).cast(), inside, MADV_HUGEPAGE) };
}

/// There is nothing to ask for on other systems.
#[cfg(not(all(target_os = "linux", feature = "std", not(miri))))]
fn advise(_: *mut u8, _: usize) {}
