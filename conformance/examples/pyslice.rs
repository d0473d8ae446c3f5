//! pyslice itself: everything is answered, and all of it is right. A non-zero exit says otherwise.

use pyslice::interop::{Operator, onnx, tf};
use pyslice::{Dim, Plan, Shaped, SliceError, SpecBuf};
use slice_conformance::{Axes, Masks, PartShape, Reply, System, run};

struct PySlice;

fn iota(shape: &[usize], first: i64) -> Vec<i64> {
    (first..first + shape.iter().product::<usize>() as i64).collect()
}

fn answer<E: std::error::Error>(reply: Result<Reply, E>) -> Reply {
    reply.unwrap_or_else(|error| Reply::Refused(error.to_string()))
}

fn get(plan: &Plan, shape: &[usize]) -> Result<Reply, SliceError> {
    Ok(Reply::Tensor(plan.shape().to_vec(), plan.copy(&iota(shape, 0))?))
}

fn masks(masks: &Masks) -> pyslice::Masks {
    let [begin, end, ellipsis, new_axis, shrink_axis] = masks.masks;
    pyslice::Masks { begin, end, ellipsis, new_axis, shrink_axis }
}

fn planned(shape: &[usize], m: &Masks) -> Result<Plan, SliceError> {
    let vector = |v: &Option<Vec<i64>>| v.clone().expect("a known vector");
    SpecBuf::from_masks(&vector(&m.begin), &vector(&m.end), &vector(&m.strides), masks(m))?
        .plan(shape)
}

impl System for PySlice {
    fn name(&self) -> String {
        "pyslice".to_owned()
    }

    fn getitem(&self, shape: &[usize], text: &str) -> Reply {
        answer(text.parse::<SpecBuf>().and_then(|spec| get(&spec.plan(shape)?, shape)))
    }

    fn setitem(&self, shape: &[usize], text: &str, value: &[usize]) -> Reply {
        answer(text.parse::<SpecBuf>().and_then(|spec| {
            let (plan, mut data) = (spec.plan(shape)?, iota(shape, 0));
            plan.assign(&mut data, Shaped(&iota(value, 1000), value))?;
            Ok(Reply::Tensor(shape.to_vec(), data))
        }))
    }

    fn strided_slice(&self, shape: &[usize], masks: &Masks) -> Reply {
        answer(planned(shape, masks).and_then(|plan| get(&plan, shape)))
    }

    fn strided_slice_grad(&self, shape: &[usize], masks: &Masks, dy: &[usize]) -> Reply {
        answer(planned(shape, masks).and_then(|plan| {
            if plan.shape() != dy {
                return Err(SliceError::RankMismatch {
                    expected: plan.shape().len(),
                    found: dy.len(),
                });
            }
            Ok(Reply::Tensor(shape.to_vec(), plan.grad(&iota(dy, 1))?))
        }))
    }

    fn infer_shape(&self, shape: &PartShape, m: &Masks) -> Reply {
        let dims: Option<Vec<Dim>> = shape
            .as_ref()
            .map(|shape| shape.iter().map(|n| n.map_or(Dim::Unknown, Dim::Known)).collect());
        let (begin, end, strides) = (m.begin.as_deref(), m.end.as_deref(), m.strides.as_deref());
        answer(tf::infer_partial(begin, end, strides, masks(m), dims.as_deref()).map(|dims| {
            let known = |dim: &Dim| if let Dim::Known(n) = dim { Some(*n) } else { None };
            Reply::Shape(dims.map(|dims| dims.iter().map(known).collect()))
        }))
    }

    fn slice(&self, shape: &[usize], axes: &Axes) -> Reply {
        let op = onnx::slice(&axes.starts, &axes.ends);
        let op = axes.axes.as_ref().map_or(op, |axes| op.axes(axes));
        let op = axes.steps.as_ref().map_or(op, |steps| op.steps(steps));
        answer(op.to_spec(shape).and_then(|spec| Ok(get(&spec.plan(shape)?, shape)?)))
    }
}

fn main() {
    let score = run(&PySlice);
    print!("{score}");
    assert_eq!((score.right(), score.unsupported()), (score.asked(), 0));
}
