//! Everything that writes into a view, by every instruction set, against one element after the other.
//!
//! Values are vectors of exactly their size, so that a sanitizer or valgrind sees a byte read too far. The places of a view lie in a
//! target with guard bytes around, and the bytes between the places are compared too.

use alloc::vec;
use alloc::vec::Vec;

use super::back::{How, Transfer, add_by, grad_by, sorted};
use super::isa::{Maker, pretend};
use super::nest::room;
use super::tests::{Random, bytes, cases, name, placed};
use super::{View, available, tiny, transfer};

const GUARD: usize = 192;

/// Where the elements of a view lie, in bytes, one after the other, from the definition of strides.
fn places(view: View<'_>, elem: usize) -> Vec<usize> {
    let len: usize = view.shape.iter().product();
    let place = |i: usize| {
        let (mut rest, mut at) = (i, view.offset as isize);
        for (&n, &s) in view.shape.iter().zip(view.strides).rev() {
            at += (rest % n) as isize * s;
            rest /= n;
        }
        at as usize * elem
    };
    (0..len).map(place).collect()
}

/// Compares `want` with what `call` makes of `before`, which lies `shift` bytes after the start of a line between guards.
fn compare(what: &dyn Fn() -> alloc::string::String, before: &[u8], want: &[u8], shift: usize, call: &dyn Fn(*mut u8)) {
    let mut out = vec![0xEEu8; 2 * GUARD + before.len()];
    let at = GUARD - 64 + out.as_ptr().align_offset(64) + shift;
    out[at..at + before.len()].copy_from_slice(before);
    call(out[at..].as_mut_ptr());
    assert!(out[at..at + want.len()] == *want, "{}", what());
    let clean = out[..at].iter().chain(&out[at + want.len()..]).all(|&byte| byte == 0xEE);
    assert!(clean, "wrote outside: {}", what());
}

/// Assigns, fills, broadcasts and takes the gradient of the view, by every set, plain and streamed.
fn check(shape: &[usize], strides: &[isize], elem: usize, shift: usize) {
    let (offset, len) = placed(shape, strides);
    let view = View { shape, strides, offset };
    let places = places(view, elem);
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
            Some(strides) => self::places(View { shape, strides, offset: 0 }, 1),
        };
        let values = bytes(from.iter().max().map_or(0, |&most| most + 1) * elem);
        let mut want = before.clone();
        for (&place, &value) in places.iter().zip(&from) {
            want[place..place + elem].copy_from_slice(&values[value * elem..][..elem]);
        }
        let job = |dst| Transfer {
            view,
            elem,
            src: values.as_ptr(),
            strides: source.as_deref(),
            src_len: values.len() / elem,
            first: 0,
            dst,
            dst_len: len,
        };
        let text =
            |how: &str| alloc::format!("{how}: {shape:?} {strides:?} from {source:?}, elements of {elem}, at {shift}");
        // SAFETY: `placed` made the target for the view, and the values are as many as there are positions.
        compare(&|| text("transfer"), &before, &want, shift, &|dst| unsafe { transfer(&job(dst)) });
        let one = source.as_ref().is_some_and(|strides| strides.iter().all(|&stride| stride == 0));
        if source.is_none() || one {
            // What is refused must be untouched.
            compare(&|| text("tiny"), &before, &want, shift, &|dst| {
                let (from, count) = (values.as_ptr(), places.len());
                // SAFETY: `placed` made the target for the view, and the values are as many as there are positions, or one.
                unsafe {
                    let done = match one {
                        true => tiny::fill(view, elem, from, count, (dst, len)),
                        false => tiny::put(view, elem, (from, count), (dst, len)),
                    };
                    if !done {
                        transfer(&job(dst));
                    }
                }
            });
        }
        #[cfg(feature = "rayon")]
        for threshold in [usize::MAX, 0] {
            // SAFETY: as above.
            let call = |dst| unsafe { super::transfer_by(&job(dst), spread(threshold)) };
            compare(&|| text("spread"), &before, &want, shift, &call);
        }
        for (isa, threshold) in sets() {
            compare(&|| text(name(isa)), &before, &want, shift, &|dst| {
                let (mut room, job) = (room(), job(dst));
                let Some(mut pairs) = job.pairs(&mut room) else { return };
                if pairs.sort() {
                    let how = How { isa, threshold, spread: usize::MAX };
                    // SAFETY: as above; the set is available.
                    unsafe { sorted(&pairs, &job, (values.as_ptr(), values.len()), 0, how) }
                } else {
                    // SAFETY: as above.
                    unsafe { transfer(&job) }
                }
            });
        }
    }
    let dy = bytes(places.len() * elem);
    let mut want = vec![0; len * elem];
    for (&place, value) in places.iter().zip(dy.chunks(elem)) {
        want[place..place + elem].copy_from_slice(value);
    }
    #[cfg(feature = "rayon")]
    for threshold in [usize::MAX, 0] {
        let text = || alloc::format!("spread grad: {shape:?} {strides:?}, elements of {elem}, at {shift}");
        compare(&text, &before, &want, shift, &|dst| {
            // SAFETY: as above.
            unsafe { grad_by(view, elem, dy.as_ptr(), dst, len, spread(threshold)) }
        });
    }
    for (isa, threshold) in sets() {
        let text = || alloc::format!("{} grad: {shape:?} {strides:?}, elements of {elem}, at {shift}", name(isa));
        compare(&text, &before, &want, shift, &|dst| {
            // SAFETY: as above.
            unsafe { grad_by(view, elem, dy.as_ptr(), dst, len, How { isa, threshold, spread: usize::MAX }) }
        });
    }
}

/// In the way the program would choose, but by several threads however little there is to do.
#[cfg(feature = "rayon")]
fn spread(threshold: usize) -> How {
    How { spread: 0, threshold, ..How::chosen() }
}

/// Every set, streaming nothing and everything.
fn sets() -> impl Iterator<Item = (super::Isa, usize)> {
    available().iter().flat_map(|&isa| [(isa, usize::MAX), (isa, 0)])
}

const SIZES: [usize; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 80];
/// Fewer cases where every step is interpreted.
const LENGTHS: usize = if cfg!(miri) { 12 } else { 131 };

#[test]
fn one_axis_every_length_and_stride() {
    for elem in SIZES {
        for n in 0..LENGTHS {
            // Every stride up to some, then ones that meet the vectors in different ways; all of them for a few lengths.
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
fn every_start() {
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
fn long_axes() {
    // Longer than the ground's buffer, and gaps longer than it.
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
    }
}

#[test]
#[cfg(not(miri))]
fn rows_for_the_string_instruction() {
    pretend(Maker::NewAmd);
    for elem in [1, 2, 4, 8, 16] {
        for shift in [0, 1, elem, 40] {
            check(&[(800 << 10) / elem + 3], &[1], elem, shift);
        }
        check(&[2, (790 << 10) / elem], &[(791 << 10) / elem as isize, -1], elem, 3 * elem % 64);
    }
}

#[test]
fn blocks() {
    // A short block of each row of a longer one, forwards and backwards.
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
fn columns_of_rows_that_share_places() {
    for maker in [Maker::OldAmd, Maker::Zen4, Maker::NewAmd] {
        pretend(maker);
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
}

#[test]
fn long_rows_at_short_steps() {
    // As long as combs ask for at steps of more than 4 bytes, and what is just too short.
    for (elem, n, step) in [(1, 13_200, 5), (1, 9_400, 7), (1, 8_193, 8), (2, 11_000, 3), (3, 10_000, 2), (4, 8_191, 2)]
    {
        for shift in [0, 1, 13] {
            check(&[n], &[step], elem, shift);
            check(&[n / 97, 97], &[120 * step, step], elem, shift);
        }
    }
}

#[test]
fn rows_of_whole_lines() {
    // Gradients of such rows are streamed without a buffer if they start a line, and if what follows their last place is free.
    for elem in [1, 2, 4, 8, 16] {
        let line = 64 / elem as isize;
        for (shift, step) in [(0, 2), (0, 3), (0, 4), (16, 2)] {
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
fn rows_in_lines_of_their_own() {
    // Gradients of such rows are streamed without a buffer wherever they begin and end, if a unit begins where a line does.
    for elem in [1, 2, 4, 8, 16] {
        let line = 64 / elem as isize;
        for shift in [0, 2, 8, 16, 32, 48] {
            for (n, step) in [
                (5 * line, 2),
                (5 * line, 4),
                (3 * line + 1, 2),
                (2 * line - 1, 2),
                (1, 2),
                (line / 2 + 1, 2),
                (4 * line, 3),
            ] {
                let row = n * step;
                check(&[40, n as usize], &[row + 2 * line, step], elem, shift);
                check(&[40, n as usize], &[row + 2 * line + 1, step], elem, shift);
                check(&[40, n as usize], &[row + 2 * line - 1, -step], elem, shift);
                check(&[3, 20, n as usize], &[21 * (row + 3 * line), -row - 3 * line, -step], elem, shift);
                // The next plane begins a line behind the last step, or less.
                check(&[3, 20, n as usize], &[20 * (row + 3 * line) - 2 * line, row + 3 * line, step], elem, shift);
                check(&[3, 20, n as usize], &[20 * (row + 3 * line) - 2 * line + 1, row + 3 * line, step], elem, shift);
                check(&[30, n as usize, 2], &[row * 2 + 2 * line, step * 2, 1], elem, shift);
            }
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
fn transposed() {
    for elem in SIZES {
        for (rows, columns) in [(2, 3), (16, 16), (17, 33), (64, 64), (5, 200), (130, 7)] {
            check(&[rows, columns], &[1, rows as isize], elem, 0);
            check(&[rows, columns], &[-1, rows as isize + 3], elem, 16);
            check(&[3, rows, columns], &[(rows * columns) as isize, 1, -(rows as isize)], elem, 4);
            check(&[rows, columns, 3], &[3, 3 * rows as isize, 1], elem, 4);
            check(&[rows, 2, columns], &[2, (2 * rows * columns) as isize, 2 * rows as isize], elem, 4);
        }
    }
}

#[test]
fn shared_places() {
    // The last value stays.
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
    for i in 0..cases(4000) {
        pretend([Maker::OldAmd, Maker::Zen4, Maker::NewAmd, Maker::Other][i % 4]);
        let elem = SIZES[random.below(SIZES.len())];
        let rank = 1 + random.below(5);
        let (mut shape, mut strides) = (vec![0; rank], vec![0; rank]);
        let mut reach = 1isize;
        let mut len = 1;
        for i in (0..rank).rev() {
            let most = [3, 5, 9, 40, 130][random.below(5)];
            shape[i] = (1 + random.below(most)).min(3000 / len).max(1);
            len *= shape[i];
            strides[i] = reach * (1 + random.below(3) as isize * random.below(2) as isize);
            reach = (strides[i] * shape[i] as isize + random.below(3) as isize).min(60_000);
            if random.below(2) == 0 {
                strides[i] = -strides[i];
            }
        }
        if random.below(3) == 0 {
            let (a, b) = (random.below(rank), random.below(rank));
            shape.swap(a, b);
            strides.swap(a, b);
        }
        let (_, target) = placed(&shape, &strides);
        if target < 100_000 {
            check(&shape, &strides, elem, random.below(64));
        }
    }
}

/// Sums of small whole numbers, which are exact in every type.
fn check_add(shape: &[usize], strides: &[isize]) {
    let (offset, len) = placed(shape, strides);
    let view = View { shape, strides, offset };
    let places = places(view, 1);
    let values: Vec<f32> = (0..places.len()).map(|i| (i % 100) as f32).collect();
    let before: Vec<f32> = (0..len).map(|i| (i % 77) as f32).collect();
    let mut want = before.clone();
    for (&place, &value) in places.iter().zip(&values) {
        want[place] += value;
    }
    for &isa in available() {
        let mut out = before.clone();
        // SAFETY: `placed` made the target for the view, and the values are as many as there are positions; the set is available.
        unsafe { add_by(view, values.as_ptr(), out.as_mut_ptr(), isa) };
        assert!(out == want, "{} add: {shape:?} {strides:?}", name(isa));
        let (whole, mut bytes): (Vec<u8>, Vec<u8>) = (values.iter().map(|&v| v as u8).collect(), vec![0; len]);
        // SAFETY: the same.
        unsafe { add_by(view, whole.as_ptr(), bytes.as_mut_ptr(), isa) };
        let mut want = vec![0u8; len];
        for (&place, &value) in places.iter().zip(&whole) {
            want[place] = want[place].wrapping_add(value);
        }
        assert!(bytes == want, "{} add of bytes: {shape:?} {strides:?}", name(isa));
    }
}

#[test]
fn sums() {
    for n in 0..LENGTHS {
        for stride in [1, -1, 2, -2, 3, 7] {
            check_add(&[n], &[stride]);
            check_add(&[3, n], &[stride * 140, stride]);
        }
    }
    check_add(&[4, 5, 6], &[1, 4, 20]);
    check_add(&[4, 5, 2], &[-30, 6, -1]);
    // Every value is added where positions share an element.
    check_add(&[2, 7], &[0, 1]);
    check_add(&[9, 4], &[2, 1]);
}
