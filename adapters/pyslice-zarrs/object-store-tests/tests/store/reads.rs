//! What a read costs is the least that it can cost, and what it reads is right.

use crate::slices::Slice;
use object_store_tests::*;
use pyslice::{Plan, SliceError, SpecBuf, s};
use pyslice_zarrs::{Error, Part, Progress, PyArray};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use zarrs_object_store::AsyncObjectStore;
use zarrs_object_store::object_store::limit::LimitStore;

/// What the server was asked since the last time. Anything but reading is a mistake.
fn cost(server: &Server) -> Cost {
    let mut cost = Cost::default();
    for entry in server.take_log() {
        assert!(matches!(entry.kind, Kind::Get | Kind::RangeGet), "{entry:?}");
        cost.gets += 1;
        cost.bytes += entry.sent();
    }
    cost
}

async fn check<T: Element>(case: &Case, random: usize) -> (usize, Cost) {
    let (folder, server) = Server::new();
    let array = case.written::<T>(&server).await;
    let values = case.values::<T>();
    let shape = &case.layout.shape;
    let object = |key: &str| std::fs::read(object_file(folder.path(), key)).ok();
    let mut numbers = Random(42);
    let mut slices = Slice::chosen(shape);
    slices.extend((0..random).map(|_| Slice::random(&mut numbers, shape)));
    let mut total = Cost::default();
    for slice in &slices {
        let expected = Vec::from_iter(slice.elements(shape).iter().map(|&at| values[at]));
        let spec: SpecBuf = slice.text.parse().expect("a slice");
        for gap in [0, 40, 1 << 20] {
            server.take_log();
            let sliced = array.pyslice(&spec).expect("a plan").with_gaps(gap);
            let read = sliced.async_read::<T>().await.expect("a result");
            let what = format!("{}, {}, gaps of {gap}", case.name, slice.text);
            assert_eq!(read.shape(), slice.shape, "{what}");
            assert!(read.values() == expected, "{what}: wrong values");
            let least = minimum(&case.layout, &slice.positions, gap, object);
            let cost = cost(&server);
            assert_eq!(cost, least, "{what}");
            total.gets += cost.gets;
            total.bytes += cost.bytes;
        }
    }
    (slices.len(), total)
}

async fn check_cases(numbers: impl IntoIterator<Item = usize>) {
    let random = std::env::var("PYSLICE_SLICES").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let cases = cases();
    for case in numbers.into_iter().filter_map(|number| cases.get(number)) {
        let (slices, total) = match case.data_type {
            "uint16" => check::<u16>(case, random).await,
            "uint32" => check::<u32>(case, random).await,
            "int64" => check::<i64>(case, random).await,
            _ => check::<f64>(case, random).await,
        };
        println!("{}: {slices} slices, {total:?}", case.name);
    }
}

// Two tests, so that two processors have something to do.
#[tokio::test]
async fn every_read_costs_the_least_it_can() {
    check_cases((0..).step_by(2).take(9)).await;
}

#[tokio::test]
async fn every_other_read_costs_the_least_it_can() {
    check_cases((1..).step_by(2).take(9)).await;
}

/// What was never written is read as the fill value; it takes one request a chunk to know that.
#[tokio::test]
async fn chunks_that_are_not_there_cost_one_request() {
    for case in cases().iter().filter(|case| case.data_type == "uint32") {
        let (_folder, server) = Server::new();
        let array = case.on(store(&server));
        let read = array.async_py::<u32>(s![::-1, 2::3]).await.expect("a result");
        assert_eq!(read.values(), vec![0; 9 * 4 * 22], "{}", case.name);
        let chunks = if case.layout.inner.is_some() { 3 * 2 * 2 } else { 3 * 3 * 3 };
        assert_eq!(cost(&server), Cost { gets: chunks, bytes: 0 }, "{}", case.name);
    }
}

/// Why there is `RangeStore`: the same read through zarrs' own store.
#[tokio::test]
async fn zarrs_own_store_asks_for_sizes_and_reads_gaps() {
    let case = &cases()[1];
    let (_folder, server) = Server::new();
    case.written::<u32>(&server).await;
    let own = case.on(Arc::new(AsyncObjectStore::new(connect(&server.endpoint()))));
    let spec = s![0, ::2, 1];
    server.take_log();
    let slice = own.pyslice(spec).expect("a plan").with_gaps(0);
    let read = slice.async_read::<u32>().await.expect("a result");
    let log = server.take_log();
    let count = |kind| log.iter().filter(|entry| entry.kind == kind).count();
    // Three chunks, of which it needs three, two and two numbers; rows of 8 numbers.
    assert_eq!((count(Kind::Head), count(Kind::RangeGet), log.len()), (3, 3, 6));
    let bytes: u64 = log.iter().map(Entry::sent).sum();
    assert_eq!(bytes, (4 * 8 + 1) * 4 + 2 * (2 * 8 + 1) * 4);
    let slice = case.on(store(&server));
    let slice = slice.pyslice(spec).expect("a plan").with_gaps(0);
    assert_eq!(slice.async_read::<u32>().await.expect("a result"), read);
    assert_eq!(cost(&server), Cost { gets: 7, bytes: 7 * 4 });
}

/// Never more requests at a time, and about as many; a busy machine may not get to all in time.
fn check_peak(server: &Server, in_flight: usize) {
    let peak = server.take_peak();
    assert!(peak <= in_flight && 2 * peak > in_flight, "{peak} requests, not {in_flight}");
}

#[tokio::test]
async fn as_many_chunks_are_under_way_as_it_was_told() {
    let case = &cases()[2];
    let (_folder, server) = Server::new();
    let array = case.written::<i64>(&server).await;
    server.delay(Duration::from_millis(60));
    for in_flight in [1, 5, 16] {
        server.take_peak();
        let slice = array.pyslice(s![...]).expect("a plan");
        let slice = slice.with_in_flight(NonZeroUsize::new(in_flight).expect("not 0"));
        let read = slice.async_read::<i64>().await.expect("a result");
        assert!(read.values() == case.values::<i64>());
        check_peak(&server, in_flight);
        slice.async_fill(7i64).await.expect("it is written");
        check_peak(&server, in_flight);
        slice.async_assign(&case.values::<i64>()).await.expect("it is written");
    }
}

/// Parts of one chunk are asked for at the same time too; a limit of the store counts all requests.
#[tokio::test]
async fn the_requests_of_a_program_have_a_limit_too() {
    let case = &cases()[0];
    let (_folder, server) = Server::new();
    case.written::<u16>(&server).await;
    server.delay(Duration::from_millis(60));
    let limited = LimitStore::new(connect(&server.endpoint()), 6);
    let array = case.on(Arc::new(pyslice_zarrs::RangeStore::new(limited)));
    let slice = array.pyslice(s![:, 1::2, 3]).expect("a plan").with_gaps(0);
    server.take_peak();
    slice.async_read::<u16>().await.expect("a result");
    check_peak(&server, 6);
}

#[tokio::test]
async fn parts_come_and_go_with_their_progress() {
    let case = &cases()[6];
    let (_folder, server) = Server::new();
    let array = case.written::<u32>(&server).await;
    let told = Mutex::new(Vec::new());
    let tell = |progress: Progress| told.lock().expect("a lock").push(progress);
    let slice = array.pyslice(s![::-1, 3:9, ::2]).expect("a plan").on_progress(&tell);
    let mut parts = Vec::new();
    let read = slice.async_for_each_part(|part: Part<u32>| {
        parts.push(part);
        Ok::<(), Error>(())
    });
    read.await.expect("it is read");
    // Twelve shards, and of each the chunks that it touches.
    let last = told.lock().expect("a lock").pop().expect("progress");
    assert_eq!((last.chunks, last.chunks_total), (12, 12));
    assert_eq!((last.bytes, last.bytes_total), (9 * 6 * 11 * 4, 9 * 6 * 11 * 4));
    assert_eq!(parts.len(), 5 * 3 * 4);
    // They make up the slice, and can be assigned as they came.
    let mut values = vec![0; 9 * 6 * 11];
    parts.iter().try_for_each(|part| part.copy_to(&mut values)).expect("they fit");
    assert_eq!(slice.async_read::<u32>().await.expect("a result").values(), values);
    let double = slice.async_assign_parts(|target: &Plan, part: &mut [u32]| {
        target.copy_into(&values, &mut *part)?;
        part.iter_mut().for_each(|value| *value *= 2);
        Ok::<(), Error>(())
    });
    double.await.expect("it is written");
    let doubled = Vec::from_iter(values.iter().map(|value| 2 * value));
    assert_eq!(slice.async_read::<u32>().await.expect("a result").values(), doubled);
    // The first error of the caller's own ends it.
    server.take_log();
    let ended =
        slice.async_for_each_part(|_: Part<u32>| Err(Error::Slice(SliceError::ShapeTooLarge)));
    assert!(matches!(ended.await, Err(Error::Slice(SliceError::ShapeTooLarge))));
    let refused = slice
        .async_assign_parts(|_: &Plan, _: &mut [u32]| Err(Error::Slice(SliceError::ShapeTooLarge)));
    assert!(matches!(refused.await, Err(Error::Slice(SliceError::ShapeTooLarge))));
    assert!(server.take_log().iter().all(|entry| entry.kind != Kind::Put));
}

#[tokio::test]
async fn futures_can_move_to_other_threads() {
    let case = cases().swap_remove(1);
    let (_folder, server) = Server::new();
    let array = Arc::new(case.written::<u32>(&server).await);
    let values = case.values::<u32>();
    let task = {
        let array = Arc::clone(&array);
        tokio::spawn(async move {
            array.async_py_fill(s![3], 5u32).await?;
            assert_eq!(array.async_py_bytes(s![3, 0, ::21]).await?.bytes().len(), 8);
            array.async_py_assign(s![3, 0], vec![6u32; 22].as_slice()).await?;
            array.async_py::<u32>(s![3:5, 0, 0]).await
        })
    };
    let read = task.await.expect("no panic").expect("a result");
    assert_eq!(read.values(), [6, values[4 * 14 * 22]]);
}

#[tokio::test]
async fn a_buffer_or_values_that_do_not_fit_are_refused_before_any_request() {
    let case = &cases()[1];
    let (_folder, server) = Server::new();
    let array = case.on(store(&server));
    let slice = array.pyslice(s![0, 1:3]).expect("a plan");
    let short = slice.async_read_into(&mut [0u32; 43]).await;
    assert!(matches!(short, Err(Error::Slice(_))), "{short:?}");
    let wrong = slice.async_assign(&[1u32, 2, 3]).await;
    assert!(matches!(wrong, Err(Error::Values { found: 3, .. })), "{wrong:?}");
    let wrong = slice.async_read::<u16>().await;
    assert!(matches!(wrong, Err(Error::ElementType { .. })), "{wrong:?}");
    let outside = array.async_py::<u32>(s![9]).await;
    assert!(matches!(outside, Err(Error::Slice(_))), "{outside:?}");
    assert!(server.take_log().is_empty());
}
