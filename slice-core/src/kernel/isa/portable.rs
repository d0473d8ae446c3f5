//! The kernels for every CPU of the target. There is no byte shuffle here: the compiler vectorises
//! the plain moves as well as it can.

use super::Set;
use crate::kernel::loops::Loop;
use crate::kernel::tables::{LOADS, PHASES, Shuffle};

pub(super) static SET: Set = Set {
    bytes: 0,
    lane: 0,
    costs: &crate::kernel::tuning::HALF,
    build: no_tables,
    shuffle: [no_rows; LOADS],
    mix: [no_rows; LOADS],
    lines: [[[no_lines; 4]; 2]; 2],
    backed: [no_backed; 4],
    stream,
    fill_lines,
};

/// This is never called: a set without vectors is given no shuffle.
unsafe fn no_tables(_: &mut Shuffle<'_>, _: Option<usize>, _: usize) -> bool {
    false
}

/// This is never called either.
unsafe fn no_rows(_: &Shuffle<'_>, _: *const u8, _: *mut u8, _: usize, _: Loop) {}

/// Neither is this.
unsafe fn no_lines(
    _: &[&Shuffle<'_>; PHASES],
    _: *const u8,
    _: *mut u8,
    _: usize,
    _: Loop,
    _: isize,
) {
}

/// Nor is this.
unsafe fn no_backed(
    _: &Shuffle<'_>,
    _: *const u8,
    _: *mut u8,
    _: (*const u8, *mut u8),
    _: usize,
    _: Loop,
) {
}

/// [`Set::stream`] by the base instructions.
///
/// # Safety
///
/// `64 * lines` bytes can be read and written, and do not overlap; `dst` is a multiple of 64.
unsafe fn stream(src: *const u8, dst: *mut u8, lines: usize, ahead: isize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    for i in 0..4 * lines {
        if i % 4 == 0 {
            crate::kernel::vector::prefetch(src.wrapping_add(16 * i).wrapping_offset(ahead));
        }
        use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
        // SAFETY: 16 of the caller's bytes on both sides; SSE2 is part of x86-64.
        unsafe {
            _mm_stream_si128(
                dst.cast::<__m128i>().add(i),
                _mm_loadu_si128(src.cast::<__m128i>().add(i)),
            )
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    // SAFETY: the caller's promise.
    unsafe {
        let _ = ahead;
        core::ptr::copy_nonoverlapping(src, dst, 64 * lines);
    }
}

/// [`Set::fill_lines`] by the base instructions.
///
/// # Safety
///
/// 64 bytes can be read at `line`, and `64 * lines` written, and do not overlap.
unsafe fn fill_lines(line: *const u8, dst: *mut u8, lines: usize) {
    for i in 0..lines {
        // SAFETY: a line of the caller's.
        unsafe { core::ptr::copy_nonoverlapping(line, dst.add(64 * i), 64) };
    }
}
