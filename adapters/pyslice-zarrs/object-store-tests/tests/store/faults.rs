//! A server that fails, hangs, cuts the connection or is killed.

use object_store_tests::*;
use pyslice::s;
use pyslice_zarrs::{Error, PyArray, RangeStore};
use std::io::{BufRead, BufReader};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use zarrs::array::Array;
use zarrs_object_store::object_store::RetryConfig;
use zarrs_object_store::object_store::aws::AmazonS3;

/// The error has to say which chunk it is about, and its key.
fn is_about_a_chunk(error: &Error, words: &[&str]) {
    let Error::Chunk { coords, key, .. } = error else { panic!("not about a chunk: {error:?}") };
    let path = Vec::from_iter(coords.iter().map(u64::to_string)).join("/");
    assert_eq!(key.as_str(), format!("array/c/{path}"));
    let text = error.to_string();
    assert!(text.starts_with(&format!("chunk {coords:?} ({key}): ")), "{text}");
    // What the client says, with the causes behind it.
    let text = text.to_lowercase();
    assert!(words.iter().any(|word| text.contains(word)), "{text}");
}

/// A store that waits for one second.
fn hasty(server: &Server) -> Arc<RangeStore<AmazonS3>> {
    let client = client(&server.endpoint(), Duration::from_secs(1));
    Arc::new(RangeStore::new(client.build().expect("a client")))
}

/// Every fault, at every request that a read sends.
#[tokio::test]
async fn a_read_that_fails_says_where_and_hands_nothing_out() {
    let cases = cases();
    // A plain array and one in shards, where the index and the chunks are read apart.
    for case in [&cases[1], &cases[6]] {
        let (folder, server) = Server::new();
        let array = case.written::<u32>(&server).await;
        server.take_log();
        let spec = s![6:, ::-5, 20];
        let right = array.async_py::<u32>(spec).await.expect("a result");
        let requests = server.take_log().len();
        assert!(requests > 2);
        let faults: [(Fault, &[&str]); 3] = [
            (Fault::Refuse, &["500", "server error"]),
            (Fault::Hang, &["timed out", "timeout", "error sending request"]),
            (Fault::Cut, &["body", "eof", "closed", "reset", "end of file"]),
        ];
        for (fault, words) in faults {
            // Waiting takes a second each time.
            let step = if fault == Fault::Hang { 3 } else { 1 };
            for nth in (0..requests).step_by(step) {
                // Another server: requests that a failed read has given up may still arrive.
                let server = Server::start(folder.path()).expect("a server");
                server.fault(Kind::RangeGet, nth, fault);
                let store = if fault == Fault::Hang { hasty(&server) } else { store(&server) };
                let error = case.on(store).async_py::<u32>(spec).await.expect_err("a fault");
                is_about_a_chunk(&error, words);
            }
        }
        assert_eq!(array.async_py::<u32>(spec).await.expect("a result"), right);
    }
}

#[tokio::test]
async fn a_client_that_tries_again_gets_over_a_failure() {
    let case = &cases()[6];
    let (_folder, server) = Server::new();
    case.written::<u32>(&server).await;
    let client =
        client(&server.endpoint(), Duration::from_secs(20)).with_retry(RetryConfig::default());
    let array = case.on(Arc::new(RangeStore::new(client.build().expect("a client"))));
    server.take_log();
    let right = array.async_py::<u32>(s![8, ::-5, 20]).await.expect("a result");
    let requests = server.take_log().len();
    server.fault(Kind::RangeGet, 1, Fault::Refuse);
    assert_eq!(array.async_py::<u32>(s![8, ::-5, 20]).await.expect("a result"), right);
    assert_eq!(server.take_log().len(), requests + 1);
}

/// What a store has lost or changed is an error, too, and not a panic.
#[tokio::test]
async fn damaged_objects_are_errors() {
    for case in cases().iter().filter(|case| case.data_type == "uint32") {
        let (folder, server) = Server::new();
        let array = case.written::<u32>(&server).await;
        let file = object_file(folder.path(), "array/c/1/0/1");
        let whole = std::fs::read(&file).expect("a chunk");
        for len in [0, 1, 7, whole.len() / 2, whole.len() - 1] {
            std::fs::write(&file, &whole[..len]).expect("a shorter chunk");
            let error = array.async_py::<u32>(s![4:, ::-1, 1::2]).await;
            is_about_a_chunk(&error.expect_err(case.name), &[""]);
        }
        if case.layout.inner.is_some() {
            // The place of the first chunk in the shard.
            let index = whole.len() - 4 - 16 * 8;
            for wild in [u64::MAX, u64::MAX - 1, 1 << 62, whole.len() as u64] {
                let mut bytes = whole.clone();
                bytes[index..index + 8].copy_from_slice(&wild.to_le_bytes());
                let sum = crc32c::crc32c(&bytes[index..whole.len() - 4]);
                bytes[whole.len() - 4..].copy_from_slice(&sum.to_le_bytes());
                std::fs::write(&file, bytes).expect("another index");
                let error = array.async_py::<u32>(s![4:, ::-1, 1::2]).await;
                is_about_a_chunk(&error.expect_err(case.name), &[""]);
            }
        }
    }
}

/// Which chunks are new after a write that failed; the others have to be as they were.
async fn new_chunks(array: &Array<RangeStore<AmazonS3>>, old: &[u32], new: &[u32]) -> Vec<bool> {
    let shape: Vec<usize> = array.shape().iter().map(|&n| n as usize).collect();
    let counts =
        Vec::from_iter(array.chunk_grid_shape().iter().map(|&n| (0..n as usize).collect()));
    let mut chunks = Vec::new();
    for coords in product(&counts) {
        let coords = Vec::from_iter(coords.iter().map(|&c| c as u64));
        let found: Vec<u32> = array.async_retrieve_chunk(&coords).await.expect("a chunk");
        let lengths = array.chunk_shape(&coords).expect("a shape");
        let inside = Vec::from_iter(lengths.iter().map(|n| (0..n.get() as usize).collect()));
        // What reaches over the array was never written.
        let whole = |of: &[u32]| {
            let place = |at: Vec<usize>| {
                let mut axes = at.iter().zip(&coords).zip(&lengths).zip(&shape);
                axes.try_fold(0, |number, (((i, c), len), n)| {
                    let at = i + *c as usize * len.get() as usize;
                    (at < *n).then_some(number * n + at)
                })
            };
            let values = product(&inside).into_iter().map(|at| place(at).map_or(0, |at| of[at]));
            Vec::from_iter(values)
        };
        assert!(found == whole(old) || found == whole(new), "{coords:?} is neither old nor new");
        chunks.push(found != whole(old));
    }
    chunks
}

fn child(root: &Path, nth: usize) -> (Child, BufReader<std::process::ChildStdout>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_s3-server"))
        .arg(root)
        .arg(nth.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a server");
    let mut lines = BufReader::new(child.stdout.take().expect("its output"));
    let mut endpoint = String::new();
    lines.read_line(&mut endpoint).expect("where it listens");
    (child, lines, endpoint.trim().to_owned())
}

/// The server is killed while it has half of a chunk; a new one on the same folder has every chunk
/// old or new.
#[tokio::test]
async fn a_server_killed_in_the_middle_of_a_write_leaves_whole_chunks() {
    let cases = cases();
    let kinds = [(&cases[1], false), (&cases[1], true), (&cases[6], false), (&cases[7], false)];
    for (case, empty) in kinds {
        for (nth, in_flight) in [(0, 1), (3, 1), (3, 16), (10, 16)] {
            let folder = tempfile::tempdir().expect("a folder");
            let total = case.layout.shape.iter().product();
            let old = if empty { vec![0; total] } else { case.values::<u32>() };
            if !empty {
                let server = Server::start(folder.path()).expect("a server");
                case.written::<u32>(&server).await;
            }
            let mut new = old.clone();
            // Every chunk gets something, some are written whole.
            let plan = s![1:, ::1, 1:].plan(&case.layout.shape).expect("a plan");
            plan.fill(&mut new, 77).expect("it fits");

            let (mut server, mut lines, endpoint) = child(folder.path(), nth);
            let array = case.on(Arc::new(RangeStore::new(connect(&endpoint))));
            let in_flight = NonZeroUsize::new(in_flight).expect("not 0");
            let slice = array.pyslice(s![1:, :, 1:]).expect("a plan").with_in_flight(in_flight);
            let write = slice.async_fill(77u32);
            let kill = tokio::task::spawn_blocking(move || {
                let mut line = String::new();
                lines.read_line(&mut line).expect("a line");
                server.kill().expect("it is killed");
                server.wait().expect("it is gone");
                line
            });
            let (wrote, line) = tokio::join!(write, kill);
            assert_eq!(line.expect("no panic").trim(), "half-written");
            let gone = wrote.expect_err("the server is gone");
            is_about_a_chunk(&gone, &["error sending request", "body error"]);

            let server = Server::start(folder.path()).expect("a server");
            let array = case.on(store(&server));
            let chunks = new_chunks(&array, &old, &new).await;
            if in_flight.get() == 1 {
                // What was written before, and not what was half-written.
                let before = Vec::from_iter((0..chunks.len()).map(|chunk| chunk < nth));
                assert_eq!(chunks, before);
            } else {
                assert!(chunks.contains(&false));
            }
            // The same again finishes it.
            array.async_py_fill(s![1:, :, 1:], 77u32).await.expect("it is written");
            let read = array.async_py::<u32>(s![...]).await.expect("a result");
            assert!(read.values() == new);
        }
    }
}

/// The connection of one write fails in other ways.
#[tokio::test]
async fn a_write_that_fails_says_where_and_leaves_whole_chunks() {
    let case = &cases()[1];
    let old = case.values::<u32>();
    let mut new = old.clone();
    s![1:, :, 1:].plan(&case.layout.shape).expect("a plan").fill(&mut new, 77).expect("it fits");
    for (kind, fault, words) in [
        (Kind::Put, Fault::Refuse, "500"),
        (Kind::Put, Fault::Hang, "error sending request"),
        (Kind::Put, Fault::HalfWritten, "error sending request"),
        (Kind::Get, Fault::Refuse, "500"),
        (Kind::Get, Fault::Cut, "body"),
    ] {
        let (_folder, server) = Server::new();
        let mut array = case.written::<u32>(&server).await;
        if matches!(fault, Fault::Hang | Fault::HalfWritten) {
            array = case.on(hasty(&server));
        }
        server.fault(kind, 5, fault);
        let error = array.async_py_fill(s![1:, :, 1:], 77u32).await.expect_err("a fault");
        is_about_a_chunk(&error, &[words]);
        let array = case.on(store(&server));
        let chunks = new_chunks(&array, &old, &new).await;
        assert!(chunks.iter().any(|new| !new), "{fault:?}");
    }
}
