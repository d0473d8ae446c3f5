//! How long slices take, beside two ways without pyslice: reading each chunk whole and slicing it
//! in memory, and reading the box around the slice with zarrs and slicing that.
//!
//! ```sh
//! cargo run --release --example against_zarrs            # all arrays, all slices
//! cargo run --release --example against_zarrs -- raw     # arrays with `raw` in their name
//! cargo run --release --example against_zarrs -- '' '::2, 3'
//! ```
//!
//! The three are timed in turn, each as often first, and the shortest time of each is shown, in
//! milliseconds.

use pyslice::{SpecBuf, s};
use pyslice_zarrs::{FileStore, PyArray};
use rayon::iter::{ParallelBridge, ParallelIterator};
use serde_json::{Value, json};
use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use zarrs::array::{Array, ArraySubset};
use zarrs::storage::ReadableWritableStorageTraits;
use zarrs::storage::store::MemoryStore;

type Storage = dyn ReadableWritableStorageTraits;
type Result<T> = std::result::Result<T, Box<dyn Error>>;

const SLICES: [&str; 20] = [
    "...",
    "0",
    "-1",
    "5, 7, 9",
    "..., 7",
    "..., 7:9",
    "..., 7, 7",
    ":, 7",
    ":, ::2",
    ":, ::7",
    "..., ::2",
    "..., ::7",
    "..., ::60",
    "::2, ::2, ::2",
    "::-1, ::-1, ::-1",
    "10:200, 30:300, 5:100",
    "3:5, 70:80, 60:70",
    "::64, ::64, ::64",
    "::9, ::9, ::9",
    ":, 60:70, 60:70",
];

fn arrays(
    files: &Arc<Storage>,
    memory: &Arc<Storage>,
) -> Result<Vec<(&'static str, Array<Storage>)>> {
    let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
    let big = json!({"name": "bytes", "configuration": {"endian": "big"}});
    let zstd = json!({"name": "zstd", "configuration": {"level": 1, "checksum": false}});
    let order = json!({"name": "transpose", "configuration": {"order": [2, 1, 0]}});
    let shards = |n: usize, codecs: &[&Value]| {
        json!([{"name": "sharding_indexed", "configuration": {
            "chunk_shape": [n, n, n], "codecs": codecs, "index_location": "end",
            "index_codecs": [bytes, {"name": "crc32c"}],
        }}])
    };
    let array = |store: &Arc<Storage>, name: &'static str, n: usize, codecs: Value| {
        let metadata = json!({
            "zarr_format": 3, "node_type": "array", "shape": [320, 320, 192],
            "data_type": "float32", "fill_value": 0, "codecs": codecs,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [n, n, n]}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        });
        let path = format!("/{}", name.replace(' ', "-"));
        let array =
            Array::new_with_metadata(store.clone(), &path, serde_json::from_value(metadata)?)?;
        let values: Vec<f32> = (0..320 * 320 * 192).map(|i| (i / 100 % 1000) as f32).collect();
        array.py_assign(s![...], &values)?;
        Ok((name, array))
    };
    [
        array(files, "raw", 64, json!([bytes])),
        array(files, "raw big-endian", 64, json!([big])),
        array(files, "raw small chunks", 16, json!([bytes])),
        array(files, "raw F order", 64, json!([order, bytes])),
        array(files, "shards of raw", 64, shards(32, &[&bytes])),
        array(files, "shards of small raw", 64, shards(16, &[&bytes])),
        array(files, "zstd", 64, json!([bytes, zstd])),
        array(files, "shards of zstd", 64, shards(32, &[&bytes, &zstd])),
        array(memory, "memory raw", 64, json!([bytes])),
        array(memory, "memory shards of raw", 64, shards(32, &[&bytes])),
    ]
    .into_iter()
    .collect()
}

/// Each chunk whole, then the slice of it.
fn by_chunks(array: &Array<Storage>, spec: &SpecBuf) -> Result<Vec<f32>> {
    let slice = array.pyslice(spec)?;
    let result = Mutex::new(vec![0f32; slice.plan().len()]);
    slice.chunks()?.par_bridge().for_each(|chunk| {
        let coords: Vec<u64> = chunk.coords().iter().map(|&c| c as u64).collect();
        let values = array.retrieve_chunk::<Vec<f32>>(&coords).expect("a chunk");
        let mut result = result.lock().expect("no thread panicked");
        let part = chunk.plan().on(&values).expect("a plan of the chunk");
        chunk.target().assign(&mut result, part).expect("a plan of the result");
    });
    Ok(result.into_inner()?)
}

/// The box around the slice, then the slice of that.
fn by_box(array: &Array<Storage>, spec: &SpecBuf) -> Result<Vec<f32>> {
    let plan = array.pyslice(spec)?.plan().clone();
    let (read, _) = plan.forwards()?;
    let (mut ranges, mut entries) = (Vec::new(), SpecBuf::builder());
    for range in read.to_step_ranges()? {
        let (start, end) = (range.start as u64, range.end.unwrap_or(0) as u64);
        ranges.push(start..end);
        entries = entries.range(None::<i64>, None::<i64>, range.step);
    }
    let (read, subset) = (entries.build()?, ArraySubset::from(ranges));
    let values = array.retrieve_array_subset::<Vec<f32>>(&subset)?;
    let shape: Vec<usize> = subset.shape().iter().map(|&n| n as usize).collect();
    let turn = plan.forwards()?.1;
    let of = read.plan(&shape)?.then_plan(&turn)?;
    Ok(of.copy(&values)?)
}

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let (wanted, slices) = (words.next().unwrap_or_default(), Vec::from_iter(words));
    let slices = if slices.is_empty() { SLICES.map(String::from).to_vec() } else { slices };
    let folder = std::env::temp_dir().join(format!("against-zarrs-{}", std::process::id()));
    let files: Arc<Storage> = Arc::new(FileStore::new(&folder)?);
    let memory: Arc<Storage> = Arc::new(MemoryStore::new());
    println!("{:>21} {:>21}    py chunks    box  ratio", "array", "slice");
    let (mut worst, mut above) = (0f64, 0);
    for (name, array) in arrays(&files, &memory)? {
        if !name.contains(&wanted) {
            continue;
        }
        for text in &slices {
            let spec: SpecBuf = text.parse()?;
            let ways: [&dyn Fn() -> Result<Vec<f32>>; 3] = [
                &|| Ok(array.py::<f32>(&spec)?.into_values()),
                &|| by_chunks(&array, &spec),
                &|| by_box(&array, &spec),
            ];
            let mut best = [Duration::MAX; 3];
            let mut results = [const { Vec::new() }; 3];
            let started = Instant::now();
            let mut rounds = 0;
            while rounds < 5 || (started.elapsed() < Duration::from_millis(600) && rounds < 200) {
                // Each comes after each of the others: what it leaves in caches matters.
                for way in [0, 1, 2].map(|way| (way + rounds) % 3) {
                    let start = Instant::now();
                    results[way] = ways[way]()?;
                    best[way] = start.elapsed().min(best[way]);
                }
                rounds += 1;
            }
            assert!(results[0] == results[1] && results[1] == results[2], "{name}[{text}]");
            let [py, chunks, boxed] = best.map(|time| time.as_secs_f64() * 1e3);
            let ratio = py / chunks.min(boxed);
            (worst, above) = (worst.max(ratio), above + usize::from(ratio > 1.2));
            println!("{name:>21} {text:>21} {py:7.2} {chunks:6.2} {boxed:6.2} {ratio:6.2}");
        }
    }
    println!("the worst ratio is {worst:.2}; {above} are above 1.2");
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
