//! [`PySlice`] for ndarray's types, and what it does beside taking views.

use super::{PySlice, SliceOf, info, plain, update, view};
use crate::assign::broadcast_strides;
use crate::error::SliceError;
use crate::kernel::memory::reserve;
use ::ndarray::{Array, ArrayBase, ArrayRef, ArrayView, Data, DataMut, Dimension, OwnedRepr, RawData};
use alloc::vec::Vec;

impl<S: RawData, D: Dimension> PySlice for ArrayBase<S, D> {
    type Elem = S::Elem;
    type Dim = D;
    type Storage = S;
    type Moved<E: Dimension> = ArrayBase<S, E>;

    fn read(&self) -> &ArrayRef<S::Elem, D>
    where
        S: Data,
    {
        self
    }

    fn write(&mut self) -> &mut ArrayRef<S::Elem, D>
    where
        S: DataMut,
    {
        self
    }

    fn try_pyslice_move<I: SliceOf<D>>(self, spec: I) -> Result<ArrayBase<S, I::Out>, SliceError> {
        let info = info::slice_info::<D, I>(spec, self.raw_dim())?;
        // Its type is known to fit only an array of IxDyn, whatever D is.
        Ok(self.into_dyn().slice_move(info))
    }
}

/// ndarray's type for arguments, `&ArrayRef<A, D>`. It has no storage to keep, so there is no `pyslice_move`.
impl<A, D: Dimension> PySlice for ArrayRef<A, D> {
    type Elem = A;
    type Dim = D;
    type Storage = OwnedRepr<A>;

    fn read(&self) -> &ArrayRef<A, D> {
        self
    }

    fn write(&mut self) -> &mut ArrayRef<A, D> {
        self
    }
}

pub(super) fn copy<A: Clone, D: Dimension, I: SliceOf<D>>(
    array: &ArrayRef<A, D>,
    spec: &I,
) -> Result<Array<A, I::Out>, SliceError> {
    let plan = view::plan(array, spec.as_spec())?;
    let moved = match array.as_slice_memory_order() {
        Some(src) => plain::copy(&plan, src)?,
        None => plain::copy_blocks(&plan, array)?,
    };
    let out = match moved {
        Some(out) => out,
        None => cloned(&view::view(array, spec)?)?,
    };
    let wrong = SliceError::RankMismatch { expected: plan.shape().len(), found: array.ndim() };
    Array::from_shape_vec(view::dim::<I::Out>(plan.shape())?, out).map_err(|_| wrong)
}

/// The elements of the view in C order; rows that lie in one piece are cloned as one, which is a plain copy for any
/// `Copy` type.
fn cloned<A: Clone, O: Dimension>(view: &ArrayView<'_, A, O>) -> Result<Vec<A>, SliceError> {
    let mut out = Vec::new();
    reserve(&mut out, view.len())?;
    if let Some(all) = view.as_slice() {
        out.extend_from_slice(all);
    } else if view.shape().last().is_some_and(|&n| n >= 16) {
        for row in view.rows() {
            match row.to_slice() {
                Some(row) => out.extend_from_slice(row),
                None => out.extend(row.iter().cloned()),
            }
        }
    } else {
        out.extend(view.iter().cloned());
    }
    Ok(out)
}

pub(super) fn assign<A: Clone, D: Dimension, I: SliceOf<D>, E: Dimension>(
    array: &mut ArrayRef<A, D>,
    spec: &I,
    values: ArrayView<'_, A, E>,
) -> Result<(), SliceError> {
    if values.ndim() == 0
        && let Some(one) = values.first()
    {
        return fill(array, spec, one.clone());
    }
    let plan = view::plan(array, spec.as_spec())?;
    broadcast_strides(plan.shape(), values.shape())?;
    // Only where the array's memory is all its own may a kernel write whatever lies between the elements.
    if let (Some(src), Some(dst)) = (values.as_slice(), array.as_slice_memory_order_mut())
        && plain::assign(&plan, dst, src, values.shape())?
    {
        return Ok(());
    }
    let mut target = view::view_mut(array, spec)?;
    let dim = target.raw_dim();
    update::broadcast(values, dim, |values| target.assign(&values))
}

pub(super) fn fill<A: Clone, D: Dimension, I: SliceOf<D>>(
    array: &mut ArrayRef<A, D>,
    spec: &I,
    value: A,
) -> Result<(), SliceError> {
    let plan = view::plan(array, spec.as_spec())?;
    if let Some(dst) = array.as_slice_memory_order_mut()
        && plain::fill(&plan, dst, &value)?
    {
        return Ok(());
    }
    view::view_mut(array, spec)?.fill(value);
    Ok(())
}
