//! From one slice of an array to another slice of it.

use super::{SliceOf, array, plain, update, view};
use crate::error::SliceError;
use ::ndarray::{ArrayRef, Dimension};
use core::ops::AddAssign;

/// `array[to] = array[from]`, as if all of the source were read first.
pub(super) fn assign<A: Clone, D: Dimension, I: SliceOf<D>, J: SliceOf<D>>(
    array: &mut ArrayRef<A, D>,
    from: &I,
    to: &J,
) -> Result<(), SliceError> {
    let plans = (view::plan(array, from.as_spec())?, view::plan(array, to.as_spec())?);
    if let Some(data) = array.as_slice_memory_order_mut()
        && plain::move_within(&plans.0, &plans.1, data)?
    {
        return Ok(());
    }
    let values = array::copy(array, from)?;
    let mut target = view::view_mut(array, to)?;
    if target.shape() == values.shape() {
        target.iter_mut().zip(values).for_each(|(place, value)| *place = value);
        return Ok(());
    }
    let dim = target.raw_dim();
    update::broadcast(values.view(), dim, |values| target.assign(&values))
}

/// `array[to] += array[from]`, as if all of the source were read first.
pub(super) fn add<A: Clone + AddAssign, D: Dimension, I: SliceOf<D>, J: SliceOf<D>>(
    array: &mut ArrayRef<A, D>,
    from: &I,
    to: &J,
) -> Result<(), SliceError> {
    let values = array::copy(array, from)?;
    update::zip(array, to, values.view(), |place, value| place.add_assign(value.clone()))
}
