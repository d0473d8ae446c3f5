//! Assignments to random slices of random arrays, against the index-by-index reference; and what is
//! read for them, against the least that can be.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice_zarrs::PyArray;
use std::sync::Mutex;
use support::naive::{Item, broadcast, pick};
use support::{LAYOUTS, Layout, Store, array, generate, spec_of, stored, touched};
use zarrs::array::{Array, ArraySubset};

/// A shape, a slice that fits it, the chunks' shape, their layout, and which axes of the values
/// have length 1.
fn case() -> impl Strategy<Value = (Vec<usize>, Vec<Item>, Vec<usize>, Layout, [bool; 9], usize)> {
    generate::case(4, 600).prop_flat_map(|(shape, items)| {
        let chunk: Vec<_> = shape.iter().map(|&n| 1..=(n + 2).min(12)).collect();
        let layout = prop::sample::select(LAYOUTS.to_vec());
        (Just(shape), Just(items), chunk, layout, any::<[bool; 9]>(), 0..4_usize)
    })
}

fn everything(array: &Array<Store>) -> Vec<u16> {
    array.retrieve_array_subset(&ArraySubset::new_with_shape(array.shape().to_vec())).unwrap()
}

proptest! {
    #![proptest_config(generate::config(600))]

    #[test]
    fn assignments_are_the_references((shape, items, chunk, layout, ones, cut) in case()) {
        let Some(spec) = spec_of(&items) else { return Ok(()) };
        let picked = pick(&shape, &items).unwrap();
        let array = array(&shape, &chunk, layout, "uint16");
        let mut expected = vec![7u16; shape.iter().product()];
        if !expected.is_empty() {
            // Some of the chunks are there already.
            for (i, e) in expected.iter_mut().enumerate() {
                *e = 20_000 + i as u16;
            }
            let all = ArraySubset::new_with_shape(array.shape().to_vec());
            array.store_array_subset(&all, &expected).unwrap();
        }

        // Values of another shape, which broadcasts to the slice's.
        let cut = cut.min(picked.shape.len());
        let values_shape: Vec<usize> = picked.shape[cut..].iter().zip(ones).map(
            |(&n, one)| if one { 1 } else { n }
        ).collect();
        let count: usize = values_shape.iter().product();
        let values: Vec<u16> = (0..count).map(|i| i as u16).collect();
        let from = broadcast(&picked.shape, &values_shape).unwrap();
        for (&at, from) in picked.from.iter().zip(from) {
            expected[at] = values[from];
        }

        // Chunks of which all that is in the array is assigned are not read.
        let mut chunks = touched(&shape, &chunk, &picked.from);
        let inside = touched(&shape, &chunk, &(0..expected.len()).collect::<Vec<_>>());
        chunks.retain(|coords, positions| positions != &inside[coords]);
        let least: usize = chunks.keys().map(|coords| stored(&array, coords)).sum();
        let storage = array.storage();
        storage.reset();
        array.py_assign(&spec, (&values, &values_shape)).unwrap();
        prop_assert_eq!(storage.bytes_read(), least);
        prop_assert_eq!(storage.reads(), chunks.len());
        prop_assert_eq!(everything(&array), expected);
    }

    #[test]
    fn one_value_fills_a_slice((shape, items, chunk, layout, ..) in case()) {
        let Some(spec) = spec_of(&items) else { return Ok(()) };
        let picked = pick(&shape, &items).unwrap();
        let array = array(&shape, &chunk, layout, "uint16");
        let mut expected = vec![7u16; shape.iter().product()];
        for &at in &picked.from {
            expected[at] = 99;
        }
        array.py_fill(&spec, 99u16).unwrap();
        prop_assert_eq!(array.py::<u16>(pyslice::s![]).unwrap().into_values(), expected);
    }

    #[test]
    fn parts_are_written_where_they_belong((shape, items, chunk, layout, ..) in case()) {
        let Some(spec) = spec_of(&items) else { return Ok(()) };
        let picked = pick(&shape, &items).unwrap();
        let array = array(&shape, &chunk, layout, "uint16");
        let mut expected = vec![7u16; shape.iter().product()];
        for (i, &at) in picked.from.iter().enumerate() {
            expected[at] = i as u16;
        }
        let told = Mutex::new(Vec::new());
        let tell = |progress| told.lock().unwrap().push(progress);
        let slice = array.pyslice(&spec).unwrap().on_progress(&tell);
        slice.assign_parts(|target, part: &mut [u16]| {
            for (value, at) in part.iter_mut().zip(target.offsets()) {
                *value = at as u16;
            }
            Ok::<(), pyslice_zarrs::Error>(())
        }).unwrap();
        prop_assert_eq!(array.py::<u16>(pyslice::s![...]).unwrap().into_values(), expected);

        // Each chunk is told of once; the last of them says that all is done.
        let mut told = told.into_inner().unwrap();
        told.sort_by_key(|progress| progress.chunks);
        let chunks = touched(&shape, &chunk, &picked.from).len();
        prop_assert!(told.iter().map(|progress| progress.chunks).eq(1..=chunks));
        if let Some(last) = told.last() {
            prop_assert_eq!(last.chunks_total, chunks);
            prop_assert_eq!([last.bytes, last.bytes_total], [2 * picked.from.len() as u64; 2]);
        }
    }
}
