//! Views into contiguous memory.

use super::*;
use crate::kernel::small;
use alloc::vec;

/// Fewer cases where every step is interpreted.
const LENGTHS: usize = if cfg!(miri) { 40 } else { 131 };

/// Runs the view in every way, the destination `shift` bytes off a line.
fn check(shape: &[usize], strides: &[isize], elem: usize, shift: usize) {
    check_from(shape, strides, elem, 0, shift);
}

/// The same, the source `from` bytes after a line's start.
fn check_from(shape: &[usize], strides: &[isize], elem: usize, from: usize, shift: usize) {
    if !left_out() {
        check_always(shape, strides, elem, (from, shift));
    }
}

/// The same, also where only a part of the cases is tried.
fn check_always(shape: &[usize], strides: &[isize], elem: usize, (from, shift): (usize, usize)) {
    let (offset, len) = placed(shape, strides);
    let view = View { shape, strides, offset };
    let bytes = bytes(len * elem + 128);
    let from = bytes.as_ptr().align_offset(64) + from;
    let src = &bytes[from..from + len * elem];
    let want: Vec<u8> =
        positions(view).iter().flat_map(|&at| &src[at * elem..][..elem]).copied().collect();
    let run = |name: &str, call: &dyn Fn(*mut u8)| {
        let mut out = vec![0xEEu8; 2 * GUARD + want.len()];
        // Shifted from a line's start, so that the shift says what it means.
        let at = GUARD - 64 + out.as_ptr().align_offset(64) + shift;
        call(out[at..].as_mut_ptr());
        let right = out[at..at + want.len()] == want;
        assert!(right, "{name}: {shape:?} {strides:?} elements of {elem}, destination {shift}");
        let clean = out[..at].iter().chain(&out[at + want.len()..]).all(|&byte| byte == 0xEE);
        assert!(
            clean,
            "{name} wrote outside: {shape:?} {strides:?} elements of {elem}, destination {shift}"
        );
    };
    let nowhere = core::ptr::null_mut();
    let (source, target) =
        (Side::view(src.as_ptr(), len, &view), Side::dense(nowhere, want.len() / elem));
    let job = Transfer { shape, elem, src: source, dst: target };
    run("small", &|dst| {
        let (from, to) = ((src.as_ptr(), len), (dst, want.len() / elem));
        // SAFETY: `placed` made the buffer for the view, and `dst` has room for it (`run`). What is
        // refused must be untouched.
        unsafe {
            if !small::copy::<{ small::GATHER }>(view, elem, from, to) {
                transfer(&with(&job, dst), How::chosen())
            }
        }
    });
    chosen_kernels(&job, &run);
    every_kernel(&job, &run);
}

#[test]
fn one_axis_of_every_length_and_stride() {
    for elem in SIZES {
        for n in 0..LENGTHS {
            for stride in -20..=20 {
                check(&[n], &[stride], elem, (n + elem) % 64);
            }
        }
    }
}

#[test]
fn destinations_that_begin_anywhere() {
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
fn axes_longer_than_the_buffer() {
    for elem in SIZES {
        for n in [4095, 4096, 4097, 20_011] {
            for stride in [1, -1, 2, -2, 3, -3, 4, 5, 7, -16, 33] {
                check(&[n / elem], &[stride], elem, 16);
            }
        }
    }
}

#[test]
fn rows_about_as_long_as_the_buffer() {
    for n in [2047, 2048, 2049, 2100, 3999, 4031, 4032, 4033, 4095, 4096, 6001, 8191, 8193] {
        for shift in [0, 1, 16, 31, 32, 33, 63] {
            check(&[3, n], &[n as isize + 5, 1], 1, shift);
            check(&[2, n / 4], &[-(n as isize), 1], 4, shift);
        }
    }
}

#[test]
fn short_blocks_of_longer_rows() {
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
fn axes_that_change_places() {
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
fn columns_whose_lines_compete_for_the_cache() {
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

#[test]
#[cfg(not(miri))]
fn rows_from_memory_are_asked_for_ahead() {
    // They must reach over more than the caches hold.
    for (n, row, stride) in
        [(64, 600_000, 2), (64, -600_000, -2), (600, 600_000, 1), (300, 600_000, -3)]
    {
        for elem in [1, 4, 8] {
            check(&[40, n], &[row / elem as isize, stride], elem, 16);
        }
    }
}

/// Rows with gaps, in every direction, as length, stride and distance.
pub(super) const GAPPED: [(usize, isize, isize); 9] = [
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

/// Next to the ends of what a table, a pattern or a kind of move is for, a wrong one moves wrong
/// bytes, or writes past the end of a buffer on the stack.
#[test]
fn sizes_next_to_a_limit() {
    // Small sources that are read more than once, about as long as those that are copied aside.
    for n in [170, 171, 172, 1000] {
        check_always(&[5, n], &[0, -3], 1, (0, 0));
    }
    // Elements so far apart that they take too many loads.
    check_always(&[100, 2], &[2, -9000], 1, (0, 0));
    // Runs of two words, of more, and of vectors.
    for n in [16, 17, 32, 33, 64, 65] {
        check_always(&[7, n], &[200, 1], 1, (0, 0));
    }
    // Rows that are whole lines, and rows that are whole halves of lines.
    for elem in [1, 2, 4, 8] {
        for row in [64, 96, 128, 160, 224] {
            check_always(&[16, row / elem], &[1, 16], elem, (0, 0));
        }
    }
}

/// A kernel that does not fit goes by another one (`every_kernel`). So each is made here.
#[test]
fn every_kernel_is_made() {
    check_always(&[3000], &[-1], 1, (0, 0));
    check_always(&[64, 64], &[1, 64], 1, (0, 0));
    for isa in available() {
        let shuffle = Class::Shuffle { inner: 0 };
        for class in [Class::Rows, Class::Moves, shuffle, Class::Transpose { across: 1 }] {
            for sink in [Sink::Direct, Sink::Streamed] {
                let there_is = (class, sink) != (Class::Moves, Sink::Streamed)
                    && (class != shuffle || isa != Isa::Portable);
                let made = MADE.with_borrow(|made| made.contains(&(isa, class, sink)));
                assert_eq!(made, there_is, "{isa:?} {class:?} {sink:?}");
            }
        }
    }
}

/// Pixels whose channels lie in planes, and batches of them.
#[test]
fn planes_become_pixels() {
    for elem in [1, 2, 4, 8, 16] {
        for channels in [2, 3, 4, 5, 6, 7, 8, 9, 16] {
            for pixels in [4, 16, 23, 600] {
                let plane = (pixels + 5) as isize;
                check(&[pixels, channels], &[1, plane], elem, 0);
                check(&[pixels, channels], &[1, -plane], elem, 4);
                check(&[3, pixels, channels], &[plane * 20, 1, plane], elem, 16);
                check(&[pixels, channels], &[-1, plane], elem, 1);
            }
        }
    }
}

#[test]
fn elements_that_are_met_again() {
    for elem in SIZES {
        check(&[70, 50], &[0, 1], elem, 0);
        check(&[50, 70], &[1, 0], elem, 0);
        check(&[300], &[0], elem, 5);
        check(&[7, 5, 60], &[3, 0, -2], elem, 5);
    }
}

#[test]
fn random_views() {
    let mut random = Random(42);
    for _ in 0..10_000 {
        let elem = SIZES[random.below(SIZES.len())];
        let (shape, strides) = random.view(6000);
        let (_, buffer) = placed(&shape, &strides);
        if buffer < 400_000 {
            check(&shape, &strides, elem, random.below(64));
        }
    }
}

/// What counts as small, and what is refused. No other test would see a mistake here.
#[test]
fn small_and_not() {
    let take =
        |shape: &[usize], strides: &[isize], offset: usize, (src_len, dst_len): (usize, usize)| {
            let (src, mut dst) = (vec![7u8; src_len * 4], vec![0u8; dst_len * 4]);
            let view = View { shape, strides, offset };
            let (from, to) = ((src.as_ptr(), src_len), (dst.as_mut_ptr(), dst_len));
            // SAFETY: both are vectors of these lengths.
            let copied = unsafe { small::copy::<{ small::GATHER }>(view, 4, from, to) };
            assert!(
                dst.iter().all(|&byte| byte == if copied { 7 } else { 0 }),
                "{shape:?} {strides:?}"
            );
            copied
        };
    assert!(take(&[5], &[1], 0, (5, 5)));
    assert!(take(&[5], &[-1], 4, (5, 5)));
    assert!(take(&[3, 4, 5], &[40, 10, 2], 0, (120, 60)));
    assert!(take(&[2, 3, 1, 5], &[-40, 10, 9, 2], 40, (120, 30)));
    assert!(take(&[512], &[1], 1, (513, 512)));
    assert!(take(&[100], &[7], 0, (700, 100)));
    // Columns so short are moved as any others, whatever cache sets their lines share.
    assert!(take(&[128], &[512], 0, (1 << 16, 128)));
    // Many elements in one run, and in a few.
    assert!(take(&[2000], &[1], 1, (2001, 2000)));
    assert!(take(&[300, 2], &[3, 1], 0, (900, 600)));
    assert!(take(&[40, 33], &[-50, 1], 1950, (2000, 1320)));
    // Too many elements, runs or loops.
    assert!(take(&[1024], &[2], 0, (2048, 1024)) && !take(&[1025], &[2], 0, (2050, 1025)));
    assert!(!take(&[1100, 2], &[3, 1], 0, (3300, 2200)));
    assert!(!take(&[9000], &[1], 0, (9000, 9000)));
    assert!(!take(&[2, 2, 2, 2], &[100, 40, 15, 4], 0, (160, 16)));
    // Refused: too long for either, behind or before the start, ranks that differ, sums that wrap.
    assert!(!take(&[6], &[1], 0, (5, 6)));
    assert!(!take(&[5], &[1], 0, (5, 4)));
    assert!(!take(&[5], &[1], 1, (5, 5)));
    assert!(!take(&[5], &[-1], 3, (5, 5)));
    assert!(!take(&[2000], &[1], 1, (2000, 2000)));
    assert!(!take(&[2, 1000], &[isize::MAX, 1], 0, (5000, 2000)));
    assert!(!take(&[5], &[1, 1], 0, (5, 5)));
    assert!(!take(&[5], &[isize::MAX], 0, (5, 5)));
    assert!(!take(&[5], &[isize::MIN], 4, (5, 5)));
    assert!(!take(&[5], &[1], usize::MAX, (5, 5)));
    assert!(!take(&[5], &[1], usize::MAX - 1, (5, 5)));
    assert!(!take(&[1 << (usize::BITS - 2), 4], &[1, 1], 0, (5, 5)));
    assert!(!take(&[8000; 6], &[0; 6], 0, (5, 5)), "too many positions");
    assert!(!take(&[7621, 5821, 3338, 5971, 673, 31], &[0; 6], 0, (5, 418)), "2^64 + 418 of them");
    assert!(!take(&[0], &[1], 0, (5, 0)));
}
