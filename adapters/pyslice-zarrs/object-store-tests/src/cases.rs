//! Arrays of every kind of storage that changes which bytes a slice needs.

use crate::{BUCKET, Layout, Server};
use pyslice::s;
use pyslice_zarrs::{PyArray, RangeStore};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;
use zarrs::array::{Array, ArrayMetadata, ElementOwned};
use zarrs_object_store::object_store::aws::{AmazonS3, AmazonS3Builder};
use zarrs_object_store::object_store::{ClientOptions, RetryConfig};

/// The elements of the test arrays.
pub trait Element:
    ElementOwned + Copy + Default + PartialEq + Debug + Send + Sync + 'static
{
    /// The element at a place of the whole array, in C order. No two close to each other are alike.
    fn at(place: usize) -> Self;
}

macro_rules! element {
    ($($t:ty),*) => { $(
        impl Element for $t {
            fn at(place: usize) -> Self {
                // Not 0, which is what stands where nothing was written.
                (place.wrapping_mul(40503) % 65521 + 1) as $t
            }
        }
    )* };
}
element!(u16, u32, i64, f64);

/// One way to store an array.
#[derive(Debug)]
pub struct Case {
    /// What is special about it.
    pub name: &'static str,
    /// Where its elements are.
    pub layout: Layout,
    /// Its type, as Zarr's metadata say.
    pub data_type: &'static str,
    codecs: String,
}

/// All ways.
pub fn cases() -> Vec<Case> {
    let little = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;
    let big = r#"{"name": "bytes", "configuration": {"endian": "big"}}"#;
    let zstd = r#"{"name": "zstd", "configuration": {"level": 3, "checksum": false}}"#;
    let gzip = r#"{"name": "gzip", "configuration": {"level": 3}}"#;
    // zarr-python takes no codec without a configuration.
    let crc = r#"{"name": "crc32c", "configuration": {}}"#;
    let shards = |inner: &str, location: &str, codecs: &str| {
        format!(
            r#"{{"name": "sharding_indexed", "configuration": {{"chunk_shape": {inner},
            "codecs": [{codecs}], "index_codecs": [{little}, {crc}],
            "index_location": "{location}"}}}}"#
        )
    };
    let plain = |size, partial| Layout {
        shape: vec![9, 14, 22],
        chunk: vec![4, 5, 8],
        inner: None,
        index_first: false,
        order: vec![0, 1, 2],
        size,
        partial,
    };
    let sharded = |size, partial, index_first| Layout {
        chunk: vec![4, 8, 12],
        inner: Some(vec![2, 4, 6]),
        index_first,
        ..plain(size, partial)
    };
    let case = |name, data_type, layout, codecs: &[&str]| Case {
        name,
        layout,
        data_type,
        codecs: format!("[{}]", codecs.join(", ")),
    };
    let transposed = Layout { order: vec![2, 0, 1], ..plain(8, true) };
    let order = r#"{"name": "transpose", "configuration": {"order": [2, 0, 1]}}"#;
    let (end, start) = ("end", "start");
    vec![
        case("little-endian", "uint16", plain(2, true), &[little]),
        case("big-endian", "uint32", plain(4, true), &[big]),
        case("zstd", "int64", plain(8, false), &[little, zstd]),
        case("gzip, big-endian", "uint16", plain(2, false), &[big, gzip]),
        case("checksum", "uint32", plain(4, false), &[little, crc]),
        case("transposed", "float64", transposed, &[order, little]),
        case(
            "shards, big-endian",
            "uint32",
            sharded(4, true, false),
            &[&shards("[2, 4, 6]", end, big)],
        ),
        case(
            "shards of zstd, big-endian",
            "uint32",
            sharded(4, false, false),
            &[&shards("[2, 4, 6]", end, &format!("{big}, {zstd}"))],
        ),
        case(
            "shards with the index first",
            "int64",
            sharded(8, false, true),
            &[&shards("[2, 4, 6]", start, &format!("{little}, {crc}, {gzip}"))],
        ),
    ]
}

impl Case {
    /// The array `/array`, on a store; nothing is written.
    pub fn on<S>(&self, store: Arc<S>) -> Array<S> {
        self.at(store, "/array")
    }

    /// The same at another path.
    pub fn at<S>(&self, store: Arc<S>, path: &str) -> Array<S> {
        let Layout { shape, chunk, .. } = &self.layout;
        let metadata = format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": {shape:?},
            "data_type": "{}", "fill_value": 0, "codecs": {},
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {chunk:?}}}}},
            "chunk_key_encoding": {{"name": "default", "configuration": {{"separator": "/"}}}}}}"#,
            self.data_type, self.codecs
        );
        let metadata: ArrayMetadata = serde_json::from_str(&metadata).expect("the metadata");
        Array::new_with_metadata(store, path, metadata).expect("an array")
    }

    /// All elements, in C order.
    pub fn values<T: Element>(&self) -> Vec<T> {
        (0..self.layout.shape.iter().product()).map(T::at).collect()
    }

    /// The array on a server, full.
    pub async fn written<T: Element>(&self, server: &Server) -> Array<RangeStore<AmazonS3>> {
        let array = self.on(store(server));
        array.async_store_metadata().await.expect("the metadata are written");
        array.async_py_assign(s![...], &self.values::<T>()).await.expect("the array is written");
        array
    }
}

/// A client of the server that tries nothing twice and waits for so long at most.
pub fn client(endpoint: &str, timeout: Duration) -> AmazonS3Builder {
    // The client wants one, though it speaks plain HTTP. It is an error to install it twice.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let options = ClientOptions::new().with_allow_http(true).with_timeout(timeout);
    AmazonS3Builder::new()
        .with_endpoint(endpoint)
        .with_region("us-east-1")
        .with_bucket_name(BUCKET)
        .with_skip_signature(true)
        .with_client_options(options)
        .with_retry(RetryConfig { max_retries: 0, ..RetryConfig::default() })
}

/// That client, with a time that is long enough on a busy machine.
pub fn connect(endpoint: &str) -> AmazonS3 {
    client(endpoint, Duration::from_secs(20)).build().expect("a client")
}

/// The store of zarrs on that.
pub fn store(server: &Server) -> Arc<RangeStore<AmazonS3>> {
    Arc::new(RangeStore::new(connect(&server.endpoint())))
}

/// Numbers that look random and are the same every time (splitmix64).
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}
