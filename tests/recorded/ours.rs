//! What the public API answers to a record.

use pyslice::interop::{Operator, onnx, tf};
use pyslice::{Masks, Plan, Shaped, SpecBuf};

use crate::replay::{Outcome, Refusal, Tensor};
use crate::support::recorded::{Encoding, Record};

/// The spec of a record: from its text, its masks or its axes form.
pub fn spec(r: &Record) -> Result<SpecBuf, Refusal> {
    match (&r.py, &r.enc, &r.axs) {
        (Some(text), enc, _) => {
            let spec: SpecBuf = text.parse()?;
            let again: SpecBuf = spec.to_string().parse()?;
            assert_eq!(again, spec, "{}: `{spec}` does not parse back", r.id);
            if let Some(enc) = enc {
                assert_eq!(encoding(&spec), in_full(enc), "{}: encoding of {text}", r.id);
            }
            Ok(spec)
        }
        (None, Some(enc), _) => {
            let (begin, end, strides, [b, e, l, n, s]) = in_full(enc);
            let masks = Masks { begin: b, end: e, ellipsis: l, new_axis: n, shrink_axis: s };
            let spec = SpecBuf::from_masks(&begin, &end, &strides, masks)?;
            // The reader of graphs gives an equal value, so either is a key to the same map.
            let op = tf::strided_slice(&begin, &end, &strides).masks(masks);
            if let Ok(read) = op.to_spec(&r.dims()) {
                assert_eq!(read, spec, "{}", r.id);
            }
            Ok(spec)
        }
        (None, None, Some(axs)) => {
            let shape = r.dims();
            let axes = axs.axes.as_deref();
            if r.op == "onnx.Slice" {
                let op = onnx::slice(&axs.starts, &axs.ends);
                let op = axes.map_or(op, |axes| op.axes(axes));
                return Ok(axs
                    .steps
                    .as_ref()
                    .map_or(op, |steps| op.steps(steps))
                    .to_spec(&shape)?);
            }
            let ones = vec![1; axs.starts.len()];
            let steps = if r.op == "paddle.slice" { None } else { axs.steps.as_deref() };
            let (axes, steps) = (axes.unwrap_or_default(), steps.unwrap_or(&ones));
            Ok(SpecBuf::from_axes(shape.len(), axes, &axs.starts, &axs.ends, steps)?)
        }
        (None, None, None) => panic!("{}: a case without a slice", r.id),
    }
}

type Vectors = (Vec<i64>, Vec<i64>, Vec<i64>, [u32; 5]);

/// Begin, end, strides and masks of a spec.
pub fn encoding(spec: &SpecBuf) -> Vectors {
    let m = spec.masks();
    let masks = [m.begin, m.end, m.ellipsis, m.new_axis, m.shrink_axis];
    (spec.begin().to_vec(), spec.end().to_vec(), spec.strides().to_vec(), masks)
}

fn in_full(enc: &Encoding) -> Vectors {
    let all = |v: &Option<Vec<i64>>| v.clone().expect("a case with all values known");
    (all(&enc.begin), all(&enc.end), all(&enc.strides), enc.masks)
}

fn plan(r: &Record) -> Result<Plan, Refusal> {
    let plan = spec(r)?.plan(&r.dims())?;
    assert_eq!(plan.len(), plan.shape().iter().product::<usize>(), "{}", r.id);
    assert_eq!(plan.input_len(), r.dims().iter().product::<usize>(), "{}", r.id);
    Ok(plan)
}

fn iota(shape: &[usize], first: i64) -> Vec<i64> {
    (0..shape.iter().product::<usize>() as i64).map(|k| k + first).collect()
}

/// `data[slice]`.
pub fn get(r: &Record) -> Outcome {
    let plan = plan(r)?;
    let values = plan.copy(&iota(&r.dims(), 0))?;
    Ok(Tensor { shape: plan.shape().to_vec(), values })
}

/// `data[slice] = value`.
pub fn set(r: &Record) -> Outcome {
    let plan = plan(r)?;
    let value = r.value.as_ref().expect("a case with a value");
    let mut values = iota(&r.dims(), 0);
    plan.assign(&mut values, Shaped(&iota(value, 1000), value))?;
    Ok(Tensor { shape: r.dims(), values })
}

/// The gradient. It is asked for with a flat buffer, so the shape of `dy` is the caller's to check.
pub fn grad(r: &Record) -> Outcome {
    let plan = plan(r)?;
    // The records that have none are refused before they need it.
    let Some(dy) = &r.dy else {
        return Err(Refusal { class: "no_dy", text: "a case without a dy".to_owned() });
    };
    if dy.iter().product::<usize>() != plan.len() {
        let refused = plan.grad(&iota(dy, 1));
        return Err(refused.expect_err("a dy of the wrong length").into());
    }
    if dy != plan.shape() {
        return Err(Refusal {
            class: "dy_shape",
            text: format!("dy is {dy:?}, not {:?}", plan.shape()),
        });
    }
    Ok(Tensor { shape: r.dims(), values: plan.grad(&iota(dy, 1))? })
}

/// A record of one of the files that hold several operations.
pub fn any(r: &Record) -> Outcome {
    match r.op.as_str() {
        "setitem" | "assign" => set(r),
        "grad" => grad(r),
        _ => get(r),
    }
}
