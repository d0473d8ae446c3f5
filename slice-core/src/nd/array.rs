//! [`PySlice`] for ndarray's types, and what it does beside taking views.

use super::{PySlice, SliceOf, exact, info, plain, update, view};
use crate::error::SliceError;
use ::ndarray::{
    Array, ArrayBase, ArrayRef, ArrayView, Data, DataMut, Dimension, OwnedRepr, RawData,
};

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
        info::moved(self, &spec)
    }
}

/// ndarray's type for arguments, `&ArrayRef<A, D>`. It has no storage to keep, so there is no
/// `pyslice_move`.
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

/// A slice of fewer elements is not worth finding a kernel for.
const FEW: usize = 32;

pub(super) fn copy<A: Clone, D: Dimension, I: SliceOf<D>>(
    array: &ArrayRef<A, D>,
    spec: &I,
) -> Result<Array<A, I::Out>, SliceError> {
    view::with_lines(array, spec, |lines| {
        let dim = view::dim::<I::Out>(lines.shape)?;
        let moved = if lines.len < FEW || !plain::is_plain::<A>() {
            None
        } else {
            let plan = view::plan(array, spec.as_spec())?;
            match array.as_slice_memory_order() {
                Some(src) => plain::copy(&plan, src)?,
                // Whatever reads a view with gaps reads nothing but its elements.
                None => plain::copy_blocks(&plan, array)?,
            }
        };
        let out = match moved {
            Some(out) => out,
            // SAFETY: the planner's positions are all elements of the array, which is borrowed.
            None => unsafe { exact::cloned(lines, array.as_ptr())? },
        };
        let wrong = SliceError::RankMismatch { expected: lines.shape.len(), found: array.ndim() };
        Array::from_shape_vec(dim, out).map_err(|_| wrong)
    })
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
    let mut target = view::view_mut(array, spec)?;
    // Only where the array's memory is all its own may a kernel write whatever lies between the
    // elements.
    if target.len() >= FEW && plain::is_plain::<A>() {
        let plan = view::plan(array, spec.as_spec())?;
        if let (Some(src), Some(dst)) = (values.as_slice(), array.as_slice_memory_order_mut())
            && plain::assign(&plan, dst, src, values.shape())?
        {
            return Ok(());
        }
        target = view::view_mut(array, spec)?;
    }
    let dim = target.raw_dim();
    update::broadcast(values, dim, |values| target.assign(&values))
}

pub(super) fn fill<A: Clone, D: Dimension, I: SliceOf<D>>(
    array: &mut ArrayRef<A, D>,
    spec: &I,
    value: A,
) -> Result<(), SliceError> {
    let mut target = view::view_mut(array, spec)?;
    if target.len() >= FEW && plain::is_plain::<A>() {
        let plan = view::plan(array, spec.as_spec())?;
        if let Some(dst) = array.as_slice_memory_order_mut()
            && plain::fill(&plan, dst, &value)?
        {
            return Ok(());
        }
        target = view::view_mut(array, spec)?;
    }
    target.fill(value);
    Ok(())
}
