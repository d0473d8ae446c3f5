//! Reads of arrays whose element type is known only at run time, through caches, and of slices of
//! slices, against the index-by-index reference.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice::s;
use pyslice_zarrs::PyArray;
use std::sync::Arc;
use support::naive::{Item, pick};
use support::{LAYOUTS, Layout, array, generate, spec_of};
use zarrs::array::Array;
use zarrs::array::chunk_cache::{
    ChunkCache, ChunkCacheDecodedLruChunkLimit, ChunkCacheEncodedLruChunkLimit,
    ChunkCachePartialDecoderLruChunkLimit,
};
use zarrs::storage::ReadableStorageTraits;

/// A shape, a slice that fits it, the chunks' shape and their layout.
fn case() -> impl Strategy<Value = (Vec<usize>, Vec<Item>, Vec<usize>, Layout)> {
    generate::case(4, 400).prop_flat_map(|(shape, items)| {
        let chunk: Vec<_> = shape.iter().map(|&n| 1..=(n + 2).min(12)).collect();
        (Just(shape), Just(items), chunk, prop::sample::select(LAYOUTS.to_vec()))
    })
}

/// The bytes of elements as zarrs has them in memory.
fn check<T: zarrs::array::ElementOwned + Copy + Send + Sync + From<u8>>(
    (shape, items, chunk, layout): &(Vec<usize>, Vec<Item>, Vec<usize>, Layout),
    name: &str,
) {
    let Some(spec) = spec_of(items) else { return };
    let picked = pick(shape, items).unwrap();
    let array = array(shape, chunk, *layout, name);
    let data: Vec<T> = (0..shape.iter().product()).map(|i: usize| (i as u8).into()).collect();
    array.py_assign(s![...], &data).unwrap();
    let read = array.py_bytes(&spec).unwrap();
    assert_eq!((read.shape(), read.data_type()), (&picked.shape[..], array.data_type()));
    let expected: Vec<T> = picked.from.iter().map(|&at| data[at]).collect();
    let expected = T::to_array_bytes(array.data_type(), &expected).unwrap();
    assert_eq!(read.bytes(), &*expected.into_fixed().unwrap());
    assert_eq!(read.clone().into_bytes(), read.bytes());
}

proptest! {
    #![proptest_config(generate::config(150))]

    #[test]
    fn bytes_of_any_type(case in case()) {
        check::<u8>(&case, "uint8");
        check::<half::f16>(&case, "float16");
        check::<u32>(&case, "uint32");
        check::<f64>(&case, "float64");
    }

    #[test]
    fn chunks_from_a_cache((shape, items, chunk, layout) in case()) {
        let Some(spec) = spec_of(&items) else { return Ok(()) };
        let picked = pick(&shape, &items).unwrap();
        let written = array(&shape, &chunk, layout, "uint16");
        let data: Vec<u16> = (1000..1000 + shape.iter().product::<usize>() as u16).collect();
        // Chunks in the second half are not there.
        let mut expected = data.clone();
        expected.iter_mut().skip(1).for_each(|value| *value = 7);
        written.py_assign(s![...], &expected).unwrap();
        let storage = written.storage();
        let readable: Arc<dyn ReadableStorageTraits> = storage.clone();
        let array: Arc<Array<dyn ReadableStorageTraits>> = written.with_storage(readable).into();
        let caches: [&dyn ChunkCache; 3] = [
            &ChunkCacheDecodedLruChunkLimit::new(array.clone(), 1000),
            &ChunkCacheEncodedLruChunkLimit::new(array.clone(), 1000),
            &ChunkCachePartialDecoderLruChunkLimit::new(array.clone(), 1000),
        ];
        for (which, cache) in caches.into_iter().enumerate() {
            let slice = array.pyslice(&spec).unwrap().with_cache(cache).unwrap();
            for again in [false, true] {
                storage.reset();
                let found = slice.read::<u16>().unwrap();
                prop_assert_eq!(found.shape(), &picked.shape);
                let values = picked.from.iter().map(|&at| expected[at]);
                prop_assert!(values.eq(found.values().iter().copied()));
                // What is there already is not asked for.
                prop_assert!(which == 2 || !again || storage.reads() == 0);
            }
        }
    }
}

#[test]
fn a_cache_of_another_array_is_refused() {
    let one = array(&[4], &[2], Layout::Plain, "uint16");
    let readable: Arc<dyn ReadableStorageTraits> = one.storage();
    let cache = ChunkCacheDecodedLruChunkLimit::new(one.with_storage(readable).into(), 4);
    let other = array(&[6], &[2], Layout::Plain, "uint16");
    let refused = other.pyslice(s![0]).unwrap().with_cache(&cache).unwrap_err();
    assert_eq!(refused.to_string(), "a cache of array / for array /, whose metadata differ");
}

#[test]
fn slices_of_slices_keep_their_options() {
    let array = array(&[20, 30], &[4, 8], Layout::Plain, "uint32");
    let all: Vec<u32> = (0..600).collect();
    array.py_assign(s![...], &all).unwrap();
    let outer = array.pyslice(s![::-2, 3::4]).unwrap().with_gaps(0);
    let inner = outer.pyslice(s![1, None, ::-3]).unwrap();
    array.storage().reset();
    let found = inner.read::<u32>().unwrap();
    assert_eq!((found.shape(), found.values()), (&[1, 3][..], &[537, 525, 513][..]));
    assert_eq!(array.storage().bytes_read(), 12);
    inner.fill(0u32).unwrap();
    assert_eq!(
        outer.read::<u32>().unwrap().values()[7..14],
        [513, 517, 521, 525, 529, 533, 537].map(|n| if n % 12 == 9 { 0 } else { n })
    );
    assert!(outer.pyslice(s![0, 0, 0]).is_err());
}
