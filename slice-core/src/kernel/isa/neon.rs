//! NEON, which every 64-bit Arm has: 16-byte vectors, any byte of two loads to any place.

use crate::kernel::vector::{ONES, Vector};
use core::arch::aarch64::*;

#[derive(Clone, Copy)]
struct V16(uint8x16_t);

super::stamp!(V16, lane 16, costs QUARTER, between &BETWEEN, features);

static BETWEEN: Vectors = vectors::<true>();

impl Vector for V16 {
    const BYTES: usize = 16;
    /// The positions in both loads, the second one after the first. A position beyond both gives 0.
    type Index = uint8x16_t;
    type Mask = uint8x16_t;

    #[inline(always)]
    unsafe fn index(first: *const u8, second: *const u8) -> uint8x16_t {
        // SAFETY: 16 bytes of either, by the caller's promise.
        unsafe {
            let (first, second) = (vld1q_u8(first), vld1q_u8(second));
            vbslq_u8(vcltq_u8(first, vdupq_n_u8(16)), first, vorrq_u8(second, vdupq_n_u8(16)))
        }
    }

    #[inline(always)]
    unsafe fn mask(table: *const u8, n: usize) -> uint8x16_t {
        let first = ONES.as_ptr().cast::<u8>().wrapping_add(64 - n.min(16));
        // SAFETY: 16 bytes of the table, by the caller's promise, and of `ONES`.
        unsafe { vandq_u8(vld1q_u8(table), vld1q_u8(first)) }
    }

    #[inline(always)]
    unsafe fn pick<const TWO: bool>(first: V16, second: V16, index: uint8x16_t) -> V16 {
        // SAFETY: the target has NEON.
        V16(unsafe {
            if TWO {
                vqtbl2q_u8(uint8x16x2_t(first.0, second.0), index)
            } else {
                vqtbl1q_u8(first.0, index)
            }
        })
    }

    #[inline(always)]
    unsafe fn merge(self, more: V16, _: uint8x16_t) -> V16 {
        // SAFETY: as above. Bytes that were not picked are 0.
        V16(unsafe { vorrq_u8(self.0, more.0) })
    }

    #[inline(always)]
    unsafe fn over(self, under: V16, mask: uint8x16_t) -> V16 {
        // SAFETY: as above.
        V16(unsafe { vbslq_u8(mask, self.0, under.0) })
    }

    /// One vector is too little for `stnp`.
    #[inline(always)]
    unsafe fn stream(self, dst: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe { self.store(dst) }
    }

    /// Pairs of vectors are what Arm stores without keeping them in its caches.
    #[inline(always)]
    unsafe fn copy_line(src: *const u8, dst: *mut u8) {
        // SAFETY: the caller's line on both sides. The instructions read and write just that.
        unsafe {
            core::arch::asm!(
                "ldp {a:q}, {b:q}, [{src}]",
                "ldp {c:q}, {d:q}, [{src}, #32]",
                "stnp {a:q}, {b:q}, [{dst}]",
                "stnp {c:q}, {d:q}, [{dst}, #32]",
                src = in(reg) src,
                dst = in(reg) dst,
                a = out(vreg) _,
                b = out(vreg) _,
                c = out(vreg) _,
                d = out(vreg) _,
                options(nostack, preserves_flags),
            );
        }
    }
}
