//! Which kernel a gather takes.

use super::permute::{self, Table, estimate};
use super::runs;
use crate::kernel::nest::Axis;
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

/// Short runs far apart are missed in the caches one by one. A load that crosses two missing lines waits for both, and wide loads
/// cross more often: 16-byte ones are up to twice as fast there (Zen 4: 4096 rows of 64 bytes in 18 instead of 39 µs).
const NARROW: usize = 128;
const APART: usize = 1024;

/// Plain moves, for sets without shuffles.
///
/// # Safety
/// The CPU has `L`'s set. All positions of the nest lie inside the source; `dst` is good for `total` bytes, which is what the nest comes to, and does not overlap it.
unsafe fn plain<L: Level>(job: &Job<'_>) {
    let src = job.src.wrapping_add(job.start);
    let job = runs::Job { axes: job.axes, run: job.run, src, dst: job.dst, total: job.total, stream: job.stream };
    // SAFETY: the caller's promise; `start` is the nest's first position; every CPU has the base set.
    unsafe {
        if job.run <= NARROW && job.axes[0].step.unsigned_abs() >= APART {
            runs::runs::<Base>(&job)
        } else {
            runs::runs::<L>(&job)
        }
    }
}

/// Base instructions only.
///
/// # Safety
/// As for [`plain`].
pub(crate) unsafe fn portable(job: &Job<'_>) {
    // SAFETY: the caller's promise; every CPU has the base set.
    unsafe { plain::<Base>(job) }
}

/// With shuffles.
///
/// # Safety
/// As for [`plain`].
pub(crate) unsafe fn vectors<V: Vector>(job: &Job<'_>) {
    if let Some(m) = period::<V>(job) {
        let (inner, walk, outer) = (&job.axes[..m], job.axes[m], &job.axes[m + 1..]);
        let mut room = permute::room::<V>();
        if let Some(table) = Table::<V>::build(&mut room, inner, job.run, walk.step) {
            let (start, n) = (job.start as isize, walk.n);
            let &Job { run, src, src_bytes, dst, total, stream, .. } = job;
            let job = permute::Job { inner, outer, run, n, start, src, src_bytes, dst, total, stream };
            // SAFETY: the caller's promise; the table was built from these axes just now.
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
    let mut best = 1000 * pieces / job.run + 4000 / (job.run * job.axes[0].n);
    let mut found = None;
    let mut unit = job.run;
    for (m, &walk) in job.axes.iter().enumerate() {
        let row = unit.saturating_mul(walk.n);
        if let Some(loads) = estimate::<V>(&job.axes[..m], job.run, walk) {
            let vectors = row.div_ceil(V::BYTES);
            // Tables: some 4 moves for each granule of a period.
            let period = unit * V::BYTES / (V::BYTES.min(1 << unit.trailing_zeros()));
            let tables = 1000 * (40 + 2 * period) / job.total;
            let cost = (1000 * vectors).saturating_mul(2 * loads + 1) / 2 / row + 6000 / row + tables;
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
