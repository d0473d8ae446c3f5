//! Several slices of one array to write through at once: [`SlicesOf`].

use super::SliceOf;
use super::view::{self, Whole};
use crate::error::SliceError;
use crate::plan::Plan;
use crate::spec::{AsSpec, SpecRef};
use ::ndarray::{ArrayRef, ArrayViewMut, Dimension};
use alloc::vec::Vec;

/// Slices of one array, to be taken all at once: `[s![..]; N]`, a vector, or a tuple of up to six.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of slices of an array of dimension `{D}`",
    label = "expected an array, a vector or a tuple of slices",
    note = "slices of one type go into an array or a vector, others into a tuple of up to six"
)]
pub trait SlicesOf<D: Dimension> {
    /// The views, in the same order.
    type Views<'a, A: 'a>
    where
        D: 'a;

    /// The views of `array`.
    ///
    /// # Errors
    ///
    /// Those of [`try_pyslice_many_mut`](super::PySlice::try_pyslice_many_mut).
    fn views<'a, A>(self, array: &'a mut ArrayRef<A, D>) -> Result<Self::Views<'a, A>, SliceError>;
}

/// The plans of all slices of `array`, if no two of them share an element.
fn plans<A, D: Dimension>(array: &ArrayRef<A, D>, specs: &[SpecRef<'_>]) -> Result<Vec<Plan>, SliceError> {
    // No two indices of an array that can be written name one element, so the question is one of indices, and the same
    // whatever the layout: it is asked of the plainest.
    let indices = specs.iter().map(|spec| spec.plan(array.shape())).collect::<Result<Vec<_>, _>>()?;
    for (second, b) in indices.iter().enumerate() {
        for (first, a) in indices.iter().enumerate().take(second) {
            if a.overlaps(b)? {
                return Err(SliceError::Overlap { first, second });
            }
        }
    }
    specs.iter().map(|&spec| view::plan(array, spec)).collect()
}

impl<D: Dimension, I: SliceOf<D>> SlicesOf<D> for Vec<I> {
    type Views<'a, A: 'a>
        = Vec<ArrayViewMut<'a, A, I::Out>>
    where
        D: 'a;

    fn views<'a, A>(self, array: &'a mut ArrayRef<A, D>) -> Result<Self::Views<'a, A>, SliceError> {
        let specs: Vec<SpecRef<'_>> = self.iter().map(AsSpec::as_spec).collect();
        let plans = plans(array, &specs)?;
        let whole = Whole::new(array);
        let (shape, strides) = (whole.array.shape(), whole.array.strides());
        // SAFETY: each plan is used once, and no two of them share an element.
        plans.iter().map(|plan| unsafe { whole.view_mut(plan.lines(shape, strides)?) }).collect()
    }
}

impl<D: Dimension, I: SliceOf<D>, const N: usize> SlicesOf<D> for [I; N] {
    type Views<'a, A: 'a>
        = [ArrayViewMut<'a, A, I::Out>; N]
    where
        D: 'a;

    fn views<'a, A>(self, array: &'a mut ArrayRef<A, D>) -> Result<Self::Views<'a, A>, SliceError> {
        let views = Vec::from(self).views(array)?;
        let wrong = SliceError::LengthMismatch { what: "views", found: views.len(), expected: N };
        views.try_into().map_err(|_| wrong)
    }
}

macro_rules! tuples {
    ($($spec:ident $plan:ident $i:tt),*) => {
        impl<D: Dimension, $($spec: SliceOf<D>),*> SlicesOf<D> for ($($spec,)*) {
            type Views<'a, A: 'a>
        = ($(ArrayViewMut<'a, A, $spec::Out>,)*)
    where
        D: 'a;

            fn views<'a, A>(self, array: &'a mut ArrayRef<A, D>) -> Result<Self::Views<'a, A>, SliceError> {
                let plans = plans(array, &[$(self.$i.as_spec()),*])?;
                let [$($plan),*] = plans.as_slice() else {
                    return Err(SliceError::LengthMismatch { what: "views", found: plans.len(), expected: [$($i),*].len() });
                };
                let whole = Whole::new(array);
                let (shape, strides) = (whole.array.shape(), whole.array.strides());
                // SAFETY: each plan is used once, and no two of them share an element.
                Ok(($(unsafe { whole.view_mut($plan.lines(shape, strides)?) }?,)*))
            }
        }
    };
}
tuples!(I a 0);
tuples!(I a 0, J b 1);
tuples!(I a 0, J b 1, K c 2);
tuples!(I a 0, J b 1, K c 2, L d 3);
tuples!(I a 0, J b 1, K c 2, L d 3, M e 4);
tuples!(I a 0, J b 1, K c 2, L d 3, M e 4, N f 5);
