//! Writes an array part by part, reads a slice of it part by part, and prints how far it has come
//! and how much memory that took. Run it under a limit below the array's size:
//!
//! ```text
//! cargo build --example larger_than_memory
//! (ulimit -v 400000; target/debug/examples/larger_than_memory)
//! ```
//!
//! It takes the size in MiB (512), and whether chunks are shards (`--shards`).

#[path = "zarr_slice/memory.rs"]
mod memory;

use pyslice::s;
use pyslice_zarrs::{FileStore, Part, Progress, PyArray};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use zarrs::array::{Array, ArrayBuilder, data_type};

type Fault = Box<dyn Error + Send + Sync>;

/// One row of the array.
const ROW: usize = 4096;

fn main() -> Result<(), Fault> {
    let mut rows = 512 << 20 >> 15;
    let mut shards = false;
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--shards" => shards = true,
            mib => rows = mib.parse::<usize>()? << 20 >> 15,
        }
    }
    let dir = std::env::temp_dir().join(format!("larger_than_memory-{}", std::process::id()));
    std::fs::create_dir_all(&dir)?;
    let done = run(&dir, rows, shards);
    std::fs::remove_dir_all(&dir)?;
    done
}

fn run(dir: &std::path::Path, rows: usize, shards: bool) -> Result<(), Fault> {
    let shape = vec![rows as u64, ROW as u64];
    let mut builder = ArrayBuilder::new(shape, vec![256, 512], data_type::uint64(), u64::MAX);
    if shards {
        builder.subchunk_shape(vec![32, 64]);
    }
    let array: Array<FileStore> = builder.build(Arc::new(FileStore::new(dir)?), "/")?;
    array.store_metadata()?;
    let size = (rows * ROW * size_of::<u64>()) as u64;
    println!("an array of {}; at first {} of memory", memory::size(size), peak());

    // Each element is its own position.
    let tell = tenths("written");
    array.pyslice(s![])?.on_progress(&tell).assign_parts(|target, part: &mut [u64]| {
        for (value, at) in part.iter_mut().zip(target.offsets()) {
            *value = at as u64;
        }
        Ok::<(), Fault>(())
    })?;

    let tell = tenths("read");
    // Gaps of one element are read through.
    let slice = array.pyslice(s![::-1, 1::2])?.with_gaps(8).on_progress(&tell);
    let sum = AtomicU64::new(0);
    slice.for_each_part(|part: Part<u64>| {
        let sum_of_part = part.to_vec()?.iter().fold(0, |sum: u64, &value| sum.wrapping_add(value));
        sum.fetch_add(sum_of_part, Ordering::Relaxed);
        Ok::<(), Fault>(())
    })?;
    let n = (rows * ROW) as u64;
    // 1 + 3 + 5 + … + (n - 1)
    let (found, expected) = (sum.into_inner(), (n / 2).wrapping_mul(n / 2));
    if found != expected {
        return Err(format!("the sum is {found}, not {expected}").into());
    }
    println!("the sum of array[::-1, 1::2] is {found}, as it has to be");
    println!("peak memory: {}, for an array of {}", peak(), memory::size(size));
    Ok(())
}

/// Prints each tenth that is done.
fn tenths(what: &str) -> impl Fn(Progress) + Sync {
    let printed = AtomicUsize::new(0);
    move |progress| {
        let tenth = (10 * progress.bytes / progress.bytes_total) as usize;
        if printed.fetch_max(tenth, Ordering::Relaxed) < tenth {
            let Progress { chunks, chunks_total, bytes, .. } = progress;
            let done = memory::size(bytes);
            println!("{what}: {tenth}0 %, {done}, {chunks} of {chunks_total} chunks; {}", peak());
        }
    }
}

fn peak() -> String {
    memory::peak().map_or("unknown".into(), memory::size)
}
