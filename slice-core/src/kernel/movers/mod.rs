//! Moves of one run: a constant number of bytes, two that overlap, vectors, whole lines past the caches, the C library.
//!
//! All functions here are inlined into the kernel that calls them, so that they are compiled for its instruction set.

mod long;

use core::hint::black_box;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::isa;
use super::nest::Pair;
pub(crate) use long::{AHEAD, Call, Long, Near, Stream, lines};

/// Moves one run of bytes.
pub(crate) trait Mover: Copy {
    /// # Safety
    /// The run can be read at `src` and written at `dst`, and the two do not overlap.
    unsafe fn one(self, src: *const u8, dst: *mut u8);
    /// The bytes of the run.
    fn run(self) -> usize;

    /// Whether runs are better moved by fours.
    const FOURS: bool = false;
    /// Moves four runs, `steps` apart in the source, one behind the other in the destination.
    ///
    /// # Safety
    /// Each of the runs can be read and written, and source and destination do not overlap.
    #[inline(always)]
    unsafe fn four(self, src: *const u8, steps: Steps, dst: *mut u8) {
        for (i, step) in steps.four().into_iter().enumerate() {
            // SAFETY: one of the runs.
            unsafe { self.one(src.wrapping_offset(step), dst.wrapping_add(i * self.run())) }
        }
    }

    /// From how many runs of a loop on it is worth a call of [`many`](Mover::many).
    const MANY: usize = usize::MAX;
    /// Moves the runs of a loop, in each of `rows`; `ahead`: so many bytes further on in the destination a prefetch is worth it.
    ///
    /// # Safety
    /// As for [`one_by_one`], for each of the rows.
    #[inline(always)]
    unsafe fn many(self, walk: Pair, rows: Pair, src: *const u8, dst: *mut u8, ahead: Option<usize>) {
        let _ = ahead;
        // SAFETY: the caller's promise.
        unsafe { row_by_row(self, walk, rows, src, dst) }
    }
}

/// Moves the runs of one loop.
///
/// # Safety
/// Each of them can be read and written, and source and destination do not overlap.
#[inline(always)]
pub(crate) unsafe fn one_by_one<M: Mover>(mover: M, walk: Pair, src: *const u8, dst: *mut u8) {
    let (mut src, mut dst) = (src, dst);
    for _ in 0..walk.n {
        // SAFETY: this is one of the runs. The pointers are moved past the last one only wrapping, unused.
        unsafe { mover.one(src, dst) };
        (src, dst) = (src.wrapping_offset(walk.src), dst.wrapping_offset(walk.dst));
    }
}

/// [`one_by_one`] for each of some short rows.
///
/// # Safety
/// The same, for each of them.
#[inline(always)]
pub(crate) unsafe fn row_by_row<M: Mover>(mover: M, walk: Pair, rows: Pair, src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        match walk.n {
            2 => counted::<M, 2>(mover, walk, rows, src, dst),
            3 => counted::<M, 3>(mover, walk, rows, src, dst),
            4 => counted::<M, 4>(mover, walk, rows, src, dst),
            _ => counted::<M, 0>(mover, walk, rows, src, dst),
        }
    }
}

/// [`row_by_row`] for rows of `N` runs, or any number (0): a loop that ends after a few rounds is foreseen badly.
///
/// # Safety
/// The same; `N` is 0 or `walk.n`.
#[inline(always)]
unsafe fn counted<M: Mover, const N: usize>(mover: M, walk: Pair, rows: Pair, src: *const u8, dst: *mut u8) {
    let (mut src, mut dst) = (src, dst);
    for _ in 0..rows.n {
        let (mut at, mut place) = (src, dst);
        for _ in 0..if N == 0 { walk.n } else { N } {
            // SAFETY: this is one of the runs. The pointers are moved past the last one only wrapping, unused.
            unsafe { mover.one(at, place) };
            at = at.wrapping_offset(walk.src);
            place = place.wrapping_offset(walk.dst);
            if N == 0 {
                // Four at a time would mostly be the rest of four.
                at = isa::anew(at);
            }
        }
        (src, dst) = (src.wrapping_offset(rows.src), dst.wrapping_offset(rows.dst));
    }
}

/// [`row_by_row`] for runs that would be in each other's way if each were stored but once: it is stored `times` times, a power of two. A function
/// of its own, so that it has all registers: with a pointer kept on the stack it took up to twice as long.
///
/// # Safety
/// The same.
#[inline(never)]
pub(crate) unsafe fn paced<M: Mover>(mover: M, walk: Pair, rows: Pair, times: usize, src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        if times >= 8 {
            again::<M, 8>(mover, walk, rows, times / 8, src, dst)
        } else {
            again::<M, 2>(mover, walk, rows, times / 2, src, dst)
        }
    }
}

/// Stores each run `STORES * turns` times.
///
/// # Safety
/// As for [`paced`].
#[inline(always)]
unsafe fn again<M: Mover, const STORES: usize>(
    mover: M,
    walk: Pair,
    rows: Pair,
    turns: usize,
    src: *const u8,
    dst: *mut u8,
) {
    let (mut src, mut dst) = (src, dst);
    for _ in 0..rows.n {
        let (mut at, mut place) = (src, dst);
        for _ in 0..walk.n {
            for _ in 0..turns {
                for _ in 0..STORES {
                    // SAFETY: this is one of the runs. The pointers are moved past the last one only wrapping, unused.
                    unsafe { mover.one(at, place) };
                    isa::keep();
                }
            }
            (at, place) = (at.wrapping_offset(walk.src), place.wrapping_offset(walk.dst));
        }
        (src, dst) = (src.wrapping_offset(rows.src), dst.wrapping_offset(rows.dst));
    }
}

/// A step and some multiples, as numbers that the compiler cannot tell have to do with each other.
///
/// It would come to each position by adding the step to the one before, and a processor adds one such number a cycle, however many it
/// could load (Zen 5, step 7 of `f32` in the second-level cache: 2.3 instead of 1.66 µs). Any of eight positions is one of these, or twice or
/// four times as far, which a load or a store works out by itself.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    pub one: isize,
    three: isize,
    five: isize,
    seven: isize,
}

impl Steps {
    #[inline(always)]
    pub(crate) fn new(step: isize) -> Steps {
        let times = |n| black_box(step.wrapping_mul(n));
        Steps { one: step, three: times(3), five: times(5), seven: times(7) }
    }

    /// The first four positions.
    #[inline(always)]
    pub(crate) fn four(self) -> [isize; 4] {
        [0, self.one, self.one.wrapping_mul(2), self.three]
    }

    /// The first eight positions.
    #[inline(always)]
    fn eight(self) -> [isize; 8] {
        let [_, one, two, three] = self.four();
        [0, one, two, three, one.wrapping_mul(4), self.five, three.wrapping_mul(2), self.seven]
    }
}

/// Copies as many bytes as a `T` has, whatever they are: elements may have bytes between their fields that were never written, and
/// no integer may be read from those. The size is a constant, so this is a load and a store.
///
/// # Safety
/// They can be read at `src` and written at `dst`, and the two do not overlap.
#[inline(always)]
pub(crate) unsafe fn word<T>(src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { core::ptr::copy_nonoverlapping(src, dst, size_of::<T>()) }
}

/// A run of exactly the size of `T`, which is moved by one load and one store.
#[derive(Clone, Copy)]
pub(crate) struct Whole<T>(pub PhantomData<T>);

impl<T: Copy> Mover for Whole<T> {
    #[inline(always)]
    unsafe fn one(self, src: *const u8, dst: *mut u8) {
        // SAFETY: the caller gives `size_of::<T>()` bytes on both sides.
        unsafe { word::<T>(src, dst) }
    }
    #[inline(always)]
    fn run(self) -> usize {
        size_of::<T>()
    }

    const MANY: usize = 16;

    #[inline(always)]
    unsafe fn many(self, walk: Pair, rows: Pair, src: *const u8, dst: *mut u8, ahead: Option<usize>) {
        let next = size_of::<T>() as isize;
        // Eight places are one line or two.
        let ahead = ahead.filter(|_| (8..=16).contains(&walk.dst));
        // SAFETY: the caller's promise; the functions are told apart by the step.
        unsafe {
            match (walk.src, ahead) {
                (0, Some(ahead)) => eights::<T, SAME, true>(walk, rows, src, dst, ahead),
                (0, None) => eights::<T, SAME, false>(walk, rows, src, dst, 0),
                (step, Some(ahead)) if step == next => eights::<T, NEXT, true>(walk, rows, src, dst, ahead),
                (step, None) if step == next => eights::<T, NEXT, false>(walk, rows, src, dst, 0),
                _ => eights::<T, STEP, false>(walk, rows, src, dst, 0),
            }
        }
    }

    const FOURS: bool = true;

    /// Words of 4 and 8 bytes are put together in a register and leave by one store. A line of the destination that has to come
    /// from the second-level cache so waits for 4 stores instead of 16 (Zen 3: stride 7 of `f32` 1.3 times faster).
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn four(self, src: *const u8, steps: Steps, dst: *mut u8) {
        use core::arch::x86_64::{__m128, __m128d, _mm_storeu_pd, _mm_storeu_ps};
        let [src, second, third, fourth] = steps.four().map(|step| src.wrapping_offset(step));
        // SAFETY: the caller gives four words to read, and their places in a row. They may hold anything and nothing, which
        // `MaybeUninit` and vectors may. SSE2 is part of x86-64.
        unsafe {
            match size_of::<T>() {
                4 => {
                    let words = [bits::<f32>(src), bits(second), bits(third), bits(fourth)];
                    _mm_storeu_ps(dst.cast(), core::mem::transmute::<[MaybeUninit<f32>; 4], __m128>(words));
                }
                8 => {
                    let words = [[bits::<f64>(src), bits(second)], [bits(third), bits(fourth)]];
                    let words = core::mem::transmute::<[[MaybeUninit<f64>; 2]; 2], [__m128d; 2]>(words);
                    _mm_storeu_pd(dst.cast(), words[0]);
                    _mm_storeu_pd(dst.add(16).cast(), words[1]);
                }
                _ => {
                    for (i, from) in [src, second, third, fourth].into_iter().enumerate() {
                        word::<T>(from, dst.add(i * size_of::<T>()));
                    }
                }
            }
        }
    }
}

/// Where the next word of a source lies: where the last one was, behind it, or a step away.
const SAME: u8 = 0;
const NEXT: u8 = 1;
const STEP: u8 = 2;

/// [`row_by_row`] for words, eight at a time.
///
/// # Safety
/// The same; `FROM` tells the step of the source.
#[inline(never)]
unsafe fn eights<T: Copy, const FROM: u8, const PREFETCH: bool>(
    walk: Pair,
    rows: Pair,
    src: *const u8,
    dst: *mut u8,
    ahead: usize,
) {
    let mover = Whole::<T>(PhantomData);
    let from = if FROM == STEP { Steps::new(walk.src).eight() } else { [0; 8] };
    let to = Steps::new(walk.dst).eight();
    let (mut src, mut dst) = (src, dst);
    // A constant unless it is any step.
    let step = match FROM {
        SAME => 0,
        NEXT => size_of::<T>() as isize,
        _ => walk.src,
    };
    for _ in 0..rows.n {
        let mut kept = MaybeUninit::<T>::uninit();
        let (mut at, mut place) = (src, dst);
        if FROM == SAME {
            // SAFETY: the one word that is read in this row.
            unsafe { word::<T>(at, kept.as_mut_ptr().cast()) };
            at = kept.as_ptr().cast();
        }
        for _ in 0..walk.n / 8 {
            if PREFETCH {
                isa::prefetch(place.wrapping_add(ahead));
                isa::prefetch(place.wrapping_add(ahead + 64));
            }
            for i in 0..8 {
                let from = if FROM == STEP { from[i] } else { step * i as isize };
                // SAFETY: this is one of the words.
                unsafe { mover.one(at.wrapping_offset(from), place.wrapping_offset(to[i])) };
            }
            (at, place) = (at.wrapping_offset(8 * step), place.wrapping_offset(8 * walk.dst));
        }
        // SAFETY: the rest of them.
        unsafe { one_by_one(mover, Pair { n: walk.n % 8, src: step, ..walk }, at, place) };
        (src, dst) = (src.wrapping_offset(rows.src), dst.wrapping_offset(rows.dst));
    }
}

/// Reads what may not be a `T`.
///
/// # Safety
/// As many bytes as a `T` has can be read.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn bits<T>(src: *const u8) -> MaybeUninit<T> {
    // SAFETY: the caller's promise; whatever they are is a `MaybeUninit`.
    unsafe { src.cast::<MaybeUninit<T>>().read_unaligned() }
}

/// A run of one to two times the size of `T`: two moves that overlap, so that no byte outside the run is touched.
#[derive(Clone, Copy)]
pub(crate) struct Twice<T> {
    run: usize,
    word: PhantomData<T>,
}

impl<T> Twice<T> {
    #[inline(always)]
    pub(crate) fn new(run: usize) -> Twice<T> {
        debug_assert!(size_of::<T>() <= run && run <= 2 * size_of::<T>());
        Twice { run, word: PhantomData }
    }
}

impl<T: Copy> Mover for Twice<T> {
    #[inline(always)]
    unsafe fn one(self, src: *const u8, dst: *mut u8) {
        let last = self.run - size_of::<T>();
        // SAFETY: the run has at least `size_of::<T>()` bytes, so both moves stay inside it.
        unsafe {
            word::<T>(src, dst);
            word::<T>(src.add(last), dst.add(last));
        }
    }
    #[inline(always)]
    fn run(self) -> usize {
        self.run
    }

    const FOURS: bool = true;
}

/// `$go!(mover)` with the mover for runs of `$run` bytes, not 0; from 64 bytes on, the given arms decide.
macro_rules! with_mover {
    ($run:expr, $go:ident, $($long:tt)*) => {{
        use core::marker::PhantomData;
        use $crate::kernel::movers::{Twice, Whole};
        match $run {
            1 => $go!(Whole::<u8>(PhantomData)),
            2 => $go!(Whole::<u16>(PhantomData)),
            3 => $go!(Twice::<u16>::new(3)),
            4 => $go!(Whole::<u32>(PhantomData)),
            run @ 5..=7 => $go!(Twice::<u32>::new(run)),
            8 => $go!(Whole::<u64>(PhantomData)),
            run @ 9..=15 => $go!(Twice::<u64>::new(run)),
            16 => $go!(Whole::<[u64; 2]>(PhantomData)),
            run @ 17..=32 => $go!(Twice::<[u64; 2]>::new(run)),
            run @ 33..=63 => $go!(Twice::<[u64; 4]>::new(run)),
            $($long)*
        }
    }};
}
pub(crate) use with_mover;
