use crate::Sliced;
use std::borrow::Cow;

/// Values to assign: a slice of them, with a shape if they are to be broadcast as NumPy does.
///
/// `&vec`, `&array` and `&vec[..]` are as many as the slice selects, in C order. `(&vec, &[3, 1])`
/// has a shape, and is broadcast; `(&[5.0], &[])` is a scalar. A [`Sliced`] has its own shape, and
/// so have the arrays of ndarray, with the feature `ndarray`.
#[derive(Clone, Debug)]
pub struct Values<'a, T: Clone> {
    pub(crate) values: Cow<'a, [T]>,
    pub(crate) shape: Option<Cow<'a, [usize]>>,
}

impl<'a, T: Clone> From<&'a [T]> for Values<'a, T> {
    fn from(values: &'a [T]) -> Self {
        Values { values: values.into(), shape: None }
    }
}

impl<'a, T: Clone> From<&'a Vec<T>> for Values<'a, T> {
    fn from(values: &'a Vec<T>) -> Self {
        Values::from(values.as_slice())
    }
}

impl<'a, T: Clone, const N: usize> From<&'a [T; N]> for Values<'a, T> {
    fn from(values: &'a [T; N]) -> Self {
        Values::from(values.as_slice())
    }
}

impl<'a, T: Clone, V: AsRef<[T]> + ?Sized, N: AsRef<[usize]> + ?Sized> From<(&'a V, &'a N)>
    for Values<'a, T>
{
    fn from((values, shape): (&'a V, &'a N)) -> Self {
        Values { values: values.as_ref().into(), shape: Some(shape.as_ref().into()) }
    }
}

impl<'a, T: Clone> From<&'a Sliced<T>> for Values<'a, T> {
    fn from(sliced: &'a Sliced<T>) -> Self {
        (sliced.values(), sliced.shape()).into()
    }
}

/// An array that is not in C order is copied.
#[cfg(feature = "ndarray")]
impl<'a, T: Clone, S: ndarray::Data<Elem = T>, D: ndarray::Dimension>
    From<&'a ndarray::ArrayBase<S, D>> for Values<'a, T>
{
    fn from(array: &'a ndarray::ArrayBase<S, D>) -> Self {
        let values = match array.as_slice() {
            Some(values) => values.into(),
            None => array.iter().cloned().collect::<Vec<T>>().into(),
        };
        Values { values, shape: Some(array.shape().into()) }
    }
}
