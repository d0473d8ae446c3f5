//! Arrays of zarr-python and tensorstore, read here; arrays written here, read there; both compared
//! with NumPy. `cross.py` is the other side. `PYSLICE_ZARR_PYTHON` names a Python that has the
//! three, and `PYSLICE_ZARRITA` a folder of Node's packages that has zarrita, which reads the
//! arrays as well; the script `test` finds or makes both.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use pyslice_zarrs::PyArray;
use serde_json::Value;
use slice_core::SpecBuf;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use zarrs::array::{Array, ArrayBytes, ArrayMetadata, DataType, ElementOwned};
use zarrs::filesystem::FilesystemStore;

fn of_hex(text: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(digit).collect()
}

fn numbers(list: &Value) -> Vec<usize> {
    list.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect()
}

fn cases(dir: &Path, name: &str) -> Vec<Value> {
    serde_json::from_slice(&std::fs::read(dir.join(name)).unwrap()).unwrap()
}

/// What an element type has to do here: read and write slices of an array, as bytes.
struct Element {
    read: fn(&Stored, &SpecBuf) -> Tensor,
    assign: fn(&Stored, &SpecBuf, &[u8], &[usize]),
}

type Stored = Array<FilesystemStore>;
/// A shape and bytes.
type Tensor = (Vec<usize>, Vec<u8>);

fn element<T: ElementOwned + Copy + Send + Sync + 'static>() -> Element {
    fn bytes<T: ElementOwned>(data_type: &DataType, values: &[T]) -> Vec<u8> {
        T::to_array_bytes(data_type, values).unwrap().into_fixed().unwrap().into_owned()
    }
    Element {
        read: |array, spec| {
            let found = array.py::<T>(spec).unwrap();
            (found.shape().to_vec(), bytes(array.data_type(), found.values()))
        },
        assign: |array, spec, values, shape| {
            let bytes = ArrayBytes::new_flen(values);
            let values = T::from_array_bytes(array.data_type(), bytes).unwrap();
            // One value can be given without a shape.
            match &values[..] {
                [value] => array.py_fill(spec, *value).unwrap(),
                values => array.py_assign(spec, (values, shape)).unwrap(),
            }
        },
    }
}

fn element_of(dtype: &str) -> Element {
    match dtype {
        "bool" => element::<bool>(),
        "int8" => element::<i8>(),
        "uint8" => element::<u8>(),
        "int16" => element::<i16>(),
        "uint16" => element::<u16>(),
        "int32" => element::<i32>(),
        "uint32" => element::<u32>(),
        "int64" => element::<i64>(),
        "uint64" => element::<u64>(),
        "float16" => element::<half::f16>(),
        "float32" => element::<f32>(),
        "float64" => element::<f64>(),
        "complex64" => element::<num_complex::Complex<f32>>(),
        "complex128" => element::<num_complex::Complex<f64>>(),
        _ => panic!("{dtype}"),
    }
}

#[test]
fn other_libraries_and_numpy_have_the_same_arrays() {
    let Some(python) = std::env::var_os("PYSLICE_ZARR_PYTHON") else {
        eprintln!("skipped: PYSLICE_ZARR_PYTHON does not name a Python with zarr and tensorstore");
        return;
    };
    let dir = std::env::temp_dir().join(format!("pyslice-zarrs-cross-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cross.py");
    let run = |what: &str| {
        let status = Command::new(&python)
            .args(["-W", "ignore"])
            .arg(&script)
            .arg(what)
            .arg(&dir)
            .status()
            .unwrap();
        assert!(status.success(), "cross.py {what} failed");
    };
    run("write");
    let store = Arc::new(FilesystemStore::new(&dir).unwrap());

    let mut slices = 0;
    for case in cases(&dir, "reads.json") {
        let name = case["path"].as_str().unwrap();
        let array = Array::open(store.clone(), &format!("/{name}")).unwrap();
        let element = element_of(case["dtype"].as_str().unwrap());
        for slice in case["slices"].as_array().unwrap() {
            let text = slice["text"].as_str().unwrap();
            let (shape, bytes) = (element.read)(&array, &text.parse().unwrap());
            assert_eq!(shape, numbers(&slice["shape"]), "{name}[{text}]");
            assert_eq!(bytes, of_hex(slice["hex"].as_str().unwrap()), "{name}[{text}]");
            slices += 1;
        }
    }
    assert!(slices > 700, "{slices}");

    for case in cases(&dir, "writes.json") {
        let path = format!("/{}", case["path"].as_str().unwrap());
        let metadata: ArrayMetadata = serde_json::from_value(case["metadata"].clone()).unwrap();
        let array = Array::new_with_metadata(store.clone(), &path, metadata).unwrap();
        array.store_metadata().unwrap();
        let element = element_of(case["dtype"].as_str().unwrap());
        for step in case["steps"].as_array().unwrap() {
            let spec = step["text"].as_str().unwrap().parse().unwrap();
            let bytes = of_hex(step["hex"].as_str().unwrap());
            (element.assign)(&array, &spec, &bytes, &numbers(&step["shape"]));
        }
    }
    run("check");
    if let Some(modules) = std::env::var_os("PYSLICE_ZARRITA") {
        // Node looks for packages beside the script.
        let beside = Path::new(&modules).join("cross.mjs");
        std::fs::copy(script.with_extension("mjs"), &beside).unwrap();
        let status = Command::new("node").arg(beside).arg(&dir).status().unwrap();
        assert!(status.success(), "cross.mjs failed");
    }
    println!("{slices} slices of their arrays are NumPy's");
    std::fs::remove_dir_all(&dir).unwrap();
}
