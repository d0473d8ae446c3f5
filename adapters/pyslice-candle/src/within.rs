//! `x[spec] = values` in the memory of `x`.

use crate::dtype::by_type;
use crate::write::{Scatter, write};
use crate::{plan, whole, wrap};
use candle_core::backend::BackendStorage;
use candle_core::{CpuStorage, InplaceOp1, InplaceOp2, Layout, Result, Tensor};
use slice_core::{SpecBuf, SpecRef};

pub(crate) fn assign(x: &Tensor, spec: SpecRef<'_>, values: &Tensor) -> Result<()> {
    check("pyslice_assign", x)?;
    if values.track_op() {
        candle_core::bail!(
            "pyslice_assign: the values are or were computed from a variable, which would get no \
             gradient; use pyslice_scatter, or detach() them first"
        );
    }
    let spec = spec.to_buf();
    if x.elem_count() == 0 {
        // candle takes the strides of an empty tensor for repeated elements. This only checks.
        return x.apply_op2_no_bwd(values, &Scatter(spec)).map(drop);
    }
    if storage_of(x) == storage_of(values) {
        x.inplace_op1(&Move { spec, from: values.layout().clone() })
    } else {
        x.inplace_op2(values, &Assign(spec))
    }
}

/// `value` is a storage of one element.
pub(crate) fn fill(x: &Tensor, spec: SpecRef<'_>, value: CpuStorage) -> Result<()> {
    check("pyslice_fill", x)?;
    if x.elem_count() == 0 {
        return spec.plan(x.dims()).map(drop).map_err(wrap);
    }
    x.inplace_op1(&Fill { spec: spec.to_buf(), value })
}

/// candle lets a tensor change under the operators that it went through, and what they compute
/// from it later, for a gradient, is then of other values.
fn check(op: &'static str, x: &Tensor) -> Result<()> {
    if x.track_op() {
        let what = if x.is_variable() { "is" } else { "was computed from" };
        candle_core::bail!(
            "{op}: the tensor {what} a variable, and gradients of what used it before would be \
             wrong; use pyslice_scatter, or write to its detach(), which has the same memory"
        );
    }
    Ok(())
}

/// Where a tensor's storage is: views of one storage have the same.
fn storage_of(x: &Tensor) -> *const candle_core::Storage {
    std::ptr::from_ref(&*x.storage_and_layout().0)
}

struct Assign(SpecBuf);

impl InplaceOp2 for Assign {
    fn name(&self) -> &'static str {
        "pyslice_assign"
    }

    fn cpu_fwd(
        &self,
        x: &mut CpuStorage,
        layout: &Layout,
        values: &CpuStorage,
        of_values: &Layout,
    ) -> Result<()> {
        let (to, from) = (plan(self.0.as_ref(), layout)?, whole(of_values)?);
        write(InplaceOp2::name(self), (&to, x), (&from, values))
    }
}

/// From one place of a storage to another.
struct Move {
    spec: SpecBuf,
    from: Layout,
}

impl InplaceOp1 for Move {
    fn name(&self) -> &'static str {
        "pyslice_assign"
    }

    fn cpu_fwd(&self, x: &mut CpuStorage, layout: &Layout) -> Result<()> {
        let (to, from) = (plan(self.spec.as_ref(), layout)?, whole(&self.from)?);
        by_type!(InplaceOp1::name(self), x, (x, _) => from.move_within(&to, x).map_err(wrap))
    }
}

struct Fill {
    spec: SpecBuf,
    value: CpuStorage,
}

impl InplaceOp1 for Fill {
    fn name(&self) -> &'static str {
        "pyslice_fill"
    }

    fn cpu_fwd(&self, x: &mut CpuStorage, layout: &Layout) -> Result<()> {
        let to = plan(self.spec.as_ref(), layout)?;
        by_type!(InplaceOp1::name(self), (x, &self.value), (x, value) => match value[..] {
            [value] => to.fill(x, value).map_err(wrap),
            _ => Ok(()),
        })
    }
}
