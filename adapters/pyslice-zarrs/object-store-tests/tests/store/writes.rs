//! A chunk that is written whole is not read, any other is read and written, and that is all.

use crate::slices::Slice;
use object_store_tests::*;
use pyslice::{SpecBuf, s};
use pyslice_zarrs::PyArray;
use std::collections::BTreeMap;

/// The requests that writing some elements takes: for each chunk that has any of them a PUT, and a
/// GET before it where the chunk has others too.
fn requests(layout: &Layout, elements: &[Vec<usize>]) -> BTreeMap<String, Vec<Kind>> {
    let mut touched: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    for at in elements {
        *touched.entry(at.iter().zip(&layout.chunk).map(|(i, n)| i / n).collect()).or_default() +=
            1;
    }
    let requests = touched.into_iter().map(|(chunk, count)| {
        let axes = chunk.iter().zip(&layout.chunk).zip(&layout.shape);
        let all: usize = axes.map(|((c, n), len)| (*len - c * n).min(*n)).product();
        let name = Vec::from_iter(chunk.iter().map(usize::to_string)).join("/");
        let kinds = if count == all { vec![Kind::Put] } else { vec![Kind::Get, Kind::Put] };
        (format!("array/c/{name}"), kinds)
    });
    requests.collect()
}

fn sent(server: &Server) -> BTreeMap<String, Vec<Kind>> {
    let mut sent: BTreeMap<String, Vec<Kind>> = BTreeMap::new();
    for Entry { key, kind, .. } in server.take_log() {
        sent.entry(key).or_default().push(kind);
    }
    sent
}

async fn check<T: Element>(case: &Case) {
    let (_folder, server) = Server::new();
    let array = case.on(store(&server));
    let shape = &case.layout.shape;
    let mut model = vec![T::default(); shape.iter().product()];
    let mut numbers = Random(7);
    let mut slices = Slice::chosen(shape);
    slices.extend((0..4).map(|_| Slice::random(&mut numbers, shape)));
    for (round, slice) in slices.iter().enumerate() {
        let what = format!("{}, {}", case.name, slice.text);
        let spec: SpecBuf = slice.text.parse().expect("a slice");
        let elements = slice.elements(shape);
        let values = Vec::from_iter((0..elements.len()).map(|at| T::at(at + 1000 * round)));
        server.take_log();
        if round % 3 == 2 {
            array.async_py_fill(&spec, values.first().copied().unwrap_or_default()).await
        } else {
            array.async_py_assign(&spec, &values).await
        }
        .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(sent(&server), requests(&case.layout, &product(&slice.positions)), "{what}");
        for (at, element) in elements.iter().enumerate() {
            model[*element] = values[if round % 3 == 2 { 0 } else { at }];
        }
        // What stands there now, as zarrs reads it.
        let stored: Vec<T> =
            array.async_retrieve_array_subset(&array.subset_all()).await.expect("the array");
        assert!(stored == model, "{what}");
    }
}

#[tokio::test]
async fn whole_chunks_are_written_without_reading() {
    for case in cases().iter().skip(1).step_by(2) {
        match case.data_type {
            "uint16" => check::<u16>(case).await,
            "uint32" => check::<u32>(case).await,
            _ => check::<f64>(case).await,
        }
    }
}

/// zarrs keeps no chunk that has only the fill value.
#[tokio::test]
async fn whole_chunks_of_the_fill_value_are_taken_away_without_reading() {
    let case = &cases()[1];
    let (folder, server) = Server::new();
    let array = case.written::<u32>(&server).await;
    server.take_log();
    array.async_py_fill(s![4:, 0, ::-1], 0u32).await.expect("it is written");
    array.async_py_fill(s![4:8, 5:10], 0u32).await.expect("it is written");
    let mut kinds: BTreeMap<Vec<Kind>, usize> = BTreeMap::new();
    sent(&server).into_values().for_each(|sent| *kinds.entry(sent).or_default() += 1);
    let deletes = vec![Kind::Delete; 3];
    assert_eq!(kinds, [(vec![Kind::Get, Kind::Put], 6), (deletes, 1)].into_iter().collect());
    assert!(!object_file(folder.path(), "array/c/1/1/0").exists());
    assert!(object_file(folder.path(), "array/c/1/0/0").exists());
}
