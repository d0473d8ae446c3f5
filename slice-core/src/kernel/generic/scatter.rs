//! Which kernel a scatter takes, and plain moves.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::blend::{self, Blend, Table};
#[cfg(target_arch = "x86_64")]
use super::comb;
use super::fill;
use super::gap::Gap;
use super::grad::Ground;
use super::transpose;
use super::units::{self, Units, drive};
use crate::kernel::isa::{self, Maker};
use crate::kernel::movers::{Call, Long, Mover, Near, Stream, one_by_one, paced, row_by_row, with_mover, word};
use crate::kernel::nest::{self, Pair};
use crate::kernel::pairs::reach;
use crate::kernel::vector::{Base, Kernel, Level};
use crate::kernel::walk::{VisitPair, each_pair};

/// Writes into a view of more than a few bytes.
pub(crate) struct Job<'a> {
    /// The loops inside a unit, the one that walks from unit to unit, and those outside it; innermost first, in each the destination goes up.
    pub inner: &'a [Pair],
    pub walk: Pair,
    pub outer: &'a [Pair],
    /// Bytes contiguous on both sides.
    pub run: usize,
    /// The first position on both sides.
    pub src: *const u8,
    pub dst: *mut u8,
    /// The addresses where the source starts and ends: all between can be read.
    pub source: (usize, usize),
    /// The address up to which bytes that lie between positions may be stored again as they are.
    pub high: usize,
    pub total: usize,
    /// Whether long runs go past the caches.
    pub stream: bool,
    /// For a gradient: what lies under the positions and is written with them.
    pub ground: Option<&'a mut Ground>,
}

/// Units of one run each.
struct Moves<'a, 'j, M> {
    mover: M,
    job: &'a mut Job<'j>,
}

impl<M: Mover> Kernel for Moves<'_, '_, M> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        let (mover, walk) = (self.mover, self.job.walk);
        // A ground is in the cache when values are put on it.
        let times = match self.job.ground {
            None => isa::crowd_written(self.job.dst, walk.dst, mover.run(), self.job.total / mover.run()),
            Some(_) => None,
        };
        // SAFETY: the caller of `moves` vouches for the job's positions.
        unsafe {
            match times {
                Some(times) => drive(&Paced { mover, walk, times }, self.job),
                None if self.job.ground.is_some() => drive(&Rows { mover, walk, ahead: None }, self.job),
                None => planes(&Rows { mover, walk, ahead: ahead(self.job) }, self.job),
            }
        }
    }
}

/// How many bytes ahead it pays to prefetch the lines that are written. (Zen 4 is slower by it.)
///
/// Zen 5, those that do not fit the caches: 2 KiB gain nothing, 8 KiB are best for words of 4 bytes (24 KiB: 1.0 to 1.3 times slower), 16 to 128 KiB for bytes
/// (0.82 to 0.95 of the time that it takes with 8).
pub(crate) fn ahead(job: &Job<'_>) -> Option<usize> {
    if job.ground.is_some() {
        return None;
    }
    match isa::maker() {
        Maker::OldAmd => soon(job),
        Maker::Zen4 => None,
        _ => job.stream.then_some(if job.run == 1 { 24 << 10 } else { 8 << 10 }),
    }
}

/// [`ahead`] on Zen 3, which does best by 1 KiB, at the same place of a later row where rows have gaps.
///
/// `f32`, the same in one process. Rows of 128 bytes to 4 KiB with gaps, every second or third element of them, 64 MB: 0.35 to 0.75 of the time (1 KiB where
/// that is in a gap: 0.9 to 1.2); out of the second-level cache 0.7 to 0.9; rows of 16 KiB 0.93, of 128 KiB 1.0 to 1.2. One row: values that do not
/// fit the caches 0.9 to 1.0, fills 0.7 to 1.0 in any case, other values 1.0 to 1.08.
fn soon(job: &Job<'_>) -> Option<usize> {
    const AHEAD: usize = 1 << 10;
    /// Bytes from one row to the next.
    const FAR: usize = 64 << 10;
    /// Half of the second-level cache.
    const NEAR: usize = 256 << 10;
    /// What is written of the first-level one.
    const FEW: usize = 8 << 10;
    let row = job.walk.dst.unsigned_abs().saturating_mul(job.walk.n);
    let sparse = job.walk.dst > job.run as isize;
    if let Some(next) = job.outer.first()
        && let pitch = next.dst.unsigned_abs()
        && pitch > row + row / 8
    {
        let reach = job.outer.iter().map(|axis| axis.dst.unsigned_abs().saturating_mul(axis.n)).max();
        let pays = pitch <= FAR && (job.stream || sparse && reach >= Some(NEAR));
        return pays.then(|| pitch * AHEAD.div_ceil(pitch));
    }
    (job.stream || job.walk.src == 0 && job.walk.dst >= 12 && job.total >= FEW).then_some(AHEAD)
}

/// A loop of one turn.
const ONCE: Pair = Pair { n: 1, src: 0, dst: 0 };

/// Rows of runs.
struct Rows<M> {
    mover: M,
    walk: Pair,
    /// How far ahead lines of the destination are prefetched.
    ahead: Option<usize>,
}

impl<M: Mover> Rows<M> {
    /// Moves `n` runs in each of `rows`.
    ///
    /// # Safety
    /// They are runs of the job.
    #[inline(always)]
    unsafe fn plane(&self, src: *const u8, n: usize, rows: Pair, dst: *mut u8) {
        let walk = Pair { n, ..self.walk };
        // SAFETY: the caller's promise.
        unsafe {
            if n >= M::MANY {
                self.mover.many(walk, rows, src, dst, self.ahead)
            } else {
                row_by_row(self.mover, walk, rows, src, dst)
            }
        }
    }
}

impl<M: Mover> Units for Rows<M> {
    #[inline(always)]
    unsafe fn part(&self, src: *const u8, n: usize, dst: *mut u8, _: usize) {
        // SAFETY: `n` runs of the job.
        unsafe { self.plane(src, n, ONCE, dst) }
    }
}

/// [`drive`] for a job without a ground, with the next loop inside the mover: counting the rows took as long as moving short ones.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn planes<M: Mover>(rows: &Rows<M>, job: &Job<'_>) {
    struct Planes<'a, M> {
        rows: &'a Rows<M>,
        next: Pair,
        src: *const u8,
        dst: *mut u8,
        gap: Gap,
    }
    impl<M: Mover> VisitPair for Planes<'_, M> {
        #[inline(always)]
        unsafe fn place(&mut self, src: isize, dst: isize) {
            let (from, to) = (self.src.wrapping_offset(src), self.dst.wrapping_offset(dst));
            // SAFETY: some rows of the job, whole; the values of one of them if anything is asked for.
            unsafe {
                self.rows.plane(from, self.rows.walk.n, self.next, to);
                self.gap.read_seldom(self.src, src);
            }
        }
    }
    let gap = units::values(job);
    let (next, outer) = match *job.outer {
        [next, ref outer @ ..] if matches!(gap, Gap::Nothing) => (next, outer),
        _ => (ONCE, job.outer),
    };
    // SAFETY: `next` and `outer` count the rows of the job.
    unsafe { each_pair(outer, &mut Planes { rows, next, src: job.src, dst: job.dst, gap }) }
}

/// Rows of runs that would be in each other's way.
struct Paced<M> {
    mover: M,
    walk: Pair,
    times: usize,
}

impl<M: Mover> Units for Paced<M> {
    #[inline(always)]
    unsafe fn part(&self, src: *const u8, n: usize, dst: *mut u8, _: usize) {
        // SAFETY: `n` runs of the job.
        unsafe { paced(self.mover, Pair { n, ..self.walk }, ONCE, self.times, src, dst) }
    }
}

/// Runs of at least this many bytes can be streamed each by itself.
pub(crate) const LONG: usize = 512;
/// The longest run moved without calling `memcpy`.
const CALLED: usize = 1024;

/// A whole row of `N` words.
#[derive(Clone, Copy)]
struct Few<T, const N: usize> {
    walk: Pair,
    word: PhantomData<T>,
}

impl<T: Copy, const N: usize> Mover for Few<T, N> {
    #[inline(always)]
    unsafe fn one(self, src: *const u8, dst: *mut u8) {
        for i in 0..N as isize {
            // SAFETY: word `i` of the row, by the caller's promise.
            unsafe { word::<T>(src.wrapping_offset(self.walk.src * i), dst.wrapping_offset(self.walk.dst * i)) }
        }
    }
    #[inline(always)]
    fn run(self) -> usize {
        N * size_of::<T>()
    }
}

/// Moves rows of two to four words, if that is what they are, with their number a constant: counting them took longer than moving them.
///
/// # Safety
/// As for [`moves`].
unsafe fn few_words(job: &Job<'_>) -> bool {
    let (walk, run) = (job.walk, job.run);
    let Some(rows) = job.outer.first() else { return false };
    if !few(walk.n) || job.ground.is_some() {
        return false;
    }
    // A row is one run, by as many stores as it has words.
    let times = isa::crowd_written(job.dst, rows.dst, 16 * walk.n, job.total / (run * walk.n)).unwrap_or(1);
    macro_rules! go {
        ($word:ty) => {{
            let word = PhantomData::<$word>;
            // SAFETY: the caller's promise; a row has so many words of this size.
            unsafe {
                match walk.n {
                    2 => each_row(Few::<$word, 2> { walk, word }, times, job),
                    3 => each_row(Few::<$word, 3> { walk, word }, times, job),
                    _ => each_row(Few::<$word, 4> { walk, word }, times, job),
                }
            }
        }};
    }
    match run {
        1 => go!(u8),
        2 => go!(u16),
        4 => go!(u32),
        8 => go!(u64),
        16 => go!([u64; 2]),
        _ => return false,
    }
    true
}

/// Whether rows of `n` words have a mover for all of them.
fn few(n: usize) -> bool {
    (2..=4).contains(&n)
}

/// # Safety
/// The mover moves a row of the job, all of whose positions lie in its source and target; there are outer loops.
#[inline(never)]
unsafe fn each_row<M: Mover>(mover: M, times: usize, job: &Job<'_>) {
    let Some((&walk, outer)) = job.outer.split_first() else { return };
    // SAFETY: the outer loops count the job's rows.
    unsafe { each_pair(outer, &mut Lines { mover, walk, times, src: job.src, dst: job.dst }) }
}

/// Moves run by run.
///
/// # Safety
/// The CPU has `L`'s set. All positions of the job lie in its source and target; `inner` is empty.
pub(crate) unsafe fn moves<L: Level>(job: &mut Job<'_>) {
    debug_assert!(job.inner.is_empty());
    macro_rules! go {
        ($mover:expr) => {
            // SAFETY: the caller's promise; the mover moves exactly `run` bytes.
            unsafe { L::enter(&mut Moves { mover: $mover, job }) }
        };
    }
    // A ground gathers rows in a buffer of its own, which is read again.
    let stream = job.stream && job.ground.is_none();
    with_mover!(job.run, go,
        run if run >= LONG && stream => go!(Stream::<L>(run, PhantomData)),
        run @ 64..=CALLED => go!(Long(run)),
        run if job.total <= isa::NEAR && isa::is_near(L::WIDTH) => go!(Near::<L>(run, PhantomData)),
        run => go!(Call::<L>(run, PhantomData)),
    );
    if stream {
        L::fence();
    }
}

/// Moves all runs in the order of `axes`, whatever their places have in common; small work too.
///
/// # Safety
/// All positions can be read at `src` and written at `dst`, and the two buffers do not overlap.
pub(crate) unsafe fn in_order(axes: &[Pair], run: usize, src: *const u8, dst: *mut u8) {
    macro_rules! go {
        ($mover:expr) => {{
            let mover = $mover;
            // SAFETY: each mover moves exactly `run` bytes, whose places the caller vouches for.
            unsafe {
                match axes {
                    [] => mover.one(src, dst),
                    // The commonest small loops, without counters.
                    [one] => one_by_one(mover, *one, src, dst),
                    [walk, outer @ ..] => each_pair(outer, &mut Lines { mover, walk: *walk, times: 1, src, dst }),
                }
            }
        }};
    }
    with_mover!(run, go, 64..=CALLED => go!(Long(run)), _ => go!(Call::<Base>(run, PhantomData)));
}

struct Lines<M> {
    mover: M,
    walk: Pair,
    /// How often each run is stored.
    times: usize,
    src: *const u8,
    dst: *mut u8,
}

impl<M: Mover> VisitPair for Lines<M> {
    #[inline(always)]
    unsafe fn place(&mut self, src: isize, dst: isize) {
        let (src, dst) = (self.src.wrapping_offset(src), self.dst.wrapping_offset(dst));
        // SAFETY: a row of the loops, whose positions the caller vouches for.
        unsafe {
            if self.times > 1 {
                paced(self.mover, self.walk, ONCE, self.times, src, dst)
            } else {
                one_by_one(self.mover, self.walk, src, dst)
            }
        }
    }
}

/// The job of sorted loops, as run by run.
pub(crate) fn split(axes: &[Pair], m: usize, run: usize) -> (&[Pair], Pair, &[Pair]) {
    match axes.get(m) {
        Some(&walk) => (&axes[..m], walk, &axes[m + 1..]),
        None => (&[], Pair { n: 1, src: 0, dst: run as isize }, &[]),
    }
}

/// Base instructions only.
///
/// # Safety
/// The CPU has `L`'s set. All positions of the job lie in its source and target; `inner` is empty.
pub(crate) unsafe fn plain<L: Level>(job: &mut Job<'_>) {
    // SAFETY: the caller's promise.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        if comb::combs(job) {
            return comb::comb(job);
        }
        if fill::repeats(job) {
            fill::flood::<L>(job);
        } else if !transposed::<L>(job) && !few_words(job) {
            moves::<L>(job);
        }
    }
}

/// Smaller transposed moves stay in the first-level cache, whatever their order.
const TURNED: usize = 4 << 10;

/// Moves the job by squares if source and destination run along different axes.
///
/// # Safety
/// As for [`plain`].
unsafe fn transposed<L: Level>(job: &Job<'_>) -> bool {
    if job.total < TURNED || job.ground.is_some() {
        return false;
    }
    let mut room = nest::room::<Pair>();
    let len = 1 + job.outer.len();
    for (slot, &pair) in room.iter_mut().zip([job.walk].iter().chain(job.outer)) {
        *slot = MaybeUninit::new(pair);
    }
    // SAFETY: the loop has written `len` pairs: a job has fewer than there is room for.
    let pairs = unsafe { core::slice::from_raw_parts_mut(room.as_mut_ptr().cast::<Pair>(), len) };
    let (mut src, mut dst) = (job.src, job.dst);
    let Some((along, across, left)) = transpose::find(pairs, job.run, &mut src, &mut dst) else { return false };
    let (run, stream) = (job.run, job.stream);
    let job = transpose::Job { src, dst, run, along, across, outer: &pairs[..left], stream };
    // SAFETY: the pairs are the positions of the job.
    unsafe { transpose::transpose::<L>(&job) };
    true
}

/// With shuffles and blends.
///
/// # Safety
/// As for [`plain`]; `axes` are the loops of the job.
pub(crate) unsafe fn vectors<V: Blend>(axes: &[Pair], job: &mut Job<'_>) {
    let best = match straight::<V>(axes, job) {
        None if fill::repeats(job) || downwards(job) => None,
        None => period::<V>(axes, job.run, job.total).map(|m| (m, None)),
        found => found,
    };
    if let Some((m, lead)) = best {
        let (inner, walk, outer) = split(axes, m, job.run);
        let mut table = Table::<V>::new();
        // SAFETY: the caller's CPU has the set.
        if unsafe { table.build(inner, job.run, walk, lead) } {
            let ground = job.ground.take();
            let mut job = Job { inner, walk, outer, ground, ..*job };
            // SAFETY: the caller's promise; the table was built from these loops just now.
            return unsafe { blend::blend(&table, &mut job) };
        }
    }
    // SAFETY: the caller's promise.
    unsafe { plain::<V>(job) }
}

/// How many of the inner loops make the unit of a gradient whose rows are streamed as they are made, without a ground; and how far behind a multiple
/// of its step a unit lies.
fn straight<V: Blend>(axes: &[Pair], job: &Job<'_>) -> Option<(usize, Option<usize>)> {
    if !job.ground.as_ref().is_some_and(|ground| ground.is_streamed()) {
        return None;
    }
    let best = (0..axes.len()).filter_map(|m| {
        let (inner, walk, outer) = split(axes, m, job.run);
        let step = walk.dst as usize;
        let lead = job.dst.addr() % step;
        let same = 64usize.is_multiple_of(step) && outer.iter().all(|axis| (axis.dst as usize).is_multiple_of(step));
        let good = same && lead + reach(inner, job.run) <= step && walk.n * step >= LINES && units::alone(walk, outer);
        let cost = if good { blend::estimate::<V>(inner, job.run, walk, job.total) } else { None };
        Some((cost?, m, lead))
    });
    best.min().map(|(_, m, lead)| (m, Some(lead)))
}

/// The fewest bytes of a row that is worth it.
const LINES: usize = 128;

/// Whether words are read from the last to the first of so many that neither they nor their places fit the caches. Vectors that are read downwards
/// then wait longer than single words do (Zen 5, step -2, places of 16 MiB: 1.05 to 1.35 times; of 4 MiB they take 0.6 to 1.0 of the time).
fn downwards(job: &Job<'_>) -> bool {
    let far = job.stream && job.ground.is_none();
    far && job.run >= 4 && job.walk.src < 0 && isa::maker() == Maker::NewAmd
}

/// How many of the inner loops make the unit of a blend, if one is worth its tables.
fn period<V: Blend>(axes: &[Pair], run: usize, total: usize) -> Option<usize> {
    // Longer runs go by whole vectors anyhow.
    if run >= V::BYTES {
        return None;
    }
    // Cost per byte of plain moves, and of the best blend so far, in thousandths of a move.
    let pieces = if matches!(run, 1 | 2 | 4 | 8 | 16) { 1 } else { 2 };
    let n = axes.first().map_or(1, |axis| axis.n);
    let begin = if few(n) && axes.len() > 1 { 3000 } else { 15_000 };
    let mut best = 1000 * pieces / run + begin / (run * n);
    let mut found = None;
    for (m, &walk) in axes.iter().enumerate() {
        if let Some(cost) = blend::estimate::<V>(&axes[..m], run, walk, total)
            && cost < best
        {
            (best, found) = (cost, Some(m));
        }
    }
    found
}
