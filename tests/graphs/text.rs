//! Graphs that are text: OpenVINO's XML, StableHLO, and the nodes of `torch.export`.

use crate::Import;
use pyslice::interop::{Bound, aten, hlo, openvino};
use serde_json::Value;
use std::collections::BTreeMap;

/// What stands between `before` and the next `after`.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let start = text.find(before)? + before.len();
    text[start..].find(after).map(|len| &text[start..start + len])
}

fn integers(text: &str) -> Vec<i64> {
    let numbers = text.split(',').map(str::trim).filter(|number| !number.is_empty());
    numbers.map(|number| number.parse().unwrap_or_else(|e| panic!("{number}: {e}"))).collect()
}

/// OpenVINO's IR: constants lie in `weights`.
pub(crate) fn openvino(xml: &str, weights: &[u8], import: &mut Import) {
    let value = |layer: &str, key: &str| {
        between(layer, &format!("{key}=\""), "\"").unwrap_or_default().to_owned()
    };
    let layers: BTreeMap<String, &str> = xml
        .split("<layer ")
        .skip(1)
        .map(|layer| (value(&format!(" {layer}"), " id"), layer))
        .collect();
    let edge = |to: &str, port: &str| {
        let ends = format!("to-layer=\"{to}\" to-port=\"{port}\"");
        let edge = xml.split("<edge ").skip(1).find(|edge| edge.contains(&ends));
        edge.map(|edge| value(edge, "from-layer")).unwrap_or_else(|| panic!("no edge {ends}"))
    };
    let constant = |id: &str| -> Vec<i64> {
        let layer = layers[id];
        let [from, size] =
            ["offset", "size"].map(|key| value(layer, key).parse::<usize>().unwrap());
        weights[from..from + size]
            .chunks_exact(8)
            .map(|b| i64::from_le_bytes(b.try_into().unwrap()))
            .collect()
    };
    let mut sliced = 0;
    for line in xml.split("<layer ").skip(1).filter(|layer| layer.contains("type=\"StridedSlice\""))
    {
        let id = value(&format!(" {line}"), " id");
        let [begin, end, strides] = ["1", "2", "3"].map(|port| constant(&edge(&id, port)));
        let mask = |name: &str| integers(&value(line, &format!("{name}_mask")));
        let [b, e, n, s, l] = ["begin", "end", "new_axis", "shrink_axis", "ellipsis"].map(mask);
        let op = openvino::strided_slice(&begin, &end)
            .strides(&strides)
            .begin_mask(&b)
            .end_mask(&e)
            .new_axis_mask(&n);
        import.apply(&op.shrink_axis_mask(&s).ellipsis_mask(&l)).unwrap();
        sliced += 1;
    }
    assert_eq!(sliced, 3);
}

/// A function of StableHLO whose scalars are all constant.
pub(crate) fn stablehlo(module: &str, import: &mut Import) {
    let mut scalars: BTreeMap<String, i64> = BTreeMap::new();
    let mut sliced = 0;
    for line in module.lines().map(str::trim).filter(|line| line.starts_with('%')) {
        let (name, rest) = line.split_once(" = stablehlo.").expect("an operation");
        let (op, operands) = rest.split_once(' ').expect("operands");
        let operands = operands.split(" : ").next().unwrap();
        let names: Vec<&str> =
            operands.split(", ").filter(|operand| operand.starts_with('%')).collect();
        let scalar = |i: usize| scalars[names[i]];
        let folded = match op {
            "constant" => between(operands, "dense<", ">").unwrap().parse().unwrap(),
            "compare" => i64::from(operands.starts_with("LT,") && scalar(0) < scalar(1)),
            "add" => scalar(0) + scalar(1),
            "select" => {
                if scalar(0) != 0 {
                    scalar(1)
                } else {
                    scalar(2)
                }
            }
            "slice" => {
                let ranges = between(operands, "[", "]").unwrap().split(", ");
                let ranges: Vec<Vec<i64>> =
                    ranges.map(|range| integers(&range.replace(':', ","))).collect();
                let column = |i: usize| -> Vec<i64> {
                    ranges.iter().map(|r| r.get(i).copied().unwrap_or(1)).collect()
                };
                import.apply(&hlo::slice(&column(0), &column(1), &column(2))).unwrap();
                sliced += 1;
                continue;
            }
            "dynamic_slice" => {
                let sizes = integers(between(operands, "sizes = [", "]").unwrap());
                let starts: Vec<i64> = (1..=sizes.len()).map(scalar).collect();
                import.apply(&hlo::dynamic_slice(&starts, &sizes)).unwrap();
                sliced += 1;
                continue;
            }
            other => panic!("{other}"),
        };
        scalars.insert(name.to_owned(), folded);
    }
    assert_eq!(sliced, 3);
}

/// The calls of an exported program, each a name and its arguments after the tensor.
pub(crate) fn aten(json: &str, import: &mut Import) {
    let calls: Vec<(String, Vec<Value>)> = serde_json::from_str(json).unwrap();
    let steps: Vec<aten::Step> = calls.iter().map(|(name, args)| step(name, args)).collect();
    assert!(steps.len() > 4);
    import.apply(&aten::chain(&steps)).unwrap();
}

fn step(name: &str, args: &[Value]) -> aten::Step {
    let number = |i: usize| args.get(i).and_then(Value::as_i64);
    let bound = |i: usize| number(i).map_or(Bound::Open, Bound::At);
    let dim = number(0).unwrap_or(0);
    match name {
        "aten.slice.Tensor" => {
            aten::Step::Slice { dim, start: bound(1), end: bound(2), step: number(3).unwrap_or(1) }
        }
        "aten.select.int" => aten::Step::Select { dim, index: bound(1) },
        "aten.unsqueeze.default" => aten::Step::Unsqueeze { dim },
        other => panic!("{other}"),
    }
}
