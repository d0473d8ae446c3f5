//! The tables of a permute: for each vector of a period where its bytes come from.

use core::mem::MaybeUninit;

use super::Job;
use crate::kernel::generic::stage::lead;
use crate::kernel::isa::{self, Maker};
use crate::kernel::nest::Axis;
use crate::kernel::vector::{Kernel, Picks, Vector};

/// The most vectors a period may have.
pub(crate) const PERIOD: usize = 16;
/// The most bytes of a unit.
pub(crate) const UNIT: usize = 128;
/// Entries for a period (at most `PERIOD` vectors of 64 bytes) and the unit it ends in.
const OFFSETS: usize = PERIOD * 64;

/// Tables of a whole period.
pub(crate) struct Table<'a, V: Vector> {
    /// One for each vector of a period.
    pub(super) lines: &'a [V::Line],
    /// Loads for each of them.
    pub(super) loads: usize,
    /// Whether all of it moves in 4-byte words.
    pub(super) words: bool,
    /// Bytes of a unit, units in a period, bytes from one unit to the next.
    pub(super) unit: usize,
    pub(super) per: usize,
    pub(super) step: isize,
    /// Whether a period is less than its one vector.
    pub(super) short: bool,
    /// The span of all loads of a period around its first unit.
    pub(super) low: isize,
    pub(super) end: isize,
    /// Whether streamed vectors of 32 bytes are prefetched.
    pub(super) ahead: bool,
}

/// The greatest common divisor of a power of two and `n`.
pub(super) fn common(power: usize, n: usize) -> usize {
    power.min(1 << n.trailing_zeros())
}

/// Room for the tables of a period; make it with [`room`], where it is used.
pub(crate) type Room<V> = [MaybeUninit<<V as Vector>::Line>; PERIOD];

/// Room that nobody writes before use.
#[inline(always)]
pub(crate) fn room<V: Vector>() -> Room<V> {
    [const { MaybeUninit::uninit() }; PERIOD]
}

impl<'a, V: Vector> Table<'a, V> {
    /// Makes the tables for the units of the job. `None` if there are no such tables.
    ///
    /// # Safety
    /// The CPU has `V`'s set.
    pub(crate) unsafe fn build(room: &'a mut Room<V>, job: &Job<'_>) -> Option<Table<'a, V>> {
        let &Job { inner, run, walk, outer, stream, .. } = job;
        let step = walk.step;
        let unit = inner.iter().fold(run, |bytes, axis| bytes.saturating_mul(axis.n));
        if unit > UNIT {
            return None;
        }
        let count = unit / common(V::BYTES, unit);
        let (count, phase) = if stream && V::BYTES == 64 { in_lines(job, unit, count) } else { (count, None) };
        let per = count * V::BYTES / unit;
        if count > PERIOD {
            return None;
        }
        // A vector's offsets must be small numbers; anything wider would need too many loads anyhow.
        let widest = (V::LOADS * V::BYTES) as isize;
        if !(-widest..=widest).contains(&step) || inner.iter().any(|axis| !(-widest..=widest).contains(&axis.step)) {
            return None;
        }
        let all = inner.iter().fold(run | step.unsigned_abs(), |bits, axis| bits | axis.step.unsigned_abs());
        let words = V::WORDS && all.is_multiple_of(4);
        let grain = if words { 4 } else { 1 };
        // Bytes may begin anywhere, and words only have tables of words.
        let phase = phase.filter(|phase| phase.is_multiple_of(grain));

        let mut offsets = [MaybeUninit::<i32>::uninit(); OFFSETS];
        let mut have = 0;
        while have < run / grain {
            offsets[have] = MaybeUninit::new((have * grain) as i32);
            have += 1;
        }
        // Each axis repeats what is there, moved on; the walked one last.
        for axis in inner {
            have = repeat(&mut offsets, have, axis.n, axis.step as i32);
        }
        let want = repeat(&mut offsets, have, per, step as i32);
        debug_assert_eq!(want, count * V::BYTES / grain);
        // SAFETY: `repeat` has written the first `want` entries.
        let offsets = unsafe { core::slice::from_raw_parts(offsets.as_ptr().cast::<i32>(), want) };
        let few = V::BYTES / unit;
        let used = few * unit / grain;

        let ahead = ahead::<V>(unit, walk, outer);
        let mut lines = Lines::<V> {
            room,
            offsets,
            grain,
            ahead: ahead.unwrap_or(step.signum()),
            used: if !stream && V::BYTES == 64 && count > 1 && few * unit >= SHORTEST { used } else { 0 },
            phase,
            // There is a loop for so many loads; a load more than the fewest is worth less than such a loop.
            most: if count == 3 { 3 } else { 4 },
            loads: 0,
            low: isize::MAX,
            end: isize::MIN,
        };
        // SAFETY: the caller's CPU has the set; there are offsets for whole vectors.
        unsafe { V::enter(&mut lines) };
        let Lines { room, loads, low, end, used, .. } = lines;
        if loads > V::LOADS {
            return None;
        }
        let short = used > 0;
        let (count, per) = if short { (1, few) } else { (count, per) };
        // SAFETY: the loop has written the first `count` of them.
        let lines = unsafe { core::slice::from_raw_parts(room.as_ptr().cast::<V::Line>(), count) };
        Some(Table { lines, loads, words, unit, per, step, short, low, end, ahead: ahead.is_some() })
    }
}

/// How far in front of its loads a streamed walk of units of `unit` bytes prefetches, in its direction.
///
/// By vectors of 64 bytes 2 KiB, and 8 KiB on Zen 5 along rows so long that what is asked for behind their ends is little. There that takes 0.77 to 0.98
/// of the time (rows of 11 KiB up to 1.2); 1 KiB 1.0 to 1.25.
///
/// By those of 32 bytes on Zen 3 2 KiB, or 1 KiB where half of what is read is left out or more: 0.78 to 0.98 of the time, if the rows are long or each goes on where the
/// last one ended. Others have [remedies](crate::kernel::generic::gap) of their own, next to which it takes 0.94 to 1.16. Not measured on others.
fn ahead<V: Vector>(unit: usize, walk: Axis, outer: &[Axis]) -> Option<isize> {
    const LONG: usize = 64 << 10;
    let row = walk.step.saturating_mul(walk.n as isize);
    let long = row.unsigned_abs() >= LONG;
    let goes_on = |next: &Axis| next.step.abs_diff(row) <= row.unsigned_abs() / 8;
    let far = match (isa::maker(), V::BYTES) {
        (Maker::OldAmd, 32) if long || outer.first().is_none_or(goes_on) => {
            let sparse = walk.step.unsigned_abs() >= 2 * unit;
            if sparse { 1 << 10 } else { 2 << 10 }
        }
        (_, 32) => return None,
        (Maker::NewAmd, _) if long => 8 << 10,
        _ => 2 << 10,
    };
    Some(walk.step.signum() * far)
}

/// How many vectors a streamed period is to have, if `count` vectors of 64 bytes are the fewest, and its [`phase`]: more of them, if only so many together
/// lie in their lines as the next ones do.
fn in_lines(job: &Job<'_>, unit: usize, count: usize) -> (usize, Option<usize>) {
    let found = [1, 2, 4].into_iter().take(if count == 1 { 3 } else { 1 }).find_map(|times| {
        let count = count * times;
        Some((count, Some(phase(job, unit, count * 64 / unit)?)))
    });
    found.unwrap_or((count, None))
}

/// How far behind the start of a line the first unit of every period of a streamed job is, if that is the same for all.
fn phase(job: &Job<'_>, unit: usize, per: usize) -> Option<usize> {
    let whole = |step: isize| step % 64 == 0;
    let Axis { n, step } = job.walk;
    if !whole(step.wrapping_mul(per as isize)) || !job.outer.iter().all(|axis| whole(axis.step)) {
        return None;
    }
    let lead = lead(unit, unit * n, job.outer.is_empty(), job.dst)?;
    Some(job.src.addr().wrapping_add_signed(job.start).wrapping_add_signed(step.wrapping_mul(lead as isize)) % 64)
}

/// The fewest bytes of a vector of 64 that make a short period worth it.
const SHORTEST: usize = 56;

/// The part of [`Table::build`] that is compiled for the set.
struct Lines<'r, 'o, V: Vector> {
    room: &'r mut Room<V>,
    offsets: &'o [i32],
    grain: usize,
    ahead: isize,
    /// How far behind the start of a line all periods begin, if they do alike, and how many loads a vector may have so that they are of whole lines.
    phase: Option<usize>,
    most: usize,
    /// The offsets of a short period, 0 if there is to be none; in the end 0 if there is none.
    used: usize,
    /// The results: loads for each vector (more than there may be: the tables are not made), and the span of all.
    loads: usize,
    low: isize,
    end: isize,
}

impl<V: Vector> Kernel for Lines<'_, '_, V> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        let (grain, each) = (self.grain, V::BYTES / self.grain);
        self.loads = 1;
        // SAFETY: `each` offsets for every vector; this runs inside `enter`.
        unsafe {
            let lines = self.offsets.chunks_exact(each);
            for offsets in lines.clone() {
                self.loads = self.loads.max(V::loads(&Picks { offsets, grain, phase: None }));
            }
            // Loads of whole lines are better, be they one more for each vector; if most vectors have them without, the others go as they are.
            if self.phase.is_some() {
                let (count, mut lined, mut fit) = (lines.len(), 1, 0);
                for offsets in lines.clone() {
                    let loads = V::loads(&Picks { offsets, grain, phase: self.phase });
                    fit += usize::from(loads <= self.loads);
                    lined = lined.max(loads);
                }
                if 2 * fit <= count && lined <= self.most {
                    self.loads = lined;
                }
            }
            let phase = self.phase;
            if self.used > 0 {
                let mut line = [0; 64];
                for (to, from) in line.iter_mut().zip(&self.offsets[..self.used]) {
                    *to = *from;
                }
                // What is too much comes from where something comes from in any case.
                let first = line[0];
                line[self.used..].fill(first);
                let picks = Picks { offsets: &line[..each], grain, phase };
                let loads = V::loads(&picks);
                if loads < self.loads {
                    self.loads = loads;
                    (self.low, self.end) = V::line(&mut self.room[0], &picks, loads, self.ahead);
                    return;
                }
                self.used = 0;
            }
            if self.loads > V::LOADS {
                return;
            }
            for (slot, offsets) in self.room.iter_mut().zip(lines) {
                let (low, end) = V::line(slot, &Picks { offsets, grain, phase }, self.loads, self.ahead);
                self.low = self.low.min(low);
                self.end = self.end.max(end);
            }
        }
    }
}

/// Writes the first `have` entries `n` times in all, `step` further each time.
fn repeat(offsets: &mut [MaybeUninit<i32>; OFFSETS], have: usize, n: usize, step: i32) -> usize {
    for i in 1..n {
        for k in 0..have {
            // Always from the first ones: reading what was just written would make each wait for the one before.
            // SAFETY: the caller wrote the first `have`.
            let offset = unsafe { offsets[k].assume_init() };
            offsets[i * have + k] = MaybeUninit::new(offset + step * i as i32);
        }
    }
    have * n
}
