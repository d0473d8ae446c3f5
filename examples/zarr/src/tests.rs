#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::{Options, Store, read, sample};
use pyslice::{SpecBuf, s};
use std::path::PathBuf;
use std::sync::Arc;
use zarrs::array::Array;
use zarrs::filesystem::FilesystemStore;

const SHAPE: [usize; 3] = [7, 10, 9];
const CHUNK: [usize; 3] = [3, 4, 5];

/// A sample array in a directory of its own, removed at the end.
struct Sample {
    dir: PathBuf,
    store: Arc<Store>,
    array: Array<Store>,
}

impl Sample {
    fn new(name: &str) -> Sample {
        let dir =
            std::env::temp_dir().join(format!("zarr_slice-test-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let store = Arc::new(Store::new(Arc::new(FilesystemStore::new(&dir).unwrap())));
        let array = sample::open_or_create(&store, &SHAPE, &CHUNK).unwrap();
        Sample { dir, store, array }
    }

    /// The shape of the result, its values, and how many chunks were read from disk.
    fn read(&self, spec: &SpecBuf) -> (Vec<usize>, Vec<u32>, usize) {
        self.store.reset();
        let answer = read::read::<u32, _>(&self.array, spec).unwrap();
        assert_eq!((answer.chunks, answer.total), (self.store.reads(), 3 * 3 * 2));
        assert_eq!(self.store.bytes_read(), answer.chunks * 3 * 4 * 5 * 4);
        sample::check(&answer.plan, &answer.values).unwrap();
        (answer.plan.shape().to_vec(), answer.values, answer.chunks)
    }
}

impl Drop for Sample {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

/// The values at these indices of each axis, from the pattern.
fn expected(i: &[usize], j: &[usize], k: &[usize]) -> Vec<u32> {
    let mut out = Vec::new();
    for (&i, (&j, &k)) in
        i.iter().flat_map(|i| j.iter().flat_map(move |j| k.iter().map(move |k| (i, (j, k)))))
    {
        out.push(sample::pattern((i * 10 + j) * 9 + k));
    }
    out
}

#[test]
fn only_touched_chunks_are_read() {
    let sample = Sample::new("touched");
    let all = |n: usize| (0..n).collect::<Vec<_>>();

    let (shape, values, chunks) = sample.read(&s![2, ..., 8].to_buf());
    assert_eq!((shape, values, chunks), (vec![10], expected(&[2], &all(10), &[8]), 3));

    // Positions 6, 3, 0 lie in three chunks, 9 and 1 in two, and 4 in one.
    let (shape, values, chunks) = sample.read(&s![::-3, ::-8, None, 4].to_buf());
    assert_eq!((shape, values, chunks), (vec![3, 2, 1], expected(&[6, 3, 0], &[9, 1], &[4]), 6));

    let (shape, values, chunks) = sample.read(&"-1, 2:-1, ::5".parse().unwrap());
    assert_eq!(
        (shape, values, chunks),
        (vec![7, 2], expected(&[6], &[2, 3, 4, 5, 6, 7, 8], &[0, 5]), 6)
    );

    let (shape, values, chunks) = sample.read(&s![].to_buf());
    assert_eq!((shape, values, chunks), (SHAPE.to_vec(), expected(&all(7), &all(10), &all(9)), 18));

    let (shape, values, chunks) = sample.read(&s![5:2].to_buf());
    assert_eq!((shape, values, chunks), (vec![0, 10, 9], vec![], 0));
}

#[test]
fn the_array_is_found_again() {
    let sample = Sample::new("again");
    let again = sample::open_or_create(&sample.store, &SHAPE, &[1, 1, 1]).unwrap();
    assert_eq!(read::chunk_shape(&again).unwrap(), CHUNK);
    assert_eq!(
        read::read::<u32, _>(&again, s![6, 9]).unwrap().values,
        expected(&[6], &[9], &[0, 1, 2, 3, 4, 5, 6, 7, 8])
    );
    let other = sample::open_or_create(&sample.store, &[5], &[5]).unwrap_err();
    assert_eq!(
        other.to_string(),
        "there is an array of shape [7, 10, 9] already; give that --shape, or another --dir"
    );
}

#[test]
fn a_wrong_value_is_noticed() {
    let sample = Sample::new("wrong");
    sample.array.store_chunk(&[0, 0, 0], &[0u32; 60]).unwrap();
    let answer = read::read::<u32, _>(&sample.array, s![1, 1]).unwrap();
    let error = sample::check(&answer.plan, &answer.values).unwrap_err().to_string();
    assert_eq!(error, format!("element 0 of the result is 0, not {}", sample::pattern(99)));
}

#[test]
fn slices_that_cannot_be_are_errors() {
    let sample = Sample::new("errors");
    let error = |text: &str| {
        let spec: SpecBuf = text.parse().unwrap();
        read::read::<u32, _>(&sample.array, &spec).err().map(|e| e.to_string()).unwrap()
    };
    assert_eq!(
        error("0, 10"),
        "index 10 is outside axis 1 of length 10; use -10 to 9, or a range, which is clamped"
    );
    assert!(error("0, 0, 0, 0").starts_with("the slice needs 4 axes, but the array has 3"));
}

#[test]
fn command_lines() {
    let parse = |line: &str| Options::parse(line.split(' ').map(String::from));
    let options = parse("--shape 4,6 --chunk 2,3 --dir there 1:,::-1").unwrap();
    assert_eq!(
        (options.shape, options.chunk, options.dir),
        (vec![4, 6], vec![2, 3], Some("there".into()))
    );
    assert_eq!(options.slices, [s![1:, ::-1].to_buf()]);
    for wrong in ["--shape 4,x", "--shape 4", "--dir", "--help", "1:2:3:4"] {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}
