//! Random slices of random arrays, against the index-by-index reference; and the bytes and requests
//! that they take, against the least that can be.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice_zarrs::PyArray;
use std::collections::{BTreeMap, BTreeSet};
use support::naive::{FULL, Item, pick};
use support::{LAYOUTS, Layout, Store, array, generate, inner, runs, spec_of, stored, touched};
use zarrs::array::{Array, ArraySubset};
use zarrs::storage::ReadableStorageTraits;

/// A shape, a slice that fits it, the chunks' shape and their layout.
fn case() -> impl Strategy<Value = (Vec<usize>, Vec<Item>, Vec<usize>, Layout)> {
    generate::case(4, 600).prop_flat_map(|(shape, items)| {
        let chunk: Vec<_> = shape.iter().map(|&n| 1..=(n + 2).min(12)).collect();
        (Just(shape), Just(items), chunk, prop::sample::select(LAYOUTS.to_vec()))
    })
}

/// Values that differ from each other and from what stands where nothing was written.
fn store(array: &Array<Store>, values: &[u16]) {
    if values.is_empty() {
        return;
    }
    let all = ArraySubset::new_with_shape(array.shape().to_vec());
    array.store_array_subset(&all, values).unwrap();
}

/// What the store has to be asked for, in bytes and in requests, where gaps of up to `gap` bytes
/// are read through; `None` for layouts in which that is not easily said.
fn least(
    array: &Array<Store>,
    shape: &[usize],
    chunk: &[usize],
    layout: Layout,
    elements: &[usize],
    gap: usize,
) -> Option<(usize, usize)> {
    let touched_chunks = touched(shape, chunk, elements);
    let shards = touched_chunks.len();
    let whole = touched_chunks.keys().map(|coords| stored(array, coords)).sum();
    // Two bytes for each element.
    let plain = |chunks: BTreeMap<Vec<usize>, BTreeSet<usize>>| {
        chunks.values().map(|positions| runs(positions, gap / 2)).fold((0, 0), |(b, r), runs| {
            (b + runs.iter().map(|run| 2 * run.len()).sum::<usize>(), r + runs.len())
        })
    };
    let counts = |chunk: &[usize]| -> Vec<usize> {
        chunk.iter().zip(inner(chunk)).map(|(n, i)| n / i).collect()
    };
    let index_len = |chunk: &[usize]| 16 * counts(chunk).iter().product::<usize>() + 4;
    match layout {
        Layout::Plain | Layout::BigEndian => Some(plain(touched_chunks)),
        Layout::Transposed => Some(plain(transposed(touched_chunks, chunk))),
        Layout::Gzip | Layout::Zstd => Some((whole, shards)),
        Layout::Sharded | Layout::ShardedIndexFirst | Layout::ShardedGzip => {
            let (counts, index_len) = (counts(chunk), index_len(chunk));
            // The bytes that are needed of each shard, in order.
            let mut needed: BTreeMap<Vec<u64>, BTreeSet<usize>> = BTreeMap::new();
            for (coords, positions) in touched(shape, &inner(chunk), elements) {
                let shard: Vec<u64> =
                    coords.iter().zip(&counts).map(|(c, n)| (c / n) as u64).collect();
                let bytes = array.storage().get(&array.chunk_key(&shard)).unwrap().unwrap();
                let index =
                    if layout == Layout::ShardedIndexFirst { 0 } else { bytes.len() - index_len };
                let (at, len) = entry(&bytes, index, &coords, &counts);
                let needed = needed.entry(shard).or_default();
                match layout {
                    Layout::ShardedGzip => needed.extend(at..at + len),
                    _ => needed.extend(positions.iter().flat_map(|p| [at + 2 * p, at + 2 * p + 1])),
                }
            }
            let runs: Vec<_> = needed.values().flat_map(|bytes| runs(bytes, gap)).collect();
            let bytes = runs.iter().map(|run| run.len()).sum::<usize>();
            Some((shards * index_len + bytes, shards + runs.len()))
        }
        Layout::ShardedInShards => {
            // Each shard in a shard is read by itself.
            let (half, mut needed) = (inner(chunk), BTreeMap::new());
            let (outer, nested) = (counts(chunk), counts(&half));
            for (coords, positions) in touched(shape, &inner(&half), elements) {
                let shard: Vec<usize> = coords.iter().zip(&nested).map(|(c, n)| c / n).collect();
                let key: Vec<u64> = shard.iter().zip(&outer).map(|(c, n)| (c / n) as u64).collect();
                let bytes = array.storage().get(&array.chunk_key(&key)).unwrap().unwrap();
                let (at, len) = entry(&bytes, bytes.len() - index_len(chunk), &shard, &outer);
                let own = &bytes[at..at + len];
                let (at, _) = entry(own, len - index_len(&half), &coords, &nested);
                let needed: &mut BTreeSet<usize> = needed.entry(shard).or_default();
                needed.extend(positions.iter().flat_map(|p| [at + 2 * p, at + 2 * p + 1]));
            }
            let index = shards * index_len(chunk) + needed.len() * index_len(&half);
            let runs: Vec<_> = needed.values().flat_map(|bytes| runs(bytes, gap)).collect();
            let bytes = runs.iter().map(|run| run.len()).sum::<usize>();
            Some((index + bytes, shards + needed.len() + runs.len()))
        }
        Layout::ShardedTransposed => None,
    }
}

/// Where a chunk of a shard is, by the index that begins at `index`, as offset and length.
fn entry(shard: &[u8], index: usize, coords: &[usize], counts: &[usize]) -> (usize, usize) {
    let place = coords.iter().zip(counts).fold(0, |at, (c, n)| at * n + c % n);
    let number = |at: usize| {
        u64::from_le_bytes(shard[index + at..index + at + 8].try_into().unwrap()) as usize
    };
    (number(16 * place), number(16 * place + 8))
}

/// Where the elements of chunks are that store their axes backwards.
fn transposed(
    chunks: BTreeMap<Vec<usize>, BTreeSet<usize>>,
    chunk: &[usize],
) -> BTreeMap<Vec<usize>, BTreeSet<usize>> {
    let place = |mut at: usize| {
        let (mut place, mut width) = (0, chunk.iter().product::<usize>());
        for &n in chunk.iter().rev() {
            width /= n;
            (place, at) = (place + at % n * width, at / n);
        }
        place
    };
    let each = |(coords, positions): (_, BTreeSet<usize>)| {
        (coords, positions.into_iter().map(place).collect())
    };
    chunks.into_iter().map(each).collect()
}

/// Slices of large chunks of which most of what is read is gaps.
#[test]
fn sparse_slices_of_large_chunks() {
    let range = |start, stop, step| Item::Range { start, stop, step };
    let entries = [
        FULL,
        Item::Index { at: 7, stride: 1 },
        range(Some(5), Some(7), 1),
        range(None, None, -9),
        range(None, None, 17),
    ];
    let (shape, sparse) = ([40, 40, 36], entries.len());
    let data: Vec<u16> = (0..40 * 40 * 36).collect();
    for layout in LAYOUTS {
        for chunk in [[40, 40, 36], [20, 40, 12]] {
            let array = array(&shape, &chunk, layout, "uint16");
            store(&array, &data);
            // All but those with two whole axes.
            for n in 0..sparse.pow(3) {
                let at = [n / sparse / sparse, n / sparse % sparse, n % sparse];
                if at.iter().filter(|&&at| at == 0).count() > 1 {
                    continue;
                }
                let items = at.map(|at| entries[at]);
                let picked = pick(&shape, &items).unwrap();
                let expected: Vec<u16> = picked.from.iter().map(|&at| data[at]).collect();
                let slice = array.pyslice(spec_of(&items).unwrap()).unwrap();
                for gap in [0, 100, 4096, u64::MAX] {
                    let found = slice.clone().with_gaps(gap).read::<u16>().unwrap();
                    assert_eq!(found.values(), expected, "{layout:?} {chunk:?} {items:?} {gap}");
                    assert_eq!(found.shape(), picked.shape);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(generate::config(600))]

    #[test]
    fn slices_are_the_references((shape, items, chunk, layout) in case()) {
        let Some(spec) = spec_of(&items) else { return Ok(()) };
        let picked = pick(&shape, &items).unwrap();
        let data: Vec<u16> = (0..shape.iter().product()).map(|i: usize| 1000 + i as u16).collect();
        let array = array(&shape, &chunk, layout, "uint16");
        store(&array, &data);

        let storage = array.storage();
        let found = array.py::<u16>(&spec).unwrap();
        let expected: Vec<u16> = picked.from.iter().map(|&at| data[at]).collect();
        prop_assert_eq!(found.values(), expected);
        prop_assert_eq!(found.shape(), &picked.shape);
        // Gaps that are read through change requests and bytes, and no value.
        for gap in [None, Some(0), Some(2), Some(5), Some(40), Some(u64::MAX)] {
            let slice = array.pyslice(&spec).unwrap();
            let slice = gap.iter().fold(slice, |slice, &gap| slice.with_gaps(gap));
            storage.reset();
            prop_assert_eq!(&slice.read::<u16>().unwrap(), &found);
            let cost = (storage.bytes_read(), storage.reads());
            let gap = gap.map_or(4096, |gap| gap.min(1 << 40) as usize);
            if let Some(least) = least(&array, &shape, &chunk, layout, &picked.from, gap) {
                prop_assert_eq!(cost, least, "gaps of {} bytes", gap);
            }
        }
        // One part after the other, each once.
        let serial = zarrs::array::CodecOptions::default().with_concurrent_target(1);
        let parts = std::sync::Mutex::new(vec![0u16; found.values().len()]);
        array.pyslice(&spec).unwrap().with_options(serial).for_each_part(
            |part: pyslice_zarrs::Part<u16>| {
                let mut whole = parts.lock().unwrap();
                let had = part.target().copy(&whole)?;
                assert!(had.iter().all(|&had| had == 0), "a part twice");
                assert_eq!(part.to_vec()?.len(), had.len());
                part.copy_to(&mut whole)?;
                Ok::<_, pyslice_zarrs::Error>(())
            },
        ).unwrap();
        prop_assert_eq!(parts.into_inner().unwrap(), found.values());
    }

    #[test]
    fn chunks_that_were_never_written_have_the_fill_value((shape, items, chunk, layout) in case()) {
        let Some(spec) = spec_of(&items) else { return Ok(()) };
        let picked = pick(&shape, &items).unwrap();
        let array = array(&shape, &chunk, layout, "uint16");
        let found = array.py::<u16>(&spec).unwrap();
        prop_assert_eq!(found.shape(), &picked.shape);
        prop_assert_eq!(found.values(), vec![7; picked.from.len()]);
    }
}
