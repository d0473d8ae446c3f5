//! Moves long runs: by `memcpy`, by whole lines past the caches, or as a repeated pattern.

use super::isa::Set;
use super::moves::long;
use super::nest::{Line, Loop, each};
use super::piece::Period;
use super::prefetch::{RowNest, distance};
use super::vector;

/// Copies `walk.n` bytes of each of `rows`; a [`MoveRows`](super::moves::MoveRows)
/// whose positions are bytes.
///
/// # Safety
///
/// The bytes can be read and written, and the two sides do not overlap.
pub(crate) unsafe fn bytes(src: *const u8, dst: *mut u8, _: usize, walk: &Loop, rows: &Loop) {
    let (mut src, mut dst) = (src, dst);
    for _ in 0..rows.n {
        // SAFETY: one of the rows. The pointers move past the last one unused.
        unsafe { long(src, dst, walk.n) };
        (src, dst) = rows.after(1, src, dst);
    }
}

/// Copies `n` bytes, whole lines of them past the caches. [`vector::fence`] must follow.
///
/// # Safety
///
/// They can be read and written, and do not overlap; the CPU has the set.
unsafe fn stream_run(src: *const u8, dst: *mut u8, n: usize, ahead: isize, set: &Set) {
    let head = (dst.addr().wrapping_neg() % 64).min(n);
    let lines = (n - head) / 64;
    let tail = head + 64 * lines;
    // SAFETY: head, lines and tail are the `n` bytes; the lines begin on one.
    unsafe {
        core::ptr::copy_nonoverlapping(src, dst, head);
        (set.copy_lines)(src.add(head), dst.add(head), lines, ahead);
        core::ptr::copy_nonoverlapping(src.add(tail), dst.add(tail), n - tail);
    }
}

/// Runs of `run` bytes as rows of bytes.
pub(super) fn long_runs(loops: &[Loop], run: usize, src: *const u8, dst: *mut u8) -> RowNest<'_> {
    RowNest { walk: Loop { n: run, src: 1, dst: 1 }, span: 1, outer: loops, src, dst }
}

/// Streams the runs of all positions.
///
/// # Safety
///
/// All runs can be read and written, and the two sides do not overlap; the CPU has the set.
pub(crate) unsafe fn stream_runs(runs: &RowNest<'_>, set: &Set) {
    let (&RowNest { outer, src, dst, .. }, run, ahead) = (runs, runs.walk.n, distance(runs));
    each(outer, &mut |from, to| {
        // SAFETY: one of the caller's runs.
        unsafe { stream_run(src.wrapping_offset(from), dst.wrapping_offset(to), run, ahead, set) }
    });
    vector::fence();
}

/// Streams the runs of all positions, which are one piece of memory in the destination. Whole lines
/// come straight from the source. A line that two runs share is put together first.
///
/// # Safety
///
/// All runs can be read and written, and the two sides do not overlap; the positions follow each
/// other from `dst` on; the CPU has the set.
pub(crate) unsafe fn stream_joined(runs: &RowNest<'_>, set: &Set) {
    let (&RowNest { outer, src, dst, .. }, run, ahead) = (runs, runs.walk.n, distance(runs));
    let mut line = Line::EMPTY;
    let line: *mut u8 = line.0.as_mut_ptr().cast();
    // What is written next, and the first byte of its line that is in `line`.
    let (mut to, mut from) = (dst, dst.addr() % 64);
    each(outer, &mut |at, _| {
        let (mut src, mut left) = (src.wrapping_offset(at), run);
        // SAFETY: the bytes of a run go to the next places: to the line that is open up to its end,
        // to whole lines, and to the next open line. Of an open line, the bytes from `from` up to
        // its fill are written, and `to` lies on a line once it is full.
        unsafe {
            let fill = to.addr() % 64;
            if fill != 0 {
                let some = left.min(64 - fill);
                core::ptr::copy_nonoverlapping(src, line.add(fill), some);
                (src, to, left) = (src.add(some), to.add(some), left - some);
                if fill + some < 64 {
                    return;
                }
                if from == 0 {
                    (set.copy_lines)(line, to.sub(64), 1, 0);
                } else {
                    core::ptr::copy_nonoverlapping(line.add(from), to.sub(64 - from), 64 - from);
                }
            }
            (set.copy_lines)(src, to, left / 64, ahead);
            let whole = left / 64 * 64;
            core::ptr::copy_nonoverlapping(src.add(whole), line, left - whole);
            (to, from) = (to.add(left), 0);
        }
    });
    let fill = to.addr() % 64;
    if fill > from {
        // SAFETY: the open line was written from byte `from` to byte `fill`.
        unsafe { core::ptr::copy_nonoverlapping(line.add(from), to.sub(fill - from), fill - from) };
    }
    vector::fence();
}

/// Fills the runs of all positions with a repeated pattern; past the caches, if `stream` says so.
///
/// # Safety
///
/// The pattern can be read, and 64 bytes more that repeat it; at every position, `run` bytes can be
/// written, and none of them are read; the CPU has the set.
pub(crate) unsafe fn fill_runs(
    loops: &[Loop],
    run: usize,
    Period { bytes, same_lines }: Period,
    src: *const u8,
    dst: *mut u8,
    (set, stream): (&Set, bool),
) {
    each(loops, &mut |_, to| {
        let dst = dst.wrapping_offset(to);
        // Whole lines of a pattern go to whole lines.
        let head = if bytes % 64 == 0 { (dst.addr().wrapping_neg() % 64).min(run) } else { 0 };
        // SAFETY: parts of one of the caller's runs. They begin in the first line of the pattern.
        unsafe {
            core::ptr::copy_nonoverlapping(src, dst, head);
            let src = src.add(head);
            let mut done = head;
            if same_lines && !stream {
                let lines = (run - head) / 64;
                (set.fill_lines)(src, dst.add(head), lines);
                done += 64 * lines;
            }
            while done < run {
                let (to, n) = (dst.add(done), bytes.min(run - done));
                if stream {
                    stream_run(src, to, n, 0, set);
                } else {
                    core::ptr::copy_nonoverlapping(src, to, n);
                }
                done += n;
            }
        }
    });
    if stream {
        vector::fence();
    }
}
