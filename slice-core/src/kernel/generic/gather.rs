//! Which kernel a gather takes.

use super::permute::{self, Table, estimate};
use super::{gap, runs, stage, steps, transpose};
use core::mem::MaybeUninit;

use crate::kernel::isa::{self, Maker};
use crate::kernel::nest::{self, Axis, Pair, extent};
use crate::kernel::vector::{Base, Level, Vector};

/// A gather of more than a few bytes: a merged nest with at least one axis.
pub(crate) struct Job<'a> {
    /// Innermost first.
    pub axes: &'a [Axis],
    pub run: usize,
    /// Byte of the first position in the source, and the source.
    pub start: usize,
    pub src: *const u8,
    pub src_bytes: usize,
    pub dst: *mut u8,
    pub total: usize,
    pub stream: bool,
}

impl Job<'_> {
    /// Streaming saves the read of the lines that are written. Where most of a line that is read is left out, that is little beside the
    /// input, and single moves have to be staged for it: no streaming then (Zen 3, from memory: 0.98 to 1.15 times faster).
    /// `tables`: the set has some for bytes that stream by themselves; `halves`: for runs of 16 bytes, which need not be staged where rows stream straight
    /// (Zen 3, from memory: 0.84 to 0.98 of the time; staged ones 1.08 to 1.24). Longer runs use up most of the lines they lie in, however far
    /// apart they are.
    fn unless_sparse(&self, tables: bool, halves: bool) -> Job<'_> {
        let (run, Axis { n, step }) = (self.run, self.axes[0]);
        let step = step.unsigned_abs();
        let whole = tables || halves && run == 16 && stage::straight(run * n, self.dst);
        let sparse = step / 5 >= run && !(tables && run < 4) || step >= 32 && step / 2 >= run && !whole;
        Job { stream: self.stream && !(sparse && run <= 16), ..*self }
    }

    /// Streaming saves nothing where the moves take longer than the memory, which they do without vectors: bytes but for every second one, and
    /// words of which most are left out (Zen 5: bytes reversed 1.2, every fourth word 1.02 to 1.15 times faster so; measured there alone).
    fn unless_busy(&self) -> Job<'_> {
        let (run, step) = (self.run, self.axes[0].step);
        let busy = run == 1 && step != 2 || run <= 16 && step.unsigned_abs() >= 4 * run;
        Job { stream: self.stream && !busy, ..*self }
    }

    /// The same as moves of runs.
    fn moves(&self) -> runs::Job<'_> {
        let src = self.src.wrapping_add(self.start);
        runs::Job { axes: self.axes, run: self.run, src, dst: self.dst, total: self.total, stream: self.stream }
    }
}

/// Short runs far apart are missed in the caches one by one. A load that crosses two missing lines waits for both, and wide loads
/// cross more often: 16-byte ones are up to twice as fast there (Zen 4: 4096 rows of 64 bytes in 18 instead of 39 µs).
const NARROW: usize = 128;
const APART: usize = 1024;

/// Plain moves, for sets without shuffles.
///
/// # Safety
/// The CPU has `L`'s set. All positions of the nest lie inside the source; `dst` is good for `total` bytes, which is what the nest comes to, and does not overlap it.
unsafe fn plain<L: Level>(job: &Job<'_>) {
    // SAFETY: the caller's promise.
    if unsafe { turned::<L>(job) } {
        return;
    }
    let job = job.moves();
    // SAFETY: the caller's promise; `start` is the nest's first position; every CPU has the base set; short rows have two axes or more.
    unsafe {
        if short_rows(&job) && runs::words(&job) {
            return;
        }
        if steps::steps(&job) {
            return;
        }
        if job.run <= NARROW && job.axes[0].step.unsigned_abs() >= APART {
            runs::runs::<Base>(&job)
        } else {
            runs::runs::<L>(&job)
        }
    }
}

/// Whether rows are so short that what the loops for them do at their beginnings and ends takes longer than moving them word by word, which has next
/// to none of it. (Zen 3, 1100 and 8000 rows of 5 to 32 words in 0.3 to 0.95 of the time, by the base set 0.3 to 0.95 too; reversals of 48 words
/// and more would lose. Shorter ones have kernels of their own.) Nor are they far apart, which other loops have remedies for.
fn short_rows(job: &runs::Job<'_>) -> bool {
    let Axis { n, step } = job.axes[0];
    let near = step.unsigned_abs().div_ceil(8) <= job.run && gap::near(job.axes);
    !job.stream && job.axes.len() > 1 && (5..=32).contains(&n) && near
}

/// So many words of short rows are moved before the tables of AVX2 are made. (Zen 3: 1200 to 2000 bytes or 16-bit words in 0.5 to 0.9 of the time.)
const FEW: usize = 2048;

/// Does the gather if it is a transposed one, whose inner axis jumps from line to line while an outer one runs along them.
///
/// # Safety
/// As for [`plain`].
unsafe fn turned<L: Level>(job: &Job<'_>) -> bool {
    let step = job.axes[0].step.unsigned_abs();
    if job.run > 16 || step < 16 * job.run || job.total < TURNED || job.axes.len() < 2 {
        return false;
    }
    let mut room = nest::room::<Pair>();
    let mut dst = job.run as isize;
    for (slot, axis) in room.iter_mut().zip(job.axes) {
        *slot = MaybeUninit::new(Pair { n: axis.n, src: axis.step, dst });
        dst = dst.wrapping_mul(axis.n as isize);
    }
    // SAFETY: the loop has written one pair for every axis.
    let pairs = unsafe { core::slice::from_raw_parts_mut(room.as_mut_ptr().cast::<Pair>(), job.axes.len()) };
    let (mut src, mut dst) = (job.src.wrapping_add(job.start), job.dst);
    let Some((along, across, left)) = transpose::find(pairs, job.run, &mut src, &mut dst) else { return false };
    let (run, stream) = (job.run, job.stream);
    let job = transpose::Job { src, dst, run, along, across, outer: &pairs[..left], stream };
    // SAFETY: the pairs are the positions of the nest, in the source and in the destination in order.
    unsafe { transpose::transpose::<L>(&job) };
    true
}

/// Smaller transposed copies stay in the first-level cache, whatever their order.
const TURNED: usize = 4 << 10;

/// Base instructions only.
///
/// # Safety
/// As for [`plain`].
pub(crate) unsafe fn portable(job: &Job<'_>) {
    let job = &if isa::maker() == Maker::NewAmd { job.unless_busy() } else { job.unless_sparse(false, false) };
    // SAFETY: the caller's promise; every CPU has the base set.
    unsafe { plain::<Base>(job) }
}

/// With the shuffles of `V`, or those of `H`, whose vectors are half as long, where these do as well or better: rows have gaps, or `H` has a loop for
/// the step. Memory is then what takes the time, and it takes 64-byte loads that cross lines worse than 32-byte ones (Zen 4: by 1.1 to 2
/// times). That holds for words alone; bytes are shuffled much faster by the larger set.
///
/// # Safety
/// As for [`plain`]; the CPU has both sets.
pub(crate) unsafe fn wide<V: Vector, H: Vector>(job: &Job<'_>) {
    let moves = job.moves();
    let looped = !job.stream && steps::better::<H>(&moves) && !halves(job);
    let halved = looped || job.stream && job.run.is_multiple_of(4) && gap::any(job.axes, job.run);
    // SAFETY: the caller's promise.
    unsafe {
        if looped && near(job) && steps::long_steps::<V>(&moves) {
            return;
        }
        if halved { vectors::<H>(job) } else { vectors::<V>(job) }
    }
}

/// Whether every second element is wanted of so much that tables do better than the loop for that step, whose four loads a round are foreseen
/// worse: out of the second-level cache (Zen 5: 0.80 to 0.97 of the time; nearer 1.1 and more, further 1.02; steps of 3 lose in any case).
/// Not measured on others.
fn halves(job: &Job<'_>) -> bool {
    let between = (128 << 10..=384 << 10).contains(&job.total);
    between && job.axes[0].step == 2 * job.run as isize && isa::maker() == Maker::NewAmd
}

/// Whether source and result are in the first-level cache. There, loops with constant steps pay by 64-byte vectors (Zen 5: 3 to 24 KiB of `f32` reversed,
/// or every second one, in 0.65 to 0.95 of the time of 32-byte ones, bytes at steps of 8 in 0.3); further out they lose up to 1.15 times,
/// and for bytes 16 apart 1.6 times. Not measured on others.
fn near(job: &Job<'_>) -> bool {
    /// Of 48 KiB.
    const NEAR: usize = 40 << 10;
    let (first, last) = extent(job.axes, job.run);
    isa::maker() == Maker::NewAmd
        && last.abs_diff(first).saturating_add(job.total) <= NEAR
        && job.axes[0].step < 16 * job.run as isize
}

/// With shuffles.
///
/// # Safety
/// As for [`plain`].
pub(crate) unsafe fn vectors<V: Vector>(job: &Job<'_>) {
    let job = &job.unless_sparse(!V::CONSTANTS, V::CONSTANTS);
    // SAFETY: the caller's promise.
    unsafe {
        let moves = job.moves();
        if V::CONSTANTS && job.total.div_ceil(FEW) <= job.run && short_rows(&moves) && runs::words(&moves) {
            return;
        }
        if V::CONSTANTS && !job.stream && steps::long_steps::<V>(&moves) {
            return;
        }
    }
    if let Some(m) = period::<V>(job) {
        let (inner, walk, outer) = (&job.axes[..m], job.axes[m], &job.axes[m + 1..]);
        let &Job { run, src, src_bytes, dst, total, stream, .. } = job;
        let job =
            permute::Job { inner, walk, outer, run, start: job.start as isize, src, src_bytes, dst, total, stream };
        let mut room = permute::room::<V>();
        // SAFETY: the caller's CPU has the set.
        if let Some(table) = unsafe { Table::<V>::build(&mut room, &job) } {
            // SAFETY: the caller's promise; the table was built for this job just now.
            return unsafe { permute::permute(&table, &job) };
        }
    }
    // SAFETY: the caller's promise.
    unsafe { plain::<V>(job) }
}

/// How many of the inner axes make the unit of a permute, if one is worth its tables.
fn period<V: Vector>(job: &Job<'_>) -> Option<usize> {
    // Longer runs go by whole vectors anyhow.
    if job.run >= V::BYTES {
        return None;
    }
    // Cost per byte of plain moves, and of the best permute so far, in thousandths of a move.
    let pieces = if matches!(job.run, 1 | 2 | 4 | 8 | 16) { 1 } else { 2 };
    let walked = job.axes[0].n;
    // Past the caches both wait for memory, and moves have to be staged. In them a loop for the step moves four at a time; four places of a
    // row and fewer are moved without a loop; rows of tables take longer to begin. (Measured on Zen 5.)
    let (each, begin, load, row_of_tables) = match job.stream {
        true => (1000, 4000, None, 6000),
        false if walked <= 4 => (1000, 3000, Some(2500), 36_000),
        false if steps::short_loops(&job.moves()) => (250, 14_000, Some(2500), 36_000),
        false => (1000, 14_000, Some(2500), 36_000),
    };
    let mut best = each * pieces / job.run + begin / (job.run * walked);
    let mut found = None;
    let mut unit = job.run;
    for (m, &walk) in job.axes.iter().enumerate() {
        let row = unit.saturating_mul(walk.n);
        if let Some(loads) = estimate::<V>(&job.axes[..m], job.run, walk, job.stream) {
            let vectors = row.div_ceil(V::BYTES);
            // Tables: a fixed part, and some 2 moves for each byte of a period.
            let period = unit * V::BYTES / (V::BYTES.min(1 << unit.trailing_zeros()));
            let tables = 1000 * (V::TABLES + 2 * period) / job.total;
            let vector = load.map_or(1000 * loads + 500, |load| load * loads);
            let cost = vectors.saturating_mul(vector) / row + row_of_tables / row + tables;
            if cost < best {
                best = cost;
                found = Some(m);
            }
        }
        unit = row;
        if unit > permute::UNIT {
            break;
        }
    }
    found
}
