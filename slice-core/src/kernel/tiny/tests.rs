//! What is tiny, and that it is right.

use super::super::View;
use super::super::isa::{Maker, available, force, pretend};
use super::{copy, fill, put};
use alloc::vec;
use alloc::vec::Vec;

/// What is tiny, and what is not or not right: a promise to nobody, but a mistake in it would be seen by no other test.
#[test]
#[cfg_attr(target_pointer_width = "32", ignore = "less is tiny there")]
fn tiny_and_not() {
    let take = |shape: &[usize], strides: &[isize], offset: usize, (src_len, dst_len): (usize, usize)| {
        let (src, mut dst) = (vec![7u8; src_len * 4], vec![0u8; dst_len * 4]);
        let view = View { shape, strides, offset };
        let (from, to) = ((src.as_ptr(), src_len), (dst.as_mut_ptr(), dst_len));
        // SAFETY: both are vectors of these lengths.
        let copied = unsafe { copy(view, 4, from, to) };
        assert!(dst.iter().all(|&byte| byte == if copied { 7 } else { 0 }), "{shape:?} {strides:?}");
        copied
    };
    assert!(take(&[5], &[1], 0, (5, 5)));
    assert!(take(&[5], &[-1], 4, (5, 5)));
    assert!(take(&[3, 4, 5], &[40, 10, 2], 0, (120, 60)));
    assert!(take(&[2, 3, 1, 5], &[-40, 10, 9, 2], 40, (120, 30)));
    assert!(take(&[2000], &[1], 1, (2001, 2000)));
    assert!(take(&[900], &[7], 0, (6300, 900)));
    assert!(take(&[500], &[-2], 998, (1000, 500)));
    assert!(cfg!(target_pointer_width = "32") || take(&[16_384], &[7], 0, (115_000, 16_384)));
    assert!(take(&[6144], &[1], 1, (6145, 6144)));
    assert!(take(&[6, 700], &[701, 1], 3, (4300, 4200)));
    assert!(cfg!(target_pointer_width = "32") || take(&[20, 700], &[701, 1], 3, (14_100, 14_000)));
    assert!(cfg!(target_pointer_width = "32") || take(&[1024, 16], &[20, 1], 0, (20_476, 16_384)));
    // Too much, too many, too many near each other in one row, too many loops.
    assert!(!take(&[6145], &[1], 0, (6145, 6145)));
    assert!(!take(&[9, 768], &[800, 1], 0, (7200, 6912)));
    assert!(!take(&[1025, 16], &[20, 1], 0, (20_496, 16_400)));
    assert!(!take(&[1025], &[4], 0, (4100, 1025)));
    assert!(!take(&[16_385], &[7], 0, (115_000, 16_385)));
    assert!(!take(&[2, 600], &[5000, 7], 0, (10_000, 1200)));
    assert!(!take(&[200], &[256], 0, (52_000, 200)));
    assert!(!take(&[400], &[2], 0, (800, 400)));
    assert!(!take(&[2, 2, 2, 2], &[100, 40, 15, 4], 0, (160, 16)));
    // Not right: too long for either, behind or before the start, ranks that differ, sums that wrap.
    assert!(!take(&[6], &[1], 0, (5, 6)));
    assert!(!take(&[5], &[1], 0, (5, 4)));
    assert!(!take(&[5], &[1], 1, (5, 5)));
    assert!(!take(&[5], &[-1], 3, (5, 5)));
    assert!(!take(&[5], &[1, 1], 0, (5, 5)));
    assert!(!take(&[5], &[isize::MAX], 0, (5, 5)));
    assert!(!take(&[5], &[isize::MIN], 4, (5, 5)));
    assert!(!take(&[5], &[1], usize::MAX, (5, 5)));
    assert!(!take(&[5], &[1], usize::MAX - 1, (5, 5)));
    assert!(!take(&[1 << (usize::BITS - 2), 4], &[1, 1], 0, (5, 5)));
    assert!(!take(&[0], &[1], 0, (5, 0)));
}

/// Bytes that all differ from their neighbours, and never are `EMPTY`.
fn bytes(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i % 251) as u8 + 1).collect()
}

const EMPTY: u8 = 0xFF;

/// Runs of a line and more on every set, wherever they lie: out of a view, into it, and one value into it.
#[test]
#[cfg_attr(target_pointer_width = "32", ignore = "less is tiny there")]
fn long_runs() {
    let runs =
        [64, 65, 66, 100, 127, 128, 129, 192, 255, 320, 511, 512, 513, 576, 703, 1000, 2048, 3071, 3072, 5001, 12_345];
    for &isa in available() {
        for maker in [Maker::NewAmd, Maker::Other] {
            force(Some(isa));
            pretend(maker);
            for (i, run) in runs.into_iter().enumerate() {
                for (rows, planes) in [(1, 1), (2, 1), (5, 1), (2, 3)] {
                    if run * rows * planes > 13_000 {
                        continue;
                    }
                    let few = if cfg!(miri) { 1 } else { 4 };
                    for at in [0, 1, 16, 61].into_iter().cycle().skip(i).take(few) {
                        long_runs_at(run, rows, planes, at, (7 * i + at) % 64);
                    }
                }
            }
        }
    }
    force(None);
}

/// The first byte of a view lies `at` behind the start of its buffer, what it is moved to or from `shift`.
fn long_runs_at(run: usize, rows: usize, planes: usize, at: usize, shift: usize) {
    let (row, plane) = (run + 9, (run + 9) * (rows + 1));
    let strides = [plane as isize, row as isize, 1];
    let view = View { shape: &[planes, rows, run], strides: &strides, offset: at };
    let (len, total) = (at + planes * plane + 70, run * rows * planes);
    let positions = || (0..planes).flat_map(|p| (0..rows).map(move |r| at + p * plane + r * row));
    let what = std::format!("{run} x {rows} x {planes} at {at}, {shift}");

    let src = bytes(len);
    let mut dst = vec![EMPTY; shift + total + 70];
    let expected: Vec<u8> = positions().flat_map(|from| src[from..from + run].to_vec()).collect();
    // SAFETY: both are vectors of these lengths.
    assert!(unsafe { copy(view, 1, (src.as_ptr(), len), (dst.as_mut_ptr().add(shift), total)) }, "{what}");
    assert_eq!(&dst[shift..shift + total], &expected[..], "{what}");
    assert!(dst[..shift].iter().chain(&dst[shift + total..]).all(|&byte| byte == EMPTY), "beyond {what}");

    let values = bytes(shift + total);
    let (mut dst, mut expected) = (vec![EMPTY; len], vec![EMPTY; len]);
    for (i, to) in positions().enumerate() {
        expected[to..to + run].copy_from_slice(&values[shift + i * run..][..run]);
    }
    // SAFETY: as above.
    assert!(unsafe { put(view, 1, (values.as_ptr().add(shift), total), (dst.as_mut_ptr(), len)) }, "{what}");
    assert_eq!(dst, expected, "into {what}");

    for elem in [1, 2, 4, 8, 16] {
        if !run.is_multiple_of(elem) {
            continue;
        }
        let units = run / elem;
        let (strides, offset) = ([(rows * (units + 3)) as isize, (units + 3) as isize, 1], 2);
        let view = View { shape: &[planes, rows, units], strides: &strides, offset };
        let elems = offset + planes * rows * (units + 3);
        let mut dst = vec![EMPTY; shift + elems * elem];
        let mut expected = dst.clone();
        let value = &src[..elem];
        for i in 0..planes * rows {
            for unit in 0..units {
                expected[shift + (offset + i * (units + 3) + unit) * elem..][..elem].copy_from_slice(value);
            }
        }
        let to = (dst.as_mut_ptr().wrapping_add(shift), elems);
        // SAFETY: as above; a value is `elem` bytes.
        assert!(unsafe { fill(view, elem, value.as_ptr(), units * rows * planes, to) }, "{what}");
        assert_eq!(dst, expected, "{elem} over and over: {what}");
    }
}
