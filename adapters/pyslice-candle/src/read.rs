//! `x[spec]`: views, copies, and the gradients of copies.

use crate::dtype::by_type;
use crate::{plan, whole, wrap};
use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, CustomOp1, D, Layout, Result, Shape, Tensor};
use slice_core::{Plan, SpecBuf, SpecRef, StepRange};

/// `x[spec]`, a view if candle has one.
pub(crate) fn slice(x: &Tensor, spec: SpecRef<'_>) -> Result<Tensor> {
    let plan = spec.plan(x.dims()).map_err(wrap)?;
    if plan.is_empty() && x.device().is_cpu() {
        // There is nothing to share, and candle's reductions panic on an empty view that begins
        // behind the storage.
        return copy(x, spec);
    }
    // The gradient of `unfold` does not take steps.
    let steps = !x.track_op();
    match by_operators(x, &plan, |x, axis, range| stepped_view(x, axis, range, steps))? {
        Some(view) => Ok(view),
        None if x.device().is_cpu() => copy(x, spec),
        None => selected(x, spec),
    }
}

/// `x[spec].copy()`.
pub(crate) fn copy(x: &Tensor, spec: SpecRef<'_>) -> Result<Tensor> {
    if x.device().is_cpu() {
        return x.apply_op1(Take(spec.to_buf()));
    }
    selected(x, spec)?.force_contiguous()
}

/// `x[spec]` by candle's own operators, on any device.
fn selected(x: &Tensor, spec: SpecRef<'_>) -> Result<Tensor> {
    let every = |x: &Tensor, axis, range: StepRange| {
        let len = x.dim(axis)?.div_ceil(range.step.unsigned_abs() as usize);
        let first = if range.step > 0 { 0 } else { x.dim(axis)? as i64 - 1 };
        let positions: Vec<i64> = (0..len as i64).map(|k| first + k * range.step).collect();
        let positions = Tensor::from_vec(positions, len, x.device())?;
        Ok(Some(x.contiguous()?.index_select(&positions, axis)?))
    };
    match by_operators(x, &spec.plan(x.dims()).map_err(wrap)?, every)? {
        Some(slice) => Ok(slice),
        None => copy(x, spec),
    }
}

/// The slice that `plan` is, by views, and by `stepped` for each axis with another step than 1: it
/// gets the tensor, already cut to the range, whose first or last position is taken. `None` if that
/// cannot do it.
fn by_operators(
    x: &Tensor,
    plan: &Plan,
    stepped: impl Fn(&Tensor, usize, StepRange) -> Result<Option<Tensor>>,
) -> Result<Option<Tensor>> {
    let mut out = x.clone();
    for (axis, range) in plan.to_step_ranges().map_err(wrap)?.into_iter().enumerate() {
        // None of them counts from the back.
        let (start, end) = (range.start as usize, range.end.unwrap_or(range.start) as usize);
        out = out.narrow(axis, start, end - start)?;
        if range.step != 1 {
            match stepped(&out, axis, range)? {
                Some(next) => out = next,
                None => return Ok(None),
            }
        }
    }
    let form = plan.to_axes().map_err(wrap)?;
    for &axis in form.drop.iter().rev() {
        out = out.squeeze(axis)?;
    }
    for &axis in &form.add {
        out = out.unsqueeze(axis)?;
    }
    Ok(Some(out))
}

/// Every `range.step`-th position of an axis, from the first, as a view.
fn stepped_view(x: &Tensor, axis: usize, range: StepRange, steps: bool) -> Result<Option<Tensor>> {
    if !steps || range.step < 0 {
        return Ok(None);
    }
    // Windows of one position, each of which begins a step after the one before.
    let step = range.step as usize;
    let view = x.unfold(axis, 1, step)?.squeeze(D::Minus1)?;
    // candle computes their number in `f32`.
    Ok((view.dim(axis)? == x.dim(axis)?.div_ceil(step)).then_some(view))
}

/// `x[spec]` as a tensor in C order.
pub(crate) struct Take(pub(crate) SpecBuf);

impl CustomOp1 for Take {
    fn name(&self) -> &'static str {
        "pyslice_copy"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let plan = plan(self.0.as_ref(), layout)?;
        let out =
            by_type!(self.name(), storage, (x, make) => plan.copy(x).map(make).map_err(wrap))?;
        Ok((out, plan.shape().into()))
    }

    fn bwd(&self, x: &Tensor, _: &Tensor, dy: &Tensor) -> Result<Option<Tensor>> {
        let put = Put { spec: self.0.clone(), shape: x.dims().to_vec() };
        dy.apply_op1(put).map(Some)
    }
}

/// Zeros of a shape, with a tensor in place of those that the slice takes: the gradient of
/// [`Take`], which is the gradient of this one.
struct Put {
    spec: SpecBuf,
    shape: Vec<usize>,
}

impl CustomOp1 for Put {
    fn name(&self) -> &'static str {
        "pyslice_grad"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let to = self.spec.plan(&self.shape).map_err(wrap)?;
        let from = whole(layout)?;
        let out = by_type!(self.name(), storage, (dy, make) => {
            let in_order = layout.contiguous_offsets().and_then(|(from, to)| dy.get(from..to));
            let dx = match in_order {
                Some(dy) => to.grad(dy),
                None => {
                    let mut dx = vec![Default::default(); to.input_len()];
                    from.on(dy).and_then(|dy| to.assign(&mut dx, dy)).map(|()| dx)
                }
            };
            dx.map(make).map_err(wrap)
        })?;
        Ok((out, self.shape.as_slice().into()))
    }

    fn bwd(&self, _: &Tensor, _: &Tensor, dx: &Tensor) -> Result<Option<Tensor>> {
        dx.apply_op1(Take(self.spec.clone())).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{DType, Device, Var};

    /// What other devices do, done on this one.
    #[test]
    fn candles_operators_take_what_our_kernels_take() -> Result<()> {
        let n = 3 * 4 * 5;
        let numbers = Tensor::arange(0f64, n as f64, &Device::Cpu)?.reshape((5, 4, 3))?;
        let x = Var::from_tensor(&numbers)?;
        for text in [
            "",
            "1",
            "-1, ::2",
            "::-1",
            "4:0:-3, None, ..., ::-2",
            "..., 1:2:7, None",
            "3:1",
            "1::2, -1, ::-1",
            "2:2, ::-1",
        ] {
            let spec: SpecBuf = text.parse().map_err(wrap)?;
            let gradient = |taken: &Tensor| -> Result<Vec<f64>> {
                let grads = taken.sqr()?.sum_all()?.backward()?;
                grads.get(&x).map_or(Ok(vec![0.; n]), |dx| dx.flatten_all()?.to_vec1())
            };
            let turned = x.transpose(0, 2)?;
            let (ours, theirs) = (copy(&turned, spec.as_ref())?, selected(&turned, spec.as_ref())?);
            assert_eq!(ours.dims(), theirs.dims(), "{text}");
            let elements = |x: &Tensor| x.flatten_all()?.to_vec1::<f64>();
            assert_eq!(elements(&ours)?, elements(&theirs)?, "{text}");
            assert_eq!(gradient(&ours)?, gradient(&theirs)?, "{text}");
        }
        let bytes = numbers.to_dtype(DType::U8)?;
        let spec: SpecBuf = "::-2".parse().map_err(wrap)?;
        assert_eq!(selected(&bytes, spec.as_ref())?.dtype(), DType::U8);
        Ok(())
    }
}
