//! Everything that writes into a view. The places lie in a target with guard bytes around, and the
//! bytes between the places are compared too.

use super::*;
use crate::kernel::gradient::grad;
use crate::kernel::moves::fill_rows;
use crate::kernel::small;
use crate::kernel::vector::Word16;
use alloc::string::String;
use alloc::vec;

/// Fewer cases where every step is interpreted.
const LENGTHS: usize = if cfg!(miri) { 12 } else { 131 };

/// Compares `want` with what `call` makes of `before`, which lies `shift` bytes after the start of
/// a line between guards.
fn compare(
    what: &dyn Fn() -> String,
    before: &[u8],
    want: &[u8],
    shift: usize,
    call: &dyn Fn(*mut u8),
) {
    let mut out = vec![0xEEu8; 2 * GUARD + before.len()];
    let at = GUARD - 64 + out.as_ptr().align_offset(64) + shift;
    out[at..at + before.len()].copy_from_slice(before);
    call(out[at..].as_mut_ptr());
    assert!(out[at..at + want.len()] == *want, "{}", what());
    let clean = out[..at].iter().chain(&out[at + want.len()..]).all(|&byte| byte == 0xEE);
    assert!(clean, "wrote outside: {}", what());
}

/// Assigns, fills, broadcasts and takes the gradient of the view, in every way.
fn check(shape: &[usize], strides: &[isize], elem: usize, shift: usize) {
    if left_out() {
        return;
    }
    let (offset, len) = placed(shape, strides);
    let view = View { shape, strides, offset };
    let places = positions(view);
    let before: Vec<u8> = bytes(len * elem + 7)[7..].to_vec();
    // C order; one value; one value for each position of the last axis, and for each of the first.
    let rank = shape.len();
    let mut sources = vec![None, Some(vec![0isize; rank])];
    let (mut last, mut first) = (vec![0isize; rank], vec![0isize; rank]);
    if rank > 1 {
        (last[rank - 1], first[0]) = (1, 1);
        sources.extend([Some(last), Some(first)]);
    }
    for source in &sources {
        let from: Vec<usize> = match source {
            None => (0..places.len()).collect(),
            Some(strides) => positions(View { shape, strides, offset: 0 }),
        };
        let values = bytes(from.iter().max().map_or(0, |&most| most + 1) * elem);
        let mut want = before.clone();
        for (&place, &value) in places.iter().zip(&from) {
            want[place * elem..][..elem].copy_from_slice(&values[value * elem..][..elem]);
        }
        let from = Side {
            strides: source.as_deref(),
            ..Side::dense(values.as_ptr(), values.len() / elem)
        };
        let job =
            Transfer { shape, elem, src: from, dst: Side::view(core::ptr::null_mut(), len, &view) };
        let run = |how: &str, call: &dyn Fn(*mut u8)| {
            let text = || {
                alloc::format!(
                    "{how}: {shape:?} {strides:?} from {source:?}, elements of {elem}, at {shift}"
                )
            };
            compare(&text, &before, &want, shift, call);
        };
        let still = source.as_ref().is_some_and(|it| it.iter().all(|&step| step == 0));
        if source.is_none() || still {
            run("small", &|dst| {
                let (from, to) = ((values.as_ptr(), places.len()), (dst, len));
                let small = if still {
                    small::copy::<{ small::FILL }>
                } else {
                    small::copy::<{ small::SCATTER }>
                };
                // SAFETY: `placed` made the target for the view, and there are as many values as
                // positions, or one for all. What is refused must be untouched.
                unsafe {
                    if !small(view, elem, from, to) {
                        transfer(&with(&job, dst), How::chosen());
                    }
                }
            });
        }
        #[cfg(feature = "rayon")]
        for streamed in [usize::MAX, 0] {
            let how = How { streamed, parallel: 0, ..How::chosen() };
            // SAFETY: as above.
            run("parallel", &|dst| unsafe { transfer(&with(&job, dst), how) });
        }
        chosen_kernels(&job, &run);
        every_kernel(&job, &run);
    }
    check_grad(view, &places, elem, shift, &before);
}

/// The gradient of the view if no place is shared, also with zeros that are not zero bytes.
fn check_grad(view: View<'_>, places: &[usize], elem: usize, shift: usize, before: &[u8]) {
    let View { shape, strides, .. } = view;
    if places.iter().collect::<std::collections::HashSet<_>>().len() < places.len() {
        return;
    }
    let dy = bytes(places.len() * elem);
    for zero in [vec![0; elem], bytes(elem)] {
        let mut want: Vec<u8> = zero.iter().copied().cycle().take(before.len()).collect();
        for (&place, value) in places.iter().zip(dy.chunks(elem)) {
            want[place * elem..][..elem].copy_from_slice(value);
        }
        let text = || alloc::format!("grad: {shape:?} {strides:?}, elements of {elem}, at {shift}");
        let mut ways: Vec<How> = sets().collect();
        if cfg!(feature = "rayon") {
            ways.extend([usize::MAX, 0].map(|streamed| How {
                streamed,
                parallel: 0,
                ..How::chosen()
            }));
        }
        for how in ways {
            compare(&text, before, &want, shift, &|dst| {
                let len = before.len() / elem;
                let src = Side::dense(dy.as_ptr(), places.len());
                let job = Transfer { shape, elem, src, dst: Side::view(dst, len, &view) };
                // SAFETY: as above; no place is shared.
                unsafe { grad(&job, zero.as_ptr(), how) }
            });
        }
    }
}

/// In one pass, lines are streamed with the values in them; in two, only zeros are.
#[test]
fn a_large_gradient_goes_in_one_pass() {
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    static WITH_VALUES: AtomicUsize = AtomicUsize::new(0);
    /// Counts the lines that are not zeros.
    ///
    /// # Safety
    ///
    /// As for [`Set::copy_lines`](isa::Set::copy_lines).
    unsafe fn counted(src: *const u8, dst: *mut u8, lines: usize, _: isize) {
        for at in (0..64 * lines).step_by(64) {
            // SAFETY: one of the caller's lines.
            let line = unsafe { core::slice::from_raw_parts(src.add(at), 64) };
            WITH_VALUES.fetch_add(usize::from(line != [0; 64]), Relaxed);
            // SAFETY: the same.
            unsafe { core::ptr::copy_nonoverlapping(src.add(at), dst.add(at), 64) };
        }
    }
    static COUNTS: isa::Set = isa::Set {
        vectors: None,
        between: None,
        copy_lines: counted,
        fill: fill_rows::<core::mem::MaybeUninit<Word16>>,
    };
    let with_values = |elem: usize, streamed| {
        let (shape, strides) = ([6400], [2]);
        let (values, zero) = (vec![1u8; 6400 * elem], vec![0u8; elem]);
        let mut out = vec![0xEEu8; 12800 * elem];
        let view = View { shape: &shape, strides: &strides, offset: 0 };
        let dst = Side::view(out.as_mut_ptr(), 12800, &view);
        let job = Transfer { shape: &shape, elem, src: Side::dense(values.as_ptr(), 6400), dst };
        let how = How { set: &COUNTS, streamed, parallel: usize::MAX };
        WITH_VALUES.store(0, Relaxed);
        // SAFETY: the buffers have room for the view and its values; any CPU has the set.
        unsafe { grad(&job, zero.as_ptr(), how) };
        let want = |(i, &byte): (usize, &u8)| byte == u8::from((i / elem).is_multiple_of(2));
        assert!(out.iter().enumerate().all(want), "elements of {elem}");
        WITH_VALUES.load(Relaxed)
    };
    for elem in [1, 2, 4, 8, 16] {
        // All lines, except one at each end that may be shorter.
        assert!(with_values(elem, 0) + 1 >= 200 * elem, "elements of {elem}");
    }
    assert_eq!(with_values(3, 0), 0, "zeros of other sizes are written first");
    assert_eq!(with_values(4, usize::MAX), 0, "nothing is streamed");
}

#[test]
fn one_axis_of_every_length_and_stride() {
    for elem in SIZES {
        for n in 0..LENGTHS {
            // Every stride up to some, then ones that meet the vectors in different ways; all of
            // them for a few lengths.
            let strides = [1, -1, 2, -2, 3, -3, 4, -5, 7, 8, -16, 17, 32, 0];
            for stride in strides.into_iter().filter(|s| !cfg!(miri) || s % 3 == 1) {
                check(&[n], &[stride], elem, (n + elem) % 64);
            }
            if n % 26 == 25 && !cfg!(miri) {
                (-20..=20).for_each(|stride| check(&[n], &[stride], elem, n % 64));
            }
        }
    }
}

#[test]
fn destinations_that_begin_anywhere() {
    for elem in SIZES {
        for shift in 0..64 {
            for stride in [1, -1, 2, -3] {
                check(&[700 / elem], &[stride], elem, shift);
                check(&[3, 250 / elem], &[stride * 400, stride], elem, shift);
            }
        }
    }
}

#[test]
fn axes_and_gaps_longer_than_the_buffer() {
    for elem in SIZES {
        for n in [4095, 4097, 20_011] {
            for stride in [1, -1, 2, -3, 4, 7, -16] {
                check(&[n / elem], &[stride], elem, 16);
            }
        }
        let wide = 20_000 / elem as isize;
        check(&[5, 60], &[wide, 2], elem, 20);
        check(&[3, 40, 3], &[-wide, 4, 1], elem, 60);
        check(&[4, 800 / elem], &[wide, 1], elem, 12);
        check(&[50, 1400 / elem], &[1500 / elem as isize, 1], elem, 0);
        check(&[3, 2500 / elem], &[-wide, 2], elem, 0);
        check(&[2, 9000 / elem], &[-wide, 1], elem, 4);
    }
}

#[test]
fn short_blocks_of_longer_rows() {
    for elem in SIZES {
        for width in [1, 2, 3, 4, 5, 7, 8, 9usize] {
            for take in 1..=width {
                for n in [7, 64, 129] {
                    let row = width as isize;
                    check(&[n, take], &[row, 1], elem, take * elem % 64);
                    check(&[n, take], &[-row, -1], elem, 1);
                    check(&[n, take], &[row, -1], elem, elem % 64);
                    check(&[n, take.div_ceil(2)], &[-row, 2], elem, 48);
                }
            }
        }
    }
}

#[test]
fn columns_whose_lines_compete_for_the_cache() {
    for elem in [1, 4, 12, 16] {
        for pitch in [512, 1024, 2048, 3072, 4096, 8192] {
            let (row, n) = ((pitch / elem) as isize, 600 / elem);
            check(&[n], &[row], elem, 4);
            check(&[17], &[row], elem, 4);
            check(&[150, 2], &[row, 1], elem, 0);
            check(&[2, 70, 3], &[80 * row, row, 2], elem, 60);
            check(&[n], &[-row], elem, 0);
            check(&[n / 3, 3], &[row, 1], elem, 60);
            check(&[300, 5], &[row, 1], elem, 16);
        }
    }
}

#[test]
fn rows_of_whole_lines() {
    for elem in [1, 2, 4, 8, 16] {
        let line = 64 / elem as isize;
        for (shift, step) in [(0, 2), (0, 3), (0, 4), (16, 2), (8, 2), (48, 2)] {
            let (n, row) = ((4 * line) as usize, 4 * line * step);
            check(&[90, n], &[row + line, step], elem, shift);
            check(&[90, n], &[row, -step], elem, shift);
            check(&[3, 30, n], &[30 * row + row, row + line, step], elem, shift);
            // The next plane begins within the last step.
            check(&[3, 30, n], &[30 * (row + line) - line - 1, row + line, step], elem, shift);
            check(&[40, n, 2], &[row + line, step, 1], elem, shift);
        }
    }
}

#[test]
fn many_axes() {
    for elem in SIZES {
        check(&[4; 5], &[-256, -64, -16, -4, -1], elem, 3);
        check(&[2; 10], &[512, -256, 128, -64, 32, -16, 8, -4, 2, -1], elem, 0);
        check(&[2; 9], &[768, 384, 192, 96, -48, 24, -12, 6, -3], elem, 32);
        check(&[5, 1, 5, 2, 5], &[250, 7, 50, -5, 1], elem, 60);
        check(&[3, 3, 3, 3], &[1, 3, 9, 27], elem, 0);
    }
}

#[test]
fn axes_that_change_places() {
    for elem in SIZES {
        for (rows, columns) in [(2, 3), (16, 16), (17, 33), (64, 64), (5, 200), (130, 7)] {
            check(&[rows, columns], &[1, rows as isize], elem, 0);
            check(&[rows, columns], &[-1, rows as isize + 3], elem, 16);
            check(&[3, rows, columns], &[(rows * columns) as isize, 1, -(rows as isize)], elem, 4);
            check(&[rows, columns, 3], &[3, 3 * rows as isize, 1], elem, 4);
            check(
                &[rows, 2, columns],
                &[2, (2 * rows * columns) as isize, 2 * rows as isize],
                elem,
                4,
            );
        }
    }
}

#[test]
fn the_last_value_stays_in_a_shared_place() {
    for elem in SIZES {
        check(&[70, 50], &[0, 1], elem, 0);
        check(&[50, 70], &[1, 0], elem, 0);
        check(&[300], &[0], elem, 5);
        check(&[7, 5, 60], &[3, 0, -2], elem, 5);
        check(&[90, 4], &[2, 1], elem, 5);
        check(&[90, 4], &[-3, 1], elem, 5);
        check(&[4, 90], &[2, 3], elem, 5);
    }
}

#[test]
fn random_views() {
    let mut random = Random(43);
    for _ in 0..2000 {
        let elem = SIZES[random.below(SIZES.len())];
        let (shape, strides) = random.view(3000);
        let (_, target) = placed(&shape, &strides);
        if target < 100_000 {
            check(&shape, &strides, elem, random.below(64));
        }
    }
}

/// From one view to another of the same shape, in every way.
fn check_between(shape: &[usize], from: &[isize], to: &[isize], elem: usize, shift: usize) {
    if left_out() {
        return;
    }
    let side = |strides| {
        let (offset, len) = placed(shape, strides);
        (View { shape, strides, offset }, len)
    };
    let ((source, count), (target, len)) = (side(from), side(to));
    let (values, before) = (bytes(count * elem), bytes(len * elem + 7)[7..].to_vec());
    let mut want = before.clone();
    for (at, place) in positions(source).into_iter().zip(positions(target)) {
        want[place * elem..][..elem].copy_from_slice(&values[at * elem..][..elem]);
    }
    let (src, dst) = (values.as_ptr(), core::ptr::null_mut());
    let job = Transfer {
        shape,
        elem,
        src: Side::view(src, count, &source),
        dst: Side::view(dst, len, &target),
    };
    let run = |how: &str, call: &dyn Fn(*mut u8)| {
        let text = || {
            alloc::format!(
                "{how}: {shape:?} from {from:?} to {to:?}, elements of {elem}, at {shift}"
            )
        };
        compare(&text, &before, &want, shift, call);
    };
    for how in sets() {
        // SAFETY: `placed` made both buffers for their views; the set is available.
        run("chosen", &|dst| unsafe { transfer(&with(&job, dst), how) });
    }
    every_kernel(&job, &run);
}

#[test]
fn from_view_to_view() {
    for elem in SIZES {
        for n in [1, 2, 7, 30, 200] {
            for (from, to) in [(1, 1), (-1, -1), (-1, 1), (2, -1), (-3, 2), (0, 2), (1, -2)] {
                check_between(&[n], &[from], &[to], elem, n % 64);
                let row = 3 * n as isize;
                check_between(&[5, n], &[-row, from], &[-row, to], elem, 16);
                check_between(&[5, n], &[row, from], &[-row - 1, to], elem, 0);
                check_between(&[n, 5], &[8 * from, 1], &[8 * to, 1], elem, 4);
            }
        }
    }
}
