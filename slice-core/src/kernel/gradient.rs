//! Gradients in one pass past the caches: values at the places, and zeros between them.
//!
//! A result is one piece of memory. Long runs and zeros are written one after the other. Of short
//! runs, each block of the inner loops that fits a buffer of zeros is moved there by the kernel of
//! an ordinary copy; the buffer is streamed, and what was written is made zeros again.
//!
//! A load waits for stores under way whose addresses have the same lowest 12 bits. The buffer lies
//! in its page as the result does, so it waits for none of the last 4 KiB of the same block.

use super::moves::fills_rows;
use super::nest::{LINE, Line, Loop, Nest, Stack, each, place_reach};
use super::piece::{Class, Piece, Sink};
use super::rows::Joined;
use super::run::Kernel;
use super::select::class;
use super::tuning::{LONG_MOVE, PREFETCH_DISTANCE, STAGE};
use super::{How, Side, Transfer, View, share_out, small, transfer};
use core::mem::MaybeUninit;

/// Bytes after which addresses have the same lowest bits.
const PAGE: usize = 4096;
/// Bytes behind the last block, which vectors may write again.
const SLACK: usize = 64;
const LINES: usize = (PAGE + STAGE + SLACK) / LINE;

/// Does the job, and writes `zero` to all of the destination's buffer where the job writes nothing.
///
/// # Safety
///
/// As for [`transfer`]. The source has no gaps, and an element for each position; no two positions
/// share memory. The destination is `whole`: all of it can be written, and need not be initialised.
/// The source and `zero`, which is an element, lie outside of it.
pub(crate) unsafe fn grad(job: &Transfer<'_>, zero: *const u8, how: How) {
    debug_assert!(job.dst.whole, "zeros go between the places");
    let &Transfer { shape, elem, src: Side { len, .. }, dst, .. } = job;
    let all = Loop { n: dst.len, src: 0, dst: elem as isize };
    let few = dst.len * elem < how.streamed.min(how.parallel);
    let strides = dst.strides.unwrap_or_default();
    let (view, from) = (View { shape, strides, offset: dst.offset }, (job.src.start, len));
    // SAFETY: the caller's promise.
    unsafe {
        if len != dst.len {
            if few && fills_rows(elem, &all) {
                (how.set.fill)((zero, dst.start), elem, &all, &Loop::ONE);
            } else if in_one_pass(job, zero, how) {
                return;
            } else {
                let src = Side { strides: Some(&[]), ..Side::dense(zero, 1) };
                let dst = Side::dense(dst.start, dst.len);
                transfer(&Transfer { shape: &[dst.len], elem, src, dst }, how);
            }
        }
        if !few || !small::copy::<{ small::SCATTER }>(view, elem, from, (dst.start, dst.len)) {
            transfer(job, how);
        }
    }
}

/// [`grad`] in one pass past the caches, if that is worth it; else `false`, with nothing done.
///
/// # Safety
///
/// As for [`grad`].
unsafe fn in_one_pass(job: &Transfer<'_>, zero: *const u8, how: How) -> bool {
    let &Transfer { shape, elem, src, dst } = job;
    let bytes = dst.len * elem;
    let mut nest = Nest::new();
    let possible = bytes >= how.streamed
        && matches!(elem, 1 | 2 | 4 | 8 | 16)
        && nest.merge(shape, src.strides, dst.strides, elem)
        && how.streams(bytes, || (nest.total, bytes))
        && nest.sort();
    if !possible {
        return false;
    }
    let (readable, limit) = job.bounds();
    let (start, dense) = (dst.start, false);
    let piece = Piece { readable, limit, start, dense, ..Piece::new(&nest, job.first(), how.set) };
    let mut line = Line::EMPTY;
    for i in 0..LINE {
        // SAFETY: one of the bytes of `zero`. Each line of the result's zeros is this one.
        let byte = unsafe { zero.add(i % elem).cast::<MaybeUninit<u8>>().read() };
        line.0[start.addr().wrapping_add(i) % LINE] = byte;
    }
    // SAFETY: the caller's promise holds for each part, which is all from its start to its limit.
    // Elements are moved as bits, which any thread may do.
    unsafe { share_out(&piece, how, bytes, &|part| write(part, class(part), &line)) }
    true
}

/// Writes all of a piece from its start to its limit: its positions, in blocks by the kernel of a
/// class or a simpler one, and zeros between them.
///
/// # Safety
///
/// All of that can be written, and every position read, within what is readable; the two sides do
/// not overlap. Runs of other classes than `Rows` have at most [`LONG_MOVE`] bytes.
pub(super) unsafe fn write(piece: &Piece<'_>, class: Class, zeros: &Line) {
    let &Piece { loops, run, src, dst, set, start, limit, .. } = piece;
    let mut buffer = [Line::EMPTY; LINES];
    let buffer = buffer.as_mut_ptr().cast();
    let mut stage = Stage { joined: Joined::new(start, set), buffer, zeros };
    // SAFETY: the caller's promise: the places follow each other, and all between them is written.
    unsafe {
        stage.clear(0, LINES);
        if class == Class::Rows {
            each(loops, (src, dst), &mut |(src, dst)| {
                stage.zeros(dst.addr());
                stage.joined.put(src, run, PREFETCH_DISTANCE as isize);
            });
        } else {
            stage.blocks(piece, class);
        }
        stage.zeros(limit);
        stage.joined.finish();
    }
}

/// The buffer, and how far the result is written.
struct Stage<'a> {
    joined: Joined<'a>,
    /// Zeros, except while a block is in it.
    buffer: *mut u8,
    /// A line of zeros.
    zeros: &'a Line,
}

impl Stage<'_> {
    /// Where the next bytes of the result lie in the buffer.
    fn place(&self) -> *mut u8 {
        self.buffer.wrapping_add(self.joined.to.addr().wrapping_sub(self.buffer.addr()) % PAGE)
    }

    /// Makes lines of the buffer zeros.
    ///
    /// # Safety
    ///
    /// The buffer has `end` lines.
    unsafe fn clear(&mut self, begin: usize, end: usize) {
        let at = (self.zeros.0.as_ptr().cast(), self.buffer.wrapping_add(LINE * begin));
        let all = Loop { n: (end - begin) * (LINE / 16), src: 0, dst: 16 };
        // SAFETY: the caller's promise. The first 16 bytes of the line are one zero or more.
        unsafe { (self.joined.set.fill)(at, 16, &all, &Loop::ONE) }
    }

    /// Writes zeros up to `to`.
    ///
    /// # Safety
    ///
    /// They can be written; the CPU has the set.
    unsafe fn zeros(&mut self, to: usize) {
        while let left @ 1.. = to - self.joined.to.addr() {
            // SAFETY: the buffer has as many bytes from any place in its first page on.
            unsafe { self.joined.put(self.place(), left.min(STAGE), 0) };
        }
    }

    /// Writes the positions of a piece with short runs, and zeros between them.
    ///
    /// # Safety
    ///
    /// As for [`write`].
    unsafe fn blocks(&mut self, piece: &Piece<'_>, class: Class) {
        let &Piece { loops, run, src, dst, .. } = piece;
        // A block is all of the inner loops, and as many positions of the next one as fit. A run
        // does, and so does a unit, which is at most half a vector.
        const { assert!(LONG_MOVE <= STAGE) };
        let reach_of = |inner: usize| place_reach(&loops[..inner], run);
        let inner = (0..=loops.len()).rfind(|&inner| reach_of(inner) <= STAGE).unwrap_or(0);
        let reach = reach_of(inner);
        let cut = *loops.get(inner).unwrap_or(&Loop::ONE);
        let most = ((STAGE - reach) / cut.dst.unsigned_abs().max(1) + 1).min(cut.n);
        let class = if matches!(class, Class::Shuffle { .. }) { class } else { Class::Moves };
        let mut some = [Stack::<Loop>::new(), Stack::new()];
        for (some, n) in some.iter_mut().zip([most, cut.n % most]) {
            loops[..inner].iter().for_each(|it| some.push(*it));
            some.push(Loop { n, ..cut });
        }
        let limit = self.buffer.addr() + LINE * LINES;
        let [block, rest] = some.each_ref().map(|it| Piece { loops: it.items(), limit, ..*piece });
        let bytes = |n: usize| reach + cut.dst.unsigned_abs() * (n - 1);
        let outer = loops.get(inner + 1..).unwrap_or(&[]);
        let mut go = |block: &Kernel<'_>, rest: &Kernel<'_>| {
            each(outer, (src, dst), &mut |first| {
                for at in (0..cut.n).step_by(most) {
                    let n = most.min(cut.n - at);
                    let (src, dst) = cut.after(at, first);
                    let kernel = if n == most { block } else { rest };
                    // SAFETY: some of the caller's positions, and as much room as they take: a
                    // block begins in the first page of the buffer.
                    unsafe {
                        self.zeros(dst.addr());
                        let place = self.place();
                        kernel.run_at((src, place));
                        self.joined.put(place, bytes(n), 0);
                        let begin = place.addr() - self.buffer.addr();
                        self.clear(begin / LINE, (begin + bytes(n)).div_ceil(LINE));
                    }
                }
            });
        };
        make(&block, class, &mut |block| {
            if cut.n % most == 0 {
                go(block, block)
            } else {
                make(&rest, class, &mut |rest| go(block, rest))
            }
        });
    }
}

/// Makes the kernel of a class for a block, or a simpler one.
fn make(block: &Piece<'_>, class: Class, then: &mut dyn FnMut(&Kernel<'_>)) {
    let made = Kernel::make(block, class, Sink::Direct, then)
        || Kernel::make(block, Class::Moves, Sink::Direct, then);
    debug_assert!(made, "moves fit every block");
}
