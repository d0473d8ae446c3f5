use crate::Sliced;
use std::borrow::Cow;

/// Values to assign: a slice of them, with a shape if they are to be broadcast as NumPy does.
///
/// `&vec`, `&array` and `&vec[..]` are as many as the slice selects, in C order. `(&vec, &[3, 1])`
/// has a shape, and is broadcast; `(&[5.0], &[])` is a scalar. A [`Sliced`] has its own shape, and
/// so have the arrays of ndarray, with the feature `ndarray`.
///
/// # Examples
///
/// ```
/// use pyslice::s;
/// use pyslice_zarrs::PyArray;
/// use std::sync::Arc;
/// use zarrs::array::{ArrayBuilder, data_type};
/// use zarrs::storage::store::MemoryStore;
///
/// let store = Arc::new(MemoryStore::new());
/// let array =
///     ArrayBuilder::new(vec![2, 3], vec![2, 2], data_type::int32(), 0i32).build(store, "/")?;
/// array.py_assign(s![...], &[1, 2, 3, 4, 5, 6])?;
/// array.py_assign(s![:, ::2], (&[7, 8], &[2, 1]))?; //     array[:, ::2] = [[7], [8]]
/// let last = array.py::<i32>(s![-1])?;
/// array.py_assign(s![0, ::-1], &last)?; //                 array[0, ::-1] = array[-1]
/// assert_eq!(array.py::<i32>(s![])?.values(), [8, 5, 8, 8, 5, 8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
