//! The loops over whole periods: functions of their own, which have all registers. (With its pointer on the stack each store waited for the one before.)

use super::table::Table;
use crate::kernel::isa;
use crate::kernel::vector::{Kernel, Vector};

/// From so many short periods of a row on they are worth a call.
pub(super) const LONG: usize = 32;

/// Writes the vectors of `n` periods, `advance` bytes apart in the source and `bytes` in the destination; `STREAM`: past the caches; `AHEAD`: what
/// comes further on is prefetched.
///
/// # Safety
/// The CPU has `V`'s set. The loads of all periods can be read, all vectors be stored; with `STREAM`, they start where vectors do.
#[inline(never)]
pub(super) unsafe fn run<V: Vector, const STREAM: bool, const AHEAD: bool>(
    table: &Table<'_, V>,
    src: *const u8,
    advance: isize,
    n: usize,
    dst: *mut u8,
    bytes: usize,
) {
    macro_rules! go {
        ($count:literal, $loads:literal, $words:literal) => {
            // SAFETY: the caller's promise; count, loads and words are those of the table.
            unsafe {
                V::enter(&mut Run::<V, $count, $loads, $words, STREAM, AHEAD> { table, src, advance, n, dst, bytes })
            }
        };
    }
    macro_rules! pick {
        ($count:literal, $words:literal) => {
            match table.loads {
                1 => go!($count, 1, $words),
                2 => go!($count, 2, $words),
                3 => go!($count, 3, $words),
                4 => go!($count, 4, $words),
                _ => go!($count, 0, $words),
            }
        };
    }
    // With the number of vectors a constant all tables stay in registers.
    match (table.lines.len(), V::WORDS && table.words) {
        (1, true) => pick!(1, true),
        (1, false) => pick!(1, false),
        // Pixels; by vectors of 64 bytes they do not come here.
        (3, false) if V::BYTES == 32 => pick!(3, false),
        (2, true) if V::BYTES == 64 && STREAM => pick!(2, true),
        (2, false) if V::BYTES == 64 && STREAM => pick!(2, false),
        (4, true) if V::BYTES == 64 && STREAM => pick!(4, true),
        (4, false) if V::BYTES == 64 && STREAM => pick!(4, false),
        (5, true) => pick!(5, true),
        (5, false) => pick!(5, false),
        (7, true) => pick!(7, true),
        (7, false) => pick!(7, false),
        (_, true) => pick!(0, true),
        (_, false) => pick!(0, false),
    }
}

struct Run<
    'a,
    't,
    V: Vector,
    const COUNT: usize,
    const LOADS: usize,
    const WORDS: bool,
    const STREAM: bool,
    const AHEAD: bool,
> {
    table: &'a Table<'t, V>,
    src: *const u8,
    advance: isize,
    n: usize,
    dst: *mut u8,
    bytes: usize,
}

impl<V: Vector, const COUNT: usize, const LOADS: usize, const WORDS: bool, const STREAM: bool, const AHEAD: bool> Kernel
    for Run<'_, '_, V, COUNT, LOADS, WORDS, STREAM, AHEAD>
{
    #[inline(always)]
    unsafe fn run(&mut self) {
        let &mut Run { table, mut src, advance, n, mut dst, bytes } = self;
        // SAFETY: the caller of `run` vouches for the loads of all periods; `q` is below the number of lines.
        unsafe {
            // Copies, which can stay in registers: the stores might change what a reference refers to.
            let lines: [V::Line; COUNT] = core::array::from_fn(|q| *table.lines.get_unchecked(q));
            for _ in 0..n {
                src = isa::anew(src);
                if COUNT == 0 {
                    for (q, line) in table.lines.iter().enumerate() {
                        let vector = vector::<V, LOADS, WORDS, AHEAD>(src, line, table.loads);
                        put::<V, STREAM>(vector, dst.wrapping_add(q * V::BYTES));
                    }
                } else {
                    let mut q = 0;
                    while q < COUNT {
                        let vector = vector::<V, LOADS, WORDS, AHEAD>(src, &lines[q], table.loads);
                        put::<V, STREAM>(vector, dst.wrapping_add(q * V::BYTES));
                        q += 1;
                    }
                }
                (src, dst) = (src.wrapping_offset(advance), dst.wrapping_add(bytes));
            }
        }
    }
}

/// An output vector; `AHEAD`: what comes further on is asked for first.
///
/// # Safety
/// As for [`Vector::shuffle`].
#[inline(always)]
pub(super) unsafe fn vector<V: Vector, const LOADS: usize, const WORDS: bool, const AHEAD: bool>(
    src: *const u8,
    line: &V::Line,
    loads: usize,
) -> V {
    if AHEAD {
        V::ask::<LOADS>(src, line, loads);
    }
    // SAFETY: the caller's promise.
    unsafe { V::shuffle::<LOADS, WORDS>(src, line, loads) }
}

/// Stores a vector, past the caches or not.
///
/// # Safety
/// As for [`Vector::store`] or [`Vector::stream`].
#[inline(always)]
pub(super) unsafe fn put<V: Vector, const STREAM: bool>(vector: V, dst: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { if STREAM { vector.stream(dst) } else { vector.store(dst) } }
}
