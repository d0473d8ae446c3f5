//! What is refused, with which error, and that nothing is written then.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use pyslice::s;
use pyslice_zarrs::{Error, Part, PyArray};
use serde_json::{Value, json};
use slice_core::{Buffer, SliceError};
use std::fmt;
use std::sync::Arc;
use support::{Layout, array, array_of};
use zarrs::array::{ArrayError, CodecOptions};
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::{StoreKey, WritableStorageTraits};

#[test]
fn slices_that_do_not_fit() {
    let array = array(&[7, 10], &[3, 4], Layout::Plain, "int32");
    let refused = |result: Result<(), Error>| match result.unwrap_err() {
        Error::Slice(error) => error,
        other => panic!("{other}"),
    };
    let read = |text: &str| {
        let spec: slice_core::SpecBuf = text.parse().unwrap();
        refused(array.py::<i32>(&spec).map(|_| ()))
    };
    assert_eq!(read("0, 10"), SliceError::IndexOutOfRange { index: 10, axis: 1, len: 10 });
    assert_eq!(read("0, 0, 0"), SliceError::TooManyEntries { takes: 3, rank: 2 });
    assert_eq!(
        array.py::<i32>(s![0, 10]).unwrap_err().to_string(),
        "index 10 is outside axis 1 of length 10; use -10 to 9, or a range, which is clamped"
    );

    let wrong = |buffer, expected, found| SliceError::BufferLength { buffer, expected, found };
    let short = refused(array.pyslice(s![0]).unwrap().read_into(&mut [0i32; 9]));
    assert_eq!(short, wrong(Buffer::Destination, 10, 9));
    let short = array.py_assign(s![0], &[0i32; 9]).unwrap_err();
    assert_eq!(
        short.to_string(),
        "9 values for a slice of shape [10]; give one for each of its elements, or say the shape \
         from which they are broadcast, as in `(&values, &[1])`, or give one value for all of it \
         with `py_fill`"
    );
    let short = array.py_assign(s![0], (&[1i32; 9], &[10])).unwrap_err();
    assert_eq!(
        short.to_string(),
        "9 values with the shape [10]; give as many values as that shape has, or the shape that \
         they have"
    );
    // What the first advises does it.
    array.py_assign(s![:3], (&[1i32], &[1])).unwrap();
    array.py_fill(s![:3], 0i32).unwrap();
    array.storage().reset();
    let unlike = refused(array.py_assign(s![:3], (&[1i32; 6], &[3, 2])));
    assert!(matches!(unlike, SliceError::Broadcast { .. }), "{unlike}");
    let unlike = refused(array.py_assign(s![0], (&[1i32; 20], &[2, 10])));
    assert!(matches!(unlike, SliceError::Broadcast { .. }), "{unlike}");
    assert_eq!(array.storage().writes(), 0);
}

#[test]
fn elements_of_another_type() {
    let array = array(&[4], &[2], Layout::Plain, "int32");
    // Also where nothing is selected.
    for spec in [s![:], s![:0]] {
        let refused = [
            array.py::<u32>(spec).map(|_| ()),
            array.py_fill(spec, 1.0f64),
            array.py_assign(spec, (&[1i64], &[1])),
            array.pyslice(spec).unwrap().for_each_part(|_: Part<f32>| Ok(())),
        ];
        for refused in refused {
            let error = refused.unwrap_err();
            assert!(matches!(error, Error::ElementType { fits: Some("i32"), .. }), "{error}");
        }
    }
    assert_eq!(array.storage().writes(), 0);
    assert_eq!(
        array.py::<f64>(s![0]).unwrap_err().to_string(),
        "array / has elements of int32, which are not f64; use i32, as in `py::<i32>`, or \
         `py_bytes` to read elements of any type"
    );
    // The types that are named fit, and those of which only zarrs knows are not named.
    macro_rules! fits {
        ($($name:literal: $t:ty),*) => { $(
            let fill = if $name.starts_with("complex") { json!([0, 0]) } else { json!(0) };
            let array = array_of(&[2], regular(), little(), $name, fill);
            let error = array.py::<bool>(s![]).unwrap_err();
            let Error::ElementType { fits: Some(fits), .. } = error else { panic!("{error}") };
            assert_eq!(fits, stringify!($t).replace(' ', ""), "{}", $name);
            array.py::<$t>(s![]).unwrap();
        )* };
    }
    fits!(
        "int8": i8, "int16": i16, "int32": i32, "int64": i64, "uint8": u8, "uint16": u16,
        "uint32": u32, "uint64": u64, "float16": half::f16, "bfloat16": half::bf16,
        "float32": f32, "float64": f64, "complex64": num_complex::Complex<f32>,
        "complex128": num_complex::Complex<f64>
    );
    let times = json!({
        "name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 1},
    });
    let array = array_of(&[2], regular(), little(), times, json!(5));
    assert_eq!(array.py::<i64>(s![]).unwrap().values(), [5, 5]);
    let error = array.py::<u64>(s![]).unwrap_err();
    assert!(matches!(error, Error::ElementType { fits: Some("i64"), .. }), "{error}");
    let array = array_of(&[2], regular(), little(), "r24", json!([1, 2, 3]));
    assert_eq!(
        array.py::<u64>(s![]).unwrap_err().to_string(),
        "array / has elements of r24, which are not u64; use the type that zarrs has for them, or \
         `py_bytes` to read elements of any type"
    );
    assert_eq!(
        array.py_bytes(s![]).unwrap_err().to_string(),
        "unsupported array method: elements of r24 as bytes; they have to take 1, 2, 4, 8 or 16 \
         bytes"
    );
}

fn regular() -> Value {
    json!({"name": "regular", "configuration": {"chunk_shape": [2]}})
}

fn little() -> Value {
    json!([{"name": "bytes", "configuration": {"endian": "little"}}])
}

/// What metadata and indices claim is not asked for where the store has less.
#[test]
fn chunks_shorter_than_they_claim() {
    let folder = std::env::temp_dir().join(format!("pyslice-zarrs-short-{}", std::process::id()));
    let store = Arc::new(FilesystemStore::new(&folder).unwrap());
    let on_disk = |n: u64, codecs: Value, bytes: Vec<u8>| {
        let grid = json!({"name": "regular", "configuration": {"chunk_shape": [n]}});
        let array = array_of(&[n as usize], grid, codecs, "uint8", json!(0));
        store.set(&array.chunk_key(&[0]), bytes.into()).unwrap();
        array.with_storage(store.clone())
    };
    let array = on_disk(1 << 62, little(), vec![1; 100]);
    assert_eq!(array.py::<u8>(s![99]).unwrap().values(), [1]);
    let all = array.pyslice(s![::1i64 << 61]).unwrap().with_gaps(u64::MAX);
    assert_eq!(
        all.read::<u8>().unwrap_err().to_string(),
        "chunk [0] (c/0): the chunk has 100 bytes, and its metadata say 4611686018427387904"
    );
    let index = |offset: u64, len: u64| {
        let entries = [offset, len].map(u64::to_le_bytes);
        [&[1; 84], entries.as_flattened()].concat()
    };
    let shards = json!([{"name": "sharding_indexed", "configuration": {
        "chunk_shape": [1u64 << 40], "codecs": little(), "index_codecs": little(),
        "index_location": "end",
    }}]);
    for (offset, len, said) in [
        (
            0,
            1 << 40,
            "the index of a shard is damaged: it has a chunk up to byte 1099511627776, \
            and the shard ends at 100",
        ),
        (
            80,
            21,
            "the index of a shard is damaged: it has a chunk up to byte 101, and the shard \
            ends at 100",
        ),
        (80, 20, "the chunk has 20 bytes, and its metadata say 1099511627776"),
    ] {
        let array = on_disk(1 << 40, shards.clone(), index(offset, len));
        let slice = array.pyslice(s![::1i64 << 39]).unwrap().with_gaps(u64::MAX);
        let error = slice.read::<u8>().unwrap_err().to_string();
        assert_eq!(error, format!("chunk [0] (c/0): {said}"));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Shards that are shorter in the store than their index, as each kind of store says it.
#[test]
fn shards_shorter_than_their_index() {
    let shards = |n: u64, inner: u64, location: &str| {
        let codecs = json!([{"name": "sharding_indexed", "configuration": {
            "chunk_shape": [inner, 1], "codecs": little(), "index_location": location,
            "index_codecs": [little()[0], {"name": "crc32c"}],
        }}]);
        let grid = json!({"name": "regular", "configuration": {"chunk_shape": [n, 4]}});
        let shape = [n as usize, 4];
        let array = array_of(&shape, grid, codecs, "uint8", json!(0));
        let key = array.chunk_key(&[0, 0]);
        array.storage().set(&key, vec![255; 100].into()).unwrap();
        array
    };
    for location in ["start", "end"] {
        // The second has 2^30 chunks in a shard, the third more than any file can list.
        for (n, said) in [(8, "512"), (1 << 28, "17179869184"), (1 << 60, "more than any file")] {
            let error = shards(n, 1, location).py::<u8>(s![3, 1]).unwrap_err();
            let error = error.to_string();
            assert!(
                error.starts_with("chunk [0, 0] (c/0/0): the shard has 100 bytes, "),
                "{error}"
            );
            assert!(error.contains(said), "{error}");
        }
    }
    // A shard that is as long as its index and has nothing else.
    let error = shards(3, 3, "end").py::<u8>(s![2, 1]).unwrap_err();
    assert!(error.to_string().contains("checksum"), "{error}");
}

#[test]
fn more_axes_than_a_slice_has_entries() {
    for layout in support::LAYOUTS {
        let (mut shape, mut chunk) = (vec![1; 40], vec![1; 40]);
        for axis in [0, 20, 39] {
            (shape[axis], chunk[axis]) = (5, 2);
        }
        let array = array(&shape, &chunk, layout, "uint16");
        let all: Vec<u16> = (1..=125).collect();
        array.py_assign(s![...], &all).unwrap();
        let expected: Vec<u16> = all.chunks(25).rev().step_by(2).flatten().copied().collect();
        assert_eq!(array.py::<u16>(s![::-2]).unwrap().values(), expected, "{layout:?}");
        let last = array.py::<u16>(s![1, ..., -1]).unwrap();
        assert_eq!(last.shape().len(), 38);
        let expected: Vec<u16> = all[25..50].iter().skip(4).step_by(5).copied().collect();
        assert_eq!(last.values(), expected, "{layout:?}");
    }
}

#[test]
fn lengths_of_any_u64() {
    let huge = |shape: &[usize], chunk: &[usize]| array(shape, chunk, Layout::Plain, "uint8");
    // As many elements as `isize` counts: only what is touched costs anything.
    let array = huge(&[1 << 40, 1 << 22], &[1 << 10, 1 << 10]);
    array.py_assign(s![-1, (1 << 21)::(1 << 18)], &[1u8, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    let found = array.py::<u8>(s![::-(1i64 << 39), ::-(1 << 20)]).unwrap();
    assert_eq!((found.shape(), found.values()), (&[2, 4][..], &[7; 8][..]));
    let found = array.py::<u8>(s![-1, (1 << 21)::(1 << 19)]).unwrap();
    assert_eq!(found.values(), [1, 3, 5, 7]);
    // A result larger than any memory.
    let all = array.py::<u8>(s![]).unwrap_err();
    assert!(matches!(all, Error::Slice(SliceError::OutOfMemory { .. })), "{all}");

    for shape in [vec![usize::MAX], vec![1 << 32, 1 << 31], vec![usize::MAX, 0]] {
        let array = huge(&shape, &vec![1 << 10; shape.len()]);
        let refused = array.py::<u8>(s![0:0]).unwrap_err();
        assert!(matches!(refused, Error::Slice(SliceError::ShapeTooLarge)), "{refused}");
    }
}

#[test]
fn chunks_that_are_damaged() {
    let key = |text: &str| StoreKey::new(text).unwrap();
    let array = array(&[4], &[4], Layout::Gzip, "int32");
    array.storage().set(&key("c/0"), vec![1, 2, 3].into()).unwrap();
    for refused in [array.py::<i32>(s![1]).map(|_| ()), array.py_fill(s![1], 5)] {
        let error = refused.unwrap_err();
        let Error::Chunk { coords, key, error } = error else { panic!("{error}") };
        assert_eq!((coords, key.as_str()), (vec![0], "c/0"));
        assert!(matches!(*error, ArrayError::CodecError(_)), "{error}");
    }
    // All of it is assigned, so nobody looks at what was there.
    array.py_fill(s![...], 5).unwrap();
    assert_eq!(array.py::<i32>(s![:]).unwrap().values(), [5; 4]);

    // An index that points behind every file.
    let bytes = json!({"name": "bytes", "configuration": {"endian": "little"}});
    let shards = json!([{"name": "sharding_indexed", "configuration": {
        "chunk_shape": [4], "codecs": [bytes], "index_codecs": [bytes], "index_location": "end",
    }}]);
    let grid = json!({"name": "regular", "configuration": {"chunk_shape": [4]}});
    let array = array_of(&[4], grid, shards, "int32", json!(0));
    for (offset, len) in [(u64::MAX - 3, 4), (u64::MAX - 3, 16), (1 << 63, 16), (0, u64::MAX)] {
        let index: Vec<u8> = [offset, len].iter().flat_map(|n| n.to_le_bytes()).collect();
        array.storage().set(&key("c/0"), index.into()).unwrap();
        let error = array.py::<i32>(s![1::2]).unwrap_err().to_string();
        assert_eq!(error, "chunk [0] (c/0): the index of a shard is damaged");
    }
}

#[test]
fn errors_of_the_callers_own_end_a_read_and_a_write() {
    #[derive(Debug)]
    enum Own {
        Enough,
        Theirs(Error),
    }
    impl From<Error> for Own {
        fn from(error: Error) -> Own {
            Own::Theirs(error)
        }
    }
    impl fmt::Display for Own {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{self:?}")
        }
    }
    let array = array(&[8], &[2], Layout::Plain, "int32");
    array.py_fill(s![...], 1).unwrap();
    let serial = CodecOptions::default().with_concurrent_target(1);
    let slice = array.pyslice(s![...]).unwrap().with_options(serial);
    let parts = std::sync::atomic::AtomicUsize::new(0);
    let count = || parts.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let ended =
        slice.for_each_part(|_: Part<i32>| if count() == 2 { Err(Own::Enough) } else { Ok(()) });
    assert!(matches!(ended, Err(Own::Enough)));
    assert_eq!(parts.into_inner(), 3);

    array.storage().reset();
    let ended = slice.assign_parts(|target, part: &mut [i32]| {
        part.fill(9);
        if target.offset() == 4 { Err(Own::Enough) } else { Ok(()) }
    });
    assert!(matches!(ended, Err(Own::Enough)));
    assert_eq!(array.py::<i32>(s![:]).unwrap().values(), [9, 9, 9, 9, 1, 1, 1, 1]);
    let theirs = slice.for_each_part(|_: Part<u8>| Ok::<(), Own>(()));
    assert!(matches!(theirs, Err(Own::Theirs(Error::ElementType { .. }))));
}
