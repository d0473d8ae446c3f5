//! Written slices: the readers read them as the same plan, and the systems answer them with the
//! values that the plan copies.
//!
//! `WRITTEN=DIRECTORY cargo test --test imports written` writes down what each system is asked;
//! `scripts/record/run` has it answered.

use crate::case::{Answer, Case};
use crate::operators;
use pyslice::interop::{
    Bound, Form, InteropError, Operator, Unwritable, aten, coreml, directml, hdf5, hlo, mdspan,
    mlir, openvino, tensorrt, tf, tflite,
};
use pyslice::{AxesForm, Masks, Plan, SliceError, SpecBuf};
use serde_json::{Value, json};
use std::path::Path;

/// An operator's arguments, and what is left to do: axes to drop, then axes to add.
type Outcome = Result<(Value, Vec<usize>, Vec<usize>), InteropError>;

/// Which steps an operator has, and whether it may take nothing, or something of a scalar.
#[derive(Clone, Copy)]
struct Can {
    steps: fn(i64) -> bool,
    empty: bool,
    scalar: bool,
}

const ANY: Can = Can { steps: |_| true, empty: true, scalar: true };
const FORWARD: Can = Can { steps: |step| step > 0, ..ANY };
const ONE: Can = Can { steps: |step| step == 1, ..ANY };
const NO_EMPTY: Can = Can { empty: false, ..ANY };

struct One {
    /// Nothing for a system that does not run here.
    system: &'static str,
    op: &'static str,
    can: Can,
    outcome: Outcome,
}

fn vectors<const N: usize>(plan: &Plan, form: Form<N>, names: [&str; N]) -> Outcome {
    let written = form.write(plan)?;
    assert_eq!(written.masks, Masks::default());
    let args = names.iter().zip(written.vectors).map(|(&name, v)| (name.to_owned(), json!(v)));
    Ok((Value::Object(args.collect()), written.drop, written.add))
}

fn masked(masks: Masks) -> Value {
    json!([masks.begin, masks.end, masks.ellipsis, masks.new_axis, masks.shrink_axis])
}

fn masks_of_a_spec(plan: &Plan) -> Outcome {
    let spec = plan.to_spec()?;
    let (begin, end, strides) = (spec.begin(), spec.end(), spec.strides());
    let masks = masked(spec.masks());
    let args = json!({"begin": begin, "end": end, "strides": strides, "masks": masks});
    Ok((args, Vec::new(), Vec::new()))
}

fn masks_as_bits(plan: &Plan) -> Outcome {
    let written = tflite::STRIDED_SLICE.write(plan)?;
    let ([begin, end, strides], masks) = (written.vectors, masked(written.masks));
    let args =
        json!({"begin": begin, "end": end, "strides": strides, "masks": masks, "offset": false});
    Ok((args, written.drop, written.add))
}

fn masks_as_lists(plan: &Plan) -> Outcome {
    let written = openvino::STRIDED_SLICE.write(plan)?;
    let [begin, end, strides, new_axis, shrink] = written.vectors;
    let none = vec![0; begin.len()];
    let masks = json!({"begin": none, "end": none, "ellipsis": none, "new_axis": new_axis,
        "shrink": shrink});
    let args = json!({"begin": begin, "end": end, "strides": strides, "masks": masks});
    Ok((args, written.drop, written.add))
}

fn steps_of_a_chain(plan: &Plan) -> Outcome {
    let number = |bound: Bound| match bound {
        Bound::At(v) => json!(v),
        _ => Value::Null,
    };
    let step = |step: &aten::Step| match *step {
        aten::Step::Slice { dim, start, end, step } => {
            json!(["slice", dim, number(start), number(end), step])
        }
        aten::Step::Select { dim, index } => json!(["select", dim, number(index)]),
        aten::Step::Unsqueeze { dim } => json!(["unsqueeze", dim]),
        other => panic!("{other:?}"),
    };
    let steps: Vec<Value> = aten::steps(plan)?.iter().map(step).collect();
    Ok((json!({"chain": steps}), Vec::new(), Vec::new()))
}

fn axes(plan: &Plan) -> Outcome {
    let form = plan.to_axes()?;
    let args = json!({"axes": form.axes, "starts": form.starts, "ends": form.ends,
        "steps": form.strides});
    Ok((args, form.drop, form.add))
}

fn flags(plan: &Plan) -> Outcome {
    let names = ["begin", "end", "stride", "end_mask"];
    let (mut args, drop, add) = vectors(plan, coreml::SLICE_BY_INDEX, names)?;
    for mask in ["begin_mask", "squeeze_mask"] {
        args[mask] = json!(vec![0; plan.input_shape().len()]);
    }
    Ok((args, drop, add))
}

fn blocks(plan: &Plan) -> Outcome {
    let (mut args, drop, add) = vectors(plan, hdf5::HYPERSLAB, ["start", "count", "stride"])?;
    args["block"] = json!(vec![1; plan.input_shape().len()]);
    Ok((args, drop, add))
}

/// A plan in the words of each operator.
fn all(plan: &Plan) -> Vec<One> {
    let one = |system, op, can, outcome| One { system, op, can, outcome };
    let window = ["offsets", "sizes", "strides"];
    vec![
        one("tensorflow", "strided_slice", ANY, masks_of_a_spec(plan)),
        one("tensorflow", "Slice", ONE, vectors(plan, tf::SLICE, ["begin", "size"])),
        one("litert", "STRIDED_SLICE", ANY, masks_as_bits(plan)),
        one("litert", "SLICE", ONE, vectors(plan, tflite::SLICE, ["begin", "size"])),
        one("openvino", "StridedSlice", ANY, masks_as_lists(plan)),
        one("openvino", "openvino.Slice", ANY, axes(plan)),
        one("onnx", "onnx.Slice", ANY, axes(plan)),
        one("paddle", "paddle.strided_slice", ANY, axes(plan)),
        one(
            "stablehlo",
            "slice",
            FORWARD,
            vectors(plan, hlo::SLICE, ["start", "limit", "strides"]),
        ),
        one(
            "stablehlo",
            "dynamic_slice",
            ONE,
            vectors(plan, hlo::DYNAMIC_SLICE, ["start", "sizes"]),
        ),
        one("mlir", "extract_slice", NO_EMPTY, vectors(plan, mlir::EXTRACT_SLICE, window)),
        one("aten", "chain", FORWARD, steps_of_a_chain(plan)),
        one(
            "coreml",
            "slice_by_size",
            Can { empty: false, ..ONE },
            vectors(plan, coreml::SLICE_BY_SIZE, ["begin", "size"]),
        ),
        one("coreml", "slice_by_index", ANY, flags(plan)),
        one("hdf5", "hyperslab", Can { scalar: false, ..FORWARD }, blocks(plan)),
        one("", "SLICE1", NO_EMPTY, vectors(plan, directml::SLICE1, window)),
        one(
            "",
            "DML_SLICE",
            Can { empty: false, ..FORWARD },
            vectors(plan, directml::SLICE, window),
        ),
        one("", "ISliceLayer", ANY, vectors(plan, tensorrt::SLICE, window)),
    ]
}

fn case(op: &str, shape: &[usize], args: Value) -> Case {
    Case {
        op: op.to_owned(),
        shape: shape.to_vec(),
        dims: Vec::new(),
        args,
        answer: Answer::Nothing,
        then: Vec::new(),
    }
}

/// What the operator's reader makes of the arguments, with axes dropped and added after it.
fn read(op: &str, shape: &[usize], (args, drop, add): (Value, Vec<usize>, Vec<usize>)) -> Plan {
    let spec = operators::with(&case(op, shape, args), |_| false, |op| op.to_spec(shape)).unwrap();
    let sliced = spec.plan(shape).unwrap();
    let after = AxesForm { drop, add, ..AxesForm::default() };
    sliced.then(after.to_spec(sliced.shape()).unwrap()).unwrap()
}

/// The step on each axis of the result that has two positions or more.
fn steps(plan: &Plan) -> Vec<i64> {
    let shape = plan.input_shape();
    let unit = |axis: usize| shape[axis + 1..].iter().product::<usize>() as i64;
    let axes = plan.source_axes().zip(plan.shape()).zip(plan.strides());
    let longer = axes.filter(|((_, n), _)| !plan.is_empty() && **n > 1);
    longer.map(|((from, _), &stride)| stride as i64 / unit(from.unwrap())).collect()
}

/// Small random slices that have a plan: their text, shape and plan.
fn slices(count: usize) -> Vec<(String, Vec<usize>, Plan)> {
    let mut state = 35_u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    let mut all = Vec::new();
    while all.len() < count {
        let shape: Vec<usize> =
            (0..below(4)).map(|_| if below(12) == 0 { 0 } else { 1 + below(5) as usize }).collect();
        let mut bound = |n: usize| match below(3) {
            0 => String::new(),
            _ => (below(2 * n as u64 + 5) as i64 - n as i64 - 2).to_string(),
        };
        let ranges: Vec<[String; 2]> = shape.iter().map(|&n| [bound(n), bound(n)]).collect();
        let mut entries = Vec::new();
        for (&n, [start, stop]) in shape.iter().zip(&ranges) {
            if below(6) == 0 {
                entries.push("None".to_owned());
            }
            entries.push(match below(8) {
                0 | 1 if n > 0 => (below(2 * n as u64) as i64 - n as i64).to_string(),
                2..5 => format!("{start}:{stop}"),
                _ => format!("{start}:{stop}:{}", [1, 2, 3, -1, -2, -3][below(6) as usize]),
            });
        }
        if below(6) == 0 {
            entries.push("None".to_owned());
        }
        let text = format!("[{}]", entries.join(", "));
        let spec: SpecBuf = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        let plan = spec.plan(&shape).unwrap();
        all.push((text, shape, plan));
    }
    all
}

#[test]
fn written_and_read_is_the_same_plan_or_refused_by_name() {
    let (mut round, mut refused) = (0, 0);
    for (text, shape, plan) in slices(3000) {
        let kept = plan.source_axes().zip(plan.shape());
        let nothing = kept.into_iter().any(|(from, &n)| from.is_some() && n == 0);
        for One { op, can, outcome, .. } in all(&plan) {
            let words = format!("{op}, {text} on {shape:?}");
            let can = steps(&plan).into_iter().all(can.steps)
                && (can.empty || !nothing)
                && (can.scalar || !shape.is_empty());
            match outcome {
                Ok(written) => {
                    assert!(can, "{words}: {written:?}");
                    let again = read(op, &shape, written);
                    assert!(again.selects_same(&plan), "{words}: {again:?}");
                    round += 1;
                }
                Err(InteropError::Unwritable { operator, .. }) => {
                    assert!(!can && !operator.is_empty(), "{words}: refused by {operator}");
                    refused += 1;
                }
                Err(error) => panic!("{words}: {error}"),
            }
        }
        let adds = plan.source_axes().any(|from| from.is_none());
        match mdspan::slices(&plan) {
            Ok(slices) => {
                let spec = mdspan::submdspan(&slices).to_spec(&shape).unwrap();
                assert!(spec.plan(&shape).unwrap().selects_same(&plan), "{text} on {shape:?}");
            }
            Err(InteropError::Unwritable { why: Unwritable::NewAxis, .. }) => assert!(adds),
            Err(InteropError::Unwritable { why: Unwritable::Step(step), .. }) => {
                assert!(step < 0 && steps(&plan).contains(&step), "{text} on {shape:?}")
            }
            Err(error) => panic!("{text} on {shape:?}: {error}"),
        }
    }
    println!("{round} went round, {refused} were refused");
    assert!(round > 20_000 && refused > 3000, "{round} and {refused}");
}

#[test]
fn a_strided_plan_and_an_emptied_new_axis_are_refused() {
    let strided = SpecBuf::default().plan_strided(&[2, 2], &[1, 2]).unwrap();
    assert!(matches!(
        hlo::SLICE.write(&strided),
        Err(InteropError::Slice(SliceError::NeedsContiguous { .. }))
    ));
    // No operator can express this: an axis that is added, and then emptied.
    let [new, none] = ["None", ":0"].map(|text| text.parse::<SpecBuf>().unwrap());
    let emptied = new.plan(&[3]).unwrap().then(&none).unwrap();
    assert!(matches!(emptied.to_axes(), Err(SliceError::NotRepresentable { .. })));
    assert!(matches!(
        hlo::SLICE.write(&emptied),
        Err(InteropError::Slice(SliceError::NotRepresentable { .. }))
    ));
}

#[test]
fn a_plan_of_more_axes_than_the_operator_takes() {
    let wide = SpecBuf::default().plan(&[1; 40]).unwrap();
    let refused = openvino::STRIDED_SLICE.write(&wide);
    assert_eq!(refused, Err(SliceError::TooLong { entries: 40 }.into()));
    assert_eq!(hlo::SLICE.write(&wide).unwrap().vectors[1], [1; 40]);
    for rank in [0, 33] {
        let plan = SpecBuf::default().plan(&vec![1; rank]).unwrap();
        let refused = hdf5::HYPERSLAB.write(&plan).unwrap_err();
        let why = Unwritable::Rank(rank);
        assert_eq!(
            refused,
            InteropError::Unwritable { operator: "an HDF5 hyperslab", axis: 0, why }
        );
    }
}

fn answers(system: &str) {
    if let Ok(directory) = std::env::var("WRITTEN") {
        let times = std::env::var("TIMES").map_or(1, |times| times.parse().unwrap());
        let cases = slices(90 * times);
        let mut lines = String::new();
        for (text, shape, plan) in &cases {
            for One { op, outcome, .. } in all(plan).into_iter().filter(|one| one.system == system)
            {
                let Ok((args, drop, add)) = outcome else { continue };
                if args["axes"] == json!([]) {
                    continue; // Nothing to slice, and nothing to ask.
                }
                lines += &json!({"op": op, "py": text, "shape": shape, "args": args, "drop": drop,
                    "add": add})
                .to_string();
                lines.push('\n');
            }
        }
        let path = Path::new(&directory).join(format!("{system}.jsonl"));
        std::fs::create_dir_all(directory).unwrap();
        std::fs::write(path, lines).unwrap();
        return;
    }
    let path = crate::case::path(&format!("written_{system}"));
    let record = std::fs::read_to_string(&path).unwrap();
    let mut compared = 0;
    for line in record.lines().skip(1) {
        let json: Value = serde_json::from_str(line).unwrap();
        let numbers = |value: &Value| -> Vec<usize> {
            crate::case::integers(value).into_iter().map(|n| n as usize).collect()
        };
        let (text, shape) = (json["py"].as_str().unwrap(), numbers(&json["shape"]));
        let plan = text.parse::<SpecBuf>().unwrap().plan(&shape).unwrap();
        let ours = all(&plan).into_iter().find(|one| one.op == json["op"]).unwrap();
        let (args, drop, add) = ours.outcome.unwrap();
        assert_eq!(
            (&args, &json!(drop), &json!(add)),
            (&json["args"], &json["drop"], &json["add"])
        );
        let input: Vec<i64> = (0..plan.input_len() as i64).collect();
        // The system's answer has the axes that are dropped after it, and not those added.
        let mut found = numbers(&json["ok"]["shape"]);
        drop.iter().rev().for_each(|&axis| assert_eq!(found.remove(axis), 1, "{line}"));
        add.iter().for_each(|&axis| found.insert(axis, 1));
        assert_eq!(found, plan.shape(), "{line}");
        assert_eq!(crate::case::integers(&json["ok"]["v"]), plan.copy(&input).unwrap(), "{line}");
        compared += 1;
    }
    assert!(compared > 20, "{system}: {compared}");
}

systems!(answers);

#[test]
fn the_lowest_number_of_32_bits_is_written() {
    let plan = SpecBuf::from_axes(1, &[0], &[-1], &[i64::MIN], &[-1]).unwrap();
    let plan = plan.plan(&[i32::MAX as usize]).unwrap();
    let written = tflite::STRIDED_SLICE.write(&plan).unwrap();
    assert_eq!(written.vectors[1], [i64::from(i32::MIN)]);
}
