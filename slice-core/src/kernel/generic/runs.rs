//! Runs moved one by one: blocks of any width, and elements at steps too wide for permutes.

use core::marker::PhantomData;

use super::carry::{self, Carry};
use super::stage::{Rows, drive};
use crate::kernel::isa::{self, Maker, Pace};
use crate::kernel::movers::{Call, Long, Mover, Near, Steps, Stream, Whole, with_mover};
use crate::kernel::nest::{Axis, extent};
use crate::kernel::vector::{Kernel, Level};
use crate::kernel::walk::{Visit, each_row, line, two};

/// Everything a call needs.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    /// Innermost first, at least one.
    pub axes: &'a [Axis],
    pub run: usize,
    /// The first position.
    pub src: *const u8,
    pub dst: *mut u8,
    pub total: usize,
    pub stream: bool,
}

/// The kernel that moves them.
pub(crate) struct Runs<'a, L, M> {
    job: &'a Job<'a>,
    inner: Axis,
    steps: Steps,
    mover: M,
    how: How,
    level: PhantomData<L>,
}

/// How the runs of a row follow each other.
#[derive(Clone, Copy)]
enum How {
    /// As the mover likes best.
    Freely,
    Paced(Pace),
    /// One by one, what lies so many bytes further on prefetched.
    Prefetched(isize),
}

impl How {
    /// Runs that nearly all lie in another line and come from memory are moved one by one on Zen 3: put together by fours, each four waits for the last of them.
    /// (Steps of 40 to 80 bytes in 0.82 to 0.94 of the time. In its caches they take 1.1 to 1.3 times as long, and bytes 1.05. Not measured on others.)
    fn of(job: &Job<'_>) -> How {
        /// The last-level cache of most.
        const FAR: usize = 30 << 20;
        let step = job.axes[0].step;
        if let Some(pace) = isa::crowd(step, job.run, job.total / job.run) {
            return How::Paced(pace);
        }
        let lines = (40..=80).contains(&step.unsigned_abs()) && (2..=16).contains(&job.run) && !job.stream;
        if lines && isa::maker() == Maker::OldAmd {
            let (first, last) = extent(job.axes, job.run);
            if last.abs_diff(first) >= FAR {
                return How::Prefetched(512 * step.signum());
            }
        }
        How::Freely
    }
}

impl<'a, L, M: Mover> Runs<'a, L, M> {
    pub(crate) fn new(job: &'a Job<'a>, mover: M) -> Runs<'a, L, M> {
        let inner = job.axes[0];
        Runs { job, inner, steps: Steps::new(inner.step), mover, how: How::of(job), level: PhantomData }
    }
}

impl<L: Level, M: Mover> Kernel for Runs<'_, L, M> {
    #[inline(always)]
    unsafe fn run(&mut self) {
        let job = self.job;
        // SAFETY: the axes beyond the first count the rows of the job's nest, which the caller of `runs` vouches for.
        unsafe { drive::<L, _>(self, &job.axes[1..], 0, job.dst, job.total, job.stream) }
    }
}

impl<L: Level, M: Mover> Rows for Runs<'_, L, M> {
    const ALIGNED: bool = false;
    const STREAMS: bool = false;
    const ENOUGH: usize = 2 << 10;

    #[inline(always)]
    fn unit(&self) -> usize {
        self.mover.run()
    }
    #[inline(always)]
    fn count(&self) -> usize {
        self.inner.n
    }
    #[inline(always)]
    fn group(&self) -> usize {
        1
    }
    #[inline(always)]
    fn step(&self) -> isize {
        self.inner.step
    }
    #[inline(always)]
    fn src(&self) -> *const u8 {
        self.job.src
    }
    #[inline(always)]
    unsafe fn part<const STREAM: bool>(&self, src: isize, n: usize, dst: *mut u8, _: usize) {
        let step = self.inner.step;
        let (mut src, mut dst) = (self.job.src.wrapping_offset(src), dst);
        // SAFETY: `n` runs of the nest and room for them, by the caller's promise.
        unsafe {
            let Pace { batch, idle } = match self.how {
                How::Freely => return line(self.mover, n, self.steps, src, dst),
                How::Paced(pace) => pace,
                How::Prefetched(ahead) => {
                    for _ in 0..n {
                        isa::prefetch(src.wrapping_offset(ahead));
                        self.mover.one(src, dst);
                        src = isa::anew(src.wrapping_offset(step));
                        dst = dst.wrapping_add(self.mover.run());
                    }
                    return;
                }
            };
            let mut left = batch;
            for _ in 0..n {
                self.mover.one(src, dst);
                src = src.wrapping_offset(step);
                dst = dst.wrapping_add(self.mover.run());
                for _ in 0..idle {
                    isa::idle();
                }
                left -= 1;
                if left == 0 {
                    isa::wait();
                    left = batch;
                }
            }
        }
    }
}

/// The longest run moved without calling `memcpy`.
const CALLED: usize = 2 << 10;

/// Moves all runs of the job.
///
/// # Safety
/// The CPU has `L`'s set. Every run of the nest at `src` can be read; `dst` is good for `total` bytes, which is what they come to; the two do not
/// overlap.
pub(crate) unsafe fn runs<L: Level>(job: &Job<'_>) {
    macro_rules! go {
        ($mover:expr) => {
            // SAFETY: the caller's promise; the mover moves exactly `run` bytes.
            unsafe { L::Half::enter(&mut Runs::<L::Half, _>::new(job, $mover)) }
        };
    }
    if job.stream && job.run >= carry::LINE {
        let lines = job.axes.iter().all(|axis| axis.step % 64 == 0) && job.run.is_multiple_of(64);
        // SAFETY: the caller's promise.
        return unsafe {
            if lines && alike(job.src, job.dst) {
                L::enter(&mut Carry::<L>::new(job))
            } else {
                L::Half::enter(&mut Carry::<L::Half>::new(job))
            }
        };
    }
    if job.run >= 64 && job.total <= isa::NEAR && isa::is_near(L::WIDTH) {
        // SAFETY: the caller's promise.
        return unsafe { L::enter(&mut Runs::<L, _>::new(job, Long(job.run))) };
    }
    if job.run > CALLED && isa::is_near(L::WIDTH) {
        // SAFETY: the same.
        return unsafe { L::enter(&mut Runs::<L, _>::new(job, Call::<L>(job.run, PhantomData))) };
    }
    with_mover!(job.run, go,
        run @ 64..=CALLED => go!(Long(run)),
        run => go!(Call::<L::Half>(run, PhantomData)),
    );
}

/// Whether source and destination lie alike to the lines of the cache, so that no load of a line crosses one.
fn alike(src: *const u8, dst: *mut u8) -> bool {
    src.addr().wrapping_sub(dst.addr()).is_multiple_of(64)
}

/// One contiguous block.
///
/// # Safety
/// The CPU has `L`'s set; `bytes` can be read and written, and do not overlap.
pub(crate) unsafe fn block<L: Level>(src: *const u8, dst: *mut u8, bytes: usize, stream: bool) {
    struct Block<M>(*const u8, *mut u8, M);
    impl<M: Mover> Kernel for Block<M> {
        #[inline(always)]
        unsafe fn run(&mut self) {
            // SAFETY: the caller's promise.
            unsafe { self.2.one(self.0, self.1) }
        }
    }
    // SAFETY: the caller's promise.
    unsafe {
        match stream {
            true if alike(src, dst) => L::enter(&mut Block(src, dst, Stream::<L>(bytes, PhantomData))),
            true => L::Half::enter(&mut Block(src, dst, Stream::<L::Half>(bytes, PhantomData))),
            false if (64..=isa::NEAR).contains(&bytes) && isa::is_near(L::WIDTH) => {
                return Near::<L>(bytes, PhantomData).one(src, dst);
            }
            false => return L::Half::enter(&mut Block(src, dst, Call::<L::Half>(bytes, PhantomData))),
        }
    }
    L::fence();
}

/// Moves the runs one by one, with next to nothing done for each row, if they are single words; says whether they are.
///
/// # Safety
/// As for [`runs`], but that the CPU need have no set beyond the base; there are two axes or more.
pub(super) unsafe fn words(job: &Job<'_>) -> bool {
    struct Planes<'a, M> {
        job: &'a Job<'a>,
        mover: M,
    }
    impl<M: Mover> Visit for Planes<'_, M> {
        #[inline(always)]
        unsafe fn row(&mut self, src: isize, dst: usize) {
            let Job { axes, src: from, dst: to, .. } = *self.job;
            // SAFETY: one plane of the job's.
            unsafe { two(axes[0], axes[1], from.wrapping_offset(src), to.wrapping_add(dst), self.mover) }
        }
    }
    macro_rules! go {
        ($word:ty) => {{
            let plane = job.run * job.axes[0].n * job.axes[1].n;
            let mut planes = Planes { job, mover: Whole::<$word>(PhantomData) };
            // SAFETY: the caller's promise.
            unsafe { each_row(&job.axes[2..], plane, &mut planes) }
        }};
    }
    match job.run {
        1 => go!(u8),
        2 => go!(u16),
        4 => go!(u32),
        8 => go!(u64),
        16 => go!([u64; 2]),
        _ => return false,
    }
    true
}
