//! The rows of every kernel that writes into a view, straight into the destination or on the ground of a gradient.

use super::gap::Gap;
use super::grad::Ground;
use super::scatter::Job;
use crate::kernel::nest::{Axis, Pair};
use crate::kernel::walk::{VisitPair, each_pair};

/// A kernel that writes one row of units, or a part of it.
pub(crate) trait Units {
    /// Writes `n` units, the first from `src` to `dst`. Up to the address `high`, bytes between the units may be stored again as they are.
    ///
    /// # Safety
    /// They are units of the job that the implementor was made for; up to `high`, the destination is initialised and nobody
    /// else's.
    unsafe fn part(&self, src: *const u8, n: usize, dst: *mut u8, high: usize);

    /// How [`fresh`](Units::fresh) and [`lined`](Units::lined) can write rows of the job, if at all.
    #[inline(always)]
    fn streams(&self) -> Streams {
        Streams::Nothing
    }

    /// Writes as many of `n` units as it has a way for, with zeros between and behind them, past the caches, and says how many: their steps
    /// are whole lines together. None, if it has no way.
    ///
    /// # Safety
    /// As for [`part`](Units::part), but for `high`: the steps of `n` units from `dst` on, which starts a line, can be written, and hold nothing yet.
    /// [`streams`](Units::streams) has said [`Streams::Whole`], and a fence follows.
    #[inline(always)]
    unsafe fn fresh(&self, _src: *const u8, _n: usize, _dst: *mut u8) -> usize {
        0
    }

    /// Writes up to `lines` whole lines from `line` on, which starts one, past the caches: units, the first of `n` from `src` to `before` bytes
    /// behind `line`, and zeros all around them. Says how many lines those are, and how many units begin in them; nothing, if it has no way.
    ///
    /// # Safety
    /// As for [`part`](Units::part), but for `high`: the lines can be written, and hold nothing yet. `n` is not 0, and `before` is less than a line: where
    /// a unit of the job begins, so that it is behind a multiple of the step by what all of them are. [`streams`](Units::streams) has said
    /// [`Streams::Lines`], and a fence follows.
    #[inline(always)]
    unsafe fn lined(
        &self,
        _src: *const u8,
        _n: usize,
        _line: *mut u8,
        _before: usize,
        _lines: usize,
    ) -> (usize, usize) {
        (0, 0)
    }
}

/// What a kernel can stream as it makes it, without a ground to put it on.
#[derive(Clone, Copy)]
pub(crate) enum Streams {
    Nothing,
    /// Units whose steps are whole lines together, if the first starts one.
    Whole,
    /// Units wherever they begin and end.
    Lines,
}

impl Streams {
    /// What of it holds for rows along `walk`, `outer` apart.
    #[inline(always)]
    fn of(self, walk: Pair, outer: &[Pair]) -> Streams {
        let row = walk.n * walk.dst as usize;
        match self {
            Streams::Lines if alone(walk, outer) => self,
            Streams::Lines | Streams::Whole if row.is_multiple_of(LINE) && row <= apart(outer) => Streams::Whole,
            _ => Streams::Nothing,
        }
    }
}

/// Whether no two rows, with their last steps, lie in the same line, wherever they begin.
pub(super) fn alone(walk: Pair, outer: &[Pair]) -> bool {
    walk.n * walk.dst as usize + 2 * LINE <= apart(outer)
}

const LINE: usize = 64;

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
            None => {
                let gap = values(job);
                each_pair(job.outer, &mut Plain { units, n: walk.n, src, dst, high, gap });
            }
            Some(ground) => {
                let streams = if ground.is_streamed() { units.streams().of(walk, job.outer) } else { Streams::Nothing };
                each_pair(job.outer, &mut Grounded { units, walk, streams, src, dst, ground });
            }
        }
    }
}

/// What is asked for beside the values of a row.
#[inline(always)]
pub(super) fn values(job: &Job<'_>) -> Gap {
    match job.outer {
        [next, ..] => Gap::of_rows(job.run, job.walk.n, job.walk.src, Axis { n: next.n, step: next.src }, job.stream),
        [] => Gap::Nothing,
    }
}

struct Plain<'a, U> {
    units: &'a U,
    n: usize,
    src: *const u8,
    dst: *mut u8,
    high: usize,
    gap: Gap,
}

impl<U: Units> VisitPair for Plain<'_, U> {
    #[inline(always)]
    unsafe fn place(&mut self, src: isize, dst: isize) {
        // SAFETY: a row of the job, whole, whose values are one of the source's rows.
        unsafe {
            self.units.part(self.src.wrapping_offset(src), self.n, self.dst.wrapping_offset(dst), self.high);
            self.gap.read_seldom(self.src, src);
        }
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
    /// What is streamed of each row.
    streams: Streams,
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

    /// Streams whole lines of a row, and puts on the ground what lies in a line with something else or is too near to the source's ends to be
    /// loaded by vectors.
    ///
    /// # Safety
    /// The row is one of the job, whole, and [`alone`] in its lines; the ground is streamed, and the units can stream [`Streams::Lines`].
    #[inline(always)]
    unsafe fn lined(&mut self, src: *const u8, dst: *mut u8) {
        let (walk, step) = (self.walk, self.walk.dst as usize);
        let (mut src, mut dst, mut left) = (src, dst, walk.n);
        // The source's first bytes are in the row's first lines, few enough for this, or the row goes all on the ground.
        for _ in 0..4 {
            let before = dst.addr() % LINE;
            // SAFETY: nothing else of the job is in these lines, and what is on the ground so far ends before them. The lines that there is room for are in
            // the destination. `left` units are, the first of them at `dst`, which is as far behind a multiple of the step as the job's first place:
            // the units said `Lines` for steps and rows that are such multiples (`scatter::straight`). `Ground::finish` has the fence.
            unsafe {
                if let Some(room) = self.ground.reach(dst.wrapping_sub(before)) {
                    let (lines, n) = self.units.lined(src, left, dst.wrapping_sub(before), before, room / LINE);
                    if lines > 0 {
                        self.ground.skip(lines * LINE);
                        (src, dst) = (src.wrapping_offset(walk.src * n as isize), dst.wrapping_add(step * n));
                        left -= n;
                        break;
                    }
                }
                let n = (LINE - before).div_ceil(step).min(left);
                self.put(src, n, dst);
                (src, dst) = (src.wrapping_offset(walk.src * n as isize), dst.wrapping_add(step * n));
                left -= n;
            }
            if left == 0 {
                return;
            }
        }
        // SAFETY: the rest of the row.
        unsafe { self.put(src, left, dst) }
    }
}

impl<U: Units> VisitPair for Grounded<'_, '_, U> {
    #[inline(always)]
    unsafe fn place(&mut self, src: isize, dst: isize) {
        let (walk, step) = (self.walk, self.walk.dst as usize);
        let (src, dst) = (self.src.wrapping_offset(src), self.dst.wrapping_offset(dst));
        // SAFETY: one row of the job, in up to two parts. What `fresh` may write is before the next row's first place, and in the destination, as
        // far as it was reached. `Ground::finish` has the fence.
        unsafe {
            let mut n = 0;
            match self.streams {
                Streams::Lines => return self.lined(src, dst),
                Streams::Whole if dst.addr().is_multiple_of(LINE) => {
                    let room = self.ground.reach(dst).unwrap_or(0);
                    n = self.units.fresh(src, walk.n.min(room / step), dst);
                    self.ground.skip(n * step);
                }
                _ => {}
            }
            self.put(src.wrapping_offset(walk.src * n as isize), walk.n - n, dst.wrapping_add(step * n));
        }
    }
}
