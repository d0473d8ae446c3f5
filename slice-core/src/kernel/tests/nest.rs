//! Axes as loops: merged, sorted, walked.

use crate::kernel::nest::{Loop, Nest, alike, cached, each, place_reach, source_reach};
use crate::kernel::prefetch::{RowNest, distance};
use crate::kernel::{How, tuning::STREAMED};
use alloc::vec::Vec;

fn merged(shape: &[usize], src: Option<&[isize]>, dst: Option<&[isize]>, elem: usize) -> Nest {
    let mut nest = Nest::new();
    assert!(nest.merge(shape, src, dst, elem));
    nest
}

#[test]
fn what_runs_on_is_one_loop() {
    // [:, ::-1] of 3 rows of 4, kept apart by another row.
    let nest = merged(&[3, 4], Some(&[8, -1]), None, 4);
    assert_eq!(nest.loops(), [Loop { n: 4, src: -4, dst: 4 }, Loop { n: 3, src: 32, dst: 16 }]);
    // Both axes reversed are one reversed axis.
    let nest = merged(&[3, 4], Some(&[-4, -1]), None, 4);
    assert_eq!(
        (nest.loops(), nest.run, nest.total),
        (&[Loop { n: 12, src: -4, dst: 4 }][..], 4, 48)
    );
    // On both sides, they are one run, from its lowest byte on.
    let nest = merged(&[3, 4], Some(&[-4, -1]), Some(&[-4, -1]), 4);
    assert_eq!((nest.loops(), nest.run, nest.src, nest.dst), (&[][..], 48, -44, -44));
    let nest = merged(&[2, 3, 4], Some(&[20, 4, -1]), Some(&[30, 4, -1]), 4);
    let planes = Loop { n: 2, src: 80, dst: 120 };
    assert_eq!((nest.loops(), nest.run, nest.src, nest.dst), (&[planes][..], 48, -12, -12));
    // Whole rows.
    let nest = merged(&[3, 4, 5], Some(&[40, 5, 1]), None, 2);
    assert_eq!((nest.loops(), nest.run), (&[Loop { n: 3, src: 80, dst: 40 }][..], 40));
    let nest = merged(&[3, 1, 5], Some(&[5, 77, 1]), None, 2);
    assert_eq!((nest.loops(), nest.run, nest.total), (&[][..], 30, 30));
    assert!(!Nest::new().merge(&[3, 0], None, None, 4));
}

#[test]
fn sorted_loops_write_upwards() {
    let mut nest = merged(&[3, 4], None, Some(&[1, -3]), 4);
    assert!(nest.sort());
    assert_eq!(nest.loops(), [Loop { n: 3, src: 16, dst: 4 }, Loop { n: 4, src: -4, dst: 12 }]);
    assert_eq!((nest.src, nest.dst), (12, -36));
    // Loops that meet a place twice cannot be sorted.
    assert!(!merged(&[3, 4], None, Some(&[0, 1]), 4).sort());
    assert!(!merged(&[3, 4], None, Some(&[2, 1]), 4).sort());
}

#[test]
fn nothing_to_move_needs_no_room() {
    // More loops than the list holds, but the axis of length 0 says that nothing is moved.
    let mut shape = [2; 71];
    shape[0] = 0;
    let gaps = core::array::from_fn::<isize, 71, _>(|axis| 3 << (axis % 20));
    assert!(!Nest::new().merge(&shape, Some(&gaps), Some(&gaps), 1));
    assert!(!Nest::new().merge(&[usize::MAX], None, None, 0), "elements without size");
}

#[test]
fn every_position_is_met_once_in_order() {
    let loops = [Loop { n: 2, src: -1, dst: 1 }, Loop { n: 3, src: 10, dst: 2 }];
    let mut met = Vec::new();
    let first = (core::ptr::without_provenance(100), core::ptr::null_mut());
    each(&loops, first, &mut |(src, dst)| met.push((src.addr(), dst.addr())));
    assert_eq!(met, [(100, 0), (99, 1), (110, 2), (109, 3), (120, 4), (119, 5)]);
    assert_eq!((place_reach(&loops, 1), source_reach(&loops, 1)), (6, 22));
    let mut met = 0;
    each(&[], first, &mut |_| met += 1);
    assert_eq!(met, 1);
}

/// The estimate of what a copy takes of a cache, beside the lines that its bytes lie in.
#[test]
#[cfg_attr(miri, ignore = "nothing is moved, and counting so many lines takes an hour")]
fn a_copy_takes_the_lines_of_its_bytes() {
    let axes = [(5, 1), (7, 3), (100, 1), (3, 2000), (40, 16), (64, 64), (9, 90), (2, 5000)];
    for run in [4, 12, 100, 700] {
        for (outer_n, outer) in axes {
            for (n, step) in axes {
                // No array is longer than isize::MAX.
                let pitch = outer as u64 * run.max(step * run * n) as u64;
                if pitch * outer_n as u64 > isize::MAX as u64 {
                    continue;
                }
                let outer = pitch as usize;
                let both = |n, by| Loop { n, src: by, dst: by };
                let loops = [both(n, (step * run) as isize), both(outer_n, -(outer as isize))];
                let mut touched = alloc::collections::BTreeSet::new();
                each(&loops, (core::ptr::null(), core::ptr::null_mut()), &mut |(_, at)| {
                    let at = at.addr() as isize;
                    touched.extend(at.div_euclid(64)..=(at + run as isize - 1).div_euclid(64));
                });
                // A run may begin and end inside a line.
                let (bytes, (source, places)) = (touched.len() * 64, cached(&loops, run));
                for (found, reach) in
                    [(source, source_reach(&loops, run)), (places, place_reach(&loops, run))]
                {
                    assert!(bytes <= 2 * found + 128, "{run} {loops:?}: {found}, {bytes}");
                    assert!(found <= reach, "{run} {loops:?}: {found}");
                }
            }
        }
    }
    // The last 512 KiB of each of 16 blocks of 4 MiB: filled, and copied to the same of others.
    let far = |n, src, dst| Loop { n, src, dst };
    assert_eq!(cached(&[far(128 << 10, 0, 4), far(16, 0, 4 << 20)], 4), (4, 8 << 20));
    assert_eq!(cached(&[far(16, 4 << 20, 4 << 20)], 512 << 10), (8 << 20, 8 << 20));
}

/// What a last-level cache keeps is not streamed; it keeps more of what is only written.
#[test]
fn results_are_streamed_that_caches_do_not_keep() {
    let how = How { streamed: STREAMED, parallel: usize::MAX, ..How::chosen() };
    for (result, source, streamed) in [
        (2, 100, false),
        (4, 4, false),
        (4, 8, true),
        (8, 4, true),
        (12, 0, false),
        (31, 0, false),
        (32, 0, true),
    ] {
        let (source, result) = (source << 20, result << 20);
        assert_eq!(how.streams(result, || (source.max(4), result)), streamed, "{result} {source}");
    }
    // A program that asks for less gets it.
    assert!(How { streamed: 1 << 20, ..how }.streams(1 << 20, || (4, 1 << 20)));
}

/// All rows like the first one make one group, however many at the end differ, and the search looks
/// at few of them.
#[test]
fn rows_that_are_alike_are_found_by_few_questions() {
    let asked = core::cell::Cell::new(0);
    for (n, good) in [(1, 1), (2, 1), (2, 2), (1000, 1000), (1000, 999), (1000, 990), (1000, 700)] {
        asked.set(0);
        let (mut done, mut groups) = (0, 0);
        while done < good {
            let (first, some) = alike(n - done, |i| {
                asked.set(asked.get() + 1);
                done + i < good
            });
            assert!(first && done + some == good, "{n} {good}");
            (done, groups) = (done + some, groups + 1);
        }
        assert!(groups == 1 && asked.get() <= 12, "{n} {good}: {groups}, {}", asked.get());
    }
}

/// 32 rows of 64 MiB are more than 32-bit addresses reach.
#[test]
fn what_is_prefetched_may_lie_past_all_memory() {
    let rows = [Loop { n: 2, src: isize::MAX / 2, dst: 129 }];
    let walk = RowNest { walk: Loop { n: 129, src: 1, dst: 1 }, span: 1, outer: &rows };
    assert_eq!(distance(&walk), (isize::MAX / 2).wrapping_mul(32));
}
