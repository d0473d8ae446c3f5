//! Every kernel, by name, for every instruction set, against one element after the other.
//!
//! Sources are vectors of exactly their size, so that a sanitizer or valgrind sees a byte read too
//! far; destinations are surrounded by guard bytes.

extern crate std;

#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
mod fenced;
mod fixed;
mod gather;
mod lines;
mod memory;
mod nest;
mod scatter;
mod select;
mod view;

use super::isa;
use super::nest::{Nest, place_reach};
use super::piece::{Class, Piece, Sink};
use super::run::Kernel;
use super::select::choose;
use super::{How, Isa, Side, Transfer, View, available, large, transfer};
use alloc::vec::Vec;

/// Bytes in front of and behind a destination.
const GUARD: usize = 192;

/// Elements of the sizes that have moves of their own, and others.
const SIZES: [usize; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 80];

/// A pseudo-random sequence (xorshift), good enough to pick cases.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A view that seldom meets an element twice, of at most `most` positions.
    fn view(&mut self, most: usize) -> (Vec<usize>, Vec<isize>) {
        let rank = 1 + self.below(6);
        let (mut shape, mut strides) = (alloc::vec![0; rank], alloc::vec![0; rank]);
        // From the inside out, so that rows seldom overlap; now and then an axis is put elsewhere.
        let (mut reach, mut len) = (1isize, 1);
        for i in (0..rank).rev() {
            let longest = [3, 5, 9, 40, 130][self.below(5)];
            shape[i] = (1 + self.below(longest)).min(most / len).max(1);
            len *= shape[i];
            strides[i] = reach * (1 + self.below(3) as isize * self.below(2) as isize);
            reach = (strides[i] * shape[i] as isize + self.below(3) as isize).min(100_000);
            if self.below(2) == 0 {
                strides[i] = -strides[i];
            }
        }
        if self.below(3) == 0 {
            let (a, b) = (self.below(rank), self.below(rank));
            shape.swap(a, b);
            strides.swap(a, b);
        }
        (shape, strides)
    }
}

/// The percentage of cases that are tried: what `PYSLICE_CASES_PERCENT` says, or some, so that
/// `cargo test` takes seconds; a handful under Miri.
fn percent() -> usize {
    let named =
        std::env::var("PYSLICE_CASES_PERCENT").ok().and_then(|text| text.parse::<usize>().ok());
    if cfg!(miri) { 1 } else { named.unwrap_or(10).max(1) }
}

std::thread_local! {
    static CASE: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

std::thread_local! {
    /// The kernels that `every_kernel` has made.
    static MADE: core::cell::RefCell<Vec<(Isa, Class, Sink)>> =
        const { core::cell::RefCell::new(Vec::new()) };
}

#[cfg(feature = "rayon")]
std::thread_local! {
    /// How often this thread has shared out its work.
    pub(crate) static SHARED_OUT: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// Whether the next case of an exhaustive test is left out: all but every n-th.
fn left_out() -> bool {
    let case = CASE.get();
    CASE.set(case + 1);
    case * percent() % 100 >= percent().min(100)
}

/// Bytes that hardly ever repeat at distances that a wrong index would have.
fn bytes(n: usize) -> Vec<u8> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    (0..n).map(|_| (random.next() >> 24) as u8).collect()
}

/// Moves an axis list to the smallest buffer that holds it: the offset and the buffer's elements.
fn placed(shape: &[usize], strides: &[isize]) -> (usize, usize) {
    let (mut low, mut high) = (0isize, 0isize);
    for (&n, &s) in shape.iter().zip(strides) {
        let reach = (n as isize - 1) * s;
        if reach < 0 { low += reach } else { high += reach }
    }
    ((-low) as usize, (high - low + 1) as usize)
}

/// Where the elements of a view lie, in elements, one after the other, from the definition of
/// strides.
fn positions(view: View<'_>) -> Vec<usize> {
    let len: usize = view.shape.iter().product();
    let position = |i: usize| {
        let (mut rest, mut at) = (i, view.offset as isize);
        for (&n, &s) in view.shape.iter().zip(view.strides).rev() {
            at += (rest % n) as isize * s;
            rest /= n;
        }
        at as usize
    };
    (0..len).map(position).collect()
}

/// Every set, streaming nothing and everything.
fn sets() -> impl Iterator<Item = How> {
    let how = |set, streamed| How { set, streamed, parallel: usize::MAX };
    isa::sets().flat_map(move |(_, set)| [how(set, usize::MAX), how(set, 0)])
}

/// The job with another destination.
fn with<'a>(job: &Transfer<'a>, dst: *mut u8) -> Transfer<'a> {
    Transfer { dst: Side { start: dst, ..job.dst }, ..*job }
}

/// Checks one way to do a job: its name, and what it does to a destination.
type Run<'a> = dyn Fn(&str, &dyn Fn(*mut u8)) + 'a;

/// Runs a job by the kernel that is chosen for it, and so that only its positions are touched.
fn chosen_kernels(job: &Transfer<'_>, run: &Run<'_>) {
    for how in sets() {
        run("chosen", &|dst| {
            let (mut nest, job) = (Nest::new(), with(job, dst));
            if nest.merge(job.shape, job.src.strides, job.dst.strides, job.elem) {
                // SAFETY: the caller made both buffers for the job; the set is available.
                unsafe { large(&job, &mut nest, how) }
            }
        });
        run("positions only", &|dst| {
            let mut job = with(job, dst);
            (job.src.whole, job.dst.whole) = (false, false);
            // SAFETY: the same.
            unsafe { transfer(&job, how) }
        });
    }
}

/// Runs a job by every kernel and sink that is fit for it: `run` is called with a name for each way
/// and with what is to be done to a destination.
fn every_kernel(job: &Transfer<'_>, run: &Run<'_>) {
    for (isa, set) in isa::sets() {
        let ways = {
            let mut nest = Nest::new();
            if !nest.merge(job.shape, job.src.strides, job.dst.strides, job.elem) || !nest.sort() {
                return;
            }
            let (loops, run) = (nest.loops(), nest.run);
            let dense = place_reach(loops, run) == nest.total;
            let mut classes = alloc::vec![Class::Rows];
            if !loops.is_empty() && run <= 128 {
                classes.push(Class::Moves);
                for (across, it) in loops.iter().enumerate().skip(1) {
                    if loops[0].dst == run as isize && it.src.unsigned_abs() == run {
                        classes.push(Class::Transpose { across });
                    }
                }
                let vectors = if dense { set.vectors } else { set.between };
                let bytes = vectors.map_or(0, |it| it.bytes);
                for inner in 0..loops.len() {
                    let span = place_reach(&loops[..inner], run);
                    if 2 * span <= bytes && loops[inner].dst.unsigned_abs() <= bytes / 2 {
                        classes.push(Class::Shuffle { inner });
                    }
                }
            }
            let sinks = [Sink::Direct, Sink::Streamed];
            let ways =
                classes.iter().flat_map(|&class| sinks.iter().map(move |&sink| (class, sink)));
            ways.collect::<Vec<_>>()
        };
        for (class, sink) in ways {
            run(&alloc::format!("{isa:?} {class:?} {sink:?}"), &|dst| {
                let job = with(job, dst);
                let mut nest = Nest::new();
                nest.merge(job.shape, job.src.strides, job.dst.strides, job.elem);
                assert!(nest.sort());
                let (readable, limit) = job.bounds();
                let stream = sink != Sink::Direct;
                let piece =
                    Piece { readable, limit, stream, ..Piece::new(&nest, job.first(), set) };
                // SAFETY: the caller made both buffers for the job; the set is available. What does
                // not fit takes the way below.
                unsafe {
                    if Kernel::make(&piece, class, sink, &mut |it| it.run()) {
                        MADE.with_borrow_mut(|made| {
                            if !made.contains(&(isa, class, sink)) {
                                made.push((isa, class, sink));
                            }
                        });
                    } else {
                        choose(&piece, &mut |it| it.run());
                    }
                }
            });
        }
    }
}

#[test]
fn every_set_of_this_machine_is_tested() {
    let sets: &[Isa] = if cfg!(target_arch = "aarch64") {
        &[Isa::Portable, Isa::Neon]
    } else {
        &[Isa::Portable, Isa::Avx2, Isa::Avx512]
    };
    let missing: Vec<&Isa> = sets.iter().filter(|&&isa| available().all(|it| it != isa)).collect();
    if !missing.is_empty() {
        std::eprintln!("skipped, as this machine or build has no such set: {missing:?}");
        assert!(
            std::env::var_os("PYSLICE_ALL_SETS").is_none(),
            "sets that were asked for are missing: {missing:?}"
        );
    }
}
