//! Several slices of one array to write through at once: [`SlicesOf`].

use crate::SliceOf;
use crate::places::Places;
use crate::view::{no_view, raw_view_mut};
use ndarray::{ArrayRef, ArrayViewMut, Dimension, RawArrayViewMut};
use slice_core::__private::views::disjoint;
use slice_core::{AsSpec, SliceError, SpecRef};
use smallvec::SmallVec;

/// Slices of one array, to be taken all at once: `[s![...]; N]`, a vector, or a tuple of up to six.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of slices of an array of dimension `{D}`",
    label = "expected an array, a vector or a tuple of slices",
    note = "several slices are one argument: write `x.pyslice_many_mut((s![:2], s![-1]))`, a tuple \
            of up to six slices, or an array or a vector of slices of one type"
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
    /// Those of [`try_pyslice_many_mut`](crate::PySlice::try_pyslice_many_mut).
    fn views<'a, A>(self, array: &'a mut ArrayRef<A, D>) -> Result<Self::Views<'a, A>, SliceError>;
}

/// Views to be written; nothing of them is read or written yet.
type Raw<A, D, I> = RawArrayViewMut<A, <I as SliceOf<D>>::Out>;

/// So many slices are few: each is compared with all others.
const FEW: usize = 6;

/// Checks that no two slices share an element. If there are few slices, a quick test comes first.
fn check<'a, A>(
    shape: &[usize],
    places: &[Places<'_, A>],
    specs: impl FnOnce() -> Vec<SpecRef<'a>>,
) -> Result<(), SliceError> {
    let mut rest = places;
    let mut all_apart = places.len() <= FEW;
    while let (Some((first, later)), true) = (rest.split_first(), all_apart) {
        all_apart = later.iter().all(|other| first.are_apart(other));
        rest = later;
    }
    if all_apart { Ok(()) } else { disjoint(shape, &specs()) }
}

/// The view of one slice. A `Result` of it would be moved once more.
macro_rules! one {
    ($whole:ident, $spec:expr, $I:ty) => {
        match raw_view_mut($whole.clone(), $spec) {
            Some(view) => view,
            None => return Err(no_view::<<$I as SliceOf<D>>::Out>($spec.as_spec(), $whole.shape())),
        }
    };
}

// The compiler would list these beneath the message above.
#[diagnostic::do_not_recommend]
impl<D: Dimension, I: SliceOf<D>> SlicesOf<D> for Vec<I> {
    type Views<'a, A: 'a>
        = Vec<ArrayViewMut<'a, A, I::Out>>
    where
        D: 'a;

    fn views<'a, A>(self, array: &'a mut ArrayRef<A, D>) -> Result<Self::Views<'a, A>, SliceError> {
        let whole = array.raw_view_mut();
        let mut views: Vec<Raw<A, D, I>> = Vec::with_capacity(self.len());
        for spec in &self {
            views.push(one!(whole, spec, I));
        }
        let places: Vec<_> = views.iter().map(Places::of_raw).collect();
        check(array.shape(), &places, || self.iter().map(AsSpec::as_spec).collect())?;
        // SAFETY: their elements are the array's, which is mutably borrowed for 'a, and no two
        // views share one.
        Ok(views.into_iter().map(|view| unsafe { view.deref_into_view_mut() }).collect())
    }
}

#[diagnostic::do_not_recommend]
impl<D: Dimension, I: SliceOf<D>, const N: usize> SlicesOf<D> for [I; N] {
    type Views<'a, A: 'a>
        = [ArrayViewMut<'a, A, I::Out>; N]
    where
        D: 'a;

    fn views<'a, A>(self, array: &'a mut ArrayRef<A, D>) -> Result<Self::Views<'a, A>, SliceError> {
        let whole = array.raw_view_mut();
        let mut views: SmallVec<[Raw<A, D, I>; N]> = SmallVec::new();
        for spec in &self {
            views.push(one!(whole, spec, I));
        }
        let found = views.len();
        // There are as many views as slices, so this does not fail.
        let views =
            views.into_inner().map_err(|_| SliceError::RankMismatch { expected: N, found })?;
        let places = views.each_ref().map(Places::of_raw);
        check(array.shape(), &places, || self.iter().map(AsSpec::as_spec).collect())?;
        // SAFETY: their elements are the array's, which is mutably borrowed for 'a, and no two
        // views share one.
        Ok(views.map(|view| unsafe { view.deref_into_view_mut() }))
    }
}

macro_rules! tuples {
    ($($spec:ident $view:ident $i:tt),*) => {
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
                let whole = array.raw_view_mut();
                $(let $view = one!(whole, &self.$i, $spec);)*
                let places = [$(Places::of_raw(&$view)),*];
                check(array.shape(), &places, || Vec::from([$(self.$i.as_spec()),*]))?;
                // SAFETY: their elements are the array's, which is mutably borrowed for 'a, and no
                // two views share one.
                Ok(($(unsafe { $view.deref_into_view_mut() },)*))
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
