//! What is refused, with which error, and that nothing is written then.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use pyslice::s;
use pyslice_zarrs::{Error, Part, PyArray};
use serde_json::json;
use slice_core::{Buffer, SliceError};
use std::fmt;
use support::{Layout, array, array_of};
use zarrs::array::{ArrayError, CodecOptions};
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
    let short = refused(array.py_assign(s![0], &[0i32; 9]));
    assert_eq!(short, wrong(Buffer::Values, 10, 9));
    let short = refused(array.py_assign(s![0], (&[1i32; 9], &[10])));
    assert_eq!(short, wrong(Buffer::Values, 10, 9));
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
            assert!(matches!(error, Error::Array(ArrayError::ElementError(_))), "{error}");
        }
    }
    assert_eq!(array.storage().writes(), 0);
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
    assert!(matches!(theirs, Err(Own::Theirs(Error::Array(_)))));
}
