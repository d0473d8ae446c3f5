//! Plain moves: one short run after another, at any step on either side, to gather or to scatter.
//!
//! A run is moved by one word of its size, by two that overlap, or by vectors. Nothing but the runs
//! is read or written, so these moves work where nothing else does.

use super::nest::{At, LINE, Loop};
use super::tuning::{
    CACHE_SETS_REPEAT, CROWD, FEW_WAYS, IN_FLIGHT, LARGE_CROWD, LONG_ROW, SHORT_WORDS, STEPPED_ROW,
    UNALIGNED_ROW,
};
use super::vector::{self, Vector, Word16, ways};
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::write_unaligned;

/// Bytes of the longest word.
const WORD: usize = 16;

/// Moves the runs along `walk` in each of `rows`.
pub(crate) type MoveRows = unsafe fn(first: At, run: usize, walk: &Loop, rows: &Loop);

/// Moves one run.
pub(super) trait RunCopy {
    /// # Safety
    ///
    /// The `run` bytes can be read and written at `at`, and the two sides do not overlap. The
    /// implementation says how many they are.
    unsafe fn one(at: At, run: usize);
}

/// Moves a word, which need not be initialised: an element may have padding.
///
/// # Safety
///
/// It can be read and written, and the two sides do not overlap.
#[inline(always)]
pub(crate) unsafe fn word<T>(src: *const u8, dst: *mut u8) {
    // Not a value that is read and written: one of 16 bytes would pass through the stack.
    // SAFETY: the caller's promise.
    unsafe { core::ptr::copy_nonoverlapping(src, dst, size_of::<T>()) }
}

/// A run of a word of the size of `T` at its beginning, and one of the size of `U` at its end.
struct Words<T, U = ()>(PhantomData<(T, U)>);

impl<T, U> RunCopy for Words<T, U> {
    #[inline(always)]
    unsafe fn one((src, dst): At, run: usize) {
        // A smaller one lies behind the first.
        let (size, end) = (size_of::<T>(), run - size_of::<U>());
        let second = if size_of::<U>() < size { size } else { end };
        // SAFETY: the caller's run, inside which both words lie.
        unsafe {
            // One after the other: two words that are both read first pass through the stack.
            word::<T>(src, dst);
            word::<U>(src.add(second), dst.add(second));
        }
    }
}

/// A run of any number of bytes.
struct Bytes;

impl RunCopy for Bytes {
    #[inline(always)]
    unsafe fn one((src, dst): At, run: usize) {
        // SAFETY: the caller's run.
        unsafe { core::ptr::copy_nonoverlapping(src, dst, run) }
    }
}

/// A run of more than one vector.
pub(super) struct Vectored<V>(PhantomData<V>);

impl<V: Vector> RunCopy for Vectored<V> {
    #[inline(always)]
    unsafe fn one((src, dst): At, run: usize) {
        // SAFETY: all vectors lie inside the run; the caller's CPU has the set.
        let load = |at: usize| unsafe { V::load(src.add(at)) };
        // SAFETY: the same.
        let store = |at: usize, vector: V| unsafe { vector.store(dst.add(at)) };
        let last = run - V::BYTES;
        store(0, load(0));
        if run > 2 * V::BYTES {
            // Between the first and the last vector, no store crosses a line. Loads come first: one
            // behind a store may wait for it.
            let mut at = V::BYTES - dst.addr() % V::BYTES;
            while at + 4 * V::BYTES < run {
                let read = [0, 1, 2, 3].map(|i| (at + i * V::BYTES, load(at + i * V::BYTES)));
                read.into_iter().for_each(|(at, vector)| store(at, vector));
                at += 4 * V::BYTES;
            }
            if at + 2 * V::BYTES < run {
                let read = [at, at + V::BYTES].map(|at| (at, load(at)));
                read.into_iter().for_each(|(at, vector)| store(at, vector));
                at += 2 * V::BYTES;
            }
            if at + V::BYTES < run {
                store(at, load(at));
            }
        }
        store(last, load(last));
    }
}

/// The rows of a [`MoveRows`].
#[derive(Clone, Copy)]
pub(super) enum RowKind {
    /// The number of their runs is a constant.
    Short,
    /// They are read by the same load instruction each time.
    Long,
    /// Their lines in the source compete for a set of the first-level cache. Requested all at once,
    /// they evict each other, so each read waits for one before it.
    Crowded,
}

/// Moves the runs along `walk` in each of `rows`, whose `kind` is a constant where it is stamped.
///
/// # Safety
///
/// Every run of the rows can be read and written, the two sides do not overlap, and `M` moves them.
#[inline(always)]
pub(super) unsafe fn move_rows<M: RunCopy>(
    first: At,
    run: usize,
    walk: Loop,
    rows: Loop,
    kind: RowKind,
) {
    let mut row = first;
    for _ in 0..rows.n {
        let mut at = row;
        for i in 0..walk.n {
            // SAFETY: one of the runs. The pointers move past the last one unused.
            unsafe { M::one(at, run) };
            at = walk.after(1, at);
            match kind {
                RowKind::Short => {}
                RowKind::Long => at.0 = vector::opaque(at.0),
                RowKind::Crowded => {
                    let (_, written) = walk.after(i.saturating_sub(IN_FLIGHT), row);
                    // SAFETY: the first byte of a run that was moved.
                    at.0 = unsafe { vector::after(written, at.0) };
                }
            }
        }
        row = rows.after(1, row);
    }
}

/// A [`MoveRows`] of one kind of mover.
///
/// # Safety
///
/// As for [`move_rows`].
unsafe fn plain<M: RunCopy>(at: At, run: usize, walk: &Loop, rows: &Loop) {
    // A loop that ends after a few rounds is predicted badly, so short rows have loops of their
    // own. SAFETY: the caller's promise.
    unsafe {
        match walk.n {
            2 => move_rows::<M>(at, run, Loop { n: 2, ..*walk }, *rows, RowKind::Short),
            3 => move_rows::<M>(at, run, Loop { n: 3, ..*walk }, *rows, RowKind::Short),
            4 => move_rows::<M>(at, run, Loop { n: 4, ..*walk }, *rows, RowKind::Short),
            _ if crowded(walk) => move_rows::<M>(at, run, *walk, *rows, RowKind::Crowded),
            _ => move_rows::<M>(at, run, *walk, *rows, RowKind::Long),
        }
    }
}

/// Calls `some` with four positions of a row at a time, and then with what is left.
#[inline(always)]
fn fours(walk: Loop, first: At, some: impl Fn(usize, At)) {
    let mut at = first;
    let mut next = |count: usize| {
        some(count, at);
        let (src, dst) = walk.after(count, at);
        // Otherwise, the compiler makes the addresses of a row a chain of sums.
        at = (vector::opaque(src), vector::opaque(dst).cast_mut());
    };
    for _ in 0..walk.n / 4 {
        next(4);
    }
    // Not a loop: short ones are predicted badly.
    if walk.n & 2 != 0 {
        next(2);
    }
    if walk.n & 1 != 0 {
        next(1);
    }
}

/// Writes four words of 4 or 8 bytes one after the other, 16 bytes at a time.
///
/// # Safety
///
/// As for [`word`], of each.
#[inline]
unsafe fn join<T: Copy>(from: [*const u8; 4], to: *mut u8) {
    // SAFETY: the caller's words, which make one or two longer ones.
    unsafe {
        let words = from.map(|word| word.cast::<MaybeUninit<T>>().read_unaligned());
        let (all, to) = (words.as_ptr().cast::<MaybeUninit<Word16>>(), to.cast::<MaybeUninit<_>>());
        (0..size_of::<T>() / 4)
            .for_each(|i| write_unaligned(to.add(i), all.add(i).read_unaligned()));
    }
}

/// A [`MoveRows`] of words in long rows, which `JOIN` writes four at a time.
///
/// # Safety
///
/// As for [`move_rows`]. With `JOIN`, they have 4 or 8 bytes, and no gaps where they are written.
unsafe fn words<T: Copy, const JOIN: bool>(first: At, _: usize, walk: &Loop, rows: &Loop) {
    let mut row = first;
    for _ in 0..rows.n {
        fours(*walk, row, |count, at| {
            let one = |i: usize| walk.after(i, at);
            // SAFETY: words of the row.
            unsafe {
                if JOIN && count == 4 {
                    return join::<T>([0, 1, 2, 3].map(|i| one(i).0), at.1);
                }
                (0..count).for_each(|i| word::<T>(one(i).0, one(i).1));
            }
        });
        row = rows.after(1, row);
    }
}

/// A [`MoveRows`] of words, whose steps in words the compiler knows: it makes vectors of them.
///
/// # Safety
///
/// As for [`move_rows`]; `walk` has these steps.
unsafe fn stepped<T: Copy, const SRC: isize, const DST: isize>(
    first: At,
    _: usize,
    walk: &Loop,
    rows: &Loop,
) {
    let mut row = first;
    for _ in 0..rows.n {
        let (src, dst) = row;
        let (from, to) = (src.cast::<MaybeUninit<T>>(), dst.cast::<MaybeUninit<T>>());
        // Those before a multiple of 16 bytes, so that no vector crosses a line when it is written.
        let odd = if DST < 0 { to.addr() + size_of::<T>() } else { to.addr().wrapping_neg() };
        let head = if walk.n > UNALIGNED_ROW { odd % WORD / size_of::<T>() } else { 0 };
        let one = |i: usize| {
            let i = i as isize;
            // SAFETY: a word of the row, which lies in one buffer on either side.
            unsafe { to.offset(DST * i).write_unaligned(from.offset(SRC * i).read_unaligned()) };
        };
        (0..head).for_each(one);
        (head..walk.n).for_each(one);
        row = rows.after(1, row);
    }
}

/// A [`MoveRows`] that writes one run of each row over and over: a `T`, and a `U` at its end.
///
/// # Safety
///
/// As for [`move_rows`].
unsafe fn repeated<T: Copy, U: Copy>(first: At, run: usize, walk: &Loop, rows: &Loop) {
    let end = run - size_of::<U>();
    let mut row = first;
    for _ in 0..rows.n {
        // SAFETY: the run, and its places.
        unsafe {
            let begin = row.0.cast::<MaybeUninit<T>>().read_unaligned();
            let rest = row.0.add(end).cast::<MaybeUninit<U>>().read_unaligned();
            fours(Loop { src: 0, ..*walk }, row, |count, at| {
                (0..count).for_each(|i| {
                    let to = walk.after(i, at).1;
                    write_unaligned(to.cast(), begin);
                    write_unaligned(to.add(end).cast(), rest);
                });
            });
        }
        row = rows.after(1, row);
    }
}

/// Whether the reads along `walk` compete for one or two sets of the first-level cache and are too
/// many for these to wait for. What is written, for which they would wait, does not.
#[inline]
pub(super) fn crowded(&Loop { n, src: step, dst }: &Loop) -> bool {
    let repeat = CACHE_SETS_REPEAT as isize;
    n >= CROWD
        && step != 0
        && step % (repeat / 2) == 0
        && dst % (repeat / 2) != 0
        && (ways() <= FEW_WAYS || n >= LARGE_CROWD && step % repeat == 0)
}

/// Whether [`fill_rows`] fits: moves of `run` bytes along `walk` write one value to one piece of
/// memory. A word holds the value a whole number of times, and the memory holds a word.
#[inline]
pub(super) fn fills_rows(run: usize, walk: &Loop) -> bool {
    let dense = walk.src == 0 && walk.dst.unsigned_abs() == run;
    dense && WORD.is_multiple_of(run) && run * walk.n >= WORD
}

/// A [`MoveRows`] that writes one value of each row over and over, by words of `T`.
///
/// # Safety
///
/// As for [`move_rows`], and [`fills_rows`] says that it fits.
#[inline(always)]
pub(super) unsafe fn fill_rows<T: Copy>((src, dst): At, run: usize, walk: &Loop, rows: &Loop) {
    let bytes = run * walk.n;
    let mut row = (src, dst.wrapping_offset(walk.dst.min(0) * (walk.n as isize - 1)));
    // SAFETY: the value of the first row.
    let mut word = unsafe { repeat(src, run) };
    for _ in 0..rows.n {
        let (src, dst) = row;
        // SAFETY: the value, and places of a row, which are one piece of memory. Each write begins
        // at a multiple of `run`, as a value does in the line. The last ones overlap the others.
        unsafe {
            if rows.src != 0 {
                word = repeat(src, run);
            }
            if bytes <= LINE {
                let put = |at: usize| write_unaligned(dst.add(at).cast(), word);
                // No place twice: a line that is not in a cache would be waited for again.
                let words = [0, 1, 2, 3].into_iter().filter(|i| WORD * i < bytes);
                words.for_each(|i| put((WORD * i).min(bytes - WORD)));
            } else {
                let part = [word; 4].as_ptr().cast::<T>().read_unaligned();
                let put = |at: usize| {
                    let line = dst.add(at).cast::<T>();
                    (0..LINE / size_of::<T>()).for_each(|i| write_unaligned(line.add(i), part));
                };
                put(0);
                // Whole lines, if a value can begin on one.
                let mut at = (LINE - dst.addr() % LINE) & run.wrapping_neg();
                while at + 4 * LINE < bytes {
                    (0..4).for_each(|i| put(at + i * LINE));
                    at += 4 * LINE;
                }
                while at + LINE < bytes {
                    put(at);
                    at += LINE;
                }
                put(bytes - LINE);
            }
        }
        row = rows.after(1, row);
    }
}

/// A word that repeats one value of `run` bytes.
///
/// # Safety
///
/// The value can be read.
#[inline(always)]
unsafe fn repeat(src: *const u8, run: usize) -> MaybeUninit<Word16> {
    macro_rules! all {
        ($t:ty) => {{
            // SAFETY: the caller's value; a word has room for as many.
            unsafe {
                let value = src.cast::<MaybeUninit<$t>>().read_unaligned();
                core::mem::transmute_copy(&[value; WORD / size_of::<$t>()])
            }
        }};
    }
    match run {
        1 => all!(u8),
        2 => all!(u16),
        4 => all!(u32),
        8 => all!(u64),
        _ => all!(Word16),
    }
}

/// The moves of words at steps that the compiler knows, if long rows along `walk` have such steps.
pub(super) fn steps(run: usize, walk: &Loop) -> Option<MoveRows> {
    let steps = |src, dst| (walk.src, walk.dst) == (src * run as isize, dst * run as isize);
    macro_rules! word {
        ($t:ty) => {
            match () {
                () if steps(-1, 1) => Some(stepped::<$t, -1, 1>),
                () if steps(1, -1) => Some(stepped::<$t, 1, -1>),
                () if steps(2, 1) => Some(stepped::<$t, 2, 1>),
                () => None,
            }
        };
    }
    match run {
        2 if walk.n >= STEPPED_ROW => word!(u16),
        4 if walk.n >= STEPPED_ROW => word!(u32),
        8 if walk.n >= STEPPED_ROW => word!(u64),
        _ => None,
    }
}

/// Whether they are as fast as shuffles, which win for words of two bytes, if these are not few.
pub(super) fn near(run: usize, walk: &Loop, total: usize) -> bool {
    (run > 2 || total <= SHORT_WORDS) && steps(run, walk).is_some()
}

/// The moves for runs of `run` bytes in rows along `walk`.
pub(crate) fn moves(run: usize, walk: &Loop) -> MoveRows {
    if walk.src != 0
        && let Some(go) = steps(run, walk)
    {
        return go;
    }
    let long = walk.n >= LONG_ROW && !crowded(walk);
    let joins = long && walk.src != 0 && walk.dst == run as isize;
    // What is written over and over stays in registers: `Word16` in one.
    macro_rules! words {
        ($t:ty, $value:ty) => {
            match () {
                () if walk.src == 0 => repeated::<$value, ()>,
                () if long => words::<$t, false>,
                () => plain::<Words<$t>>,
            }
        };
        ($t:ty, $value:ty; $u:ty, $rest:ty) => {
            if long && walk.src == 0 { repeated::<$value, $rest> } else { plain::<Words<$t, $u>> }
        };
    }
    match run {
        1 => words!(u8, u8),
        2 => words!(u16, u16),
        4 if joins => words::<u32, true>,
        4 => words!(u32, u32),
        8 if joins => words::<u64, true>,
        8 => words!(u64, u64),
        16 => words!([u64; 2], Word16),
        // Words that overlap take up to 1.5 times as long as two that do not (Emerald Rapids).
        3 => words!(u16, u16; u8, u8),
        6 => words!(u32, u32; u16, u16),
        12 => words!(u64, u64; u32, u32),
        24 => words!([u64; 2], Word16; u64, u64),
        5 | 7 => words!(u32, u32; u32, u32),
        9..=15 => words!(u64, u64; u64, u64),
        17..=32 => words!([u64; 2], Word16; [u64; 2], Word16),
        33..=64 => plain::<Words<[u64; 4], [u64; 4]>>,
        _ => plain::<Bytes>,
    }
}
