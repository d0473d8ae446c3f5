//! Two axes that change places: the source is contiguous along one, the destination along the other.
//!
//! Walking along either side alone touches a new line for every element of the other. So both are walked in squares whose sides are
//! one line: each line of the source is read once, each line of the destination written once and whole (past the caches, if wanted). A square
//! is turned in registers, 16 bytes by 16 bytes:
//!
//! ```text
//! for each square of 64 / E by 64 / E elements:
//!     for each block of 16 / E by 16 / E in it: load the rows, interleave them log2 times, store them turned into a 4 KiB tile
//!     for each row of the tile: copy it to its line
//! ```
//!
//! The tile is there because destination rows a power of two apart share one set of the cache: their lines would be thrown out
//! between one quarter and the next.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::kernel::movers::Whole;
use crate::kernel::nest::{Axis, Pair};
use crate::kernel::vector::{Kernel, Level};
use crate::kernel::walk::{VisitPair, any_nest, each_pair, singly};

/// Bytes of a line, and of a row of the tile.
const LINE: usize = 64;
/// Squares in each direction that are finished before moving on: few enough pages on either side for the address cache.
const BLOCK: usize = 8;

/// A transposed copy.
pub(crate) struct Job<'a> {
    pub src: *const u8,
    pub dst: *mut u8,
    /// Bytes moved at each position.
    pub run: usize,
    /// The axis along which the destination is contiguous: `along.dst` is `run`.
    pub along: Pair,
    /// The axis along which the source is contiguous: `across.src` is `run`.
    pub across: Pair,
    /// All other axes, innermost first.
    pub outer: &'a [Pair],
    pub stream: bool,
}

/// Finds the two axes and takes them out of `pairs`: `(along, across, how many are left in front)`.
///
/// The pointers are moved, and steps turned, so that both axes are walked forwards. `None`: it is no transposed copy worth the name.
pub(crate) fn find(
    pairs: &mut [Pair],
    run: usize,
    src: &mut *const u8,
    dst: &mut *mut u8,
) -> Option<(Pair, Pair, usize)> {
    let step = run as isize;
    let i = pairs.iter().position(|pair| pair.dst.abs() == step && pair.src.abs() >= 4 * step && pair.n >= 4)?;
    let j = pairs.iter().position(|pair| pair.src.abs() == step && pair.dst.abs() >= 4 * step && pair.n >= 4)?;
    let (mut along, mut across) = (pairs[i], pairs[j]);
    for (pair, back) in [(&mut along, pairs[i].dst < 0), (&mut across, pairs[j].src < 0)] {
        if back {
            let last = pair.n as isize - 1;
            *src = src.wrapping_offset(pair.src * last);
            *dst = dst.wrapping_offset(pair.dst * last);
            (pair.src, pair.dst) = (-pair.src, -pair.dst);
        }
    }
    let mut left = 0;
    for at in 0..pairs.len() {
        if at != i && at != j {
            pairs[left] = pairs[at];
            left += 1;
        }
    }
    Some((along, across, left))
}

/// Runs the job.
///
/// # Safety
/// The CPU has `L`'s set. At every position of the axes, `run` bytes can be read and written, and the two sides do not overlap.
pub(crate) unsafe fn transpose<L: Level>(job: &Job<'_>) {
    // SAFETY: the caller's promise; the kernel is made for the job's run.
    unsafe {
        match job.run {
            1 => L::enter(&mut Squares::<L, u8, 1> { job, types: PhantomData }),
            2 => L::enter(&mut Squares::<L, u16, 2> { job, types: PhantomData }),
            4 => L::enter(&mut Squares::<L, u32, 4> { job, types: PhantomData }),
            8 => L::enter(&mut Squares::<L, u64, 8> { job, types: PhantomData }),
            16 => L::enter(&mut Squares::<L, [u64; 2], 16> { job, types: PhantomData }),
            _ => each_pair(job.outer, &mut Odd { job }),
        }
    }
    L::fence();
}

struct Squares<'a, L, T, const E: usize> {
    job: &'a Job<'a>,
    types: PhantomData<(L, T)>,
}

impl<L: Level, T: Copy, const E: usize> Kernel for Squares<'_, L, T, E> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        // SAFETY: `outer` counts the planes of the job, which the caller of `transpose` vouches for.
        unsafe { each_pair(self.job.outer, self) }
    }
}

#[repr(align(64))]
struct Tile([MaybeUninit<u8>; LINE * LINE]);

impl<L: Level, T: Copy, const E: usize> VisitPair for Squares<'_, L, T, E> {
    #[inline(always)]
    unsafe fn place(&mut self, src: isize, dst: isize) {
        let &Job { along, across, .. } = self.job;
        let (src, dst) = (self.job.src.wrapping_offset(src), self.job.dst.wrapping_offset(dst));
        let side = LINE / E;
        // Destination lines start where squares do, if all rows start alike.
        let off = dst.addr().wrapping_neg() % LINE;
        let even = off.is_multiple_of(E) && (across.dst % LINE as isize) == 0;
        let head = if even { (off / E).min(along.n) } else { 0 };
        let stream = self.job.stream && even;
        // SAFETY: all parts lie in the plane: `i` counts `along`, `j` counts `across`, each up to its `n`.
        unsafe {
            self.plain(src, dst, head, across.n);
            let (src, dst) = (src.wrapping_offset(along.src * head as isize), dst.wrapping_add(E * head));
            let (wide, high) = (along.n - head, across.n);
            for ib in (0..wide).step_by(BLOCK * side) {
                for jb in (0..high).step_by(BLOCK * side) {
                    for j in (jb..high.min(jb + BLOCK * side)).step_by(side) {
                        for i in (ib..wide.min(ib + BLOCK * side)).step_by(side) {
                            let src = src.wrapping_offset(along.src * i as isize + across.src * j as isize);
                            let dst = dst.wrapping_offset(along.dst * i as isize + across.dst * j as isize);
                            self.square(src, dst, side.min(wide - i), side.min(high - j), stream);
                        }
                    }
                }
            }
        }
    }
}

impl<L: Level, T: Copy, const E: usize> Squares<'_, L, T, E> {
    /// `wide` positions along by `high` across, element by element.
    ///
    /// # Safety
    /// They are positions of the job, the first at the two pointers.
    #[inline(always)]
    unsafe fn plain(&self, src: *const u8, dst: *mut u8, wide: usize, high: usize) {
        let &Job { along, across, .. } = self.job;
        for j in 0..high as isize {
            let (src, dst) = (src.wrapping_offset(across.src * j), dst.wrapping_offset(across.dst * j));
            // SAFETY: a row of the caller's positions.
            unsafe { singly(Whole::<T>(PhantomData), wide, along.src, src, dst) }
        }
    }

    /// One square, or what is left of one at the end.
    ///
    /// # Safety
    /// As for `plain`; `wide` and `high` are at most a line's elements. With `stream`, whole rows start on lines.
    #[inline(always)]
    unsafe fn square(&self, src: *const u8, dst: *mut u8, wide: usize, high: usize, stream: bool) {
        let &Job { along, across, .. } = self.job;
        let block = 16 / E;
        // What blocks cover; the rest goes element by element.
        let (w, h) = (wide / block * block, high / block * block);
        let mut tile = Tile([MaybeUninit::uninit(); LINE * LINE]);
        let tile: *mut u8 = tile.0.as_mut_ptr().cast();
        // SAFETY: blocks read positions of the square, and write rows `j` of the tile, at most 64 of 64 bytes. The rows of the tile that are copied
        // have been written as far as they are copied.
        unsafe {
            for i in (0..w).step_by(block) {
                for j in (0..h).step_by(block) {
                    let from = src.wrapping_offset(along.src * i as isize).wrapping_add(E * j);
                    L::turn::<E>(from, along.src, tile.add(LINE * j + E * i));
                }
            }
            for j in 0..h {
                let (row, to) = (tile.add(LINE * j), dst.wrapping_offset(across.dst * j as isize));
                if E * w < LINE {
                    core::ptr::copy_nonoverlapping(row, to, E * w);
                } else if stream {
                    L::stream64(row, to);
                } else {
                    core::ptr::copy_nonoverlapping(row, to, LINE);
                }
            }
            if w < wide {
                let (src, dst) = (src.wrapping_offset(along.src * w as isize), dst.wrapping_add(E * w));
                self.plain(src, dst, wide - w, h);
            }
            if h < high {
                let (src, dst) = (src.wrapping_add(E * h), dst.wrapping_offset(across.dst * h as isize));
                self.plain(src, dst, wide, high - h);
            }
        }
    }
}

/// Runs of any other size: small tiles, run by run.
struct Odd<'a> {
    job: &'a Job<'a>,
}

impl VisitPair for Odd<'_> {
    unsafe fn place(&mut self, src: isize, dst: isize) {
        const SIDE: usize = 16;
        let &Job { along, across, run, .. } = self.job;
        let (src, dst) = (self.job.src.wrapping_offset(src), self.job.dst.wrapping_offset(dst));
        for i in (0..along.n).step_by(SIDE) {
            for j in 0..across.n {
                let n = SIDE.min(along.n - i);
                let src = src.wrapping_offset(along.src * i as isize + across.src * j as isize);
                let dst = dst.wrapping_offset(along.dst * i as isize + across.dst * j as isize);
                // SAFETY: `n` positions of the job, contiguous in the destination.
                unsafe { any_nest(run, &[Axis { n, step: along.src }], src, dst) }
            }
        }
    }
}
