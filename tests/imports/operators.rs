//! The operator of a case, with some of its numbers hidden.

use crate::case::{Case, integers};
use pyslice::interop::{
    Bound, Ints, Operator, aten, coreml, directml, hdf5, hlo, mlir, onnx, openvino, paddle,
    tensorrt, tf, tflite,
};
use serde_json::Value;

/// Calls `then` with the case's operator; `hide(k)` tells whether its `k`-th number is taken for
/// unknown.
pub(crate) fn with<R>(
    case: &Case,
    hide: impl Fn(usize) -> bool,
    then: impl FnOnce(&dyn Operator) -> R,
) -> R {
    let mut seen = 0;
    let mut known = |v: i64| {
        seen += 1;
        (!hide(seen)).then_some(v)
    };
    let mut vectors = |keys: &[&str]| -> Vec<Vec<Option<i64>>> {
        let numbers = |key: &&str| case.numbers(key).unwrap_or_default();
        keys.iter()
            .map(|key| numbers(key).into_iter().map(|v| v.and_then(&mut known)).collect())
            .collect()
    };
    match case.op.as_str() {
        "Slice" | "SLICE" => {
            let v = vectors(&["begin", "size"]);
            let op = if case.op == "Slice" {
                tf::slice(&v[0], &v[1])
            } else {
                tflite::slice(&v[0], &v[1])
            };
            then(&op)
        }
        "slice" => {
            let v = vectors(&["start", "limit", "strides"]);
            then(&hlo::slice(&v[0], &v[1], &v[2]))
        }
        "dynamic_slice" | "dynamic_update_slice" => {
            let v = vectors(&["start", "sizes"]);
            then(&hlo::dynamic_slice(&v[0], &v[1]))
        }
        "extract_slice" => {
            let v = vectors(&["offsets", "sizes", "strides"]);
            then(&mlir::extract_slice(&v[0], &v[1], &v[2]))
        }
        "SLICE1" => {
            let v = vectors(&["offsets", "sizes", "strides"]);
            then(&directml::slice1(&v[0], &v[1], &v[2]))
        }
        "DML_SLICE" => {
            let v = vectors(&["offsets", "sizes", "strides"]);
            then(&directml::slice(&v[0], &v[1], &v[2]))
        }
        "ISliceLayer" => {
            let v = vectors(&["offsets", "sizes", "strides"]);
            then(&tensorrt::slice(&v[0], &v[1], &v[2]))
        }
        "slice_by_size" => {
            let v = vectors(&["begin", "size"]);
            then(&coreml::slice_by_size(&v[0], &v[1]))
        }
        "slice_by_index" => {
            let v = vectors(&["begin", "end", "stride"]);
            let mask = |key: &str| -> Vec<bool> {
                case.ints(key).into_iter().map(|bit| bit != 0).collect()
            };
            let (begin, end, squeeze) =
                (mask("begin_mask"), mask("end_mask"), mask("squeeze_mask"));
            let op = coreml::slice_by_index(&v[0], &v[1]).stride(&v[2]);
            then(&op.begin_mask(&begin).end_mask(&end).squeeze_mask(&squeeze))
        }
        "hyperslab" => {
            let v = vectors(&["start", "count", "stride", "block"]);
            then(&hdf5::hyperslab(&v[0], &v[1]).stride(&v[2]).block(&v[3]))
        }
        "STRIDED_SLICE" => {
            // The strides are attributes of the graph in practice, and masks always.
            let (v, strides) = (vectors(&["begin", "end"]), case.ints("strides"));
            let [b, e, l, n, s] = case.ints("masks").try_into().expect("five masks");
            let masks = tf::masks(b, e, l, n, s).expect("masks of 32 bits");
            let offset = case.args["offset"].as_bool().expect("a flag");
            then(&tflite::strided_slice(&v[0], &v[1], &strides).masks(masks).offset(offset))
        }
        "StridedSlice" => {
            let v = vectors(&["begin", "end", "strides"]);
            let mask = |key: &str| integers(&case.args["masks"][key]);
            let (begin, end, new, shrink) =
                (mask("begin"), mask("end"), mask("new_axis"), mask("shrink"));
            let ellipsis = mask("ellipsis");
            let op = openvino::strided_slice(&v[0], &v[1]).strides(Ints::Some(&v[2]));
            let op = op.begin_mask(&begin).end_mask(&end).new_axis_mask(&new);
            then(&op.shrink_axis_mask(&shrink).ellipsis_mask(&ellipsis))
        }
        "onnx.Slice" | "paddle.strided_slice" | "openvino.Slice" => {
            let v = vectors(&["starts", "ends", "axes", "steps"]);
            let given = |key: &str| case.numbers(key).is_some();
            if case.op == "openvino.Slice" {
                let op = openvino::slice(&v[0], &v[1], &v[3]);
                return then(&if given("axes") { op.axes(&v[2]) } else { op });
            }
            if case.op == "onnx.Slice" {
                let mut op = onnx::slice(&v[0], &v[1]);
                op = if given("axes") { op.axes(&v[2]) } else { op };
                return then(&if given("steps") { op.steps(&v[3]) } else { op });
            }
            let mut op = paddle::strided_slice(&v[0], &v[1]);
            op = if given("axes") { op.axes(&v[2]) } else { op };
            then(&if given("steps") { op.strides(&v[3]) } else { op })
        }
        "strided_slice" => {
            let (v, strides) = (vectors(&["begin", "end"]), case.ints("strides"));
            let [b, e, l, n, s] = case.ints("masks").try_into().expect("five masks");
            let masks = tf::masks(b, e, l, n, s).expect("masks of 32 bits");
            then(&tf::strided_slice(&v[0], &v[1], &strides).masks(masks))
        }
        "chain" => {
            let steps = case.args["chain"].as_array().expect("a chain");
            let steps: Vec<aten::Step> =
                steps.iter().map(|step| aten_step(step, &mut known)).collect();
            then(&aten::chain(&steps))
        }
        other => panic!("no reader for {other}"),
    }
}

fn aten_step(step: &Value, known: &mut impl FnMut(i64) -> Option<i64>) -> aten::Step {
    let number = |at: usize| step[at].as_i64().unwrap_or_else(|| panic!("{step}"));
    let mut bound = |at: usize| step[at].as_i64().map_or(Bound::Open, |v| known(v).into());
    let dim = number(1);
    match step[0].as_str().expect("a name") {
        "slice" => aten::Step::Slice { dim, start: bound(2), end: bound(3), step: number(4) },
        "select" => aten::Step::Select { dim, index: bound(2) },
        _ => aten::Step::Unsqueeze { dim },
    }
}
