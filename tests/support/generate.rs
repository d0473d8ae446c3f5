//! Random shapes and slices for property tests: mostly valid, seldom dull.

use proptest::collection::vec;
use proptest::prelude::*;

use super::naive::Item;

/// How a property is tried: with a part of these cases, so that `cargo test` is quick, or with the
/// percentage that `PYSLICE_CASES_PERCENT` names (slow tools try fewer, CI all).
pub fn config(cases: u32) -> ProptestConfig {
    let percent =
        std::env::var("PYSLICE_CASES_PERCENT").ok().and_then(|text| text.parse::<u32>().ok());
    let cases = (cases * percent.unwrap_or(30) / 100).max(1);
    // Failures are kept as tests of their own, not in files.
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// A shape of up to `rank` axes whose element count stays near `limit`.
pub fn shape(rank: usize, limit: usize) -> impl Strategy<Value = Vec<usize>> {
    let length = prop_oneof![1 => Just(0_usize), 4 => Just(1), 8 => 2..6_usize, 6 => 2..40_usize];
    vec(length, 0..=rank).prop_map(move |mut shape| {
        let mut count = 1;
        for n in &mut shape {
            if count * (*n).max(1) > limit {
                *n = 1;
            }
            count *= (*n).max(1);
        }
        shape
    })
}

/// A bound for an axis of about `n` elements.
fn bound(n: usize) -> impl Strategy<Value = Option<i128>> {
    let n = n as i128;
    let far = prop_oneof![
        Just(i128::from(i64::MIN)),
        Just(i128::from(i64::MIN) + 1),
        Just(i128::from(i64::MAX)),
        Just(i128::from(i32::MAX)),
        Just(i128::from(i32::MIN))
    ];
    prop_oneof![
        6 => Just(None),
        12 => (-n - 2..=n + 2).prop_map(Some),
        1 => far.prop_map(Some),
    ]
}

fn step() -> impl Strategy<Value = i128> {
    prop_oneof![
        8 => Just(1_i128),
        5 => Just(-1),
        5 => 2..=8_i128,
        4 => -8..=-2_i128,
        2 => 9..=40_i128,
        1 => -40..=-9_i128,
        1 => prop_oneof![Just(i128::from(i64::MAX)), Just(i128::from(i64::MIN))],
    ]
}

fn range(n: usize) -> impl Strategy<Value = Item> {
    (bound(n), bound(n), step()).prop_map(|(start, stop, step)| Item::Range { start, stop, step })
}

fn taking(n: usize) -> BoxedStrategy<Item> {
    if n == 0 {
        return range(n).boxed();
    }
    let n = n as i128;
    prop_oneof![
        3 => (-n..n).prop_map(|at| Item::Index { at, stride: 1 }),
        8 => range(n as usize),
    ]
    .boxed()
}

/// A slice that fits `shape`: one entry for each axis, some of them left to an ellipsis, and new
/// axes between.
pub fn slice(shape: &[usize]) -> impl Strategy<Value = Vec<Item>> + use<> {
    let rank = shape.len();
    let entries: Vec<BoxedStrategy<Item>> = shape.iter().map(|&n| taking(n)).collect();
    let places = (0..=rank, 0..=rank, any::<bool>(), vec(0..=rank + 2, 0..3));
    (entries, places).prop_map(move |(entries, (from, to, implied, news))| {
        let (from, to) = (from.min(to), from.max(to));
        let mut items = Vec::new();
        if implied {
            // The axes after `to` are left to the ellipsis that is not written.
            items.extend(&entries[..to]);
        } else {
            items.extend(&entries[..from]);
            items.push(Item::Ellipsis);
            items.extend(&entries[to..]);
        }
        for place in news {
            items.insert(place.min(items.len()), Item::NewAxis);
        }
        items
    })
}

/// A shape and a slice that fits it.
pub fn case(rank: usize, limit: usize) -> impl Strategy<Value = (Vec<usize>, Vec<Item>)> {
    shape(rank, limit).prop_flat_map(|shape| {
        let slice = slice(&shape);
        (Just(shape), slice)
    })
}

/// Any list of entries on any shape, valid or not.
pub fn wild() -> impl Strategy<Value = (Vec<usize>, Vec<Item>)> {
    let item = prop_oneof![
        3 => (-6..6_i128).prop_map(|at| Item::Index { at, stride: 1 }),
        6 => range(5),
        1 => (bound(5), bound(5)).prop_map(|(start, stop)| Item::Range { start, stop, step: 0 }),
        2 => Just(Item::NewAxis),
        1 => Just(Item::Ellipsis),
    ];
    (shape(5, 2000), vec(item, 0..8))
}

/// Rows long enough for whole vectors: one to three axes, steps up to 20 either way, whole or cut.
pub fn rows() -> impl Strategy<Value = (Vec<usize>, Vec<Item>)> {
    let inner = prop_oneof![Just(1_usize), Just(2), Just(3), Just(4), Just(5), 6..300_usize];
    let shape = prop_oneof![
        vec(1..2000_usize, 1),
        (1..30_usize, 1..200_usize).prop_map(|(a, b)| vec![a, b]),
        (1..6_usize, 1..60_usize, inner).prop_map(|(a, b, c)| vec![a, b, c]),
    ];
    shape.prop_flat_map(|shape| {
        let cut = |n: usize| {
            let n = n as i128;
            let start = prop_oneof![3 => Just(None), 2 => (0..=n.min(9)).prop_map(Some)];
            let stop = prop_oneof![3 => Just(None), 2 => (1..=n.min(9)).prop_map(|v| Some(-v))];
            let step = prop_oneof![3 => Just(1_i128), 3 => Just(-1), 4 => 2..=20_i128];
            (start, stop, step, any::<bool>()).prop_map(|(start, stop, step, back)| {
                if back && step > 1 {
                    Item::Range { start: stop, stop: start, step: -step }
                } else if step < 0 {
                    Item::Range { start: stop, stop: start, step }
                } else {
                    Item::Range { start, stop, step }
                }
            })
        };
        let entries: Vec<_> = shape.iter().map(|&n| cut(n)).collect();
        (Just(shape), entries)
    })
}
