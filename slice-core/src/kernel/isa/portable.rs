//! The kernels for every CPU of the target, without a shuffle: the compiler vectorises the moves.

use super::Set;
use crate::kernel::moves::fill_rows;
use crate::kernel::vector::Word16;
use core::mem::MaybeUninit;

pub(super) static SET: Set =
    Set { vectors: None, between: None, copy_lines, fill: fill_rows::<MaybeUninit<Word16>> };

/// [`Set::copy_lines`] by the base instructions.
///
/// # Safety
///
/// `64 * lines` bytes can be read and written, and do not overlap; `dst` is a multiple of 64.
unsafe fn copy_lines(src: *const u8, dst: *mut u8, lines: usize, ahead: isize) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    for i in 0..4 * lines {
        if i % 4 == 0 {
            crate::kernel::vector::prefetch(src.wrapping_add(16 * i).wrapping_offset(ahead), false);
        }
        use core::arch::x86_64::{_mm_loadu_si128, _mm_stream_si128};
        // SAFETY: 16 of the caller's bytes on both sides; the target has SSE2.
        unsafe { _mm_stream_si128(dst.add(16 * i).cast(), _mm_loadu_si128(src.add(16 * i).cast())) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2", not(miri))))]
    // SAFETY: the caller's promise.
    unsafe {
        let _ = ahead;
        core::ptr::copy_nonoverlapping(src, dst, 64 * lines);
    }
}
