//! What the tests share: arrays of many kinds in a store that counts, and what a slice must read.
#![allow(dead_code, reason = "each test crate uses a part of this module")]
#![allow(unreachable_pub, reason = "a test crate has no public interface")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../../../tests/support/entries.rs"]
pub mod entries;
#[path = "../../../../tests/support/generate.rs"]
pub mod generate;
#[path = "../../../../tests/support/naive.rs"]
pub mod naive;

use naive::Item;
use serde_json::{Value, json};
use slice_core::SpecBuf;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use zarrs::array::{Array, ArrayMetadata};
use zarrs::storage::ReadableStorageTraits;
use zarrs::storage::storage_adapter::performance_metrics::PerformanceMetricsStorageAdapter;
use zarrs::storage::store::MemoryStore;

pub type Store = PerformanceMetricsStorageAdapter<MemoryStore>;

/// How chunks are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Plain,
    BigEndian,
    Gzip,
    Zstd,
    Transposed,
    /// Shards of chunks that are half as long, rounded up to what divides them.
    Sharded,
    ShardedIndexFirst,
    ShardedGzip,
    ShardedTransposed,
    ShardedInShards,
}

pub const LAYOUTS: [Layout; 10] = [
    Layout::Plain,
    Layout::BigEndian,
    Layout::Gzip,
    Layout::Zstd,
    Layout::Transposed,
    Layout::Sharded,
    Layout::ShardedIndexFirst,
    Layout::ShardedGzip,
    Layout::ShardedTransposed,
    Layout::ShardedInShards,
];

/// The length of the chunks in a shard.
pub fn inner(chunk: &[usize]) -> Vec<usize> {
    chunk.iter().map(|&n| if n % 2 == 0 { n / 2 } else { 1 }).collect()
}

fn codecs(layout: Layout, chunk: &[usize]) -> Value {
    let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
    let gzip = json!({"name": "gzip", "configuration": {"level": 5}});
    let order: Vec<usize> = (0..chunk.len()).rev().collect();
    let transpose = json!({"name": "transpose", "configuration": {"order": order}});
    let sharded = |shape: &[usize], codecs: Value, index: &str| {
        let index_codecs = json!([bytes, {"name": "crc32c"}]);
        json!({"name": "sharding_indexed", "configuration": {
            "chunk_shape": shape, "codecs": codecs, "index_codecs": index_codecs,
            "index_location": index,
        }})
    };
    let half = inner(chunk);
    match layout {
        // An array without axes has nothing to transpose.
        Layout::Transposed | Layout::ShardedTransposed if chunk.is_empty() => json!([bytes]),
        Layout::Plain => json!([bytes]),
        Layout::BigEndian => json!([{"name": "bytes", "configuration": {"endian": "big"}}]),
        Layout::Gzip => json!([bytes, gzip]),
        Layout::Zstd => json!([
            bytes, {"name": "zstd", "configuration": {"level": 1, "checksum": false}}
        ]),
        Layout::Transposed => json!([transpose, bytes]),
        Layout::Sharded => json!([sharded(&half, json!([bytes]), "end")]),
        Layout::ShardedIndexFirst => json!([sharded(&half, json!([bytes]), "start")]),
        Layout::ShardedGzip => json!([sharded(&half, json!([bytes, gzip]), "end")]),
        Layout::ShardedTransposed => {
            let shape: Vec<usize> = half.iter().rev().copied().collect();
            json!([transpose, sharded(&shape, json!([bytes]), "end")])
        }
        Layout::ShardedInShards => {
            let inside = json!([sharded(&inner(&half), json!([bytes]), "end")]);
            json!([sharded(&half, inside, "end")])
        }
    }
}

/// An array with nothing in it.
pub fn array(shape: &[usize], chunk: &[usize], layout: Layout, data_type: &str) -> Array<Store> {
    let fill = if data_type == "bool" { json!(false) } else { json!(7) };
    let grid = json!({"name": "regular", "configuration": {"chunk_shape": chunk}});
    array_of(shape, grid, codecs(layout, chunk), data_type, fill)
}

pub fn array_of(
    shape: &[usize],
    grid: Value,
    codecs: Value,
    data_type: impl Into<Value>,
    fill: Value,
) -> Array<Store> {
    let data_type = data_type.into();
    let metadata = json!({
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": data_type,
        "chunk_grid": grid, "fill_value": fill, "codecs": codecs,
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
    });
    let metadata: ArrayMetadata = serde_json::from_value(metadata).unwrap();
    let store = Arc::new(Store::new(Arc::new(MemoryStore::new())));
    Array::new_with_metadata(store, "/", metadata).unwrap()
}

/// The reference's slice as a spec; `None` if a number is outside `i64`.
pub fn spec_of(items: &[Item]) -> Option<SpecBuf> {
    entries::spec_of(items)?.ok()
}

/// Which positions of which chunk hold these elements of an array, one element at a time. Within
/// the chunk they are in C order.
pub fn touched(
    shape: &[usize],
    chunk: &[usize],
    elements: &[usize],
) -> BTreeMap<Vec<usize>, BTreeSet<usize>> {
    let mut touched: BTreeMap<Vec<usize>, BTreeSet<usize>> = BTreeMap::new();
    for &element in elements {
        let (mut rest, mut within, mut width) = (element, 0, 1);
        let mut coords = vec![0; shape.len()];
        for axis in (0..shape.len()).rev() {
            let at = rest % shape[axis];
            rest /= shape[axis];
            coords[axis] = at / chunk[axis];
            within += at % chunk[axis] * width;
            width *= chunk[axis];
        }
        touched.entry(coords).or_default().insert(within);
    }
    touched
}

/// As few runs as have all positions and at most `gap` others between two of them.
pub fn runs(positions: &BTreeSet<usize>, gap: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for &at in positions {
        match runs.last_mut() {
            Some(run) if at - run.end <= gap => run.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// How many bytes the store has of a chunk.
pub fn stored(array: &Array<Store>, coords: &[usize]) -> usize {
    let coords: Vec<u64> = coords.iter().map(|&c| c as u64).collect();
    array.storage().size_key(&array.chunk_key(&coords)).unwrap().unwrap() as usize
}
