//! Writers that are killed, in the middle of a chunk too: nothing is lost that they were not asked
//! to write, and what they leave is in nobody's way.
#![cfg(feature = "filesystem")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use pyslice::s;
use pyslice_zarrs::{FileStore, PyArray};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::storage::{ListableStorageTraits, StorePrefix};

/// Tells a process of this test that it is the writer, and where.
const FOLDER: &str = "PYSLICE_ZARRS_KILLED";
const N: usize = 1 << 17;

/// One chunk of 512 KiB, and a shard of two such chunks.
fn arrays(folder: &Path) -> [Array<FileStore>; 2] {
    let store = Arc::new(FileStore::new(folder).unwrap());
    let build = |n: usize| {
        let mut array = ArrayBuilder::new(vec![n as u64], vec![n as u64], data_type::int32(), 0i32);
        if n > N {
            array.subchunk_shape(vec![N as u64]);
        }
        array.build(store.clone(), &format!("/a{n}")).unwrap()
    };
    [build(N), build(2 * N)]
}

/// Does nothing unless the other test starts it as a process of its own.
#[test]
fn the_writer() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let arrays = arrays(Path::new(&folder));
    for value in 1.. {
        for array in &arrays {
            array.py_fill(s![100:-100], value).unwrap();
        }
        if value == 1 {
            println!("ready");
        }
    }
}

#[test]
fn two_hundred_kills_lose_nothing() {
    let folder = std::env::temp_dir().join(format!("pyslice-zarrs-killed-{}", std::process::id()));
    let arrays = arrays(&folder);
    for array in &arrays {
        array.py_fill(s![...], -1i32).unwrap();
    }
    let (mut wait, mut seen) = (0, 0);
    for _ in 0..200 {
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "the_writer", "--nocapture"])
            .env(FOLDER, &folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let said = BufReader::new(writer.stdout.take().unwrap()).lines();
        assert!(said.map_while(Result::ok).any(|line| line.contains("ready")));
        wait = (wait + 7919) % 20_011;
        std::thread::sleep(Duration::from_micros(wait));
        writer.kill().unwrap();
        writer.wait().unwrap();
        for array in &arrays {
            let read = array.py::<i32>(s![...]).unwrap().into_values();
            let (ends, middle) =
                ([&read[..100], &read[read.len() - 100..]], &read[100..read.len() - 100]);
            assert!(ends.concat().iter().all(|&value| value == -1), "other values are lost");
            assert!(middle.iter().all(|&value| value == middle[0]), "half a chunk");
            seen = seen.max(middle[0]);
        }
    }
    assert!(seen > 1, "nothing was written");
    let left = |array: &Array<FileStore>| {
        let folder = folder.join(array.path().as_str().trim_start_matches('/')).join("c");
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().ends_with(".partial")).count()
    };
    let left: usize = arrays.iter().map(left).sum();
    assert!(left > 0, "no writer was killed in the middle of a write");
    println!("{left} of 200 writers were killed in the middle of a write");
    // Nobody lists what is left, and the chunks can be written.
    let store = arrays[0].storage();
    assert_eq!(store.list().unwrap().len(), 2);
    assert_eq!(store.list_prefix(&StorePrefix::new("a131072/").unwrap()).unwrap().len(), 1);
    let chunks = store.list_dir(&StorePrefix::new("a131072/c/").unwrap()).unwrap();
    assert_eq!(chunks.keys().len(), 1);
    assert_eq!(store.size_prefix(&StorePrefix::new("a131072/").unwrap()).unwrap(), 4 << 17);
    arrays[0].py_fill(s![...], 5i32).unwrap();
    assert!(arrays[0].py::<i32>(s![...]).unwrap().values().iter().all(|&value| value == 5));
    std::fs::remove_dir_all(folder).unwrap();
}
