//! Slices as zarrs' indexers, against the index-by-index reference and in zarrs' own decoders.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice::s;
use pyslice_zarrs::Selection;
use slice_core::SliceError;
use support::naive::pick;
use support::{LAYOUTS, array, generate, spec_of};
use zarrs::array::{CodecOptions, Indexer, IndexerError};

fn wide(numbers: &[usize]) -> Vec<u64> {
    numbers.iter().map(|&n| n as u64).collect()
}

/// Where an element is, one index an axis.
fn index(mut at: usize, shape: &[usize]) -> Vec<u64> {
    let mut index = vec![0; shape.len()];
    for (i, &n) in index.iter_mut().zip(shape).rev() {
        (*i, at) = ((at % n) as u64, at / n);
    }
    index
}

fn place(index: &[u64], shape: &[u64]) -> u64 {
    index.iter().zip(shape).fold(0, |at, (i, n)| at * n + i)
}

proptest! {
    #![proptest_config(generate::config(500))]

    #[test]
    fn selections_name_the_references_elements(
        (shape, items) in generate::case(4, 400),
        more in any::<[u8; 4]>(),
    ) {
        let Some(spec) = spec_of(&items) else { return Ok(()) };
        let picked = pick(&shape, &items).unwrap();
        let selection = Selection::new(&spec, &wide(&shape)).unwrap();
        prop_assert_eq!(selection.dimensionality(), shape.len());
        prop_assert_eq!(selection.len(), picked.from.len() as u64);
        prop_assert_eq!(selection.output_shape(), wide(&picked.shape));
        let indices: Vec<_> = picked.from.iter().map(|&at| index(at, &shape)).collect();
        prop_assert!(selection.iter_indices().map(|i| i.to_vec()).eq(indices.iter().cloned()));

        // In its own array and in a larger one.
        let more = more.map(|more| u64::from(more % 4));
        let larger: Vec<u64> = shape.iter().zip(more).map(|(&n, more)| n as u64 + more).collect();
        for shape in [wide(&shape), larger] {
            let places: Vec<u64> = indices.iter().map(|i| place(i, &shape)).collect();
            let found: Vec<u64> = selection.iter_linearised_indices(&shape).unwrap().collect();
            prop_assert_eq!(&found, &places);
            let runs = selection.iter_contiguous_linearised_indices(&shape).unwrap();
            let found: Vec<u64> = runs.flat_map(|(first, len)| first..first + len).collect();
            prop_assert_eq!(&found, &places);
        }
        // A box is one for zarrs too.
        if let Some(subset) = selection.as_array_subset() {
            let inside: Vec<_> = subset.indices().into_iter().map(|i| i.to_vec()).collect();
            prop_assert_eq!(&inside, &indices);
        }
        // One that is cut short at what is selected last does not hold it.
        if let Some(axis) = (0..shape.len()).find(|_| !indices.is_empty()) {
            let mut smaller = wide(&shape);
            smaller[axis] = indices.iter().map(|index| index[axis]).max().unwrap();
            let refused = selection.iter_linearised_indices(&smaller);
            prop_assert!(matches!(refused, Err(IndexerError::OutOfBounds(..))));
        }
        let refused = selection.iter_linearised_indices(&[1; 9]);
        prop_assert!(matches!(refused, Err(IndexerError::IncompatibleDimensionality(_))));
    }

    #[test]
    fn zarrs_own_decoders_take_them(
        (shape, items) in generate::case(3, 300),
        layout in prop::sample::select(LAYOUTS.to_vec()),
    ) {
        let Some(spec) = spec_of(&items) else { return Ok(()) };
        let picked = pick(&shape, &items).unwrap();
        // Several of them refuse a selection of nothing, which touches no chunk.
        if picked.from.is_empty() {
            return Ok(());
        }
        let array = array(&shape, &shape, layout, "uint32");
        let data: Vec<u32> = (100..100 + shape.iter().product::<usize>() as u32).collect();
        let first = vec![0; shape.len()];
        array.store_chunk(&first, &data).unwrap();
        let selection = Selection::new(&spec, array.shape()).unwrap();
        let decoder = array.partial_decoder(&first).unwrap();
        let bytes = decoder.partial_decode(&selection, &CodecOptions::default()).unwrap();
        let expected: Vec<u8> =
            picked.from.iter().flat_map(|&at| data[at].to_ne_bytes()).collect();
        prop_assert_eq!(bytes.into_fixed().unwrap().into_owned(), expected);
    }
}

#[test]
fn runs_go_on_into_the_next_row() {
    // 0, 2 and 3, 5 of rows of three.
    let selection = Selection::new(s![:, ::2], &[2, 3]).unwrap();
    let runs = selection.iter_contiguous_linearised_indices(&[2, 3]).unwrap();
    assert_eq!(runs.collect::<Vec<_>>(), [(0, 1), (2, 2), (5, 1)]);
}

#[test]
fn plans_with_strides_of_their_own_are_refused() {
    let plan = s![::2].plan_strided(&[2, 3], &[1, 2]).unwrap();
    assert_eq!(
        Selection::try_from(plan).unwrap_err(),
        SliceError::NeedsContiguous { what: "a selection of a Zarr array" }
    );
}

#[test]
fn positions_as_large_as_they_can_be() {
    let most = isize::MAX as u64;
    let selection = Selection::new(s![::(1i64 << 62)], &[most]).unwrap();
    for shape in [most, most - 1, (1 << 62) + 1] {
        let places: Vec<u64> = selection.iter_linearised_indices(&[shape]).unwrap().collect();
        assert_eq!(places, [0, 1 << 62]);
    }
    for shape in [vec![u64::MAX], vec![1 << 62], vec![most + 1]] {
        assert!(selection.iter_linearised_indices(&shape).is_err());
    }
    // More axes than a slice has entries, in an array with one more position on each.
    let selection = Selection::new(s![::-1, ..., 0], &[1; 40]).unwrap();
    assert!(selection.iter_linearised_indices(&[2; 40]).unwrap().eq([0]));
}
