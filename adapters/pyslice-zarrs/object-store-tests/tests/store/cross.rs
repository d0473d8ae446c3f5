//! What was written here is read by zarr-python and tensorstore, from the same server, and what
//! they wrote is read here.

use object_store_tests::*;
use pyslice::s;
use pyslice_zarrs::PyArray;
use std::process::Command;
use zarrs::array::Array;

/// The steps of `cross.py`'s `assigned`.
async fn write<T: Element>(case: &Case, server: &Server, path: &str) {
    let array = case.at(store(server), path);
    array.async_store_metadata().await.expect("the metadata are written");
    array.async_py_assign(s![...], &case.values::<T>()).await.expect("it is written");
    array.async_py_fill(s![1:6, ::-3], T::at(5)).await.expect("it is written");
    let row = Vec::from_iter((0..22).map(|at| T::at(7 * at)));
    array.async_py_assign(s![-2:, 4, ::-1], (&row, &[22])).await.expect("it is written");
}

#[tokio::test]
async fn other_libraries_read_what_was_written_and_the_other_way_round() {
    let Some(python) = std::env::var_os("PYSLICE_ZARR_PYTHON") else {
        println!("skipped: PYSLICE_ZARR_PYTHON names no Python with zarr, s3fs and tensorstore");
        return;
    };
    let (_folder, server) = Server::new();
    let cases = cases();
    for (number, case) in cases.iter().enumerate() {
        let path = format!("/ours/{number}");
        match case.data_type {
            "uint16" => write::<u16>(case, &server, &path).await,
            "uint32" => write::<u32>(case, &server, &path).await,
            "int64" => write::<i64>(case, &server, &path).await,
            _ => write::<f64>(case, &server, &path).await,
        }
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/store/cross.py");
    let (endpoint, count) = (server.endpoint(), cases.len().to_string());
    let run = tokio::task::spawn_blocking(move || {
        Command::new(python).args([script, &endpoint, &count]).output().expect("Python runs")
    });
    let out = run.await.expect("no panic");
    let (text, errors) =
        (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{text}{errors}");
    assert_eq!(text.trim(), format!("{} arrays read twice, 2 written", cases.len()), "{errors}");

    let values = Vec::from_iter((0..9 * 14 * 22).map(u32::at));
    let picked = |at: usize| values[(8 - 3 * (at / 22)) * 14 * 22 + 2 * 22 + (21 - at % 22)];
    let expected = Vec::from_iter((0..3 * 22).map(picked));
    for path in ["/theirs/zarr", "/theirs/tensorstore"] {
        let array = Array::async_open(store(&server), path).await.expect("an array");
        let read = array.async_py::<u32>(s![::-3, 2, ::-1]).await.expect("a result");
        assert!(read.values() == expected, "{path}");
    }
}
