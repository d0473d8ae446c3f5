//! Many threads, one thread, progress, and storage that is known only at run time.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use pyslice::s;
use pyslice_zarrs::{Error, Part, Progress, PyArray};
use std::sync::{Arc, Mutex};
use support::{Layout, array};
use zarrs::array::{Array, CodecOptions};
use zarrs::storage::{ReadableStorageTraits, ReadableWritableStorageTraits};

/// `np.arange(600).reshape(20, 30)[::-2, 3::4]`
fn expected() -> Vec<u32> {
    (0..20).rev().step_by(2).flat_map(|row| (3..30).step_by(4).map(move |c| row * 30 + c)).collect()
}

#[test]
fn any_number_of_threads() {
    let all: Vec<u32> = (0..600).collect();
    for threads in [1, 2, 16] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // More requests than processors.
        let options = CodecOptions::default().with_concurrent_target(2 * threads);
        for layout in [Layout::Plain, Layout::Gzip, Layout::Sharded, Layout::ShardedInShards] {
            pool.install(|| {
                let array = array(&[20, 30], &[4, 8], layout, "uint32");
                let whole = array.pyslice(s![...]).unwrap().with_options(options);
                for _ in 0..20 {
                    whole.assign(&all).unwrap();
                    let part = array.pyslice(s![::-2, 3::4]).unwrap().with_options(options);
                    assert_eq!(part.read::<u32>().unwrap().values(), expected());
                }
            });
        }
    }
}

#[test]
fn a_read_tells_how_far_it_is() {
    for layout in [Layout::Plain, Layout::ShardedGzip] {
        let array = array(&[20, 30], &[4, 8], layout, "uint32");
        let told = Mutex::new(Vec::new());
        let tell = |progress: Progress| told.lock().unwrap().push(progress);
        let serial = CodecOptions::default().with_concurrent_target(1);
        let slice = array.pyslice(s![::-2, 3::4]).unwrap().on_progress(&tell).with_options(serial);
        let mut values = vec![0u32; 70];
        slice.read_into(&mut values).unwrap();
        let told = told.into_inner().unwrap();
        assert!(told.iter().all(|p| (p.chunks_total, p.bytes_total) == (20, 280)));
        // It never goes back, and ends where everything is done.
        assert!(told.is_sorted_by_key(|p| (p.chunks, p.bytes)));
        let last = told.last().unwrap();
        assert_eq!((last.chunks, last.bytes), (20, 280));
        assert_eq!(
            told.iter().filter(|p| p.bytes < 280).max_by_key(|p| p.chunks).unwrap().chunks,
            19
        );
    }
}

#[test]
fn one_thread_reads_the_chunks_in_order() {
    let array = array(&[20, 30], &[4, 8], Layout::Plain, "uint32");
    let serial = CodecOptions::default().with_concurrent_target(1);
    let places = Mutex::new(Vec::new());
    array
        .pyslice(s![...])
        .unwrap()
        .with_options(serial)
        .for_each_part(|part: Part<u32>| {
            places.lock().unwrap().push(part.target().offset());
            Ok::<(), Error>(())
        })
        .unwrap();
    let in_order = |row: usize| (0..4).map(move |column| 30 * 4 * row + 8 * column);
    assert_eq!(places.into_inner().unwrap(), (0..5).flat_map(in_order).collect::<Vec<_>>());
}

#[test]
fn storage_of_any_kind() {
    let all: Vec<u32> = (0..600).collect();
    let array = array(&[20, 30], &[4, 8], Layout::Plain, "uint32");
    let both: Arc<dyn ReadableWritableStorageTraits> = array.storage();
    let writable: Array<dyn ReadableWritableStorageTraits> = array.with_storage(both);
    writable.py_assign(s![...], &all).unwrap();
    let readable: Arc<dyn ReadableStorageTraits> = array.storage();
    let readable: Array<dyn ReadableStorageTraits> = array.with_storage(readable);
    assert_eq!(readable.py::<u32>(s![::-2, 3::4]).unwrap().values(), expected());
}
