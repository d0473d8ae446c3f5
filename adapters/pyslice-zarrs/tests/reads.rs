//! Random slices of random arrays, against the index-by-index reference; and the bytes and requests
//! that they take, against the least that can be.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice_zarrs::PyArray;
use support::naive::{Item, pick};
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

/// What the store has to be asked for, in bytes and in requests; `None` for layouts in which that
/// is not easily said.
fn least(
    array: &Array<Store>,
    shape: &[usize],
    chunk: &[usize],
    layout: Layout,
    elements: &[usize],
) -> Option<(usize, usize)> {
    let touched_chunks = touched(shape, chunk, elements);
    let whole = touched_chunks.keys().map(|coords| stored(array, coords)).sum();
    match layout {
        Layout::Plain | Layout::BigEndian => {
            let bytes = touched_chunks.values().map(|positions| 2 * positions.len()).sum();
            Some((bytes, touched_chunks.values().map(runs).sum()))
        }
        Layout::Gzip | Layout::Zstd => Some((whole, touched_chunks.len())),
        Layout::Sharded | Layout::ShardedIndexFirst => {
            let per_shard: usize = chunk.iter().zip(inner(chunk)).map(|(n, i)| n / i).product();
            let index = touched_chunks.len() * (16 * per_shard + 4);
            let inside = touched(shape, &inner(chunk), elements);
            let bytes: usize = inside.values().map(|positions| 2 * positions.len()).sum();
            let requests: usize = inside.values().map(runs).sum();
            Some((index + bytes, touched_chunks.len() + requests))
        }
        Layout::ShardedGzip => {
            let counts: Vec<usize> = chunk.iter().zip(inner(chunk)).map(|(n, i)| n / i).collect();
            let index_len = 16 * counts.iter().product::<usize>() + 4;
            let inside = touched(shape, &inner(chunk), elements);
            // A shard's index ends with a checksum; each entry has an offset and a length.
            let lengths = inside.keys().map(|coords| {
                let shard: Vec<u64> =
                    coords.iter().zip(&counts).map(|(c, n)| (c / n) as u64).collect();
                let bytes = array.storage().get(&array.chunk_key(&shard)).unwrap().unwrap();
                let place = coords.iter().zip(&counts).fold(0, |at, (c, n)| at * n + c % n);
                let length = bytes.len() - index_len + 16 * place + 8;
                u64::from_le_bytes(bytes[length..length + 8].try_into().unwrap()) as usize
            });
            let bytes = touched_chunks.len() * index_len + lengths.sum::<usize>();
            Some((bytes, touched_chunks.len() + inside.len()))
        }
        _ => None,
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
        storage.reset();
        let found = array.py::<u16>(&spec).unwrap();
        let cost = (storage.bytes_read(), storage.reads());
        let expected: Vec<u16> = picked.from.iter().map(|&at| data[at]).collect();
        prop_assert_eq!(found.values(), expected);
        prop_assert_eq!(found.shape(), &picked.shape);
        if let Some(least) = least(&array, &shape, &chunk, layout, &picked.from) {
            prop_assert_eq!(cost, least);
        }

        // Gaps that are read through change requests and bytes, and no value.
        storage.reset();
        let through = array.pyslice(&spec).unwrap().with_gaps(40).read::<u16>().unwrap();
        prop_assert_eq!(&through, &found);
        prop_assert!(storage.reads() <= cost.1);
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
