//! The moves of few runs: loops of up to three axes around single words, or around runs by the widest vectors that pay.

use crate::kernel::generic::fill::Block;
use crate::kernel::isa;
use crate::kernel::movers::{Call, Long, Mover, Near, Whole, one_by_one, paced, row_by_row, with_mover};
use crate::kernel::nest::{Axis, Pair};
use crate::kernel::vector::{Kernel, Level, with_isa};
use crate::kernel::walk::{self, LONGEST};
use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// The loops around a run, those inside first; a loop of one turn is none, and neither are those outside it.
#[derive(Clone, Copy)]
pub(super) struct Loops {
    pub inner: Axis,
    pub outer: Axis,
    pub far: Axis,
}

/// Moves the runs of some loops.
///
/// # Safety
///
/// Each of the runs at `src` can be read, all of them together written at `dst`, without overlap; `run` is not 0.
#[inline(always)]
pub(super) unsafe fn moves(loops: Loops, src: *const u8, dst: *mut u8, run: usize, elem: usize) {
    let Loops { inner, outer, far } = loops;
    macro_rules! single {
        ($word:ty) => {{
            let mover = Whole::<$word>(PhantomData);
            // SAFETY: the caller's promise.
            unsafe {
                if outer.n == 1 {
                    walk::one(inner, src, dst, mover)
                } else if far.n == 1 {
                    walk::two(inner, outer, src, dst, mover)
                } else {
                    three(loops, src, dst, mover)
                }
            }
        }};
    }
    // Runs of one element, whose size the compiler knows, need no choice at run time.
    match elem {
        1 if run == elem => single!(u8),
        2 if run == elem => single!(u16),
        4 if run == elem => single!(u32),
        8 if run == elem => single!(u64),
        16 if run == elem => single!([u64; 2]),
        // SAFETY: the caller's promise. (In registers, where there are no more than two loops.)
        _ if far.n == 1 => unsafe { any(inner, outer, src, dst, run) },
        // SAFETY: the same.
        _ => unsafe { any_three(loops, src, dst, run) },
    }
}

/// Moves values to the runs of some loops, each `step` bytes behind the one before.
///
/// # Safety
///
/// All values can be read at `src`, each of the runs written at `dst`, without overlap.
#[inline(always)]
pub(super) unsafe fn put_loops<M: Mover>(loops: Loops, step: isize, src: *const u8, dst: *mut u8, mover: M) {
    let Loops { inner, outer, far } = loops;
    let walk = Pair { n: inner.n, src: step, dst: inner.step };
    let rows = Pair { n: outer.n, src: step * inner.n as isize, dst: outer.step };
    // SAFETY: the caller's promise.
    unsafe {
        if outer.n == 1 && inner.n < MANY {
            put_few(mover, inner, step, src, dst)
        } else if far.n == 1 {
            put_rows(mover, walk, rows, src, dst)
        } else {
            put_planes(mover, walk, rows, Pair { n: far.n, src: rows.src * outer.n as isize, dst: far.step }, src, dst)
        }
    }
}

/// From so many runs on it is worth to ask for a better way than one by one.
const MANY: usize = 16;

/// One short loop, with all that is known of it in registers.
///
/// # Safety
///
/// As for [`put_loops`].
#[inline(never)]
unsafe fn put_few<M: Mover>(mover: M, axis: Axis, step: isize, src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { one_by_one(mover, Pair { n: axis.n, src: step, dst: axis.step }, src, dst) }
}

/// # Safety
///
/// As for [`put_loops`].
#[inline(never)]
unsafe fn put_rows<M: Mover>(mover: M, walk: Pair, rows: Pair, src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(times) = isa::crowd_written(dst, walk.dst, mover.run(), walk.n) {
            paced(mover, walk, rows, times, src, dst)
        } else if walk.n >= M::MANY {
            mover.many(walk, rows, src, dst, None)
        } else {
            row_by_row(mover, walk, rows, src, dst)
        }
    }
}

/// # Safety
///
/// As for [`put_loops`].
#[inline(never)]
unsafe fn put_planes<M: Mover>(mover: M, walk: Pair, rows: Pair, planes: Pair, src: *const u8, dst: *mut u8) {
    let (mut src, mut dst) = (src, dst);
    for _ in 0..planes.n {
        // SAFETY: some of the caller's runs. The pointers are moved past the last one only wrapping, unused.
        unsafe { put_rows(mover, walk, rows, src, dst) };
        (src, dst) = (src.wrapping_offset(planes.src), dst.wrapping_offset(planes.dst));
    }
}

/// # Safety
///
/// As for [`put_loops`], with runs of `run` bytes, which is not 0.
#[inline(never)]
pub(super) unsafe fn put_any(inner: Axis, outer: Axis, src: *const u8, dst: *mut u8, run: usize) {
    let loops = Loops { inner, outer, far: Axis { n: 1, step: 0 } };
    macro_rules! go {
        ($mover:expr) => {
            // SAFETY: each mover moves exactly `run` bytes, whose places the caller vouches for.
            unsafe { put_loops(loops, run as isize, src, dst, $mover) }
        };
    }
    with_mover!(run, go,
        64 if isa::crowd_written(dst, inner.step, run, inner.n).is_some() => go!(Long(run)),
        64.. if run * inner.n < LITTLE => go!(Long(run)),
        // SAFETY: the same.
        _ => unsafe { long::<false>(inner, outer, src, dst, run) },
    );
}

/// Fewer bytes are moved by the base set before another has begun; and vectors that cross lines lose most where they are few.
const LITTLE: usize = 512;

/// Moves rows of runs of at least a line; `READ`: the loops are those of the source, not of the destination. A function of its own, so that shorter
/// ones need not save the registers it uses.
///
/// # Safety
///
/// Each of the runs can be read and written, without overlap.
#[inline(never)]
unsafe fn long<const READ: bool>(inner: Axis, outer: Axis, src: *const u8, dst: *mut u8, run: usize) {
    let pair = |Axis { n, step }, next| match READ {
        true => Pair { n, src: step, dst: next },
        false => Pair { n, src: next, dst: step },
    };
    let (walk, rows) = (pair(inner, run as isize), pair(outer, (run * inner.n) as isize));
    // SAFETY: the caller's promise; `near` names a set that the CPU has.
    unsafe { with_isa!(isa::near(), L => L::enter(&mut Moved::<L> { walk, rows, run, src, dst, level: PhantomData })) }
}

struct Moved<L> {
    walk: Pair,
    rows: Pair,
    run: usize,
    src: *const u8,
    dst: *mut u8,
    level: PhantomData<L>,
}

impl<L: Level> Kernel for Moved<L> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        let &mut Moved { walk, rows, run, src, dst, .. } = self;
        // SAFETY: each mover moves exactly `run` bytes, at least a line; the caller of `long` vouches for their places.
        unsafe {
            if run <= LONGEST {
                row_by_row(Long(run), walk, rows, src, dst)
            } else if L::WIDTH == 64 {
                row_by_row(Near::<L>(run, PhantomData), walk, rows, src, dst)
            } else {
                row_by_row(Call::<L>(run, PhantomData), walk, rows, src, dst)
            }
        }
    }
}

/// # Safety
///
/// As for [`put_any`].
#[inline(never)]
pub(super) unsafe fn put_any_three(loops: Loops, src: *const u8, dst: *mut u8, run: usize) {
    let Loops { inner, outer, far } = loops;
    let (mut src, mut dst) = (src, dst);
    for _ in 0..far.n {
        // SAFETY: some of the caller's runs. The pointers are moved past the last one only wrapping, unused.
        unsafe { put_any(inner, outer, src, dst, run) };
        (src, dst) = (src.wrapping_add(run * inner.n * outer.n), dst.wrapping_offset(far.step));
    }
}

/// Writes one word over and over to the runs of some loops.
///
/// # Safety
///
/// Each of the runs can be written at `dst`; `run` is a multiple of the word's size.
#[inline(never)]
pub(super) unsafe fn fill_runs<W: Copy>(loops: Loops, value: MaybeUninit<W>, dst: *mut u8, run: usize) {
    let Loops { inner, outer, far } = loops;
    let much = run >= 64 && run * inner.n * outer.n * far.n >= MUCH;
    let isa = if much { isa::near() } else { isa::Isa::Portable };
    // SAFETY: the caller's promise; `near` names a set that the CPU has.
    unsafe { with_isa!(isa, L => L::enter(&mut Filled::<L, W> { loops, value, dst, run, level: PhantomData })) }
}

/// So many bytes are filled by the vectors of a set: fewer are written by the base set before it has begun.
const MUCH: usize = 2 << 10;

struct Filled<L, W: Copy> {
    loops: Loops,
    value: MaybeUninit<W>,
    dst: *mut u8,
    run: usize,
    level: PhantomData<L>,
}

impl<L: Level, W: Copy> Kernel for Filled<L, W> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        let block = Block::new(self.value);
        let Loops { inner, outer, far } = self.loops;
        let mut plane = self.dst;
        for _ in 0..far.n {
            let mut line = plane;
            for _ in 0..outer.n {
                let mut place = line;
                for _ in 0..inner.n {
                    // SAFETY: one of the runs. The pointers are moved past the last one only wrapping, unused.
                    unsafe { block.row::<L>(place, self.run) };
                    place = place.wrapping_offset(inner.step);
                }
                line = line.wrapping_offset(outer.step);
            }
            plane = plane.wrapping_offset(far.step);
        }
    }
}

/// # Safety
///
/// As for [`moves`].
#[inline(never)]
unsafe fn any(inner: Axis, outer: Axis, src: *const u8, dst: *mut u8, run: usize) {
    macro_rules! go {
        ($mover:expr) => {
            // SAFETY: each mover moves exactly `run` bytes, whose places the caller vouches for.
            unsafe { walk::two(inner, outer, src, dst, $mover) }
        };
    }
    with_mover!(run, go,
        64.. if run * inner.n < LITTLE => go!(Long(run)),
        // SAFETY: the same.
        _ => unsafe { long::<true>(inner, outer, src, dst, run) },
    );
}

/// # Safety
///
/// As for [`moves`].
#[inline(never)]
unsafe fn any_three(loops: Loops, src: *const u8, dst: *mut u8, run: usize) {
    let Loops { inner, outer, far } = loops;
    let (mut src, mut dst) = (src, dst);
    for _ in 0..far.n {
        // SAFETY: some of the caller's runs. The pointers are moved past the last one only wrapping, unused.
        unsafe { any(inner, outer, src, dst, run) };
        (src, dst) = (src.wrapping_offset(far.step), dst.wrapping_add(run * inner.n * outer.n));
    }
}

/// # Safety
///
/// As for [`moves`], with runs of the mover.
#[inline(never)]
unsafe fn three<M: Mover>(loops: Loops, src: *const u8, dst: *mut u8, mover: M) {
    let Loops { inner, outer, far } = loops;
    let (mut src, mut dst) = (src, dst);
    for _ in 0..far.n {
        // SAFETY: some of the caller's runs. The pointers are moved past the last one only wrapping, unused.
        unsafe { walk::two(inner, outer, src, dst, mover) };
        (src, dst) = (src.wrapping_offset(far.step), dst.wrapping_add(mover.run() * inner.n * outer.n));
    }
}
