//! Arrays whose chunks differ in length, compared index by index.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use proptest::prelude::*;
use pyslice_zarrs::PyArray;
use serde_json::{Value, json};
use support::naive::{Item, pick};
use support::{array_of, generate, spec_of};
use zarrs::array::ArraySubset;

/// The lengths along one axis: they reach to its end or over it, by whole chunks too.
fn lengths(n: usize) -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1..6_usize, 1..12).prop_map(move |mut lengths| {
        while lengths.iter().sum::<usize>() < n {
            lengths.push(4);
        }
        lengths
    })
}

fn case() -> impl Strategy<Value = (Vec<usize>, Vec<Item>, Vec<Vec<usize>>, u8)> {
    generate::case(3, 500).prop_flat_map(|(shape, items)| {
        let grid: Vec<_> = shape.iter().map(|&n| lengths(n)).collect();
        (Just(shape), Just(items), grid, 0..4_u8)
    })
}

fn codecs(kind: u8, rank: usize) -> Value {
    let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
    match kind {
        0 => json!([bytes]),
        1 => json!([bytes, {"name": "gzip", "configuration": {"level": 1}}]),
        // Every length is a multiple of 1.
        _ => json!([{"name": "sharding_indexed", "configuration": {
            "chunk_shape": vec![1; rank], "codecs": [bytes],
            "index_codecs": [bytes, {"name": "crc32c"}], "index_location": "end",
        }}]),
    }
}

fn agrees(shape: &[usize], items: &[Item], grid: Value, kind: u8) -> Result<(), TestCaseError> {
    let Some(spec) = spec_of(items) else { return Ok(()) };
    let picked = pick(shape, items).unwrap();
    let array = array_of(shape, grid, codecs(kind, shape.len()), "int32", json!(7));
    // A chunk of nothing but the fill value would not be stored.
    let mut data: Vec<i32> = (100..100 + shape.iter().product::<usize>() as i32).collect();
    if !data.is_empty() {
        let all = ArraySubset::new_with_shape(array.shape().to_vec());
        array.store_array_subset(&all, &data).unwrap();
    }
    let storage = array.storage();
    storage.reset();
    let found = array.pyslice(&spec).unwrap().with_gaps(0).read::<i32>().unwrap();
    let expected: Vec<i32> = picked.from.iter().map(|&at| data[at]).collect();
    prop_assert_eq!(found.shape(), &picked.shape);
    prop_assert_eq!(found.values(), expected);
    if kind == 0 {
        prop_assert_eq!(storage.bytes_read(), 4 * picked.from.len());
    }

    let values: Vec<i32> = picked.from.iter().map(|&at| -(at as i32)).collect();
    for &at in &picked.from {
        data[at] = -(at as i32);
    }
    array.py_assign(&spec, &values).unwrap();
    prop_assert_eq!(array.py::<i32>(pyslice::s![]).unwrap().into_values(), data);
    Ok(())
}

proptest! {
    #![proptest_config(generate::config(200))]

    #[test]
    fn chunks_of_any_length((shape, items, grid, kind) in case()) {
        let grid = json!({"name": "rectilinear", "configuration": {
            "kind": "inline", "chunk_shapes": grid,
        }});
        agrees(&shape, &items, grid, kind)?;
    }

    #[test]
    fn chunks_that_end_with_the_array((shape, items, grid, kind) in case()) {
        let chunk: Vec<usize> = grid.iter().map(|lengths| lengths[0]).collect();
        let grid = json!({"name": "zarrs.regular_bounded", "configuration": {
            "chunk_shape": chunk,
        }});
        agrees(&shape, &items, grid, kind)?;
    }
}

/// What a read costs is in proportion to the chunks that it touches, however many there are.
#[test]
fn grids_of_very_many_chunks() {
    for n in [10_000_000_000u64, 1 << 50, (1 << 62) + 6] {
        let grid = json!({"name": "rectilinear", "configuration": {
            "kind": "inline", "chunk_shapes": [1000],
        }});
        let array = array_of(&[n as usize], grid, codecs(0, 1), "int32", json!(7));
        array.py_assign(pyslice::s![5:1005:500], &[1, 2]).unwrap();
        assert_eq!(array.py::<i32>(pyslice::s![505:4:-500]).unwrap().values(), [2, 1]);
        let far = array.pyslice(pyslice::s![::(n / 3)]).unwrap();
        let coords: Vec<_> = far.chunks().unwrap().map(|chunk| chunk.coords()[0] as u64).collect();
        assert_eq!(coords, (0..4).map(|i| i * (n / 3) / 1000).collect::<Vec<_>>());
        assert_eq!(far.chunks().unwrap().total() as u64, n.div_ceil(1000));
        assert_eq!(far.read::<i32>().unwrap().values(), [7; 4]);
    }
}
