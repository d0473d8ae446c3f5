//! What can be written into a slice: [`Values`].

use ndarray::{ArrayBase, ArrayRef, Data, Dimension, Ix0, Ix1, Ix2, aview0, aview1, aview2};

/// What can be written into a slice of an array with elements of type `A`: an array or a view of
/// any storage, a vector, a slice, one or two levels of Rust arrays, by value or by reference, or
/// one element for all places.
///
/// # Examples
///
/// ```
/// use ndarray::{Array2, array};
/// use pyslice::{PySlice, s};
///
/// let mut x = Array2::<f64>::zeros((2, 3));
/// x.pyslice_assign(s![0], [1., 2., 3.]); //               x[0] = [1, 2, 3]
/// x.pyslice_assign(s![1], x.pyslice_copy(s![0, ::-1])); //  x[1] = x[0, ::-1]
/// x.pyslice_assign(s![:, 1], 5.); //                       x[:, 1] = 5
/// assert_eq!(x, array![[1., 5., 3.], [3., 5., 1.]]);
/// ```
///
/// Elements are not converted, as Rust's operators do not convert them either:
///
/// ```compile_fail
/// # use ndarray::Array2;
/// # use pyslice::{PySlice, s};
/// let mut x = Array2::<f64>::zeros((2, 3));
/// x.pyslice_assign(s![:, 1], 5); // `{integer}` cannot be written into a slice of an array whose elements are `f64`
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written into a slice of an array whose elements are `{A}`",
    label = "expected an array, a view, a vector, a slice, or one element, of `{A}`",
    note = "elements are not converted: write `5.0` instead of `5` where they are floats, and \
            `y.mapv(f64::from)` instead of an array `y` of another type",
    note = "`collect` an iterator into a vector first; make nested vectors an array with two axes",
    note = "write `x.pyslice_move_within(from, to)` for another slice of the same array, and \
            `y.pyslice(from)` for one of another array"
)]
pub trait Values<A> {
    /// Their dimension type.
    type Dim: Dimension;

    /// Calls `f` with the values as an array.
    fn with<R>(&self, f: impl FnOnce(&ArrayRef<A, Self::Dim>) -> R) -> R;
}

// The compiler would list these beneath the message above.
#[diagnostic::do_not_recommend]
impl<A> Values<A> for A {
    type Dim = Ix0;

    #[inline]
    fn with<R>(&self, f: impl FnOnce(&ArrayRef<A, Ix0>) -> R) -> R {
        f(&aview0(self))
    }
}

/// Values of a type and of references to it, as the array `$view`.
macro_rules! values {
    ($([$($given:tt)*] $of:ty, $dim:ty: $values:ident => $view:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<A, $($given)*> Values<A> for $of {
            type Dim = $dim;

            #[inline]
            fn with<R>(&self, f: impl FnOnce(&ArrayRef<A, $dim>) -> R) -> R {
                let $values = self;
                f($view)
            }
        }
    )* };
}
values! {
    [S: Data<Elem = A>, D: Dimension] ArrayBase<S, D, A>, D: values => values;
    [S: Data<Elem = A>, D: Dimension] &ArrayBase<S, D, A>, D: values => values;
    [S: Data<Elem = A>, D: Dimension] &mut ArrayBase<S, D, A>, D: values => values;
    [D: Dimension] &ArrayRef<A, D>, D: values => values;
    [D: Dimension] &mut ArrayRef<A, D>, D: values => values;
    [] Vec<A>, Ix1: values => &aview1(values);
    [] &Vec<A>, Ix1: values => &aview1(values);
    [] &[A], Ix1: values => &aview1(values);
    [const N: usize] [A; N], Ix1: values => &aview1(values);
    [const N: usize] &[A; N], Ix1: values => &aview1(*values);
    [const N: usize, const M: usize] [[A; N]; M], Ix2: values => &aview2(values);
    [const N: usize, const M: usize] &[[A; N]; M], Ix2: values => &aview2(*values);
}
