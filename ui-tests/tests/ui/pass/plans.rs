//! Plans of written and of constant shapes.
#![deny(warnings)]
use pyslice::{FixedPlan, plan};

const SHAPE: [usize; 2] = [4, 6];
const ROW: i32 = 1;

fn generic<const N: usize>() -> usize {
    plan!([N, 2]; 1:, 0).len()
}

fn main() {
    const P: FixedPlan<3, 2> = plan!([4, 6, 8]; 1, ..., ::2);
    assert_eq!((P.shape(), P.strides(), P.offset()), (&[6, 4], &[8, 2], 48));
    const Q: FixedPlan<2, 3> = plan!(SHAPE; None, ::-1, const { ROW }:);
    assert_eq!((Q.shape(), Q.offset()), (&[1, 4, 5], 19));
    let written = plan!([SHAPE[0], 6]; -1);
    assert_eq!((written.shape(), written.offset()), (&[6], 18));
    assert_eq!(plan!([3; 2]; :, 1), plan!([3, 3]; :, 1));
    assert_eq!(plan!([]; ...).len(), 1);
    assert_eq!(plan!([0, 4]; :, 3).len(), 0);
    assert_eq!(generic::<5>(), 4);
    assert_eq!(plan!([4, 6]; -4:4, 5:-7:-1; strict), plan!([4, 6]; :, ::-1));
    const R: FixedPlan<2, 2> = plan!(SHAPE; :const { ROW }, ::const { ROW }; strict);
    assert_eq!(R, plan!([4, 6]; :1, :));
}
