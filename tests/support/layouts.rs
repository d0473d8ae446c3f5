//! One array, laid out in memory in every way that ndarray knows.

use ndarray::{ArrayD, Axis, IxDyn, Slice};

/// Arrays equal to `base`, element by element: standard, Fortran order, negative strides, with gaps
/// between the elements, and all of these at once. What lies in the gaps is `gap`.
pub(crate) fn layouts<T: Clone>(base: &ArrayD<T>, gap: T) -> Vec<(&'static str, ArrayD<T>)> {
    let reversed = |shape: &[usize]| -> Vec<usize> { shape.iter().rev().copied().collect() };
    let filled = |mut array: ArrayD<T>| {
        array.assign(base);
        array
    };
    let fortran = || ArrayD::from_elem(IxDyn(&reversed(base.shape())), gap.clone()).reversed_axes();
    let flipped = |mut array: ArrayD<T>| {
        (0..array.ndim()).for_each(|axis| array.invert_axis(Axis(axis)));
        array
    };
    // Every second element of an array twice as long, from the second one on.
    let gappy = |shape: &[usize]| {
        let wide: Vec<usize> = shape.iter().map(|n| 2 * n + 1).collect();
        let mut array = ArrayD::from_elem(IxDyn(&wide), gap.clone());
        for axis in 0..shape.len() {
            array.slice_axis_inplace(Axis(axis), Slice::new(1, None, 2));
        }
        array
    };
    vec![
        ("standard", base.clone()),
        ("fortran", filled(fortran())),
        ("flipped", filled(flipped(base.clone()))),
        ("flipped fortran", filled(flipped(fortran()))),
        ("gaps", filled(gappy(base.shape()))),
        ("all at once", filled(flipped(gappy(&reversed(base.shape())).reversed_axes()))),
    ]
}

/// The array whose element number `k`, in C order, is `make(k)`.
pub(crate) fn numbered<T>(shape: &[usize], make: impl Fn(usize) -> T) -> ArrayD<T> {
    let count = shape.iter().product();
    ArrayD::from_shape_vec(IxDyn(shape), (0..count).map(make).collect())
        .expect("as many elements as the shape has")
}
