//! Instruction sets: what each can do, and which one is used.
//!
//! The set is found once, kept in one atomic, and can be changed by tests and benches. A set is a
//! table of functions ([`Set`]), written once over [`Vector`](super::vector::Vector).

#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2"), not(miri)))]
mod avx2;
#[cfg(all(
    target_arch = "x86_64",
    feature = "avx512",
    any(feature = "std", all(target_feature = "avx512vbmi", target_feature = "avx512bw")),
    not(miri)
))]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", not(miri)))]
mod neon;
mod portable;

use super::moves::{MoveRows, crowded, fills_rows, moves};
use super::nest::{At, LINE, Loop, each};
use super::tables::{LINE_LOADS, LOADS, PHASES, Shuffle, Unit};
use super::tuning::{Costs, SHORT_RUN};
use core::sync::atomic::{AtomicUsize, Ordering};

/// A set of kernels, by the instructions they need.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Isa {
    /// Plain Rust, vectorised by the compiler for the target's base instructions.
    Portable,
    /// 32-byte vectors, byte shuffles in 16-byte lanes (Intel since 2013, AMD since 2015).
    Avx2,
    /// 64-byte vectors with byte permutes: AVX-512 F, BW and VBMI (since Ice Lake and Zen 4).
    Avx512,
    /// 16-byte vectors with byte permutes (every 64-bit Arm).
    Neon,
}

/// Moves `n` positions of each of some rows by a shuffle.
pub(crate) type ShuffleFn = unsafe fn(&Shuffle<'_>, first: At, n: usize, rows: Loop);

/// Writes `n` whole vectors of each phase in each of some rows; `ahead` as for [`Set::copy_lines`].
pub(crate) type LinesFn =
    unsafe fn(&[&Shuffle<'_>; PHASES], first: At, n: usize, rows: Loop, ahead: isize);

/// The functions of an instruction set. Each requires a CPU that has it.
pub(crate) struct Set {
    /// What needs a byte shuffle; `None` if the set has none.
    pub(crate) vectors: Option<&'static Vectors>,
    /// The same for places between bytes that stay, and for runs. With vectors of 64 bytes, the
    /// former took up to 1.6 times as long as with 32 (Zen 5), and runs whose two sides lie
    /// differently in their lines 1.4 times (Zen 4).
    pub(crate) between: Option<&'static Vectors>,
    /// Copies lines of 64 bytes past the caches: source, destination (on a line), number of lines,
    /// and how far ahead of each line another one is prefetched, in bytes.
    pub(crate) copy_lines: unsafe fn(src: *const u8, dst: *mut u8, lines: usize, ahead: isize),
    /// Writes one value over and over along each of some rows, where [`fills_rows`] says so.
    pub(crate) fill: MoveRows,
}

impl Set {
    /// Plain moves: the runs of loops in the order given.
    ///
    /// # Safety
    ///
    /// Every run can be read and written, and the two sides do not overlap; the CPU has the set.
    #[inline]
    pub(crate) unsafe fn in_order(&self, loops: &[Loop], run: usize, first: At) {
        let walk = loops.first().unwrap_or(&Loop::ONE);
        let rows = loops.get(1).unwrap_or(&Loop::ONE);
        let go = self.runs(run, walk).unwrap_or_else(|| moves(run, walk));
        // SAFETY: the caller's promise.
        unsafe {
            match loops.get(2..) {
                None | Some([]) => go(first, run, walk, rows),
                Some(rest) => each(rest, first, &mut |at| go(at, run, walk, rows)),
            }
        }
    }

    /// What moves runs of `run` bytes along `walk` by vectors, if they are long enough.
    pub(super) fn runs(&self, run: usize, walk: &Loop) -> Option<MoveRows> {
        if fills_rows(run, walk) {
            return Some(self.fill);
        }
        // In crowded columns, runs wait as words do.
        let waits = run <= LINE && crowded(walk);
        self.between.filter(|_| run > SHORT_RUN && !waits).and_then(|it| it.runs)
    }
}

/// The functions of a set that has vectors with a byte shuffle.
pub(crate) struct Vectors {
    /// Bytes of a vector, and of its parts that are shuffled separately.
    pub(crate) bytes: usize,
    pub(crate) lane: usize,
    /// What moves cost.
    pub(crate) costs: &'static Costs,
    /// Moves rows of runs of more than one vector; only those of [`Set::between`].
    pub(crate) runs: Option<MoveRows>,
    /// Makes the tables that the functions below are given ([`Shuffle::build`]).
    pub(crate) build: unsafe fn(&mut Shuffle<'_>, start: Option<usize>, most: usize) -> bool,
    /// Shuffles whose vectors are made from 1, 2, … loads; those of [`Set::between`] leave the
    /// bytes between their places as they are.
    pub(crate) shuffle: [ShuffleFn; LOADS],
    /// The same for units whose loads come from planes; `None` for those of [`Set::between`].
    pub(crate) planes: Option<[ShuffleFn; LOADS]>,
    /// Whole vectors of 1 phase and of 3, made from 1 to 4 loads, past the caches.
    pub(crate) lines: [[LinesFn; LINE_LOADS]; 2],
}

impl Vectors {
    /// The unit of these loops, if vectors are put together from as many as fit.
    pub(super) fn unit<'a>(&self, inner: &'a [Loop], run: usize, walk: Loop) -> Option<Unit<'a>> {
        Unit::new((self.bytes, self.lane, self.planes.is_some()), inner, run, walk)
    }
}

/// Makes the functions of a set from the algorithms over its vector, compiled for `$feature`s, and
/// says whether the CPU has them: both from one list.
#[allow(unused_macros, reason = "a build may have only the portable set")]
macro_rules! stamp {
    ($vector:ty, lane $lane:literal, costs $costs:ident, between $between:expr,
     features $($feature:tt)*) => {
        use crate::kernel::isa::{Set, ShuffleFn, Vectors};
        use crate::kernel::moves::{RowKind, Vectored, fill_rows, move_rows};
        use crate::kernel::nest::{At, Loop};
        use crate::kernel::shuffle;
        use crate::kernel::tables::{LOADS, PHASES, Shuffle};

        const BYTES: usize = <$vector as crate::kernel::vector::Vector>::BYTES;

        $(#[target_feature(enable = $feature)])*
        unsafe fn runs(at: At, run: usize, walk: &Loop, rows: &Loop) {
            // SAFETY: the caller's promise; the function has the features of the set.
            unsafe { move_rows::<Vectored<$vector>>(at, run, *walk, *rows, RowKind::Long) }
        }

        $(#[target_feature(enable = $feature)])*
        unsafe fn build(shuffle: &mut Shuffle<'_>, start: Option<usize>, most: usize) -> bool {
            shuffle.build::<BYTES, $lane>(start, most)
        }

        $(#[target_feature(enable = $feature)])*
        unsafe fn rows<const N: usize, const MIX: bool, const PLANES: bool>(
            by: &Shuffle<'_>,
            at: At,
            n: usize,
            rows: Loop,
        ) {
            // SAFETY: the caller's promise; the function has the features of the set.
            unsafe { shuffle::rows::<$vector, MIX, PLANES>(N, by, at, n, rows) }
        }

        $(#[target_feature(enable = $feature)])*
        unsafe fn lines<const COUNT: usize, const N: usize>(
            phases: &[&Shuffle<'_>; PHASES],
            at: At,
            n: usize,
            rows: Loop,
            ahead: isize,
        ) {
            // SAFETY: the caller's promise; the function has the features of the set.
            unsafe { shuffle::lines::<$vector>((COUNT, N), phases, at, n, rows, ahead) }
        }

        $(#[target_feature(enable = $feature)])*
        unsafe fn copy_lines(src: *const u8, dst: *mut u8, lines: usize, ahead: isize) {
            // SAFETY: the caller's promise; the function has the features of the set.
            unsafe { shuffle::copy_lines::<$vector>(src, dst, lines, ahead) }
        }

        $(#[target_feature(enable = $feature)])*
        unsafe fn fill(at: At, run: usize, walk: &Loop, rows: &Loop) {
            // SAFETY: the caller's promise; the function has the features of the set.
            unsafe { fill_rows::<$vector>(at, run, walk, rows) }
        }

        pub(super) static SET: Set =
            Set { vectors: Some(&VECTORS), between: Some($between), copy_lines, fill };

        pub(super) static VECTORS: Vectors = vectors::<false>();

        /// Generic, so that shuffles between bytes that stay are compiled only where they are used.
        const fn vectors<const MIX: bool>() -> Vectors {
            // `Vectored` writes whole vectors inside a run.
            const { assert!(!MIX || BYTES <= crate::kernel::tuning::SHORT_RUN) };
            Vectors {
                bytes: BYTES,
                lane: $lane,
                costs: &crate::kernel::tuning::$costs,
                runs: if MIX { Some(runs) } else { None },
                build,
                shuffle: shuffles::<MIX, false>(),
                planes: if MIX { None } else { Some(shuffles::<false, true>()) },
                lines: [
                    [lines::<1, 1>, lines::<1, 2>, lines::<1, 3>, lines::<1, 4>],
                    [lines::<3, 1>, lines::<3, 2>, lines::<3, 3>, lines::<3, 4>],
                ],
            }
        }

        const fn shuffles<const MIX: bool, const PLANES: bool>() -> [ShuffleFn; LOADS] {
            [
                rows::<1, MIX, PLANES>, rows::<2, MIX, PLANES>, rows::<3, MIX, PLANES>,
                rows::<4, MIX, PLANES>, rows::<5, MIX, PLANES>, rows::<6, MIX, PLANES>,
                rows::<7, MIX, PLANES>, rows::<8, MIX, PLANES>,
            ]
        }

        /// Whether the CPU has every feature that the functions above are compiled for.
        pub(super) fn available() -> bool {
            #[cfg(feature = "std")]
            return true $(&& std::arch::is_x86_feature_detected!($feature))*;
            #[cfg(not(feature = "std"))]
            return true $(&& cfg!(target_feature = $feature))*;
        }
    };
}
#[allow(unused_imports, reason = "as above")]
pub(crate) use stamp;

/// A set of this build.
struct Entry {
    isa: Isa,
    /// What `PYSLICE_ISA` calls it.
    name: &'static str,
    set: &'static Set,
    /// Whether the CPU has it.
    available: fn() -> bool,
}

/// The sets of this build, the best last.
static SETS: &[Entry] = &[
    Entry { isa: Isa::Portable, name: "portable", set: &portable::SET, available: || true },
    #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "avx2"), not(miri)))]
    Entry { isa: Isa::Avx2, name: "avx2", set: &avx2::SET, available: avx2::available },
    #[cfg(all(
        target_arch = "x86_64",
        feature = "avx512",
        any(feature = "std", all(target_feature = "avx512vbmi", target_feature = "avx512bw")),
        not(miri)
    ))]
    Entry { isa: Isa::Avx512, name: "avx512", set: &avx512::SET, available: avx512::available },
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", not(miri)))]
    Entry { isa: Isa::Neon, name: "neon", set: &neon::SET, available: neon::available },
];

/// Those that the CPU has, and their places in [`SETS`].
fn fit() -> impl Iterator<Item = (usize, &'static Entry)> {
    SETS.iter().enumerate().filter(|(_, entry)| (entry.available)())
}

/// One more than the place in [`SETS`] of the set in use, which the CPU has; 0 until the first use.
static CHOSEN: AtomicUsize = AtomicUsize::new(0);

/// The set in use. The CPU has it.
#[inline(always)]
pub(crate) fn current() -> &'static Set {
    // Relaxed: every thread that finds no value computes the same one.
    let place = CHOSEN.load(Ordering::Relaxed).wrapping_sub(1);
    SETS.get(place).map_or_else(choose, |entry| entry.set)
}

/// Chooses the set that the environment variable `PYSLICE_ISA` names, or the best.
#[cold]
#[inline(never)]
fn choose() -> &'static Set {
    #[cfg(feature = "std")]
    let name = std::env::var("PYSLICE_ISA").unwrap_or_default();
    #[cfg(not(feature = "std"))]
    let name = "";
    let named = fit().find(|(_, entry)| entry.name == name);
    let (place, entry) = named.or_else(|| fit().last()).unwrap_or((0, &SETS[0]));
    CHOSEN.store(place + 1, Ordering::Relaxed);
    entry.set
}

/// Uses `isa` from now on in every thread (`None`: the best there is). For tests and benches.
///
/// Returns false, and changes nothing, if this machine or this build does not have it.
#[doc(hidden)]
pub fn force(isa: Option<Isa>) -> bool {
    let place = match isa {
        None => Some(0),
        Some(isa) => fit().find(|(_, entry)| entry.isa == isa).map(|(place, _)| place + 1),
    };
    place.inspect(|&place| CHOSEN.store(place, Ordering::Relaxed)).is_some()
}

/// The sets that this build has and this machine can run, the best last.
#[doc(hidden)]
pub fn available() -> impl Iterator<Item = Isa> {
    sets().map(|(isa, _)| isa)
}

/// The same, with their functions.
pub(crate) fn sets() -> impl Iterator<Item = (Isa, &'static Set)> {
    fit().map(|(_, entry)| (entry.isa, entry.set))
}
