//! Whole graphs, made by their own systems (`scripts/record/make_graphs.py`), read from their
//! files, imported node by node, and folded into one plan: the values are those that the system
//! computed.
//!
//! The readers of the file formats here know no more than these files need.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod flat;
mod text;
mod wire;

use pyslice::interop::{InteropError, Operator, onnx, tf, tflite};
use pyslice::{Plan, s};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/graphs").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(file(name)).unwrap()
}

/// A graph that slices one input, as far as it has been walked.
pub(crate) struct Import {
    plan: Plan,
}

impl Import {
    /// Applies a node to the result so far.
    pub(crate) fn apply(&mut self, op: &dyn Operator) -> Result<(), InteropError> {
        let spec = op.to_spec(self.plan.shape())?;
        self.plan = self.plan.then(&spec)?;
        Ok(())
    }
}

/// Imports a graph by `walk` and compares it with what its system computed.
fn check(system: &str, walk: impl FnOnce(&mut Import)) {
    let answers: Value = serde_json::from_slice(&bytes("answers.json")).unwrap();
    let numbers = |key: &str| -> Vec<i64> {
        answers[system][key].as_array().unwrap().iter().map(|v| v.as_i64().unwrap()).collect()
    };
    let sizes =
        |key: &str| -> Vec<usize> { numbers(key).into_iter().map(|n| n as usize).collect() };
    let input = sizes("input");
    let mut import = Import { plan: s![].plan(&input).unwrap() };
    walk(&mut import);
    assert_eq!(import.plan.shape(), sizes("shape"));
    let x: Vec<i64> = (0..input.iter().product::<usize>() as i64).collect();
    assert_eq!(import.plan.copy(&x).unwrap(), numbers("values"));
    // One slice does what the graph does in several.
    assert!(import.plan.to_spec().unwrap().plan(&input).unwrap().selects_same(&import.plan));
}

#[test]
fn a_frozen_graph_of_tensorflow() {
    check("tensorflow", |import| {
        let graph = bytes("tensorflow.pb");
        let nodes: Vec<wire::Node> =
            wire::messages(&graph, 1).map(wire::Node::tensorflow).collect();
        let vector = |name: &str| {
            let of = nodes.iter().find(|node| node.name == name.trim_end_matches(":0")).unwrap();
            of.tensor.clone().unwrap_or_else(|| panic!("{name} is not a constant"))
        };
        let mut sliced = 0;
        for node in &nodes {
            match node.op.as_str() {
                "StridedSlice" => {
                    let [begin, end, strides] = [1, 2, 3].map(|i| vector(&node.inputs[i]));
                    let mask = |name: &str| node.numbers.get(name).copied().unwrap_or(0);
                    let [b, e, l, n, s] = ["begin", "end", "ellipsis", "new_axis", "shrink_axis"]
                        .map(|m| mask(&format!("{m}_mask")));
                    let masks = tf::masks(b, e, l, n, s).unwrap();
                    import.apply(&tf::strided_slice(&begin, &end, &strides).masks(masks)).unwrap();
                }
                "Slice" => {
                    let [begin, size] = [1, 2].map(|i| vector(&node.inputs[i]));
                    import.apply(&tf::slice(&begin, &size)).unwrap();
                }
                "Placeholder" | "Const" | "Identity" | "NoOp" => continue,
                other => panic!("{other}"),
            }
            sliced += 1;
        }
        assert_eq!(sliced, 3);
    });
}

#[test]
fn a_model_of_onnx() {
    check("onnx", |import| {
        let model = bytes("onnx.onnx");
        let graph = wire::messages(&model, 7).next().unwrap();
        let constants: Vec<(String, Vec<i64>)> =
            wire::messages(graph, 5).map(wire::onnx_tensor).collect();
        let vector = |name: &str| {
            constants.iter().find(|(n, _)| n == name).map(|(_, values)| values.as_slice())
        };
        let nodes: Vec<wire::Node> = wire::messages(graph, 1).map(wire::Node::onnx).collect();
        assert_eq!(nodes.len(), 3);
        for node in &nodes {
            assert_eq!(node.op, "Slice");
            let input = |i: usize| node.inputs.get(i).and_then(|name| vector(name));
            let mut op = onnx::slice(input(1).unwrap(), input(2).unwrap());
            op = if let Some(axes) = input(3) { op.axes(axes) } else { op };
            op = if let Some(steps) = input(4) { op.steps(steps) } else { op };
            import.apply(&op).unwrap();
        }
    });
}

#[test]
fn a_model_of_litert() {
    check("litert", |import| {
        let content = bytes("litert.tflite");
        let model = flat::Table::root(&content);
        let graph = model.tables(2)[0];
        let buffers = model.tables(4);
        let tensors = graph.tables(0);
        let codes = model.tables(1);
        let vector =
            |at: i32| buffers[tensors[at as usize].u32(2) as usize].bytes(0).chunks_exact(4);
        let vector = |at: i32| -> Vec<i32> {
            vector(at).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect()
        };
        for node in graph.tables(3) {
            let code = codes[node.u32(0) as usize];
            let inputs = node.i32s(1);
            match code.i32(3).max(i32::from(code.i8(0))) {
                45 => {
                    let options = node.table(4).unwrap();
                    let [b, e, l, n, s] =
                        [0, 1, 2, 3, 4].map(|field| i64::from(options.i32(field)));
                    let [begin, end, strides] = [1, 2, 3].map(|i| vector(inputs[i]));
                    let op = tflite::strided_slice(&begin, &end, &strides)
                        .masks(tf::masks(b, e, l, n, s).unwrap());
                    import.apply(&op.offset(options.i8(5) != 0)).unwrap();
                }
                65 => {
                    let [begin, size] = [1, 2].map(|i| vector(inputs[i]));
                    import.apply(&tflite::slice(&begin, &size)).unwrap();
                }
                other => panic!("operator {other}"),
            }
        }
    });
}

#[test]
fn a_model_of_openvino() {
    let weights = bytes("openvino.bin");
    check("openvino", |import| {
        text::openvino(&std::fs::read_to_string(file("openvino.xml")).unwrap(), &weights, import)
    });
}

#[test]
fn a_function_of_jax_in_stablehlo() {
    check("stablehlo", |import| {
        text::stablehlo(&std::fs::read_to_string(file("stablehlo.mlir")).unwrap(), import)
    });
}

#[test]
fn an_exported_program_of_pytorch() {
    check("aten", |import| {
        text::aten(&std::fs::read_to_string(file("aten.json")).unwrap(), import)
    });
}
