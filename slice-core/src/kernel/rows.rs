//! Moves long runs by whole lines past the caches, and fills them with a pattern.

use super::isa::Set;
use super::nest::{At, LINE, Line, Loop, each};
use super::prefetch::{RowNest, distance};
use super::tuning::PREFETCH_DISTANCE;
use super::vector;

/// Copies `n` bytes, whole lines of them past the caches. [`vector::fence`] must follow.
///
/// # Safety
///
/// They can be read and written, and do not overlap; the CPU has the set.
unsafe fn stream_run(src: *const u8, dst: *mut u8, n: usize, ahead: isize, set: &Set) {
    let head = (dst.addr().wrapping_neg() % LINE).min(n);
    let lines = (n - head) / LINE;
    let tail = head + LINE * lines;
    // SAFETY: head, lines and tail are the `n` bytes; the lines begin on one.
    unsafe {
        core::ptr::copy_nonoverlapping(src, dst, head);
        (set.copy_lines)(src.add(head), dst.add(head), lines, ahead);
        core::ptr::copy_nonoverlapping(src.add(tail), dst.add(tail), n - tail);
    }
}

/// Streams the runs of all positions. `dense`: in the destination they are one piece of memory.
///
/// # Safety
///
/// All runs can be read and written, and the two sides do not overlap; the CPU has the set.
pub(crate) unsafe fn stream_runs(loops: &[Loop], run: usize, at: At, (set, dense): (&Set, bool)) {
    let walk = Loop { n: run, src: 1, dst: 1 };
    let ahead = distance(&RowNest { walk, span: 1, outer: loops });
    let mut joined = Joined::new(at.1, set);
    let pitch = loops.first().map_or(1, |it| it.dst.unsigned_abs().max(1));
    let places_ahead = PREFETCH_DISTANCE.next_multiple_of(pitch);
    each(loops, at, &mut |(src, dst)| {
        // SAFETY: one of the caller's runs.
        unsafe {
            if dense {
                return joined.put(src, run, ahead);
            }
            // The line in which it begins, or ends, is not streamed.
            vector::prefetch(dst.wrapping_add(places_ahead), false);
            stream_run(src, dst, run, ahead, set)
        }
    });
    // SAFETY: the caller's promise.
    unsafe { joined.finish() }
}

/// Writes one piece of memory past the caches, run after run. Whole lines come straight from the
/// source. A line that two runs share is put together first.
pub(super) struct Joined<'a> {
    pub(super) set: &'a Set,
    line: Line,
    /// What is written next, and the first byte of its line that is in `line`.
    pub(super) to: *mut u8,
    from: usize,
}

impl Joined<'_> {
    pub(super) fn new(to: *mut u8, set: &Set) -> Joined<'_> {
        Joined { set, line: Line::EMPTY, to, from: to.addr() % LINE }
    }

    /// Writes `n` bytes to the next places.
    ///
    /// # Safety
    ///
    /// The bytes can be read at `src`, the places written; the CPU has the set.
    pub(super) unsafe fn put(&mut self, mut src: *const u8, n: usize, ahead: isize) {
        let line: *mut u8 = self.line.0.as_mut_ptr().cast();
        let (fill, set, mut left) = (self.to.addr() % LINE, self.set, n);
        // SAFETY: the bytes go to the next places: to the line that is open up to its end, to whole
        // lines, and to the next open line. Of an open line, the bytes from `from` up to its fill
        // are written, and `to` lies on a line once it is full.
        unsafe {
            if fill != 0 {
                let some = left.min(LINE - fill);
                core::ptr::copy_nonoverlapping(src, line.add(fill), some);
                (src, self.to, left) = (src.add(some), self.to.add(some), left - some);
                if fill + some < LINE {
                    return;
                }
                let (from, begin) = (self.from, self.to.sub(LINE - self.from));
                if from == 0 {
                    (set.copy_lines)(line, begin, 1, 0);
                } else {
                    core::ptr::copy_nonoverlapping(line.add(from), begin, LINE - from);
                }
            }
            (set.copy_lines)(src, self.to, left / LINE, ahead);
            let whole = left / LINE * LINE;
            core::ptr::copy_nonoverlapping(src.add(whole), line, left - whole);
            (self.to, self.from) = (self.to.add(left), 0);
        }
    }

    /// Writes what is left.
    ///
    /// # Safety
    ///
    /// As for [`put`](Self::put).
    pub(super) unsafe fn finish(self) {
        let (line, from): (*const u8, _) = (self.line.0.as_ptr().cast(), self.from);
        let n = self.to.addr() % LINE - from;
        // SAFETY: of the open line, `n` bytes from byte `from` on were written, or none.
        unsafe { core::ptr::copy_nonoverlapping(line.add(from), self.to.sub(n), n) };
        vector::fence();
    }
}

/// Fills the runs of all positions with a pattern of `bytes` bytes; `stream`: past the caches.
///
/// # Safety
///
/// The pattern can be read, and 64 bytes more that repeat it; at every position, `run` bytes can be
/// written, and none of them are read; the CPU has the set.
pub(crate) unsafe fn fill_runs(
    loops: &[Loop],
    run: usize,
    bytes: usize,
    first: At,
    (set, stream): (&Set, bool),
) {
    let src = first.0;
    each(loops, first, &mut |(_, dst)| {
        // Whole lines of a pattern go to whole lines.
        let off = dst.addr().wrapping_neg() % LINE;
        let head = if bytes.is_multiple_of(LINE) { off.min(run) } else { 0 };
        // SAFETY: parts of one of the caller's runs. They begin in the first line of the pattern.
        unsafe {
            core::ptr::copy_nonoverlapping(src, dst, head);
            let (src, mut done) = (src.add(head), head);
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
