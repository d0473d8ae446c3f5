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

    /// Writes as many of `n` units as it has a way for, with zeros between and behind them and from `from` up to them, past the caches, and says how
    /// many: their steps are whole lines together. None, if it has no way, and then nothing is written.
    ///
    /// # Safety
    /// As for [`part`](Units::part), but for `high`: the steps of `n` units from `dst` on, and what lies from `from` up to them, can be written, and hold
    /// nothing yet; `from` and `dst` start lines. [`streams`](Units::streams) has said [`Streams::Whole`], and a fence follows.
    #[inline(always)]
    unsafe fn fresh(&self, _src: *const u8, _n: usize, _from: *mut u8, _dst: *mut u8) -> usize {
        0
    }

    /// How `n` units are streamed in whole lines, `lines` of them at the most, if the first begins `before` bytes behind the start of a line, as
    /// one of the job does. For units that said [`Streams::Lines`].
    #[inline(always)]
    fn row(&self, _n: usize, _before: usize, _lines: usize) -> Row {
        Row::default()
    }

    /// Whether a row whose first unit is at `src` can be streamed: whether all that is loaded for it lies in the source.
    #[inline(always)]
    fn fits(&self, _row: &Row, _src: *const u8) -> bool {
        false
    }

    /// Writes the lines of a row from `line` on, past the caches: units, the first of them from `src`, and zeros all around them and from `from` up to
    /// them.
    ///
    /// # Safety
    /// As for [`part`](Units::part), but for `high`: the lines, and those from `from` up to them, can be written, and hold nothing yet; `from` and `line`
    /// start lines. The row has lines, it [`fits`](Units::fits) at `src`, and its first unit, which is one of the job, is `before` bytes behind `line`, so
    /// that it is behind a multiple of the step by what all of them are. [`streams`](Units::streams) has said [`Streams::Lines`], and a fence follows.
    #[inline(always)]
    unsafe fn lined(&self, _row: &Row, _src: *const u8, _from: *mut u8, _line: *mut u8) {}
}

/// How a row of units is streamed in whole lines, wherever it is: what is the same for all rows that begin as far behind a line's start.
#[derive(Clone, Copy, Default)]
pub(crate) struct Row {
    /// How many bytes behind the start of a line the first unit is.
    pub(super) before: usize,
    /// How many lines there are, and how many units begin in them.
    pub(super) lines: usize,
    pub(super) units: usize,
    /// How many bytes of the last line are the row's.
    pub(super) last: usize,
    /// What is loaded for the first line, from the first unit's source on, and the span of all that is loaded.
    pub(super) back: isize,
    pub(super) low: isize,
    pub(super) high: isize,
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
                let row = match streams {
                    Streams::Lines => units.row(walk.n, dst.addr() % LINE, usize::MAX),
                    _ => Row::default(),
                };
                each_pair(job.outer, &mut Grounded { units, walk, streams, row, src, dst, ground });
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
    /// How the last row was streamed in lines, as the next one will be if it begins as far behind a line's start.
    row: Row,
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

    /// Streams as many units of a row as can be, if they are whole lines together; says how many.
    ///
    /// # Safety
    /// The row is one of the job; it starts a line, and all before it is written. The ground is streamed, and the units can stream
    /// [`Streams::Whole`].
    #[inline(always)]
    unsafe fn whole(&mut self, src: *const u8, dst: *mut u8) -> usize {
        let step = self.walk.dst as usize;
        // SAFETY: the caller's promise; the room is that of the steps of so many units.
        unsafe {
            let Some((from, room)) = self.ground.reach(dst) else { return 0 };
            let n = self.units.fresh(src, self.walk.n.min(room / step), from, dst);
            if n > 0 {
                self.ground.resume(dst.add(n * step));
            }
            n
        }
    }

    /// Streams the lines of a row from its unit at `dst` on, of which it has `left`. Says how many units they had, and how many of those behind go on the
    /// ground before the rest is seen to: what is too near to the source's ends to be loaded by vectors, or in a line that is not all in the
    /// destination. `tries`: how often the row was seen to before.
    ///
    /// # Safety
    /// The row is one of the job, whole, and [`alone`] in its lines, and its units before are written; the ground is streamed, and the units can
    /// stream [`Streams::Lines`].
    #[inline(always)]
    unsafe fn lined(&mut self, src: *const u8, left: usize, dst: *mut u8, tries: usize) -> (usize, usize) {
        let before = dst.addr() % LINE;
        let line = dst.wrapping_sub(before);
        let row = match tries {
            0 => {
                if before != self.row.before {
                    self.row = self.units.row(self.walk.n, before, usize::MAX);
                }
                self.row
            }
            // The source's first bytes are in the row's first lines, few enough for this, or the row goes all on the ground.
            1..=4 => self.shorter(src, left, before, line),
            _ => return (0, left),
        };
        // SAFETY: the caller's promise; the rest of a row is alone in its lines as all of it is.
        if unsafe { self.lines(&row, src, line) } {
            return (row.units, left - row.units);
        }
        // Nothing, if it was but too much.
        (0, if tries == 0 { 0 } else { (LINE - before).div_ceil(self.walk.dst as usize).min(left) })
    }

    /// As many lines, from `line` on, of a row of `left` units as can be streamed.
    #[inline(always)]
    fn shorter(&self, src: *const u8, left: usize, before: usize, line: *mut u8) -> Row {
        let room = self.ground.room(line) / LINE;
        let mut row = self.units.row(left, before, room.min(1));
        if row.lines == 1 && self.units.fits(&row, src) {
            row = self.units.row(left, before, room);
            // Loads leave the source at the ends only: what lies between them is inside.
            while row.lines > 1 && !self.units.fits(&row, src) {
                row = self.units.row(left, before, row.lines - 1);
            }
        }
        row
    }

    /// Streams a row from `line` on, if all of it lies in the destination and what is loaded for it in the source.
    ///
    /// # Safety
    /// The row is a part of one of the job, alone in its lines, with as many units as were said and the first of them from `src`; all before it is
    /// written. The rest is as for [`lined`](Grounded::lined).
    #[inline(always)]
    unsafe fn lines(&mut self, row: &Row, src: *const u8, line: *mut u8) -> bool {
        // SAFETY: nothing else of the job is in these lines, and what is on the ground so far ends before them. The lines are in the destination, if
        // there is room. The first unit is as far behind a multiple of the step as the job's first place: the units said `Lines` for steps and
        // rows that are such multiples (`scatter::straight`). `Ground::finish` has the fence.
        unsafe {
            if row.lines == 0 || !self.units.fits(row, src) {
                return false;
            }
            let Some((from, room)) = self.ground.reach(line) else { return false };
            if row.lines > room / LINE {
                return false;
            }
            self.units.lined(row, src, from, line);
            self.ground.resume(line.add(row.lines * LINE));
        }
        true
    }
}

impl<U: Units> VisitPair for Grounded<'_, '_, U> {
    #[inline(always)]
    unsafe fn place(&mut self, src: isize, dst: isize) {
        let (walk, step) = (self.walk, self.walk.dst as usize);
        let (mut src, mut dst) = (self.src.wrapping_offset(src), self.dst.wrapping_offset(dst));
        let (mut left, mut tries) = (walk.n, 0);
        // Each way to write units stands in one place, as it is much code.
        while left > 0 {
            // SAFETY: one row of the job, in parts that come in order. What `fresh` may write is before the next row's first place, and in the
            // destination, as far as it was reached. `Ground::finish` has the fence.
            unsafe {
                let (streamed, grounded) = match self.streams {
                    Streams::Lines => self.lined(src, left, dst, tries),
                    Streams::Whole if dst.addr().is_multiple_of(LINE) => {
                        let n = self.whole(src, dst);
                        (n, left - n)
                    }
                    _ => (0, left),
                };
                (src, dst) = (src.wrapping_offset(walk.src * streamed as isize), dst.wrapping_add(step * streamed));
                self.put(src, grounded, dst);
                (src, dst) = (src.wrapping_offset(walk.src * grounded as isize), dst.wrapping_add(step * grounded));
                (left, tries) = (left - streamed - grounded, tries + 1);
            }
        }
    }
}
