//! Several slices of one array to write through at once: [`SlicesOf`].

use super::view::{Planned, SplitArray};
use super::{SliceOf, disjoint};
use crate::encoding::{AsSpec, SpecRef};
use crate::error::SliceError;
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

/// Checks that no two slices share an element. If there are few slices, a quick test comes first.
fn check<'a, A, D: Dimension>(
    array: &ArrayRef<A, D>,
    planned: &[Planned],
    specs: impl FnOnce() -> Vec<SpecRef<'a>>,
) -> Result<(), SliceError> {
    const FEW: usize = 6;
    let mut rest = planned;
    let mut all_apart = planned.len() <= FEW;
    while let (Some((first, later)), true) = (rest.split_first(), all_apart) {
        all_apart = later.iter().all(|other| first.lines().are_apart(&other.lines()));
        rest = later;
    }
    if all_apart {
        return Ok(());
    }
    disjoint::check(array.shape(), &specs())
}

/// Plans each of the slices, and checks that no two share an element.
fn set<A, D: Dimension, I: SliceOf<D>>(
    array: &ArrayRef<A, D>,
    specs: &[I],
    planned: &mut [Planned],
) -> Result<(), SliceError> {
    planned.iter_mut().zip(specs).try_for_each(|(planned, spec)| {
        planned.set::<I::Out>(spec.as_spec(), array.shape(), array.strides())
    })?;
    check(array, planned, || specs.iter().map(AsSpec::as_spec).collect())
}

// The compiler would list these beneath the message above.
#[diagnostic::do_not_recommend]
impl<D: Dimension, I: SliceOf<D>> SlicesOf<D> for Vec<I> {
    type Views<'a, A: 'a>
        = Vec<ArrayViewMut<'a, A, I::Out>>
    where
        D: 'a;

    fn views<'a, A>(self, array: &'a mut ArrayRef<A, D>) -> Result<Self::Views<'a, A>, SliceError> {
        let whole = SplitArray::new(array);
        let mut planned: Vec<Planned> = self.iter().map(|_| Planned::NOTHING).collect();
        set(whole.array, &self, &mut planned)?;
        // SAFETY: each plan is used once, and no two of them share an element.
        Ok(planned.iter().map(|planned| unsafe { whole.view_mut(planned.lines()) }).collect())
    }
}

#[diagnostic::do_not_recommend]
impl<D: Dimension, I: SliceOf<D>, const N: usize> SlicesOf<D> for [I; N] {
    type Views<'a, A: 'a>
        = [ArrayViewMut<'a, A, I::Out>; N]
    where
        D: 'a;

    fn views<'a, A>(self, array: &'a mut ArrayRef<A, D>) -> Result<Self::Views<'a, A>, SliceError> {
        let whole = SplitArray::new(array);
        let mut planned = [const { Planned::NOTHING }; N];
        set(whole.array, &self, &mut planned)?;
        #[expect(clippy::indexing_slicing, reason = "`i` is below N")]
        let lines = |i: usize| planned[i].lines();
        // SAFETY: each plan is used once, and no two of them share an element.
        Ok(core::array::from_fn(|i| unsafe { whole.view_mut(lines(i)) }))
    }
}

macro_rules! tuples {
    ($($spec:ident $plan:ident $i:tt),*) => {
        #[diagnostic::do_not_recommend]
        impl<D: Dimension, $($spec: SliceOf<D>),*> SlicesOf<D> for ($($spec,)*) {
            type Views<'a, A: 'a>
        = ($(ArrayViewMut<'a, A, $spec::Out>,)*)
    where
        D: 'a;

            fn views<'a, A>(
                self,
                array: &'a mut ArrayRef<A, D>,
            ) -> Result<Self::Views<'a, A>, SliceError> {
                let whole = SplitArray::new(array);
                let mut planned = [const { Planned::NOTHING }; [$($i),*].len()];
                let [$($plan),*] = &mut planned;
                $($plan.set::<$spec::Out>(
                    self.$i.as_spec(),
                    whole.array.shape(),
                    whole.array.strides(),
                )?;)*
                check(whole.array, &planned, || Vec::from([$(self.$i.as_spec()),*]))?;
                let [$($plan),*] = &planned;
                // SAFETY: each plan is used once, and no two of them share an element.
                Ok(($(unsafe { whole.view_mut($plan.lines()) },)*))
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
