//! Changes one slice of an array by another slice of it.

use crate::plain::Plain;
use crate::{SliceOf, array, update, view};
use ndarray::{ArrayRef, Dimension};
use slice_core::SliceError;
use slice_core::SpecRef;

/// `array[to] = array[from]`, as if all of the source were read first.
pub(crate) fn assign<A: Clone, D: Dimension, I: SliceOf<D>, J: SliceOf<D>>(
    array: &mut ArrayRef<A, D>,
    from: &I,
    to: &J,
) -> Result<(), SliceError> {
    // What fits a first-level cache is read and written again sooner than two slices are compared.
    let many = |len: usize| len.saturating_mul(size_of::<A>()) > 1 << 14;
    if many(array.len())
        && many(view::view(array, from)?.len())
        && let Some(plain) = Plain::new()
    {
        let plan = |spec: SpecRef<'_>| spec.plan_strided(array.shape(), array.strides());
        let plans = (plan(from.as_spec())?, plan(to.as_spec())?);
        if let Some(data) = array.as_slice_memory_order_mut() {
            return plain.move_within(&plans.0, &plans.1, data);
        }
    }
    let values = array::copy(array, from)?;
    array::assign(array, to, &values)
}

/// Calls `f` with every element of `array[to]` and its partner in `array[from]`, as if all of the
/// source were read first.
pub(crate) fn zip<A: Clone, D: Dimension, I: SliceOf<D>, J: SliceOf<D>>(
    array: &mut ArrayRef<A, D>,
    from: &I,
    to: &J,
    f: impl FnMut(&mut A, &A),
) -> Result<(), SliceError> {
    let values = array::copy(array, from)?;
    update::zip(array, to, &values, f)
}
