//! The rows of every kernel that writes into a view, straight into the destination or on the ground of a gradient.

use super::grad::Ground;
use super::scatter::Job;
use crate::kernel::nest::Pair;
use crate::kernel::walk::{VisitPair, each_pair};

/// A kernel that writes one row of units, or a part of it.
pub(crate) trait Units {
    /// Writes `n` units, the first from `src` to `dst`. Up to the address `high`, bytes between the units may be stored again as they are.
    ///
    /// # Safety
    /// They are units of the job that the implementor was made for; up to `high`, the destination is initialised and nobody
    /// else's.
    unsafe fn part(&self, src: *const u8, n: usize, dst: *mut u8, high: usize);

    /// Writes as many of `n` units as it has a way for, with zeros between and behind them, past the caches, and says how many: their steps
    /// are whole lines together. None, if it has no way.
    ///
    /// # Safety
    /// As for [`part`](Units::part), but for `high`: the steps of `n` units from `dst` on, which starts a line, can be written, and hold nothing yet.
    #[inline(always)]
    unsafe fn fresh(&self, _src: *const u8, _n: usize, _dst: *mut u8) -> usize {
        0
    }
}

/// Bytes of a row that are put on the ground at a time.
const CHUNK: usize = 4 << 10;

/// Writes all rows of the job by `units`.
///
/// # Safety
/// `units` was made for the job, whose positions all lie in its source and target.
#[inline(always)]
pub(crate) unsafe fn drive<U: Units>(units: &U, job: &mut Job<'_>) {
    let (walk, src, dst, high) = (job.walk, job.src, job.dst, job.high);
    // SAFETY: `outer` counts the rows of the job.
    unsafe {
        match &mut job.ground {
            None => each_pair(job.outer, &mut Plain { units, n: walk.n, src, dst, high }),
            Some(ground) => {
                let row = walk.n * walk.dst as usize;
                let lines = ground.is_streamed() && row.is_multiple_of(64) && row <= apart(job.outer);
                each_pair(job.outer, &mut Grounded { units, walk, lines, src, dst, ground });
            }
        }
    }
}

struct Plain<'a, U> {
    units: &'a U,
    n: usize,
    src: *const u8,
    dst: *mut u8,
    high: usize,
}

impl<U: Units> VisitPair for Plain<'_, U> {
    #[inline(always)]
    unsafe fn place(&mut self, src: isize, dst: isize) {
        // SAFETY: a row of the job, whole.
        unsafe { self.units.part(self.src.wrapping_offset(src), self.n, self.dst.wrapping_offset(dst), self.high) }
    }
}

/// The fewest bytes from the start of one row to that of the next.
fn apart(outer: &[Pair]) -> usize {
    let (mut least, mut last) = (isize::MAX, 0);
    for pair in outer {
        least = least.min(pair.dst - last);
        last += pair.dst * (pair.n as isize - 1);
    }
    usize::try_from(least).unwrap_or(0)
}

struct Grounded<'a, 'g, U> {
    units: &'a U,
    walk: Pair,
    /// Whether each row is whole lines, its last step included, if its first place starts one, and nothing of the next row is in them. Such rows
    /// need no ground. (Where they begin within a line, so much has to be done at both their ends that they take longer.)
    lines: bool,
    src: *const u8,
    dst: *mut u8,
    ground: &'a mut &'g mut Ground,
}

impl<U: Units> Grounded<'_, '_, U> {
    /// Writes `n` units on the ground.
    ///
    /// # Safety
    /// They are a part of a row of the job. Rows and their parts come in the order of the destination.
    #[inline(always)]
    unsafe fn put(&mut self, src: *const u8, n: usize, dst: *mut u8) {
        let step = self.walk.dst as usize;
        let chunk = (CHUNK / step).max(1);
        let (mut src, mut dst, mut left) = (src, dst, n);
        while left > 0 {
            let n = left.min(chunk);
            // SAFETY: the ground is asked for in the order of the destination, and what it gives stands for the destination up to `high`. The
            // last unit of a part needs no more than a step.
            unsafe {
                let (place, high) = self.ground.place(dst, n * step);
                self.units.part(src, n, place, high);
            }
            left -= n;
            (src, dst) = (src.wrapping_offset(self.walk.src * n as isize), dst.wrapping_add(step * n));
        }
    }
}

impl<U: Units> VisitPair for Grounded<'_, '_, U> {
    #[inline(always)]
    unsafe fn place(&mut self, src: isize, dst: isize) {
        let (walk, step) = (self.walk, self.walk.dst as usize);
        let (src, dst) = (self.src.wrapping_offset(src), self.dst.wrapping_offset(dst));
        // SAFETY: one row of the job, in up to two parts. What `fresh` may write is before the next row's first place, and in the destination.
        unsafe {
            let mut n = 0;
            if self.lines
                && let Some(room) = self.ground.reach(dst)
            {
                n = self.units.fresh(src, walk.n.min(room / step), dst);
                self.ground.skip(n * step);
            }
            self.put(src.wrapping_offset(walk.src * n as isize), walk.n - n, dst.wrapping_add(step * n));
        }
    }
}
