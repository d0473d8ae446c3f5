//! Rows of at least a line that do not fit the caches: whole lines go straight from the source past the caches, and a line that two
//! rows share is mixed from both.
//!
//! Rows seldom end where lines do. To put all of them together in a buffer costs a load and a store a vector; to store the ends
//! plainly makes the cache read those lines first. (The shared lines alone in a buffer of one line were tried: loads of what two stores have
//! just written wait for all stores before them, and once in eight runs of a program everything took three times as long, on Zen 3.)

use core::marker::PhantomData;

use super::gap::Gap;
use super::runs::Job;
use crate::kernel::movers::lines;
use crate::kernel::vector::{Kernel, Level};
use crate::kernel::walk::{Visit, each_row};

/// Bytes of a line, and the least of a row.
pub(crate) const LINE: usize = 64;

/// The kernel.
pub(crate) struct Carry<'a, L> {
    job: &'a Job<'a>,
    level: PhantomData<L>,
}

impl<'a, L> Carry<'a, L> {
    /// For a job of runs of at least a [`LINE`].
    pub(crate) fn new(job: &'a Job<'a>) -> Self {
        debug_assert!(job.run >= LINE);
        Carry { job, level: PhantomData }
    }
}

impl<L: Level> Kernel for Carry<'_, L> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        let job = self.job;
        let gap = Gap::new((0, job.run as isize), false, job.axes, 0, true);
        let mut rows = Rows::<L> { job, gap, tail: job.src, left: 0, to: job.dst, level: PhantomData };
        // SAFETY: the rows of the job's nest, which the caller of `runs` vouches for; in the end what is left is the end of the
        // destination.
        unsafe {
            each_row(job.axes, job.run, &mut rows);
            core::ptr::copy_nonoverlapping(rows.tail, rows.to, rows.left);
        }
        L::fence();
    }
}

struct Rows<'a, L> {
    job: &'a Job<'a>,
    gap: Gap,
    /// The end of the row before that has not been written, less than a line.
    tail: *const u8,
    left: usize,
    /// Where it goes: the start of a line, once the first row has come to one.
    to: *mut u8,
    level: PhantomData<L>,
}

impl<L: Level> Rows<'_, L> {
    /// Writes the line that the row before has begun, and the row at `start` ends.
    ///
    /// # Safety
    /// There is such a line, `to` its place, and the row can be read.
    #[inline(always)]
    unsafe fn shared(&mut self, start: *const u8) {
        // SAFETY: both rows are at least a line long, and the one before ends `left` bytes behind `tail`, less than a line.
        unsafe { L::mix64(self.tail.add(self.left), start, self.left, self.to) }
    }
}

impl<L: Level> Visit for Rows<'_, L> {
    #[inline(always)]
    unsafe fn row(&mut self, src: isize, _: usize) {
        let run = self.job.run;
        let start = self.job.src.wrapping_offset(src);
        let mut at = 0;
        // SAFETY: a row of the nest, of at least a line. The destination is written from its first byte on, `run` bytes a row, of which
        // `left` are still to be written between rows. Only the first row finds `to` anywhere but at the start of a line.
        unsafe {
            if self.left > 0 {
                self.shared(start);
                at = LINE - self.left;
                self.to = self.to.add(LINE);
            } else if !self.to.addr().is_multiple_of(LINE) {
                at = LINE - self.to.addr() % LINE;
                core::ptr::copy_nonoverlapping(start, self.to, at);
                self.to = self.to.add(at);
            }
            let straight = lines::<L>(start.add(at), self.to, run - at);
            (self.to, at) = (self.to.add(straight), at + straight);
            (self.tail, self.left) = (start.add(at), run - at);
            self.gap.read(self.job.src, src);
        }
    }
}
