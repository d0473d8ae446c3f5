//! Every kernel of every instruction set against an index-by-index reference.
//!
//! Sources are vectors of exactly their size, so that a sanitizer or valgrind sees a byte read too far; destinations are
//! surrounded by guard bytes.

use alloc::vec;
use alloc::vec::Vec;

use super::generic::gather::Job;
use super::isa::{Maker, pretend};
use super::nest::{Nest, room};
use super::{Isa, View, available, gather, large, tiny};

const GUARD: usize = 192;

/// A pseudo-random sequence (xorshift), good enough to pick cases.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    pub(super) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}

/// How many random cases are tried: so many, or the percentage of them that `PYSLICE_CASES_PERCENT` names (slow tools look at fewer, long
/// runs at more); a handful under Miri.
pub(super) fn cases(usual: usize) -> usize {
    extern crate std;
    if cfg!(miri) {
        return usual / 200;
    }
    let percent = std::env::var("PYSLICE_CASES_PERCENT").ok().and_then(|text| text.parse::<usize>().ok());
    (usual * percent.unwrap_or(100) / 100).max(1)
}

/// Bytes that hardly ever repeat at the distances a wrong index would have.
pub(super) fn bytes(n: usize) -> Vec<u8> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    (0..n).map(|_| (random.next() >> 24) as u8).collect()
}

/// One element after another, from the definition of strides.
fn reference(view: View<'_>, elem: usize, src: &[u8]) -> Vec<u8> {
    let len: usize = view.shape.iter().product();
    let mut out = Vec::with_capacity(len * elem);
    for i in 0..len {
        let (mut rest, mut at) = (i, view.offset as isize);
        for (&n, &s) in view.shape.iter().zip(view.strides).rev() {
            at += (rest % n) as isize * s;
            rest /= n;
        }
        out.extend_from_slice(&src[at as usize * elem..][..elem]);
    }
    out
}

/// Moves an axis list to the smallest buffer that holds it: the offset and the buffer's elements.
pub(super) fn placed(shape: &[usize], strides: &[isize]) -> (usize, usize) {
    let (mut low, mut high) = (0isize, 0isize);
    for (&n, &s) in shape.iter().zip(strides) {
        let reach = (n as isize - 1) * s;
        if reach < 0 { low += reach } else { high += reach }
    }
    ((-low) as usize, (high - low + 1) as usize)
}

/// Runs the view by every set, plain and streamed, and by the public entry, the destination `shift` bytes off.
fn check(shape: &[usize], strides: &[isize], elem: usize, shift: usize) {
    check_from(shape, strides, elem, 0, shift);
}

/// The same, the source `from` bytes after a line's start.
fn check_from(shape: &[usize], strides: &[isize], elem: usize, from: usize, shift: usize) {
    let (offset, len) = placed(shape, strides);
    let view = View { shape, strides, offset };
    let bytes = bytes(len * elem + 128);
    let from = bytes.as_ptr().align_offset(64) + from;
    let src = &bytes[from..from + len * elem];
    let want = reference(view, elem, src);
    let run = |name: &str, call: &dyn Fn(*mut u8)| {
        let mut out = vec![0xEEu8; 2 * GUARD + want.len()];
        // Shifted from a line's start, so that the shift says what it means.
        let at = GUARD - 64 + out.as_ptr().align_offset(64) + shift;
        call(out[at..].as_mut_ptr());
        let right = out[at..at + want.len()] == want;
        assert!(right, "{name}: {shape:?} {strides:?} elements of {elem}, destination {shift}");
        let clean = out[..at].iter().chain(&out[at + want.len()..]).all(|&byte| byte == 0xEE);
        assert!(clean, "{name} wrote outside: {shape:?} {strides:?} elements of {elem}, destination {shift}");
    };
    run("gather", &|dst| {
        // SAFETY: `placed` made the buffer for the view; `dst` has room for it (`run`).
        unsafe { gather(view, elem, src.as_ptr(), len, dst) }
    });
    run("tiny", &|dst| {
        let (from, to) = ((src.as_ptr(), len), (dst, want.len() / elem));
        // SAFETY: as above. What is refused must be untouched.
        unsafe {
            if !tiny::copy(view, elem, from, to) {
                gather(view, elem, src.as_ptr(), len, dst)
            }
        }
    });
    for &isa in available() {
        for stream in [false, true] {
            run(if stream { "streamed" } else { name(isa) }, &|dst| {
                let mut room = room();
                let Some(Nest { axes, run, start, total }) = Nest::merge(&mut room, &view, elem) else { return };
                let job = Job { axes, run, start, src: src.as_ptr(), src_bytes: src.len(), dst, total, stream };
                // SAFETY: as above; the set is available.
                unsafe { large(&job, isa) }
            });
        }
    }
}

pub(super) fn name(isa: Isa) -> &'static str {
    match isa {
        Isa::Portable => "portable",
        Isa::Avx2 => "avx2",
        Isa::Avx512 => "avx512",
    }
}

const SIZES: [usize; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32];
/// Fewer cases where every step is interpreted.
const LENGTHS: usize = if cfg!(miri) { 40 } else { 131 };

#[test]
fn one_axis_every_length_and_stride() {
    let thin = cases(100) < 10;
    for elem in SIZES {
        for n in (0..LENGTHS).step_by(if thin { 5 } else { 1 }) {
            for stride in (-20..=20).filter(|&s| !thin || s % 3 == 1) {
                check(&[n], &[stride], elem, (n + elem) % 64);
            }
        }
    }
}

#[test]
fn every_start() {
    for elem in SIZES {
        for shift in 0..64 {
            for stride in [1, -1, 2, -3] {
                check(&[300 / elem], &[stride], elem, shift);
                check(&[3, 150 / elem], &[stride * 400, stride], elem, shift);
            }
        }
    }
}

#[test]
fn long_axes() {
    // Enough for several flushes of a streamed result, and for lengths just around them.
    for elem in SIZES {
        for n in [4095, 4096, 4097, 20_011] {
            for stride in [1, -1, 2, -2, 3, -3, 4, 5, 7, -16, 33] {
                check(&[n / elem], &[stride], elem, 16);
            }
        }
    }
}

#[test]
fn long_rows() {
    for n in [2047, 2048, 2049, 2100, 4095, 4096, 6001, 8191, 8192, 8193] {
        for shift in [0, 1, 16, 31, 32, 33, 63] {
            check(&[3, n], &[n as isize + 5, 1], 1, shift);
            check(&[2, n / 4], &[-(n as isize), 1], 4, shift);
        }
    }
}

#[test]
fn period_blocks() {
    // A short block out of each row of a longer one, forwards and backwards.
    for elem in SIZES {
        for width in 1..10usize {
            for take in 1..=width {
                for n in [1, 2, 7, 64, 129] {
                    let row = width as isize;
                    check(&[n, take], &[row, 1], elem, take * elem % 64);
                    check(&[n, take], &[-row, 1], elem, 0);
                    check(&[n, take], &[row, -1], elem, elem % 64);
                    check(&[n, take], &[-row, -1], elem, 1);
                    check(&[n, take.div_ceil(2)], &[row, 2], elem, 48);
                }
            }
        }
    }
}

/// Long enough for tables, which load whole lines of the source; of words only where those begin in lines as words do.
#[test]
fn sources_that_begin_anywhere() {
    for elem in SIZES {
        for from in [1, 2, 3, 4, 8, 16, 17, 30, 48, 60, 63] {
            for stride in [1, -1, 2, -2, 3, -3, 5] {
                check_from(&[9000 / elem], &[stride], elem, from, from % 7);
            }
            for (width, take) in [(3, 2), (4, 3), (5, 4), (9, 8), (3, 3)] {
                check_from(&[5000 / elem, take], &[width, 1], elem, from, 16);
                check_from(&[5000 / elem, take], &[-width, 1], elem, from, 0);
            }
            let n = 448 / elem;
            check_from(&[13, n], &[-(n as isize), -1], elem, from, 3);
        }
    }
}

#[test]
fn many_short_axes() {
    for elem in SIZES {
        check(&[4; 5], &[-256, -64, -16, -4, -1], elem, 3);
        check(&[2; 10], &[512, -256, 128, -64, 32, -16, 8, -4, 2, -1], elem, 0);
        check(&[2; 10], &[512, 256, 128, 64, 32, 16, -8, 4, -2, 1], elem, 32);
        check(&[5, 1, 5, 2, 5], &[-250, 7, 50, -5, 1], elem, 60);
        check(&[3, 3, 3, 3], &[1, 3, 9, 27], elem, 0);
    }
    // As many axes as there may be.
    let (shape, mut strides) = ([1; 63], [0; 63]);
    strides[5] = isize::MIN;
    check(&shape, &strides, 4, 0);
    let (mut shape, mut strides) = ([1; 63], [9; 63]);
    for i in 0..10 {
        (shape[6 * i], strides[6 * i]) = (2, (1 << (10 - i)) * if i % 2 == 0 { -1 } else { 1 });
    }
    check(&shape, &strides, 8, 0);
}

#[test]
fn transposed() {
    for elem in SIZES {
        for (rows, columns) in [(2, 3), (16, 16), (17, 33), (64, 64), (5, 200), (130, 7)] {
            check(&[rows, columns], &[1, rows as isize], elem, 0);
            check(&[rows, columns], &[-1, rows as isize + 3], elem, 16);
            check(&[3, rows, columns], &[(rows * columns) as isize, 1, -(rows as isize)], elem, 4);
            check(&[rows, columns, 3], &[3, 3 * rows as isize, 1], elem, 4);
            check(&[columns, rows, 40], &[1, 40 * columns as isize, columns as isize], elem, 48);
            check(&[rows, 2, columns], &[1, (rows * columns) as isize, rows as isize], elem, 4);
        }
    }
}

#[test]
fn columns_of_rows_that_share_places() {
    for maker in [Maker::OldAmd, Maker::Zen4, Maker::NewAmd] {
        pretend(maker);
        for elem in SIZES {
            for pitch in [1024, 2048, 3072, 4096, 8192, 12288] {
                for n in [7, 8, 9, 16, 33, 65, 130] {
                    let row = (pitch / elem) as isize;
                    check(&[n], &[row], elem, 4);
                    check(&[n], &[-row], elem, 4);
                    check(&[n, 2], &[row, 1], elem, 0);
                    check(&[n, 5], &[row, 1], elem, 5);
                }
            }
        }
    }
}

#[test]
fn words_most_lines_apart() {
    pretend(Maker::OldAmd);
    // What is not in any cache begins at 30 MiB.
    let far = if cfg!(miri) { 1 << 10 } else { 31 << 20 };
    for (elem, step) in [(2, 20), (4, 16), (4, -10), (8, 8), (16, -4)] {
        check(&[2, 130], &[(far / elem) as isize, step], elem, 4);
    }
    check(&[130, 2], &[64 << 10, 16], 4, 4);
}

/// Rows whose gaps are read as well, in every direction, alone and within a further loop.
const GAPPED: [(usize, isize, isize); 9] = [
    (64, 2, 256),
    (64, -2, 256),
    (64, -2, -256),
    (64, 2, -256),
    (128, 1, 256),
    (128, -1, -256),
    (300, 3, 1500),
    (43, 4, 500),
    (129, 5, 1000),
];

#[test]
fn rows_with_gaps() {
    for maker in [Maker::OldAmd, Maker::Zen4, Maker::NewAmd, Maker::Other] {
        pretend(maker);
        for elem in [1, 2, 4, 8, 12, 16] {
            for (n, stride, row) in GAPPED {
                for shift in [0, 16, 60] {
                    check(&[9, n], &[row, stride], elem, shift);
                    check(&[3, 4, n], &[5 * row + 3, row, stride], elem, shift);
                    check(&[3, 4, n], &[-(4 * row), row, stride], elem, shift);
                }
            }
        }
    }
}

#[test]
fn repeated_positions() {
    for elem in SIZES {
        check(&[70, 50], &[0, 1], elem, 0);
        check(&[50, 70], &[1, 0], elem, 0);
        check(&[300], &[0], elem, 5);
        check(&[7, 5, 60], &[3, 0, -2], elem, 5);
    }
}

#[test]
fn random_nests() {
    let mut random = Random(42);
    for i in 0..cases(20_000) {
        pretend([Maker::OldAmd, Maker::Zen4, Maker::NewAmd, Maker::Other][i % 4]);
        let elem = SIZES[random.below(SIZES.len())];
        let rank = 1 + random.below(6);
        let (mut shape, mut strides) = (vec![0; rank], vec![0; rank]);
        // From the inside out, so that rows seldom overlap; now and then an axis is put elsewhere.
        let mut reach = 1isize;
        let mut len = 1;
        for i in (0..rank).rev() {
            let most = [3, 5, 9, 40, 130][random.below(5)];
            shape[i] = (1 + random.below(most)).min(6000 / len).max(1);
            len *= shape[i];
            strides[i] = reach * (1 + random.below(3) as isize * random.below(2) as isize);
            reach = (strides[i] * shape[i] as isize).min(100_000);
            if random.below(2) == 0 {
                strides[i] = -strides[i];
            }
        }
        if random.below(3) == 0 {
            let (a, b) = (random.below(rank), random.below(rank));
            shape.swap(a, b);
            strides.swap(a, b);
        }
        let (_, buffer) = placed(&shape, &strides);
        if buffer < 400_000 {
            check(&shape, &strides, elem, random.below(64));
        }
    }
}

/// Memory between two pages that nobody may touch.
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
mod fenced {
    use super::*;
    use core::ffi::{c_int, c_void};

    unsafe extern "C" {
        fn mmap(at: *mut c_void, len: usize, prot: c_int, flags: c_int, fd: c_int, offset: i64) -> *mut c_void;
        fn mprotect(at: *mut c_void, len: usize, prot: c_int) -> c_int;
    }

    const PAGE: usize = 64 << 10;

    /// Readable pages, `bytes` long, with a forbidden one on either side; never given back.
    fn pages(bytes: usize) -> *mut u8 {
        // SAFETY: a new private mapping; the part made readable and writable lies inside it.
        unsafe {
            let base = mmap(core::ptr::null_mut(), bytes + 2 * PAGE, 0, 0x22, -1, 0).cast::<u8>();
            assert!(!base.is_null() && base.addr() != usize::MAX, "no memory");
            assert_eq!(mprotect(base.add(PAGE).cast(), bytes, 3), 0);
            base.add(PAGE)
        }
    }

    /// A source of arbitrary bytes and a target, both between forbidden pages, and how long each is.
    fn rooms() -> (*mut u8, *mut u8, usize) {
        let room = 4 * PAGE;
        let (source, target) = (pages(room), pages(room));
        let fill = bytes(room);
        // SAFETY: `room` bytes were mapped.
        unsafe { core::ptr::copy_nonoverlapping(fill.as_ptr(), source, room) };
        (source, target, room)
    }

    /// A kernel that reads or writes one byte outside dies here, whatever its instructions.
    #[test]
    fn nothing_outside_is_touched() {
        let (source, target, room) = rooms();
        for elem in SIZES {
            for stride in [1isize, -1, 2, -2, 3, -3, 4, 5, 9, 16] {
                for n in [3usize, 50, 129, 700, 2100] {
                    for shape in [&[n][..], &[n / 3, 3], &[3, n / 3]] {
                        let inner = shape[shape.len() - 1] as isize;
                        for row in [inner * stride.abs(), -inner * stride.abs() - 1, inner + 7] {
                            let strides = if shape.len() == 1 { vec![stride] } else { vec![row, stride] };
                            check_fenced(shape, &strides, elem, source, target, room);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_outside_is_touched_between_rows() {
        let (source, target, room) = rooms();
        for elem in [1, 2, 4, 8, 12, 16] {
            for (n, stride, row) in GAPPED {
                for shape in [&[7, n][..], &[2, 3, n]] {
                    let strides = [-(3 * row) - 1, row, stride];
                    check_fenced(shape, &strides[3 - shape.len()..], elem, source, target, room);
                }
            }
            // Rows of triples that go backwards or repeat, twice, one element on: behind the last one's first place there is next to nothing.
            for inner in [-1, 0, -2] {
                for step in [8isize, -8] {
                    let row = 400 * step.signum();
                    check_fenced(&[2, 7, 32, 3], &[1, row, step, inner], elem, source, target, room);
                    check_fenced(&[2, 7, 32, 3], &[-1, row, step, -inner], elem, source, target, room);
                }
            }
        }
    }

    fn check_fenced(shape: &[usize], strides: &[isize], elem: usize, source: *mut u8, target: *mut u8, room: usize) {
        let (offset, len) = placed(shape, strides);
        let total = shape.iter().product::<usize>() * elem;
        if len * elem > room || total > room {
            return;
        }
        let view = View { shape, strides, offset };
        for at_end in [false, true] {
            // SAFETY: both lie inside the mapped room.
            let (src, dst) = unsafe {
                if at_end { (source.add(room - len * elem), target.add(room - total)) } else { (source, target) }
            };
            // SAFETY: `len * elem` mapped bytes, not written while the slice lives.
            let want = reference(view, elem, unsafe { core::slice::from_raw_parts(src, len * elem) });
            for &isa in available() {
                for stream in [false, true] {
                    let mut loops = super::room();
                    let Some(Nest { axes, run, start, total }) = Nest::merge(&mut loops, &view, elem) else { continue };
                    let job = Job { axes, run, start, src, src_bytes: len * elem, dst, total, stream };
                    // SAFETY: `placed` made the buffer for the view, `dst` has room for it; the set is available.
                    unsafe { large(&job, isa) };
                    // SAFETY: `total` bytes were written just now.
                    let right = unsafe { core::slice::from_raw_parts(dst, total) } == want;
                    assert!(right, "{} at the end: {at_end}, {shape:?} {strides:?} of {elem}", name(isa));
                }
            }
        }
    }
}
