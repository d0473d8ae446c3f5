//! `x[spec] = values` in a copy of `x`, with gradients.

use crate::dtype::by_type;
use crate::read::Take;
use crate::{whole, wrap};
use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor};
use slice_core::{Plan, SpecBuf};

/// Writes the elements of `values` that `from` names to the places that `to` names, broadcast.
pub(crate) fn write(
    op: &'static str,
    (to, storage): (&Plan, &mut CpuStorage),
    (from, values): (&Plan, &CpuStorage),
) -> Result<()> {
    by_type!(op, (storage, values), (x, values) => {
        from.on(values).and_then(|values| to.assign(x, values)).map_err(wrap)
    })
}

/// A copy of the first tensor, with the second in place of what the slice takes.
pub(crate) struct Scatter(pub(crate) SpecBuf);

impl CustomOp2 for Scatter {
    fn name(&self) -> &'static str {
        "pyslice_scatter"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        layout: &Layout,
        values: &CpuStorage,
        of_values: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (all, from) = (whole(layout)?, whole(of_values)?);
        let to = self.0.plan(layout.dims()).map_err(wrap)?;
        let mut out = by_type!(self.name(), x, (x, make) => all.copy(x).map(make).map_err(wrap))?;
        write(self.name(), (&to, &mut out), (&from, values))?;
        Ok((out, layout.shape().clone()))
    }

    fn bwd(
        &self,
        x: &Tensor,
        values: &Tensor,
        _: &Tensor,
        dz: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        // The result does not depend on the elements that were replaced.
        let zero = Tensor::zeros((), dz.dtype(), dz.device())?;
        let dx = dz.apply_op2(&zero, Scatter(self.0.clone()))?;
        let taken = dz.apply_op1(Take(self.0.clone()))?;
        Ok((x.track_op().then_some(dx), Some(sum_to(taken, values.dims())?)))
    }
}

/// The gradient of values that were broadcast: a sum over what they were repeated along.
fn sum_to(mut grad: Tensor, dims: &[usize]) -> Result<Tensor> {
    while grad.rank() > dims.len() {
        grad = grad.sum(0)?;
    }
    // Axes of length 1 that were left out.
    let leading = dims.len() - grad.rank();
    for (axis, &n) in dims.iter().skip(leading).enumerate() {
        if n != grad.dim(axis)? {
            grad = grad.sum_keepdim(axis)?;
        }
    }
    grad.reshape(dims)
}
