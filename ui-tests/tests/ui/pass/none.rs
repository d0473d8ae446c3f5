//! `None` as a bound, as a step and as a new axis, and its other names.
#![deny(warnings)]
use pyslice::s;

fn main() {
    use pyslice::Spec;
    const AXES: Spec<5, 0, 0, 5> = s![None, newaxis, np.newaxis, tf.newaxis, numpy.newaxis];
    assert_eq!(AXES.masks().new_axis, 31);
    assert_eq!(s![None:3, 3:None, None:None:None], s![:3, 3:, :]);
    assert_eq!(s![Ellipsis, 1], s![..., 1]);
}
