//! Which class a case takes.

use crate::kernel::isa::{Isa, Set, sets};
use crate::kernel::nest::{Loop, Nest};
use crate::kernel::piece::{Class, Piece, Sink};
use crate::kernel::run::Kernel;
use crate::kernel::select::choose;
use crate::kernel::vector::ways;
use crate::kernel::{How, as_they_come};

/// What a gather of a view takes: shape, strides in elements, bytes of an element.
fn gathered(
    set: &'static Set,
    shape: &[usize],
    strides: &[isize],
    elem: usize,
    stream: bool,
) -> (Class, Sink) {
    let mut nest = Nest::new();
    assert!(nest.merge(shape, Some(strides), None, elem) && nest.sort());
    selected(set, &nest, stream)
}

fn selected(set: &'static Set, nest: &Nest, stream: bool) -> (Class, Sink) {
    let piece = Piece::new(nest, (core::ptr::null(), core::ptr::null_mut()), set);
    let piece = Piece { readable: (0, usize::MAX), limit: usize::MAX, stream, ..piece };
    // SAFETY: no piece here reads one value, or has a small source.
    unsafe { choose(&piece, &mut |_| ()) }
}

#[test]
fn every_set_moves_what_only_moves_can() {
    for (_, set) in sets() {
        let plain = (Class::Moves, Sink::Direct);
        assert_eq!(gathered(set, &[20], &[9], 4, false), plain, "too few for tables");
        assert_eq!(gathered(set, &[5000], &[16], 4, false), plain, "too far apart");
        assert_eq!(gathered(set, &[9000], &[7], 4, false), plain, "a line for two or three");
        assert_eq!(gathered(set, &[4096], &[4096], 4, false), plain);
        assert_eq!(gathered(set, &[4096], &[2], 4, false), plain, "at a step of constant loops");
        assert_eq!(gathered(set, &[100, 90], &[90, -1], 8, false), plain, "the same");
        // One of them fills a lane, or nearly.
        assert_eq!(gathered(set, &[4096], &[1024], 16, false), plain);
        assert_eq!(gathered(set, &[4096, 3], &[4096, 1], 4, false), plain);
        assert_eq!(gathered(set, &[1 << 20], &[16], 4, true), plain);
    }
}

#[test]
fn every_set_copies_long_runs() {
    for (_, set) in sets() {
        assert_eq!(gathered(set, &[3, 100], &[200, 1], 4, false), (Class::Rows, Sink::Direct));
        assert_eq!(gathered(set, &[3, 100], &[200, 1], 4, true), (Class::Rows, Sink::Streamed));
        assert_eq!(gathered(set, &[3, 1000], &[2000, 1], 4, true), (Class::Rows, Sink::Streamed));
        assert_eq!(gathered(set, &[10_000], &[1], 4, true), (Class::Rows, Sink::Streamed));
        // With gaps between its places, a short run is mostly lines that are not streamed.
        for (n, sink) in [(127, Sink::Direct), (128, Sink::Streamed)] {
            let mut nest = Nest::new();
            let strides = |pitch: usize| [pitch as isize, 1];
            assert!(nest.merge(&[1000, n], Some(&strides(n)), Some(&strides(n + 2)), 4));
            assert!(nest.sort());
            assert_eq!(selected(set, &nest, true), (Class::Rows, sink));
        }
    }
}

/// Runs of more than 2 KiB of one value that are streamed, or whose value fills no word.
#[test]
fn every_set_fills_long_runs_by_a_pattern() {
    let value = [0u8; 16];
    for (_, set) in sets() {
        let filled = |n: usize, elem, stream| {
            let mut nest = Nest::new();
            assert!(nest.merge(&[n], Some(&[0]), Some(&[1]), elem) && nest.sort());
            let piece = Piece::new(&nest, (value.as_ptr(), core::ptr::null_mut()), set);
            // SAFETY: the value can be read.
            unsafe { choose(&Piece { stream, ..piece }, &mut |_| ()) }
        };
        assert_eq!(filled(513, 4, true), (Class::Fill, Sink::Streamed));
        assert_eq!(filled(512, 4, true), (Class::Rows, Sink::Streamed), "as long as a pattern");
        assert_eq!(filled(5000, 4, false), (Class::Moves, Sink::Direct), "words fill a row");
        assert_eq!(filled(5000, 3, true), (Class::Fill, Sink::Streamed));
        assert_eq!(filled(5000, 3, false), (Class::Fill, Sink::Direct));
        assert_eq!(filled(600, 3, false), (Class::Rows, Sink::Direct), "shorter than a pattern");
    }
}

/// `Kernel::make` is safe: it refuses what a kernel would not be sound for.
#[test]
fn a_kernel_is_not_made_for_a_piece_that_it_does_not_fit() {
    let how = How::chosen();
    let made = |piece: &Piece<'_>, class| Kernel::make(piece, class, Sink::Direct, &mut |_| ());
    let value = [0u8; 3];
    let mut nest = Nest::new();
    assert!(nest.merge(&[5000], Some(&[0]), Some(&[1]), 3) && nest.sort());
    let piece = Piece::new(&nest, (value.as_ptr(), core::ptr::null_mut()), how.set);
    let piece = Piece { readable: (value.as_ptr().addr(), 3), ..piece };
    assert!(!made(&piece, Class::Fill), "no run repeats anything");
    let joined = piece.joined();
    assert!(joined.is_some_and(|it| !made(&it, Class::Fill)), "there is no pattern");
    let squares = |strides: [isize; 2]| {
        let mut nest = Nest::new();
        assert!(nest.merge(&[64, 64], Some(&strides), None, 4) && nest.sort());
        let piece = Piece::new(&nest, (core::ptr::null(), core::ptr::null_mut()), how.set);
        [0, 1, 2].map(|across| made(&piece, Class::Transpose { across }))
    };
    assert_eq!(squares([1, 64]), [false, true, false], "loop 1 runs along the source");
    assert_eq!(squares([2, 130]), [false; 3], "no loop does");
}

#[test]
fn every_set_turns_squares() {
    for (_, set) in sets() {
        // Planes become pixels in registers.
        for n in [2, 3, 4, 8] {
            let woven = gathered(set, &[1000, n], &[1, 1000], 4, false);
            assert_eq!(woven, (Class::Transpose { across: 1 }, Sink::Direct));
        }
        assert_eq!(
            gathered(set, &[64, 64], &[1, 64], 4, false),
            (Class::Transpose { across: 1 }, Sink::Direct)
        );
        assert_eq!(
            gathered(set, &[64, 64], &[-1, 64], 1, true),
            (Class::Transpose { across: 1 }, Sink::Streamed)
        );
    }
}

#[test]
fn squares_are_turned_where_lines_do_not_stay_in_the_first_level_cache() {
    let turned = (Class::Transpose { across: 1 }, Sink::Direct);
    for (_, set) in sets() {
        let square =
            |n: usize, pitch: isize, elem| gathered(set, &[n, n], &[1, pitch], elem, false);
        assert_ne!(square(45, 45, 8), turned, "both sides stay");
        assert_eq!(square(65, 65, 8), turned, "they do not");
        assert_ne!(square(30, 1000, 4), turned, "few");
        assert_eq!(square(30, 1024, 4), turned, "few, whose lines share a set");
        assert_eq!(square(45, 45, 4), turned);
        // Channels that become planes, and planes that become channels.
        let planes = |channels: usize, elem| {
            gathered(set, &[channels, 5000], &[1, channels as isize], elem, false)
        };
        assert!(planes(10, 2) == turned && planes(8, 4) == turned && planes(5, 8) == turned);
        assert!(planes(15, 1) != turned && planes(7, 4) != turned && planes(4, 8) != turned);
        let pixels = |channels, elem| gathered(set, &[5000, channels], &[1, 5000], elem, false);
        assert!(pixels(10, 8) == turned && pixels(6, 8) == turned && pixels(9, 4) == turned);
        assert!(pixels(5, 8) != turned && pixels(6, 4) != turned && pixels(7, 4) != turned);
    }
}

#[test]
fn sets_with_vectors_shuffle_short_periods() {
    for (_, set) in sets().filter(|&(isa, _)| isa != Isa::Portable) {
        let shuffle = |inner| Class::Shuffle { inner };
        assert_eq!(gathered(set, &[10_000], &[-1], 1, false), (shuffle(0), Sink::Direct));
        assert_eq!(gathered(set, &[10_000], &[-1], 4, true), (shuffle(0), Sink::Streamed));
        assert_eq!(gathered(set, &[900], &[3], 2, false), (shuffle(0), Sink::Direct));
        // Close words, in rows that skip as much as they read, too.
        assert_eq!(gathered(set, &[100, 90], &[400, 2], 4, false), (Class::Moves, Sink::Direct));
        assert_eq!(gathered(set, &[100, 90], &[200, 2], 4, false), (Class::Moves, Sink::Direct));
        assert_eq!(gathered(set, &[10_000], &[2], 4, true), (shuffle(0), Sink::Streamed));
        assert_eq!(gathered(set, &[100, 90], &[200, 2], 4, true), (shuffle(0), Sink::Direct));
        assert_eq!(gathered(set, &[100, 90], &[400, 2], 4, true), (shuffle(0), Sink::Direct));
        if set.vectors.is_some_and(|it| it.bytes >= 32) {
            let moved = (Class::Moves, Sink::Direct);
            assert_eq!(gathered(set, &[10_000], &[-1], 16, false), moved, "a few each");
            assert_eq!(gathered(set, &[10_000], &[-1], 16, true), (shuffle(0), Sink::Streamed));
        }
        // A line begins at any of five bytes of a unit.
        assert_eq!(gathered(set, &[10_000, 5], &[5, -1], 1, true), (shuffle(1), Sink::Direct));
        // Channels that lie in planes, unless bytes stay between the pixels.
        assert_eq!(gathered(set, &[10_000, 3], &[1, 10_000], 1, true), (shuffle(1), Sink::Direct));
        let mut nest = Nest::new();
        assert!(nest.merge(&[10_000, 3], Some(&[1, 10_000]), Some(&[4, 1]), 1) && nest.sort());
        assert_eq!(selected(set, &nest, false), (Class::Moves, Sink::Direct));
        // Matrices that are turned, too small to be interleaved one by one, and a larger one.
        assert_eq!(gathered(set, &[1000, 2, 2], &[4, 1, 2], 1, false), (shuffle(2), Sink::Direct));
        let large = gathered(set, &[10, 500, 2], &[1000, 1, 500], 2, false);
        assert_eq!(large, (Class::Transpose { across: 1 }, Sink::Direct));
        // Reversed pixels, and two bytes of three.
        assert_eq!(gathered(set, &[10_000, 3], &[3, -1], 1, false), (shuffle(1), Sink::Direct));
        assert_eq!(gathered(set, &[10_000, 2], &[3, 1], 1, false), (shuffle(0), Sink::Direct));
    }
}

#[test]
fn elements_that_no_shuffle_joins_are_moved_as_they_come() {
    let how = How { streamed: usize::MAX, parallel: usize::MAX, ..How::chosen() };
    let of = |n, src: &[isize], dst: Option<&[isize]>, elem| {
        let mut nest = Nest::new();
        assert!(nest.merge(&[n], Some(src), dst, elem));
        as_they_come(nest.loops(), nest.run, nest.total, how)
    };
    let come = |step: isize, elem| of(4096, &[step], None, elem);
    assert!(come(7, 4) && come(-1, 16), "far apart, or long");
    assert!(come(2, 4) && come(-1, 8), "at a step of constant loops");
    assert!(!come(3, 4) && !come(2, 2) && !come(8, 3) && !come(-1, 20), "a shuffle takes less");
    // A few: twice as many, if a vector holds few of them, or if they are one value.
    assert!(of(511, &[3], None, 2) && !of(512, &[3], None, 2));
    assert!(of(1023, &[3], None, 4) && !of(1024, &[3], None, 4));
    assert!(of(1023, &[0], Some(&[2]), 2) && !of(1024, &[0], Some(&[2]), 2));
    // Without gaps, a pattern holds one value of three bytes sooner.
    assert!(of(511, &[0], Some(&[1]), 3) && !of(512, &[0], Some(&[1]), 3));
    assert!(of(1023, &[0], Some(&[2]), 3));
    // One value is written in the order of its places, unless they are sorted already.
    let turned = |outer: isize, inner: isize| {
        let mut nest = Nest::new();
        assert!(nest.merge(&[3, 4], Some(&[0, 0]), Some(&[outer, inner]), 4));
        as_they_come(nest.loops(), nest.run, nest.total, how)
    };
    assert!(turned(10, 2) && turned(-10, 2) && !turned(2, 10));
    let fills = |n: usize| {
        let (mut nest, pitch) = (Nest::new(), 2 * n as isize);
        assert!(nest.merge(&[600, n], Some(&[0, 0]), Some(&[pitch, 1]), 4));
        as_they_come(nest.loops(), nest.run, nest.total, how)
    };
    assert!(fills(16) && !fills(8), "rows of a line, and shorter ones");
    // Columns in Fortran's order are runs if they are sorted.
    let columns = |n: usize| {
        let (mut nest, strides) = (Nest::new(), [1, 100]);
        assert!(nest.merge(&[n, n], Some(&strides), Some(&strides), 8));
        as_they_come(nest.loops(), nest.run, nest.total, how)
    };
    assert!(columns(10) && !columns(20));
}

#[test]
fn runs_of_a_line_wait_in_crowded_columns() {
    for (_, set) in sets().filter(|&(isa, _)| isa != Isa::Portable) {
        let by_vectors = |run, n, src| set.runs(run, &Loop { n, src, dst: 200 }).is_some();
        assert!(!by_vectors(64, 2000, 1 << 14) && !by_vectors(33, 2000, 1 << 14));
        assert!(by_vectors(64, 2000, 100) && by_vectors(64, 10, 1 << 14), "they are not crowded");
        assert!(by_vectors(65, 2000, 1 << 14), "they are longer");
        let column = Loop { n: 2000, src: 1 << 14, dst: 1 << 13 };
        assert!(set.runs(64, &column).is_some(), "so are the places, which are not waited for");
    }
}

#[test]
fn lines_are_streamed_where_rows_are_long_and_without_gaps() {
    for (_, set) in sets().filter(|&(isa, _)| isa != Isa::Portable) {
        let shuffle = |inner| Class::Shuffle { inner };
        let streamed = (shuffle(0), Sink::Streamed);
        assert_eq!(gathered(set, &[500, 2000], &[8000, 2], 2, true), streamed);
        assert_eq!(gathered(set, &[500, 3001], &[9001, 2], 1, true), streamed);
        assert_eq!(gathered(set, &[500, 500], &[2000, 2], 2, true), (shuffle(0), Sink::Direct));
        // Three tables, for rows that are alike or very long.
        let pixels =
            |rows: usize, n: usize| gathered(set, &[rows, n, 3], &[3 * n as isize, 3, -1], 1, true);
        assert_eq!(pixels(1, 4000), (shuffle(1), Sink::Streamed));
        let flipped = |n: usize| {
            let n_bytes = 3 * n as isize;
            gathered(set, &[500, n, 3], &[n_bytes, -3, 1], 1, true)
        };
        assert_eq!(flipped(1600), streamed);
        assert_eq!(flipped(1601), (shuffle(0), Sink::Direct));
        assert_eq!(flipped(5601), streamed);
        // Places with gaps: their lines are read anyway.
        let mut nest = Nest::new();
        assert!(nest.merge(&[500, 2000], None, Some(&[4000, 2]), 2) && nest.sort());
        assert_eq!(selected(set, &nest, true), (shuffle(0), Sink::Direct));
    }
}

/// A byte that one thread rewrites unchanged may be another thread's output.
#[cfg(feature = "rayon")]
#[test]
fn a_part_writes_nothing_of_the_next_one() {
    use crate::kernel::parallel::Part;
    for (shape, strides) in [(&[1000][..], &[2][..]), (&[40, 50], &[300, 3]), (&[3], &[-700])] {
        let (offset, len) = super::placed(shape, strides);
        let mut buffer = super::bytes(4 * len);
        let values = super::bytes(4 * shape.iter().product::<usize>());
        let mut nest = Nest::new();
        nest.merge(shape, None, Some(strides), 4);
        assert!(nest.sort());
        let dst = buffer.as_mut_ptr().wrapping_add(4 * offset);
        let limit = buffer.as_ptr().addr() + buffer.len();
        let Some((_, set)) = sets().next() else { panic!("there is no set") };
        let piece = Piece { limit, ..Piece::new(&nest, (values.as_ptr(), dst), set) };
        let (one, two) = Part::of(&piece).halves();
        assert!(one.piece().limit <= two.piece().dst.addr());
        assert_eq!(two.piece().limit, limit);
        assert_eq!(one.piece().total + two.piece().total, piece.total);
    }
}

#[cfg(feature = "rayon")]
#[test]
fn the_panic_of_a_part_reaches_the_caller() {
    use crate::kernel::parallel::run_parts;
    use core::sync::atomic::{AtomicBool, Ordering};
    let mut nest = Nest::new();
    nest.merge(&[100_000], None, Some(&[2]), 4);
    assert!(nest.sort());
    let Some((_, set)) = sets().next() else { panic!("there is no set") };
    let piece = Piece::new(&nest, (core::ptr::null(), core::ptr::null_mut()), set);
    // One part only: what others panic with is never dropped, which AddressSanitizer reports.
    let panicked = AtomicBool::new(false);
    let stopped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let work = |_: &Piece<'_>| assert!(panicked.swap(true, Ordering::Relaxed), "a part");
        // SAFETY: the work touches nothing.
        unsafe { run_parts(&piece, &work) }
    }));
    let panic = stopped.err().and_then(|panic| panic.downcast_ref().copied());
    assert_eq!(panic, Some("a part"));
}

/// What an x86 CPU says decides only which of two ways is faster. A virtual machine may hide it.
#[test]
fn a_set_of_the_first_level_cache_has_some_lines() {
    let found = ways();
    assert!((2..=64).contains(&found) || found == usize::MAX, "{found}");
    assert!(found == usize::MAX || cfg!(all(target_arch = "x86_64", not(miri))));
    assert_eq!(ways(), found);
}
